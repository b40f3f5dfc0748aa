import { fillWords } from "../../widgets/fill-words.ts";
import { formatCount, formatExactBytes } from "../../widgets/number-format.ts";
import type { CellFacts } from "./use-grid.ts";

/** What is known of a chunk, for screen readers. */
export function cellSentence({ key, row, result }: CellFacts, fill: string | undefined): string {
  if (row === undefined) return key;
  const parts = [`${key}: ${row.state}`];
  if (row.state === "missing") parts.push(fillWords(fill));
  if (typeof row.target === "string") parts.push(row.target);
  if (row.state === "range" && row.offset !== undefined) parts.push(`offset ${formatCount(row.offset)}`);
  if (row.length !== undefined) parts.push(formatExactBytes(row.length));
  if (row.reason !== undefined) parts.push(row.reason);
  if (result !== "not tried") parts.push(`reading ${result}`);
  return parts.join(", ");
}
