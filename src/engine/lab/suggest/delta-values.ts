/** Whether a declared `delta` was not applied: then decoding sums up values that are not differences. */
import type { ChunkMetadata } from "../../../core/array-metadata.ts";
import type { Evidence } from "../../../core/lab.ts";
import { decodeValues } from "../../../core/values.ts";
import type { Verdict } from "./compare.ts";
import { rowLength } from "./values-of.ts";

const MAX_VALUES = 65_536;
const LEAST_VALUES = 32;
const LEAST_ROW = 8;
const LEAST_ROWS = 4;

/**
 * Sums betray themselves by wrapping round, always the same way, or, in an array of rows, by growing a whole row's worth
 * from row to row while the values themselves do not. A declared delta that was applied gives neither.
 */
export function summedUp(metadata: ChunkMetadata, summed: Uint8Array, plain: Uint8Array): Verdict | undefined {
  const [sums, values] = [numbersIn(metadata, summed), numbersIn(metadata, plain)];
  if (sums === undefined || values === undefined || sums.length < LEAST_VALUES || !isTypical(values)) return undefined;
  if (!isVaried(values)) return undefined;
  const evidence =
    fillLost(metadata, sums, values) ??
    poisoned(sums, values) ??
    wraps(metadata, sums, values) ??
    growsByRow(sums, values, rowLength(metadata));
  return evidence === undefined ? undefined : { evidence, weight: 0.8 };
}

function numbersIn(metadata: ChunkMetadata, bytes: Uint8Array): Float64Array | undefined {
  if (metadata.dataType.kind === "structured" || metadata.dataType.kind === "object") return undefined;
  const { numbers } = decodeValues(new Uint8Array(bytes), metadata);
  return numbers === undefined
    ? undefined
    : Float64Array.from(numbers.subarray(0, MAX_VALUES) as Iterable<number>, Number);
}

/** Differences begin with the first value itself, which is seldom like the differences after it. */
function isTypical(values: Float64Array): boolean {
  const first = values[0] ?? 0;
  const [least, most] = extent(values.subarray(1).filter(Number.isFinite));
  return first >= least - (most - least) / 2 && first <= most + (most - least) / 2;
}

function extent(values: Float64Array): readonly [number, number] {
  let [least, most] = [Infinity, -Infinity];
  for (const value of values) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return [least, most];
}

function isVaried(values: Float64Array): boolean {
  let changes = 0;
  for (let i = 2; i < values.length; i++) if (values[i] !== values[i - 1]) changes += 1;
  return changes > values.length / 10;
}

const LEAST_FILLS = 0.01;

/** Fill values are among the values as they are stored, and not among their sums. */
function fillLost({ fillValue }: ChunkMetadata, sums: Float64Array, values: Float64Array): Evidence | undefined {
  const fill = typeof fillValue === "bigint" ? Number(fillValue) : fillValue;
  if (typeof fill !== "number" || fill === 0 || !Number.isFinite(fill)) return undefined;
  const [stored, summed] = [values, sums].map((list) => list.filter((one) => one === fill).length) as [number, number];
  if (stored < Math.max(4, values.length * LEAST_FILLS) || summed * 10 > stored) return undefined;
  return { kind: "fill-lost", fill, stored, summed };
}

/** A NaN makes all sums after it NaN; between values as they are stored it stands alone. */
function poisoned(sums: Float64Array, values: Float64Array): Evidence | undefined {
  const first = values.findIndex(Number.isNaN);
  if (first < 0 || sums.subarray(first).some(Number.isFinite)) return undefined;
  const later = values.subarray(first).filter(Number.isFinite);
  if (later.length < values.length * LEAST_FINITE || later.length < LEAST_VALUES) return undefined;
  const mean = Math.abs(later.reduce((sum, one) => sum + one, 0) / later.length);
  if (!(mean > 2 * stepsAt(later, 1).mean)) return undefined;
  return { kind: "nan-spreads" };
}

const LEAST_FINITE = 0.05;

const LEAST_WRAPS = 3;

function wraps({ dataType }: ChunkMetadata, sums: Float64Array, values: Float64Array): Evidence | undefined {
  if (dataType.kind !== "int" && dataType.kind !== "uint") return undefined;
  const range = 2 ** (8 * dataType.itemSize);
  let [up, down] = [0, 0];
  for (let i = 1; i < sums.length; i++) {
    const step = (sums[i] as number) - (sums[i - 1] as number);
    if (Math.abs(step) <= range / 2) continue;
    if (step > 0) up += 1;
    else down += 1;
  }
  const count = up + down;
  const isOneWay = Math.abs(up - down) >= 0.8 * count;
  if (count < LEAST_WRAPS || !isOneWay || roughness(values, 1) + 1 > meanBits(values)) return undefined;
  return { kind: "sums-wrap", count };
}

function growsByRow(sums: Float64Array, values: Float64Array, row: number): Evidence | undefined {
  if (row < LEAST_ROW || sums.length < LEAST_ROWS * row) return undefined;
  const [sumRow, sumNext] = [stepsAt(sums, row), stepsAt(sums, 1)];
  const [row1, next] = [stepsAt(values, row), stepsAt(values, 1)];
  const growth = sumRow.mean / sumNext.mean;
  const isUsual = row1.mean < MAX_USUAL * next.mean && row1.median < MAX_USUAL * next.median;
  if (!(growth > row / 2) || !isUsual) return undefined;
  return { kind: "sums-grow" };
}

/** In real fields a step to the next row is about as large as one to the next column. */
const MAX_USUAL = 4;

/** Mean of the differences, and median of those that are not zero: means may be ruled by single jumps. */
function stepsAt(values: Float64Array, lag: number): { readonly mean: number; readonly median: number } {
  const steps = new Float64Array(values.length - lag);
  for (let i = lag; i < values.length; i++) {
    const step = Math.abs((values[i] as number) - (values[i - lag] as number));
    steps[i - lag] = Number.isFinite(step) ? step : 0;
  }
  const mean = steps.reduce((sum, one) => sum + one, 0) / steps.length;
  const changed = steps.filter((step) => step > 0).sort();
  return { mean, median: changed[changed.length >> 1] ?? 0 };
}

/** Mean bits of differences, and of the values themselves. */
function roughness(values: Float64Array, lag: number): number {
  let sum = 0;
  for (let i = lag; i < values.length; i++) {
    sum += Math.log2(1 + Math.abs((values[i] as number) - (values[i - lag] as number)));
  }
  return sum / (values.length - lag);
}

function meanBits(values: Float64Array): number {
  return values.reduce((sum, one) => sum + Math.log2(1 + Math.abs(one)), 0) / values.length;
}
