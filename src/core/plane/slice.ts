/** Two dimensions of a decoded chunk, as numbers for a picture and as exact text for a table. */
import { stridesC } from "../values/gather.ts";
import { maskOf, missingTest } from "../cf/cf-statistics.ts";
import { dateText, isUnscaled, scale, scaledText, viewedValues, type Scaling } from "../cf/cf.ts";
import { failure, WHOLE_SET } from "../findings/finding.ts";
import type { Cells, CellsSpec, Slice, SliceSpec } from "../open-set.ts";
import { type ChunkValues, elementText, fieldText } from "../values/values.ts";

export { elementText } from "../values/values.ts";

/** A decoded chunk as it is shown. `inside`: its extent inside the array. */
export interface ShownChunk {
  readonly values: ChunkValues;
  readonly inside: readonly number[];
  readonly scaling?: Scaling | undefined;
}

const MAX_VALUES = 1_000_000;
const MAX_CELLS = 100_000;

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
  const plane = planeWithFields(chunk, spec);
  const [down, along] = [spec.rows.to - spec.rows.from, spec.columns.to - spec.columns.from];
  const isWindow = [spec.rows.from, spec.columns.from, down, along].every((n) => Number.isSafeInteger(n) && n >= 0);
  if (!isWindow || down * along > MAX_CELLS) {
    throw failure("window-too-large", WHOLE_SET, { rows: down, columns: along, limit: MAX_CELLS });
  }
  const grid = (text: (element: number, column: number) => string | null) =>
    Array.from({ length: down }, (_, i) => {
      const row = spec.rows.from + i;
      return Array.from({ length: along }, (_, j) => {
        const column = spec.columns.from + j;
        if (row >= plane.rows || column >= plane.columns) return null;
        return text(plane.base + row * plane.rowStep + column * plane.columnStep, column);
      });
    });
  if (plane.fields) return { texts: grid((element, column) => fieldText(chunk.values, element, column)) };
  const texts = grid(textReader(chunk, spec.scaled));
  const count = spec.scaled ? undefined : countReader(chunk.values);
  return count === undefined ? { texts } : { texts, counts: grid(count) };
}

/**
 * One field per column where that is requested, the chunk is of structures, and nothing else runs along the columns.
 */
function planeWithFields(chunk: ShownChunk, spec: Omit<CellsSpec, "reading">): Plane & { readonly fields: boolean } {
  const plane = planeOf(chunk, spec);
  const { dataType } = chunk.values;
  const isApart = spec.fields === true && spec.columnDimension === undefined && dataType.kind === "structured";
  return isApart ? { ...plane, columns: dataType.fields.length, fields: true } : { ...plane, fields: false };
}

/** The integers behind dates and durations; `undefined` for other types. */
function countReader({ numbers, dataType }: ChunkValues): ((element: number) => string) | undefined {
  const isTime = dataType.kind === "datetime" || dataType.kind === "timedelta";
  return isTime && numbers !== undefined ? (element) => String(numbers[element]) : undefined;
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
  const strides = stridesC(values.shape);
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

/** The longer side is thinned first, so that a line keeps its one row. */
function stridesFor(rows: number, columns: number): Pick<Slice, "strideDown" | "strideAlong"> {
  let [strideDown, strideAlong] = [1, 1];
  while (Math.ceil(rows / strideDown) * Math.ceil(columns / strideAlong) > MAX_VALUES) {
    if (rows / strideDown >= columns / strideAlong) strideDown++;
    else strideAlong++;
  }
  return { strideDown, strideAlong };
}

/**
 * Numbers for a picture. Fill values are not numbers in either view: raw ones would take the whole colour scale; the
 * table and the statistics keep them. A 0 that is missing only by xarray's rule stays in the raw picture.
 */
export function numberReader(chunk: ShownChunk, scaled: boolean): (element: number) => number {
  const { scaling, values } = chunk;
  if (scaling === undefined || (!scaled && scaling.zeroIsImplied === true)) return rawReader(values);
  const mask = maskOf(values, scaling);
  if (!scaled) {
    const raw = rawReader(values);
    return (element) => (mask(element) ? NaN : raw(element));
  }
  const viewed = viewedValues(values, scaling);
  const isMissing = viewed.numbers === undefined ? mask : missingTest(viewed, viewed.numbers, scaling, mask);
  const number = rawReader(viewed);
  return (element) => (isMissing(element) ? NaN : scale(number(element), scaling));
}

function rawReader({ numbers, numeric }: ChunkValues): (element: number) => number {
  if (numbers === undefined || !numeric) return () => NaN;
  return (element) => finite(Number(numbers[element]));
}

const finite = (value: number): number => (Number.isFinite(value) ? value : NaN);

function textReader(chunk: ShownChunk, scaled: boolean): (element: number) => string | null {
  const { values: stored, scaling } = chunk;
  const values = scaling === undefined || !scaled ? stored : viewedValues(stored, scaling);
  const { numbers } = values;
  if (!scaled || scaling === undefined || numbers === undefined) return (element) => elementText(values, element);
  const { time } = scaling;
  const isFloat = values.dataType.kind === "float";
  const isMissing = missingTest(values, numbers, scaling, maskOf(stored, scaling));
  return (element) => {
    if (isMissing(element)) return null;
    const raw = numbers[element] ?? 0;
    if (time !== undefined) return dateText(raw, scaling, time, isFloat);
    return isUnscaled(scaling) ? elementText(values, element) : scaledText(Number(raw), scaling);
  };
}

function outside(inside: readonly number[], dimension: number, position: number) {
  return failure("slice-outside", WHOLE_SET, { inside, dimension, position });
}
