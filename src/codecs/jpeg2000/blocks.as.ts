/**
 * Code-blocks of JPEG 2000 (ITU-T T.800 Annexes C and D): the arithmetic decoder and the three coding passes. Everything
 * lies at fixed addresses, which `block-memory.ts` has too; the tables and the block's data are put there by it. Nothing
 * is read past two bytes of 0xFF behind each segment, nor written outside the block: sizes are checked before.
 */
const MQ_TABLE: usize = 0;
const CONTEXTS: usize = 512;
const ZERO_CODING: usize = 1024;
const SIGN_CODING: usize = 2048;
const FLAGS: usize = 4096;
const MAGNITUDES: usize = 36_864;
const SEGMENTS: usize = 53_248;

// Flags of a coefficient: which neighbours are significant, the signs of four of them, and what is known of itself.
const NORTH: u32 = 1;
const SOUTH: u32 = 2;
const WEST: u32 = 4;
const EAST: u32 = 8;
const NORTH_WEST: u32 = 16;
const NORTH_EAST: u32 = 32;
const SOUTH_WEST: u32 = 64;
const SOUTH_EAST: u32 = 128;
const NEIGHBOURS: u32 = 255;
const SIGNIFICANT: u32 = 4096;
const REFINED: u32 = 8192;
const VISITED: u32 = 16_384;
const NEGATIVE: u32 = 32_768;
/** What a coefficient has of the stripe below, sign included: not to be seen where contexts are vertically causal. */
const BELOW: u32 = 2 | 64 | 128 | 512;

// Of the four coefficients of a stripe's column at once.
const COLUMN_NEIGHBOURS: u64 = 0x00ff_00ff_00ff_00ff;
const COLUMN_SIGNIFICANT: u64 = 0x1000_1000_1000_1000;
const COLUMN_VISITED: u64 = 0x4000_4000_4000_4000;

// Code-block style (T.800 Table A.19).
const BYPASS: u32 = 1;
const RESET: u32 = 2;
const CAUSAL: u32 = 8;
const SEGMENTATION: u32 = 32;

const RUN_LENGTH: u32 = 17;
const UNIFORM: u32 = 18;

let a: u32 = 0;
let c: u32 = 0;
let ct: u32 = 0;
let at: usize = 0;

let width: u32 = 0;
let height: u32 = 0;
/** Bytes of flags between stripes: four coefficients a column, with a column more on both sides. */
let stride: usize = 0;
let zeroCoding: usize = 0;
let isCausal: bool = false;

function resetContexts(): void {
  for (let i: usize = 0; i < 19; i++) store<u8>(CONTEXTS + i, 0);
  store<u8>(CONTEXTS, 4 << 1);
  store<u8>(CONTEXTS + RUN_LENGTH, 3 << 1);
  store<u8>(CONTEXTS + UNIFORM, 46 << 1);
}

/** BYTEIN (T.800 Figure C.19). */
function byteIn(): void {
  const next = <u32>load<u8>(at + 1);
  if (load<u8>(at) == 0xff) {
    if (next > 0x8f) {
      c += 0xff00;
      ct = 8;
    } else {
      at++;
      c += next << 9;
      ct = 7;
    }
  } else {
    at++;
    c += next << 8;
    ct = 8;
  }
}

/** INITDEC (T.800 Figure C.20). */
function startArithmetic(from: usize): void {
  at = from;
  c = (<u32>load<u8>(at)) << 16;
  byteIn();
  c <<= 7;
  ct -= 7;
  a = 0x8000;
}

function renormalise(): void {
  do {
    if (ct == 0) byteIn();
    a <<= 1;
    c <<= 1;
    ct--;
  } while ((a & 0x8000) == 0);
}

/** DECODE (T.800 Figure C.14). A state is its number times two, plus the more probable symbol. */
// @ts-ignore: decorator
@inline
function decode(context: u32): u32 {
  const place = CONTEXTS + context;
  const state = <u32>load<u8>(place);
  const entry = load<u32>(MQ_TABLE + (state << 2));
  const qe = entry & 0xffff;
  let symbol = state & 1;
  a -= qe;
  if (c >>> 16 < qe) {
    if (a < qe) store<u8>(place, <u8>(entry >>> 16));
    else {
      symbol ^= 1;
      store<u8>(place, <u8>(entry >>> 24));
    }
    a = qe;
    renormalise();
  } else {
    c -= qe << 16;
    if ((a & 0x8000) == 0) {
      if (a < qe) {
        symbol ^= 1;
        store<u8>(place, <u8>(entry >>> 24));
      } else store<u8>(place, <u8>(entry >>> 16));
      renormalise();
    }
  }
  return symbol;
}

