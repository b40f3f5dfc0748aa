/**
 * The chunk grid as a picture: two of its dimensions, the others fixed, a pixel a cell or, in large windows, a pixel
 * many cells.
 */
import { stridesC } from "#core/values/gather.ts";
import type { CallContext } from "#core/byte-source.ts";
import { coordinatesOf } from "#core/metadata/chunk-grid.ts";
import { type FactsOf, failure, nodeAt } from "#core/findings/finding.ts";
import type { Raster, RasterColour, RasterSpec } from "#core/open-set.ts";
import { FIRST_SPECIAL_TARGET, type ReferenceTable } from "#core/table/reference-table.ts";
import { type ChunkState, type ReadingResult, STATE_CODE } from "#core/table/reference.ts";
import { type ChangeKind, CHANGES } from "#core/repository.ts";
import type { ChangedOrdinals } from "../engine-set.ts";
import { type Pace, startPace } from "../pace.ts";
import { type ArrayIndex, lowerBound } from "./array-index.ts";
import { BATCH, type Batch, fillReferences, newBatch, virtualRanges, type VirtualRanges } from "./batch.ts";
import type { ReadingResults } from "./read-entries.ts";
import type { TableIndex } from "./table-index.ts";

// The window of a chunk grid that a picture shows, and which pixel a cell falls on.

/** No screen has more pixels along one side; a picture is at most 64 MB of them. */
const MAX_PIXELS = 4096;

/** One direction of the picture. Without a dimension it is one cell wide. */
interface PlaneAxis {
  readonly dimension: number | undefined;
  /** First cell of the window, and cells in it. */
  readonly from: number;
  readonly cells: number;
  /** From a cell to the next: in ordinals. */
  readonly stride: number;
  readonly cellsPerPixel: number;
  readonly pixels: number;
  /** From a pixel to the next: in positions of the picture. */
  readonly pixelStride: number;
}

interface Plane {
  readonly down: PlaneAxis;
  readonly along: PlaneAxis;
  /** Ordinal of the cell at the fixed coordinates and at 0 of the two dimensions shown. */
  readonly base: number;
  /** The fixed coordinate of each dimension, `undefined` for the two shown. */
  readonly fixed: readonly (number | undefined)[];
}

/** Throws `plane-invalid` where dimensions or fixed coordinates do not belong to the grid. No grid: an empty plane. */
function planeOf(grid: readonly number[] | undefined, spec: RasterSpec): Plane {
  if (grid !== undefined) checkDimensions(grid, spec);
  // A dimension without chunks leaves nothing to show, also where it is one of the fixed ones.
  if (grid === undefined || grid.includes(0)) return { down: NO_CELLS, along: NO_CELLS, base: 0, fixed: [] };
  const strides = stridesC(grid);
  const { rowDimension: row, columnDimension: column } = spec;
  const axis = (dimension: number | undefined, window: RasterSpec["rows"], limit: number) => {
    const [count, stride] = dimension === undefined ? [1, 0] : [grid[dimension] ?? 0, strides[dimension] ?? 0];
    return { dimension, stride, ...pixelsAlong(count, window, limit) };
  };
  const along = axis(column, spec.columns, spec.width);
  const down = axis(row, spec.rows, spec.height);
  const fixed = grid.map((_, at) => (at === row || at === column ? undefined : spec.fixed[at]));
  const base = fixed.reduce<number>((sum, at, dimension) => sum + (at ?? 0) * (strides[dimension] ?? 0), 0);
  return { along: { ...along, pixelStride: 1 }, down: { ...down, pixelStride: along.pixels }, base, fixed };
}

