/**
 * Missing chunks that follow a pattern: whole steps at an end, in the middle, every other; coordinates that lack
 * values.
 */
import type { CallContext } from "#core/byte-source.ts";
import { cellCount, coordinatesOf, declaredExtent, gridOf } from "#core/metadata/chunk-grid.ts";
import { chunkAt, finding, nodeAt, WHOLE_SET } from "#core/findings/finding.ts";
import type { ArrayExtent, ChunkPlace, Finding, Place } from "#core/findings/finding.ts";
import type { ArrayNode } from "#core/metadata/array-metadata.ts";
import { isJsonObject } from "#core/json/json.ts";
import { groupedBy } from "#core/basics.ts";
import { isCoordinate, parentOf } from "#core/metadata/hierarchy-path.ts";
import { type Pace, startPace } from "#engine/pace.ts";
import { gapFinding, isNative, missingPattern } from "../steps/missing-steps.ts";
import type { MissingInArray, MissingPattern } from "../steps/missing-steps.ts";
import { markPresent, MAX_BITS } from "#engine/rules/missing-chunks.ts";
import type { SetRule, SetView } from "#engine/rules/rule.ts";
import { dimensionOf, sourceSteps } from "../steps/source-steps.ts";
import { isDataFile } from "#engine/engine-set.ts";
import { Marks, roomOf } from "#engine/table/marks.ts";
import { OrdinalBox } from "#engine/table/ordinal-box.ts";

const MAX_PLACES = 100;
/** Share of the other chunks up to which an array is taken to be complete but for the steps that are missing. */
const SCATTERED = 0.1;
/** Runs of missing steps, and their share, up to which they are no habit of the set. */
const MAX_RUNS = 3;

export const coverageRule: SetRule = {
  id: "coverage",
  codes: ["steps-missing", "coordinate-incomplete", "positions-incomplete", "array-without-data"],
  async run(view, sink, context) {
    const present = new Map<ArrayNode, Marks>();
    // Unwritten chunks of a data file are no missing references: they read as the fill value.
    const patterns = isDataFile(view.set) ? new Map() : await missingPatterns(view, present, context);
    const gaps = [...patterns].flatMap(([node, pattern]) =>
      view.ledger.isOpen(node.path, "gaps") ? gapsOf(node, pattern) : [],
    );
    const groups = [...groupedBy(gaps, keyOfGap).values()];
    const shared = new Set(groups.flatMap((group) => (group.length > 1 ? group.map(({ node }) => node) : [])));
    const steps = groups.length > 0 ? await sourceSteps(view, context) : new Map();
    for (const group of groups) {
      const [{ node }] = group as [MissingInArray];
      if (group.length > 1 || !isCoordinate(node)) sink(gapFinding(view, group, steps));
    }
    for (const node of view.arrays) {
      const missing = missingOf(view, node);
      if (isCoordinate(node) && missing > 0 && !shared.has(node) && view.ledger.isOpen(node.path, "gaps"))
        sink(incomplete(view, node, missing, patterns.get(node)));
    }
    if (!isDataFile(view.set)) for (const found of withoutData(view)) sink(found);
    const withGaps = new Set(gaps.map(({ node }) => node));
    for (const of of gridsOf(view, present, withGaps)) {
      const found = await incompletePositions(of, startPace(context, "Looking for missing chunks", MAX_BITS));
      if (found !== undefined) sink(found);
    }
    const lookedAt = view.arrays.filter((node) => missingOf(view, node) === 0 || patterns.has(node)).length;
    return { unit: "arrays", of: view.arrays.length, lookedAt, sampled: 0 };
  },
};

// Data variables of which no chunk is there.

const MAX_NAMED = 5;
const NUMBERS: ReadonlySet<string> = new Set(["int", "uint", "float", "complex", "narrow", "bool"]);

