/** Steps that are read from the same bytes, said once for all arrays that share them. */
import { type ChunkPlace, finding, type Finding } from "#core/findings/finding.ts";
import { groupedBy } from "#core/basics.ts";
import { parentOf } from "#core/metadata/hierarchy-path.ts";
import type { RangeRows } from "../range-rows.ts";
import { ChunkPlaces, type SetView } from "#engine/rules/rule.ts";
import { dimensionOf, MIXED, NO_TARGET, sourceAxis, type SourceSteps } from "./source-steps.ts";
import { cellCount, coordinatesOf } from "#core/metadata/chunk-grid.ts";
import type { SamePair } from "../claims.ts";
import { expectedFiles } from "./file-numbers.ts";

const MAX_PLACES = 100;

type RepeatedInArray = RepeatedStep & { readonly steps: SourceSteps };

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

const targetAt = ({ targets }: SourceSteps, axis: number, step: number): number => targets[axis]?.at(step) ?? NO_TARGET;

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

// Steps of a dimension that are read from the same bytes: a file that was taken twice, in place of another.

interface RepeatedStep {
  readonly axis: number;
  /** The step that is wrong, as far as can be told; else the later one. */
  readonly step: number;
  readonly same: number;
  readonly pairs: SamePair[];
}

/** `left`: pairs that are no part of a whole step. */
export function repeatedSteps(
  rows: RangeRows,
  steps: SourceSteps,
  pairs: readonly SamePair[],
): { readonly repeated: readonly RepeatedStep[]; readonly left: readonly SamePair[] } {
  const groups = new Map<string, RepeatedStep>();
  const left: SamePair[] = [];
  for (const pair of pairs) {
    const key = stepsOf(rows, steps.grid, pair);
    if (key === undefined) left.push(pair);
    else {
      const known = groups.get(key.join(" ")) ?? { axis: key[0], step: key[2], same: key[1], pairs: [] };
      groups.set(key.join(" "), known);
      known.pairs.push(pair);
    }
  }
  const repeated: RepeatedStep[] = [];
  for (const group of groups.values()) {
    if (isWholeStep(steps, group)) repeated.push(group);
    else left.push(...group.pairs);
  }
  return { repeated, left };
}

/** The dimension in which alone two chunks differ, and where they are in it. */
function stepsOf(
  rows: RangeRows,
  grid: readonly number[],
  [one, other]: SamePair,
): readonly [axis: number, low: number, high: number] | undefined {
  const a = coordinatesOf(grid, rows.ordinalOf(one));
  const b = coordinatesOf(grid, rows.ordinalOf(other));
  const axes = grid.flatMap((_, axis) => (a[axis] === b[axis] ? [] : [axis]));
  const [axis] = axes;
  if (axis === undefined || axes.length > 1) return undefined;
  const [low, high] = [a[axis] as number, b[axis] as number];
  return low < high ? [axis, low, high] : [axis, high, low];
}

function isWholeStep(steps: SourceSteps, { axis, step, same, pairs }: RepeatedStep): boolean {
  const plane = cellCount(steps.grid) / (steps.grid[axis] as number);
  if (pairs.length < plane * 0.9) return false;
  if (sourceAxis(steps) !== axis) return plane > 1;
  const targets = steps.targets[axis];
  return targets?.at(step) === targets?.at(same);
}

/** Which step should be of another file, and of which: names of the others count on. `undefined` where they do not. */
function fileInstead(
  { targets }: SourceSteps,
  { axis, step, same }: RepeatedStep,
  nameOf: (target: number) => string,
): { readonly step: number; readonly file: string } | undefined {
  const own = targets[axis];
  const target = own?.at(same) ?? NO_TARGET;
  if (own === undefined || target < 0) return undefined;
  const used = nameOf(target);
  // The names of the others speak for both steps; where these are too few, that of the one for the other.
  for (const but of [[step, same], [step], [same]]) {
    const fileOf = expectedFiles(own.entries(), but, nameOf);
    if (fileOf?.(same) === used) return { step, file: fileOf(step) };
    if (fileOf?.(step) === used) return { step: same, file: fileOf(same) };
  }
  return undefined;
}
