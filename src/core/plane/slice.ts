/** Two dimensions of a decoded chunk, as numbers for a picture and as exact text for a table. */
import { stridesC } from "../values/gather.ts";
import { maskOf, missingTest } from "../cf/cf-statistics.ts";
import { dateText, isUnscaled, scale, scaledText, viewedValues, type Scaling } from "../cf/cf.ts";
import { type FactsOf, failure, WHOLE_SET } from "../findings/finding.ts";
import type { Cells, CellsSpec, Slice, SliceSpec } from "../open-set.ts";
import { type ChunkValues, elementText, fieldText } from "../values/values.ts";
import { chunkAlong, type ChunkEdges, encodedExtent, startAlong } from "../metadata/chunk-grid.ts";

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

// Selects part of an array: an integer or a slice for each dimension, as NumPy's basic indexing has them (numpy.org,
// "Indexing on ndarrays"): negative positions count from the end, slices are cut at the array's edge, an integer drops
// its dimension, `...` represents the dimensions that are not named.

export interface SelectedDimension {
  /** Position of the first element; of no meaning where `count` is 0. */
  readonly start: number;
  /** To the next element; negative where the order is turned round. */
  readonly step: number;
  readonly count: number;
  /** An integer: the result has no such dimension. */
  readonly dropped: boolean;
}

/** One for each dimension of the array. */
export type Selection = readonly SelectedDimension[];

export const wholeDimension = (length: number): SelectedDimension => ({
  start: 0,
  step: 1,
  count: length,
  dropped: false,
});

/**
 * From "0,10:20,::-1", also in brackets; "" is everything. Throws RefscopeError `selection-invalid` where it cannot be
 * read, names too many dimensions, or an integer lies outside.
 */
export function parseSelection(text: string, shape: readonly number[]): Selection {
  const inner = /^\s*\[(.*)\]\s*$/s.exec(text)?.[1] ?? text;
  const parts = inner.split(",").map((part) => part.trim());
  // A final comma is allowed, as in Python's tuples.
  if (parts.at(-1) === "") parts.pop();
  return expanded(parts, shape).map((part, dimension) => selectedBy(part, shape[dimension] ?? 0, dimension));
}

const ELLIPSIS = "...";
const ALL = ":";

/** Expands `...` to as many parts as there are dimensions. */
function expanded(parts: readonly string[], shape: readonly number[]): readonly string[] {
  const at = parts.indexOf(ELLIPSIS);
  if (at !== parts.lastIndexOf(ELLIPSIS)) throw invalid({ problem: "two-ellipses", part: ELLIPSIS, shape });
  const named = at < 0 ? parts.length : parts.length - 1;
  const open = shape.length - named;
  if (open < 0) throw invalid({ problem: "too-many", part: parts.join(","), shape });
  const rest = Array.from({ length: open }, () => ALL);
  return at < 0 ? [...parts, ...rest] : [...parts.slice(0, at), ...rest, ...parts.slice(at + 1)];
}

/** Tells if a selection is written as NumPy's; all else names places. */
export const isIndexing = (text: string): boolean =>
  text
    .replaceAll(/^\s*\[|\]\s*$/g, "")
    .split(",")
    .every((part) => ["", ELLIPSIS].includes(part.trim()) || INTEGER.test(part.trim()) || SLICE.test(part));

const INTEGER = /^[+-]?\d{1,15}$/;
const SLICE = /^\s*([+-]?\d{1,15})?\s*:\s*([+-]?\d{1,15})?\s*(?::\s*([+-]?\d{1,15})?\s*)?$/;

function selectedBy(part: string, length: number, dimension: number): SelectedDimension {
  if (INTEGER.test(part)) {
    const at = Number(part);
    if (at < -length || at >= length) throw invalid({ problem: "outside", part, dimension, length });
    return { start: at < 0 ? at + length : at, step: 1, count: 1, dropped: true };
  }
  const match = SLICE.exec(part);
  if (match === null) throw invalid({ problem: "unreadable", part, dimension });
  const [from, to, step] = match.slice(1).map((number) => (number === undefined ? undefined : Number(number)));
  if (step === 0) throw invalid({ problem: "zero-step", part, dimension });
  return sliced(length, from, to, step ?? 1);
}

/** Computes Python's `slice(from, to, step).indices(length)`. */
function sliced(length: number, from: number | undefined, to: number | undefined, step: number): SelectedDimension {
  const [least, most] = step > 0 ? [0, length] : [-1, length - 1];
  const within = (at: number) => Math.min(most, Math.max(least, at < 0 ? at + length : at));
  const start = from === undefined ? (step > 0 ? least : most) : within(from);
  const end = to === undefined ? (step > 0 ? most : least) : within(to);
  const count = Math.max(0, Math.ceil((end - start) / step));
  return { start, step, count, dropped: false };
}

/** Shape of the result. */
export function selectedShape(selection: Selection): readonly number[] {
  return selection.filter(({ dropped }) => !dropped).map(({ count }) => count);
}

/** Elements of the result. */
export function selectedCount(selection: Selection): number {
  return selection.reduce((product, { count }) => product * count, 1);
}

/** Part of one chunk that a selection takes along a dimension. */
export interface Piece {
  /** Coordinate of the chunk. */
  readonly chunk: number;
  /** Position in the chunk of the first element, and to the next. */
  readonly first: number;
  readonly step: number;
  readonly count: number;
  /** Position in the result of the first element. */
  readonly to: number;
}

/** The chunks that a selection needs along a dimension with such edges, in the order of the result. */
export function piecesOf({ start, step, count }: SelectedDimension, edges: ChunkEdges): readonly Piece[] {
  const pieces: Piece[] = [];
  for (let to = 0; to < count;) {
    const position = start + to * step;
    const chunk = chunkAlong(edges, position);
    const first = position - startAlong(edges, chunk);
    const room = step > 0 ? encodedExtent(edges, chunk) - 1 - first : first;
    const taken = Math.min(count - to, Math.floor(room / Math.abs(step)) + 1);
    pieces.push({ chunk, first, step, count: taken, to });
    to += taken;
  }
  return pieces;
}

/** Python's notation of it. */
export function selectionText(selection: Selection, shape: readonly number[]): string {
  return selection.map((one, dimension) => dimensionText(one, shape[dimension] ?? 0)).join(",");
}

function dimensionText({ start, step, count, dropped }: SelectedDimension, length: number): string {
  if (dropped) return String(start);
  if (count === 0) return "0:0";
  const last = start + (count - 1) * step;
  const end = step > 0 ? last + 1 : last - 1;
  const from = start === (step > 0 ? 0 : length - 1) ? "" : String(start);
  const to = (step > 0 ? last + step >= length : last + step < 0) ? "" : String(end);
  return `${from}:${to}${step === 1 ? "" : `:${step}`}`;
}

const invalid = (facts: FactsOf<"selection-invalid">) => failure("selection-invalid", WHOLE_SET, facts);
