/**
 * The scanner's hot loop in AssemblyScript, compiled by `npm run wasm` into `scan-wasm.generated.ts`. It takes
 * plain entries as fast as it can; the strict reader (`document.ts`) takes all others. Tests run it against JSON.parse.
 *
 * Memory, by address: what AssemblyScript needs, then a heap that only grows (`take`). In it: the buffer of unread
 * bytes, blocks of columns (offset, ordinal, target, length, array, each 65,536 long), prefixes and targets with their
 * hash tables, blocks of inline text, and blocks of keys whose ordinal is not settled. Rows' inline offsets are
 * addresses. Tables that outgrow their place are copied and the old place is lost: less than is in use, in all.
 */

/** Throws in the host: the memory's 4 GB are used up. */
// @ts-ignore: a decorator of AssemblyScript
@external("env", "full")
declare function full(): void;

const BLOCK_ROWS: u32 = 65536;
const ORDINAL: u32 = BLOCK_ROWS * 8;
const TARGET: u32 = BLOCK_ROWS * 12;
const LENGTH: u32 = BLOCK_ROWS * 16;
const ARRAY: u32 = BLOCK_ROWS * 20;
const BLOCK_BYTES: u32 = BLOCK_ROWS * 22;

const LENGTH_WHOLE: u32 = 0xffffffff;
const ORDINAL_STRAY: u32 = 0xffffffff;
const TARGET_INLINE: u32 = 0xffffffff;
const TARGET_NULL: u32 = 0xfffffffe;

const NONE: i32 = -1;
/** Bytes that may be read beyond the last one in use. */
const SLACK: u32 = 64;
const MAX_FAST_RANK: i32 = 32;

// --- the heap

let top: u32 = 0;

function take(size: u32): u32 {
  const at = (top + 15) & ~15;
  const end = <u64>at + <u64>size + <u64>SLACK;
  if (end > 0xffff0000) full();
  top = <u32>end;
  const pages = <i32>((end + 0xffff) >> 16);
  const have = memory.size();
  if (pages > have) {
    const more = max(pages - have, min(16, 65535 - have));
    if (memory.grow(more) < 0 && memory.grow(pages - have) < 0) full();
  }
  return at;
}

function larger(from: u32, used: u32, size: u32, fill: u8): u32 {
  const to = take(size);
  memory.fill(to + used, fill, size - used);
  memory.copy(to, from, used);
  return to;
}

// --- the buffer

let buffer: u32 = 0;
let capacity: u32 = 0;
/** Addresses from here on may not be read by a length that is not known to fit. */
let limit: u32 = 0;
let scratchAt: u32 = 0;
let scratchSize: u32 = 0;

export function bufferAt(): u32 {
  return buffer;
}
export function bufferSize(): u32 {
  return capacity;
}

/** Room for `size` bytes; the first `used` are kept. */
export function growBuffer(from: u32, used: u32, size: u32): void {
  if (size <= capacity) {
    memory.copy(buffer, buffer + from, used);
    return;
  }
  const to = take(size);
  memory.copy(to, buffer + from, used);
  buffer = to;
  capacity = size;
  limit = to + size;
}

/** Line feeds in the first `to` bytes of the buffer. */
export function lineBreaks(to: u32): u32 {
  const feed = i8x16.splat(10);
  let count: u32 = 0;
  let at = buffer;
  const end = buffer + to;
  for (; at + 16 <= end; at += 16) count += popcnt(i8x16.bitmask(i8x16.eq(v128.load(at), feed)));
  for (; at < end; at++) if (load<u8>(at) == 10) count++;
  return count;
}

/** A place for the host to put bytes that it gives to another call. */
export function scratch(size: u32): u32 {
  if (size > scratchSize) {
    scratchSize = max(size, 1024);
    scratchAt = take(scratchSize);
  }
  memory.fill(scratchAt + size, 0, SLACK);
  return scratchAt;
}

// --- columns

let blockList: u32 = 0;
let blockRoom: u32 = 0;
let blockCount: u32 = 0;
let block: u32 = 0;
let inBlock: u32 = BLOCK_ROWS;
export let rows: u32 = 0;

export function blocks(): u32 {
  return blockCount;
}
export function blockAt(index: u32): u32 {
  return load<u32>(blockList + index * 4);
}

