/** Checksums, as `codecs/checksums.ts` computes them. Nothing is read outside the range. */

/** Bytes whose sums fit 32 bits before the remainder must be taken (zlib's NMAX), a multiple of 16. */
const ADLER_BLOCK: u32 = 5552;
const ADLER: u32 = 65521;

/** Adler-32 (RFC 1950 §9). */
export function adler32(from: u32, length: u32): u32 {
  let a: u32 = 1;
  let b: u32 = 0;
  const weights = i8x16(16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1);
  const lowWeights = i16x8.extend_low_i8x16_u(weights);
  const highWeights = i16x8.extend_high_i8x16_u(weights);
  while (length >= 16) {
    const block = min(length, ADLER_BLOCK) & ~15;
    let sums = i32x4.splat(0);
    let before = i32x4.splat(0);
    let weighted = i32x4.splat(0);
    for (const stop = from + block; from < stop; from += 16) {
      const bytes = v128.load(from);
      before = i32x4.add(before, sums);
      sums = i32x4.add(sums, i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(bytes)));
      weighted = i32x4.add(weighted, i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_u(bytes), lowWeights));
      weighted = i32x4.add(weighted, i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_u(bytes), highWeights));
    }
    b = (b + a * block + 16 * across(before) + across(weighted)) % ADLER;
    a = (a + across(sums)) % ADLER;
    length -= block;
  }
  for (; length > 0; length--) {
    a += load<u8>(from++);
    b += a;
  }
  return ((b % ADLER) << 16) | a % ADLER;
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function across(sums: v128): u32 {
  return (
    i32x4.extract_lane(sums, 0) +
    i32x4.extract_lane(sums, 1) +
    i32x4.extract_lane(sums, 2) +
    i32x4.extract_lane(sums, 3)
  );
}

/** Bytes of the tables of one polynomial: 16 of 256 entries. */
const TABLE: u32 = 1024;

/** Tables for `crc`, so that 16 bytes are taken at a time. */
export function crcTables(table: u32, polynomial: u32): void {
  for (let i: u32 = 0; i < 256; i++) {
    let value = i;
    for (let bit = 0; bit < 8; bit++) value = (value >> 1) ^ (value & 1 ? polynomial : 0);
    store<u32>(table + 4 * i, value);
  }
  for (let i: u32 = 256; i < 4096; i++) {
    const before = load<u32>(table + 4 * i - TABLE);
    store<u32>(table + 4 * i, (before >> 8) ^ load<u32>(table + 4 * (before & 255)));
  }
}

/**
 * Shortens what a CRC is computed of, in place: where the polynomial divides x^8c + x^8(c-a) + x^8(c-b) + 1, a byte has
 * the same part in the remainder as itself added (exclusive or) a, b and c bytes further on. So nothing but the end is left, which is moved to
 * `at`; gives its length. a, b and c are 16 at least.
 */
export function crcFold(at: u32, length: u32, a: u32, b: u32, c: u32): u32 {
  let done: u32 = 0;
  for (; done + c + 16 <= length; done += 16) {
    const from = at + done;
    const bytes = v128.load(from);
    v128.store(from + a, v128.xor(bytes, v128.load(from + a)));
    v128.store(from + b, v128.xor(bytes, v128.load(from + b)));
    v128.store(from + c, v128.xor(bytes, v128.load(from + c)));
  }
  memory.copy(at, at + done, length - done);
  return length - done;
}

/** A CRC of 32 bits, lowest bits first; `value` is what it starts from. */
export function crc(table: u32, from: u32, length: u32, value: u32): u32 {
  const stop = from + (length & ~15);
  for (; from < stop; from += 16) {
    const a = load<u64>(from) ^ <u64>value;
    const b = load<u64>(from, 8);
    value = word(table, a, 8) ^ word(table, b, 0);
  }
  for (let i: u32 = 0; i < (length & 15); i++) {
    value = (value >> 8) ^ load<u32>(table + (((value ^ load<u8>(from + i)) & 255) << 2));
  }
  return ~value;
}

/** Eight bytes, after which `after` more come. */
// @ts-ignore: a decorator of AssemblyScript
@inline
function word(table: u32, bytes: u64, after: u32): u32 {
  const base = table + after * TABLE;
  return (
    load<u32>(base + ((<u32>bytes & 255) << 2), 7 * TABLE) ^
    load<u32>(base + ((<u32>(bytes >> 8) & 255) << 2), 6 * TABLE) ^
    load<u32>(base + ((<u32>(bytes >> 16) & 255) << 2), 5 * TABLE) ^
    load<u32>(base + ((<u32>(bytes >> 24) & 255) << 2), 4 * TABLE) ^
    load<u32>(base + ((<u32>(bytes >> 32) & 255) << 2), 3 * TABLE) ^
    load<u32>(base + ((<u32>(bytes >> 40) & 255) << 2), 2 * TABLE) ^
    load<u32>(base + ((<u32>(bytes >> 48) & 255) << 2), TABLE) ^
    load<u32>(base + ((<u32>(bytes >> 56) & 255) << 2), 0)
  );
}
