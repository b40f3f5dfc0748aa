/** Two handles on a histogram: where the ends of the colours stand, and where a key or a pointer takes them. */
import type { ValueRange } from "../../widgets/cell-map/paint-values.ts";

export type BrushEnd = "low" | "high";

/** From which value to which the histogram goes: all of the slice, and the ends wherever they are. */
export const brushScale = (slice: ValueRange, ends: ValueRange): ValueRange => ({
  minimum: Math.min(slice.minimum, ends.minimum),
  maximum: Math.max(slice.maximum, ends.maximum),
});

/** 0 to 1. */
export function shareOn({ minimum, maximum }: ValueRange, value: number): number {
  return maximum > minimum ? Math.max(0, Math.min(1, (value - minimum) / (maximum - minimum))) : 0.5;
}

export const valueOn = ({ minimum, maximum }: ValueRange, share: number): number =>
  minimum + Math.max(0, Math.min(1, share)) * (maximum - minimum);

const STEP = 0.01;
const PAGE = 0.1;

/** Where a key takes a handle that stands at `value`; `undefined` where it does not move it. */
export function movedBy(key: string, value: number, scale: ValueRange): number | undefined {
  const by = scale.maximum - scale.minimum;
  const targets: ReadonlyMap<string, number> = new Map([
    ["ArrowLeft", value - STEP * by],
    ["ArrowDown", value - STEP * by],
    ["ArrowRight", value + STEP * by],
    ["ArrowUp", value + STEP * by],
    ["PageDown", value - PAGE * by],
    ["PageUp", value + PAGE * by],
    ["Home", scale.minimum],
    ["End", scale.maximum],
  ]);
  const target = targets.get(key);
  return target === undefined ? undefined : Math.max(scale.minimum, Math.min(scale.maximum, target));
}

/** The range with one end at a value; the ends never meet. */
export function withEnd(
  { minimum, maximum }: ValueRange,
  end: BrushEnd,
  value: number,
  scale: ValueRange,
): { readonly low: number; readonly high: number } {
  const apart = STEP * (scale.maximum - scale.minimum);
  const round = (one: number) => Number(one.toPrecision(12));
  return end === "low"
    ? { low: round(Math.min(value, maximum - apart)), high: maximum }
    : { low: minimum, high: round(Math.max(value, minimum + apart)) };
}