function nextBlock(): void {
  if (blockCount == blockRoom) {
    blockList = larger(blockList, blockRoom * 4, blockRoom * 8, 0);
    blockRoom *= 2;
  }
  block = take(BLOCK_BYTES);
  store<u32>(blockList + blockCount * 4, block);
  blockCount++;
  inBlock = 0;
}

export function addRow(array: u32, ordinal: u32, target: u32, offset: f64, length: u32): u32 {
  if (inBlock == BLOCK_ROWS) nextBlock();
  store<f64>(block + inBlock * 8, offset);
  store<u32>(block + ORDINAL + inBlock * 4, ordinal);
  store<u32>(block + TARGET + inBlock * 4, target);
  store<u32>(block + LENGTH + inBlock * 4, length);
  store<u16>(block + ARRAY + inBlock * 2, <u16>array);
  inBlock++;
  return rows++;
}

// --- arrays: rank (-1: ordinals not known), grid address, separator; 16 bytes each

let arrays: u32 = 0;
let arrayRoom: u32 = 0;

function makeRoom(slot: u32): void {
  if (slot < arrayRoom) return;
  let room = arrayRoom;
  while (slot >= room) room *= 2;
  arrays = larger(arrays, arrayRoom * 16, room * 16, 255);
  arrayRoom = room;
}

/** Returns where the host puts the grid's `rank` numbers. `rank` -1: no grid. */
export function setGrid(slot: u32, rank: i32, separator: u32): u32 {
  makeRoom(slot);
  const grid = rank > 0 ? take(<u32>rank * 4) : 0;
  const at = arrays + slot * 16;
  store<i32>(at, rank);
  store<u32>(at, grid, 4);
  store<u32>(at, separator, 8);
  return grid;
}

// --- prefixes: address, length, slot, the prefix that followed; 16 bytes each

let prefixes: u32 = 0;
let prefixRoom: u32 = 0;
let prefixCount: u32 = 0;
let prefixTable: u32 = 0;
let prefixMask: u32 = 0;
let prefix: i32 = NONE;
let slashes: u32 = 0;

// @ts-ignore: a decorator of AssemblyScript
@inline function step(hash: u32, byte: u32): u32 {
  return (hash ^ byte) * 0x01000193;
}

export function addPrefix(from: u32, length: u32, slot: u32): void {
  makeRoom(slot);
  if (prefixCount == prefixRoom) {
    prefixes = larger(prefixes, prefixRoom * 16, prefixRoom * 32, 255);
    prefixRoom *= 2;
  }
  const to = take(length);
  memory.copy(to, from, length);
  const at = prefixes + prefixCount * 16;
  store<u32>(at, to);
  store<u32>(at, length, 4);
  store<u32>(at, slot, 8);
  store<i32>(at, NONE, 12);
  prefixCount++;
  if (prefixCount * 2 > prefixMask) {
    prefixMask = (prefixMask + 1) * 4 - 1;
    prefixTable = take((prefixMask + 1) * 4);
    memory.fill(prefixTable, 255, (prefixMask + 1) * 4);
    for (let id: u32 = 0; id < prefixCount; id++) placePrefix(id);
  } else placePrefix(prefixCount - 1);
}

function placePrefix(id: u32): void {
  const at = load<u32>(prefixes + id * 16);
  const length = load<u32>(prefixes + id * 16, 4);
  let hash: u32 = 0;
  for (let i: u32 = 0; i < length; i++) hash = step(hash, load<u8>(at + i));
  let t = (hash ^ (hash >> 15)) & prefixMask;
  while (load<i32>(prefixTable + t * 4) >= 0) t = (t + 1) & prefixMask;
  store<u32>(prefixTable + t * 4, id);
}

// @ts-ignore: a decorator of AssemblyScript
@inline function isDigit(c: u32): bool {
  return c - 48 <= 9;
}

/** Whether `length` bytes are the same. Never reads beyond them. */
// @ts-ignore: a decorator of AssemblyScript
@inline function same(a: u32, b: u32, length: u32): bool {
  let i: u32 = 0;
  for (; i + 16 <= length; i += 16) if (v128.any_true(v128.xor(v128.load(a + i), v128.load(b + i)))) return false;
  if (i == length) return true;
  if (length >= 16) {
    return !v128.any_true(v128.xor(v128.load(a + length - 16), v128.load(b + length - 16)));
  }
  for (; i < length; i++) if (load<u8>(a + i) != load<u8>(b + i)) return false;
  return true;
}

