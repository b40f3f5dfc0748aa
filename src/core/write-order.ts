/** The order in which chunks of a grid follow each other, where that has a name. */
import type { ShardMap } from "./shard-map.ts";
import { stridesC, stridesF } from "./gather.ts";

/**
 * `ordinals` (C order of the grid) as they follow each other; some may be left out. Where several names fit, the first
 * of C, F, Morton and reverse C; `undefined` below two chunks.
 */
export function writeOrderOf(ordinals: Uint32Array, grid: readonly number[]): ShardMap["writeOrder"] {
  if (ordinals.length < 2) return undefined;
  if (isAscending(ordinals)) return "C";
  if (isAscending(ordinals.toReversed())) return "reverse C";
  if (followsRank(ordinals, grid, ranksF(grid))) return "F";
  const dimensions = grid.map((_, dimension) => dimension);
  const isMorton = [dimensions, dimensions.toReversed()].some((order) =>
    followsRank(ordinals, grid, ranksMorton(grid, order)),
  );
  return isMorton ? "Morton" : "other";
}

function isAscending(ordinals: Uint32Array): boolean {
  for (let i = 1; i < ordinals.length; i++) if ((ordinals[i] as number) <= (ordinals[i - 1] as number)) return false;
  return true;
}

/** By dimension and coordinate: what it adds to the chunk's place in the order. */
type Ranks = readonly Float64Array[];

function followsRank(ordinals: Uint32Array, grid: readonly number[], ranks: Ranks): boolean {
  const strides = stridesC(grid);
  let before = -1;
  for (const ordinal of ordinals) {
    let [rank, rest] = [0, ordinal];
    for (let dimension = 0; dimension < grid.length; dimension++) {
      const stride = strides[dimension] as number;
      const at = Math.floor(rest / stride);
      rest -= at * stride;
      rank += (ranks[dimension] as Float64Array)[at] as number;
    }
    if (rank <= before) return false;
    before = rank;
  }
  return true;
}

function ranksF(grid: readonly number[]): Ranks {
  const strides = stridesF(grid);
  return grid.map((length, dimension) => Float64Array.from({ length }, (_, at) => at * (strides[dimension] as number)));
}

/**
 * Z order over grids of any shape: bits are interleaved from the lowest, the first of `order` lowest, and a dimension
 * that has no more bits is passed over. zarr-python's first dimension runs fastest, others' last.
 */
function ranksMorton(grid: readonly number[], order: readonly number[]): Ranks {
  const ranks = grid.map((length) => new Float64Array(length));
  const bits = grid.map((length) => Math.ceil(Math.log2(Math.max(1, length))));
  let weight = 1;
  for (let bit = 0; bit < Math.max(0, ...bits); bit++) {
    for (const dimension of order) {
      if (bit >= (bits[dimension] ?? 0)) continue;
      const rank = ranks[dimension] as Float64Array;
      for (let at = 0; at < rank.length; at++) if ((at >>> bit) & 1) rank[at] = (rank[at] as number) + weight;
      weight *= 2;
    }
  }
  return ranks;
}
