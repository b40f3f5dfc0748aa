/** A plane through a whole array: two of its dimensions, or one, at a position in each of the others. */
import type { Scaling } from "../cf/cf.ts";
import { type ChunkEdges, chunkOf, chunkStart, encodedShape, insideShape } from "../metadata/chunk-grid.ts";
import { failure, type Finding, WHOLE_SET } from "../findings/finding.ts";
import { stridesC } from "../values/gather.ts";

export interface Plane {
  /** Dimension down; absent = one row. */
  readonly row: number | undefined;
  /** Dimension across; absent = one column. */
  readonly column: number | undefined;
  /** Position of an element in every dimension; of no meaning in those two. */
  readonly at: readonly number[];
}

/** Visible part by dimension, `to` excluded; absent if all of it is visible. */
export type SeenSpans = ReadonlyMap<number, { readonly from: number; readonly to: number }>;

/** A slice of an array on the screen. */
export interface ShownSlice {
  /** Plane that `planeAlone` gives. */
  readonly plane: Plane;
  readonly seen: SeenSpans;
  /** The part to go to whenever this is another object; `seen` follows what is gone to by hand. */
  readonly given: SeenSpans;
}

/** The plane wherever one lies along the dimensions that it shows. */
export const planeAlone = ({ row, column, at }: Plane): Plane => ({
  row,
  column,
  at: at.map((one, dimension) => (dimension === row || dimension === column ? 0 : one)),
});

export const isSamePlane = (one: Plane, other: Plane): boolean =>
  one.row === other.row && one.column === other.column && one.at.join() === other.at.join();

/** True if the plane goes through a chunk. */
export function isThrough({ row, column, at }: Plane, chunk: readonly number[], chunks: readonly ChunkEdges[]) {
  const here = chunkOf(at, chunks);
  return (
    chunk.length === here.length &&
    here.every((one, dimension) => dimension === row || dimension === column || one === chunk[dimension])
  );
}

/** Every n-th element of the array, counted from its first, is taken along the dimension. */
export interface PlaneSteps {
  readonly down: number;
  readonly across: number;
}

export interface PlaneExtent {
  readonly rows: number;
  readonly columns: number;
}

/** Elements down and across. */
export function planeExtent({ row, column }: Plane, shape: readonly number[]): PlaneExtent {
  const along = (dimension: number | undefined) => (dimension === undefined ? 1 : (shape[dimension] ?? 1));
  return { rows: along(row), columns: along(column) };
}

/** Chunks down and across, and the coordinates of each by its place. */
export interface PlaneChunks extends PlaneExtent {
  at(row: number, column: number): readonly number[];
}

/** `grid` and `chunks`: of the array. */
export function planeChunks(plane: Plane, grid: readonly number[], chunks: readonly ChunkEdges[]): PlaneChunks {
  const { row, column, at: fixed } = plane;
  const base = chunkOf(
    grid.map((_, dimension) => fixed[dimension] ?? 0),
    chunks,
  );
  return {
    ...planeExtent(plane, grid),
    at: (down, across) => base.map((at, dimension) => (dimension === row ? down : dimension === column ? across : at)),
  };
}

/** The first plane through the same chunks: what reading costs is the same for all of them. */
export function planeOfChunks(plane: Plane, chunks: readonly ChunkEdges[]): Plane {
  const { row, column } = plane;
  const start = chunkStart(chunkOf(plane.at, chunks), chunks);
  return { row, column, at: start.map((at, dimension) => (dimension === row || dimension === column ? 0 : at)) };
}

/** Part of a chunk that lies on the plane, thinned. */
export interface PlanePart extends PlaneExtent {
  /** Position of the first element on the thinned plane. */
  readonly top: number;
  readonly left: number;
  /** C-order index in the chunk of the first element, and what a step down and across adds. */
  readonly base: number;
  readonly rowStep: number;
  readonly columnStep: number;
}

/**
 * `inside`: extent of the chunk inside the array. Throws RefscopeError `slice-outside` where the plane does not go
 * through the chunk.
 */
