/** Two dimensions of a decoded chunk, as numbers for a picture and as exact text for a table. */
import { isUnscaled, scale, scaledText, type Scaling } from "./cf.ts";
import { elementText } from "./element-text.ts";
import { RefscopeError } from "./errors.ts";
import { fillTest, type FillTest } from "./fill-mask.ts";
import type { Cells, CellsSpec, Slice, SliceSpec } from "./open-set.ts";
import type { ChunkValues } from "./values.ts";

export { elementText } from "./element-text.ts";

/** A decoded chunk as it is shown. `inside`: its extent inside the array. */
export interface ShownChunk {
  readonly values: ChunkValues;
  readonly inside: readonly number[];
  readonly scaling?: Scaling | undefined;
}

const MOST_VALUES = 1_000_000;
const MOST_CELLS = 100_000;

/**
 * Only what lies inside the array, every n-th element where it is too much; NaN where there is no (finite) number.
 * Throws RefscopeError `slice-outside` where the plane is none of this chunk's.
 */
export function sliceOf(chunk: ShownChunk, spec: Omit<SliceSpec, "reading">): Slice {
  const plane = planeOf(chunk, spec);
  const { strideDown, strideAlong } = stridesFor(plane.rows, plane.columns);
  const rows = Math.ceil(plane.rows / strideDown);
  const columns = Math.ceil(plane.columns / strideAlong);
  const number = numberReader(chunk, spec.scaled);
  const values = new Float64Array(rows * columns);
  let [minimum, maximum] = [Infinity, -Infinity];
  for (let row = 0, at = 0; row < rows; row++) {
    let element = plane.base + row * strideDown * plane.rowStep;
    for (let column = 0; column < columns; column++, at++, element += strideAlong * plane.columnStep) {
      const value = number(element);
      values[at] = value;
      if (value < minimum) minimum = value;
      if (value > maximum) maximum = value;
    }
  }
  const found = minimum <= maximum;
  const ends = { minimum: found ? minimum : undefined, maximum: found ? maximum : undefined };
  return { rows, columns, strideDown, strideAlong, values, ...ends };
}

/** A window of the plane. Throws RefscopeError `slice-outside`, or `window-too-large` past 100,000 cells. */
export function cellsOf(chunk: ShownChunk, spec: Omit<CellsSpec, "reading">): Cells {
  const plane = planeOf(chunk, spec);
  const [down, along] = [spec.rows.to - spec.rows.from, spec.columns.to - spec.columns.from];
  const isWindow = [spec.rows.from, spec.columns.from, down, along].every((n) => Number.isSafeInteger(n) && n >= 0);
  if (!isWindow || down * along > MOST_CELLS) throw tooLarge(down, along);
  const text = textReader(chunk, spec.scaled);
  const texts = Array.from({ length: down }, (_, i) => {
    const row = spec.rows.from + i;
    return Array.from({ length: along }, (_, j) => {
      const column = spec.columns.from + j;
      if (row >= plane.rows || column >= plane.columns) return null;
      return text(plane.base + row * plane.rowStep + column * plane.columnStep);
    });
  });
  return { texts };
}

interface Plane {
  readonly rows: number;
  readonly columns: number;
  /** C-order index of the plane's first element, and what a step down and along adds. */
  readonly base: number;
  readonly rowStep: number;
  readonly columnStep: number;
}

function planeOf({ values, inside }: ShownChunk, spec: Omit<SliceSpec, "reading">): Plane {
  const { rowDimension, columnDimension, fixed } = spec;
  const strides = stridesOf(values.shape);
  const isEmpty = inside.includes(0);
  let base = 0;
  for (const [dimension, extent] of inside.entries()) {
    if (dimension === rowDimension || dimension === columnDimension) continue;
    const at = fixed[dimension] ?? 0;
    if (!Number.isInteger(at) || at < 0 || (at >= extent && !isEmpty)) throw outside(inside, dimension, at);
    base += at * (strides[dimension] ?? 0);
  }
  for (const dimension of [rowDimension, columnDimension]) {
    if (dimension !== undefined && strides[dimension] === undefined) throw outside(inside, dimension, 0);
  }
  if (rowDimension !== undefined && rowDimension === columnDimension) throw outside(inside, rowDimension, 0);
  const lengthOf = (dimension: number | undefined) => (dimension === undefined ? 1 : (inside[dimension] ?? 1));
  return {
    rows: isEmpty ? 0 : lengthOf(rowDimension),
    columns: isEmpty ? 0 : lengthOf(columnDimension),
    base,
    rowStep: rowDimension === undefined ? 0 : (strides[rowDimension] ?? 0),
    columnStep: columnDimension === undefined ? 0 : (strides[columnDimension] ?? 0),
  };
}

function stridesOf(shape: readonly number[]): readonly number[] {
  const strides: number[] = [];
  let stride = 1;
  for (const extent of shape.toReversed()) {
    strides.unshift(stride);
    stride *= extent;
  }
  return strides;
}

/** The longer side is thinned first, so that a line keeps its one row. */
function stridesFor(rows: number, columns: number): Pick<Slice, "strideDown" | "strideAlong"> {
  let [strideDown, strideAlong] = [1, 1];
  while (Math.ceil(rows / strideDown) * Math.ceil(columns / strideAlong) > MOST_VALUES) {
    if (rows / strideDown >= columns / strideAlong) strideDown++;
    else strideAlong++;
  }
  return { strideDown, strideAlong };
}

function maskOf({ values, scaling }: ShownChunk): FillTest {
  return fillTest(values, null, scaling?.fillValues ?? []);
}

/**
 * Numbers for a picture. Fill values are no numbers in either view: raw ones would take the whole colour scale; the
 * table and the statistics keep them.
 */
function numberReader(chunk: ShownChunk, scaled: boolean): (element: number) => number {
  const raw = rawReader(chunk);
  const { scaling } = chunk;
  if (scaling === undefined) return raw;
  const isFill = maskOf(chunk);
  return (element) => (isFill(element) ? NaN : scaled ? scale(raw(element), scaling) : raw(element));
}

function rawReader({ values: { numbers, numeric } }: ShownChunk): (element: number) => number {
  if (numbers === undefined || !numeric) return () => NaN;
  return (element) => finite(Number(numbers[element]));
}

function finite(value: number): number {
  return Number.isFinite(value) ? value : NaN;
}

function textReader(chunk: ShownChunk, scaled: boolean): (element: number) => string | null {
  const { values, scaling } = chunk;
  if (!scaled || scaling === undefined) return (element) => elementText(values, element);
  const isFill = maskOf(chunk);
  const number = rawReader(chunk);
  return (element) => {
    const raw = number(element);
    if (isFill(element) || Number.isNaN(raw)) return null;
    return isUnscaled(scaling) ? elementText(values, element) : scaledText(raw, scaling);
  };
}

function outside(inside: readonly number[], dimension: number, at: number): RefscopeError {
  return new RefscopeError({
    code: "slice-outside",
    doing: "Showing a plane of a chunk",
    expected: `two dimensions and a position in the others, inside [${inside.join(", ")}]`,
    found: `position ${at} of dimension ${dimension}`,
  });
}

function tooLarge(down: number, along: number): RefscopeError {
  return new RefscopeError({
    code: "window-too-large",
    doing: "Showing values as a table",
    expected: `a window of at most ${MOST_CELLS} cells`,
    found: `${down} × ${along}`,
  });
}
