/**
 * Where a zip archive's directory is: the records at the archive's end (APPNOTE 4.3.14 to 4.3.16), zip64 included. Bytes
 * before the archive, which programs that unpack themselves have, shift every offset in it.
 */
import type { ByteSource, CallContext } from "../core/byte-source.ts";
import type { Finding } from "../core/findings/finding.ts";
import { failure } from "../core/findings/failure.ts";
import { targetAt } from "../core/findings/place.ts";

type Bytes = Uint8Array<ArrayBuffer>;

export interface DirectoryBytes {
  readonly bytes: Bytes;
  /** Where they begin in the file. */
  readonly at: number;
  /** What is added to every offset written in the archive. */
  readonly shift: number;
  /** Entries by the end record; without zip64 only modulo 65,536. */
  readonly count: number;
  readonly isZip64: boolean;
  readonly findings: readonly Finding[];
}

/** The end of the archive, read in one request: room for the longest comment and zip64's records. */
interface Tail {
  readonly source: ByteSource;
  readonly size: number;
  readonly bytes: Bytes;
  /** Position of its first byte in the archive. */
  readonly at: number;
  readonly findings: Finding[];
}

const END_SIZE = 22;
const LOCATOR_SIZE = 20;
const RECORD_SIZE = 56;
const LONGEST_TAIL = END_SIZE + 0xffff + LOCATOR_SIZE + RECORD_SIZE;

const END = 0x06054b50;
const LOCATOR = 0x07064b50;
const RECORD = 0x06064b50;
export const CENTRAL = 0x02014b50;

export const MAX_ENTRIES = 500_000;
const LONGEST_DIRECTORY = 256 * 1024 ** 2;

/** @throws RefscopeError `zip-not-found`, `zip-damaged`, `zip-split`, `zip-too-large`. */
export async function readDirectoryBytes(
  source: ByteSource,
  size: number,
  context: CallContext,
): Promise<DirectoryBytes> {
  const tail = await readTail(source, size, context);
  const end = findEnd(tail);
  if (end === undefined)
    throw failure("zip-not-found", targetAt(source.name), { size, searched: tail.bytes.byteLength });
  const place = (await zip64Place(tail, end, context)) ?? plainPlace(tail, end);
  if (place.disk !== 0 && place.disk !== 0xffff) throw failure("zip-split", targetAt(source.name), {});
  if (place.count > MAX_ENTRIES) {
    throw failure("zip-too-large", targetAt(source.name), { unit: "file", limit: MAX_ENTRIES, found: place.count });
  }
  if (place.length > LONGEST_DIRECTORY) {
    const facts = { unit: "byte", limit: LONGEST_DIRECTORY, found: place.length } as const;
    throw failure("zip-too-large", targetAt(source.name), facts);
  }
  const found = await directoryAt(tail, place, context);
  return { ...found, count: place.count, isZip64: place.isZip64, findings: tail.findings };
}

async function readTail(source: ByteSource, size: number, context: CallContext): Promise<Tail> {
  if (size < END_SIZE) throw failure("zip-not-found", targetAt(source.name), { size, searched: size });
  const length = Math.min(size, LONGEST_TAIL);
  const { bytes, findings } = await source.read({ offset: size - length, length }, context);
  return { source, size, bytes, at: size - length, findings: [...findings] };
}

/** Bytes of the archive, out of the tail where they lie in it. `undefined` where the archive has no such place. */
async function part(tail: Tail, offset: number, length: number, context: CallContext): Promise<Bytes | undefined> {
  if (!Number.isSafeInteger(offset) || offset < 0 || !(offset + length <= tail.size)) return undefined;
  if (offset >= tail.at) return tail.bytes.subarray(offset - tail.at, offset - tail.at + length);
  const { bytes, findings } = await tail.source.read({ offset, length }, context);
  tail.findings.push(...findings);
  return bytes;
}

const viewOf = (bytes: Bytes): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** The last record whose comment ends where the archive does; else the last with room for its comment. */
function findEnd({ bytes }: Tail): number | undefined {
  const view = viewOf(bytes);
  let loose: number | undefined;
  for (let at = bytes.byteLength - END_SIZE; at >= 0; at -= 1) {
    if (view.getUint32(at, true) !== END) continue;
    const after = at + END_SIZE + view.getUint16(at + 20, true);
    if (after === bytes.byteLength) return at;
    if (after < bytes.byteLength) loose ??= at;
  }
  return loose;
}

interface Place {
  readonly disk: number;
  readonly count: number;
  readonly length: number;
  /** As written; and where the directory ends, which shows by how much that is shifted. */
  readonly offset: number;
  readonly end: number;
  readonly isZip64: boolean;
}

function plainPlace(tail: Tail, end: number): Place {
  const view = viewOf(tail.bytes);
  return {
    disk: view.getUint16(end + 4, true),
    count: view.getUint16(end + 10, true),
    length: view.getUint32(end + 12, true),
    offset: view.getUint32(end + 16, true),
    end: tail.at + end,
    isZip64: false,
  };
}

/** By the locator before the end record; its record is there, or directly before it where the archive is shifted. */
async function zip64Place(tail: Tail, end: number, context: CallContext): Promise<Place | undefined> {
  const locatorAt = tail.at + end - LOCATOR_SIZE;
  const locator = await part(tail, locatorAt, LOCATOR_SIZE, context);
  if (locator === undefined || viewOf(locator).getUint32(0, true) !== LOCATOR) return undefined;
  const stated = Number(viewOf(locator).getBigUint64(8, true));
  for (const at of [stated, locatorAt - RECORD_SIZE]) {
    const record = await part(tail, at, RECORD_SIZE, context);
    if (record !== undefined && viewOf(record).getUint32(0, true) === RECORD) return recordPlace(viewOf(record), at);
  }
  throw failure("zip-damaged", targetAt(tail.source.name), { problem: "zip64-record", at: stated });
}

function recordPlace(view: DataView, at: number): Place {
  return {
    disk: view.getUint32(16, true),
    count: Number(view.getBigUint64(32, true)),
    length: Number(view.getBigUint64(40, true)),
    offset: Number(view.getBigUint64(48, true)),
    end: at,
    isZip64: true,
  };
}

/** Just before the end records, else where its offset says. */
async function directoryAt(
  tail: Tail,
  place: Place,
  context: CallContext,
): Promise<Pick<DirectoryBytes, "at" | "bytes" | "shift">> {
  const { offset, length, end } = place;
  const starts = new Set([end - length, offset]);
  for (const start of starts) {
    const bytes = await part(tail, start, length, context);
    if (bytes === undefined) continue;
    const begins = length >= 46 && viewOf(bytes).getUint32(0, true) === CENTRAL;
    if (begins || (length === 0 && place.count === 0)) return { bytes, at: start, shift: start - offset };
  }
  throw failure("zip-damaged", targetAt(tail.source.name), { problem: "directory", offset, length });
}
