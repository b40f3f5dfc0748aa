/**
 * Differences from a weighted sum of the latents just before (`conv1`). The sums have up to 63 bits: they are kept in two
 * doubles, one for the lower and one for the upper 16 bits of the latents, of which neither can become inexact.
 */
import type { Delta } from "./chunk-metadata.ts";
import { BATCH } from "./latents.ts";
import type { Width } from "./number-type.ts";

export interface Convolution {
  readonly delta: Delta & { readonly kind: "conv1" };
  /** The last latents, as many as there are weights, and room for a batch after them. */
  readonly low: Float64Array;
  readonly high: Float64Array;
  readonly middle: number;
  readonly mask: number;
}

export function newConvolution(
  delta: Delta & { readonly kind: "conv1" },
  state: Int32Array,
  width: Width,
): Convolution {
  const length = delta.state + BATCH;
  const mask = width === 32 ? -1 : (1 << width) - 1;
  const all = { delta, low: new Float64Array(length), high: new Float64Array(length), middle: 1 << (width - 1), mask };
  for (let i = 0; i < state.length; i++) put(all, i, (state[i] as number) & mask);
  return all;
}

function put({ low, high }: Convolution, at: number, latent: number): void {
  low[at] = latent & 0xffff;
  high[at] = latent >>> 16;
}

export function undoConvolution(all: Convolution, lo: Int32Array, stored: number, count: number): void {
  const { low, high, middle, mask, delta } = all;
  const { weights, biasLow, biasHigh, shift, state } = delta;
  const upperScale = shift < 16 ? 2 ** (16 - shift) : 2 ** -(shift - 16);
  for (let i = 0; i < stored; i++) {
    let sumLow = biasLow;
    let sumHigh = biasHigh;
    for (let j = 0; j < state; j++) {
      const weight = weights[j] as number;
      sumLow += weight * (low[i + j] as number);
      sumHigh += weight * (high[i + j] as number);
    }
    const carry = Math.floor(sumLow / 65_536);
    const upper = sumHigh + carry;
    let predicted = 0;
    if (upper >= 0) {
      const rest = shift < 16 ? (sumLow - carry * 65_536) >> shift : 0;
      // Of the product, which may be beyond 2^53 but is exact, the lowest 32 bits.
      predicted = (Math.floor(upper * upperScale) | 0) + rest;
    }
    put(all, i + state, ((lo[i] as number) + middle + predicted) & mask);
  }
  for (let i = 0; i < count; i++) lo[i] = (low[i] as number) | ((high[i] as number) << 16);
  low.copyWithin(0, count, count + state);
  high.copyWithin(0, count, count + state);
}