/** Each of them; one for all where the set has no data at all, or very many arrays have none. */
function withoutData(view: SetView): readonly Finding[] {
  // Inner chunks of fill values alone are not stored: a shard without any is right.
  const variables = view.arrays.filter((node) => isData(node) && node.metadata.sharding === undefined);
  const strays = view.index.strays();
  // Keys that fit no grid may be its chunks, by other names.
  const hasKeys = ({ path }: ArrayNode) => strays.rowsOf(view.index.arrayIds.get(path) ?? -1).length > 0;
  const isEmpty = (node: ArrayNode) => missingOf(view, node) === cellsOf(node) && view.ledger.isOpen(node.path, "gaps");
  const empty = variables.filter((node) => isEmpty(node) && !hasKeys(node));
  const lacking = empty.length === variables.length ? empty : empty.filter((node) => !mayBeZeros(view, node));
  const isWhole = lacking.length === view.arrays.filter(isData).length;
  const told = (nodes: readonly ArrayNode[], place: Place) => {
    const boxes = nodes.slice(0, MAX_PLACES).map(({ path, metadata }): ArrayExtent => {
      const grid = gridOf(metadata.shape, metadata.chunks);
      return { array: path, chunks: cellCount(grid), from: grid.map(() => 0), to: grid.map((length) => length - 1) };
    });
    const facts = { arrays: nodes.slice(0, MAX_PLACES).map(({ path }) => path || "/"), count: nodes.length, isWhole };
    const chunks = nodes.reduce((sum, node) => sum + cellsOf(node), 0);
    const extent = { arrays: boxes, moreArrays: nodes.length - boxes.length };
    return { ...finding("array-without-data", place, facts, chunks), extent };
  };
  if (lacking.length === 0) return [];
  if (lacking.length > 1 && (isWhole || lacking.length > MAX_NAMED)) return [told(lacking, WHOLE_SET)];
  return lacking.map((node) => told([node], nodeAt(node.path)));
}

/** Neither a coordinate nor a single element, as of a projection, nor a link to another file: numbers along dimensions. */
const isData = (node: ArrayNode): boolean =>
  !isCoordinate(node) &&
  !(isJsonObject(node.attributes) && node.attributes.has("_EXTERNAL_ARRAY_LINK")) &&
  NUMBERS.has(node.metadata.dataType.kind) &&
  node.metadata.shape.reduce((product, length) => product * length, 1) > 1;

/** Stores need not write chunks of integers that are all 0: flags and counts, where nothing says that 0 is missing. */
function mayBeZeros({ set }: SetView, { metadata, attributes }: ArrayNode): boolean {
  const isNumber = metadata.fillValue === 0 || metadata.fillValue === 0n || metadata.fillValue === false;
  const isMasked = isJsonObject(attributes) && (attributes.has("_FillValue") || attributes.has("missing_value"));
  return (
    set.resolveKey !== undefined && isNumber && !isMasked && ["int", "uint", "bool"].includes(metadata.dataType.kind)
  );
}

const cellsOf = ({ metadata }: ArrayNode): number => cellCount(gridOf(metadata.shape, metadata.chunks));

function missingOf({ counts }: SetView, node: ArrayNode): number {
  const states = counts.arrays.get(node.path)?.states;
  if (states === undefined) return cellsOf(node);
  return states.unknown > 0 ? 0 : states.missing;
}

/** Patterns of missing chunks in arrays that have some, within the budget. */
async function missingPatterns(
  view: SetView,
  present: Map<ArrayNode, Marks>,
  context: CallContext,
): Promise<ReadonlyMap<ArrayNode, MissingPattern>> {
  const byId = new Map<number, Marks>();
  const asked: { readonly node: ArrayNode; readonly marks: Marks; readonly most: number }[] = [];
  let room = MAX_BITS;
  for (const node of view.arrays) {
    const [id, cells, missing] = [view.index.arrayIds.get(node.path), cellsOf(node), missingOf(view, node)];
    const most = cells - missing;
    if (id === undefined || missing === 0 || most === 0 || roomOf(cells, most) > room) continue;
    room -= roomOf(cells, most);
    const marks = new Marks(cells, most);
    byId.set(id, marks);
    present.set(node, marks);
    asked.push({ node, marks, most });
  }
  if (asked.length > 0) await markPresent(view.index.table, byId, context);
  const patterns = new Map<ArrayNode, MissingPattern>();
  const pace = startPace(context, "Looking for missing chunks", MAX_BITS);
  for (const { node, marks, most } of asked) {
    const grid = gridOf(node.metadata.shape, node.metadata.chunks);
    patterns.set(node, await missingPattern(marks, most, grid, pace));
  }
  return patterns;
}