/** Position in the picture of the pixel that shows a cell, -1 where the cell lies outside the window. */
function pixelOf({ down, along, fixed }: Plane, coordinates: readonly number[]): number {
  for (let dimension = 0; dimension < fixed.length; dimension += 1) {
    const at = fixed[dimension];
    if (at !== undefined && at !== coordinates[dimension]) return -1;
  }
  const i = cellOn(down, coordinates);
  const j = cellOn(along, coordinates);
  if (i < 0 || j < 0) return -1;
  const row = Math.floor(i / down.cellsPerPixel);
  return row * down.pixelStride + Math.floor(j / along.cellsPerPixel) * along.pixelStride;
}

function cellOn({ dimension, from, cells }: PlaneAxis, coordinates: readonly number[]): number {
  const at = dimension === undefined ? 0 : (coordinates[dimension] ?? 0) - from;
  return at < cells ? at : -1;
}

function pixelsAlong(count: number, window: RasterSpec["rows"], limit: number) {
  const from = Math.min(count, Math.max(0, Math.floor(window.from)));
  const cells = Math.max(0, Math.min(count, Math.ceil(window.to)) - from);
  const room = Math.min(MAX_PIXELS, Math.max(1, Math.floor(limit)));
  const cellsPerPixel = Math.max(1, Math.ceil(cells / room));
  return { from, cells, cellsPerPixel, pixels: Math.ceil(cells / cellsPerPixel) };
}

const NO_CELLS: PlaneAxis = {
  ...pixelsAlong(0, { from: 0, to: 0 }, 0),
  dimension: undefined,
  stride: 0,
  pixelStride: 1,
};

function checkDimensions(grid: readonly number[], spec: RasterSpec): void {
  const { rowDimension: row, columnDimension: column, fixed } = spec;
  const refuse = (problem: FactsOf<"plane-invalid">["problem"], dimension: number, coordinate?: number) =>
    failure("plane-invalid", nodeAt(spec.array), { grid, problem, dimension, coordinate });
  for (const dimension of [row, column]) {
    if (dimension !== undefined && !(dimension in grid)) throw refuse("dimension", dimension);
  }
  if (row !== undefined && row === column) throw refuse("same-dimension", row);
  for (const [dimension, count] of grid.entries()) {
    if (dimension === row || dimension === column || count === 0) continue;
    const at = fixed[dimension];
    if (at === undefined || !Number.isInteger(at) || at < 0 || at >= count) throw refuse("coordinate", dimension, at);
  }
}

/**
 * The window is cut at the grid's edge; an array without a grid gives an empty picture. `state`, `reading` and `change`
 * fill `codes`, `target` and `length` fill `values`; the other one is empty. Throws `no-such-array`, `plane-invalid`.
 *
 * @param history of the array, for the colours `change` and `blame`; absent = nothing changed, nothing is known
 */
export async function rasterOf(
  index: TableIndex,
  spec: RasterSpec,
  results: ReadingResults,
  context: CallContext,
  {
    changes,
    blame,
  }: { readonly changes?: ChangedOrdinals | undefined; readonly blame?: Uint32Array<ArrayBuffer> | undefined } = {},
): Promise<Raster> {
  const id = index.arrayIds.get(spec.array);
  if (id === undefined) throw failure("no-such-array", nodeAt(spec.array), { found: "nothing" });
  const { grid } = index.table.arrays[id] ?? {};
  const plane = planeOf(grid, spec);
  const pace = startPace(context, "Drawing the chunk grid", plane.down.cells * plane.along.cells);
  if (spec.colour === "change") return drawChanges(plane, changedWithin(plane, grid, changes), pace);
  if (spec.colour === "blame") return drawBlame(plane, grid, blame ?? new Uint32Array(0), pace);
  if (spec.colour === "reading") return drawReadings(plane, grid ?? [], results.get(spec.array));
  const cells = await index.arrayIndex(id, context);
  const drawn = PICTURES[spec.colour](plane);
  const brush = brushFor(index.table, virtualRanges(index.table, id), drawn);
  await draw(plane, cells, brush, pace);
  brush.finish();
  const raster = finished(plane, drawn.filled());
  if (spec.colour !== "target") return raster;
  await index.firstTargets.update(pace);
  return { ...raster, values: raster.values.map((value) => (value === 0 ? 0 : index.firstTargets.of(value - 1) + 1)) };
}

