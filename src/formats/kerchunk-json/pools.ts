/** Bytes kept in blocks that never move, so that growing costs no copy. */
import { firstPlace } from "#core/basics.ts";
import type { InlinePool } from "#core/table/reference-table.ts";
import type { PendingKeys } from "./scan-wasm.ts";

interface PoolBlock {
  readonly start: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly view: DataView<ArrayBuffer>;
}

/** Place of an entry: its block, and its position there. */
export interface Place {
  readonly block: number;
  readonly at: number;
}

/** Entries in blocks of `blockSize` bytes (longer ones get their own); an entry never crosses blocks. */
export class BytePool implements InlinePool {
  readonly blocks: PoolBlock[] = [];
  readonly #blockSize: number;
  #used = 0;
  #total = 0;

  constructor(blockSize: number) {
    this.#blockSize = blockSize;
  }

  /** Bytes in use; what is left over at the ends of blocks counts. */
  get byteLength(): number {
    return this.#total + this.#used;
  }

  get allocated(): number {
    return this.blocks.reduce((sum, block) => sum + block.bytes.length, 0);
  }

  /** Room for `length` bytes in the last block. */
  take(length: number): Place {
    const last = this.blocks.at(-1);
    if (last === undefined || this.#used + length > last.bytes.length) this.#grow(length);
    const at = this.#used;
    this.#used += length;
    return { block: this.blocks.length - 1, at };
  }

  #grow(least: number): void {
    this.#total += this.#used;
    // The first block is small, so that small documents stay small.
    const size = this.blocks.length === 0 ? Math.min(this.#blockSize, 1 << 16) : this.#blockSize;
    const bytes = new Uint8Array(Math.max(size, least));
    this.blocks.push({ start: this.#total, bytes, view: new DataView(bytes.buffer) });
    this.#used = 0;
  }

  /** Copies bytes in and returns their offset for `slice`. */
  add(bytes: Uint8Array, from = 0, to = bytes.length): number {
    const place = this.take(to - from);
    const block = this.blocks[place.block];
    if (block === undefined) return 0;
    if (to - from < 64) for (let i = 0; i < to - from; i += 1) block.bytes[place.at + i] = bytes[from + i] ?? 0;
    else block.bytes.set(bytes.subarray(from, to), place.at);
    return block.start + place.at;
  }

  slice(offset: number, length: number): Uint8Array<ArrayBuffer> {
    const { blocks } = this;
    const block = blocks[firstPlace(0, blocks.length, (at) => (blocks[at]?.start ?? 0) <= offset) - 1];
    return block === undefined
      ? new Uint8Array(0)
      : block.bytes.subarray(offset - block.start, offset - block.start + length);
  }
}

/** Rows with the rest of their keys: row and length as 32-bit little-endian numbers, then the bytes. */
export class KeyPool implements PendingKeys {
  readonly #pool = new BytePool(1 << 20);
  readonly #ends: number[] = [];
  count = 0;

  get allocated(): number {
    return this.#pool.allocated;
  }

  add(row: number, bytes: Uint8Array, from: number, to: number): void {
    const place = this.#pool.take(8 + to - from);
    const block = this.#pool.blocks[place.block];
    if (block === undefined) return;
    block.view.setUint32(place.at, row, true);
    block.view.setUint32(place.at + 4, to - from, true);
    for (let i = from, o = place.at + 8; i < to; i += 1, o += 1) block.bytes[o] = bytes[i] ?? 0;
    this.#ends[place.block] = place.at + 8 + to - from;
    this.count += 1;
  }

  forEach(visit: (row: number, rest: Uint8Array) => void): void {
    for (const [index, block] of this.#pool.blocks.entries()) {
      const end = this.#ends[index] ?? 0;
      for (let at = 0; at < end;) {
        const length = block.view.getUint32(at + 4, true);
        visit(block.view.getUint32(at, true), block.bytes.subarray(at + 8, at + 8 + length));
        at += 8 + length;
      }
    }
  }
}
