/**
 * Positions of a grid that some arrays have and others lack, where nearly all positions are complete: what was written only
 * in part, as when a run was read while its file still grew. A bit for each cell of arrays that lack some.
 */
import { cellCount, coordinatesOf } from "../../../core/metadata/chunk-grid.ts";
import { finding, type Finding } from "../../../core/findings/finding.ts";
import { chunkAt, type ChunkPlace } from "../../../core/findings/place.ts";
import type { ArrayNode } from "../../../core/metadata/hierarchy.ts";
import type { Pace } from "../../pace.ts";
import { OrdinalBox } from "../../table/ordinal-box.ts";
import { eachMissing } from "../chunk-places.ts";
import { dimensionOf } from "./source-steps.ts";

/** Arrays over the same grid. `bits`: a bit for each cell that has a reference; absent where all have. */
export interface ArraysOfGrid {
  readonly grid: readonly number[];
  readonly arrays: readonly { readonly node: ArrayNode; readonly bits: Uint8Array | undefined }[];
}

/** Fewer arrays, or positions, show no rule. */
const LEAST_ARRAYS = 3;
const LEAST_CELLS = 100;
/** Share of positions that are incomplete, up to which that is no habit of the set. */
const FEW = 0.01;
const MAX_PLACES = 100;
const MAX_LISTED = 1000;
const MAX_ARRAYS = 20;

interface Lack {
  readonly ordinal: number;
  arrays: number;
}

export async function incompletePositions(of: ArraysOfGrid, pace: Pace): Promise<Finding | undefined> {
  const { grid, arrays } = of;
  const cells = cellCount(grid);
  const most = Math.min(cells * FEW, 1e6);
  const lacking = arrays.filter(({ bits }) => bits !== undefined);
  if (arrays.length < LEAST_ARRAYS || cells < LEAST_CELLS || lacking.length === 0) return undefined;
  const positions = new Map<number, Lack>();
  for (const { bits } of lacking) {
    if (!eachMissing(bits as Uint8Array, cells, (ordinal) => note(positions, ordinal, most))) return undefined;
    await pace.yieldIfDue(0);
  }
  const partly = [...positions.values()].filter((one) => one.arrays < arrays.length);
  if (partly.length === 0 || partly.length > most) return undefined;
  const told = new Set(partly.map(({ ordinal }) => ordinal));
  const first = new Map<number, ChunkPlace>();
  const extents = lacking.flatMap(({ node, bits }) => extentOf(node, grid, bits as Uint8Array, told, first));
  return toldOf(of, partly, extents, first);
}

/** False where there are too many. */
function note(positions: Map<number, Lack>, ordinal: number, most: number): boolean {
  const known = positions.get(ordinal) ?? { ordinal, arrays: 0 };
  known.arrays += 1;
  positions.set(ordinal, known);
  // Some may be missing in all arrays, and count as none.
  return positions.size <= 4 * most;
}

function extentOf(
  { path }: ArrayNode,
  grid: readonly number[],
  bits: Uint8Array,
  told: ReadonlySet<number>,
  first: Map<number, ChunkPlace>,
) {
  const box = new OrdinalBox(grid);
  eachMissing(bits, cellCount(grid), (ordinal) => {
    if (!told.has(ordinal)) return true;
    box.add(ordinal);
    if (!first.has(ordinal)) first.set(ordinal, chunkAt(path, coordinatesOf(grid, ordinal)));
    return true;
  });
  return box.chunks === 0 ? [] : [box.extent(path)];
}

function toldOf(
  { grid, arrays }: ArraysOfGrid,
  partly: readonly Lack[],
  extents: ReturnType<typeof extentOf>,
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
