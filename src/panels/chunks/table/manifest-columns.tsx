/** The columns of the manifest, their cells, and what a cell says as text (for copying). */
import type { CSSProperties, ReactNode } from "react";
import type { SortColumn, ViewRow, ViewSpec } from "../../../core/open-set.ts";
import type { ChunkState } from "../../../core/table/reference.ts";
import { originLines, originText } from "../../../core/words/origin-words.ts";
import { StateMark } from "../../../widgets/notes/StateMark.tsx";
import type { GridColumn, GridOrder } from "../../../widgets/data-grid/columns.ts";
import { CutKey, CutUrl } from "../../../widgets/data-grid/CutText.tsx";
import { fillWords } from "../../../widgets/fill-words.ts";
import { formatBytes, formatCount, formatExactBytes } from "../../../widgets/number-format.ts";
import { useExplain, useMessage } from "../../../widgets/notes/Notices.tsx";
import type { LengthScale } from "../cell-colours.ts";
import { RESULT_SIGNS } from "./filter-draft.ts";
import styles from "./TablePart.module.css";

/** What cells depend on beside their row. */
export interface CellContext {
  /** The array's fill value, JSON text. */
  readonly fill: string | undefined;
  /** The selected array: what its keys begin with goes without saying. Absent for groups. */
  readonly within: string | undefined;
  /** Absent while no length is known. */
  readonly scale: LengthScale | undefined;
}

export interface ManifestColumn extends Omit<GridColumn<ViewRow>, "cell" | "copy"> {
  readonly sort?: SortColumn;
  readonly cell: (row: ViewRow, context: CellContext) => ReactNode;
  /** Without grouping of digits: as one would paste it. */
  readonly text: (row: ViewRow) => string;
  /** One would paste it elsewhere, and a button hides nothing. Ctrl + C copies any cell. */
  readonly copied?: boolean;
}

const textOf = (value: number | string | null | undefined) => String(value ?? "");

export const COLUMNS: readonly ManifestColumn[] = [
  {
    id: "key",
    header: "Key",
    title: "The chunk's key in the store",
    width: 80,
    names: true,
    sort: "key",
    copied: true,
    text: ({ key }) => key,
    label: ({ key }) => key,
    cell: (row, { within }) =>
      row.coordinates === undefined ? (
        <StrayKey row={row} />
      ) : (
        <CutKey text={shortKey(row.key, within)} title={row.key} />
      ),
  },
  {
    id: "coordinates",
    header: "Coordinates",
    title: "Position in the chunk grid, a number for each dimension",
    width: 100,
    rank: 8,
    sort: "key",
    text: ({ coordinates }) => coordinates?.join(", ") ?? "",
    cell: ({ coordinates }) => <span className={styles.mono}>{coordinates?.join(", ") ?? ""}</span>,
  },
  {
    id: "state",
    header: "State",
    title: "What kind of reference the chunk has",
    width: 86,
    rank: 3,
    sort: "state",
    text: ({ state }) => state,
    cell: ({ state }) => <StateMark state={state} label />,
  },
  {
    id: "target",
    header: "Target",
    title:
      "The URL that the reference points into; of a native chunk the object of the store. When sorted, native chunks come last",
    width: 84,
    rank: 4,
    grow: 1,
    sort: "target",
    copied: true,
    text: ({ target }) => textOf(target),
    cell: (row, { fill }) => <TargetCell row={row} fill={fill} />,
  },
  {
    id: "offset",
    header: "Offset",
    title: "First byte in the target. When sorted, native chunks come last",
    width: 88,
    rank: 6,
    numeric: true,
    sort: "offset",
    copied: true,
    text: ({ offset }) => textOf(offset),
    cell: ({ offset }) => <NumberCell bytes={offset} />,
  },
  {
    id: "length",
    header: "Length",
    title: "Number of bytes",
    width: 100,
    rank: 2,
    numeric: true,
    sort: "length",
    text: ({ length }) => textOf(length),
    cell: ({ length }, { scale }) => <LengthCell bytes={length} scale={scale} />,
  },
  {
    id: "end",
    header: "End",
    title: "Offset + length: the first byte after the chunk",
    width: 88,
    rank: 7,
    numeric: true,
    sort: "end",
    copied: true,
    text: ({ end }) => textOf(end),
    cell: ({ end }) => <NumberCell bytes={end} />,
  },
  {
    id: "from",
    header: "From",
    title: "Which part of the document made the reference: refs, or an entry of gen and its variables",
    width: 128,
    rank: 5,
    copied: true,
    text: ({ origin }) => originText(origin),
    cell: ({ origin }) => (
      <span className={styles.mono} title={originLines(origin).join("\n")}>
        {originText(origin)}
      </span>
    ),
  },
  {
    id: "read",
    header: "Read",
    title: "What reading the chunk gave: decoded bytes, or why it failed",
    width: 92,
    rank: 1,
    grow: 0.5,
    text: ({ result }) => result,
    cell: (row) => <ReadCell row={row} />,
  },
];

