/** Texts in the order of their code units: what begins alike stands together. Interruptible, since there may be millions. */
import { firstPlace } from "#core/first-place.ts";
import type { Pace } from "../pace.ts";

/** Sorted without a look at the clock, in about 10 ms. */
const RUN = 8192;

/** `ids` by their texts, in place of the platform's sort, which cannot be aborted. Stable. */
export async function inTextOrder(ids: Uint32Array, text: (id: number) => string, pace: Pace): Promise<Uint32Array> {
  const texts: string[] = [];
  for (const [at, id] of ids.entries()) {
    texts.push(text(id));
    if (at % RUN === 0) await pace.yieldIfDue(0);
  }
  let order = Uint32Array.from(ids.keys());
  for (let from = 0; from < order.length; from += RUN) {
    order.subarray(from, from + RUN).sort((a, b) => compareTexts(texts[a] as string, texts[b] as string) || a - b);
    await pace.yieldIfDue(0);
  }
  let other = new Uint32Array(order.length);
  for (let width = RUN; width < order.length; width *= 2) {
    for (let from = 0; from < order.length; from += 2 * width) {
      merge(order, other, from, width, texts);
      await pace.yieldIfDue(0);
    }
    [order, other] = [other, order];
  }
  return order.map((at) => ids[at] as number);
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

function merge(order: Uint32Array, into: Uint32Array, from: number, width: number, texts: readonly string[]): void {
  const middle = Math.min(order.length, from + width);
  const end = Math.min(order.length, middle + width);
  let [left, right] = [from, middle];
  for (let at = from; at < end; at += 1) {
    const takesLeft =
      right >= end ||
      (left < middle && (texts[order[left] as number] as string) <= (texts[order[right] as number] as string));
    into[at] = order[takesLeft ? left++ : right++] as number;
  }
}

/** The end of the texts that begin with `prefix`, of which the one at `from` is the first. Near ends are found sooner. */
export function endOfPrefix(text: (place: number) => string, prefix: string, from: number, to: number): number {
  const isBelow = (place: number): boolean => text(place).startsWith(prefix);
  let step = 1;
  while (from + step < to && isBelow(from + step)) step *= 2;
  return firstPlace(from + 1, Math.min(to, from + step), isBelow);
}
