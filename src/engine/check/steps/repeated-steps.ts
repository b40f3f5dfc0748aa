/** Steps of a dimension that are read from the same bytes: a file that was taken twice, in place of another. */
import { cellCount, coordinatesOf } from "../../../core/metadata/chunk-grid.ts";
import type { SamePair } from "../claim-log.ts";
import { expectedFiles } from "../expected-files.ts";
import type { RangeRows } from "../range-rows.ts";
import { sourceAxis, type SourceSteps } from "./source-steps.ts";

export interface RepeatedStep {
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
  return targets?.[step] === targets?.[same];
}

export interface MissingFile {
  /** Which of the steps should be of another file. */
  readonly step: number;
  readonly same: number;
  readonly file: string;
}

/** By the numbers in the names of the files of the other steps; `undefined` where these say nothing. */
export function fileInstead(
  { targets }: SourceSteps,
  { axis, step, same }: RepeatedStep,
  nameOf: (target: number) => string,
): MissingFile | undefined {
  const own = targets[axis];
  const target = own?.[same] ?? -1;
  if (own === undefined || target < 0) return undefined;
  const used = nameOf(target);
  // The names of the others speak for both steps; where these are too few, that of the one for the other.
  for (const but of [[step, same], [step], [same]]) {
    const expected = expectedFiles(own, but, nameOf);
    if (expected === undefined) continue;
    if (expected.fileAt(same) === used) return { step, same, file: expected.fileAt(step) };
    if (expected.fileAt(step) === used) return { step: same, same: step, file: expected.fileAt(same) };
  }
  return undefined;
}
