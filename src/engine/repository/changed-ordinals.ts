/** Changed chunks as ordinals in the grid of an open array. Of a shard that changed, its inner chunks are meant. */
import {
  cellCount,
  chunkStart,
  coordinatesOf,
  gridOf,
  insideShape,
  largestShape,
  ordinalOf,
  shardsInChunks,
} from "#core/metadata/chunk-grid.ts";
import type { ArrayMetadata } from "#core/metadata/array-metadata.ts";
import { CHANGES, type ChangeKind } from "#core/repository.ts";
import { storedGrid } from "#formats/chunk-manifest/index.ts";
import type { ChangedOrdinals } from "../engine-set.ts";
import { kindIn, MAX_CELLS, ordinalIn, pack, type ChangedCells } from "./changed-cells.ts";

/** Maximum of inner chunks of changed shards; more shards are left out. */
export const MAX_EXPANDED = 4_000_000;

/** Ascending; chunks outside the array's grid are left out. Nothing of a grid of more chunks than can be numbered. */
export function changedOrdinals(cells: ChangedCells, metadata: ArrayMetadata): ChangedOrdinals {
  if (cellCount(gridOf(metadata.shape, metadata.chunks)) > MAX_CELLS) return unpacked(new Float64Array(0));
  const stored = storedGrid(metadata);
  const inGrid = packedIn(cells, stored);
  return unpacked(metadata.sharding === undefined ? inGrid : expanded(inGrid, stored, metadata));
}

/** Repacked for the grid `stored`. */
function packedIn({ box, packed, outside }: ChangedCells, stored: readonly number[]): Float64Array<ArrayBuffer> {
  const found = new Float64Array(packed.length + outside.length);
  let used = 0;
  const keep = (ordinal: number | undefined, kind: ChangeKind): void => {
    if (ordinal !== undefined) found[used++] = pack(ordinal, kind);
  };
  // Chunks are numbered alike where the grids differ in the first dimension alone.
  const alike = box?.length === stored.length && box.every((length, axis) => axis === 0 || length === stored[axis]);
  const most = cellCount(stored);
  for (const value of packed) {
    const ordinal = ordinalIn(value);
    if (alike) keep(ordinal < most ? ordinal : undefined, kindIn(value));
    else keep(ordinalOf(stored, coordinatesOf(box ?? [], ordinal)), kindIn(value));
  }
  for (const { coordinates, kind } of outside) keep(ordinalOf(stored, coordinates), kind);
  const all = found.subarray(0, used);
  return alike && outside.length === 0 ? all : all.sort();
}

function expanded(packed: Float64Array, stored: readonly number[], metadata: ArrayMetadata): Float64Array<ArrayBuffer> {
  const grid = gridOf(metadata.shape, metadata.chunks);
  const along = shardsInChunks(metadata.sharding?.shape ?? metadata.chunks, metadata.chunks);
  const most = packed.length * cellCount(largestShape(along));
  const found = new Float64Array(Math.min(most, MAX_EXPANDED));
  let used = 0;
  for (const value of packed) {
    if (used === found.length) break;
    const shard = coordinatesOf(stored, ordinalIn(value));
    const first = chunkStart(shard, along);
    // A shard may reach beyond the grid.
    const inside = insideShape(grid, along, shard);
    const [count, run] = [cellCount(inside), inside.at(-1) ?? 1];
    for (let at = 0; at < count; at += run) {
      const cells = coordinatesOf(inside, at).map((cell, axis) => (first[axis] ?? 0) + cell);
      const start = ordinalOf(grid, cells) ?? 0;
      const end = Math.min(start + run, start + found.length - used);
      if (end === start) break;
      for (let ordinal = start; ordinal < end; ordinal += 1) found[used++] = pack(ordinal, kindIn(value));
    }
  }
  return found.subarray(0, used).sort();
}

/** Inner chunks of a shard, of the largest one where they differ. */
export const innerChunksOf = ({ chunks, sharding }: ArrayMetadata): number =>
  sharding === undefined ? 1 : cellCount(largestShape(shardsInChunks(sharding.shape, chunks)));

export function unpacked(packed: Float64Array): ChangedOrdinals {
  const ordinals = new Float64Array(packed.length);
  const kinds = new Uint8Array(packed.length);
  for (let at = 0; at < packed.length; at += 1) {
    const value = packed[at] ?? 0;
    ordinals[at] = ordinalIn(value);
    kinds[at] = value % CHANGES.length;
  }
  return { ordinals, kinds };
}
