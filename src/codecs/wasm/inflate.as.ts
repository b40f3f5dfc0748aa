/**
 * Raw DEFLATE (RFC 1951). What fails here is decoded again by pako (`codecs/deflate/inflate.ts`), which says why: errors
 * are not distinguished.
 *
 * Input may be read up to 16 bytes past its end, and output may be written up to SLACK bytes past `room`: the host keeps
 * such room. Bits past the end of the input are noticed before they count.
 */

/** Bytes that may be written past `room`: three literals, the longest match, and the last step of copying it. */
const SLACK: u32 = 512;

// --- the work area, by offset from `work`: 48 KiB
const LITERALS: u32 = 0;
const DISTANCES: u32 = 32768;
const LENGTHS: u32 = 45056;
const COUNTS: u32 = 45568;
const NEXT: u32 = 45696;

const LITERAL_BITS: u32 = 11;
const DISTANCE_BITS: u32 = 8;
const CODE_BITS: u32 = 7;

/*
 * An entry of a table: bits 0-7 how many bits to take (code and extra bits), 8-11 the length of the code (of a link: the
 * bits of the second table), 16-30 a literal, the base of a length or distance, or where the second table starts.
 */
const LITERAL: u32 = 0x80000000;
/** None of the usual: one of the two below, else a link to a second table. */
const UNUSUAL: u32 = 0x8000;
const END: u32 = 0x4000;
const UNKNOWN: u32 = 0x2000;

const KIND_CODES: i32 = 0;
const KIND_LITERALS: i32 = 1;
const KIND_DISTANCES: i32 = 2;

let work: u32 = 0;
/** Bits read but not taken yet; `bitCount` of them count. */
let bits: u64 = 0;
let bitCount: u32 = 0;
let at: u32 = 0;
let end: u32 = 0;
let out: u32 = 0;
let start: u32 = 0;
/** Output may be written up to here, and SLACK further; it grows up to `limit`. */
let room: u32 = 0;
let limit: u32 = 0;
let literalBits: u32 = 0;
let distanceBits: u32 = 0;

/** Where the stream ended, an address; good after `inflate`. */
export function inflateEnd(): u32 {
  return at - (bitCount >> 3);
}

/** Where the output ended, an address. */
export function inflateOut(): u32 {
  return out;
}

/**
 * Inflates the stream at `from` to `to`; matches reach back to `to` at most. `roomAt` and `limitAt` are addresses up to
 * which there is room now, and may ever be. 1: done; 0: not done, for whatever reason.
 */
export function inflate(workAt: u32, from: u32, endAt: u32, to: u32, roomAt: u32, limitAt: u32): i32 {
  work = workAt;
  bits = 0;
  bitCount = 0;
  at = from;
  end = endAt;
  out = to;
  start = to;
  room = roomAt;
  limit = limitAt;
  for (;;) {
    const final = take(1);
    const kind = take(2);
    if (isPastEnd()) return 0;
    if (kind == 0) {
      if (!copyStored()) return 0;
    } else {
      if (kind == 3) return 0;
      if (kind == 1 ? !fixedTables() : !readTables()) return 0;
      if (!decodeBlock()) return 0;
    }
    if (final) break;
  }
  return out <= limit && !isPastEnd() ? 1 : 0;
}

// @ts-ignore: a decorator of AssemblyScript
@inline
function isPastEnd(): bool {
  return at - (bitCount >> 3) > end;
}

/** At most 32 bits. Past the end it gives zeros, and `isPastEnd` holds from then on. */
function take(count: u32): u32 {
  if (bitCount < count) {
    if (at <= end + 8) {
      bits |= load<u64>(at) << bitCount;
      at += (63 - bitCount) >> 3;
    }
    bitCount |= 56;
  }
  const value = <u32>bits & ((1 << count) - 1);
  bits >>= count;
  bitCount -= count;
  return value;
}