async function draw(plane: Plane, cells: ArrayIndex, brush: Pick<Brush, "add">, pace: Pace): Promise<void> {
  const span = spanToSearch(plane, cells);
  if (span === undefined) await drawCells(plane, cells, brush, pace);
  else await drawReferences(plane, cells, span, brush, pace);
}

/** From what a user must see first: what is gone, then what has other bytes. By logs all are "set". */
const TELLING_FIRST: readonly ChangeKind[] = ["removed", "changed", "added", "set"];

/**
 * A pixel shows the most important change of its cells; 0 where none of them changed. Changed chunks are drawn like the
 * references of a grid too large to list.
 */
async function drawChanges(plane: Plane, changed: ArrayIndex, pace: Pace): Promise<Raster> {
  const codes = new Uint8Array(pixelsOf(plane));
  const ranks = Uint8Array.of(CHANGES.length, ...CHANGES.map((kind) => TELLING_FIRST.indexOf(kind)));
  const add: Brush["add"] = (pixel, code) => {
    if ((ranks[code] as number) < (ranks[codes[pixel] as number] as number)) codes[pixel] = code;
  };
  await draw(plane, changed, { add }, pace);
  return finished(plane, { codes });
}

/** A pixel shows the newest commit of its cells, which has the lowest place. */
async function drawBlame(
  plane: Plane,
  grid: ArrayIndex["grid"],
  by: Uint32Array<ArrayBuffer>,
  pace: Pace,
): Promise<Raster> {
  const values = new Float64Array(pixelsOf(plane));
  const add: Brush["add"] = (pixel, commit) => {
    const shown = values[pixel] as number;
    if (commit > 0 && (shown === 0 || commit < shown)) values[pixel] = commit;
  };
  await draw(plane, { grid, cells: by.length, ordinals: undefined, rows: by, listed: by.length }, { add }, pace);
  return finished(plane, { values });
}

/** Those between the window's first and last cell; `rows` are their kinds, each an index in `CHANGES` + 1. */
function changedWithin(plane: Plane, grid: ArrayIndex["grid"], changes: ChangedOrdinals | undefined): ArrayIndex {
  const all = changes?.ordinals ?? new Float64Array(0);
  const [first, last] = endsOf(plane);
  const [from, to] = [lowerBound(all, first), lowerBound(all, last + 1)];
  const ordinals = all.subarray(from, Math.max(from, to));
  const kinds = changes?.kinds.subarray(from, Math.max(from, to)) ?? [];
  return { grid, cells: 0, ordinals, rows: Uint32Array.from(kinds, (kind) => kind + 1), listed: ordinals.length };
}

/** Ordinals of the window's first and last cell. */
function endsOf({ down, along, base }: Plane): readonly [number, number] {
  const first = base + down.from * down.stride + along.from * along.stride;
  return [first, first + (down.cells - 1) * down.stride + (along.cells - 1) * along.stride];
}

/** A pixel with a failed chunk is failed, else one with a chunk that was read is ok. */
function drawReadings(plane: Plane, grid: readonly number[], results: ReturnType<ReadingResults["get"]>): Raster {
  const codes = new Uint8Array(pixelsOf(plane));
  for (const [ordinal, { result }] of results ?? []) {
    const pixel = pixelOf(plane, coordinatesOf(grid, ordinal));
    if (pixel >= 0) codes[pixel] = Math.max(codes[pixel] as number, READING_CODE[result]);
  }
  return finished(plane, { codes });
}

/** Collects cells into batches, which are looked up and added to the picture together. */
type Brush = ReturnType<typeof brushFor>;