/** A bit as it is, in the bypass mode (T.800 §D.6): after 0xFF come seven. */
function rawBit(): u32 {
  if (ct == 0) {
    ct = 8;
    const next = <u32>load<u8>(at);
    if (c == 0xff) {
      if (next > 0x8f) c = 0xff;
      else {
        c = next;
        at++;
        ct = 7;
      }
    } else {
      c = next;
      at++;
    }
  }
  ct--;
  return (c >>> ct) & 1;
}

// @ts-ignore: decorator
@inline
function or(flags: usize, bits: u32): void {
  store<u16>(flags, load<u16>(flags) | <u16>bits);
}

/** Tells the neighbours. `row` is that within the stripe. */
function becomeSignificant(flags: usize, row: u32, sign: u32): void {
  const north = row == 0 ? flags - stride + 6 : flags - 2;
  const south = row == 3 ? flags + stride - 6 : flags + 2;
  or(north - 8, SOUTH_EAST);
  or(north, SOUTH | (sign << 9));
  or(north + 8, SOUTH_WEST);
  or(flags - 8, EAST | (sign << 11));
  or(flags, SIGNIFICANT | (sign << 15));
  or(flags + 8, WEST | (sign << 10));
  or(south - 8, NORTH_EAST);
  or(south, NORTH | (sign << 8));
  or(south + 8, NORTH_WEST);
}

// @ts-ignore: decorator
@inline
function seen(flags: usize, row: u32): u32 {
  const all = <u32>load<u16>(flags);
  return isCausal && row == 3 ? all & ~BELOW : all;
}

// @ts-ignore: decorator
@inline
function decodeSign(seen: u32): u32 {
  const entry = <u32>load<u8>(SIGN_CODING + ((seen & 15) | ((seen >>> 4) & 0xf0)));
  return decode(entry & 127) ^ (entry >>> 7);
}

// @ts-ignore: decorator
@inline
function rowsFrom(y: u32): u32 {
  return height - y < 4 ? height - y : 4;
}

function significancePass(value: u32, isRaw: bool): void {
  let stripe = FLAGS + stride + 8;
  for (let y: u32 = 0; y < height; y += 4, stripe += stride) {
    const rows = rowsFrom(y);
    for (let x: u32 = 0; x < width; x++) {
      let flags = stripe + (x << 3);
      if ((load<u64>(flags) & COLUMN_NEIGHBOURS) == 0) continue;
      let magnitude = MAGNITUDES + ((y * width + x) << 2);
      for (let row: u32 = 0; row < rows; row++, flags += 2, magnitude += width << 2) {
        const now = seen(flags, row);
        if ((now & NEIGHBOURS) == 0 || (now & SIGNIFICANT) != 0) continue;
        const bit = isRaw ? rawBit() : decode(<u32>load<u8>(zeroCoding + (now & NEIGHBOURS)));
        if (bit != 0) {
          const sign = isRaw ? rawBit() : decodeSign(now);
          store<u32>(magnitude, value);
          becomeSignificant(flags, row, sign);
        }
        or(flags, VISITED);
      }
    }
  }
}

function refinementPass(half: u32, isRaw: bool): void {
  let stripe = FLAGS + stride + 8;
  for (let y: u32 = 0; y < height; y += 4, stripe += stride) {
    const rows = rowsFrom(y);
    for (let x: u32 = 0; x < width; x++) {
      let flags = stripe + (x << 3);
      if ((load<u64>(flags) & COLUMN_SIGNIFICANT) == 0) continue;
      let magnitude = MAGNITUDES + ((y * width + x) << 2);
      for (let row: u32 = 0; row < rows; row++, flags += 2, magnitude += width << 2) {
        const now = seen(flags, row);
        if ((now & (SIGNIFICANT | VISITED)) != SIGNIFICANT) continue;
        const context: u32 = now & REFINED ? 16 : now & NEIGHBOURS ? 15 : 14;
        const bit = isRaw ? rawBit() : decode(context);
        const before = load<u32>(magnitude);
        store<u32>(magnitude, bit != 0 ? before + half : before - half);
        or(flags, REFINED);
      }
    }
  }
}