/**
 * Arrays of one group over the same dimensions: none of which whole steps are missing, or which are missing
 * themselves.
 */
function gridsOf(
  view: SetView,
  present: ReadonlyMap<ArrayNode, Marks>,
  leftOut: ReadonlySet<ArrayNode>,
): readonly ArraysOfGrid[] {
  const known = view.arrays.filter((node) => {
    const unknown = view.counts.arrays.get(node.path)?.states.unknown ?? 0;
    return !leftOut.has(node) && unknown === 0 && (present.has(node) || missingOf(view, node) === 0);
  });
  const outline = (node: ArrayNode): string => {
    const { shape, chunks } = node.metadata;
    return JSON.stringify([parentOf(node), gridOf(shape, chunks), shape.map((_, axis) => dimensionOf(node, axis))]);
  };
  return [...groupedBy(known, outline).values()].map((nodes) => {
    const { shape, chunks } = nodes[0].metadata;
    return {
      grid: gridOf(shape, chunks),
      arrays: nodes.map((node) => ({ node, present: present.get(node), missing: missingOf(view, node) })),
    };
  });
}

function gapsOf(node: ArrayNode, { steps, scattered, outside }: MissingPattern): readonly MissingInArray[] {
  if (scattered > outside * SCATTERED) return [];
  const grid = gridOf(node.metadata.shape, node.metadata.chunks);
  return steps.flatMap(({ axis, runs, every }) => {
    const length = grid[axis] as number;
    const lost = runs.reduce((sum, { from, to }) => sum + to - from + 1, 0);
    if (every === undefined && runs.length > MAX_RUNS && lost > length * SCATTERED) return [];
    return [{ node, grid, axis, runs, every }];
  });
}

/** Arrays that lack the same steps of one dimension lack them for one reason. */
const keyOfGap = ({ node, grid, axis, runs }: MissingInArray): string =>
  JSON.stringify([
    parentOf(node),
    dimensionOf(node, axis),
    grid[axis],
    runs,
    typeof dimensionOf(node, axis) === "number" ? node.path : "",
  ]);

function incomplete(view: SetView, node: ArrayNode, missing: number, pattern: MissingPattern | undefined) {
  const [length = 0] = gridOf(node.metadata.shape, node.metadata.chunks);
  const runs = pattern?.steps[0]?.runs ?? [{ from: 0, to: length - 1 }];
  const places = runs
    .flatMap(({ from, to }) => Array.from({ length: Math.min(MAX_PLACES, to - from + 1) }, (_, at) => from + at))
    .slice(0, MAX_PLACES)
    .map((at) => chunkAt(node.path, [at]));
  const [place = chunkAt(node.path, [0])] = places;
  const isOne =
    missing === 1 &&
    declaredExtent(node.metadata.shape[0] ?? 0, node.metadata.chunks[0] ?? 1, place.coordinates[0] ?? 0) === 1;
  const facts = {
    missing,
    chunks: length,
    dimension: dimensionOf(node, 0),
    isUnwritten: (isOne && isNative(view, node)) || (missing === length && isDataFile(view.set)),
  };
  const box = { array: node.path, chunks: missing, from: [runs[0]?.from ?? 0], to: [runs.at(-1)?.to ?? 0] };
  return {
    ...finding("coordinate-incomplete", place, facts, missing),
    places,
    extent: { arrays: [box], moreArrays: 0 },
  };
}

// Positions of a grid that some arrays have and others lack, where nearly all positions are complete: what was
// written only in part, as when a run was read while its file still grew.

/** Arrays over the same grid. `present`: cells that have a reference; absent where all have. */
interface ArraysOfGrid {
  readonly grid: readonly number[];
  readonly arrays: readonly {
    readonly node: ArrayNode;
    readonly present: Marks | undefined;
    readonly missing: number;
  }[];
}

/** Fewer arrays, or positions, show no rule. */
const LEAST_ARRAYS = 3;
const LEAST_CELLS = 100;
/** Share of positions that are incomplete, up to which that is no habit of the set. */
const FEW = 0.01;
const MAX_LISTED = 1000;
const MAX_ARRAYS = 20;

