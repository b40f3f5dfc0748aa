/** What is said of a cause beside its title: where it is, how much of what it costs. */
import { boxSpans } from "../../core/box-words.ts";
import type { NodeSummary } from "../../core/open-set.ts";
import type { Axes } from "../../store/use-cheap-axes.ts";
import { countOf, formatCount, formatShare } from "../../widgets/number-format.ts";
import type { CauseReach } from "./cause-reach.ts";

/** "ice · 1 chunk · 2026-01-01 – 01-06, 89°S – 1°S": the array, its chunks, the box that holds them in coordinates. */
export function reachWords(reach: CauseReach, node: NodeSummary | undefined, axes: Axes): string {
  const { array, chunks, moreArrays, from } = reach;
  const name = array === "" ? "/" : array;
  const others = moreArrays === 0 ? [] : [`and ${countOf(moreArrays, "more array")}`];
  const one = chunks === 1 && from.length > 0 ? [from.join(".")] : [];
  return [[name, ...one].join(" "), countOf(chunks, "chunk"), ...spanWords(reach, node, axes), ...others].join(" · ");
}

/** In coordinates where they are known, else in positions; nothing where all of the array is meant. */
function spanWords(reach: CauseReach, node: NodeSummary | undefined, axes: Axes): readonly string[] {
  const { shape, chunks, dimensionNames } = node ?? {};
  if (shape === undefined || chunks === undefined || shape.length === 0 || reach.share === 1) return [];
  const spans = boxSpans(reach, { shape, chunks, dimensionNames }, axes, reach.chunks === 1);
  return spans.length === 0 ? [] : [spans.join(", ")];
}

/** "2.6%", "all", "none"; and of what. */
export function sizeWords(
  reach: CauseReach | undefined,
  isLost: boolean,
): readonly [share: string, of: string] | undefined {
  if (reach === undefined) return undefined;
  const name = reach.array === "" ? "/" : reach.array;
  if (reach.share === undefined) return [formatCount(reach.chunks), reach.chunks === 1 ? "chunk" : "chunks"];
  if (reach.share === 1 && reach.chunks > 1) return ["all", `of ${name}`];
  return [formatShare(reach.share, 1), isLost ? `of ${name} lost` : `of ${name}`];
}
