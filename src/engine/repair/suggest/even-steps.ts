/** Elements that go up, or down, by the same step: coordinates and counters. No wrong reading comes to look like that. */
import type { ChunkMetadata } from "../../../core/metadata/array-metadata.ts";
import type { DataType } from "../../../core/metadata/data-type.ts";
import { decodeValues } from "../../../core/values/values.ts";
import { float64Of } from "./float64-of.ts";

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