/** Tab-separated, with a header line. Tabs and line breaks in user data become spaces, so that cells stay cells. */
export function rowsAsText(rows: readonly ViewRow[], columns: readonly ManifestColumn[]): string {
  const lines = rows.map((row) => columns.map(({ text }) => text(row).replaceAll(/[\t\r\n]+/g, " ")).join("\t"));
  return [columns.map(({ header }) => header).join("\t"), ...lines].join("\n");
}

// The order of the rows.

/** Rows of an array are in key order unless sorted; rows of a group in the order of the document. */
export const shownOrder = (order: GridOrder | undefined, isArray: boolean): GridOrder | undefined =>
  order ?? (isArray ? { id: "key", descending: false } : undefined);

/** Ascending, descending, back to the order without sorting. */
export function nextOrder(order: GridOrder | undefined, isArray: boolean, id: string): GridOrder | undefined {
  const now = shownOrder(order, isArray);
  if (now?.id === id) return now.descending ? undefined : { id, descending: true };
  return isArray && id === "key" ? undefined : { id, descending: false };
}

export function sortOf(order: GridOrder | undefined): ViewSpec["sort"] {
  const column = COLUMNS.find(({ id }) => id === order?.id)?.sort;
  return order === undefined || column === undefined ? undefined : { column, descending: order.descending };
}

// The cells.

/** The part of a chunk's key after the path of the array that it is in. */
const shortKey = (key: string, array: string | undefined): string =>
  array !== undefined && array !== "" && key.startsWith(`${array}/`) ? key.slice(array.length + 1) : key;

function StrayKey({ row: { key, reasons } }: { readonly row: ViewRow }) {
  return (
    <span className={styles.stray} title={`Not a chunk. ${useMessage(...reasons) ?? ""}`}>
      <span className={styles.strayMark} role="img" aria-label="not a chunk">
        !
      </span>
      <span className={styles.mono}>{key}</span>
    </span>
  );
}

function TargetCell({ row, fill }: { readonly row: ViewRow; readonly fill: string | undefined }) {
  const { state, target, reasons } = row;
  const reason = useMessage(...reasons);
  if (typeof target === "string" && target !== "") return <CutUrl url={target} />;
  const text = state === "bad" ? (reason ?? "cannot be understood") : withoutTarget(state, target, fill);
  return (
    <span className={styles.quiet} data-tone={state === "bad" ? "bad" : "faint"} title={text}>
      {text}
    </span>
  );
}

function withoutTarget(state: ChunkState, target: ViewRow["target"], fill: string | undefined): string {
  if (state === "missing") return fillWords(fill);
  if (state === "unknown") return "not asked for yet";
  if (state === "inline") return "in the set itself";
  if (target === "") return "empty URL";
  return state === "native" ? "the store itself" : "null URL";
}

interface LengthCellProps {
  readonly bytes: number | undefined;
  readonly scale: LengthScale | undefined;
}

/** With a bar, so that the long and the short are seen without reading; a broken one is longer than the scale. */
function LengthCell({ bytes, scale }: LengthCellProps) {
  if (bytes === undefined || scale === undefined) return <NumberCell bytes={bytes} />;
  const { maximum, longest } = scale;
  const digits = { "--number": `${formatCount(longest).length}ch` } as CSSProperties;
  return (
    <span className={styles.length} style={digits}>
      <span className={styles.bar} data-over={bytes > maximum} aria-hidden="true">
        <span style={{ width: `${Math.min(1, bytes / Math.max(1, maximum)) * 100}%` }} />
      </span>
      <NumberCell bytes={bytes} />
    </span>
  );
}

function NumberCell({ bytes }: { readonly bytes: number | undefined }) {
  if (bytes === undefined) return null;
  const title = bytes < 10_000 ? formatExactBytes(bytes) : `${formatExactBytes(bytes)} (${formatBytes(bytes)})`;
  return <span title={title}>{formatCount(bytes)}</span>;
}

// What reading the chunk gave: how much came out, or why nothing did.

function ReadCell({ row: { result, read, coordinates } }: { readonly row: ViewRow }) {
  const explain = useExplain();
  // A key that is no chunk is never read.
  if (coordinates === undefined) return null;
  const { words, title } = readWords(read, explain);
  return (
    <span className={styles.read} data-result={result} title={title}>
      <span aria-hidden="true">{RESULT_SIGNS[result]}</span> {words}
    </span>
  );
}

function readWords(read: ViewRow["read"], explain: ReturnType<typeof useExplain>) {
  if (read === undefined) return { words: "not read", title: "This chunk has not been read yet" };
  if (read.result === "ok") {
    if (read.bytes === undefined) return { words: "read", title: "Read; it has no bytes of its own" };
    return { words: formatBytes(read.bytes), title: `Read: ${formatExactBytes(read.bytes)} decoded` };
  }
  const said = read.why === undefined ? undefined : explain?.(read.why);
  return { words: said?.brief ?? "failed", title: said?.message ?? "Reading failed" };
}
