/**
 * The scanner in plain JavaScript: the reference for the WebAssembly one, and what runs where WebAssembly may not.
 *
 * Layout. `buf` holds unread bytes; columns are blocks of 65,536 rows; target URLs are raw JSON bytes in a pool with a
 * hash table over them; arrays are known by "prefixes", the raw bytes of a key up to and including the last slash
 * before the chunk coordinates ("sst/"). Nothing makes a string, an object or a number on the heap for an entry.
 *
 * What makes it fast: an entry is likely to have the prefix of the one before, or the prefix that followed that one
 * last time (`prefixNext`), and the same for URLs; both are compared 4 or 8 bytes at a time. Comparing text as doubles
 * is exact: equal doubles have equal bits but for ±0, whose bits hold NUL bytes, which no text contains.
 *
 * What makes it right: only the exact plain form of an entry is taken, whole, and only when it is complete: `p` moves
 * past an entry after its row is written. Whatever else comes (`stop`) is left for the strict reader, so all checks
 * here may be conservative. Zero bytes after `end` stop every loop.
 */
import {
  BLOCK_ROWS,
  LENGTH_WHOLE,
  newBlock,
  ORDINAL_STRAY,
  TARGET_INLINE,
  TARGET_NULL,
  type ColumnBlock,
} from "../../core/reference-table.ts";
import { BytePool, KeyPool } from "./pools.ts";
import { MAX_DENSE_CELLS, MAX_FAST_RANK, type Row, type ScanOutput, type Scanner } from "./scanner.ts";

/** Bytes that may be read beyond the last one in use. */
const SLACK = 64;
const FIRST_BUFFER = 1 << 12;
const HEADROOM = 1 << 16;
const NONE = -1;

/** 1: inside a plain string as it is; 0: quote, backslash, control character, or not ASCII. */
const PLAIN = new Uint8Array(256);
for (let c = 32; c < 128; c += 1) PLAIN[c] = c === 34 || c === 92 ? 0 : 1;
/** 1: letters of base64, without padding. */
const BASE64 = new Uint8Array(256);
for (const letter of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/") {
  BASE64[letter.charCodeAt(0)] = 1;
}
/** "base" and "64:" with a byte masked off, as little-endian words. */
const WORD_BASE = 0x65736162;
const WORD_64 = 0x3a3436;
const WORD_NULL = 0x6c6c756e;

type Numbers = Int32Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>;

export function jsScanner(): Scanner {
  return new JsScanner();
}

class JsScanner implements Scanner {
  readonly kind = "js";
  bytes = new Uint8Array(FIRST_BUFFER + SLACK);
  #view = new DataView(this.bytes.buffer);
  position = 0;
  end = 0;
  rows = 0;

  // Columns.
  readonly #blocks: ColumnBlock[] = [];
  #block: ColumnBlock = NO_BLOCK;
  #inBlock = BLOCK_ROWS;

  // Arrays: rank -1 where coordinates cannot become ordinals yet. Of each the grid stands in `gridCells` from `gridAt`.
  #rank = new Int32Array(64).fill(-1);
  #gridAt = new Int32Array(64);
  #separator = new Uint8Array(64).fill(46);
  #gridCells = new Int32Array(256);
  #gridCount = 0;

  // Prefixes: bytes in a pool, found by hash.
  #prefixBytes = new Uint8Array(1 << 12);
  #prefixView = new DataView(this.#prefixBytes.buffer);
  #prefixUsed = 0;
  #prefixAt = new Int32Array(64);
  #prefixLength = new Int32Array(64);
  #prefixSlot = new Int32Array(64);
  #prefixNext = new Int32Array(64).fill(NONE);
  #prefixTable = new Int32Array(256).fill(NONE);
  #prefixCount = 0;
  #prefix = NONE;
  readonly #slashAt = new Int32Array(MAX_FAST_RANK + 1);
  readonly #slashHash = new Int32Array(MAX_FAST_RANK + 1);

  // Targets.
  readonly #targetPool = new BytePool(1 << 20);
  #targetBlock = new Uint32Array(256);
  #targetAt = new Uint32Array(256);
  #targetLength = new Uint32Array(256);
  #targetHash = new Int32Array(256);
  #targetNext = new Int32Array(256).fill(NONE);
  #targetTable = new Int32Array(1024).fill(NONE);
  #targetCount = 0;
  #target = NONE;

