/** Decides which of two chunks owns a range, from its neighbours in the file. */
import { metadataOfChunk } from "../../core/metadata/array-metadata.ts";
import type { TargetRanges } from "../table/target-ranges.ts";
import { rangesAround } from "./claim-log.ts";
import type { RangeRows } from "./range-rows.ts";
import { possibleLengths, storedSize } from "./stored-size.ts";

/** Ranges on either side that are looked at. */
const NEAR = 3;

/** The wrong one first. */
export function wrongFirst(
  rows: RangeRows,
  ranges: TargetRanges,
  one: number,
  other: number,
): readonly [wrong: number, owner: number] {
  return ownership(rows, ranges, one, other) > ownership(rows, ranges, other, one) ? [other, one] : [one, other];
}

function ownership(rows: RangeRows, ranges: TargetRanges, place: number, rival: number): number {
  const [from, to] = rangesAround(ranges, place);
  const own = rows.chunkOf(place);
  let score = isPossible(rows, place) ? 0 : -10;
  const [first, last] = [Math.min(place, rival) - NEAR, Math.max(place, rival) + NEAR];
  for (let near = Math.max(from, first); near < Math.min(to, last + 1); near += 1) {
    if (near === place || near === rival) continue;
    const beside = rows.chunkOf(near);
    if (beside.array === own.array) score += 1;
    // Chunks of one step of a dimension lie together in many files; of neighbouring steps in others.
    const apart = own.coordinates.reduce((sum, at, axis) => sum + Math.abs(at - (beside.coordinates[axis] ?? at)), 0);
    if (beside.array === own.array) score += 1 / (1 + apart);
    else if (beside.coordinates[0] === own.coordinates[0]) score += 0.1;
  }
  return score;
}

/** Whether the array's chunks can have this length. */
function isPossible(rows: RangeRows, place: number): boolean {
  const metadata = rows.nodeOf(place)?.metadata;
  const size = metadata && storedSize(metadataOfChunk(metadata, rows.chunkOf(place).coordinates));
  if (size === undefined) return true;
  const [least, most] = possibleLengths(size);
  const length = rows.lengthOf(place);
  return length >= least && length <= most;
}