function startsWithPrefix(q: u32, id: u32): bool {
  const at = prefixes + id * 16;
  const length = load<u32>(at, 4);
  return same(q, load<u32>(at), length) && isDigit(load<u8>(q + length));
}

function lookUpPrefix(q: u32, length: u32, hash: u32): i32 {
  for (let t = (hash ^ (hash >> 15)) & prefixMask; ; t = (t + 1) & prefixMask) {
    const id = load<i32>(prefixTable + t * 4);
    if (id < 0) return NONE;
    if (load<u32>(prefixes + <u32>id * 16, 4) == length && startsWithPrefix(q, id)) return id;
  }
  return NONE;
}

function findPrefix(q: u32): i32 {
  const before = prefix;
  if (before >= 0) {
    const next = load<i32>(prefixes + <u32>before * 16, 12);
    if (next >= 0 && startsWithPrefix(q, next)) return next;
  }
  let hash: u32 = 0;
  let count: i32 = 0;
  let i = q;
  for (let c: u32 = load<u8>(i); c != 34; c = load<u8>(++i)) {
    if (c < 32) return NONE;
    hash = step(hash, c);
    if (c != 47) continue;
    if (count > MAX_FAST_RANK) return NONE;
    store<u32>(slashes + <u32>count * 8, i);
    store<u32>(slashes + <u32>count * 8, hash, 4);
    count++;
  }
  let end = i;
  for (let s = count - 1; s >= -1; s--) {
    const from = s < 0 ? q : load<u32>(slashes + <u32>s * 8) + 1;
    if (!isDigit(load<u8>(from))) return NONE;
    for (let k = from; k < end; k++) {
      const c: u32 = load<u8>(k);
      if (!isDigit(c) && !(c == 46 && end == i) && c != 92) return NONE;
    }
    const found = lookUpPrefix(q, from - q, s < 0 ? 0 : load<u32>(slashes + <u32>s * 8, 4));
    if (found >= 0) {
      if (before >= 0) store<i32>(prefixes + <u32>before * 16, found, 12);
      return found;
    }
    end = from - 1;
  }
  return NONE;
}

// --- targets: address, length, hash, the target that followed; 16 bytes each

let targets: u32 = 0;
let targetRoom: u32 = 0;
let targetCount: u32 = 0;
let targetTable: u32 = 0;
let targetMask: u32 = 0;
let target: i32 = NONE;
let textAt: u32 = 0;
let textEnd: u32 = 0;

export function targetTotal(): u32 {
  return targetCount;
}
export function targetAt(id: u32): u32 {
  return load<u32>(targets + id * 16);
}
export function targetLength(id: u32): u32 {
  return load<u32>(targets + id * 16, 4);
}

function hashOf(u: u32, length: u32): u32 {
  let hash: u32 = 0x9e3779b9;
  let i: u32 = 0;
  for (; i + 4 <= length; i += 4) {
    hash = (hash ^ load<u32>(u + i)) * 0x85ebca6b;
    hash ^= hash >> 15;
  }
  for (; i < length; i++) hash = step(hash, load<u8>(u + i));
  return hash;
}

/** Id of a target whose bytes are at `u`. */
export function addTarget(u: u32, length: u32): u32 {
  const hash = hashOf(u, length);
  let t = (hash ^ (hash >> 15)) & targetMask;
  for (let id = load<i32>(targetTable + t * 4); id >= 0; id = load<i32>(targetTable + t * 4)) {
    const at = targets + <u32>id * 16;
    if (load<u32>(at, 8) == hash && load<u32>(at, 4) == length && same(u, load<u32>(at), length)) return id;
    t = (t + 1) & targetMask;
  }
  const id = targetCount++;
  if (id == targetRoom) {
    targets = larger(targets, targetRoom * 16, targetRoom * 32, 255);
    targetRoom *= 2;
  }
  if (<u64>textAt + <u64>length > <u64>textEnd) {
    const size = max<u32>(1 << 18, length);
    textAt = take(size);
    textEnd = textAt + size;
  }
  memory.copy(textAt, u, length);
  const at = targets + id * 16;
  store<u32>(at, textAt);
  store<u32>(at, length, 4);
  store<u32>(at, hash, 8);
  store<i32>(at, NONE, 12);
  textAt += length;
  store<u32>(targetTable + t * 4, id);
  if (targetCount * 2 > targetMask) growTargetTable();
  return id;
}