  readonly #inline = new BytePool(1 << 20);
  readonly #pending = new KeyPool();

  reserve(want: number): Uint8Array<ArrayBuffer> {
    if (this.position > 0) {
      this.bytes.copyWithin(0, this.position, this.end);
      this.end -= this.position;
      this.position = 0;
    }
    if (this.end + want + SLACK > this.bytes.length) {
      // With room for the usual tail of one entry, so that the next read fits too.
      const larger = new Uint8Array(this.end + want + HEADROOM);
      larger.set(this.bytes.subarray(0, this.end));
      this.bytes = larger;
      this.#view = new DataView(larger.buffer);
    }
    return this.bytes.subarray(this.end, this.end + want);
  }

  commit(count: number): void {
    this.end += count;
    this.bytes.fill(0, this.end, this.end + SLACK);
  }

  lineBreaks(to: number): number {
    const b = this.bytes;
    const view = this.#view;
    let count = 0;
    let at = 0;
    for (; at + 4 <= to; at += 4) {
      const x = view.getInt32(at, true) ^ 0x0a0a0a0a;
      if (((x - 0x01010101) & ~x & 0x80808080) === 0) continue;
      for (let i = at; i < at + 4; i += 1) if (b[i] === 10) count += 1;
    }
    for (; at < to; at += 1) if (b[at] === 10) count += 1;
    return count;
  }

