/**
 * The chunk grid as a picture: two of its dimensions, the others fixed, a pixel a cell or, in large windows, a pixel
 * many cells.
 */
import type { CallContext } from "../../core/byte-source.ts";
import { coordinatesOf } from "../../core/chunk-grid.ts";
import { failure } from "../../core/findings/failure.ts";
import { nodeAt } from "../../core/findings/place.ts";
import type { Raster, RasterSpec } from "../../core/open-set.ts";
import type { ReferenceTable } from "../../core/reference-table.ts";
import { lowerBound, type ArrayIndex } from "./array-index.ts";
import { BATCH, fillReferences, newBatch, virtualRanges, type VirtualRanges } from "./batch.ts";
import type { ChangedOrdinals } from "../engine-set.ts";
import { startPace, type Pace } from "../pace.ts";
import { changePicture, picture, type Picture } from "./raster-picture.ts";
import { planeOf, pixelOf, type Plane } from "./raster-plane.ts";
import type { ReadingResults } from "./read-entries.ts";
import type { TableIndex } from "./table-index.ts";

/**
 * The window is cut at the grid's edge; an array without a grid gives an empty picture. `state`, `reading` and `change`
 * fill `codes`, `target` and `length` fill `values`; the other one is empty. Throws `no-such-array`, `plane-invalid`.
 *
 * @param changes of the array, for the colour `change`; absent = nothing changed
 */
export async function rasterOf(
  index: TableIndex,
  spec: RasterSpec,
  results: ReadingResults,
  context: CallContext,
  changes?: ChangedOrdinals,
): Promise<Raster> {
  const id = index.arrayIds.get(spec.array);
  if (id === undefined) throw failure("no-such-array", nodeAt(spec.array), { found: "nothing" });
  const { grid } = index.table.arrays[id] ?? {};
  const plane = planeOf(grid, spec);
  if (spec.colour === "change") return drawChanges(plane, grid, changes, context);
  const cells = await index.arrayIndex(id, context);
  const drawn = picture(plane, spec.colour);
  if (spec.colour === "reading") {
    drawReadings(plane, cells, results.get(spec.array), drawn);
    return drawn.raster();
  }
  const span = spanToSearch(plane, cells);
  const brush = brushFor(index.table, virtualRanges(index.table, id), drawn);
  const pace = startPace(context, DRAWING, plane.down.cells * plane.along.cells);
  if (span === undefined) await drawCells(plane, cells, brush, pace);
  else await drawReferences(plane, cells, span, brush, pace);
  brush.finish();
  const raster = drawn.raster();
  if (spec.colour !== "target") return raster;
  await index.firstTargets.update(pace);
  return { ...raster, values: raster.values.map((value) => (value === 0 ? 0 : index.firstTargets.of(value - 1) + 1)) };
}

const DRAWING = "Drawing the chunk grid";

/** Changed chunks are drawn like the references of a grid too large to list. */
async function drawChanges(
  plane: Plane,
  grid: ArrayIndex["grid"],
  changes: ChangedOrdinals | undefined,
  context: CallContext,
): Promise<Raster> {
  const drawn = changePicture(plane);
  const cells = changedWithin(plane, grid, changes);
  const add: Brush["add"] = (pixel, code) => drawn.add(pixel, code);
  const brush: Brush = { add, finish: () => undefined };
  const pace = startPace(context, DRAWING, plane.down.cells * plane.along.cells);
  const span = spanToSearch(plane, cells);
  if (span === undefined) await drawCells(plane, cells, brush, pace);
  else await drawReferences(plane, cells, span, brush, pace);
  return drawn.raster();
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

function drawReadings(
  plane: Plane,
  cells: ArrayIndex,
  results: ReturnType<ReadingResults["get"]>,
  drawn: Picture,
): void {
  for (const [ordinal, { result }] of results ?? []) {
    const pixel = pixelOf(plane, coordinatesOf(cells.grid ?? [], ordinal));
    if (pixel >= 0) drawn.addReading(pixel, result);
  }
}

/** Collects cells into batches, which are looked up and added to the picture together. */
interface Brush {
  /** `row` is the cell's row + 1, 0 for a cell without a reference. */
  add(pixel: number, row: number): void;
  finish(): void;
}

function brushFor(table: ReferenceTable, virtual: VirtualRanges, drawn: Picture): Brush {
  const batch = newBatch();
  const pixels = new Uint32Array(BATCH);
  const finish = (): void => {
    fillReferences(batch, table, virtual);
    drawn.add(batch, pixels);
    batch.size = 0;
  };
  return {
    add(pixel, row) {
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
async function drawCells(plane: Plane, index: ArrayIndex, brush: Brush, pace: Pace): Promise<void> {
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
  brush: Brush,
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
  brush: Brush,
  pace: Pace,
): Promise<void> {
  for (let entry = span[0]; entry < span[1]; entry += 1) {
    const pixel = pixelOf(plane, coordinatesOf(index.grid ?? [], index.ordinals?.[entry] ?? 0));
    if (pixel >= 0) brush.add(pixel, index.rows[entry] as number);
    if (entry % 4096 === 0) await pace.yieldIfDue(0);
  }
}

/**
 * In a grid too large to list every cell of: the entries to go through, where that is less work than looking up each
 * cell of the window by a binary search.
 */
function spanToSearch(plane: Plane, { ordinals }: ArrayIndex): readonly [number, number] | undefined {
  if (ordinals === undefined) return undefined;
  const { down, along } = plane;
  const [first, last] = endsOf(plane);
  const [from, to] = [lowerBound(ordinals, first), lowerBound(ordinals, last + 1)];
  const lookUps = down.cells * along.cells * Math.log2(ordinals.length + 2);
  return lookUps < to - from ? undefined : [from, to];
}
