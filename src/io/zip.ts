/**
 * A zip archive as a folder of files, local or at a URL: only its directory and what is asked for is read, by closed
 * ranges. Our own reader, since existing ones inflate without bounds, check no CRC and cannot be cancelled.
 */
import { crc32 } from "../codecs/checksums/checksums.ts";
import { inflate } from "../codecs/deflate/inflate.ts";
import { finish, newOutput } from "../codecs/codec.ts";
import type { ByteRange, ByteSource, CallContext, ReadBytes } from "../core/byte-source.ts";
import { failure, findingOfError, isAbort, RefscopeError, targetAt } from "../core/findings/finding.ts";
import type { FactsOf, Finding } from "../core/findings/finding.ts";
import { bytesSource, pastEnd } from "./file.ts";
import { findByPath, indexByName, type LocalFiles } from "./local-files.ts";
import { checkRange, checkWhole } from "./range.ts";
import { sharedTasks, type SharedTasks } from "./shared-task.ts";
import { readDirectory, viewOf, type ZipEntry } from "./zip-directory.ts";

export interface ZipFiles extends LocalFiles {
  /** Oddities of the archive: names used twice or left out, wrong counts. */
  readonly findings: readonly Finding[];
  /** True if the file is compressed, so that reading any part of it needs everything before. */
  isDeflated(path: string): boolean;
}

/** `50 4b` and the number of a record that an archive may begin with. Archives may also begin with anything else. */
export function isZipHead(head: Uint8Array): boolean {
  const [p, k, a = 0, b = 0] = head;
  return p === 0x50 && k === 0x4b && ((a === 3 && b === 4) || (a === 5 && b === 6) || (a === 7 && b === 8));
}

/**
 * Give an archive at a URL a source that knows its size (`head`): otherwise a byte is asked for to learn the size
 * along with it, and where it is not given the archive is read whole. Neighbouring reads are best `coalesced` in `source`.
 *
 * @throws RefscopeError `zip-not-found`, `zip-damaged`, `zip-split`, `zip-too-large`, and what the source throws.
 */
export async function openZip(source: ByteSource, context: CallContext, limits: ZipLimits = {}): Promise<ZipFiles> {
  const { sized, size } = await withSize(source, context);
  const { entries, findings } = await readDirectory(sized, size, context);
  const archive = newArchive(sized, size, limits);
  const list = [...entries.keys()];
  const index = indexByName(list);
  return {
    list,
    findings,
    isDeflated: (path) => entries.get(path)?.method === 8,
    find: (target) => findByPath(index, target),
    source: (path) => {
      const entry = entries.get(path);
      return entry === undefined ? undefined : entrySource({ archive, entry, name: `${entry.path} in ${source.name}` });
    },
  };
}

async function withSize(source: ByteSource, context: CallContext): Promise<{ sized: ByteSource; size: number }> {
  const size = source.size ?? (await sizeByRange(source, context));
  if (size !== undefined) return { sized: source, size };
  const { bytes } = await source.read(undefined, context);
  return { sized: bytesSource(bytes, source.name), size: bytes.byteLength };
}

async function sizeByRange(source: ByteSource, context: CallContext): Promise<number | undefined> {
  try {
    const { request } = await source.read({ offset: 0, length: 1 }, context);
    return request.targetSize ?? source.size;
  } catch (error) {
    if (isAbort(error)) throw error;
    // The whole file is asked for next, and that failure is reported.
    return undefined;
  }
}

// Bytes of a file in a zip archive. Stored files are read by range straight from the archive; deflated ones are
// inflated whole and kept for a while. Whatever is read whole is checked against its CRC-32.

export interface ZipLimits {
  /** Most bytes of a file that is read whole. */
  readonly entry?: number;
  /** Most inflated bytes that are kept; the one used last is kept in any case. */
  readonly kept?: number;
}

