/** A slice as NumPy indexes, `0,:,20:80`: which two dimensions are shown, where the others stand, and which part is seen. */
import type { Plane } from "../../core/plane/plane.ts";
import { parseSelection, selectionText, wholeDimension } from "../../core/plane/selection.ts";
import type { Span } from "../../widgets/cell-map/camera.ts";

/** By dimension: the part that is seen; absent where all of it is. */
export type SeenSpans = ReadonlyMap<number, Span>;

export interface ParsedSlice {
  readonly plane: Plane;
  readonly spans: SeenSpans;
}

/**
 * `at`: where the cursor stands along dimensions that are shown. `undefined` where the text is no slice of the array: it
 * is not shown silently as another one.
 */
export function parseSlice(text: string, shape: readonly number[], at: readonly number[]): ParsedSlice | undefined {
  let parts;
  try {
    parts = parseSelection(text, shape);
  } catch {
    return undefined;
  }
  const open = parts.flatMap(({ dropped }, dimension) => (dropped ? [] : [dimension]));
  if (open.length > 2 || parts.some(({ count, step }) => count === 0 || step !== 1)) return undefined;
  const [first, second] = open;
  const position = parts.map(({ dropped, start }, dimension) => (dropped ? start : (at[dimension] ?? 0)));
  const spans = parts.flatMap(({ dropped, start, count }, dimension): readonly [number, Span][] =>
    dropped || count === shape[dimension] ? [] : [[dimension, { from: start, to: start + count }]],
  );
  const plane = second === undefined ? { row: undefined, column: first } : { row: first, column: second };
  return { plane: { ...plane, at: position }, spans: new Map(spans) };
}

const ALL: SeenSpans = new Map();

export function sliceText({ row, column, at }: Plane, shape: readonly number[], spans = ALL): string {
  const parts = shape.map((length, dimension) => {
    if (dimension !== row && dimension !== column) {
      return { start: at[dimension] ?? 0, step: 1, count: 1, dropped: true };
    }
    const span = spans.get(dimension);
    return span === undefined
      ? wholeDimension(length)
      : { start: span.from, step: 1, count: span.to - span.from, dropped: false };
  });
  return selectionText(parts, shape);
}