interface Lack {
  readonly ordinal: number;
  arrays: number;
}

async function incompletePositions(of: ArraysOfGrid, pace: Pace): Promise<Finding | undefined> {
  const { grid, arrays } = of;
  const cells = cellCount(grid);
  const most = Math.min(cells * FEW, 1e6);
  const lacking = arrays.flatMap(({ node, present, missing }) =>
    present === undefined ? [] : [{ node, present, missing }],
  );
  if (arrays.length < LEAST_ARRAYS || cells < LEAST_CELLS || lacking.length === 0) return undefined;
  // Some may be missing in all arrays, and count as none.
  const limit = 4 * most;
  if (lacking.some(({ missing }) => missing > limit)) return undefined;
  const positions = new Map<number, Lack>();
  for (const { present } of lacking) {
    const isFew = await present.eachGap((from, to) => note(positions, from, to, limit), pace);
    if (!isFew) return undefined;
  }
  const partly = [...positions.values()].filter((one) => one.arrays < arrays.length);
  if (partly.length === 0 || partly.length > most) return undefined;
  const told = new Set(partly.map(({ ordinal }) => ordinal));
  const first = new Map<number, ChunkPlace>();
  const extents: ArrayExtent[] = [];
  for (const { node, present } of lacking)
    extents.push(...(await extentOf(node, grid, present, { told, first, pace })));
  return toldOf(of, partly, extents, first);
}

/** False where there are too many. */
function note(positions: Map<number, Lack>, from: number, to: number, limit: number): boolean {
  for (let ordinal = from; ordinal <= to && positions.size <= limit; ordinal += 1) {
    const known = positions.get(ordinal) ?? { ordinal, arrays: 0 };
    known.arrays += 1;
    positions.set(ordinal, known);
  }
  return positions.size <= limit;
}

interface Telling {
  readonly told: ReadonlySet<number>;
  readonly first: Map<number, ChunkPlace>;
  readonly pace: Pace;
}

async function extentOf({ path }: ArrayNode, grid: readonly number[], present: Marks, { told, first, pace }: Telling) {
  const box = new OrdinalBox(grid);
  await present.eachGap((from, to) => {
    for (let ordinal = from; ordinal <= to; ordinal += 1) {
      if (!told.has(ordinal)) continue;
      box.add(ordinal);
      if (!first.has(ordinal)) first.set(ordinal, chunkAt(path, coordinatesOf(grid, ordinal)));
    }
    return true;
  }, pace);
  return box.chunks === 0 ? [] : [box.extent(path)];
}

function toldOf(
  { grid, arrays }: ArraysOfGrid,
  partly: readonly Lack[],
  extents: readonly ArrayExtent[],
  first: ReadonlyMap<number, ChunkPlace>,
): Finding {
  const sorted = partly.toSorted((a, b) => a.ordinal - b.ordinal);
  const places = sorted.slice(0, MAX_PLACES).flatMap(({ ordinal }) => first.get(ordinal) ?? []);
  // Dimensions of one chunk say nothing.
  const axes = grid.flatMap((length, axis) => (length > 1 ? [axis] : []));
  const node = (arrays[0] as ArraysOfGrid["arrays"][number]).node;
  const lacks = sorted.map((one) => one.arrays);
  const facts = {
    positions: sorted.length,
    of: cellCount(grid),
    dimensions: axes.map((axis) => dimensionOf(node, axis)),
    listed: sorted.slice(0, MAX_LISTED).map(({ ordinal }) => {
      const at = coordinatesOf(grid, ordinal);
      return axes.map((axis) => at[axis] as number);
    }),
    arrays: arrays.length,
    least: lacks.reduce((least, one) => Math.min(least, one)),
    most: lacks.reduce((most, one) => Math.max(most, one)),
  };
  const count = extents.reduce((sum, { chunks }) => sum + chunks, 0);
  const listed = extents.slice(0, MAX_ARRAYS);
  return {
    ...finding("positions-incomplete", places[0] as ChunkPlace, facts, count),
    places,
    extent: { arrays: listed, moreArrays: extents.length - listed.length },
  };
}
