/** Which part of an array lies in a target, in the user's terms. */
import { boxSpans } from "#core/words/box-spans.ts";
import type { NodeSummary } from "#core/open-set.ts";
import type { SourceArray } from "#core/check/sources.ts";
import type { Axes } from "#store/hooks/use-axes.ts";
import { countOf } from "#widgets/number-format.ts";

const NO_AXES: Axes = [];

export const arrayName = (path: string): string => (path === "" ? "/" : path);

/** `2026-01-01 – 01-06, 89°S – 1°S`: of each dimension that is not there as a whole; `all of it` where all are. */
export function boxWords(
  { box }: Pick<SourceArray, "box">,
  node: Pick<NodeSummary, "shape" | "chunks" | "dimensionNames"> | undefined,
  axes: Axes = NO_AXES,
): string {
  const { shape, chunks, dimensionNames } = node ?? {};
  if (box === undefined || shape === undefined || chunks === undefined) return "no chunk of the grid";
  const spans = boxSpans(box, { shape, chunks, dimensionNames }, axes);
  return spans.length === 0 ? "all of it" : spans.join(", ");
}

/** `sst, time and 3 more arrays`. */
export function arrayNames(arrays: readonly SourceArray[], count: number): string {
  const names = arrays.slice(0, 2).map(({ array }) => arrayName(array));
  const more = count - names.length;
  return more <= 0 ? names.join(", ") : `${names.join(", ")} and ${countOf(more, "more array")}`;
}
