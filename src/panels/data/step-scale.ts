/** Steps of a dimension side by side, each as wide as the others: where they and their chunks stand, as shares of the whole. */
import { chunkAlong, type ChunkEdges, startAlong } from "../../core/chunk-edges.ts";
import { MOST_PLANE_CHUNKS } from "../../core/plane-budget.ts";
import { tickStep } from "../../widgets/cell-map/axes.ts";

/** The middle of a step. */
export const middleOf = (step: number, count: number): number => (step + 0.5) / Math.max(1, count);

/** The step at a share. */
export const stepAt = (share: number, count: number): number =>
  Math.max(0, Math.min(count - 1, Math.floor(share * count)));

export type SpanLook = "failed" | "some" | "plain";

export interface ChunkSpan {
  /** Of the first chunk of the span, and the one after its last. */
  readonly from: number;
  readonly to: number;
  readonly look: SpanLook;
}

/** More are drawn as one, with those that failed in it. */
const MAX_SPANS = 96;

/** Chunks along a dimension; neighbours that look alike are one span where there are very many. */
export function chunkSpans(chunks: number, lookOf: (chunk: number) => SpanLook): readonly ChunkSpan[] {
  // Of none of them anything is known: they are not kept apart.
  if (chunks > MOST_PLANE_CHUNKS) return [{ from: 0, to: chunks, look: "plain" }];
  const spans: { from: number; to: number; look: SpanLook }[] = [];
  for (let chunk = 0; chunk < chunks; chunk += 1) {
    const look = lookOf(chunk);
    const last = spans.at(-1);
    if (chunks > MAX_SPANS && last?.look === look) last.to = chunk + 1;
    else spans.push({ from: chunk, to: chunk + 1, look });
  }
  return spans;
}

/** Two or three round values between the ends of a plot. */
export function plotTicks(minimum: number, maximum: number): readonly number[] {
  const extent = maximum - minimum;
  if (!(extent > 0)) return [minimum];
  const power = 10 ** Math.floor(Math.log10(extent));
  const step = [0.2, 0.5, 1, 2, 5].map((factor) => factor * power).find((one) => extent / one <= 3.5) ?? extent;
  const ticks: number[] = [];
  for (let value = Math.ceil(minimum / step) * step; value <= maximum + step * 1e-9; value += step) {
    ticks.push(Number(value.toPrecision(9)));
  }
  return ticks;
}

/** Steps that are named below the slider, so that each name has `room` pixels; the first of a chunk where that fits. */
export function namedSteps(count: number, width: number, room: number, chunk: ChunkEdges): readonly number[] {
  const side = Math.max(width, 1) / Math.max(1, count);
  if (typeof chunk !== "number") return unequalSteps(count, room / side, chunk);
  const isByChunk = chunk > 1 && chunk < count;
  const every = isByChunk ? Math.ceil(room / side / chunk) * chunk : tickStep(side, room);
  return Array.from({ length: Math.ceil(count / every) }, (_, at) => at * every);
}

/** The first steps of unequal chunks, at least so far from each other. */
function unequalSteps(count: number, apart: number, edges: ChunkEdges): readonly number[] {
  const steps = [0];
  for (let last = 0; ;) {
    const least = last + Math.max(1, Math.ceil(apart));
    if (least >= count) return steps;
    const chunk = chunkAlong(edges, least);
    const start = startAlong(edges, chunk);
    last = start >= least ? start : startAlong(edges, chunk + 1);
    if (last >= count) return steps;
    steps.push(last);
  }
}