function cleanupPass(value: u32): void {
  let stripe = FLAGS + stride + 8;
  const hidden: u64 = isCausal ? ~((<u64>BELOW) << 48) : ~(<u64>0);
  for (let y: u32 = 0; y < height; y += 4, stripe += stride) {
    const rows = rowsFrom(y);
    for (let x: u32 = 0; x < width; x++) {
      const column = stripe + (x << 3);
      const all = load<u64>(column) & hidden;
      let row: u32 = 0;
      let isFound = false;
      if (rows == 4 && (all & (COLUMN_NEIGHBOURS | COLUMN_SIGNIFICANT | COLUMN_VISITED)) == 0) {
        if (decode(RUN_LENGTH) == 0) continue;
        row = decode(UNIFORM) << 1;
        row |= decode(UNIFORM);
        isFound = true;
      }
      for (; row < rows; row++) {
        const flags = column + (row << 1);
        const now = seen(flags, row);
        if ((now & (SIGNIFICANT | VISITED)) != 0) continue;
        if (isFound || decode(<u32>load<u8>(zeroCoding + (now & NEIGHBOURS))) != 0) {
          const sign = decodeSign(now);
          store<u32>(MAGNITUDES + (((y + row) * width + x) << 2), value);
          becomeSignificant(flags, row, sign);
        }
        isFound = false;
      }
      store<u64>(column, load<u64>(column) & ~COLUMN_VISITED);
    }
  }
}

/** Signs, once for all: numbers instead of magnitudes. */
function applySigns(): void {
  let stripe = FLAGS + stride + 8;
  for (let y: u32 = 0; y < height; y++) {
    for (let x: u32 = 0; x < width; x++) {
      if ((load<u16>(stripe + (x << 3) + ((y & 3) << 1)) & <u16>NEGATIVE) == 0) continue;
      const place = MAGNITUDES + ((y * width + x) << 2);
      store<i32>(place, -load<i32>(place));
    }
    if ((y & 3) == 3) stripe += stride;
  }
}

/**
 * Decodes a block of `blockWidth` by `blockHeight` coefficients, at most 4096, whose highest bit plane is `planes` (1 to
 * 30). `segments`: pairs of an address and a count of passes. What comes out is twice the coefficient, and one more in the
 * first plane that was not coded: the middle of what it may be.
 */
export function decodeBlock(blockWidth: u32, blockHeight: u32, orientation: u32, planes: u32, style: u32, segments: u32): void {
  width = blockWidth;
  height = blockHeight;
  stride = ((width + 2) << 3);
  zeroCoding = ZERO_CODING + (orientation << 8);
  isCausal = (style & CAUSAL) != 0;
  memory.fill(FLAGS, 0, stride * (((height + 3) >>> 2) + 2));
  memory.fill(MAGNITUDES, 0, (width * height) << 2);
  resetContexts();
  let plane = planes;
  let pass: u32 = 2;
  for (let i: u32 = 0; i < segments; i++) {
    const isRaw = (style & BYPASS) != 0 && pass < 2 && plane + 4 <= planes;
    const from = <usize>load<u32>(SEGMENTS + (i << 3));
    let passes = load<u32>(SEGMENTS + (i << 3) + 4);
    if (isRaw) {
      at = from;
      c = 0;
      ct = 0;
    } else startArithmetic(from);
    for (; passes > 0 && plane > 0; passes--) {
      const one: u32 = 1 << plane;
      const half = one >>> 1;
      if (pass == 0) significancePass(one | half, isRaw);
      else if (pass == 1) refinementPass(half, isRaw);
      else {
        cleanupPass(one | half);
        if ((style & SEGMENTATION) != 0) for (let bit = 0; bit < 4; bit++) decode(UNIFORM);
      }
      if ((style & RESET) != 0) resetContexts();
      if (++pass == 3) {
        pass = 0;
        plane--;
      }
    }
  }
  applySigns();
}
