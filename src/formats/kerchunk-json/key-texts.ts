/** Kept keys as text, many at once: one by one, decoding costs more than all else that is done with them. */
import { decodeText } from "./json-bytes.ts";
import { restText } from "./resolve-pending-keys.ts";
import type { PendingKeys } from "./scanner.ts";

/** Bytes decoded at once. */
const BATCH = 1 << 15;

/** Each key's row and text, in order. */
export function eachText(keys: PendingKeys, visit: (row: number, text: string) => void): void {
  const bytes = new Uint8Array(BATCH);
  let rows: number[] = [];
  let ends: number[] = [];
  let used = 0;
  const flush = (): void => {
    const { text } = decodeText(bytes.subarray(0, used));
    // Else some are not ASCII: where one ends in the text is not known.
    const isAscii = text.length === used;
    let from = 0;
    for (const [index, row] of rows.entries()) {
      const to = ends[index] ?? 0;
      visit(row, isAscii ? text.slice(from, to) : restText(bytes.subarray(from, to)));
      from = to;
    }
    [rows, ends, used] = [[], [], 0];
  };
  keys.forEach((row, rest) => {
    if (used + rest.length > BATCH) flush();
    if (rest.length > BATCH) return visit(row, restText(rest));
    bytes.set(rest, used);
    used += rest.length;
    rows.push(row);
    ends.push(used);
  });
  flush();
}
