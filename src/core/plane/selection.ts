/**
 * Selects part of an array: an integer or a slice for each dimension, as NumPy's basic indexing has them (numpy.org,
 * "Indexing on ndarrays"): negative positions count from the end, slices are cut at the array's edge, an integer drops
 * its dimension, `...` represents the dimensions that are not named.
 */
import { type FactsOf, failure, WHOLE_SET } from "../findings/finding.ts";
import { chunkAlong, type ChunkEdges, encodedExtent, startAlong } from "../metadata/chunk-grid.ts";

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
