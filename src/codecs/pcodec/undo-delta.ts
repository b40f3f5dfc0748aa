/**
 * Differences made latents again, a batch at a time. What comes out lags behind what goes in: the first latents of a page
 * are the state that it begins with, so the last differences of a batch may be ones that are not there, and are not used.
 */
import type { Delta } from "./chunk-metadata.ts";
import { newConvolution, undoConvolution, type Convolution } from "./convolution.ts";
import type { Latents } from "./latents.ts";
import { newLookback, undoLookback, type Lookback } from "./lookback.ts";
import type { Width } from "./number-type.ts";

/** What is carried from batch to batch of a page. */
export type DeltaState =
  | { readonly kind: "none" }
  | { readonly kind: "consecutive"; readonly lo: Int32Array; readonly hi: Int32Array }
  | { readonly kind: "lookback"; readonly lookback: Lookback }
  | { readonly kind: "conv1"; readonly convolution: Convolution };

/** `lo`, `hi`: the state as the page has it. `count`: numbers of the page. */
export function newDeltaState(delta: Delta, lo: Int32Array, hi: Int32Array, width: Width, count: number): DeltaState {
  if (delta.kind === "none") return delta;
  if (delta.kind === "consecutive") return { kind: "consecutive", lo, hi };
  if (delta.kind === "lookback") return { kind: "lookback", lookback: newLookback(delta.window, lo, hi, width, count) };
  return { kind: "conv1", convolution: newConvolution(delta, lo, width) };
}

/** `stored`: how many differences there are; `count`: how many latents are wanted. */
export function undoDelta(
  state: DeltaState,
  latents: Latents,
  lookbacks: Int32Array | undefined,
  width: Width,
  stored: number,
  count: number,
): void {
  if (state.kind === "none") return;
  if (state.kind === "lookback") undoLookback(state.lookback, latents, lookbacks, stored, count);
  else if (state.kind === "conv1") undoConvolution(state.convolution, latents.lo, stored, count);
  else if (width === 64) sumWide(state.lo, state.hi, latents, count);
  else sumNarrow(state.lo, latents.lo, 1 << (width - 1), count);
}

/** The differences are stored with the middle of their range added; so it is once more, which wraps. */
function sumNarrow(moments: Int32Array, lo: Int32Array, middle: number, count: number): void {
  for (let order = moments.length - 1; order >= 0; order--) {
    const more = order === moments.length - 1 ? middle : 0;
    let moment = moments[order] as number;
    for (let i = 0; i < count; i++) {
      const next = (moment + (lo[i] as number) + more) | 0;
      lo[i] = moment;
      moment = next;
    }
    moments[order] = moment;
  }
}

function sumWide(momentsLo: Int32Array, momentsHi: Int32Array, { lo, hi }: Latents, count: number): void {
  for (let order = momentsLo.length - 1; order >= 0; order--) {
    const more = order === momentsLo.length - 1 ? 0x8000_0000 | 0 : 0;
    let low = momentsLo[order] as number;
    let high = momentsHi[order] as number;
    for (let i = 0; i < count; i++) {
      const delta = lo[i] as number;
      const sum = (low + delta) | 0;
      const carry = ((low & delta) | ((low | delta) & ~sum)) >>> 31;
      const sumHigh = (high + (hi[i] as number) + more + carry) | 0;
      lo[i] = low;
      hi[i] = high;
      low = sum;
      high = sumHigh;
    }
    momentsLo[order] = low;
    momentsHi[order] = high;
  }
}
