/** Judges the values of a decoded chunk. */
import type { ChunkMetadata } from "#core/metadata/array-metadata.ts";
import { looksTurned, moreOrderly, type Verdict } from "./compare.ts";
import { unitReport, unitsOf } from "./order.ts";
import { planeEntropy, type PlaneEntropy } from "./planes.ts";
import { decodeValues, float64Of } from "#core/values/values.ts";
import type { DataType } from "#core/metadata/data-type.ts";

/** Elements of a row, as they lie in memory. */
export const rowLength = ({ chunks, order }: ChunkMetadata): number => (order === "F" ? chunks[0] : chunks.at(-1)) ?? 1;

/** Bytes as declared are compared with those of every other reading. */
const KNOWN = new WeakMap<Uint8Array, Map<string, PlaneEntropy | undefined>>();

export function entropyAs(metadata: ChunkMetadata, bytes: Uint8Array): PlaneEntropy | undefined {
  const { itemSize: width, byteOrder } = metadata.dataType;
  const layout = { width, row: rowLength(metadata), big: byteOrder === "big" };
  const key = `${width} ${layout.row} ${byteOrder}`;
  const known = KNOWN.get(bytes) ?? new Map<string, PlaneEntropy | undefined>();
  KNOWN.set(bytes, known);
  if (!known.has(key)) known.set(key, planeEntropy(bytes, layout));
  return known.get(key);
}

/** Tells if `other`, of bytes taken with other metadata, is more like numbers in some field, and less in none. */
export function ordersBetter(
  declared: { readonly metadata: ChunkMetadata; readonly bytes: Uint8Array },
  other: { readonly metadata: ChunkMetadata; readonly bytes: Uint8Array },
): Verdict | undefined {
  const stride = declared.metadata.dataType.itemSize;
  const others = unitsOf(other.metadata.dataType);
  let best: Verdict | undefined;
  for (const [at, unit] of unitsOf(declared.metadata.dataType).entries()) {
    const counterpart = others[at];
    if (counterpart === undefined) return undefined;
    const [one, two] = [unitReport(declared.bytes, unit, stride), unitReport(other.bytes, counterpart, stride)];
    const isWorse = moreOrderly(unit.kind, unit.size, two, one) !== undefined;
    if (isWorse) return undefined;
    const verdict = moreOrderly(unit.kind, unit.size, one, two);
    if (verdict !== undefined && verdict.weight > (best?.weight ?? 0)) best = verdict;
  }
  return best;
}

/** True if the values look put together from the wrong bytes. */
export function isTurned(metadata: ChunkMetadata, bytes: Uint8Array): boolean {
  const stride = metadata.dataType.itemSize;
  return unitsOf(metadata.dataType).some((unit) => looksTurned(unit.kind, unitReport(bytes, unit, stride), unit.size));
}

/** Share of the floats that are NaN or infinite; 0 for other types. */
export function notFinite({ dataType }: ChunkMetadata, bytes: Uint8Array): number {
  const size = dataType.itemSize;
  if (dataType.kind !== "float" || (size !== 4 && size !== 8)) return 0;
  const count = Math.min(MAX_COUNTED, Math.floor(bytes.length / size));
  const { numbers } = decodeValues(bytes.slice(0, count * size), { dataType, chunks: [count], order: "C" });
  let found = 0;
  for (const value of numbers ?? []) if (!Number.isFinite(value)) found += 1;
  return count === 0 ? 0 : found / count;
}

const MAX_COUNTED = 65_536;

// Finds where the rows of a chunk begin: at the end of a row the values jump, from one edge of the field to the other.
// If they are read some elements too early or too late, the jump lies inside the rows, always in the same column.

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
  return first > 0 && stands && isInMostRows(values, row, first) ? first : undefined;
}

/** True if most rows have their largest jump there: over many powers of ten, some column stands out by chance. */
function isInMostRows(values: Float64Array, row: number, column: number): boolean {
  const jump = (at: number) => Math.abs((values[at] as number) - (values[at - 1] as number));
  let [rows, most] = [0, 0];
  for (let at = 0; at + row <= values.length; at += row) {
    const others = Array.from({ length: row - 1 }, (_, step) => jump(at + step + 1)).filter(Number.isFinite);
    rows += 1;
    if (jump(at + column) >= Math.max(...others)) most += 1;
  }
  return most * 2 > rows;
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
  const steps = new Float64Array(rows);
  return Array.from({ length: row }, (_, column) => {
    if (column === 0) return 0;
    let count = 0;
    for (let index = column; index < rows * row; index += row) {
      const step = Math.abs((values[index] as number) - (values[index - 1] as number));
      if (Number.isFinite(step)) steps[count++] = step;
    }
    return steps.subarray(0, count).sort()[Math.floor(count / 2)] ?? 0;
  });
}

// Elements that go up, or down, by the same step: coordinates and counters. No wrong reading comes to look like
// that.

const LEAST_ELEMENTS = 8;
const NUMBERS = new Set(["int", "uint", "float", "datetime", "timedelta"]);

/** Shares of the step, and of the greatest element, that rounding may take away. */
const TOLERANCE = 1e-4;
const FLOAT4 = 2 ** -22;
const FLOAT8 = 2 ** -50;

/** Floats nearer to zero are bytes of something else. */
const SMALLEST_STEP = 1e-30;

/**
 * The step between all neighbouring elements.
 * @param bytes the elements of a whole chunk, as they lie in memory
 * @returns `undefined` where they are not, where they are all the same, and where they are fewer than eight
 */
export function evenStep({ dataType }: ChunkMetadata, bytes: Uint8Array): number | undefined {
  const { kind, itemSize } = dataType;
  if (!NUMBERS.has(kind) || bytes.length < LEAST_ELEMENTS * itemSize) return undefined;
  const rounding = kind === "float" && itemSize === 4 ? FLOAT4 : FLOAT8;
  // Few are even that far: the others need not be copied.
  const head = stepOf(bytes.subarray(0, LEAST_ELEMENTS * itemSize), dataType, rounding);
  return head === undefined ? undefined : stepOf(bytes, dataType, rounding);
}

function stepOf(bytes: Uint8Array, dataType: DataType, rounding: number): number | undefined {
  const chunks = [Math.floor(bytes.length / dataType.itemSize)];
  const { numbers } = decodeValues(new Uint8Array(bytes), { dataType, chunks, order: "C" });
  if (numbers === undefined) return undefined;
  const values = float64Of(numbers);
  const first = values[0] ?? NaN;
  const last = values.at(-1) ?? NaN;
  const step = (last - first) / (values.length - 1);
  const size = Math.abs(step);
  const slack = Math.max(size * TOLERANCE, Math.max(Math.abs(first), Math.abs(last)) * rounding);
  if (!Number.isFinite(step) || size < SMALLEST_STEP || slack > size / 8) return undefined;
  return values.every((value, at) => Math.abs(value - (first + at * step)) <= slack) ? step : undefined;
}