function brushFor(table: ReferenceTable, virtual: VirtualRanges, drawn: Picture) {
  const batch = newBatch();
  const pixels = new Uint32Array(BATCH);
  const finish = (): void => {
    fillReferences(batch, table, virtual);
    drawn.add(batch, pixels);
    batch.size = 0;
  };
  return {
    /** `row` is the cell's row + 1, 0 for a cell without a reference. */
    add(pixel: number, row: number): void {
      if (row === 0) return;
      pixels[batch.size] = pixel;
      batch.rows[batch.size] = row;
      batch.size += 1;
      if (batch.size === BATCH) finish();
    },
    finish,
  };
}

/** Every cell of the window, in the order of the ordinals: the outer loop is over the slower dimension. */
async function drawCells(plane: Plane, index: ArrayIndex, brush: Pick<Brush, "add">, pace: Pace): Promise<void> {
  const { down, along } = plane;
  const [outer, inner] = down.stride >= along.stride ? [down, along] : [along, down];
  for (let i = 0; i < outer.cells; i += 1) {
    const outerPixel = Math.floor(i / outer.cellsPerPixel) * outer.pixelStride;
    const first = plane.base + (outer.from + i) * outer.stride + inner.from * inner.stride;
    for (let pixel = 0; pixel < inner.pixels; pixel += 1) {
      const from = pixel * inner.cellsPerPixel;
      const to = Math.min(inner.cells, from + inner.cellsPerPixel);
      drawRun(
        index,
        first + from * inner.stride,
        inner.stride,
        to - from,
        outerPixel + pixel * inner.pixelStride,
        brush,
      );
      if (pixel % 1024 === 0) await pace.yieldIfDue(i * inner.cells + to);
    }
  }
}

/** `count` cells that all fall on one pixel. */
function drawRun(
  { rows, ordinals, listed }: ArrayIndex,
  first: number,
  stride: number,
  count: number,
  pixel: number,
  brush: Pick<Brush, "add">,
): void {
  for (let i = 0; i < count; i += 1) {
    const ordinal = first + i * stride;
    const entry = ordinals === undefined ? ordinal : lowerBound(ordinals, ordinal);
    if (ordinals === undefined || (entry < listed && ordinals[entry] === ordinal))
      brush.add(pixel, rows[entry] as number);
  }
}

/** The references between the window's first and last cell, as far as they lie in the window. */
async function drawReferences(
  plane: Plane,
  index: ArrayIndex,
  span: readonly [number, number],
  brush: Pick<Brush, "add">,
  pace: Pace,
): Promise<void> {
  for (let entry = span[0]; entry < span[1]; entry += 1) {
    const pixel = pixelOf(plane, coordinatesOf(index.grid ?? [], index.ordinals?.[entry] ?? 0));
    if (pixel >= 0) brush.add(pixel, index.rows[entry] as number);
    if (entry % 4096 === 0) await pace.yieldIfDue(0);
  }
}

/**
 * Entries to go through in a grid too large to list every cell of, if that is less work than looking up each cell of
 * the window by a binary search.
 */
function spanToSearch(plane: Plane, { ordinals }: ArrayIndex): readonly [number, number] | undefined {
  if (ordinals === undefined) return undefined;
  const { down, along } = plane;
  const [first, last] = endsOf(plane);
  const [from, to] = [lowerBound(ordinals, first), lowerBound(ordinals, last + 1)];
  const lookUps = down.cells * along.cells * Math.log2(ordinals.length + 2);
  return lookUps < to - from ? undefined : [from, to];
}

// The pixels of a raster while cells are added to them.

interface Picture {
  /** Adds cells with a reference, in the order of their ordinals; `pixels` says where each of the batch falls. */
  add(batch: Batch, pixels: Uint32Array): void;
  filled(): Partial<Raster>;
}