interface Archive {
  readonly source: ByteSource;
  readonly size: number;
  readonly entryLimit: number;
  readonly keptLimit: number;
  /** Start of the entries' data, for headers that have been read. */
  readonly starts: WeakMap<ZipEntry, number>;
  /** Inflated entries, the one used last at the end. */
  readonly kept: Map<ZipEntry, ByteSource>;
  readonly inflating: SharedTasks<ZipEntry, ReadBytes>;
}

function newArchive(source: ByteSource, size: number, limits: ZipLimits): Archive {
  const { entry = 1024 ** 3, kept = 256 * 1024 ** 2 } = limits;
  return {
    source,
    size,
    entryLimit: entry,
    keptLimit: kept,
    starts: new WeakMap(),
    kept: new Map(),
    inflating: sharedTasks(),
  };
}

interface Member {
  readonly archive: Archive;
  readonly entry: ZipEntry;
  /** With the archive's, for findings. */
  readonly name: string;
}

/**
 * Source of an entry. Its errors come with the first read: `zip-entry-…`, `zip-method-unsupported`, and those of the
 * archive.
 */
function entrySource(member: Member): ByteSource {
  const { entry, name } = member;
  const read = (range: ByteRange | undefined, context: CallContext) => readEntry(member, range, context);
  return {
    name,
    size: entry.size,
    read,
    stream: async (context) => bytesSource((await read(undefined, context)).bytes, name).stream(context),
  };
}

async function readEntry(member: Member, range: ByteRange | undefined, context: CallContext): Promise<ReadBytes> {
  const { archive, entry, name } = member;
  checkReadable(member);
  const wanted = range ?? { offset: 0, length: entry.size };
  checkRange(wanted, name);
  if (wanted.offset + wanted.length > entry.size) throw pastEnd(wanted, name, entry.size);
  const isWhole = wanted.length === entry.size;
  if (isWhole && entry.size > archive.entryLimit) throw tooLarge(member);
  if (range === undefined) checkWhole(entry.size, name, context);
  if (entry.method === 8) return readDeflated(member, wanted, context);
  const read = await readData(member, wanted, context);
  if (isWhole) checkCrc(member, read.bytes);
  return read;
}

function checkReadable({ entry, name }: Member): void {
  if (entry.encrypted) throw failure("zip-entry-encrypted", targetAt(name), {});
  if (entry.method !== 0 && entry.method !== 8) {
    throw failure("zip-method-unsupported", targetAt(name), { method: entry.method });
  }
  if (entry.method === 0 && entry.size !== entry.compressedSize) {
    throw damaged(name, { problem: "stored-size", stored: entry.compressedSize, size: entry.size });
  }
}

/** DEFLATE cannot do better: 258 bytes for two bits. */
const STEEPEST = 1032;
/** An entry that is both larger and steeper than this is taken for a trap. */
const LARGE = 256 * 1024 ** 2;
const STEEP = 200;

async function readDeflated(member: Member, range: ByteRange, context: CallContext): Promise<ReadBytes> {
  const { archive, entry } = member;
  const kept = archive.kept.get(entry);
  if (kept !== undefined) {
    keep(archive, entry, kept);
    return kept.read(range, context);
  }
  checkSteepness(member);
  const whole = await archive.inflating(entry, context, () => inflateEntry(member, context));
  const bytes = whole.bytes.slice(range.offset, range.offset + range.length);
  return { ...whole, bytes };
}

function checkSteepness(member: Member): void {
  const { archive, entry, name } = member;
  const { size, compressedSize } = entry;
  if (Math.max(size, compressedSize) > archive.entryLimit) throw tooLarge(member);
  const ratio = size / Math.max(1, compressedSize);
  if (size > STEEPEST * (compressedSize + 1)) {
    throw damaged(name, { problem: "ratio", compressed: compressedSize, size, limit: STEEPEST });
  }
  if (size <= LARGE || ratio <= STEEP) return;
  const facts = { problem: "ratio", size, compressed: compressedSize, limit: STEEP } as const;
  throw failure("zip-entry-too-large", targetAt(name), facts);
}