/** Takes memory until `needed` is inside `room`; false where it may not or cannot. */
function grow(needed: u32): bool {
  if (needed > limit) return false;
  const doubled = <u64>start + 2 * <u64>(needed - start) + 65536;
  room = <u32>min<u64>(limit, doubled);
  const pages = <i32>((<u64>room + SLACK + 0xffff) >> 16);
  const have = memory.size();
  return pages <= have || memory.grow(pages - have) >= 0;
}

function copyStored(): bool {
  take(bitCount & 7);
  const length = take(16);
  const complement = take(16);
  if ((length ^ complement) != 0xffff) return false;
  const from = at - (bitCount >> 3);
  if (from > end || length > end - from) return false;
  if (<u64>out + length > <u64>room && !grow(out + length)) return false;
  memory.copy(out, from, length);
  out += length;
  at = from + length;
  bits = 0;
  bitCount = 0;
  return true;
}

// --- tables

function fixedTables(): bool {
  const lengths = work + LENGTHS;
  memory.fill(lengths, 8, 288);
  memory.fill(lengths + 144, 9, 112);
  memory.fill(lengths + 256, 7, 24);
  memory.fill(lengths + 288, 5, 32);
  return buildBoth(288, 32);
}

function buildBoth(literalCount: u32, distanceCount: u32): bool {
  const lengths = work + LENGTHS;
  const first = build(KIND_LITERALS, lengths, literalCount, work + LITERALS, LITERAL_BITS);
  const second = build(KIND_DISTANCES, lengths + literalCount, distanceCount, work + DISTANCES, DISTANCE_BITS);
  literalBits = <u32>first;
  distanceBits = <u32>second;
  return first > 0 && second > 0;
}

function readTables(): bool {
  const literalCount = take(5) + 257;
  const distanceCount = take(5) + 1;
  const codeCount = take(4) + 4;
  if (literalCount > 286 || distanceCount > 30) return false;
  const lengths = work + LENGTHS;
  memory.fill(lengths, 0, 19);
  for (let i: u32 = 0; i < codeCount; i++) store<u8>(lengths + orderOf(i), <u8>take(3));
  // The table of distances is not needed yet: its place is borrowed.
  const codes = work + DISTANCES;
  const codeBits = build(KIND_CODES, lengths, 19, codes, CODE_BITS);
  if (codeBits <= 0) return false;
  const count = literalCount + distanceCount;
  let i: u32 = 0;
  while (i < count) {
    if (bitCount < 15) {
      if (at > end + 8) return false;
      bits |= load<u64>(at) << bitCount;
      at += (63 - bitCount) >> 3;
      bitCount |= 56;
    }
    const entry = load<u32>(codes + ((<u32>bits & ((1 << codeBits) - 1)) << 2));
    if (entry & UNUSUAL) return false;
    bits >>= entry & 15;
    bitCount -= entry & 15;
    const symbol = entry >> 16;
    if (symbol < 16) {
      store<u8>(lengths + i++, <u8>symbol);
      continue;
    }
    if (symbol == 16 && i == 0) return false;
    const value: u8 = symbol == 16 ? load<u8>(lengths + i - 1) : 0;
    const repeat = symbol == 16 ? take(2) + 3 : symbol == 17 ? take(3) + 3 : take(7) + 11;
    if (i + repeat > count) return false;
    memory.fill(lengths + i, value, repeat);
    i += repeat;
  }
  return !isPastEnd() && load<u8>(lengths + 256) != 0 && buildBoth(literalCount, distanceCount);
}

/** Which code length is written at place i (RFC 1951 §3.2.7). */
function orderOf(i: u32): u32 {
  if (i < 3) return 16 + i;
  if (i == 3) return 0;
  // 8 7 9 6 10 5 11 4 12 3 13 2 14 1 15
  const step = (i - 3) >> 1;
  return i & 1 ? 8 - step : 8 + step;
}

/**
 * A table in two steps, as `inflate-tables.ts` has it: first the next `most` bits at most, then the rest. Gives the bits
 * of the first step, 0 where the lengths make no code.
 */