  setGrid(slot: number, grid: readonly number[] | undefined, separator: "." | "/"): void {
    while (slot >= this.#rank.length) {
      this.#rank = grown(this.#rank, -1);
      this.#gridAt = grown(this.#gridAt);
      this.#separator = grown(this.#separator, 46);
    }
    this.#separator[slot] = separator === "/" ? 47 : 46;
    this.#rank[slot] = -1;
    // A scalar has one chunk, `0`: the key of a 1-d grid of one.
    const cells = grid === undefined ? [] : grid.length === 0 ? [1] : grid;
    if (grid === undefined || !isDense(cells)) return;
    while (this.#gridCount + cells.length > this.#gridCells.length) this.#gridCells = grown(this.#gridCells);
    this.#gridCells.set(cells, this.#gridCount);
    this.#gridAt[slot] = this.#gridCount;
    this.#gridCount += cells.length;
    this.#rank[slot] = cells.length;
  }

  addPrefix(raw: Uint8Array, slot: number): void {
    const id = this.#prefixCount;
    if (id >= this.#prefixAt.length) {
      this.#prefixAt = grown(this.#prefixAt);
      this.#prefixLength = grown(this.#prefixLength);
      this.#prefixSlot = grown(this.#prefixSlot);
      this.#prefixNext = grown(this.#prefixNext, NONE);
    }
    while (this.#prefixUsed + raw.length + SLACK > this.#prefixBytes.length) {
      this.#prefixBytes = grown(this.#prefixBytes);
      this.#prefixView = new DataView(this.#prefixBytes.buffer);
    }
    this.#prefixBytes.set(raw, this.#prefixUsed);
    this.#prefixAt[id] = this.#prefixUsed;
    this.#prefixLength[id] = raw.length;
    this.#prefixSlot[id] = slot;
    this.#prefixUsed += raw.length;
    this.#prefixCount += 1;
    if (this.#prefixCount * 2 > this.#prefixTable.length) this.#rehashPrefixes();
    else this.#placePrefix(id);
  }

  #rehashPrefixes(): void {
    this.#prefixTable = new Int32Array(this.#prefixTable.length * 4).fill(NONE);
    for (let id = 0; id < this.#prefixCount; id += 1) this.#placePrefix(id);
  }

  #placePrefix(id: number): void {
    const at = this.#prefixAt[id] ?? 0;
    let hash = 0;
    for (let i = 0; i < (this.#prefixLength[id] ?? 0); i += 1) hash = step(hash, this.#prefixBytes[at + i] ?? 0);
    const mask = this.#prefixTable.length - 1;
    let t = (hash ^ (hash >>> 15)) & mask;
    while ((this.#prefixTable[t] ?? NONE) >= 0) t = (t + 1) & mask;
    this.#prefixTable[t] = id;
  }

  /**
   * The prefix of the key that starts at `q`: the longest known one that ends with a slash and is followed by nothing
   * but digits and slashes up to the last part, which may have dots. `NONE` where none is known.
   */
  #findPrefix(q: number): number {
    const b = this.bytes;
    const before = this.#prefix;
    if (before >= 0) {
      const next = this.#prefixNext[before] as number;
      if (next >= 0 && this.#startsWithPrefix(q, next)) return next;
    }
    let hash = 0;
    let slashes = 0;
    let i = q;
    for (let c = b[i] as number; c !== 34; c = b[++i] as number) {
      if (c < 32) return NONE;
      hash = step(hash, c);
      if (c !== 47) continue;
      // Only the last slashes matter: dimensions beyond the fastest rank are not looked for here.
      if (slashes > MAX_FAST_RANK) return NONE;
      this.#slashAt[slashes] = i;
      this.#slashHash[slashes] = hash;
      slashes += 1;
    }
    let end = i;
    for (let s = slashes - 1; s >= -1; s -= 1) {
      const from = s < 0 ? q : (this.#slashAt[s] as number) + 1;
      if (!isDigit(b[from] as number)) return NONE;
      for (let k = from; k < end; k += 1) {
        const c = b[k] as number;
        if (!isDigit(c) && !(c === 46 && end === i) && c !== 92) return NONE;
      }
      const found = this.#lookUpPrefix(q, from - q, s < 0 ? 0 : (this.#slashHash[s] as number));
      if (found >= 0) {
        if (before >= 0) this.#prefixNext[before] = found;
        return found;
      }
      end = from - 1;
    }
    return NONE;
  }

  #startsWithPrefix(q: number, id: number): boolean {
    const at = this.#prefixAt[id] as number;
    const length = this.#prefixLength[id] as number;
    for (let i = 0; i < length; i += 1) if (this.#prefixBytes[at + i] !== this.bytes[q + i]) return false;
    return isDigit(this.bytes[q + length] as number);
  }

  #lookUpPrefix(q: number, length: number, hash: number): number {
    const mask = this.#prefixTable.length - 1;
    for (let t = (hash ^ (hash >>> 15)) & mask; ; t = (t + 1) & mask) {
      const id = this.#prefixTable[t] as number;
      if (id < 0) return NONE;
      if (this.#prefixLength[id] === length && this.#startsWithPrefix(q, id)) return id;
    }
  }

  addTarget(raw: Uint8Array): number {
    let hash = HASH_SEED;
    let i = 0;
    for (; i + 4 <= raw.length; i += 4) {
      const word =
        (raw[i] as number) |
        ((raw[i + 1] as number) << 8) |
        ((raw[i + 2] as number) << 16) |
        ((raw[i + 3] as number) << 24);
      hash = stepWord(hash, word);
    }
    for (; i < raw.length; i += 1) hash = step(hash, raw[i] as number);
    return this.#intern(raw, new DataView(raw.buffer, raw.byteOffset, raw.length), 0, raw.length, hash);
  }

  /** Id of the URL whose first byte is at `u` in the buffer; `NONE` where it has no end there or is not plain. */
  #findTarget(u: number): number {
    const view = this.#view;
    const before = this.#target;
    if (before >= 0) {
      const next = this.#targetNext[before] as number;
      if (next >= 0) {
        const length = this.#targetLength[next] as number;
        if (this.bytes[u + length] === 34 && this.#sameTarget(next, view, u, length)) return next;
      }
    }
    // Four bytes at a time while none is a quote, a control character or not ASCII.
    let hash = HASH_SEED;
    let q = u;
    for (;;) {
      const w = view.getInt32(q, true);
      const x = w ^ 0x22222222;
      if ((((x - 0x01010101) & ~x) | ((w - 0x20202020) & ~w) | w) & 0x80808080) break;
      hash = stepWord(hash, w);
      q += 4;
    }
    const words = q;
    let c = this.bytes[q] as number;
    while (c !== 34 && c >= 32 && c < 128) c = this.bytes[++q] as number;
    if (c !== 34) return NONE;
    // A backslash may hide a quote, and only "\/" is known to be well formed.
    const length = q - u;
    for (let k = u; k < q; k += 1) if (this.bytes[k] === 92 && this.bytes[++k] !== 47) return NONE;
    // The hash must be that of `addTarget`: whole words from the start, then bytes.
    let at = words;
    for (; at + 4 <= q; at += 4) hash = stepWord(hash, view.getInt32(at, true));
    for (; at < q; at += 1) hash = step(hash, this.bytes[at] as number);
    const id = this.#intern(this.bytes, view, u, length, hash);
    if (before >= 0) this.#targetNext[before] = id;
    return id;
  }

  #sameTarget(id: number, view: DataView, u: number, length: number): boolean {
    const own = this.#targetPool.blocks[this.#targetBlock[id] as number]?.view;
    if (own === undefined) return false;
    const at = this.#targetAt[id] as number;
    // The end differs more often than the beginning.
    if (length >= 8 && view.getFloat64(u + length - 8, true) !== own.getFloat64(at + length - 8, true)) return false;
    let i = 0;
    for (; i + 8 <= length; i += 8) if (view.getFloat64(u + i, true) !== own.getFloat64(at + i, true)) return false;
    for (; i < length; i += 1) if (view.getUint8(u + i) !== own.getUint8(at + i)) return false;
    return true;
  }

  #intern(bytes: Uint8Array, view: DataView, u: number, length: number, hash: number): number {
    const mask = this.#targetTable.length - 1;
    let t = (hash ^ (hash >>> 15)) & mask;
    for (let id = this.#targetTable[t] as number; id >= 0; id = this.#targetTable[t] as number) {
      const same = this.#targetHash[id] === hash && this.#targetLength[id] === length;
      if (same && this.#sameTarget(id, view, u, length)) return id;
      t = (t + 1) & mask;
    }
    const id = this.#targetCount++;
    if (id >= this.#targetAt.length) this.#growTargets();
    const place = this.#targetPool.take(length, SLACK);
    this.#targetPool.blocks[place.block]?.bytes.set(bytes.subarray(u, u + length), place.at);
    this.#targetBlock[id] = place.block;
    this.#targetAt[id] = place.at;
    this.#targetLength[id] = length;
    this.#targetHash[id] = hash;
    this.#targetTable[t] = id;
    if (this.#targetCount * 2 > this.#targetTable.length) this.#rehashTargets();
    return id;
  }

  #growTargets(): void {
    this.#targetBlock = grown(this.#targetBlock);
    this.#targetAt = grown(this.#targetAt);
    this.#targetLength = grown(this.#targetLength);
    this.#targetHash = grown(this.#targetHash);
    this.#targetNext = grown(this.#targetNext, NONE);
  }

  #rehashTargets(): void {
    const size = this.#targetTable.length * 4;
    this.#targetTable = new Int32Array(size).fill(NONE);
    for (let id = 0; id < this.#targetCount; id += 1) {
      const hash = this.#targetHash[id] as number;
      let t = (hash ^ (hash >>> 15)) & (size - 1);
      while ((this.#targetTable[t] as number) >= 0) t = (t + 1) & (size - 1);
      this.#targetTable[t] = id;
    }
  }

  addInline(raw: Uint8Array): number {
    return this.#inline.add(raw);
  }

  keepKey(row: number, rest: Uint8Array): void {
    this.#pending.add(row, rest, 0, rest.length);
  }

  addRow(row: Row): number {
    if (this.#inBlock === BLOCK_ROWS) this.#nextBlock();
    const i = this.#inBlock++;
    const block = this.#block;
    block.array[i] = row.array;
    block.ordinal[i] = row.ordinal;
    block.target[i] = row.target;
    block.offset[i] = row.offset;
    block.length[i] = row.length;
    return this.rows++;
  }

  #nextBlock(): ColumnBlock {
    this.#block = newBlock();
    this.#blocks.push(this.#block);
    this.#inBlock = 0;
    return this.#block;
  }

  /** End of an inline value whose first byte is at `s`: the index of its closing quote, or `NONE`: not plain. */
  #inlineEnd(s: number): number {
    const b = this.bytes;
    const view = this.#view;
    let e = s;
    let c = b[e] as number;
    if (view.getInt32(s, true) !== WORD_BASE || (view.getInt32(s + 4, true) & 0xffffff) !== WORD_64) {
      for (;;) {
        while (PLAIN[c] === 1) c = b[++e] as number;
        if (c === 34) return e;
        if (c !== 92 || b[e + 1] !== 47) return NONE;
        e += 2;
        c = b[e] as number;
      }
    }
    e = s + 7;
    c = b[e] as number;
    let letters = 0;
    for (;;) {
      const from = e;
      while (BASE64[c] === 1) c = b[++e] as number;
      letters += e - from;
      if (c !== 92 || b[e + 1] !== 47) break;
      letters += 1;
      e += 2;
      c = b[e] as number;
    }
    const rest = letters & 3;
    if (c === 61 && rest >= 2) {
      c = b[++e] as number;
      if (rest === 2) {
        if (c !== 61) return NONE;
        c = b[++e] as number;
      }
    } else if (rest !== 0) return NONE;
    return c === 34 ? e : NONE;
  }

  run(firstEntry: boolean): boolean {
    const b = this.bytes;
    const view = this.#view;
    const gridCells = this.#gridCells;
    let first = firstEntry;
    let p = this.position;
    let n = this.rows;
    let block = this.#block;
    let i = this.#inBlock;
    // The prefix in force.
    let prefix = this.#prefix;
    let prefixAt = 0;
    let prefixLength = 0;
    let slot = 0;
    let rank = -1;
    let gridAt = 0;
    let separator = 46;
    let prefixView = this.#prefixView;
    if (prefix >= 0) {
      prefixAt = this.#prefixAt[prefix] as number;
      prefixLength = this.#prefixLength[prefix] as number;
      slot = this.#prefixSlot[prefix] as number;
      rank = this.#rank[slot] as number;
      gridAt = this.#gridAt[slot] as number;
      separator = this.#separator[slot] as number;
    }
    // The target in force.
    let target = this.#target;
    let targetView = view;
    let targetAt = 0;
    let targetLength = -1;
    if (target >= 0) {
      targetView = this.#targetPool.blocks[this.#targetBlock[target] as number]?.view ?? view;
      targetAt = this.#targetAt[target] as number;
      targetLength = this.#targetLength[target] as number;
    }
    stop: for (;;) {
      // --- separator
      let c = b[p] as number;
      let q = p;
      while (c === 32 || c === 10 || c === 13 || c === 9) c = b[++q] as number;
      if (!first) {
        if (c !== 44) break;
        c = b[++q] as number;
        while (c === 32 || c === 10 || c === 13 || c === 9) c = b[++q] as number;
      }
      if (c !== 34) break;
      const key = q + 1;
      // --- the part of the key before the coordinates: same as that of the last entry?
      let same = prefix >= 0;
      if (same) {
        let k = 0;
        for (; k + 4 <= prefixLength; k += 4) {
          if (view.getInt32(key + k, true) !== prefixView.getInt32(prefixAt + k, true)) {
            same = false;
            break;
          }
        }
        if (same) {
          for (; k < prefixLength; k += 1) {
            if (view.getUint8(key + k) !== prefixView.getUint8(prefixAt + k)) {
              same = false;
              break;
            }
          }
        }
      }
      // --- coordinates; a second round where they do not fit the prefix tried first
      let ordinal = 0;
      let settled = false;
      for (let searched = !same; ; searched = true) {
        if (searched) {
          this.#prefix = prefix;
          const found = this.#findPrefix(key);
          if (found < 0) break stop;
          if (found !== prefix || !same) {
            prefix = found;
            this.#prefix = found;
            prefixAt = this.#prefixAt[found] as number;
            prefixLength = this.#prefixLength[found] as number;
            prefixView = this.#prefixView;
            slot = this.#prefixSlot[found] as number;
            rank = this.#rank[slot] as number;
            gridAt = this.#gridAt[slot] as number;
            separator = this.#separator[slot] as number;
            same = true;
          }
        }
        q = key + prefixLength;
        c = (b[q] as number) - 48;
        if (rank >= 0) {
          ordinal = 0;
          let d = 0;
          while (c >= 0 && c <= 9 && d < rank) {
            let v = c;
            const from = q;
            c = (b[++q] as number) - 48;
            if (v === 0 && c >= 0 && c <= 9) break;
            while (c >= 0 && c <= 9) {
              v = (v * 10 + c) | 0;
              c = (b[++q] as number) - 48;
            }
            const g = gridCells[gridAt + d] as number;
            if (v >= g || v < 0 || q - from > 9) break;
            ordinal = ordinal * g + v;
            d += 1;
            if (c === 44 && separator === 47) c = (b[++q] as number) - 48;
            if (c !== separator - 48) break;
            if (d === rank) break;
            c = (b[++q] as number) - 48;
          }
          if (c === -14 && d === rank) {
            settled = true;
            break;
          }
        }
        if (searched) break;
      }
      const rest = key + prefixLength;
      if (!settled) {
        // The ordinal is settled at the end; the rest of the key is kept with the row. Here only find where it ends.
        ordinal = ORDINAL_STRAY;
        q = rest;
        c = b[q] as number;
        if (c < 48 || c > 57) break;
        while (PLAIN[c] === 1) c = b[++q] as number;
        if (c !== 34) break;
      }
      const keyEnd = q;
      // --- the value
      c = b[++q] as number;
      while (c === 32 || c === 10 || c === 13 || c === 9) c = b[++q] as number;
      if (c !== 58) break;
      c = b[++q] as number;
      while (c === 32 || c === 10 || c === 13 || c === 9) c = b[++q] as number;
      let id = 0;
      let offset = 0;
      let length = 0;
      if (c === 91) {
        c = b[++q] as number;
        while (c === 32 || c === 10 || c === 13 || c === 9) c = b[++q] as number;
        if (c === 34) {
          const u = q + 1;
          let sameTarget =
            targetLength >= 8 &&
            b[u + targetLength] === 34 &&
            view.getFloat64(u + targetLength - 8, true) === targetView.getFloat64(targetAt + targetLength - 8, true);
          if (sameTarget) {
            for (let k = 0, e = targetLength - 8; k < e; k += 8) {
              if (view.getFloat64(u + k, true) !== targetView.getFloat64(targetAt + k, true)) {
                sameTarget = false;
                break;
              }
            }
          }
          if (!sameTarget) {
            this.#target = target;
            const found = this.#findTarget(u);
            if (found < 0) break;
            target = found;
            targetView = this.#targetPool.blocks[this.#targetBlock[found] as number]?.view ?? view;
            targetAt = this.#targetAt[found] as number;
            targetLength = this.#targetLength[found] as number;
          }
          id = target;
          q = u + targetLength + 1;
        } else if (c === 110 && view.getInt32(q, true) === WORD_NULL) {
          id = TARGET_NULL;
          q += 4;
        } else break;
        c = b[q] as number;
        while (c === 32 || c === 10 || c === 13 || c === 9) c = b[++q] as number;
        if (c === 93) length = LENGTH_WHOLE;
        else {
          if (c !== 44) break;
          c = b[++q] as number;
          while (c === 32 || c === 10 || c === 13 || c === 9) c = b[++q] as number;
          c -= 48;
          if (c < 0 || c > 9) break;
          let from = q;
          // Eight digits at once, four by four; the rest one by one, first as an integer, then as a double.
          let a = c;
          let w = view.getInt32(q, true);
          if ((((w & 0xf0f0f0f0) ^ 0x30303030) | (((w + 0x06060606) & 0xf0f0f0f0) ^ 0x30303030)) === 0) {
            let x = w & 0x0f0f0f0f;
            x = (x * 10 + (x >>> 8)) & 0x00ff00ff;
            a = (Math.imul(x, 100) + (x >>> 16)) & 0xffff;
            q += 3;
            w = view.getInt32(q + 1, true);
            if ((((w & 0xf0f0f0f0) ^ 0x30303030) | (((w + 0x06060606) & 0xf0f0f0f0) ^ 0x30303030)) === 0) {
              x = w & 0x0f0f0f0f;
              x = (x * 10 + (x >>> 8)) & 0x00ff00ff;
              a = (a * 10000 + ((Math.imul(x, 100) + (x >>> 16)) & 0xffff)) | 0;
              q += 4;
            }
          }
          const leading = b[from] as number;
          c = (b[++q] as number) - 48;
          while (c >= 0 && c <= 9 && q - from < 9) {
            a = (a * 10 + c) | 0;
            c = (b[++q] as number) - 48;
          }
          offset = a;
          while (c >= 0 && c <= 9 && q - from < 15) {
            offset = offset * 10 + c;
            c = (b[++q] as number) - 48;
          }
          if ((c >= 0 && c <= 9) || (leading === 48 && q - from > 1)) break;
          c += 48;
          while (c === 32 || c === 10 || c === 13 || c === 9) c = b[++q] as number;
          if (c !== 44) break;
          c = b[++q] as number;
          while (c === 32 || c === 10 || c === 13 || c === 9) c = b[++q] as number;
          c -= 48;
          if (c < 0 || c > 9) break;
          from = q;
          a = c;
          c = (b[++q] as number) - 48;
          while (c >= 0 && c <= 9 && q - from < 9) {
            a = (a * 10 + c) | 0;
            c = (b[++q] as number) - 48;
          }
          if ((c >= 0 && c <= 9) || (b[from] === 48 && q - from > 1)) break;
          c += 48;
          while (c === 32 || c === 10 || c === 13 || c === 9) c = b[++q] as number;
          if (c !== 93) break;
          length = a;
        }
      } else if (c === 34) {
        const e = this.#inlineEnd(q + 1);
        if (e < 0) break;
        id = TARGET_INLINE;
        length = e - q - 1;
        offset = this.#inline.add(b, q + 1, e);
        q = e;
      } else break;
      if (!settled) this.#pending.add(n, b, rest, keyEnd);
      if (i === BLOCK_ROWS) {
        block = this.#nextBlock();
        i = 0;
      }
      block.array[i] = slot;
      block.ordinal[i] = ordinal;
      block.target[i] = id;
      block.offset[i] = offset;
      block.length[i] = length;
      i += 1;
      n += 1;
      p = q + 1;
      first = false;
    }
    this.position = p;
    this.rows = n;
    this.#inBlock = i;
    this.#prefix = prefix;
    this.#target = target;
    return first;
  }

  output(): ScanOutput {
    const pool = this.#targetPool;
    const [places, offsets, lengths] = [this.#targetBlock, this.#targetAt, this.#targetLength];
    const [inline, pending, blocks] = [this.#inline, this.#pending, this.#blocks];
    return {
      rows: this.rows,
      blocks,
      targets: {
        count: this.#targetCount,
        raw(id) {
          const at = offsets[id] ?? 0;
          return pool.blocks[places[id] ?? 0]?.bytes.subarray(at, at + (lengths[id] ?? 0)) ?? new Uint8Array(0);
        },
        forEach(visit) {
          for (let id = 0; id < this.count; id += 1) {
            const at = offsets[id] ?? 0;
            const bytes = pool.blocks[places[id] ?? 0]?.bytes;
            if (bytes !== undefined) visit(bytes, at, at + (lengths[id] ?? 0), id);
          }
        },
      },
      inline,
      pending,
      byteLength: () => blocks.length * BLOCK_ROWS * 22 + pool.allocated + places.length * 12 + inline.allocated,
    };
  }
}

const HASH_SEED = 0x9e3779b9 | 0;
const EMPTY = new Uint8Array(0);
const NO_BLOCK: ColumnBlock = {
  array: new Uint16Array(EMPTY.buffer),
  ordinal: new Uint32Array(EMPTY.buffer),
  target: new Uint32Array(EMPTY.buffer),
  offset: new Float64Array(EMPTY.buffer),
  length: new Uint32Array(EMPTY.buffer),
};

function step(hash: number, byte: number): number {
  return Math.imul(hash ^ byte, 0x01000193);
}

function stepWord(hash: number, word: number): number {
  const mixed = Math.imul(hash ^ word, 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
}

function isDigit(c: number): boolean {
  return c >= 48 && c <= 57;
}

function grown<T extends Numbers>(numbers: T, fill = 0): T {
  const larger = new (numbers.constructor as new (length: number) => T)(numbers.length * 2);
  if (fill !== 0) larger.fill(fill);
  larger.set(numbers);
  return larger;
}

/** Whether ordinals of that grid fit the fast path. */
export function isDense(grid: readonly number[]): boolean {
  if (grid.length > MAX_FAST_RANK || grid.some((count) => count > 0x3fff_ffff)) return false;
  return grid.reduce((product, count) => product * count, 1) < MAX_DENSE_CELLS;
}
