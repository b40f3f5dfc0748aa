/** The files that a zip archive's directory lists (APPNOTE 4.3.12). What cannot be opened is left out, and said. */
import { crc32 } from "../codecs/checksums/checksums.ts";
import type { Bytes, ByteSource, CallContext } from "../core/byte-source.ts";
import { FindingLog } from "../core/findings/finding-log.ts";
import { failure, finding, type Finding, targetAt } from "../core/findings/finding.ts";
import { cut } from "../core/words.ts";

// Finds a zip archive's directory by the records at the archive's end (APPNOTE 4.3.14 to 4.3.16), zip64 included. Bytes
// before the archive, as in self-extracting programs, shift every offset in it.

interface DirectoryBytes {
  readonly bytes: Bytes;
  /** Offset of the bytes in the file. */
  readonly at: number;
  /** Number to add to every offset written in the archive. */
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
const ZIP_END_RECORD_SIZE = 56;
const LONGEST_TAIL = END_SIZE + 0xffff + LOCATOR_SIZE + ZIP_END_RECORD_SIZE;

const END = 0x06054b50;
const LOCATOR = 0x07064b50;
const RECORD = 0x06064b50;
const CENTRAL = 0x02014b50;

const MAX_ENTRIES = 500_000;
const LONGEST_DIRECTORY = 256 * 1024 ** 2;

/** @throws RefscopeError `zip-not-found`, `zip-damaged`, `zip-split`, `zip-too-large`. */
async function readDirectoryBytes(source: ByteSource, size: number, context: CallContext): Promise<DirectoryBytes> {
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

export const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

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
  /** Offset as written, and the end of the directory, which shows the shift. */
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

/**
 * Place of the zip64 record that the locator before the end record gives; the record is there, or directly before the
 * locator if the archive is shifted.
 */
async function zip64Place(tail: Tail, end: number, context: CallContext): Promise<Place | undefined> {
  const locatorAt = tail.at + end - LOCATOR_SIZE;
  const locator = await part(tail, locatorAt, LOCATOR_SIZE, context);
  if (locator === undefined || viewOf(locator).getUint32(0, true) !== LOCATOR) return undefined;
  const stated = Number(viewOf(locator).getBigUint64(8, true));
  for (const at of [stated, locatorAt - ZIP_END_RECORD_SIZE]) {
    const record = await part(tail, at, ZIP_END_RECORD_SIZE, context);
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
async function directoryAt(tail: Tail, place: Place, context: CallContext) {
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
  /** Upper bound of the data: the next header, or the directory. If several share a header, the last has this bound. */
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
    view: viewOf(bytes),
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
  readonly bytes: Bytes;
  readonly view: DataView;
  readonly shift: number;
  readonly listed: (Omit<ZipEntry, "end"> & { readonly record: number })[];
  /** Headers of all records, including those left out. */
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
  const name = entryName(reading, nameBytes, extra, (flags & 0x800) !== 0);
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
function entryName(reading: Reading, bytes: Uint8Array, extra: Uint8Array, isUtf8: boolean): string {
  const unicode = extraField(extra, 0x7075);
  if (unicode !== undefined && unicode.byteLength > 5 && unicode[0] === 1) {
    const madeFor = viewOf(unicode).getUint32(1, true);
    if (madeFor === crc32(bytes)) return decodeName(unicode.subarray(5), true);
  }
  const name = decodeName(bytes, isUtf8);
  if (!isUtf8 && looksLikeUtf8(bytes)) {
    const names = { name: cut(name, MAX_NAME), utf8: cut(decodeName(bytes, true), MAX_NAME) };
    reading.log.add(finding("zip-name-encoding", targetAt(reading.name), names));
  }
  return name;
}

const SEE_ZIP64 = 0xffff_ffff;

/** Those that do not fit 32 bits are in zip64's field, in this order, and only those. */
function sizesOf(view: DataView, at: number, extra: Uint8Array) {
  const numbers = [24, 20, 42].map((field) => view.getUint32(at + field, true));
  if (numbers.includes(SEE_ZIP64)) {
    const field = extraField(extra, 1) ?? new Uint8Array(0);
    const wide = viewOf(field);
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

// Names in zip archives: their encoding (APPNOTE 4.4.17, appendix D) and which are safe to open.

const HIGH_CP437 =
  "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0";

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** `isUtf8` is what the entry's flag says; without it names are CP437, as Python's zipfile reads them too. */
const decodeName = (bytes: Uint8Array, isUtf8: boolean): string => (isUtf8 ? utf8.decode(bytes) : decodeCp437(bytes));

function decodeCp437(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += byte < 128 ? String.fromCharCode(byte) : (HIGH_CP437[byte - 128] ?? "");
  return text;
}

/** True if these bytes, not all ASCII, would read as UTF-8 too: some archivers forget the flag. */
function looksLikeUtf8(bytes: Uint8Array): boolean {
  if (bytes.every((byte) => byte < 128)) return false;
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/**
 * The path with `/` and without `.` or empty components; `undefined` where it is absolute, climbs out of the archive,
 * or is not a path at all.
 */
function safePath(name: string, fromWindows: boolean): string | undefined {
  const text = fromWindows ? name.replaceAll("\\", "/") : name;
  if (text.startsWith("/") || /^[a-z]:[\\/]/i.test(text) || text.includes("\0")) return undefined;
  if (!/(?:^|\/)\.{0,2}(?:\/|$)/.test(text)) return text;
  const parts = text.split("/");
  if (parts.includes("..")) return undefined;
  const kept = parts.filter((part) => part !== "" && part !== ".");
  return kept.length === 0 ? undefined : kept.join("/");
}
