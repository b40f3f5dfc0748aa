/** Missing chunks by whole steps of a dimension: a bit for each cell, one pass over the references. */
import { cellCount, coordinatesOf } from "../../../core/metadata/chunk-grid.ts";
import type { Pace } from "../../pace.ts";
import { eachMissing } from "../chunk-places.ts";

export interface StepRun {
  readonly from: number;
  readonly to: number;
}

export interface MissingSteps {
  readonly axis: number;
  readonly runs: readonly StepRun[];
  /** Where every n-th step from the first on is missing. */
  readonly every?: number;
}

export interface MissingPattern {
  readonly missing: number;
  /** Dimensions along which whole steps are missing. */
  readonly steps: readonly MissingSteps[];
  /** Missing chunks that lie in none of these, and the cells that lie in none. */
  readonly scattered: number;
  readonly outside: number;
}

/** Cells that are looked at without a pause; a multiple of 8. */
const PIECE = 1 << 19;

/** `bits`: a bit for each cell that has a reference. */
export async function missingPattern(bits: Uint8Array, grid: readonly number[], pace: Pace): Promise<MissingPattern> {
  const cells = cellCount(grid);
  const counts = grid.map((length) => new Uint32Array(length));
  let missing = 0;
  const see = (ordinal: number): true => {
    missing += 1;
    countIn(counts, grid, ordinal);
    return true;
  };
  for (let from = 0; from < cells; from += PIECE) {
    eachMissing(bits, Math.min(cells, from + PIECE), see, from);
    await pace.yieldIfDue(from);
  }
  const whole = counts.map((own, axis) => wholeSteps(own, cells / (grid[axis] as number)));
  const outside = grid.reduce((product, length, axis) => product * (length - (whole[axis]?.length ?? 0)), 1);
  const steps = whole.flatMap((own, axis) => {
    if (own.length === 0 || own.length === grid[axis]) return [];
    const every = periodOf(own, grid[axis] as number);
    return [{ axis, runs: runsOf(own), ...(every === undefined ? {} : { every }) }];
  });
  return { missing, steps, scattered: missing - (cells - outside), outside };
}

function countIn(counts: readonly Uint32Array[], grid: readonly number[], ordinal: number): void {
  let rest = ordinal;
  for (let axis = grid.length - 1; axis >= 0; axis -= 1) {
    const length = grid[axis] as number;
    const at = rest % length;
    rest = Math.floor(rest / length);
    ((counts[axis] as Uint32Array)[at] as number) += 1;
  }
}

function wholeSteps(counts: Uint32Array, plane: number): readonly number[] {
  const steps: number[] = [];
  for (const [step, count] of counts.entries()) if (count === plane) steps.push(step);
  return steps;
}

function runsOf(steps: readonly number[]): readonly StepRun[] {
  const runs: { from: number; to: number }[] = [];
  for (const step of steps) {
    const last = runs.at(-1);
    if (last !== undefined && last.to === step - 1) last.to = step;
    else runs.push({ from: step, to: step });
  }
  return runs;
}

/** Missing steps at even distances from one end to the other; at least three, since any two are at one distance. */
function periodOf(steps: readonly number[], length: number): number | undefined {
  const [first = 0, second] = steps;
  if (second === undefined || steps.length < 3) return undefined;
  const period = second - first;
  const isEven = steps.every((step, at) => step === first + at * period);
  return period > 1 && isEven && first < period && (steps.at(-1) ?? 0) + period >= length ? period : undefined;
}

/** Chunks of the steps of runs, in C order; the first of them. */
export function chunksInRuns(
  grid: readonly number[],
  axis: number,
  runs: readonly StepRun[],
  most: number,
): readonly (readonly number[])[] {
  const plane = grid.with(axis, 1);
  const inPlane = Math.min(most, cellCount(plane));
  const chunks: (readonly number[])[] = [];
  for (const { from, to } of runs) {
    for (let step = from; step <= to && chunks.length < most; step += 1) {
      for (let at = 0; at < inPlane && chunks.length < most; at += 1)
        chunks.push(coordinatesOf(plane, at).with(axis, step));
    }
  }
  return chunks;
}
