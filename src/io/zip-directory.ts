/** The files that a zip archive's directory lists (APPNOTE 4.3.12). What cannot be opened is left out, and said. */
import { cut } from "../core/words.ts";
import type { ByteSource, CallContext } from "../core/byte-source.ts";
import { type Finding, finding } from "../core/findings/finding.ts";
import { failure } from "../core/findings/failure.ts";
import { FindingLog } from "../core/findings/finding-log.ts";
import { targetAt } from "../core/findings/place.ts";
import { crc32 } from "../codecs/checksums.ts";
import { CENTRAL, MAX_ENTRIES, readDirectoryBytes } from "./zip-end.ts";
import { decodeName, looksLikeUtf8, safePath } from "./zip-name.ts";

export interface ZipEntry {
  readonly path: string;
  /** 0 stored, 8 deflated; others cannot be read. */
  readonly method: number;
  readonly encrypted: boolean;
  readonly crc: number;
  readonly size: number;
  readonly compressedSize: number;
  /** Position in the file of the entry's own header. */
  readonly header: number;
  /** Where the data must have ended: at the next header, or at the directory. Of several with one header, the last has it. */
  readonly end: number;
  /** Bytes of header, name and extra fields by the directory; those before the data may be more or fewer. */
  readonly headerSize: number;
}

export interface ZipDirectory {
  readonly entries: ReadonlyMap<string, ZipEntry>;
  readonly findings: readonly Finding[];
}

/** @throws RefscopeError `zip-not-found`, `zip-damaged`, `zip-split`, `zip-too-large`. */
export async function readDirectory(source: ByteSource, size: number, context: CallContext): Promise<ZipDirectory> {
  const { bytes, at, shift, count, isZip64, findings } = await readDirectoryBytes(source, size, context);
  const reading: Reading = {
    name: source.name,
    bytes,
    view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    shift,
    listed: [],
    headers: [],
    log: new FindingLog(),
  };
  reading.log.addAll(findings);
  const records = readRecords(reading);
  if (isZip64 ? records !== count : records % 65_536 !== count % 65_536) {
    reading.log.add(finding("zip-count", targetAt(source.name), { declared: count, listed: records }));
  }
  return { entries: entriesOf(reading, at), findings: reading.log.list() };
}

interface Reading {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly view: DataView;
  readonly shift: number;
  readonly listed: (Omit<ZipEntry, "end"> & { readonly record: number })[];
  /** Of all records, those left out included. */
  readonly headers: number[];
  readonly log: FindingLog;
}

const RECORD_SIZE = 46;
const SIGNATURE = 0x05054b50;

/** How many there are, those left out included. */
function readRecords(reading: Reading): number {
  const { view, bytes, name } = reading;
  let records = 0;
  let at = 0;
  while (at + RECORD_SIZE <= bytes.byteLength && view.getUint32(at, true) === CENTRAL) {
    if (records >= MAX_ENTRIES) {
      throw failure("zip-too-large", targetAt(name), { unit: "file", limit: MAX_ENTRIES, found: undefined });
    }
    const lengths = [28, 30, 32].map((field) => view.getUint16(at + field, true));
    const next = at + RECORD_SIZE + lengths.reduce((sum, length) => sum + length, 0);
    if (next > bytes.byteLength) break;
    addRecord(reading, at, lengths[0] ?? 0, lengths[1] ?? 0);
    records += 1;
    at = next;
  }
  const signed = at + 4 <= bytes.byteLength && view.getUint32(at, true) === SIGNATURE;
  if (at === bytes.byteLength || signed) return records;
  throw failure("zip-damaged", targetAt(name), { problem: "records", records });
}

