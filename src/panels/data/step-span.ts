/** Steps of a dimension side by side, each as wide as the others: which are seen, and where in that each stands. */
import type { Span } from "#widgets/cell-map/camera.ts";

/** The step at a share of what is seen. */
export const stepAt = (share: number, { from, to }: Span): number =>
  Math.max(from, Math.min(to - 1, from + Math.floor(share * (to - from))));

/** Place of a step in the visible span: 0 to 1 inside it. */
export const shareOf = (step: number, { from, to }: Span): number => (step - from) / Math.max(1, to - from);

const FEWEST = 4;

/** So many times as many steps, around one that stays where it is; `undefined`: all. */
export function zoomedBy(factor: number, about: number, seen: Span, count: number): Span | undefined {
  const size = Math.max(Math.min(FEWEST, count), Math.round((seen.to - seen.from) * factor));
  if (size >= count) return undefined;
  const from = Math.round(about - shareOf(about, seen) * size);
  return shifted(from, size, count);
}

function shifted(from: number, size: number, count: number): Span {
  const start = Math.max(0, Math.min(count - size, from));
  return { from: start, to: start + size };
}

/** The part that is seen, moved so that a step is in it. */
export function spanAround(at: number, count: number, span: Span): Span {
  const size = span.to - span.from;
  return at >= span.from && at < span.to ? span : shifted(at - Math.floor(size / 2), size, count);
}