function growTargetTable(): void {
  targetMask = (targetMask + 1) * 4 - 1;
  targetTable = take((targetMask + 1) * 4);
  memory.fill(targetTable, 255, (targetMask + 1) * 4);
  for (let id: u32 = 0; id < targetCount; id++) {
    const hash = load<u32>(targets + id * 16, 8);
    let t = (hash ^ (hash >> 15)) & targetMask;
    while (load<i32>(targetTable + t * 4) >= 0) t = (t + 1) & targetMask;
    store<u32>(targetTable + t * 4, id);
  }
}

/** Id of the URL that begins at `u` in the buffer, `NONE` where it is not plain or not complete. */
function findTarget(u: u32): i32 {
  const before = target;
  if (before >= 0) {
    const next = load<i32>(targets + <u32>before * 16, 12);
    if (next >= 0) {
      const length = targetLength(next);
      if (u + length < limit && load<u8>(u + length) == 34 && same(u, targetAt(next), length)) return next;
    }
  }
  const quote = i8x16.splat(34);
  const backslash = i8x16.splat(92);
  const space = i8x16.splat(32);
  let q = u;
  while (true) {
    const v = v128.load(q);
    const quotes = i8x16.bitmask(i8x16.eq(v, quote));
    // Signed: below 32 are the control characters and all that is not ASCII.
    const odd = i8x16.bitmask(i8x16.lt_s(v, space));
    const slashed = i8x16.bitmask(i8x16.eq(v, backslash));
    if ((quotes | odd | slashed) == 0) {
      q += 16;
      continue;
    }
    const at = quotes == 0 ? 32 : ctz(quotes);
    if (odd != 0 && ctz(odd) < at) return NONE;
    if (slashed != 0 && ctz(slashed) < at) {
      // Only "\/" is taken; the search goes on after it.
      q += ctz(slashed) + 1;
      if (load<u8>(q) != 47) return NONE;
      continue;
    }
    q += at;
    break;
  }
  const id: i32 = addTarget(u, q - u);
  if (before >= 0) store<u32>(targets + <u32>before * 16, id, 12);
  return id;
}

// --- inline text

let inlineAt: u32 = 0;
let inlineEnd: u32 = 0;
export let inlineBytes: f64 = 0;

export function addInline(from: u32, length: u32): u32 {
  if (<u64>inlineAt + <u64>length > <u64>inlineEnd) {
    const size = max<u32>(inlineBytes == 0 ? 1 << 16 : 1 << 20, length);
    inlineAt = take(size);
    inlineEnd = inlineAt + size;
  }
  const at = inlineAt;
  memory.copy(at, from, length);
  inlineAt += length;
  inlineBytes += length;
  return at;
}

// --- keys whose ordinal is not settled: blocks of [next, used, entries]; an entry is [row, length, bytes]

let firstKeys: u32 = 0;
let keys: u32 = 0;
let keysSize: u32 = 0;
export let keyCount: u32 = 0;

export function keysAt(): u32 {
  return firstKeys;
}

export function keepKey(row: u32, from: u32, length: u32): void {
  if (keys == 0 || <u64>load<u32>(keys, 4) + 8 + <u64>length > <u64>keysSize) {
    keysSize = max<u32>(keys == 0 ? 1 << 14 : 1 << 20, length + 8);
    const next = take(keysSize + 8);
    store<u32>(next, 0);
    store<u32>(next, 0, 4);
    if (keys == 0) firstKeys = next;
    else store<u32>(keys, next);
    keys = next;
  }
  const used = load<u32>(keys, 4);
  const at = keys + 8 + used;
  store<u32>(at, row);
  store<u32>(at, length, 4);
  memory.copy(at + 8, from, length);
  store<u32>(keys, used + 8 + length, 4);
  keyCount++;
}

// --- classes of characters: 1 plain, 2 also a letter of base64

let classes: u32 = 0;

