/** The scanner whose hot loop runs in WebAssembly (`scan.as.ts`): moves bytes in, and views of the columns out. */
import { failure, WHOLE_SET } from "#core/findings/finding.ts";
import { BLOCK_ROWS, type ColumnBlock, type InlinePool } from "#core/table/reference-table.ts";
import { SCAN_WASM } from "./scan-wasm.generated.ts";

const SLACK = 64;
const HEADROOM = 1 << 16;

interface Exports {
  readonly memory: WebAssembly.Memory;
  readonly rows: WebAssembly.Global<"i32">;
  readonly position: WebAssembly.Global<"i32">;
  readonly first: WebAssembly.Global<"i32">;
  readonly keyCount: WebAssembly.Global<"i32">;
  readonly inlineBytes: WebAssembly.Global<"f64">;
  start(): void;
  bufferAt(): number;
  bufferSize(): number;
  growBuffer(from: number, used: number, size: number): void;
  scratch(size: number): number;
  lineBreaks(to: number): number;
  blocks(): number;
  blockAt(index: number): number;
  addRow(array: number, ordinal: number, target: number, offset: number, length: number): number;
  setGrid(slot: number, rank: number, separator: number): number;
  addPrefix(from: number, length: number, slot: number): void;
  targetTotal(): number;
  targetAt(id: number): number;
  targetLength(id: number): number;
  addTarget(from: number, length: number): number;
  addInline(from: number, length: number): number;
  keysAt(): number;
  keepKey(row: number, from: number, length: number): void;
  run(from: number, first: number): void;
}

let compiled: Promise<WebAssembly.Module> | undefined;

/** Makes scanners; `undefined` where WebAssembly (or its SIMD) is refused. The module is compiled once. */
export async function wasmScanners(): Promise<(() => Scanner) | undefined> {
  try {
    compiled ??= WebAssembly.compile(Uint8Array.from(atob(SCAN_WASM), (letter) => letter.charCodeAt(0)));
    const module = await compiled;
    return () => wasmScanner(module);
  } catch {
    compiled = undefined;
    return undefined;
  }
}

function wasmScanner(module: WebAssembly.Module): Scanner {
  const instance = new WebAssembly.Instance(module, { env: { full } });
  // The module is ours: its exports are as `scan.as.ts` writes them.
  const wasm = instance.exports as unknown as Exports;
  wasm.start();
  return new WasmScanner(wasm);
}

class WasmScanner implements Scanner {
  readonly kind = "wasm";
  position = 0;
  end = 0;
  readonly #wasm: Exports;
  #bytes = new Uint8Array(0);
  #scratch = new Uint8Array(0);

  constructor(wasm: Exports) {
    this.#wasm = wasm;
  }

  /** Remade when the memory has grown (the old view is then empty) or the buffer has moved. */
  get bytes(): Uint8Array<ArrayBuffer> {
    if (this.#bytes.length === 0) {
      this.#bytes = this.#view(this.#wasm.bufferAt(), this.#wasm.bufferSize());
    }
    return this.#bytes;
  }

  get rows(): number {
    return this.#wasm.rows.value >>> 0;
  }

