/** How far a cause reaches, in the user's terms. */
import type { ArrayExtent, Extent } from "../../core/findings/fact.ts";
import type { NodeSummary } from "../../core/open-set.ts";
import { countOf, formatCount } from "../../widgets/number-format.ts";

/** A line an array: `sst: 24 of 96 chunks, time 0 to 23, y 1`. */
export function extentLines(
  { arrays, moreArrays }: Extent,
  nodes: ReadonlyMap<string, NodeSummary>,
): readonly string[] {
  const lines = arrays.map((one) => arrayLine(one, nodes.get(one.array)));
  return moreArrays === 0 ? lines : [...lines, `and ${countOf(moreArrays, "other array")}`];
}

function arrayLine({ array, chunks, from, to }: ArrayExtent, node: NodeSummary | undefined): string {
  const cells = node?.cells;
  const share = cells === undefined ? countOf(chunks, "chunk") : `${formatCount(chunks)} of ${countOf(cells, "chunk")}`;
  const spans = from.map((first, axis) => {
    const name = node?.dimensionNames?.[axis] ?? `dimension ${axis}`;
    const last = to[axis] ?? first;
    return last === first ? `${name} ${first}` : `${name} ${first} to ${last}`;
  });
  return `${array === "" ? "/" : array}: ${[share, ...spans].join(", ")}`;
}
