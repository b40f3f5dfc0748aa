/** Steps that arrays lack together, as one finding: where, and what else speaks for a cause. */
import { startAlong } from "../../../core/metadata/chunk-edges.ts";
import { cellCount } from "../../../core/metadata/chunk-grid.ts";
import { finding, type Finding } from "../../../core/findings/finding.ts";
import { chunkAt, type Place } from "../../../core/findings/place.ts";
import type { ArrayNode } from "../../../core/metadata/hierarchy.ts";
import { parentOf } from "./coordinate-nodes.ts";
import { expectedFiles } from "../expected-files.ts";
import { chunksInRuns, type StepRun } from "./missing-steps.ts";
import type { SetView } from "../rule.ts";
import { dimensionOf, type SourceSteps } from "./source-steps.ts";

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
    problem: every === undefined ? placeOf(runs, length) : "every",
    every,
    arrays: group.map((one) => one.node.path),
    complete: completeOnes(view, group).length,
    ...elementsOf(view, group),
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

function placeOf(runs: readonly StepRun[], length: number): "start" | "end" | "middle" {
  if (runs.length > 1) return "middle";
  if (runs[0]?.to === length - 1) return "end";
  return runs[0]?.from === 0 ? "start" : "middle";
}

function extentOf({ node, grid, axis, runs }: MissingInArray) {
  const chunks = runs.reduce((sum, { from, to }) => sum + to - from + 1, 0) * cellCount(grid.with(axis, 1));
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

/** The length of a chunk along the dimension with which the keys would fill the grid, and whether other arrays have it. */
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
  return expectedFiles(targets, [], (id) => index.table.targets.text(id))?.fileAt(step);
}
