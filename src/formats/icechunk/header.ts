/**
 * The 39 bytes before every file's content (Icechunk's specification, "File format"): magic, the writer's name, version
 * of the format, file type, compression.
 */
import { failure, targetAt } from "#core/findings/finding.ts";
import { damaged, firstBytes, type FileName } from "./fault.ts";
import type { IcechunkZstd } from "./types.ts";

export type FileType = "snapshot" | "manifest" | "transaction log" | "repository info";

export interface FileHeader {
  /** "ic-2.2.2", "icechunk-js", …: what wrote the file. */
  readonly writer: string;
  /** 1 or 2; format 2.1 says 2 too. */
  readonly format: 1 | 2;
  /** Its content is not compressed, which the specification allows and the official library refuses. */
  readonly isPlain?: true;
}

export interface IcechunkFile {
  readonly header: FileHeader;
  /** The content, decompressed. */
  readonly body: Uint8Array;
  readonly name: FileName;
}

const MAGIC = [0x49, 0x43, 0x45, 0xf0, 0x9f, 0xa7, 0x8a, 0x43, 0x48, 0x55, 0x4e, 0x4b];
export const HEADER_BYTES = 39;
const TYPES: readonly string[] = [
  "",
  "snapshot",
  "manifest",
  "attributes",
  "transaction log",
  "chunk",
  "repository info",
];

/**
 * Largest content that is decompressed, and how many times its file it may be (what compresses better is not a
 * manifest).
 */
const MAX_BYTES = 2 ** 30;
/** Logs name every chunk that a commit wrote. */
const MAX_LOG_BYTES = 2 ** 31 - 1;
const MAX_RATIO = 200;

/**
 * The content of a file of the given type.
 * @throws RefscopeError `icechunk-not-icechunk`, `icechunk-version-unknown`, `icechunk-file-damaged`
 */
export async function openFile(
  bytes: Uint8Array,
  type: FileType,
  path: string,
  zstd: IcechunkZstd,
): Promise<IcechunkFile> {
  const name: FileName = { kind: type, path };
  const header = readHeader(bytes, name);
  const found = bytes[37] ?? 0;
  if (TYPES[found] !== type) {
    throw damaged(name, {
      field: "file type",
      expected: `${TYPES.indexOf(type)} (${type})`,
      found: TYPES[found] === undefined ? String(found) : `${found} (${TYPES[found]})`,
    });
  }
  const content = bytes.subarray(HEADER_BYTES);
  const compression = bytes[38] ?? 0;
  if (compression === 0) return { header: { ...header, isPlain: true }, body: content, name };
  if (compression !== 1) {
    throw damaged(name, { field: "compression", expected: "0 (none) or 1 (zstd)", found: String(compression) });
  }
  return { header, body: await decompressed(content, name, zstd), name };
}

async function decompressed(content: Uint8Array, name: FileName, zstd: IcechunkZstd): Promise<Uint8Array> {
  const limit = Math.min(
    name.kind === "transaction log" ? MAX_LOG_BYTES : MAX_BYTES,
    content.length * MAX_RATIO + 4_194_304,
  );
  try {
    return await zstd.decompress(content, { limit });
  } catch (error) {
    if (error instanceof Error && error.name === "AbortError") throw error;
    throw damaged(name, {
      expected: `one zstd frame of at most ${limit} bytes of content`,
      found: error instanceof Error ? error.message : String(error),
      cause: error,
    });
  }
}

/** Writer and format of a file; throws as `openFile` does. */
export function readHeader(bytes: Uint8Array, name: FileName): FileHeader {
  if (!hasMagic(bytes)) {
    const facts = { file: name.kind, size: bytes.length, start: firstBytes(bytes) };
    throw failure("icechunk-not-icechunk", targetAt(name.path), facts);
  }
  if (bytes.length < HEADER_BYTES) {
    throw damaged(name, { expected: `a header of ${HEADER_BYTES} bytes`, found: `${bytes.length} bytes` });
  }
  const writer = writerName(bytes);
  const format = bytes[36] ?? 0;
  if (format === 1 || format === 2) return { writer, format };
  throw failure("icechunk-version-unknown", targetAt(name.path), { file: name.kind, format, writer });
}

/** The header of a compressed file of format 2. */
export function headerBytes(type: FileType): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES).fill(0x20);
  bytes.set(MAGIC);
  bytes.set(new TextEncoder().encode(WRITER), 12);
  bytes.set([2, TYPES.indexOf(type), 1], 36);
  return bytes;
}

const WRITER = "refscope";

export const hasMagic = (bytes: Uint8Array): boolean => MAGIC.every((byte, at) => bytes[at] === byte);

/** The writer's name, from a file with the magic; control characters are shown as "�". */
export function writerName(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes.subarray(12, 36)).replace(/[ \0]+$/, "");
  return text.replaceAll(/\p{Cc}/gu, "�");
}