/** From what a user must see first to what is of least interest; the worst cell of a pixel gives its colour. */
const WORST_FIRST: readonly ChunkState[] = [
  "bad",
  "missing",
  "unknown",
  "range",
  "virtual",
  "whole",
  "inline",
  "native",
];
const READING_CODE: Readonly<Record<ReadingResult, number>> = { "not tried": 0, ok: 1, failed: 2 };

/** For colours made from references. */
const PICTURES: Readonly<Record<Exclude<RasterColour, "change" | "reading" | "blame">, (plane: Plane) => Picture>> = {
  state: statePicture,
  target: targetPicture,
  length: lengthPicture,
};

const pixelsOf = ({ down, along }: Plane): number => down.pixels * along.pixels;

function finished(plane: Plane, filled: Partial<Raster>): Raster {
  return {
    width: plane.along.pixels,
    height: plane.down.pixels,
    cellsDown: plane.down.cellsPerPixel,
    cellsAlong: plane.along.cellsPerPixel,
    codes: new Uint8Array(0),
    values: new Float64Array(0),
    minimum: undefined,
    maximum: undefined,
    ...filled,
  };
}

function statePicture(plane: Plane): Picture {
  const worst = new Uint8Array(pixelsOf(plane)).fill(WORST_FIRST.length);
  const added = new Uint32Array(pixelsOf(plane));
  const badness = new Uint8Array(8);
  for (const [place, state] of WORST_FIRST.entries()) badness[STATE_CODE[state]] = place;
  return {
    add({ size, state }, pixels) {
      for (let i = 0; i < size; i += 1) {
        const pixel = pixels[i] as number;
        const place = badness[state[i] as number] as number;
        if (place < (worst[pixel] as number)) worst[pixel] = place;
        (added[pixel] as number) += 1;
      }
    },
    filled: () => ({ codes: stateCodes(plane, worst, added) }),
  };
}

/** Cells that were never added have no reference: they are missing. */
function stateCodes({ down, along }: Plane, worst: Uint8Array, added: Uint32Array): Uint8Array<ArrayBuffer> {
  const codes = new Uint8Array(worst.length);
  const missing = WORST_FIRST.indexOf("missing");
  const codeOf = Uint8Array.from(WORST_FIRST, (state) => STATE_CODE[state]);
  for (let i = 0; i < down.pixels; i += 1) {
    const cellsDown = Math.min(down.cellsPerPixel, down.cells - i * down.cellsPerPixel);
    for (let j = 0; j < along.pixels; j += 1) {
      const pixel = i * along.pixels + j;
      const cells = cellsDown * Math.min(along.cellsPerPixel, along.cells - j * along.cellsPerPixel);
      const place = worst[pixel] as number;
      codes[pixel] = codeOf[(added[pixel] as number) < cells ? Math.min(missing, place) : place] as number;
    }
  }
  return codes;
}

/** Target id + 1 of the cell with the lowest ordinal that has one. */
function targetPicture(plane: Plane): Picture {
  const values = new Float64Array(pixelsOf(plane));
  return {
    add({ size, target }, pixels) {
      for (let i = 0; i < size; i += 1) {
        const id = target[i] as number;
        const pixel = pixels[i] as number;
        if (id < FIRST_SPECIAL_TARGET && values[pixel] === 0) values[pixel] = id + 1;
      }
    },
    filled: () => ({ values }),
  };
}

function lengthPicture(plane: Plane): Picture {
  const values = new Float64Array(pixelsOf(plane)).fill(-1);
  let minimum = Infinity;
  let maximum = -1;
  return {
    add({ size, length }, pixels) {
      for (let i = 0; i < size; i += 1) {
        const bytes = length[i] as number;
        if (bytes < 0) continue;
        const pixel = pixels[i] as number;
        if (bytes > (values[pixel] as number)) values[pixel] = bytes;
        if (bytes < minimum) minimum = bytes;
        if (bytes > maximum) maximum = bytes;
      }
    },
    filled: () => (maximum < 0 ? { values } : { values, minimum, maximum }),
  };
}
