import { fillWords } from "../../../widgets/fill-words.ts";
import { formatCount, formatExactBytes } from "../../../widgets/number-format.ts";
import type { CellFacts } from "./use-grid.ts";

/** What is known of a chunk, for screen readers. */
export function cellSentence({ key, row, result, change }: CellFacts, fill?: string, reason?: string): string {
  const parts = [row === undefined ? key : `${key}: ${row.state}`];
  if (change !== undefined) parts.push(change);
  if (row === undefined) return parts.join(", ");
  if (row.state === "missing") parts.push(fillWords(fill));
  if (typeof row.target === "string") parts.push(row.target);
  if (row.offset !== undefined) parts.push(`offset ${formatCount(row.offset)}`);
  if (row.length !== undefined) parts.push(formatExactBytes(row.length));
  if (reason !== undefined) parts.push(reason);
  if (result !== "not tried") parts.push(`reading ${result}`);
  return parts.join(", ");
}