  #view(at: number, length: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(bufferOf(this.#wasm), at >>> 0, length);
  }

  reserve(want: number): Uint8Array<ArrayBuffer> {
    const unread = this.end - this.position;
    const needed = unread + want + SLACK;
    const size = this.#wasm.bufferSize();
    // With room for the usual tail of one entry, so that the next read fits too.
    const larger = Math.max(needed + HEADROOM, size > HEADROOM ? 2 * size : 0);
    this.#wasm.growBuffer(this.position, unread, needed <= size ? size : larger);
    this.#bytes = new Uint8Array(0);
    this.position = 0;
    this.end = unread;
    return this.bytes.subarray(unread, unread + want);
  }

  commit(count: number): void {
    this.end += count;
    this.bytes.fill(0, this.end, this.end + SLACK);
  }

  lineBreaks(to: number): number {
    return this.#wasm.lineBreaks(to);
  }

  run(first: boolean): boolean {
    this.#wasm.run(this.position, first ? 1 : 0);
    this.position = this.#wasm.position.value;
    return this.#wasm.first.value !== 0;
  }

  #lend(bytes: Uint8Array): number {
    const { length } = bytes;
    const at = this.#wasm.scratch(length);
    // The view is kept; it is empty when the memory has grown.
    if (this.#scratch.byteOffset !== at >>> 0 || this.#scratch.length < length) this.#scratch = this.#view(at, length);
    this.#scratch.set(bytes);
    return at;
  }

  addPrefix(raw: Uint8Array, slot: number): void {
    this.#wasm.addPrefix(this.#lend(raw), raw.length, slot);
  }

  setGrid(slot: number, grid: readonly number[] | undefined, separator: "." | "/"): void {
    // A scalar has one chunk, `0`: the key of a 1-d grid of one.
    const cells = grid === undefined ? [] : grid.length === 0 ? [1] : grid;
    const isKnown = grid !== undefined && isDense(cells);
    const at = this.#wasm.setGrid(slot, isKnown ? cells.length : -1, separator === "/" ? 47 : 46);
    if (isKnown) new Uint32Array(bufferOf(this.#wasm), at >>> 0, cells.length).set(cells);
  }

  addRow(row: Row): number {
    return this.#wasm.addRow(row.array, row.ordinal, row.target, row.offset, row.length) >>> 0;
  }

  addTarget(raw: Uint8Array): number {
    return this.#wasm.addTarget(this.#lend(raw), raw.length) >>> 0;
  }

  addInline(raw: Uint8Array): number {
    return this.#wasm.addInline(this.#lend(raw), raw.length) >>> 0;
  }

  keepKey(row: number, rest: Uint8Array): void {
    this.#wasm.keepKey(row, this.#lend(rest), rest.length);
  }

  output(): ScanOutput {
    const wasm = this.#wasm;
    const buffer = bufferOf(wasm);
    return {
      rows: this.rows,
      blocks: Array.from({ length: wasm.blocks() }, (_, index) => blockView(buffer, wasm.blockAt(index) >>> 0)),
      targets: targetsIn(wasm, buffer),
      inline: {
        byteLength: wasm.inlineBytes.value,
        slice: (offset, length) => new Uint8Array(buffer, offset, length),
      },
      pending: pendingKeys(buffer, wasm.keysAt() >>> 0, wasm.keyCount.value >>> 0),
      byteLength: () => buffer.byteLength,
    };
  }
}

/** True if ordinals of the grid fit the fast path. */
function isDense(grid: readonly number[]): boolean {
  if (grid.length > MAX_FAST_RANK || grid.some((count) => count > 0x3fff_ffff)) return false;
  return grid.reduce((product, count) => product * count, 1) < MAX_DENSE_CELLS;
}

/** Never shared: the module declares its memory so. */
const bufferOf = (wasm: Exports): ArrayBuffer => wasm.memory.buffer;

/** The layout of a block is that of `scan.as.ts`. */
function blockView(buffer: ArrayBuffer, at: number): ColumnBlock {
  return {
    offset: new Float64Array(buffer, at, BLOCK_ROWS),
    ordinal: new Uint32Array(buffer, at + BLOCK_ROWS * 8, BLOCK_ROWS),
    target: new Uint32Array(buffer, at + BLOCK_ROWS * 12, BLOCK_ROWS),
    length: new Uint32Array(buffer, at + BLOCK_ROWS * 16, BLOCK_ROWS),
    array: new Uint16Array(buffer, at + BLOCK_ROWS * 20, BLOCK_ROWS),
  };
}

function targetsIn(wasm: Exports, buffer: ArrayBuffer): RawTargets {
  const count = wasm.targetTotal();
  const all = new Uint8Array(buffer);
  return {
    count,
    raw(id) {
      const at = id < count ? wasm.targetAt(id) >>> 0 : 0;
      return all.subarray(at, at + (id < count ? wasm.targetLength(id) : 0));
    },
    forEach(visit) {
      for (let id = 0; id < count; id += 1) {
        const at = wasm.targetAt(id) >>> 0;
        visit(all, at, at + wasm.targetLength(id), id);
      }
    },
  };
}

function pendingKeys(buffer: ArrayBuffer, first: number, count: number): PendingKeys {
  return {
    count,
    forEach(visit) {
      const view = new DataView(buffer);
      for (let block = first; block !== 0; block = view.getUint32(block, true)) {
        const end = block + 8 + view.getUint32(block + 4, true);
        for (let at = block + 8; at < end;) {
          const length = view.getUint32(at + 4, true);
          visit(view.getUint32(at, true), new Uint8Array(buffer, at + 8, length));
          at += 8 + length;
        }
      }
    },
  };
}

function full(): never {
  throw failure("out-of-memory", WHOLE_SET, { reason: "columns, target URLs and inline data beyond 4 GB" });
}

// Parts that the two scanners (plain JavaScript and WebAssembly) share: they hold the bytes read but not yet
// understood, and the columns. Each writes plain chunk entries into these as fast as it can, and stops before anything
// unusual to it: the one in JavaScript sooner. The document reader takes that one entry, strictly, and hands its row
// back.

/** A row for the columns; the values are those of `core/reference-table.ts`. */
export interface Row {
  /** Slot of the array, or `ARRAY_NONE`. */
  readonly array: number;
  readonly ordinal: number;
  readonly target: number;
  readonly offset: number;
  readonly length: number;
}

export interface Scanner {
  readonly kind: "js" | "wasm";
  /** The buffer; unread are the bytes from `position` to `end`. May change with `reserve`. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  position: number;
  readonly end: number;
  readonly rows: number;
  /** Place for `want` more bytes after the unread ones, which may move to the front. */
  reserve(want: number): Uint8Array<ArrayBuffer>;
  /** So many bytes were written there. */
  commit(count: number): void;
  /** Line feeds before the index `to` of the buffer. */
  lineBreaks(to: number): number;
  /**
   * Takes plain chunk entries of an object from `position` on: just after its "{" (`first`) or after an entry. Stops
   * before the first that is not plain or not complete. Returns whether the next entry still is the first one.
   */
  run(first: boolean): boolean;
  /** Keys that start with these raw bytes (JSON text, the last slash included) and a digit are chunks of that array. */
  addPrefix(raw: Uint8Array, slot: number): void;
  /** Without a grid (not known yet, or too large for 32-bit ordinals) the array's keys are kept in `pending`. */
  setGrid(slot: number, grid: readonly number[] | undefined, separator: "." | "/"): void;
  addRow(row: Row): number;
  /** Id of a target given as JSON string text without quotes. */
  addTarget(raw: Uint8Array): number;
  /** Offset in the inline pool of a value given as JSON string text without quotes. */
  addInline(raw: Uint8Array): number;
  /** Keeps the rest of a row's key, after its array's path: its ordinal is settled at the end. UTF-8. */
  keepKey(row: number, rest: Uint8Array): void;
  output(): ScanOutput;
}

export interface ScanOutput {
  readonly rows: number;
  readonly blocks: readonly ColumnBlock[];
  readonly targets: RawTargets;
  readonly inline: InlinePool;
  readonly pending: PendingKeys;
  /** Bytes held by all of that, allocated. */
  byteLength(): number;
}

/** Target URLs as JSON string text, still escaped; those written differently are different. */
export interface RawTargets {
  readonly count: number;
  raw(id: number): Uint8Array;
  /** All in order of their ids, each as a range of some bytes: no object is made for any. */
  forEach(visit: (bytes: Uint8Array, from: number, to: number, id: number) => void): void;
}

/** Rows whose ordinal is not settled, with the rest of their keys (UTF-8, no escapes). */
export interface PendingKeys {
  readonly count: number;
  forEach(visit: (row: number, rest: Uint8Array) => void): void;
}

/** Highest number of cells whose ordinals fit the column beside the special values. */
export const MAX_DENSE_CELLS = 0xffff_fffe;
/** Zarr has no limit; more dimensions than NumPy takes (64) are handed to the slow path. */
const MAX_FAST_RANK = 32;
