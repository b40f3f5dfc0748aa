/** Elements put into another order of dimensions. */

/**
 * Elements of `itemSize` bytes in C order of `shape`, the element at index i taken from `bytes` at the sum of
 * i[d] × `strides[d]`, which count elements.
 */
export function gather(
  bytes: Uint8Array<ArrayBuffer>,
  shape: readonly number[],
  strides: readonly number[],
  itemSize: number,
): Uint8Array<ArrayBuffer> {
  const target = new Uint8Array(bytes.length);
  if (itemSize === 0 || bytes.length === 0 || shape.includes(0)) return target;
  const [width, View] = viewFor(itemSize);
  const source = bytes.byteOffset % width === 0 ? bytes : new Uint8Array(bytes);
  const from = new View(source.buffer, source.byteOffset, source.length / width);
  const units = itemSize / width;
  const inUnits = strides.map((stride) => stride * units);
  copy(from, new View(target.buffer), { shape, strides: inUnits, units });
  return target;
}

/** Strides of an array that lies in F order: the first index runs fastest. */
export function stridesF(shape: readonly number[]): readonly number[] {
  const strides: number[] = [];
  shape.reduce((stride, length) => (strides.push(stride), stride * length), 1);
  return strides;
}

/** Strides of an array that lies in C order: the last index runs fastest. */
export function stridesC(shape: readonly number[]): readonly number[] {
  return stridesF(shape.toReversed()).toReversed();
}

/** The widest integer of which an element is made, and its array. (Float64Array may change the payload of a NaN.) */
function viewFor(itemSize: number) {
  if (itemSize % 4 === 0) return [4, Uint32Array] as const;
  return itemSize % 2 === 0 ? ([2, Uint16Array] as const) : ([1, Uint8Array] as const);
}

type Units = Uint32Array | Uint16Array | Uint8Array;

interface Steps {
  readonly shape: readonly number[];
  /** In units, as are those of `to`. */
  readonly strides: readonly number[];
  /** In one element. */
  readonly units: number;
}

/** Walks the target in C order. */
function copy(from: Units, to: Units, { shape, strides, units }: Steps): void {
  const last = shape.length - 1;
  const run = shape[last] ?? 1;
  const stride = strides[last] ?? units;
  const outer = shape.slice(0, -1);
  const index = outer.map(() => 0);
  let base = 0;
  for (let at = 0; at < to.length; at += run * units) {
    copyRun(from, to, { base, at, run, stride, units });
    base = advance(index, outer, strides, base);
  }
}

/** One step in C order over `shape`: moves `index` on, and gives the place of the next element, `from` being this one's. */
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

interface Run {
  readonly base: number;
  readonly at: number;
  /** Elements. */
  readonly run: number;
  readonly stride: number;
  readonly units: number;
}

function copyRun(from: Units, to: Units, { base, at, run, stride, units }: Run): void {
  if (stride === units && run * units > 16) {
    to.set(from.subarray(base, base + run * units), at);
    return;
  }
  for (let i = 0, source = base, target = at; i < run; i++, source += stride, target += units) {
    for (let unit = 0; unit < units; unit++) to[target + unit] = from[source + unit] as number;
  }
}
