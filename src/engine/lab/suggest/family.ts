/** Which elements around a chunk may belong to it: those like the ones in its middle. */
import type { ChunkMetadata } from "../../../core/array-metadata.ts";
import { decodeValues } from "../../../core/values.ts";
import { float64Of } from "./float64-of.ts";

export interface Family {
  /** Shifts in elements at which all elements of the chunk belong together: from `least` to `most`. */
  readonly least: number;
  readonly most: number;
}

/** A number beyond this, or nearer to zero, is not a measurement; fill values of netCDF and NaN are. */
const GREATEST = 1e37;
const SMALLEST = 1e-30;

/**
 * @param bytes whole elements, of which the chunk's are `count` from `from` on
 * @param byRange whether values far outside those in the middle are strangers; else only absurd floats are
 * @returns `undefined` where there is nothing to go by
 */
export function familyOf(
  metadata: ChunkMetadata,
  bytes: Uint8Array,
  { from, count, byRange }: { readonly from: number; readonly count: number; readonly byRange: boolean },
): Family | undefined {
  const elements = Math.floor(bytes.length / metadata.dataType.itemSize);
  const layout = { dataType: metadata.dataType, chunks: [elements], order: "C" } as const;
  const { numbers } = decodeValues(new Uint8Array(bytes.subarray(0, elements * metadata.dataType.itemSize)), layout);
  if (numbers === undefined) return undefined;
  const values = float64Of(numbers);
  const isFloat = metadata.dataType.kind === "float";
  const margin = Math.min(Math.floor(count / 4), from);
  const [low, high] = byRange ? widened(values.subarray(from + margin, from + count - margin)) : [-Infinity, Infinity];
  const isStranger = (at: number) => {
    const value = values[at] as number;
    if (isFloat && isAbsurd(value)) return true;
    return Number.isFinite(value) && (value < low || value > high);
  };
  return runAround(isStranger, elements, from, count);
}

function isAbsurd(value: number): boolean {
  const size = Math.abs(value);
  return value !== 0 && Number.isFinite(value) && (size > GREATEST || size < SMALLEST);
}

function widened(values: Float64Array): readonly [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (!Number.isFinite(value) || isAbsurd(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  const half = (high - low) / 2;
  return low > high ? [-Infinity, Infinity] : [low - half, high + half];
}

/** The run without strangers around the chunk's middle, as shifts; `undefined` where it is shorter than the chunk. */
function runAround(
  isStranger: (at: number) => boolean,
  elements: number,
  from: number,
  count: number,
): Family | undefined {
  const middle = from + Math.floor(count / 2);
  let [first, end] = [middle, middle];
  while (first > 0 && !isStranger(first - 1)) first -= 1;
  while (end < elements && !isStranger(end)) end += 1;
  if (end - first < count) return undefined;
  return { least: first - from, most: end - count - from };
}
