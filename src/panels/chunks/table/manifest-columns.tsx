/** The columns of the manifest, their cells, and what a cell says as text (for copying). */
import type { SortingState } from "@tanstack/react-table";
import { createContext, type CSSProperties, use } from "react";
import type { SortColumn, ViewRow, ViewSpec } from "#core/open-set.ts";
import type { ChunkState } from "#core/table/reference.ts";
import { originLines, originText } from "#core/words/origin-words.ts";
import { StateMark } from "#widgets/notes/marks.tsx";
import { type GridColumn, nameOf, type TableColumn, textOf } from "#widgets/data-grid/columns.ts";
import { CutKey, CutUrl } from "#widgets/data-grid/CutText.tsx";
import { fillWords } from "#widgets/zarr-words.ts";
import { formatBytes, formatCount, formatExactBytes } from "#widgets/number-format.ts";
import { useExplain, useMessage } from "#widgets/notes/Notices.tsx";
import type { LengthScale } from "../cell-colours.ts";
import { RESULT_SIGNS } from "./filter-draft.ts";
import styles from "./TablePart.module.css";

/** Data that cells depend on beside their row. */
export const CellContext = createContext<{
  /** The array's fill value, JSON text. */
  readonly fill: string | undefined;
  /** The selected array: what its keys begin with goes without saying. Absent for groups. */
  readonly within: string | undefined;
  /** Absent while no length is known. */
  readonly scale: LengthScale | undefined;
}>({ fill: undefined, within: undefined, scale: undefined });

/**
 * Accessors give a cell as one would paste it, without grouping of digits. A button copies what one would paste
 * elsewhere, if it hides nothing; Ctrl + C copies any cell.
 */
export const COLUMNS: readonly GridColumn<ViewRow>[] = [
  {
    id: "key",
    header: "Key",
    size: 80,
    enableHiding: false,
    enableSorting: true,
    accessorFn: ({ key }) => key,
    cell: ({ row }) => <Key row={row.original} />,
    meta: { title: "The chunk's key in the store", names: true, labelled: true, copied: true },
  },
  {
    id: "coordinates",
    header: "Coordinates",
    size: 100,
    enableSorting: true,
    accessorFn: ({ coordinates }) => coordinates?.join(", ") ?? "",
    cell: ({ getValue }) => <span className={styles.mono}>{getValue<string>()}</span>,
    meta: { title: "Position in the chunk grid, a number for each dimension", rank: 8 },
  },
  {
    id: "state",
    header: "State",
    size: 86,
    enableSorting: true,
    accessorFn: ({ state }) => state,
    cell: ({ row }) => <StateMark state={row.original.state} label />,
    meta: { title: "What kind of reference the chunk has", rank: 3 },
  },
  {
    id: "target",
    header: "Source",
    size: 84,
    enableSorting: true,
    accessorFn: ({ target }) => target,
    cell: ({ row }) => <TargetCell row={row.original} />,
    meta: {
      title:
        "The URL that the reference points into; of a native chunk the object of the store. When sorted, native chunks come last",
      rank: 4,
      grow: 1,
      copied: true,
    },
  },
  {
    id: "offset",
    header: "Offset",
    // Room for the digits of ten gigabytes.
    size: 116,
    enableSorting: true,
    accessorFn: ({ offset }) => offset,
    cell: ({ row }) => <NumberCell bytes={row.original.offset} />,
    meta: {
      title: "First byte in the target. When sorted, native chunks come last",
      rank: 6,
      numeric: true,
      copied: true,
    },
  },
  {
    id: "length",
    header: "Length",
    size: 100,
    enableSorting: true,
    accessorFn: ({ length }) => length,
    cell: ({ row }) => <LengthCell bytes={row.original.length} />,
    meta: { title: "Number of bytes", rank: 2, numeric: true },
  },
  {
    id: "end",
    header: "End",
    size: 116,
    enableSorting: true,
    accessorFn: ({ end }) => end,
    cell: ({ row }) => <NumberCell bytes={row.original.end} />,
    meta: { title: "Offset + length: the first byte after the chunk", rank: 7, numeric: true, copied: true },
  },
  {
    id: "from",
    header: "From",
    size: 128,
    accessorFn: ({ origin }) => originText(origin),
    cell: ({ row: { original }, getValue }) => (
      <span className={styles.mono} title={originLines(original.origin).join("\n")}>
        {getValue<string>()}
      </span>
    ),
    meta: {
      title: "Which part of the document made the reference: refs, or an entry of gen and its variables",
      rank: 5,
      copied: true,
    },
  },
  {
    id: "read",
    header: "Read",
    size: 92,
    accessorFn: ({ result }) => result,
    cell: ({ row }) => <ReadCell row={row.original} />,
    meta: { title: "What reading the chunk gave: decoded bytes, or why it failed", rank: 1, grow: 0.5 },
  },
];

/** Tab-separated, with a header line. Tabs and line breaks in user data become spaces, so that cells stay cells. */
export function rowsAsText(rows: readonly ViewRow[], columns: readonly TableColumn<ViewRow>[]): string {
  const lines = rows.map((row) => columns.map((one) => textOf(one, row).replaceAll(/[\t\r\n]+/g, " ")).join("\t"));
  return [columns.map(nameOf).join("\t"), ...lines].join("\n");
}

/** Rows of an array are in key order unless sorted; rows of a group in the order of the document. */
export const shownSorting = (sorting: SortingState, isArray: boolean): SortingState =>
  sorting.length === 0 && isArray ? [{ id: "key", desc: false }] : sorting;

/** How the engine sorts; `undefined` if the rows are in that order anyway. */
export function sortOf([first]: SortingState, isArray: boolean): ViewSpec["sort"] {
  if (first === undefined || (isArray && first.id === "key" && !first.desc)) return undefined;
  return { column: (first.id === "coordinates" ? "key" : first.id) as SortColumn, descending: first.desc };
}

// The cells.

/** The part of a chunk's key after the path of the array that it is in. */
const shortKey = (key: string, array: string | undefined): string =>
  array !== undefined && array !== "" && key.startsWith(`${array}/`) ? key.slice(array.length + 1) : key;

function Key({ row }: { readonly row: ViewRow }) {
  const { within } = use(CellContext);
  if (row.coordinates === undefined) return <StrayKey row={row} />;
  return <CutKey text={shortKey(row.key, within)} title={row.key} />;
}

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

function TargetCell({ row }: { readonly row: ViewRow }) {
  const { fill } = use(CellContext);
  const { state, target, reasons } = row;
  const reason = useMessage(...reasons);
  if (typeof target === "string" && target !== "") return <CutUrl url={target} />;
  const text = state === "bad" ? (reason ?? "cannot be understood") : withoutTarget(state, target, fill);
  return (
    <span className="faint toned" data-tone={state === "bad" ? "bad" : "faint"} title={text}>
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

/** With a bar, so that the long and the short are seen without reading; a broken one is longer than the scale. */
function LengthCell({ bytes }: { readonly bytes: number | undefined }) {
  const { scale } = use(CellContext);
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

// Result of reading the chunk: how much came out, or why nothing did.

function ReadCell({ row: { result, read, coordinates } }: { readonly row: ViewRow }) {
  const explain = useExplain();
  // A key that is no chunk is never read.
  if (coordinates === undefined) return null;
  const { words, title } = readWords(read, explain);
  return (
    <span className={`quiet ${styles.read}`} data-result={result} title={title}>
      <span className="faint" aria-hidden="true">
        {RESULT_SIGNS[result]}
      </span>{" "}
      {words}
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
