/**
 * Where the rows of a chunk begin: at the end of a row the values jump, from one edge of the field to the other. Read some
 * elements too early or too late, the jump lies inside the rows, always in the same column.
 */
import type { ChunkMetadata } from "../../../core/metadata/array-metadata.ts";
import { decodeValues } from "../../../core/values/values.ts";
import { float64Of } from "./float64-of.ts";
import { rowLength } from "./values-of.ts";

const LEAST_ROWS = 8;
const LEAST_ROW = 8;
const LEAST_JUMP = 4;

/** Rows looked at, spread over the chunk; longer rows are not judged. */
const MAX_ROWS = 256;
const LONGEST_ROW = 65_536;

/** The column at which every row jumps, 1 to the row's length - 1; `undefined` where no column stands out. */
export function seamColumn(metadata: ChunkMetadata, bytes: Uint8Array): number | undefined {
  const row = rowLength(metadata);
  if (metadata.chunks.length < 2 || row < LEAST_ROW || row > LONGEST_ROW) return undefined;
  if (metadata.dataType.kind === "structured" || metadata.dataType.itemSize === 0) return undefined;
  const values = someRows(metadata, bytes, row);
  if (values === undefined || values.length < LEAST_ROWS * row) return undefined;
  const jumps = columnJumps(values, row);
  const order = jumps.map((_, column) => column).toSorted((a, b) => (jumps[b] ?? 0) - (jumps[a] ?? 0));
  const [first = 0, second = 0] = order;
  const stands = (jumps[first] ?? 0) > LEAST_JUMP * (jumps[second] ?? 0);
  return first > 0 && stands ? first : undefined;
}

/** Rows as they lie in memory; `undefined` where elements are not numbers. */
function someRows({ dataType }: ChunkMetadata, bytes: Uint8Array, row: number): Float64Array | undefined {
  const size = row * dataType.itemSize;
  const rows = Math.floor(bytes.length / size);
  const taken = Math.min(rows, MAX_ROWS);
  const some = new Uint8Array(taken * size);
  for (let at = 0; at < taken; at++) {
    const from = Math.floor((at * rows) / taken) * size;
    some.set(bytes.subarray(from, from + size), at * size);
  }
  const { numbers } = decodeValues(some, { dataType, chunks: [taken, row], order: "C" });
  return numbers === undefined ? undefined : float64Of(numbers);
}

/** Median of the differences across rows between each column and the one before it; 0 for the first. */
function columnJumps(values: Float64Array, row: number): readonly number[] {
  const rows = Math.floor(values.length / row);
  return Array.from({ length: row }, (_, column) => {
    if (column === 0) return 0;
    const steps = Array.from({ length: rows }, (_, at) => {
      const index = at * row + column;
      return Math.abs((values[index] as number) - (values[index - 1] as number));
    }).filter(Number.isFinite);
    return steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 2)] ?? 0;
  });
}
