/** Steps that are read from the same bytes, said once for all arrays that share them. */
import { finding, type Finding } from "../../core/findings/finding.ts";
import type { ChunkPlace } from "../../core/findings/place.ts";
import { groupedBy } from "../../core/grouped.ts";
import { ChunkPlaces } from "./chunk-places.ts";
import type { RangeRows } from "./range-rows.ts";
import { fileInstead, type RepeatedStep } from "./repeated-steps.ts";
import type { SetView } from "./rule.ts";
import { dimensionOf, MIXED, NO_TARGET, type SourceSteps } from "./source-steps.ts";

const MAX_PLACES = 100;

export type RepeatedInArray = RepeatedStep & { readonly steps: SourceSteps };

export function repeatedStepFindings(
  view: SetView,
  rows: RangeRows,
  found: readonly RepeatedInArray[],
): readonly Finding[] {
  const groups = groupedBy(found, ({ steps, axis, step, same }) =>
    JSON.stringify([dimensionOf(steps.node, axis), step, same, targetAt(steps, axis, step)]),
  );
  return [...groups.values()].map((group) => together(view, rows, group));
}

const targetAt = ({ targets }: SourceSteps, axis: number, step: number): number => targets[axis]?.[step] ?? NO_TARGET;

function together(view: SetView, rows: RangeRows, group: readonly RepeatedInArray[]): Finding {
  const [first] = group as [RepeatedInArray];
  const { steps, axis } = first;
  const target = targetAt(steps, axis, first.step);
  const nameOf = (id: number): string => view.index.table.targets.text(id);
  const instead = target === MIXED ? undefined : fileInstead(steps, first, nameOf);
  const wrong = instead?.step ?? first.step;
  const places: ChunkPlace[] = [];
  const extents = group.map((one) => {
    const own = new ChunkPlaces(one.steps.node);
    for (const pair of one.pairs) {
      const chunks = pair.map((place) => [place, rows.chunkOf(place)] as const);
      const sorted = chunks.toSorted(([, chunk]) => (chunk.coordinates[one.axis] === wrong ? -1 : 1));
      own.add(rows.ordinalOf((sorted[0] as (typeof sorted)[0])[0]));
      if (places.length < MAX_PLACES) places.push(...sorted.map(([, chunk]) => chunk));
    }
    return own.extent();
  });
  const facts = {
    dimension: dimensionOf(steps.node, axis),
    step: wrong,
    same: instead?.same ?? first.same,
    target: target === MIXED ? undefined : nameOf(target),
    instead: instead?.file,
    arrays: group.map((one) => one.steps.node.path),
  };
  const count = group.reduce((sum, { pairs }) => sum + pairs.length, 0);
  return {
    ...finding("steps-from-same-bytes", places[0] as ChunkPlace, facts, count),
    places: places.slice(0, MAX_PLACES),
    extent: { arrays: extents, moreArrays: 0 },
  };
}