function build(kind: i32, lengths: u32, count: u32, table: u32, most: u32): i32 {
  const counts = work + COUNTS;
  const next = work + NEXT;
  memory.fill(counts, 0, 64);
  for (let i: u32 = 0; i < count; i++) {
    const slot = counts + (<u32>load<u8>(lengths + i) << 2);
    store<u32>(slot, load<u32>(slot) + 1);
  }
  store<u32>(counts, 0);
  let longest: u32 = 15;
  while (longest > 1 && load<u32>(counts + (longest << 2)) == 0) longest--;
  let left: i32 = 1;
  let code: u32 = 0;
  for (let length: u32 = 1; length <= 15; length++) {
    const here = load<u32>(counts + (length << 2));
    left = left * 2 - <i32>here;
    if (left < 0) return 0;
    store<u32>(next + (length << 2), code);
    code = (code + here) << 1;
  }
  if (left > 0 && longest > 1) return 0;
  const first = min(longest, most);
  const size: u32 = 1 << first;
  if (left > 0 || longest > first) {
    // Links differ from entries in that their place is empty.
    const empty = left > 0 ? UNUSUAL | UNKNOWN : 0;
    for (let i: u32 = 0; i < size; i++) store<u32>(table + (i << 2), empty);
  }
  const further = longest - first;
  let free = size;
  for (let symbol: u32 = 0; symbol < count; symbol++) {
    const length = <u32>load<u8>(lengths + symbol);
    if (length == 0) continue;
    const slot = next + (length << 2);
    const plain = load<u32>(slot);
    store<u32>(slot, plain + 1);
    const reversed = reverse(plain) >> (16 - length);
    const entry = entryOf(kind, symbol, length);
    if (length <= first) {
      const step: u32 = 1 << length;
      for (let i = reversed; i < size; i += step) store<u32>(table + (i << 2), entry);
      continue;
    }
    const link = table + ((reversed & (size - 1)) << 2);
    if (load<u32>(link) == 0) {
      store<u32>(link, UNUSUAL | (free << 16) | (further << 8));
      free += 1 << further;
    }
    const second = load<u32>(link) >> 16;
    const step: u32 = 1 << (length - first);
    for (let i = reversed >> first; i < <u32>(1 << further); i += step) store<u32>(table + ((second + i) << 2), entry);
  }
  return <i32>first;
}

/** 16 bits from back to front. */
function reverse(code: u32): u32 {
  let value = ((code & 0xaaaa) >> 1) | ((code & 0x5555) << 1);
  value = ((value & 0xcccc) >> 2) | ((value & 0x3333) << 2);
  value = ((value & 0xf0f0) >> 4) | ((value & 0x0f0f) << 4);
  return ((value & 0xff00) >> 8) | ((value & 0x00ff) << 8);
}

function entryOf(kind: i32, symbol: u32, length: u32): u32 {
  if (kind == KIND_CODES) return (symbol << 16) | length;
  if (kind == KIND_DISTANCES) {
    if (symbol >= 30) return UNUSUAL | UNKNOWN;
    const extra: u32 = symbol < 4 ? 0 : (symbol >> 1) - 1;
    const base = symbol < 4 ? symbol + 1 : ((2 + (symbol & 1)) << extra) + 1;
    return (base << 16) | (length << 8) | (length + extra);
  }
  if (symbol < 256) return LITERAL | (symbol << 16) | length;
  if (symbol == 256) return UNUSUAL | END | length;
  if (symbol > 285) return UNUSUAL | UNKNOWN;
  if (symbol == 285) return (258 << 16) | (length << 8) | length;
  const place = symbol - 257;
  const extra: u32 = place < 8 ? 0 : (place >> 2) - 1;
  const base = place < 8 ? place + 3 : ((4 + (place & 3)) << extra) + 3;
  return (base << 16) | (length << 8) | (length + extra);
}

// --- the hot loop