async function inflateEntry(member: Member, context: CallContext): Promise<ReadBytes> {
  const { archive, entry, name } = member;
  const read = await readData(member, { offset: 0, length: entry.compressedSize }, context);
  const bytes = inflated(read.bytes, member);
  checkCrc(member, bytes);
  keep(archive, entry, bytesSource(bytes, name));
  return { ...read, bytes };
}

function inflated(input: Uint8Array<ArrayBuffer>, { entry, name }: Member): Uint8Array<ArrayBuffer> {
  const output = newOutput("deflate", entry.size, entry.size);
  try {
    inflate(input, 0, output);
  } catch (cause) {
    if (!(cause instanceof RefscopeError)) throw cause;
    throw damaged(name, { problem: "stream", cause: findingOfError(cause) }, cause);
  }
  if (output.length === entry.size) return finish(output);
  throw damaged(name, { problem: "inflated-size", inflated: output.length, size: entry.size });
}

function keep(archive: Archive, entry: ZipEntry, source: ByteSource): void {
  const { kept, keptLimit } = archive;
  kept.delete(entry);
  kept.set(entry, source);
  let bytes = 0;
  for (const { size = 0 } of kept.values()) bytes += size;
  for (const [oldest, { size = 0 }] of kept) {
    if (bytes <= keptLimit || kept.size === 1) break;
    kept.delete(oldest);
    bytes -= size;
  }
}

function checkCrc({ entry, name }: Member, bytes: Uint8Array): void {
  const computed = crc32(bytes);
  if (computed === entry.crc) return;
  throw damaged(name, { problem: "crc", declared: entry.crc, computed });
}

function tooLarge({ archive, entry, name }: Member): RefscopeError {
  const size = Math.max(entry.size, entry.compressedSize);
  return failure("zip-entry-too-large", targetAt(name), { problem: "limit", size, limit: archive.entryLimit });
}

const HEADER_SIZE = 30;
const HEADER = 0x04034b50;
/** Local headers often have a little more in their extra field than the directory has. */
const SLACK = 64;
/** Up to here data are read along with the header before them, in one request. */
const AT_ONCE = 256 * 1024;

/** `range` of the entry's data as they are in the archive, compressed or not. */
async function readData({ archive, entry, name }: Member, range: ByteRange, context: CallContext): Promise<ReadBytes> {
  const { source, size, starts } = archive;
  const { header } = entry;
  let start = starts.get(entry);
  if (start === undefined) {
    const end = range.offset + range.length;
    const ahead = end <= AT_ONCE ? entry.headerSize - HEADER_SIZE + SLACK + end : 0;
    if (header < 0 || header + HEADER_SIZE > size) throw outside(name, header, size);
    const length = Math.min(HEADER_SIZE + ahead, size - header);
    const read = await source.read({ offset: header, length }, context);
    start = header + localHeaderSize(read.bytes, name, header);
    if (start + entry.compressedSize > size) throw outside(name, start + entry.compressedSize, size);
    if (start + entry.compressedSize > entry.end) {
      throw damaged(name, { problem: "overlap", end: start + entry.compressedSize, next: entry.end });
    }
    starts.set(entry, start);
    const from = start - header + range.offset;
    if (from + range.length <= length) return { ...read, bytes: read.bytes.slice(from, from + range.length) };
  }
  return source.read({ offset: start + range.offset, length: range.length }, context);
}

function localHeaderSize(bytes: Uint8Array<ArrayBuffer>, name: string, at: number): number {
  const view = viewOf(bytes);
  if (view.getUint32(0, true) !== HEADER) throw damaged(name, { problem: "header", at });
  return HEADER_SIZE + view.getUint16(26, true) + view.getUint16(28, true);
}

const outside = (name: string, at: number, archive: number): RefscopeError =>
  damaged(name, { problem: "outside", at, archive });

function damaged(name: string, facts: FactsOf<"zip-entry-damaged">, cause?: unknown): RefscopeError {
  return failure("zip-entry-damaged", targetAt(name), facts, cause === undefined ? undefined : { cause });
}
