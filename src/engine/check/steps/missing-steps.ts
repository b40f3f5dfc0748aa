/** Missing chunks by whole steps of a dimension: those that no reference lies in. */
import { cellCount, coordinatesOf, startAlong } from "#core/metadata/chunk-grid.ts";
import type { Pace } from "#engine/pace.ts";
import { chunkAt, finding, type Finding, type Place } from "#core/findings/finding.ts";
import type { ArrayNode } from "#core/metadata/array-metadata.ts";
import { parentOf } from "#core/metadata/hierarchy-path.ts";
import { expectedFiles } from "./file-numbers.ts";
import { Marks } from "#engine/table/marks.ts";
import type { SetView } from "#engine/rules/rule.ts";
import { dimensionOf, MIXED, type SourceSteps } from "./source-steps.ts";

interface StepRun {
  readonly from: number;
  readonly to: number;
}

interface MissingSteps {
  readonly axis: number;
  readonly runs: readonly StepRun[];
  /** Interval of the missing steps, if every n-th step from the first on is missing. */
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

/** `present`: the cells that have a reference, at most so many. */
export async function missingPattern(
  present: Marks,
  most: number,
  grid: readonly number[],
  pace: Pace,
): Promise<MissingPattern> {
  const steps = grid.map((length) => new Marks(length, most));
  let cells = 0;
  const see = (from: number, to: number): true => {
    cells += to - from + 1;
    markSteps(steps, from, to);
    return true;
  };
  await present.eachRun(see, pace);
  const missing: MissingSteps[] = [];
  let outside = 1;
  for (const [axis, own] of steps.entries()) {
    const runs: StepRun[] = [];
    await own.eachGap((from, to) => runs.push({ from, to }) > 0, pace);
    const lost = stepsIn(runs);
    outside *= own.size - lost;
    if (lost === 0 || lost === own.size) continue;
    const every = periodOf(runs, own.size);
    missing.push({ axis, runs, ...(every === undefined ? {} : { every }) });
  }
  return { missing: present.size - cells, steps: missing, scattered: outside - cells, outside };
}

/** Marks the steps of all cells from one to another. */
function markSteps(steps: readonly Marks[], first: number, last: number): void {
  let [low, high] = [first, last];
  for (let axis = steps.length - 1; axis >= 0; axis -= 1) {
    const own = steps[axis] as Marks;
    for (let at = low; at <= Math.min(high, low + own.size - 1); at += 1) own.add(at % own.size);
    [low, high] = [Math.floor(low / own.size), Math.floor(high / own.size)];
  }
}

const stepsIn = (runs: readonly StepRun[]): number => runs.reduce((sum, { from, to }) => sum + to - from + 1, 0);

/** Missing steps at even distances from one end to the other; at least three, since any two are at one distance. */
function periodOf(runs: readonly StepRun[], length: number): number | undefined {
  const [first, second] = runs;
  if (first === undefined || second === undefined || runs.length < 3) return undefined;
  const period = second.from - first.from;
  const isEven = runs.every(({ from, to }, at) => from === to && from === first.from + at * period);
  return isEven && first.from < period && (runs.at(-1)?.to ?? 0) + period >= length ? period : undefined;
}

/** Chunks of the steps of runs, in C order; the first of them. */
function chunksInRuns(
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

// Steps that arrays lack together, as one finding: where, and what else speaks for a cause.

const MAX_PLACES = 100;
const MAX_RUNS_TOLD = 5;

export interface MissingInArray {
  readonly node: ArrayNode;
  readonly grid: readonly number[];
  readonly axis: number;
  readonly runs: readonly StepRun[];
  readonly every: number | undefined;
}

/** `group`: the same steps of the same dimension. */
export function gapFinding(
  view: SetView,
  group: readonly MissingInArray[],
  steps: ReadonlyMap<number, SourceSteps>,
): Finding {
  const [first] = group as [MissingInArray];
  const { node, grid, axis, runs, every } = first;
  const length = grid[axis] as number;
  const perArray = Math.max(1, Math.ceil(MAX_PLACES / group.length));
  const places: Place[] = group
    .flatMap((one) => chunksInRuns(one.grid, one.axis, one.runs, perArray).map((at) => chunkAt(one.node.path, at)))
    .slice(0, MAX_PLACES);
  const extents = group.map((one) => extentOf(one));
  const facts = {
    dimension: dimensionOf(node, axis),
    axis,
    runs: runs.slice(0, MAX_RUNS_TOLD).map(({ from, to }) => [from, to]),
    moreRuns: Math.max(0, runs.length - MAX_RUNS_TOLD),
    steps: length,
    problem: every === undefined ? partMissing(runs, length) : "every",
    every,
    arrays: group.map((one) => one.node.path),
    isUnwritten: group.every((one) => isNative(view, one.node)),
    complete: completeOnes(view, group).length,
    ...elementsOf(view, group),
    ...wholeFiles(first, steps.get(view.index.arrayIds.get(node.path) ?? -1)),
    ...chunkFits(view, first),
    file: missingFile(view, first, steps),
  } as const;
  const count = extents.reduce((sum, { chunks }) => sum + chunks, 0);
  return {
    ...finding("steps-missing", places[0] as Place, facts, count),
    places,
    extent: { arrays: extents, moreArrays: 0 },
  };
}

function partMissing(runs: readonly StepRun[], length: number): "start" | "end" | "middle" {
  if (runs.length > 1) return "middle";
  if (runs[0]?.to === length - 1) return "end";
  return runs[0]?.from === 0 ? "start" : "middle";
}

function extentOf({ node, grid, axis, runs }: MissingInArray) {
  const chunks = stepsIn(runs) * cellCount(grid.with(axis, 1));
  const from = grid.map((_, at) => (at === axis ? (runs[0]?.from ?? 0) : 0));
  const to = grid.map((cells, at) => (at === axis ? (runs.at(-1)?.to ?? 0) : cells - 1));
  return { array: node.path, chunks, from, to };
}

/** Other arrays with the dimension, that lack nothing at all. */
function completeOnes(view: SetView, group: readonly MissingInArray[]): readonly ArrayNode[] {
  const [{ node, axis }] = group as [MissingInArray];
  const dimension = dimensionOf(node, axis);
  return view.arrays.filter(
    (one) =>
      parentOf(one) === parentOf(node) &&
      typeof dimension === "string" &&
      one.metadata.dimensionNames?.includes(dimension) === true &&
      !group.some((other) => other.node === one) &&
      view.counts.arrays.get(one.path)?.states.missing === 0,
  );
}

/** Elements along the dimension: in the metadata, up to where references reach, and in arrays that are complete. */
function elementsOf(view: SetView, group: readonly MissingInArray[]) {
  const [{ node, axis, runs }] = group as [MissingInArray];
  const shape = node.metadata.shape[axis] ?? 0;
  const reach = Math.min(shape, startAlong(node.metadata.chunks[axis] ?? 1, runs[0]?.from ?? 0));
  const dimension = dimensionOf(node, axis);
  const others = completeOnes(view, group).map(
    ({ metadata }) => metadata.shape[metadata.dimensionNames?.indexOf(String(dimension)) ?? -1],
  );
  return { shape, reach, otherLength: others.find((length) => length !== undefined && length !== shape) };
}

/** All its chunks are objects of the store: those that hold the fill value alone need not be written. */
export function isNative({ counts }: SetView, { path }: ArrayNode): boolean {
  const { states, references } = counts.arrays.get(path) ?? { states: { native: 0 }, references: 1 };
  return references > 0 && states.native === references;
}

/**
 * Files of several chunks each, of which the last may be partial: each boundary between two files then costs a chunk at
 * the end. None where more are missing than that explains; 0 where all is inline, so that no file is known.
 */
function wholeFiles({ node, axis, runs }: MissingInArray, steps: SourceSteps | undefined) {
  const edges = node.metadata.chunks[axis];
  const chunks = new Map<number, number>();
  for (const [, target] of steps?.targets[axis]?.entries() ?? []) {
    if (target === MIXED) return NO_FILES;
    chunks.set(target, (chunks.get(target) ?? 0) + 1);
  }
  const lost = stepsIn(runs);
  const isSeveral = chunks.size === 0 ? lost === 1 : chunks.size > lost && [...chunks.values()].every((one) => one > 1);
  return isSeveral && typeof edges === "number" && edges > 1 ? { files: chunks.size, chunk: edges } : NO_FILES;
}

const NO_FILES = { files: undefined, chunk: undefined };

/**
 * The length of a chunk along the dimension with which the keys would fill the grid, and whether other arrays have it.
 */
function chunkFits(view: SetView, { node, grid, axis, runs }: MissingInArray) {
  const [reach, length] = [runs[0]?.from ?? 0, grid[axis] as number];
  if (runs.length !== 1 || runs[0]?.to !== length - 1 || reach === 0)
    return { chunkFits: undefined, isElsewhere: false };
  const [shape, chunk] = [node.metadata.shape[axis] ?? 0, node.metadata.chunks[axis] ?? 1];
  // Nothing tells which of unequal lengths is another.
  if (typeof chunk !== "number") return { chunkFits: undefined, isElsewhere: false };
  const fits = (other: number): boolean => other > chunk && Math.ceil(shape / other) === reach;
  const dimension = dimensionOf(node, axis);
  const elsewhere = view.arrays
    .filter((one) => one !== node && parentOf(one) === parentOf(node) && typeof dimension === "string")
    .map(({ metadata }) => metadata.chunks[metadata.dimensionNames?.indexOf(String(dimension)) ?? -1] ?? 0)
    .find((other): other is number => typeof other === "number" && fits(other) && reach > 1);
  const factor = Math.ceil(length / reach);
  const own = reach * 2 <= length + 1 && fits(chunk * factor) ? chunk * factor : undefined;
  return { chunkFits: elsewhere ?? own, isElsewhere: elsewhere !== undefined };
}

/** The name of the file that the first missing step should be of, where names count on. */
function missingFile(
  { index }: SetView,
  { node, axis, runs }: MissingInArray,
  steps: ReadonlyMap<number, SourceSteps>,
): string | undefined {
  const targets = steps.get(index.arrayIds.get(node.path) ?? -1)?.targets[axis];
  const step = runs[0]?.from;
  if (targets === undefined || step === undefined) return undefined;
  return expectedFiles(targets.entries(), [], (id) => index.table.targets.text(id))?.(step);
}
