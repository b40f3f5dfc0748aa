/** Differences from any of the latents before, as far back as each says. */
import { invalid } from "./failure.ts";
import { BATCH, type Latents } from "./latents.ts";
import type { Width } from "./number-type.ts";

type Numbers = Int8Array | Int16Array | Int32Array;

/** The latents before: all of the page, or where it is long at least `window` of them. */
export interface Lookback {
  readonly window: number;
  readonly lo: Numbers;
  readonly hi: Int32Array;
  /** Latents that came first and are not given out yet. */
  readonly state: number;
  readonly middle: number;
  readonly isWide: boolean;
  /** Where the next one goes. */
  position: number;
}

export function newLookback(window: number, lo: Int32Array, hi: Int32Array, width: Width, count: number): Lookback {
  const length = Math.min(lo.length + count, window * 2 + BATCH);
  const isWide = width === 64;
  const all = {
    window,
    lo: width === 8 ? new Int8Array(length) : width === 16 ? new Int16Array(length) : new Int32Array(length),
    hi: new Int32Array(isWide ? length : 0),
    state: lo.length,
    middle: isWide ? 0 : 1 << (width - 1),
    isWide,
    position: lo.length,
  };
  all.lo.set(lo);
  all.hi.set(hi);
  return all;
}

export function undoLookback(
  before: Lookback,
  latents: Latents,
  lookbacks: Int32Array | undefined,
  stored: number,
  count: number,
): void {
  makeRoom(before, count);
  const { lo, hi, window, position, middle, isWide } = before;
  for (let i = 0; i < stored; i++) {
    const back = (lookbacks?.[i] ?? 0) >>> 0;
    if (back === 0 || back > window) throw outside(back, window);
    const at = position + i;
    const from = at - back;
    // Before the first latent all are 0.
    const other = from < 0 ? 0 : (lo[from] as number);
    const delta = latents.lo[i] as number;
    const sum = (other + delta + middle) | 0;
    lo[at] = sum;
    if (isWide) {
      const carry = ((other & delta) | ((other | delta) & ~sum)) >>> 31;
      hi[at] = (from < 0 ? 0 : (hi[from] as number)) + (latents.hi[i] as number) + 0x8000_0000 + carry;
    }
  }
  const first = position - before.state;
  for (let i = 0; i < count; i++) latents.lo[i] = lo[first + i] as number;
  if (isWide) for (let i = 0; i < count; i++) latents.hi[i] = hi[first + i] as number;
  before.position = position + count;
}

function outside(back: number, window: number) {
  return invalid(`differences from 1 to ${window} numbers back`, `${back} back`, "the numbers of a chunk");
}

/** Where a page is longer than the room, the last of the window move to its front. */
function makeRoom(before: Lookback, count: number): void {
  const { lo, hi, window, position } = before;
  if (position + count <= lo.length) return;
  lo.copyWithin(0, position - window, position);
  hi.copyWithin(0, position - window, position);
  before.position = window;
}
