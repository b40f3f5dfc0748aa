/** Steps that are read from the same bytes, said once for all arrays that share them. */
import { finding, type Finding } from "../../../core/findings/finding.ts";
import type { ChunkPlace } from "../../../core/findings/place.ts";
import { groupedBy } from "../../../core/grouped.ts";
import { ChunkPlaces } from "../chunk-places.ts";
import { parentOf } from "./coordinate-nodes.ts";
import type { RangeRows } from "../range-rows.ts";
import { fileInstead, type RepeatedStep } from "./repeated-steps.ts";
import type { SetView } from "../rule.ts";
import { dimensionOf, MIXED, NO_TARGET, type SourceSteps } from "./source-steps.ts";

const MAX_PLACES = 100;

export type RepeatedInArray = RepeatedStep & { readonly steps: SourceSteps };

export function repeatedStepFindings(
  view: SetView,
  rows: RangeRows,
  found: readonly RepeatedInArray[],
): readonly Finding[] {
  // Chunks of arrays may span more or fewer elements of the file: it is the file that was taken twice.
  const groups = groupedBy(found, ({ steps, axis, step, same }) => {
    const target = targetAt(steps, axis, step);
    const where = [parentOf(steps.node), dimensionOf(steps.node, axis), target];
    return JSON.stringify(target < 0 ? [...where, step, same] : where);
  });
  return [...groups.values()].map((group) => together(view, rows, group));
}

const targetAt = ({ targets }: SourceSteps, axis: number, step: number): number => targets[axis]?.[step] ?? NO_TARGET;

function together(view: SetView, rows: RangeRows, group: readonly RepeatedInArray[]): Finding {
  const [first] = group as [RepeatedInArray];
  const { steps, axis } = first;
  const target = targetAt(steps, axis, first.step);
  const nameOf = (id: number): string => view.index.table.targets.text(id);
  const instead = target === MIXED ? undefined : fileInstead(steps, first, nameOf);
  const isLater = (instead?.step ?? first.step) === first.step;
  const places: ChunkPlace[] = [];
  const extents = group.map((one) => {
    const own = new ChunkPlaces(one.steps.node);
    const wrong = isLater ? one.step : one.same;
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
    step: isLater ? first.step : first.same,
    same: isLater ? first.same : first.step,
    target: target === MIXED ? undefined : nameOf(target),
    instead: instead?.file,
    arrays: [...new Set(group.map((one) => one.steps.node.path))],
  };
  const count = group.reduce((sum, { pairs }) => sum + pairs.length, 0);
  return {
    ...finding("steps-from-same-bytes", places[0] as ChunkPlace, facts, count),
    places: places.slice(0, MAX_PLACES),
    extent: { arrays: extents, moreArrays: 0 },
  };
}
