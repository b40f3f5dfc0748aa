/** Byte strings of a page (Parquet's BYTE_ARRAY): where each begins and ends, nothing copied. */
import { readDeltas } from "./delta.ts";
import { recordFault, recordTooLarge, unsupportedRecord } from "./record-fault.ts";

export interface ByteValues {
  readonly bytes: Uint8Array;
  /** Positions in `bytes`, as long as there are values. */
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

/** Values that DELTA_BYTE_ARRAY spells out from common beginnings. */
const MAX_SPELT_BYTES = 512 * 1024 * 1024;

/** `encoding`: any but those of a dictionary. Throws as `record-fault.ts` says. */
export function readByteValues(body: Uint8Array, encoding: string, count: number): ByteValues {
  if (encoding === "PLAIN") return readPlain(body, count);
  if (encoding === "DELTA_LENGTH_BYTE_ARRAY") return readLengths(body, 0, count);
  if (encoding === "DELTA_BYTE_ARRAY") return readPrefixes(body, count);
  throw unsupportedRecord("byte strings as PLAIN, RLE_DICTIONARY or DELTA_…", encoding);
}

/** A length of four bytes before each. */
function readPlain(bytes: Uint8Array, count: number): ByteValues {
  if (count * 4 > bytes.length) throw recordFault(`${count} byte strings`, `${bytes.length} bytes`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const [starts, ends] = [new Uint32Array(count), new Uint32Array(count)];
  let at = 0;
  for (let index = 0; index < count; index += 1) {
    const start = at + 4;
    const end = start > bytes.length ? start : start + view.getUint32(at, true);
    if (end > bytes.length) throw outside(bytes, index);
    starts[index] = start;
    ends[index] = end;
    at = end;
  }
  return { bytes, starts, ends };
}

/** All lengths first, then the bytes. */
function readLengths(bytes: Uint8Array, from: number, count: number): ByteValues {
  const lengths = new Float64Array(count);
  const [starts, ends] = [new Uint32Array(count), new Uint32Array(count)];
  let at = readDeltas(bytes, from, lengths, count);
  for (let index = 0; index < count; index += 1) {
    const length = lengths[index] as number;
    if (!(length >= 0 && at + length <= bytes.length)) throw outside(bytes, index);
    starts[index] = at;
    at += length;
    ends[index] = at;
  }
  return { bytes, starts, ends };
}

/** How much each shares with the one before, then the rest of each. */
function readPrefixes(bytes: Uint8Array, count: number): ByteValues {
  const shared = new Float64Array(count);
  const rest = readLengths(bytes, readDeltas(bytes, 0, shared, count), count);
  const [starts, ends] = [new Uint32Array(count), new Uint32Array(count)];
  let [total, before] = [0, 0];
  for (let index = 0; index < count; index += 1) {
    const prefix = shared[index] as number;
    if (!(prefix >= 0 && prefix <= before)) throw outside(bytes, index);
    before = prefix + (rest.ends[index] as number) - (rest.starts[index] as number);
    total += before;
    if (total > MAX_SPELT_BYTES) throw recordTooLarge("text", MAX_SPELT_BYTES);
  }
  const spelt = new Uint8Array(total);
  let at = 0;
  for (let index = 0; index < count; index += 1) {
    const prefix = shared[index] as number;
    const from = starts[index - 1] ?? 0;
    starts[index] = at;
    spelt.copyWithin(at, from, from + prefix);
    spelt.set(bytes.subarray(rest.starts[index], rest.ends[index]), at + prefix);
    at += prefix + (rest.ends[index] as number) - (rest.starts[index] as number);
    ends[index] = at;
  }
  return { bytes: spelt, starts, ends };
}

function outside(bytes: Uint8Array, index: number): Error {
  return recordFault(`byte strings inside their page of ${bytes.length} bytes`, `value ${index} outside`);
}
