/** One reference of a manifest, made from its columns when it is looked at. */
import type { RefscopeError } from "../../core/errors.ts";
import { failure } from "../../core/findings/failure.ts";
import { targetAt } from "../../core/findings/place.ts";
import {
  CHECKSUM_SECONDS,
  ENTRY_BAD,
  ENTRY_COMPRESSED,
  ENTRY_INLINE,
  ENTRY_LOCATION,
  ENTRY_NATIVE,
  LENGTH_LARGE,
  MAX_LOCATION_BYTES,
  type ChunkColumns,
} from "./chunk-columns.ts";
import type { BytePool } from "./byte-pool.ts";
import { damaged, type FileName } from "./fault.ts";
import { secondsText } from "./file-time.ts";
import { textOf } from "./flat.ts";
import { objectId } from "./object-id.ts";
import type { Exact } from "./types.ts";

/** Offsets and lengths in bytes; `location` as stored, `vcc://` too (`virtual-location.ts` resolves it). */
export type ChunkReference =
  | { readonly kind: "inline"; readonly bytes: Uint8Array }
  | { readonly kind: "native"; readonly chunk: string; readonly offset: Exact; readonly length: Exact }
  | {
      readonly kind: "virtual";
      readonly location: string;
      readonly offset: Exact;
      readonly length: Exact;
      readonly checksum: Checksum | undefined;
    }
  | { readonly kind: "bad" };

/** What the target was when the reference was written; quotes are part of an ETag where the author wrote them. */
export type Checksum =
  | { readonly kind: "etag"; readonly etag: string }
  /** Whole seconds since 1970, and as ISO text. */
  | { readonly kind: "last-modified"; readonly seconds: number; readonly time: string };

/** What the columns say of a row without looking at its location. */
export function kindOf(columns: ChunkColumns, row: number): ChunkReference["kind"] {
  const tag = columns.entries.tag(columns.entry[row] ?? 0);
  if (tag === ENTRY_INLINE) return "inline";
  if (tag === ENTRY_NATIVE) return "native";
  return tag === ENTRY_BAD ? "bad" : "virtual";
}

/** @throws RefscopeError `icechunk-location-unreadable`: of this chunk alone */
export function referenceAt(columns: ChunkColumns, row: number): ChunkReference {
  const entry = columns.entry[row] ?? 0;
  const kind = kindOf(columns, row);
  if (kind === "inline") return { kind, bytes: columns.entries.bytes(entry) };
  if (kind === "bad") return { kind };
  const range = rangeAt(columns, row);
  if (kind === "native") return { kind, chunk: objectId(columns.entries.bytes(entry), 0, 12), ...range };
  return { kind, location: locationOf(columns, entry), ...range, checksum: checksumAt(columns, row) };
}

/** Offset and length of a row in its target or chunk file. */
export function rangeAt(columns: ChunkColumns, row: number): { readonly offset: Exact; readonly length: Exact } {
  const large = columns.large.get(row);
  if (large !== undefined) return large;
  return { offset: columns.offset[row] ?? 0, length: columns.length[row] ?? LENGTH_LARGE };
}

export function checksumAt({ checksum, checksums, file }: ChunkColumns, row: number): Checksum | undefined {
  const id = checksum?.[row] ?? 0;
  return id === 0 ? undefined : checksumOf(checksums, id - 1, file);
}

/** A checksum of a pool like `ChunkColumns.checksums`. @throws RefscopeError `icechunk-file-damaged` */
export function checksumOf(checksums: BytePool, id: number, file: FileName): Checksum {
  const bytes = checksums.bytes(id);
  if (checksums.tag(id) === CHECKSUM_SECONDS) {
    const seconds = new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true);
    return { kind: "last-modified", seconds, time: secondsText(seconds) };
  }
  const fault = () => damaged(file, { field: "checksum_etag", expected: "UTF-8 text", found: "other bytes" });
  return { kind: "etag", etag: textOf(bytes, fault) };
}

/** Whether the entry with this id is a location: of virtual chunks. */
export function isLocation({ entries }: ChunkColumns, entry: number): boolean {
  const tag = entries.tag(entry);
  return tag === ENTRY_LOCATION || tag === ENTRY_COMPRESSED;
}

/** The location with this id in `entries`, decompressed where it is compressed. Nothing is kept. */
export function locationOf(columns: ChunkColumns, entry: number): string {
  const { entries, file } = columns;
  const stored = entries.bytes(entry);
  const bytes = entries.tag(entry) === ENTRY_COMPRESSED ? decompressed(columns, stored) : stored;
  return textOf(bytes, () => unreadable(file, "encoding"));
}

function decompressed({ decompressLocation, file }: ChunkColumns, stored: Uint8Array): Uint8Array {
  if (decompressLocation === undefined) throw unreadable(file, "no-dictionary");
  try {
    return decompressLocation(stored, MAX_LOCATION_BYTES);
  } catch (error) {
    throw unreadable(file, "decompression", error);
  }
}

function unreadable(
  { path }: FileName,
  problem: "encoding" | "no-dictionary" | "decompression",
  cause?: unknown,
): RefscopeError {
  const reason = cause instanceof Error ? cause.message : undefined;
  return failure("icechunk-location-unreadable", targetAt(path), { problem, text: undefined, reason }, { cause });
}
