/**
 * Finds the messages of a GRIB file and their fields by the lengths written in them (FM 92, both editions). Reads no
 * values. Skips everything else: heads of telegrams, padding, the letters GRIB in them.
 */
import type { FileBytes } from "#core/file-bytes.ts";
import { failure, finding, type Finding } from "#core/findings/finding.ts";
import { targetAt } from "#core/findings/fact.ts";
import { hexBytes } from "#core/bytes.ts";

export interface Section {
  /** From the first byte of the file. */
  readonly offset: number;
  readonly length: number;
  /** The first bytes of the section, as many as are used. */
  readonly bytes: Uint8Array;
}

export interface GribMessage {
  readonly offset: number;
  readonly length: number;
  readonly edition: 1 | 2;
  readonly discipline: number;
  /** Sections by number; sections that fields share are the same objects. */
  readonly fields: readonly ReadonlyMap<number, Section>[];
}

const MAGIC = 0x47524942;
const END = 0x37373737;
const MOST_MESSAGES = 1_000_000;
const MOST_SECTIONS = 10_000;
/** Messages that are named; more are no GRIB file. */
const MOST_DAMAGED = 100;
/** Bytes of one section that are kept: those of grids with many rows are the longest. */
const MOST_KEPT = 65_536;
/** Bytes that are searched for the next message at once, and in all. */
const [WINDOW, MOST_SEARCHED] = [65_536, 4 * 1024 ** 2];
/** Fetched with the head of a message: its other sections before the data are seldom longer. */
const AHEAD = 512;

/** @throws RefscopeError where there is no message: what is wrong with the first, or that there is none */
export async function scanMessages(file: FileBytes) {
  const messages: GribMessage[] = [];
  const findings: Finding[] = [];
  for (let at = await nextMessage(file, 0); at !== undefined;) {
    const read = await readMessage(file, at);
    if ("code" in read) {
      findings.push(read);
      if (findings.length >= MOST_DAMAGED) break;
      at = await nextMessage(file, at + 4);
      continue;
    }
    messages.push(read);
    if (messages.length > MOST_MESSAGES)
      throw failure("data-file-too-large", targetAt(file.name), { limit: MOST_MESSAGES, what: "messages" });
    at = await nextMessage(file, at + read.length);
  }
  if (messages.length === 0 && findings.length === 0)
    findings.push(damaged(file, "first message", 0, "marked with GRIB and edition 1 or 2", "no such mark"));
  return { messages, findings };
}

/** Heads of messages that are fetched side by side. */
const MOST_AHEAD = 5000;

/**
 * Fetches the heads of messages whose places an index gives, and the end of the message before each: otherwise each
 * would wait for the one before.
 */
export async function fetchHeads(file: FileBytes, entries: readonly { readonly offset: number }[]): Promise<void> {
  const offsets = [...new Set(entries.map(({ offset }) => offset))].slice(0, MOST_AHEAD);
  await Promise.all(offsets.map((offset) => file.read(Math.max(0, offset - 4), 20, AHEAD)));
}

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.length);

function damaged({ name }: FileBytes, structure: string, offset: number, expected: string, found: string): Finding {
  return finding("data-file-damaged", targetAt(name), { format: "GRIB", structure, offset, expected, found });
}

async function nextMessage(file: FileBytes, from: number): Promise<number | undefined> {
  const end = Math.min(file.size, from + MOST_SEARCHED);
  for (let at = from; at + 16 <= end;) {
    const bytes = await file.read(at, at === from ? 16 : WINDOW, at === from ? AHEAD : 0);
    const found = markIn(bytes);
    if (found !== undefined) return at + found;
    at += Math.max(1, bytes.length - 7);
  }
  return undefined;
}

/** Offset of the letters GRIB with an edition after them. */
function markIn(bytes: Uint8Array): number | undefined {
  const view = viewOf(bytes);
  for (let at = bytes.indexOf(0x47); at >= 0 && at + 8 <= bytes.length; at = bytes.indexOf(0x47, at + 1)) {
    const edition = view.getUint8(at + 7);
    if (view.getUint32(at) === MAGIC && (edition === 1 || edition === 2)) return at;
  }
  return undefined;
}

async function readMessage(file: FileBytes, offset: number): Promise<GribMessage | Finding> {
  const head = viewOf(await file.read(offset, 16, AHEAD));
  if (head.byteLength < 16) return damaged(file, "message", offset, "longer", `${head.byteLength} bytes`);
  const edition = head.getUint8(7) === 1 ? 1 : 2;
  const length = edition === 1 ? await length1(file, offset, head) : head.getUint32(8) * 2 ** 32 + head.getUint32(12);
  if (offset + length > file.size)
    return finding("data-file-cut", targetAt(file.name), { format: "GRIB", says: offset + length, size: file.size });
  const tail = await file.read(offset + length - 4, 4, AHEAD);
  if (length < 32 || viewOf(tail).getUint32(0) !== END)
    return damaged(file, "message", offset, "ended by the letters 7777", hexBytes(tail));
  const fields = edition === 1 ? await fields1(file, offset, length) : await fields2(file, offset, length);
  if ("code" in fields) return fields;
  return { offset, length, edition, discipline: edition === 1 ? 255 : head.getUint8(6), fields };
}

