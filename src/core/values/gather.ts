/** Elements put into another order of dimensions. */
import type { Bytes } from "../byte-source.ts";

/**
 * Elements of `itemSize` bytes in C order of `shape`, the element at index i taken from `bytes` at the sum of
 * i[d] × `strides[d]`, which count elements.
 */
export function gather(bytes: Bytes, shape: readonly number[], strides: readonly number[], itemSize: number): Bytes {
  const target = new Uint8Array(bytes.length);
  const toStrides = stridesC(shape);
  const dimensions = shape.map((count, dimension) => ({
    count,
    fromStep: strides[dimension] ?? 0,
    toStep: toStrides[dimension] ?? 0,
  }));
  copyBox(bytes, target, { from: 0, to: 0, dimensions }, itemSize);
  return target;
}

/** Strides of an array that lies in F order: the first index runs fastest. */
export function stridesF(shape: readonly number[]): readonly number[] {
  const strides: number[] = [];
  shape.reduce((stride, length) => (strides.push(stride), stride * length), 1);
  return strides;
}

/** Strides of an array that lies in C order: the last index runs fastest. */
export const stridesC = (shape: readonly number[]): readonly number[] => stridesF(shape.toReversed()).toReversed();

/**
 * One dimension of a box of elements that is copied: how many, and how far apart they lie in each array, in elements.
 */
export interface BoxDimension {
  readonly count: number;
  readonly fromStep: number;
  readonly toStep: number;
}

export interface Box {
  /** Elements before the first one. */
  readonly from: number;
  readonly to: number;
  readonly dimensions: readonly BoxDimension[];
}

/** Copies the elements of a box, of `itemSize` bytes each, from one array to another. Steps may be negative. */
export function copyBox(source: Bytes, target: Bytes, box: Box, itemSize: number): void {
  if (itemSize === 0 || box.dimensions.some(({ count }) => count === 0)) return;
  const [width, View] = viewFor(itemSize);
  const units = itemSize / width;
  const aligned = source.byteOffset % width === 0 ? source : new Uint8Array(source);
  const from = new View(aligned.buffer, aligned.byteOffset, Math.floor(aligned.length / width));
  const to = new View(target.buffer, target.byteOffset, Math.floor(target.length / width));
  const outer = box.dimensions.slice(0, -1);
  const last = box.dimensions.at(-1) ?? { count: 1, fromStep: 1, toStep: 1 };
  const index = outer.map(() => 0);
  let [fromAt, toAt] = [box.from, box.to];
  for (let done = false; !done;) {
    copyLine(from, to, fromAt * units, toAt * units, last, units);
    done = true;
    for (let dimension = outer.length - 1; dimension >= 0 && done; dimension -= 1) {
      const { count, fromStep, toStep } = outer[dimension] as BoxDimension;
      const next = (index[dimension] ?? 0) + 1;
      done = next === count;
      index[dimension] = done ? 0 : next;
      fromAt += done ? -(count - 1) * fromStep : fromStep;
      toAt += done ? -(count - 1) * toStep : toStep;
    }
  }
}

function copyLine(
  from: Units,
  to: Units,
  fromAt: number,
  toAt: number,
  { count, fromStep, toStep }: BoxDimension,
  units: number,
): void {
  if (fromStep === 1 && toStep === 1 && count * units > 16) {
    to.set(from.subarray(fromAt, fromAt + count * units), toAt);
    return;
  }
  const [fromUnits, toUnits] = [fromStep * units, toStep * units];
  for (let i = 0, a = fromAt, b = toAt; i < count; i += 1, a += fromUnits, b += toUnits) {
    for (let unit = 0; unit < units; unit += 1) to[b + unit] = from[a + unit] as number;
  }
}

/** The widest integer of which an element is made, and its array. (Float64Array may change the payload of a NaN.) */
function viewFor(itemSize: number) {
  if (itemSize % 4 === 0) return [4, Uint32Array] as const;
  return itemSize % 2 === 0 ? ([2, Uint16Array] as const) : ([1, Uint8Array] as const);
}

type Units = Uint32Array | Uint16Array | Uint8Array;

/**
 * One step in C order over `shape`: moves `index` on, and gives the place of the next element, `from` being this
 * one's.
 */
export function advance(index: number[], shape: readonly number[], strides: readonly number[], from: number): number {
  let place = from;
  for (let dimension = shape.length - 1; dimension >= 0; dimension--) {
    const next = (index[dimension] ?? 0) + 1;
    place += strides[dimension] ?? 0;
    index[dimension] = next;
    if (next < (shape[dimension] ?? 1)) break;
    place -= next * (strides[dimension] ?? 0);
    index[dimension] = 0;
  }
  return place;
}