export function planePart(
  plane: Plane,
  steps: PlaneSteps,
  chunk: {
    readonly coordinates: readonly number[];
    readonly chunks: readonly ChunkEdges[];
    readonly inside: readonly number[];
  },
): PlanePart {
  const { coordinates, chunks, inside } = chunk;
  const strides = stridesC(encodedShape(chunks, coordinates));
  const starts = chunkStart(coordinates, chunks);
  const alongOf = (dimension: number | undefined, step: number) => {
    if (dimension === undefined) return { to: 0, first: 0, count: 1, step: 0 };
    const start = starts[dimension] ?? 0;
    const to = Math.ceil(start / step);
    const first = to * step - start;
    const count = Math.max(0, Math.ceil(((inside[dimension] ?? 0) - first) / step));
    const stride = strides[dimension] ?? 0;
    return { to, first: first * stride, count, step: step * stride };
  };
  const down = alongOf(plane.row, steps.down);
  const across = alongOf(plane.column, steps.across);
  let base = down.first + across.first;
  for (const [dimension, start] of starts.entries()) {
    if (dimension === plane.row || dimension === plane.column) continue;
    const position = (plane.at[dimension] ?? 0) - start;
    if (position < 0 || position >= (inside[dimension] ?? 0)) {
      throw failure("slice-outside", WHOLE_SET, { inside, dimension, position });
    }
    base += position * (strides[dimension] ?? 0);
  }
  return {
    rows: down.count,
    columns: across.count,
    top: down.to,
    left: across.to,
    base,
    rowStep: down.step,
    columnStep: across.step,
  };
}

/** Values of a plane, in single precision if that holds every one exactly. */
export type PlaneNumbers = Float32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;

type TilePlace = Pick<PlanePart, "top" | "left" | "rows" | "columns">;

/** One chunk's part of a plane. */
export type PlaneTile = TilePlace &
  (
    | {
        readonly kind: "values";
        /** Row-major; NaN where there is no value, or none that is a number. */
        readonly values: PlaneNumbers;
      }
    | { readonly kind: "missing" }
    | { readonly kind: "failed"; readonly error: Finding }
  );

/** The part of a chunk that could not be read. */
export function failedTile(
  { plane, steps, shape, chunks }: ThinnedPlane,
  coordinates: readonly number[],
  error: Finding,
): PlaneTile {
  const inside = insideShape(shape, chunks, coordinates);
  const { top, left, rows, columns } = planePart(plane, steps, { coordinates, chunks, inside });
  return { top, left, rows, columns, kind: "failed", error };
}

export interface ThinnedPlane {
  readonly plane: Plane;
  readonly steps: PlaneSteps;
  /** Shape of the array. */
  readonly shape: readonly number[];
  readonly chunks: readonly ChunkEdges[];
}

/** Cost of reading a plane. */
export interface PlaneCost {
  /** Chunks of the plane. */
  readonly chunks: number;
  /** Without a reference. */
  readonly missing: number;
  /** Decoded already. */
  readonly kept: number;
  /** Their references have not been fetched, or there are too many to be gone through. */
  readonly unknown: number;
  /** Requests that fetching references took to know this. */
  readonly fetched?: number;
  /** To be made for the rest. */
  readonly requests: number;
  /** Stored bytes of these, as far as references say how many. */
  readonly bytes: number;
  /** Chunks that are whole files, of which nothing says how long they are. */
  readonly ofUnknownLength: number;
  readonly targets: number;
}

/** Elements as text, in C order; the first of them where there are very many. */
export interface ArrayTable {
  readonly shape: readonly number[];
  readonly dtype: string;
  readonly texts: readonly string[];
  /** Why, by chunk name; their elements are shown as fill value nowhere. */
  readonly failed: readonly (readonly [chunk: string, why: Finding])[];
  readonly missing: number;
}

/** Facts about an array's values that pictures need. */
export interface ValuesAbout {
  /** True if there are numbers to draw. */
  readonly numeric: boolean;
  /** `long_name`, else `standard_name`. */
  readonly title: string | undefined;
  /** Units of the CF values. */
  readonly units: string | undefined;
  /** Absent where the CF values are the stored ones. */
  readonly scaling?: Scaling;
  /** Paths of coordinates along several of its dimensions. */
  readonly auxiliaries: readonly string[];
}

/** Positions along all dimensions after some have moved. */
export const placedAt = (from: readonly number[], positions: ReadonlyMap<number, number>): readonly number[] =>
  from.map((one, dimension) => positions.get(dimension) ?? one);
