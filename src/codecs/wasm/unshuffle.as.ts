/**
 * Undoing byte shuffle and bit shuffle, as `codecs/unshuffle.ts` does. Nothing is read or written outside the ranges.
 */

/** Byte shuffle of `length` bytes; `to` shares no memory with `from`. */
export function unshuffleBytes(from: u32, length: u32, size: u32, to: u32): void {
  const count = length / size;
  if (size == 2) unshuffle2(from, count, to);
  else if (size == 4) unshuffle4(from, count, to);
  else if (size == 8) unshuffle8(from, count, to);
  else planes(from, count, size, 0, to);
  const whole = count * size;
  memory.copy(to + whole, from + whole, length - whole);
}

/** Elements from `first` on, a byte at a time; in groups, so that what is written stays near. */
function planes(from: u32, count: u32, size: u32, first: u32, to: u32): void {
  const GROUP: u32 = 256;
  for (let group = first; group < count; group += GROUP) {
    const stop = min(count, group + GROUP);
    for (let byte: u32 = 0; byte < size; byte++) {
      let source = from + byte * count + group;
      let target = to + group * size + byte;
      const last = from + byte * count + stop;
      while (source < last) {
        store<u8>(target, load<u8>(source++));
        target += size;
      }
    }
  }
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function low8(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function high8(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function low16(a: v128, b: v128): v128 {
  return i16x8.shuffle(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function high16(a: v128, b: v128): v128 {
  return i16x8.shuffle(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function low32(a: v128, b: v128): v128 {
  return i32x4.shuffle(a, b, 0, 4, 1, 5);
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function high32(a: v128, b: v128): v128 {
  return i32x4.shuffle(a, b, 2, 6, 3, 7);
}

function unshuffle2(from: u32, count: u32, to: u32): void {
  let i: u32 = 0;
  for (; i + 16 <= count; i += 16) {
    const a = v128.load(from + i);
    const b = v128.load(from + count + i);
    v128.store(to + 2 * i, low8(a, b));
    v128.store(to + 2 * i, high8(a, b), 16);
  }
  planes(from, count, 2, i, to);
}

function unshuffle4(from: u32, count: u32, to: u32): void {
  const second = from + count;
  const third = second + count;
  const fourth = third + count;
  let i: u32 = 0;
  for (; i + 16 <= count; i += 16) {
    const a = v128.load(from + i);
    const b = v128.load(second + i);
    const c = v128.load(third + i);
    const d = v128.load(fourth + i);
    const ab = low8(a, b);
    const cd = low8(c, d);
    const ab2 = high8(a, b);
    const cd2 = high8(c, d);
    const target = to + 4 * i;
    v128.store(target, low16(ab, cd));
    v128.store(target, high16(ab, cd), 16);
    v128.store(target, low16(ab2, cd2), 32);
    v128.store(target, high16(ab2, cd2), 48);
  }
  planes(from, count, 4, i, to);
}

function unshuffle8(from: u32, count: u32, to: u32): void {
  let i: u32 = 0;
  for (; i + 16 <= count; i += 16) {
    const source = from + i;
    const a = v128.load(source);
    const b = v128.load(source + count);
    const c = v128.load(source + 2 * count);
    const d = v128.load(source + 3 * count);
    const e = v128.load(source + 4 * count);
    const f = v128.load(source + 5 * count);
    const g = v128.load(source + 6 * count);
    const h = v128.load(source + 7 * count);
    const target = to + 8 * i;
    eight(low8(a, b), low8(c, d), low8(e, f), low8(g, h), target, false);
    eight(high8(a, b), high8(c, d), high8(e, f), high8(g, h), target + 64, false);
  }
  planes(from, count, 8, i, to);
}

/**
 * Pairs of bytes of 8 elements, put together to the elements; or with `isTurned` to matrices of bits, each turned
 * over.
 */
// @ts-ignore: a decorator of AssemblyScript
@inline
function eight(ab: v128, cd: v128, ef: v128, gh: v128, target: u32, isTurned: bool): void {
  const abcd = low16(ab, cd);
  const efgh = low16(ef, gh);
  const abcd2 = high16(ab, cd);
  const efgh2 = high16(ef, gh);
  put(target, low32(abcd, efgh), isTurned);
  put(target + 16, high32(abcd, efgh), isTurned);
  put(target + 32, low32(abcd2, efgh2), isTurned);
  put(target + 48, high32(abcd2, efgh2), isTurned);
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function put(target: u32, bits: v128, isTurned: bool): void {
  v128.store(target, isTurned ? turned(bits) : bits);
}

/** Bit shuffle of `length` bytes; `between` has room for as many, and no memory is shared. */
export function unshuffleBits(from: u32, length: u32, size: u32, between: u32, to: u32): void {
  const count = length / size;
  if (count % 8 != 0) {
    memory.copy(to, from, length);
    return;
  }
  const row = count / 8;
  for (let byte: u32 = 0; byte < size; byte++) bitPlanes(from + byte * count, row, between + byte * count);
  const whole = count * size;
  memory.copy(between + whole, from + whole, length - whole);
  if (size == 1) memory.copy(to, between, length);
  else unshuffleBytes(between, length, size, to);
}

/** Eight rows of bits, lowest first, turned into 8 × `row` bytes. */
function bitPlanes(from: u32, row: u32, to: u32): void {
  let at: u32 = 0;
  for (; at + 16 <= row; at += 16) bits16(from + at, row, to + 8 * at);
  for (; at < row; at++) {
    let bits: u64 = 0;
    for (let r: u32 = 0; r < 8; r++) bits |= <u64>load<u8>(from + r * row + at) << (8 * r);
    store<u64>(to + 8 * at, transposed(bits));
  }
}

/** An 8 by 8 matrix of bits turned over. */
function transposed(bits: u64): u64 {
  let swap = (bits ^ (bits >> 7)) & 0x00aa_00aa_00aa_00aa;
  bits ^= swap ^ (swap << 7);
  swap = (bits ^ (bits >> 14)) & 0x0000_cccc_0000_cccc;
  bits ^= swap ^ (swap << 14);
  swap = (bits ^ (bits >> 28)) & 0x0000_0000_f0f0_f0f0;
  return bits ^ swap ^ (swap << 28);
}

/** 16 such matrices: bytes of 8 rows interleaved to 16 groups of 8, each turned over in its 64-bit lane. */
function bits16(from: u32, row: u32, to: u32): void {
  const a = v128.load(from);
  const b = v128.load(from + row);
  const c = v128.load(from + 2 * row);
  const d = v128.load(from + 3 * row);
  const e = v128.load(from + 4 * row);
  const f = v128.load(from + 5 * row);
  const g = v128.load(from + 6 * row);
  const h = v128.load(from + 7 * row);
  eight(low8(a, b), low8(c, d), low8(e, f), low8(g, h), to, true);
  eight(high8(a, b), high8(c, d), high8(e, f), high8(g, h), to + 64, true);
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function turned(bits: v128): v128 {
  let swap = v128.and(v128.xor(bits, i64x2.shr_u(bits, 7)), i64x2.splat(0x00aa_00aa_00aa_00aa));
  let result = v128.xor(bits, v128.xor(swap, i64x2.shl(swap, 7)));
  swap = v128.and(v128.xor(result, i64x2.shr_u(result, 14)), i64x2.splat(0x0000_cccc_0000_cccc));
  result = v128.xor(result, v128.xor(swap, i64x2.shl(swap, 14)));
  swap = v128.and(v128.xor(result, i64x2.shr_u(result, 28)), i64x2.splat(0x0000_0000_f0f0_f0f0));
  return v128.xor(result, v128.xor(swap, i64x2.shl(swap, 28)));
}