function decodeBlock(): bool {
  const literals = work + LITERALS;
  const distances = work + DISTANCES;
  const literalMask: u64 = (<u64>1 << literalBits) - 1;
  const distanceMask: u64 = (<u64>1 << distanceBits) - 1;
  const lastRead = end + 8;
  let hold = bits;
  let count = bitCount;
  let from = at;
  let to = out;
  for (;;) {
    if (from > lastRead) return false;
    if (to > room && !grow(to)) return false;
    hold |= load<u64>(from) << count;
    from += (63 - count) >> 3;
    count |= 56;
    let entry = load<u32>(literals + (<u32>(hold & literalMask) << 2));
    if (<i32>entry < 0) {
      store<u8>(to, <u8>(entry >> 16));
      hold >>= entry & 15;
      count -= entry & 15;
      entry = load<u32>(literals + (<u32>(hold & literalMask) << 2));
      if (<i32>entry < 0) {
        store<u8>(to, <u8>(entry >> 16), 1);
        hold >>= entry & 15;
        count -= entry & 15;
        entry = load<u32>(literals + (<u32>(hold & literalMask) << 2));
        if (<i32>entry < 0) {
          store<u8>(to, <u8>(entry >> 16), 2);
          hold >>= entry & 15;
          count -= entry & 15;
          entry = load<u32>(literals + (<u32>(hold & literalMask) << 2));
          if (<i32>entry < 0) {
            store<u8>(to, <u8>(entry >> 16), 3);
            hold >>= entry & 15;
            count -= entry & 15;
            to += 4;
            continue;
          }
          to++;
        }
        to++;
      }
      to++;
      // Literals took 33 bits at most, so that those of `entry` are whole; what follows it may need more.
      hold |= load<u64>(from) << count;
      from += (63 - count) >> 3;
      count |= 56;
    }
    if (entry & UNUSUAL) {
      if (!(entry & (END | UNKNOWN))) {
        const second = <u32>(hold >> literalBits) & ((1 << ((entry >> 8) & 15)) - 1);
        entry = load<u32>(literals + (((entry >> 16) + second) << 2));
        if (<i32>entry < 0) {
          store<u8>(to++, <u8>(entry >> 16));
          hold >>= entry & 15;
          count -= entry & 15;
          continue;
        }
      }
      if (entry & UNUSUAL) {
        if (!(entry & END)) return false;
        hold >>= entry & 15;
        count -= entry & 15;
        break;
      }
    }
    let taken = entry & 31;
    const length = ((entry >> 16) & 511) + (<u32>(hold & ((<u64>1 << taken) - 1)) >> ((entry >> 8) & 15));
    hold >>= taken;
    count -= taken;
    entry = load<u32>(distances + (<u32>(hold & distanceMask) << 2));
    if (entry & UNUSUAL) {
      if (entry & UNKNOWN) return false;
      const second = <u32>(hold >> distanceBits) & ((1 << ((entry >> 8) & 15)) - 1);
      entry = load<u32>(distances + (((entry >> 16) + second) << 2));
      if (entry & UNUSUAL) return false;
    }
    taken = entry & 31;
    const distance = (entry >> 16) + (<u32>(hold & ((<u64>1 << taken) - 1)) >> ((entry >> 8) & 15));
    hold >>= taken;
    count -= taken;
    if (distance > to - start) return false;
    copyMatch(to, distance, length);
    to += length;
  }
  bits = hold;
  bitCount = count;
  at = from;
  out = to;
  return !isPastEnd();
}

/** Writes up to 31 bytes further than it should. */
// @ts-ignore: a decorator of AssemblyScript
@inline
export function copyMatch(to: u32, distance: u32, length: u32): void {
  let target = to;
  const stop = to + length;
  let source = to - distance;
  if (distance >= 16) {
    do {
      v128.store(target, v128.load(source));
      target += 16;
      source += 16;
    } while (target < stop);
  } else if (distance >= 8) {
    do {
      store<u64>(target, load<u64>(source));
      target += 8;
      source += 8;
    } while (target < stop);
  } else if (distance == 1 || distance == 2 || distance == 4) {
    const one = distance == 4 ? i32x4.splat(load<i32>(source)) : distance == 2 ? i16x8.splat(load<i16>(source)) : i8x16.splat(load<i8>(source));
    do {
      v128.store(target, one);
      target += 16;
    } while (target < stop);
  } else {
    do {
      store<u8>(target++, load<u8>(source++));
    } while (target < stop);
  }
}
