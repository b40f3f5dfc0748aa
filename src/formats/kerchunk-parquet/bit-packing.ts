/** Small integers as Parquet packs them (parquet-format, Encodings.md: RLE / bit-packing hybrid). */
import { recordFault } from "./record-fault.ts";

/**
 * Reads `count` numbers of `width` bits from `bytes` at `from` into `out` from its position `at`. Runs may claim more than
 * is wanted; the last packed group may be cut short (fastparquet does that). Throws `parquet-record-broken`.
 */
export function readHybrid(
  bytes: Uint8Array,
  from: number,
  width: number,
  out: Uint8Array | Uint32Array,
  at: number,
  count: number,
): void {
  if (width === 0) {
    out.fill(0, at, at + count);
    return;
  }
  const end = at + count;
  let to = at;
  let position = from;
  while (to < end) {
    const [header, next] = readVarint(bytes, position);
    const isPacked = header % 2 === 1;
    const run = Math.floor(header / 2);
    const values = Math.min(end - to, isPacked ? run * 8 : run);
    if (values === 0) throw recordFault("runs of at least one number", `an empty run at byte ${position}`);
    if (isPacked) unpack(bytes, next, width, out, to, values);
    else out.fill(repeated(bytes, next, width), to, to + values);
    position = next + (isPacked ? run * width : Math.ceil(width / 8));
    to += values;
  }
}

/** Numbers packed one after the other, lowest bit first. */
function unpack(
  bytes: Uint8Array,
  from: number,
  width: number,
  out: Uint8Array | Uint32Array,
  at: number,
  count: number,
): void {
  const needed = Math.ceil((count * width) / 8);
  if (from + needed > bytes.length) {
    throw recordFault(`${needed} bytes of packed numbers`, `${Math.max(0, bytes.length - from)} bytes`);
  }
  if (width > 24) {
    for (let index = 0; index < count; index += 1) out[at + index] = readBits(bytes, from, index * width, width);
    return;
  }
  const mask = (1 << width) - 1;
  let position = from;
  let bits = 0;
  let held = 0;
  for (let to = at; to < at + count; to += 1) {
    while (held < width) {
      bits |= (bytes[position] as number) << held;
      position += 1;
      held += 8;
    }
    out[to] = bits & mask;
    bits >>>= width;
    held -= width;
  }
}

/** An unsigned number of up to 53 bits that begins `bit` bits after `from`. */
export function readBits(bytes: Uint8Array, from: number, bit: number, width: number): number {
  let value = 0;
  let got = 0;
  while (got < width) {
    const shift = (bit + got) % 8;
    const take = Math.min(8 - shift, width - got);
    const byte = bytes[from + Math.floor((bit + got) / 8)] ?? 0;
    value += ((byte >> shift) & ((1 << take) - 1)) * 2 ** got;
    got += take;
  }
  return value;
}

function repeated(bytes: Uint8Array, at: number, width: number): number {
  const size = Math.ceil(width / 8);
  if (at + size > bytes.length) throw recordFault("a repeated number", "the end of the page");
  return readBits(bytes, at, 0, width);
}

/** An unsigned number below 2^53 (LEB128), and the position after it. */
export function readVarint(bytes: Uint8Array, from: number): readonly [number, number] {
  let value = 0;
  for (let at = 0; at < 8; at += 1) {
    const byte = bytes[from + at];
    if (byte === undefined) throw recordFault("a number", `the end of the page at byte ${from + at}`);
    value += (byte & 127) * 128 ** at;
    if (byte < 128 && value <= Number.MAX_SAFE_INTEGER) return [value, from + at + 1];
  }
  throw recordFault("numbers below 2^53", `a larger one at byte ${from}`);
}
