/**
 * The scanner where WebAssembly may not run: it takes no entry by itself, so that the strict reader takes them all. Some
 * twenty times slower than the compiled one, and the reference for it: tests run both.
 */
import { BLOCK_ROWS, newBlock, type ColumnBlock } from "../../core/reference-table.ts";
import { sameBytes } from "../../core/same-bytes.ts";
import { blockOf, placeOf } from "./columns.ts";
import { asciiText } from "./json-bytes.ts";
import { BytePool, KeyPool } from "./pools.ts";
import type { RawTargets, Row, ScanOutput, Scanner } from "./scanner.ts";

const FIRST_BUFFER = 1 << 12;
const HEADROOM = 1 << 16;
/** Bytes of a row in all columns. */
const ROW_BYTES = 22;

export function jsScanner(): Scanner {
  return new JsScanner();
}

class JsScanner implements Scanner {
  readonly kind = "js";
  bytes = new Uint8Array(FIRST_BUFFER);
  position = 0;
  end = 0;
  rows = 0;
  readonly #blocks: ColumnBlock[] = [];
  readonly #targets = new TargetPool();
  readonly #inline = new BytePool(1 << 20);
  readonly #pending = new KeyPool();

  reserve(want: number): Uint8Array<ArrayBuffer> {
    this.bytes.copyWithin(0, this.position, this.end);
    this.end -= this.position;
    this.position = 0;
    if (this.end + want > this.bytes.length) {
      // With room for the usual tail of one entry, so that the next read fits too.
      const larger = new Uint8Array(this.end + want + HEADROOM);
      larger.set(this.bytes.subarray(0, this.end));
      this.bytes = larger;
    }
    return this.bytes.subarray(this.end, this.end + want);
  }

  commit(count: number): void {
    this.end += count;
  }

  lineBreaks(to: number): number {
    let count = 0;
    for (let at = 0; at < to; at += 1) if (this.bytes[at] === 10) count += 1;
    return count;
  }

  run(first: boolean): boolean {
    return first;
  }

  addPrefix(): void {
    // Of use only to who takes entries.
  }

  setGrid(): void {
    // As above: all ordinals are settled at the end.
  }

  addRow(row: Row): number {
    if (placeOf(this.rows) === 0) this.#blocks.push(newBlock());
    const block = blockOf(this.#blocks, this.rows);
    const at = placeOf(this.rows);
    block.array[at] = row.array;
    block.ordinal[at] = row.ordinal;
    block.target[at] = row.target;
    block.offset[at] = row.offset;
    block.length[at] = row.length;
    return this.rows++;
  }

  addTarget(raw: Uint8Array): number {
    return this.#targets.add(raw);
  }

  addInline(raw: Uint8Array): number {
    return this.#inline.add(raw);
  }

  keepKey(row: number, rest: Uint8Array): void {
    this.#pending.add(row, rest, 0, rest.length);
  }

  output(): ScanOutput {
    const [blocks, targets, inline] = [this.#blocks, this.#targets, this.#inline];
    const byteLength = () => blocks.length * BLOCK_ROWS * ROW_BYTES + targets.allocated + inline.allocated;
    return { rows: this.rows, blocks, targets, inline, pending: this.#pending, byteLength };
  }
}

/** Each URL once, in the order of their ids. */
class TargetPool implements RawTargets {
  readonly #pool = new BytePool(1 << 20);
  /** By the bytes as Latin-1 text. */
  readonly #ids = new Map<string, number>();
  readonly #offsets: number[] = [];
  readonly #lengths: number[] = [];
  /** The one added last, which mostly is the next one too. */
  #last = { raw: new Uint8Array(0), id: -1 };

  get count(): number {
    return this.#offsets.length;
  }

  get allocated(): number {
    return this.#pool.allocated + 16 * this.count;
  }

  add(raw: Uint8Array): number {
    const last = this.#last;
    if (last.id < 0 || !sameBytes(last.raw, raw)) this.#last = { raw: raw.slice(), id: this.#obtain(raw) };
    return this.#last.id;
  }

  #obtain(raw: Uint8Array): number {
    const text = asciiText(raw, 0, raw.length);
    const known = this.#ids.get(text);
    if (known !== undefined) return known;
    this.#ids.set(text, this.count);
    this.#lengths.push(raw.length);
    return this.#offsets.push(this.#pool.add(raw)) - 1;
  }

  raw(id: number): Uint8Array {
    return this.#pool.slice(this.#offsets[id] ?? 0, this.#lengths[id] ?? 0);
  }

  forEach(visit: (bytes: Uint8Array, from: number, to: number, id: number) => void): void {
    for (let id = 0; id < this.count; id += 1) {
      const raw = this.raw(id);
      visit(raw, 0, raw.length, id);
    }
  }
}
