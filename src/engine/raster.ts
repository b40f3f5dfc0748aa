/**
 * The chunk grid as a picture: two of its dimensions, the others fixed, a pixel a cell or, in large windows, a pixel
 * many cells.
 */
import type { CallContext } from "../core/byte-source.ts";
import { coordinatesOf } from "../core/chunk-grid.ts";
import { RefscopeError } from "../core/errors.ts";
import type { Raster, RasterSpec } from "../core/open-set.ts";
import type { ReferenceTable } from "../core/reference-table.ts";
import { lowerBound, type ArrayIndex } from "./array-index.ts";
import { BATCH, fillReferences, newBatch } from "./batch.ts";
import { startPace, type Pace } from "./pace.ts";
import { picture, type Picture } from "./raster-picture.ts";
import { planeOf, pixelOf, type Plane } from "./raster-plane.ts";
import type { ReadingResults } from "./rows.ts";
import type { TableIndex } from "./table-index.ts";

/**
 * The window is cut at the grid's edge; an array without a grid gives an empty picture. `state` and `reading` fill
 * `codes`, `target` and `length` fill `values`; the other one is empty. Throws `no-such-array`, `plane-invalid`.
 */
export async function rasterOf(
  index: TableIndex,
  spec: RasterSpec,
  results: ReadingResults,
  context: CallContext,
): Promise<Raster> {
  const id = index.arrayIds.get(spec.array);
  if (id === undefined) throw unknownArray(spec.array);
  const cells = await index.arrayIndex(id, context);
  const plane = planeOf(cells.grid, spec);
  const drawn = picture(plane, spec.colour);
  if (spec.colour === "reading") {
    drawReadings(plane, cells, results.get(spec.array), drawn);
    return drawn.raster();
  }
  const span = spanToSearch(plane, cells);
  const brush = brushFor(index.table, drawn);
  const pace = startPace(context, "Drawing the chunk grid", plane.down.cells * plane.along.cells);
  if (span === undefined) await drawCells(plane, cells, brush, pace);
  else await drawReferences(plane, cells, span, brush, pace);
  brush.finish();
  return drawn.raster();
}

function drawReadings(
  plane: Plane,
  cells: ArrayIndex,
  results: ReturnType<ReadingResults["get"]>,
  drawn: Picture,
): void {
  for (const [ordinal, result] of results ?? []) {
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

function brushFor(table: ReferenceTable, drawn: Picture): Brush {
  const batch = newBatch();
  const pixels = new Uint32Array(BATCH);
  const finish = (): void => {
    fillReferences(batch, table);
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
      if (pixel % 1024 === 0 && pace.due()) await pace.rest(i * inner.cells + to);
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
    if (entry % 4096 === 0 && pace.due()) await pace.rest(0);
  }
}

/**
 * In a grid too large to list every cell of: the entries to go through, where that is less work than looking up each
 * cell of the window by a binary search.
 */
function spanToSearch(plane: Plane, { ordinals }: ArrayIndex): readonly [number, number] | undefined {
  if (ordinals === undefined) return undefined;
  const { down, along, base } = plane;
  const first = base + down.from * down.stride + along.from * along.stride;
  const last = first + (down.cells - 1) * down.stride + (along.cells - 1) * along.stride;
  const [from, to] = [lowerBound(ordinals, first), lowerBound(ordinals, last + 1)];
  const lookUps = down.cells * along.cells * Math.log2(ordinals.length + 2);
  return lookUps < to - from ? undefined : [from, to];
}

function unknownArray(path: string): RefscopeError {
  return new RefscopeError({
    code: "no-such-array",
    doing: "Drawing a chunk grid",
    where: path,
    expected: "an array of this set",
    found: "none with this path",
  });
}
