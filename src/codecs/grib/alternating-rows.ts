/** Rows of which every second is stored in the opposite direction (FM 92, flag table 3.4, bit 4). */
import { view } from "./numbers.ts";

/** Each grid template with rows and columns has its scanning mode at this place of section 3. */
const SCANS: ReadonlyMap<number, number> = new Map([
  ...[0, 1, 2, 3, 40, 41, 42, 43].map((template) => [template, 71] as const),
  ...[20, 30, 31, 140].map((template) => [template, 64] as const),
  [10, 59],
  [110, 56],
]);

const BY_COLUMNS = 32;
const ALTERNATING = 16;

/** Lines of points that follow each other, and points in each; `undefined` where all go in one direction, or differ in length. */
export function alternation(section3: Uint8Array): { readonly lines: number; readonly length: number } | undefined {
  const data = view(section3);
  const scan = section3[SCANS.get(data.getUint16(12)) ?? Infinity] ?? 0;
  if ((scan & ALTERNATING) === 0) return undefined;
  const [columns, rows, points] = [data.getUint32(30), data.getUint32(34), data.getUint32(6)];
  if (columns * rows !== points) return undefined;
  return (scan & BY_COLUMNS) === 0 ? { lines: rows, length: columns } : { lines: columns, length: rows };
}

/** Turns them where they are. */
export function inOneDirection(values: Float64Array<ArrayBuffer>, section3: Uint8Array): Float64Array<ArrayBuffer> {
  const found = alternation(section3);
  if (found === undefined || values.length !== found.lines * found.length) return values;
  for (let line = 1; line < found.lines; line += 2)
    values.subarray(line * found.length, (line + 1) * found.length).reverse();
  return values;
}