function addRecord(reading: Reading, at: number, nameLength: number, extraLength: number): void {
  const { view, bytes, listed, headers } = reading;
  const flags = view.getUint16(at + 8, true);
  const host = bytes[at + 5];
  const nameBytes = bytes.subarray(at + RECORD_SIZE, at + RECORD_SIZE + nameLength);
  const extra = bytes.subarray(at + RECORD_SIZE + nameLength, at + RECORD_SIZE + nameLength + extraLength);
  const name = nameOf(reading, nameBytes, extra, (flags & 0x800) !== 0);
  const fromWindows = host === 0 || host === 10 || host === 11;
  const sizes = sizesOf(view, at, extra);
  const record = headers.push(sizes === undefined ? -1 : sizes.offset + reading.shift) - 1;
  // A folder: nothing to read.
  if (name.endsWith("/") || (fromWindows && name.endsWith("\\"))) return;
  const path = safePath(name, fromWindows);
  const isLink = host === 3 && ((view.getUint32(at + 38, true) >>> 16) & 0xf000) === 0xa000;
  if (path === undefined || isLink || sizes === undefined) {
    const code = path === undefined ? "zip-name-unsafe" : isLink ? "zip-link" : "zip-record-damaged";
    reading.log.add(finding(code, targetAt(reading.name), { name: cut(name, MAX_NAME) }));
    return;
  }
  listed.push({
    record,
    path,
    method: view.getUint16(at + 10, true),
    encrypted: (flags & 0x2041) !== 0,
    crc: view.getUint32(at + 16, true),
    size: sizes.size,
    compressedSize: sizes.compressedSize,
    header: sizes.offset + reading.shift,
    headerSize: 30 + nameLength + extraLength,
  });
}

/** The last of each name, with its end as Python's zipfile has it: data that go on share bytes with another entry. */
function entriesOf({ listed, headers, log, name }: Reading, directory: number): ReadonlyMap<string, ZipEntry> {
  const order = headers.map((_, record) => record).sort((one, other) => headerOf(one) - headerOf(other));
  const ends = new Float64Array(headers.length);
  for (const [at, record] of order.entries()) {
    const next = order[at + 1];
    ends[record] = next === undefined ? directory : headerOf(next);
  }
  const entries = new Map<string, ZipEntry>();
  for (const { record, ...entry } of listed) {
    if (entries.has(entry.path))
      log.add(finding("zip-name-twice", targetAt(name), { name: cut(entry.path, MAX_NAME) }));
    entries.set(entry.path, { ...entry, end: ends[record] ?? directory });
  }
  return entries;

  function headerOf(record: number): number {
    return headers[record] ?? -1;
  }
}

const MAX_NAME = 200;

/** Info-ZIP's field of Unicode names comes first (0x7075; it counts only where it was made for this very name). */
function nameOf(reading: Reading, bytes: Uint8Array, extra: Uint8Array, isUtf8: boolean): string {
  const unicode = extraField(extra, 0x7075);
  if (unicode !== undefined && unicode.byteLength > 5 && unicode[0] === 1) {
    const madeFor = new DataView(unicode.buffer, unicode.byteOffset).getUint32(1, true);
    if (madeFor === crc32(bytes)) return decodeName(unicode.subarray(5), true);
  }
  const name = decodeName(bytes, isUtf8);
  if (!isUtf8 && looksLikeUtf8(bytes)) {
    const names = { name: cut(name, MAX_NAME), utf8: cut(decodeName(bytes, true), MAX_NAME) };
    reading.log.add(finding("zip-name-encoding", targetAt(reading.name), names));
  }
  return name;
}

interface Sizes {
  readonly size: number;
  readonly compressedSize: number;
  readonly offset: number;
}

const SEE_ZIP64 = 0xffff_ffff;

/** Those that do not fit 32 bits are in zip64's field, in this order, and only those. */
function sizesOf(view: DataView, at: number, extra: Uint8Array): Sizes | undefined {
  const numbers = [24, 20, 42].map((field) => view.getUint32(at + field, true));
  if (numbers.includes(SEE_ZIP64)) {
    const field = extraField(extra, 1) ?? new Uint8Array(0);
    const wide = new DataView(field.buffer, field.byteOffset, field.byteLength);
    let from = 0;
    for (const [index, number] of numbers.entries()) {
      if (number !== SEE_ZIP64) continue;
      if (from + 8 > field.byteLength) return undefined;
      numbers[index] = Number(wide.getBigUint64(from, true));
      from += 8;
    }
  }
  const [size = 0, compressedSize = 0, offset = 0] = numbers;
  return Number.isSafeInteger(size + compressedSize + offset) ? { size, compressedSize, offset } : undefined;
}

function extraField(extra: Uint8Array, wanted: number): Uint8Array | undefined {
  let at = 0;
  while (at + 4 <= extra.byteLength) {
    const [a = 0, b = 0, c = 0, d = 0] = extra.subarray(at, at + 4);
    const end = at + 4 + c + 256 * d;
    if (a + 256 * b === wanted) return end <= extra.byteLength ? extra.subarray(at + 4, end) : undefined;
    at = end;
  }
  return undefined;
}