export function start(): void {
  top = <u32>__heap_base;
  classes = take(256);
  memory.fill(classes, 0, 256);
  for (let c: u32 = 32; c < 128; c++) if (c != 34 && c != 92) store<u8>(classes + c, 1);
  for (let c: u32 = 48; c <= 57; c++) store<u8>(classes + c, 2);
  for (let c: u32 = 65; c <= 90; c++) store<u8>(classes + c, 2);
  for (let c: u32 = 97; c <= 122; c++) store<u8>(classes + c, 2);
  store<u8>(classes + 43, 2);
  store<u8>(classes + 47, 2);
  slashes = take((<u32>MAX_FAST_RANK + 2) * 8);
  blockRoom = 64;
  blockList = take(blockRoom * 4);
  arrayRoom = 64;
  arrays = take(arrayRoom * 16);
  memory.fill(arrays, 255, arrayRoom * 16);
  prefixRoom = 64;
  prefixes = take(prefixRoom * 16);
  prefixMask = 255;
  prefixTable = take(256 * 4);
  memory.fill(prefixTable, 255, 256 * 4);
  targetRoom = 256;
  targets = take(targetRoom * 16);
  targetMask = 1023;
  targetTable = take(1024 * 4);
  memory.fill(targetTable, 255, 1024 * 4);
}

/** End of an inline value that begins at `s`: the address of its closing quote, or 0 where it is not plain. */
function inlineStop(s: u32): u32 {
  let e = s;
  let c: u32 = load<u8>(e);
  if (load<u32>(s) != 0x65736162 || (load<u32>(s + 4) & 0xffffff) != 0x3a3436) {
    for (;;) {
      while (load<u8>(classes + c)) c = load<u8>(++e);
      if (c == 34) return e;
      if (c != 92 || load<u8>(e + 1) != 47) return 0;
      e += 2;
      c = load<u8>(e);
    }
  }
  e = s + 7;
  c = load<u8>(e);
  let letters: u32 = 0;
  for (;;) {
    const from = e;
    while (load<u8>(classes + c) == 2) c = load<u8>(++e);
    letters += e - from;
    if (c != 92 || load<u8>(e + 1) != 47) break;
    letters++;
    e += 2;
    c = load<u8>(e);
  }
  const rest = letters & 3;
  if (c == 61 && rest >= 2) {
    c = load<u8>(++e);
    if (rest == 2) {
      if (c != 61) return 0;
      c = load<u8>(++e);
    }
  } else if (rest != 0) return 0;
  return c == 34 ? e : 0;
}

// @ts-ignore: a decorator of AssemblyScript
@inline function isSpace(c: u32): bool {
  return c == 32 || c == 10 || c == 13 || c == 9;
}

/** First address from `q` on that holds no white space. */
// @ts-ignore: a decorator of AssemblyScript
@inline function past(q: u32): u32 {
  while (isSpace(load<u8>(q))) q++;
  return q;
}

/** Where `run` stopped, as an index into the buffer, and whether the next entry is the object's first. */
export let position: u32 = 0;
export let first: bool = true;

