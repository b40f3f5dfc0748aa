/** Two planes laid onto each other: the values of B in the places of A, and A − B. */
import { type ChunkEdges, chunkAlong, startAlong } from "../metadata/chunk-grid.ts";
import { type ArrayPair, mostApart, type PairedDimension } from "../set-differences.ts";
import { type ChunkLook, emptyPlane, nextVersion, type PlaneValues } from "./plane-values.ts";
import type { Plane, PlaneExtent, PlaneNumbers } from "./plane.ts";

/** A plane of an array, and how its array is cut along it. */
export interface CutPlane {
  readonly values: PlaneValues;
  readonly chunks: PlaneExtent;
  readonly side: { readonly down: ChunkEdges; readonly across: ChunkEdges };
}

export interface LaidPlanes extends Pick<ArrayPair, "scale" | "shift" | "tolerance"> {
  readonly down: Pick<PairedDimension, "offset" | "step">;
  readonly across: Pick<PairedDimension, "offset" | "step">;
}

const AS_IS = { offset: 0, step: 1 } as const;

/** The plane of B that lies on one of A, and how: `undefined` where B does not reach there. */
export function laidPlane({ row, column, at }: Plane, pair: ArrayPair, shape: readonly number[]) {
  const along = (dimension: number | undefined) => (dimension === undefined ? undefined : pair.dimensions[dimension]);
  const places: number[] = shape.map(() => 0);
  for (const [dimension, { of, offset, step }] of pair.dimensions.entries())
    if (dimension !== row && dimension !== column) places[of] = offset + step * (at[dimension] ?? 0);
  if (places.some((one, of) => one < 0 || one >= (shape[of] ?? 0))) return undefined;
  const plane: Plane = { row: along(row)?.of, column: along(column)?.of, at: places };
  const { scale, shift, tolerance } = pair;
  return { plane, laid: { scale, shift, tolerance, down: along(row) ?? AS_IS, across: along(column) ?? AS_IS } };
}

/**
 * Differences within the tolerance are 0. `undefined` where every n-th element was taken of both, and these are not the
 * same elements.
 */
export function planeDifference(a: CutPlane, b: CutPlane, laid: LaidPlanes) {
  const { rows, columns, steps } = a.values;
  const [down, across] = [
    placesIn(rows, steps.down, b, laid.down, "down"),
    placesIn(columns, steps.across, b, laid.across, "across"),
  ];
  if (down === undefined || across === undefined) return undefined;
  const [own, others, width] = [a.values.values, b.values.values, b.values.columns];
  const { scale, shift, tolerance } = laid;
  const isSingle = own instanceof Float32Array && others instanceof Float32Array && scale === 1 && shift === 0;
  const Kind = isSingle ? Float32Array : Float64Array;
  const [values, differences] = [new Kind(rows * columns), new Kind(rows * columns)];
  // Millions, again with every step: without an array or object for each. NaN fails all tests.
  let [least, most, lowest, highest] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let row = 0, at = 0; row < rows; row += 1) {
    const from = (down[row] as number) * width;
    for (let column = 0; column < columns; column += 1, at += 1) {
      const place = across[column] as number;
      const value = from < 0 || place < 0 ? NaN : (others[from + place] as number) * scale + shift;
      const apart = (own[at] as number) - value;
      const difference = Math.abs(apart) <= mostApart(tolerance, own[at] as number, value) ? 0 : apart;
      values[at] = value;
      differences[at] = difference;
      if (value < least && value > -Infinity) least = value;
      if (value > most && value < Infinity) most = value;
      if (difference < lowest && difference > -Infinity) lowest = difference;
      if (difference > highest && difference < Infinity) highest = difference;
    }
  }
  const looks = looksOf(a, b, laid);
  const version = nextVersion();
  const planeOf = (numbers: PlaneNumbers, own: readonly ChunkLook[], [low = 0, high = 0]: readonly number[]) => ({
    ...a.values,
    values: numbers,
    looks: own,
    version,
    squares: a.values.squares.map(() => version),
    ...(low <= high ? { minimum: low, maximum: high } : { minimum: undefined, maximum: undefined }),
  });
  const both = a.values.looks.map((look, at) => worse(look, looks[at] ?? "unread"));
  return { b: planeOf(values, looks, [least, most]), difference: planeOf(differences, both, [lowest, highest]) };
}

/** Index in the thinned plane of B for each of A's; -1: outside of B. */
function placesIn(
  count: number,
  every: number,
  { values }: CutPlane,
  { offset, step }: LaidPlanes["down"],
  side: "down" | "across",
): Int32Array | undefined {
  const [own, length] = side === "down" ? [values.steps.down, values.rows] : [values.steps.across, values.columns];
  const places = Int32Array.from({ length: count }, (_, at) => {
    const place = (offset + step * at * every) / own;
    return place < 0 || place >= length ? -1 : Number.isInteger(place) ? place : -2;
  });
  return places.includes(-2) ? undefined : places;
}

/** Results of reading B: the worst of its chunks that each chunk of A meets. */
function looksOf(a: CutPlane, b: CutPlane, laid: LaidPlanes): readonly ChunkLook[] {
  const span = (chunk: number, side: "down" | "across", last: number) => {
    const from = startAlong(a.side[side], chunk);
    return [from, Math.max(from, Math.min(last, startAlong(a.side[side], chunk + 1) - 1))] as const;
  };
  const { rows, columns, steps } = a.values;
  return a.values.looks.map((_, at) =>
    laidLook(
      b,
      laid,
      span(Math.floor(at / a.chunks.columns), "down", (rows - 1) * steps.down),
      span(at % a.chunks.columns, "across", (columns - 1) * steps.across),
    ),
  );
}

type Ends = readonly [first: number, last: number];

/** The worst result of reading B in these places of A; "missing" outside of B. */
export function laidLook(b: CutPlane, laid: LaidPlanes, down: Ends, across: Ends): ChunkLook {
  const met = (ends: Ends, side: "down" | "across", count: number) => {
    const places = ends.map((end) => laid[side].offset + laid[side].step * end);
    const [first, last] = [Math.min(...places), Math.max(...places)];
    const from = chunkAlong(b.side[side], Math.max(0, first));
    const to = last < 0 ? -1 : Math.min(count - 1, chunkAlong(b.side[side], last));
    return Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at);
  };
  const columns = met(across, "across", b.chunks.columns);
  const looks = met(down, "down", b.chunks.rows).flatMap((row) =>
    columns.map((column) => b.values.looks[row * b.chunks.columns + column] ?? "unread"),
  );
  return looks.length === 0 ? "missing" : looks.reduce(worse);
}

const ORDER: readonly ChunkLook[] = ["read", "missing", "unreached", "failed", "unread"];
const worse = (one: ChunkLook, other: ChunkLook): ChunkLook =>
  ORDER[Math.max(ORDER.indexOf(one), ORDER.indexOf(other))] ?? "unread";

/** Nothing of it was read yet. */
export const cutPlane = (
  values: PlaneValues | undefined,
  {
    chunks,
    plane,
    chunkShape,
  }: { readonly chunks: PlaneExtent; readonly plane: Plane; readonly chunkShape: readonly ChunkEdges[] },
): CutPlane => {
  const side = (dimension: number | undefined) => (dimension === undefined ? 1 : (chunkShape[dimension] ?? 1));
  return {
    values: values ?? emptyPlane(chunks.rows * chunks.columns),
    chunks,
    side: { down: side(plane.row), across: side(plane.column) },
  };
};