/** Messages beyond 8 MiB: the first bit says that the length counts 120 bytes, and the last section what is over. */
async function length1(file: FileBytes, offset: number, head: DataView): Promise<number> {
  const length = head.getUint32(4) >>> 8;
  if (length < 0x800000) return length;
  let at = offset + 8;
  const flags = viewOf(await file.read(at, 8));
  if (flags.byteLength < 8) return length;
  for (const bit of [256, 128, 64]) {
    const isThere = bit === 256 || (flags.getUint8(7) & bit) !== 0;
    if (isThere) at += await length3(file, at);
  }
  const over = await length3(file, at);
  return over < 120 ? (length & 0x7fffff) * 120 - over + 4 : length;
}

/** A length of three bytes; 0 past the file's end. */
async function length3(file: FileBytes, at: number): Promise<number> {
  const bytes = await file.read(at, 4);
  return bytes.length < 4 ? 0 : viewOf(bytes).getUint32(0) >>> 8;
}

type Fields = readonly ReadonlyMap<number, Section>[];

const section = async (file: FileBytes, offset: number, length: number): Promise<Section> => ({
  offset,
  length,
  bytes: await file.read(offset, Math.min(length, MOST_KEPT)),
});

/**
 * Sections 1, and 2 where there is one; the heads of 3 and 4 where rows have lengths of their own: values are counted
 * then.
 */
async function fields1(file: FileBytes, offset: number, whole: number): Promise<Fields | Finding> {
  const first = await section(file, offset + 8, await length3(file, offset + 8));
  if (first.length < 28 || first.length > whole - 8)
    return damaged(file, "section 1", offset + 8, "of 28 bytes or more", `${first.length} bytes`);
  const field = new Map([[1, first]]);
  if (((first.bytes[7] as number) & 128) === 0) return [field];
  const at = offset + 8 + first.length;
  const length = await length3(file, at);
  if (length < 32 || at + length > offset + whole)
    return damaged(file, "section 2", at, "of 32 bytes or more", `${length} bytes`);
  const grid = await section(file, at, length);
  field.set(2, grid);
  if (viewOf(grid.bytes).getUint16(6) !== 0xffff) return [field];
  const hasBitmap = ((first.bytes[7] as number) & 64) !== 0;
  let next = at + length;
  for (const number of hasBitmap ? [3, 4] : [4]) {
    const bytes = await file.read(next, 11);
    if (bytes.length < 11) break;
    const size = viewOf(bytes).getUint32(0) >>> 8;
    field.set(number, { offset: next, length: size, bytes });
    next += size;
  }
  return [field];
}

/** Least bytes of each section that is read, and the sections that may follow it. */
const LEAST = [16, 21, 5, 14, 9, 11, 6, 5];
const AFTER = [[1], [2, 3], [3], [4], [5], [6], [7], [2, 3, 4]];
/** Sections that say what a field is. The others' first bytes are enough. */
const TELLING = new Set([1, 3, 4]);

async function fields2(file: FileBytes, offset: number, whole: number): Promise<Fields | Finding> {
  const end = offset + whole - 4;
  const current = new Map<number, Section>();
  const fields: ReadonlyMap<number, Section>[] = [];
  let last = 0;
  let count = 0;
  for (let at = offset + 16; at < end; count += 1) {
    const head = await file.read(at, 6);
    const [length, number] = head.length < 6 ? [0, 255] : [viewOf(head).getUint32(0), head[4] as number];
    if (AFTER[last]?.includes(number) !== true || length < (LEAST[number] ?? 5) || at + length > end)
      return damaged(file, "section", at, `section ${AFTER[last]?.join(" or ")}`, `number ${number}, ${length} bytes`);
    if (count >= MOST_SECTIONS) return damaged(file, "message", offset, `of at most ${MOST_SECTIONS} sections`, "more");
    current.set(number, TELLING.has(number) ? await section(file, at, length) : { offset: at, length, bytes: head });
    if (number === 7) fields.push(fieldOf(current, fields.at(-1)));
    last = number;
    at += length;
  }
  return last === 7 ? fields : damaged(file, "message", offset, "complete", `its end after section ${last}`);
}

/** A bit-map of 254 is that of the field before. */
function fieldOf(current: ReadonlyMap<number, Section>, before: ReadonlyMap<number, Section> | undefined) {
  const field = new Map(current);
  const bitmap = before?.get(6);
  if (field.get(6)?.bytes[5] === 254 && bitmap !== undefined) field.set(6, bitmap);
  return field;
}
