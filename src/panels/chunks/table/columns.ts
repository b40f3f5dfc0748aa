/** The columns of the manifest: names, sizes, and what a cell says as text (for copying). */
import type { SortColumn, ViewRow } from "../../../core/open-set.ts";
import { originText } from "../../../core/words/origin-words.ts";
import type { ReadingResult } from "../../../core/table/reference.ts";

export type ColumnId = "key" | "coordinates" | "state" | "target" | "offset" | "length" | "end" | "from" | "read";

export interface ColumnSpec {
  readonly id: ColumnId;
  readonly header: string;
  /** Widths in CSS pixels. */
  readonly size: number;
  readonly minSize: number;
  readonly sort: SortColumn | undefined;
  readonly numeric: boolean;
  /** What the header's title says. */
  readonly meaning: string;
}

export const COLUMNS: readonly ColumnSpec[] = [
  column("key", "Key", 96, "key", "The chunk's key in the store"),
  column("coordinates", "Coordinates", 110, "key", "Position in the chunk grid, a number for each dimension"),
  column("state", "State", 86, "state", "What kind of reference the chunk has"),
  column(
    "target",
    "Target",
    88,
    "target",
    "The URL that the reference points into; of a native chunk the object of the store. When sorted, native chunks come last",
  ),
  column("offset", "Offset", 92, "offset", "First byte in the target. When sorted, native chunks come last"),
  column("length", "Length", 104, "length", "Number of bytes"),
  column("end", "End", 92, "end", "Offset + length: the first byte after the chunk"),
  column(
    "from",
    "From",
    128,
    undefined,
    "Which part of the document made the reference: refs, or an entry of gen and its variables",
  ),
  column("read", "Read", 108, undefined, "What reading the chunk gave: decoded bytes, or why it failed"),
];

function column(id: ColumnId, header: string, size: number, sort: SortColumn | undefined, meaning: string): ColumnSpec {
  const numeric = id === "offset" || id === "length" || id === "end";
  return { id, header, size, minSize: 56, sort, numeric, meaning };
}

export function columnSpec(id: string): ColumnSpec | undefined {
  return COLUMNS.find((column) => column.id === id);
}

/** What a cell says, without grouping of digits: as one would paste it. */
export function cellText(row: ViewRow, column: ColumnId, result: ReadingResult): string {
  switch (column) {
    case "key":
      return row.key;
    case "coordinates":
      return row.coordinates?.join(", ") ?? "";
    case "state":
      return row.state;
    case "target":
      return row.target ?? "";
    case "offset":
    case "length":
    case "end":
      return row[column] === undefined ? "" : String(row[column]);
    case "from":
      return originText(row.origin);
    case "read":
    default:
      return result;
  }
}

/** Tab-separated, with a header line. Tabs and line breaks in user data become spaces, so that cells stay cells. */
export function rowsAsText(rows: readonly ViewRow[], columns: readonly ColumnSpec[]): string {
  const lines = rows.map((row) => columns.map(({ id }) => oneLine(cellText(row, id, row.result))).join("\t"));
  return [columns.map(({ header }) => header).join("\t"), ...lines].join("\n");
}

const oneLine = (text: string) => text.replaceAll(/[\t\r\n]+/g, " ");

/** The part of a chunk's key after the path of the array that it is in. */
export const shortKey = (key: string, array: string | undefined): string =>
  array !== undefined && array !== "" && key.startsWith(`${array}/`) ? key.slice(array.length + 1) : key;

/** A target cut so that its end, which tells files apart, stays in sight. */
export function splitTarget(url: string): { readonly head: string; readonly tail: string } {
  // How data end says nothing.
  if (url.startsWith("data:")) return { head: url, tail: "" };
  const LONGEST_TAIL = 36;
  const slash = url.lastIndexOf("/", url.length - 2);
  const at = Math.max(slash, url.length - LONGEST_TAIL, 0);
  return { head: url.slice(0, at), tail: url.slice(at) };
}
