/** The values of a plane as its chunks come in. */
import type { Finding } from "../findings/finding.ts";
import { outOfReach } from "../findings/out-of-reach.ts";
import type { PlaneExtent, PlaneNumbers, PlaneSteps, PlaneTile } from "./plane.ts";

export type ChunkLook = "unread" | "read" | "missing" | "failed" | "unreached";

/** Values could not be read: nothing came of the source, or what came is wrong. */
export const lookOfError = (error: Finding) => (outOfReach(error) === undefined ? "failed" : "unreached");

export const countLooks = (looks: readonly ChunkLook[], look: ChunkLook): number =>
  looks.filter((one) => one === look).length;

/** Values in squares of this many on a side: one that changed is painted anew, the others stay. */
export const SQUARE = 256;

export interface PlaneValues {
  /** Size of the thinned plane. */
  readonly rows: number;
  readonly columns: number;
  readonly steps: PlaneSteps;
  /** Row-major; NaN where nothing was read, or there is no value. */
  readonly values: PlaneNumbers;
  /** Looks by place in the chunks of the plane, row-major. */
  readonly looks: readonly ChunkLook[];
  /** Why the chunks that are failed or unreached have no values. */
  readonly failed: ReadonlyMap<number, Finding>;
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
  /** Another with every change, and in every plane; that of each square, row-major. 0: nothing is there. */
  readonly version: number;
  readonly squares: readonly number[];
  readonly squaresAcross: number;
}

let versions = 0;
/** A version that no other plane has. */
export const nextVersion = (): number => (versions += 1);

type PlaneKind = typeof Float32Array | typeof Float64Array;

/**
 * Takes tiles; `look` is what there is so far.
 *
 * @param chunks how many there are on the plane
 */
export function collectPlane(extent: PlaneExtent, steps: PlaneSteps, chunks: number) {
  const rows = Math.ceil(extent.rows / steps.down);
  const columns = Math.ceil(extent.columns / steps.across);
  // Made with the first values: a slider that goes on leaves most slices before any chunk is here.
  let made: PlaneNumbers | undefined;
  const room = (Kind: PlaneKind = Float64Array) => (made ??= new Kind(rows * columns).fill(Number.NaN));
  const roomFor = ({ values }: { readonly values: PlaneNumbers }) => {
    if (values instanceof Float32Array) return room(Float32Array);
    if (made instanceof Float32Array) made = Float64Array.from(made);
    return room();
  };
  const looks = Array.from<ChunkLook>({ length: chunks }).fill("unread");
  const failed = new Map<number, Finding>();
  const squaresAcross = Math.max(1, Math.ceil(columns / SQUARE));
  const squares = Array.from<number>({ length: squaresAcross * Math.max(1, Math.ceil(rows / SQUARE)) }).fill(0);
  let [minimum, maximum] = [Infinity, -Infinity];
  let version = 0;
  return {
    put(chunk: number, tile: PlaneTile): void {
      version = nextVersion();
      looks[chunk] = tile.kind === "values" ? "read" : tile.kind === "failed" ? lookOfError(tile.error) : tile.kind;
      if (tile.kind === "failed") failed.set(chunk, tile.error);
      if (tile.kind !== "values") return;
      const values = roomFor(tile);
      for (let row = 0; row < tile.rows; row += 1) {
        const part = tile.values.subarray(row * tile.columns, (row + 1) * tile.columns);
        values.set(part, (tile.top + row) * columns + tile.left);
      }
      const { values: all } = tile;
      for (let at = 0; at < all.length; at += 1) {
        const value = all[at] as number;
        if (value < minimum && value !== -Infinity) minimum = value;
        if (value > maximum && value !== Infinity) maximum = value;
      }
      touch(squares, squaresAcross, tile, version);
    },
    look: (): PlaneValues => ({
      rows,
      columns,
      steps,
      values: room(),
      looks: [...looks],
      failed: new Map(failed),
      ...(minimum <= maximum ? { minimum, maximum } : { minimum: undefined, maximum: undefined }),
      version,
      squares: [...squares],
      squaresAcross,
    }),
  };
}

function touch(squares: number[], across: number, { top, left, rows, columns }: PlaneTile, version: number): void {
  if (rows * columns === 0) return;
  const square = (at: number) => Math.floor(at / SQUARE);
  for (let down = square(top); down <= square(top + rows - 1); down += 1) {
    for (let along = square(left); along <= square(left + columns - 1); along += 1) {
      squares[down * across + along] = version;
    }
  }
}

/** Largest number of values that are kept for a picture. */
const MAX_VALUES = 4_000_000;

/** Every n-th element, so that the plane fits; the longer side is thinned first. */
export function stepsFor({ rows, columns }: PlaneExtent, most = MAX_VALUES): PlaneSteps {
  // Computed from what is certain: sides may have 10^15 elements.
  const side = Math.sqrt(most);
  const [shown, other] = rows < side ? [rows, most / rows] : columns < side ? [most / columns, columns] : [side, side];
  let down = Math.max(1, Math.floor(rows / Math.max(1, shown)) - 1);
  let across = Math.max(1, Math.floor(columns / Math.max(1, other)) - 1);
  while (Math.ceil(rows / down) * Math.ceil(columns / across) > most) {
    if (rows / down >= columns / across) down += 1;
    else across += 1;
  }
  return { down, across };
}

/** Nothing read yet, of so many chunks. */
export const emptyPlane = (chunks: number): PlaneValues => ({
  rows: 0,
  columns: 0,
  steps: { down: 1, across: 1 },
  values: new Float64Array(0),
  looks: Array.from<ChunkLook>({ length: chunks }).fill("unread"),
  failed: new Map(),
  minimum: undefined,
  maximum: undefined,
  version: 0,
  squares: [],
  squaresAcross: 1,
});
