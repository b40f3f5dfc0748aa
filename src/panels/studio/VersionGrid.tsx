/** The grid "Version 0": the rendered references in the order of their keys. */
import { useEffect } from "react";
import { originText } from "#core/words/origin-words.ts";
import type { VersionRow, VersionRowsSpec } from "#core/studio.ts";
import { type RowFetch, type RowWindows, useRowWindows } from "#store/hooks/use-row-windows.ts";
import { useCommand } from "#store/react.tsx";
import { CutKey, CutUrl } from "#widgets/data-grid/CutText.tsx";
import { DataGrid, useGridCursor } from "#widgets/data-grid/DataGrid.tsx";
import { useGridTable } from "#widgets/data-grid/GridTable.tsx";
import type { GridColumn } from "#widgets/data-grid/columns.ts";
import { StateMark } from "#widgets/notes/marks.tsx";
import { formatCount } from "#widgets/number-format.ts";
import { useMessage } from "#widgets/notes/Notices.tsx";
import styles from "./VersionPanel.module.css";
import { READER_NAMES, READERS, rowWords, TONE_SIGN, valueText } from "./reader-words.ts";

interface Question {
  readonly set: number;
  readonly spec: VersionRowsSpec;
  /** Rises with everything that changes the answer. */
  readonly revision: number;
}

export type VersionRows = RowWindows<Question, undefined, VersionRow>;

const VERSION_ROWS: RowFetch<Question, undefined, VersionRow> = {
  what: "Listing the references",
  rows: (engine, { question: { set, spec } }, window, options) =>
    engine.call("edit.versionRows", { set, spec, ...window }, options),
};

export const useVersionRows = (question: Question | undefined): VersionRows => useRowWindows(VERSION_ROWS, question);

const CHANGE_WORDS = { added: "new: not in the document as opened", changed: "changed", removed: "removed" } as const;

const COLUMNS: readonly GridColumn<VersionRow>[] = [
  {
    id: "key",
    header: "Key",
    size: 84,
    cell: ({ row }) => <Key row={row.original} />,
    meta: { title: "In the order of fsspec's dict", grow: 0.8, names: true },
  },
  {
    id: "target",
    header: "Source",
    size: 120,
    cell: ({ row }) => <Target row={row.original} />,
    meta: { title: "URL as rendered; for inline values and metadata, their text", grow: 1.2 },
  },
  {
    id: "offset",
    header: "Offset",
    size: 88,
    cell: ({ row: { original } }) => <Bytes bytes={original.offset} was={beforeOf(original)?.offset} />,
    meta: { title: "Bytes", grow: 0.8, numeric: true },
  },
  {
    id: "length",
    header: "Length",
    size: 68,
    cell: ({ row: { original } }) => <Bytes bytes={original.length} was={beforeOf(original)?.length} />,
    meta: { title: "Bytes", grow: 0.3, numeric: true },
  },
  {
    id: "from",
    header: "From",
    size: 72,
    accessorFn: ({ origin }) => originText(origin),
    cell: ({ getValue }) => (
      <span className={`quiet ${styles.readers}`} title={getValue<string>()}>
        {getValue<string>()}
      </span>
    ),
    meta: { title: "What made the reference: refs, or a gen and its values", rank: 2, grow: 0.9 },
  },
  {
    id: "readers",
    header: "Other readers",
    size: 150,
    cell: ({ row }) => <Readers row={row.original} />,
    meta: { title: "Which other readers read this key differently", rank: 1, grow: 0.9 },
  },
];

interface VersionGridProps {
  readonly rows: VersionRows;
  readonly dimmed: boolean;
  /** Key of the row that is looked at. */
  readonly selected: string | undefined;
  /** Brings the row of this index into sight; a new object each time it is asked. */
  readonly show: { readonly index: number } | undefined;
  readonly onSelect: (row: VersionRow) => void;
  /** Escape: no row is looked at any more, nor its chunk. */
  readonly onLeave: () => void;
}

export function VersionGrid({ rows, dimmed, selected, show, onSelect, onLeave }: VersionGridProps) {
  const cursor = useGridCursor();
  const { list, goTo } = cursor;
  const grid = useGridTable({ columns: COLUMNS });
  useCommand("focus-result", () => list.current?.focus());
  useEffect(() => {
    if (show !== undefined) goTo(show.index);
  }, [show, goTo]);
  return (
    <DataGrid
      label="Version 0"
      grid={grid}
      rows={rows}
      dimmed={dimmed}
      cursor={cursor}
      className={styles.grid}
      look={(row) => ({ selected: row !== undefined && row.key === selected, "data-change": row?.change })}
      onOpen={onSelect}
      onKey={({ key }) => {
        if (key === "Escape") onLeave();
        return key === "Escape";
      }}
    />
  );
}

const Key = ({ row: { key, change } }: { readonly row: VersionRow }) => (
  <CutKey text={key} title={change === undefined ? key : `${key} (${CHANGE_WORDS[change]})`} />
);

/** Value of the document as opened for the key, if that is a range or a target. */
function beforeOf({ before }: VersionRow) {
  if (before?.startsWith("[") !== true) return undefined;
  try {
    const [target, offset, length] = JSON.parse(before) as readonly unknown[];
    const number = (value: unknown) => (typeof value === "number" ? value : undefined);
    const url = typeof target === "string" ? target : undefined;
    return { target: url, offset: number(offset), length: number(length) };
  } catch {
    return undefined; // cut, since it is long
  }
}

interface WasProps {
  readonly was: string | number | undefined;
  readonly now: string | number | null | undefined;
}

/** Former value, if it differs. */
function Was({ was, now }: WasProps) {
  if (was === undefined || was === now) return null;
  const text = typeof was === "number" ? formatCount(was) : was;
  return (
    <>
      <s className={styles.was} title={`was ${text}`}>
        {text}
      </s>
      <span aria-hidden="true">→</span>
    </>
  );
}

const Bytes = ({ bytes, was }: { readonly bytes: number | undefined; readonly was: number | undefined }) =>
  bytes === undefined ? null : (
    <span className={styles.bytes} title={`${formatCount(bytes)} bytes`}>
      <Was was={was} now={bytes} />
      {formatCount(bytes)}
    </span>
  );

function Target({ row }: { readonly row: VersionRow }) {
  const { state, target, reasons } = row;
  const reason = useMessage(...reasons);
  const text = state === "bad" ? (reason ?? "cannot be understood") : (target ?? "null URL");
  const isUrl = (state === "range" || state === "whole") && target !== null;
  return (
    <span className={`row gap-6 ${styles.target}`} data-state={state}>
      <StateMark state={state} />
      <Was was={beforeOf(row)?.target} now={target} />
      {isUrl ? (
        <CutUrl url={target} />
      ) : (
        <span className={styles.targetText} title={text}>
          {text}
        </span>
      )}
    </span>
  );
}

function Readers({ row }: { readonly row: VersionRow }) {
  const [first, ...others] = rowWords(row);
  if (first === undefined) return null;
  const title = READERS.map((reader) => `${READER_NAMES[reader]}: ${valueText(row[reader])}`).join("\n");
  return (
    <span className={`quiet ${styles.readers}`} data-tone={first.tone} title={title}>
      <span aria-hidden="true">{TONE_SIGN[first.tone]}</span> {[first, ...others].map(({ short }) => short).join(", ")}
    </span>
  );
}
