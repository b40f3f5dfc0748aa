/** Which of the numbers below a size are marked. What it takes grows with the marks, never with the size. */
import type { Pace } from "../pace.ts";

/** Bits that take as much room as one number of a list. */
const BITS_A_MARK = 64;
/** Bytes, or numbers, that are looked at without a pause. */
const PIECE = 1 << 16;

/** Bits that marks take, of a size and with at most so many of them. */
export const roomOf = (size: number, most: number): number => Math.min(size, most * BITS_A_MARK);

export class Marks {
  readonly size: number;
  readonly #bits: Uint8Array | undefined;
  #list = new Float64Array(0);
  #used = 0;

  /** `most`: of which `add` is called; more only take more room. */
  constructor(size: number, most: number) {
    this.size = size;
    if (size <= most * BITS_A_MARK) this.#bits = new Uint8Array(Math.ceil(size / 8));
  }

  /** Numbers past the size are left out. */
  add(at: number): void {
    if (at >= this.size) return;
    if (this.#bits !== undefined) {
      (this.#bits[at >>> 3] as number) |= 1 << (at & 7);
      return;
    }
    if (this.#used > 0 && this.#list[this.#used - 1] === at) return;
    if (this.#used === this.#list.length) {
      const larger = new Float64Array(Math.max(64, 2 * this.#used));
      larger.set(this.#list);
      this.#list = larger;
    }
    this.#list[this.#used] = at;
    this.#used += 1;
  }

  /** Marked numbers that follow each other, in order, as long as `see` wants more: whether it wanted all. */
  async eachRun(see: (from: number, to: number) => boolean, pace: Pace): Promise<boolean> {
    return this.#bits === undefined ? this.#listRuns(see, pace) : this.#bitRuns(this.#bits, see, pace);
  }

  /** The same of numbers that are not marked. */
  async eachGap(see: (from: number, to: number) => boolean, pace: Pace): Promise<boolean> {
    let next = 0;
    const betweenRuns = (from: number, to: number): boolean => {
      const before = next;
      next = to + 1;
      return before === from || see(before, from - 1);
    };
    return (await this.eachRun(betweenRuns, pace)) && (next >= this.size || see(next, this.size - 1));
  }

  async #bitRuns(bits: Uint8Array, see: (from: number, to: number) => boolean, pace: Pace): Promise<boolean> {
    let start = -1;
    for (let byte = 0; byte < bits.length; byte += 1) {
      if (byte % PIECE === 0) await pace.yieldIfDue(byte * 8);
      if (bits[byte] === (start < 0 ? 0 : 0xff)) continue;
      for (let at = byte * 8; at < Math.min(this.size, byte * 8 + 8); at += 1) {
        const isMarked = (((bits[byte] as number) >>> (at & 7)) & 1) === 1;
        if (isMarked && start < 0) start = at;
        if (isMarked || start < 0) continue;
        if (!see(start, at - 1)) return false;
        start = -1;
      }
    }
    return start < 0 || see(start, this.size - 1);
  }

  async #listRuns(see: (from: number, to: number) => boolean, pace: Pace): Promise<boolean> {
    const list = this.#list.subarray(0, this.#used).sort();
    let from = 0;
    for (let at = 1; at <= list.length; at += 1) {
      if (at % PIECE === 0) await pace.yieldIfDue(at);
      const last = list[at - 1] as number;
      if (at < list.length && (list[at] as number) <= last + 1) continue;
      if (!see(list[from] as number, last)) return false;
      from = at;
    }
    return true;
  }
}
