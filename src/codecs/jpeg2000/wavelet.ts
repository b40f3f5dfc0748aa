/**
 * The inverse wavelet transforms (ITU-T T.800 Annex F). A plane has its bands in the corners: those of a resolution are
 * turned into the next resolution, in place.
 */
import type { Rectangle } from "./code-stream.ts";

export type Plane = Int32Array | Float32Array;

export interface PlaneOf<P extends Plane> {
  readonly values: P;
  /** Values between rows. */
  readonly stride: number;
}

/** Of one direction: `low` of the values are smooth ones, `first` is 1 where the first value is a detail. */
interface Line {
  readonly count: number;
  readonly low: number;
  readonly first: 0 | 1;
}

function lineOf(from: number, to: number): Line {
  return { count: to - from, low: Math.ceil(to / 2) - Math.ceil(from / 2), first: (from & 1) as 0 | 1 };
}

/** One lifting step over a whole line, or over whole rows: every other value changes by its two neighbours. */
interface Step {
  /** 0: the values at even places change, 1: those at odd ones. */
  readonly parity: 0 | 1;
  readonly factor: number;
}

/** Table F.4, undone in this order. */
const STEPS_9_7: readonly Step[] = [
  { parity: 0, factor: -0.443506852043971 },
  { parity: 1, factor: -0.882911075530934 },
  { parity: 0, factor: 0.052980118572961 },
  { parity: 1, factor: 1.586134342059924 },
];
const SMOOTH = 1.230174104914001;
/** 1 / K is 0.812893; OpenJPEG, which Python reads with, has 13318 / 16384 here, a level of 16 bits more or less. */
const DETAIL = 0.812866211;

/** Turns the bands of `resolution` into its values: the lower resolution in the corner, details beside and below. */
export function transformBack(plane: PlaneOf<Int32Array> | PlaneOf<Float32Array>, resolution: Rectangle): void {
  const across = lineOf(resolution.x0, resolution.x1);
  const down = lineOf(resolution.y0, resolution.y1);
  if (across.count <= 0 || down.count <= 0) return;
  if (plane.values instanceof Int32Array) {
    const reversible = { values: plane.values, stride: plane.stride };
    rows53(reversible, across, down.count);
    columns53(reversible, down, across.count);
  } else {
    const real = { values: plane.values, stride: plane.stride };
    rows97(real, across, down.count);
    columns97(real, down, across.count);
  }
}

/** Smooth values and details in turns. */
function interleave(from: Plane, at: number, { count, low, first }: Line, to: Plane): void {
  for (let i = 0; i < low; i++) to[first + i * 2] = from[at + i] as number;
  for (let i = low; i < count; i++) to[1 - first + (i - low) * 2] = from[at + i] as number;
}

/** The neighbours of place i, mirrored at both ends. */
const before = (i: number): number => (i === 0 ? 1 : i - 1);
const after = (i: number, count: number): number => (i === count - 1 ? count - 2 : i + 1);

function rows53({ values, stride }: PlaneOf<Int32Array>, line: Line, rows: number): void {
  const { count, first } = line;
  const own = new Int32Array(count);
  for (let y = 0; y < rows; y++) {
    const at = y * stride;
    if (count === 1) {
      if (first === 1) values[at] = Math.trunc((values[at] as number) / 2);
      continue;
    }
    interleave(values, at, line, own);
    for (let i: number = first; i < count; i += 2) {
      own[i] = (own[i] as number) - (((own[before(i)] as number) + (own[after(i, count)] as number) + 2) >> 2);
    }
    for (let i = 1 - first; i < count; i += 2) {
      own[i] = (own[i] as number) + (((own[before(i)] as number) + (own[after(i, count)] as number)) >> 1);
    }
    values.set(own, at);
  }
}

/** Rows are put in their places first; a step then works on three whole rows. */
function spreadRows(plane: PlaneOf<Plane>, { count, low, first }: Line, width: number): void {
  const { values, stride } = plane;
  const from = (row: number) => ((row & 1) === first ? row >> 1 : low + (row >> 1)) * stride;
  const copy = values.slice(0, (count - 1) * stride + width);
  for (let row = 0; row < count; row++) values.set(copy.subarray(from(row), from(row) + width), row * stride);
}

function columns53(plane: PlaneOf<Int32Array>, line: Line, width: number): void {
  const { values, stride } = plane;
  const { count, first } = line;
  if (count === 1) {
    if (first === 1) for (let x = 0; x < width; x++) values[x] = Math.trunc((values[x] as number) / 2);
    return;
  }
  spreadRows(plane, line, width);
  for (let i: number = first; i < count; i += 2) {
    const [at, up, down] = [i * stride, before(i) * stride, after(i, count) * stride];
    for (let x = 0; x < width; x++) {
      values[at + x] =
        (values[at + x] as number) - (((values[up + x] as number) + (values[down + x] as number) + 2) >> 2);
    }
  }
  for (let i = 1 - first; i < count; i += 2) {
    const [at, up, down] = [i * stride, before(i) * stride, after(i, count) * stride];
    for (let x = 0; x < width; x++) {
      values[at + x] = (values[at + x] as number) + (((values[up + x] as number) + (values[down + x] as number)) >> 1);
    }
  }
}

function rows97({ values, stride }: PlaneOf<Float32Array>, line: Line, rows: number): void {
  const { count, first } = line;
  const own = new Float32Array(count);
  for (let y = 0; y < rows; y++) {
    const at = y * stride;
    if (count === 1) {
      if (first === 1) values[at] = (values[at] as number) / 2;
      continue;
    }
    interleave(values, at, line, own);
    for (let i: number = first; i < count; i += 2) own[i] = (own[i] as number) * SMOOTH;
    for (let i = 1 - first; i < count; i += 2) own[i] = (own[i] as number) * DETAIL;
    for (const { parity, factor } of STEPS_9_7) {
      for (let i: number = parity ^ first; i < count; i += 2) {
        own[i] = (own[i] as number) + factor * ((own[before(i)] as number) + (own[after(i, count)] as number));
      }
    }
    values.set(own, at);
  }
}

function columns97(plane: PlaneOf<Float32Array>, line: Line, width: number): void {
  const { values, stride } = plane;
  const { count, first } = line;
  if (count === 1) {
    if (first === 1) for (let x = 0; x < width; x++) values[x] = (values[x] as number) / 2;
    return;
  }
  spreadRows(plane, line, width);
  for (let i = 0; i < count; i++) {
    const factor = (i & 1) === first ? SMOOTH : DETAIL;
    for (let x = i * stride; x < i * stride + width; x++) values[x] = (values[x] as number) * factor;
  }
  for (const { parity, factor } of STEPS_9_7) {
    for (let i: number = parity ^ first; i < count; i += 2) {
      const [at, up, down] = [i * stride, before(i) * stride, after(i, count) * stride];
      for (let x = 0; x < width; x++) {
        values[at + x] =
          (values[at + x] as number) + factor * ((values[up + x] as number) + (values[down + x] as number));
      }
    }
  }
}