export function run(from: u32, firstEntry: bool): void {
  let p = buffer + from;
  let isFirst = firstEntry;
  let prefixAt: u32 = 0;
  let prefixLength: u32 = 0;
  let slot: u32 = 0;
  let rank: i32 = -1;
  let grid: u32 = 0;
  let separator: u32 = 46;
  if (prefix >= 0) {
    const at = prefixes + <u32>prefix * 16;
    prefixAt = load<u32>(at);
    prefixLength = load<u32>(at, 4);
    slot = load<u32>(at, 8);
    rank = load<i32>(arrays + slot * 16);
    grid = load<u32>(arrays + slot * 16, 4);
    separator = load<u32>(arrays + slot * 16, 8);
  }
  let urlAt: u32 = 0;
  let urlLength: u32 = 0;
  if (target >= 0) {
    urlAt = targetAt(target);
    urlLength = targetLength(target);
  }
  for (;;) {
    // --- separator
    let q = past(p);
    if (!isFirst) {
      if (load<u8>(q) != 44) break;
      q = past(q + 1);
    }
    if (load<u8>(q) != 34) break;
    const key = q + 1;
    // --- the part of the key before the coordinates
    let known = prefix >= 0 && same(key, prefixAt, prefixLength);
    // --- coordinates; a second round where they do not fit the prefix tried first
    let ordinal: u32 = 0;
    let settled = false;
    let lost = false;
    let c: u32 = 0;
    for (let searched = !known; ; searched = true) {
      if (searched) {
        const found = findPrefix(key);
        if (found < 0) {
          lost = true;
          break;
        }
        prefix = found;
        const at = prefixes + <u32>found * 16;
        prefixAt = load<u32>(at);
        prefixLength = load<u32>(at, 4);
        slot = load<u32>(at, 8);
        rank = load<i32>(arrays + slot * 16);
        grid = load<u32>(arrays + slot * 16, 4);
        separator = load<u32>(arrays + slot * 16, 8);
      }
      q = key + prefixLength;
      c = <u32>load<u8>(q) - 48;
      if (rank >= 0) {
        ordinal = 0;
        let d: i32 = 0;
        while (c <= 9 && d < rank) {
          let v = c;
          const start = q;
          c = <u32>load<u8>(++q) - 48;
          if (v == 0 && c <= 9) break;
          while (c <= 9) {
            v = v * 10 + c;
            c = <u32>load<u8>(++q) - 48;
          }
          const count = load<u32>(grid + <u32>d * 4);
          if (v >= count || q - start > 9) break;
          ordinal = ordinal * count + v;
          d++;
          if (c == 44 && separator == 47) c = <u32>load<u8>(++q) - 48;
          if (c != separator - 48 || d == rank) break;
          c = <u32>load<u8>(++q) - 48;
        }
        if (c == <u32>-14 && d == rank) {
          settled = true;
          break;
        }
      }
      if (searched) break;
    }
    if (lost) break;
    const rest = key + prefixLength;
    if (!settled) {
      // The ordinal is settled at the end; the rest of the key is kept with the row.
      ordinal = ORDINAL_STRAY;
      q = rest;
      c = load<u8>(q);
      if (!isDigit(c)) break;
      while (load<u8>(classes + c)) c = load<u8>(++q);
      if (c != 34) break;
    }
    const keyEnd = q;
    // --- the value
    q = past(q + 1);
    if (load<u8>(q) != 58) break;
    q = past(q + 1);
    c = load<u8>(q);
    let id: u32 = 0;
    let offset: f64 = 0;
    let length: u32 = 0;
    if (c == 91) {
      q = past(q + 1);
      c = load<u8>(q);
      if (c == 34) {
        const u = q + 1;
        if (!(urlLength > 0 && u + urlLength < limit && load<u8>(u + urlLength) == 34 && same(u, urlAt, urlLength))) {
          const found = findTarget(u);
          if (found < 0) break;
          target = found;
          urlAt = targetAt(found);
          urlLength = targetLength(found);
        }
        id = <u32>target;
        q = u + urlLength + 1;
      } else if (c == 110 && load<u32>(q) == 0x6c6c756e) {
        id = TARGET_NULL;
        q += 4;
      } else break;
      q = past(q);
      c = load<u8>(q);
      if (c == 93) length = LENGTH_WHOLE;
      else {
        if (c != 44) break;
        q = past(q + 1);
        let start = q;
        c = <u32>load<u8>(q) - 48;
        if (c > 9) break;
        let n: u64 = c;
        c = <u32>load<u8>(++q) - 48;
        while (c <= 9 && q - start < 15) {
          n = n * 10 + c;
          c = <u32>load<u8>(++q) - 48;
        }
        if (c <= 9 || (load<u8>(start) == 48 && q - start > 1)) break;
        offset = <f64>n;
        q = past(q);
        if (load<u8>(q) != 44) break;
        q = past(q + 1);
        start = q;
        c = <u32>load<u8>(q) - 48;
        if (c > 9) break;
        length = c;
        c = <u32>load<u8>(++q) - 48;
        while (c <= 9 && q - start < 9) {
          length = length * 10 + c;
          c = <u32>load<u8>(++q) - 48;
        }
        if (c <= 9 || (load<u8>(start) == 48 && q - start > 1)) break;
        q = past(q);
        if (load<u8>(q) != 93) break;
      }
    } else if (c == 34) {
      const e = inlineStop(q + 1);
      if (!e) break;
      id = TARGET_INLINE;
      length = e - q - 1;
      offset = <f64>addInline(q + 1, length);
      q = e;
    } else break;
    if (!settled) keepKey(rows, rest, keyEnd - rest);
    addRow(slot, ordinal, id, offset, length);
    p = q + 1;
    isFirst = false;
  }
  position = p - buffer;
  first = isFirst;
}
