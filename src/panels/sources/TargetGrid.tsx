/** The grid "Sources". Its head sorts. */
import { useEffect, useEffectEvent, useMemo } from "react";
import type { NodeSummary, SetSummary } from "#core/open-set.ts";
import type { SourceColumn, SourceRow, SourcesSpec } from "#core/check/sources.ts";
import { useAppState, useEngine } from "#store/react.tsx";
import { type AxesByArray, useAxesByArray } from "#store/hooks/use-axes.ts";
import { type RowFetch, type RowWindows, useRowWindows } from "#store/hooks/use-row-windows.ts";
import { CutUrl } from "#widgets/data-grid/CutText.tsx";
import { DataGrid, useGridCursor } from "#widgets/data-grid/DataGrid.tsx";
import type { GridColumn } from "#widgets/data-grid/columns.ts";
import { useGridTable } from "#widgets/data-grid/GridTable.tsx";
import { formatBytes, formatCount, formatExactBytes, formatShare } from "#widgets/number-format.ts";
import { useExplain } from "#widgets/notes/Notices.tsx";
import styles from "./SourcesPanel.module.css";
import { arrayName, arrayNames, askedWords, boxWords } from "./source-words.ts";

interface Question {
  readonly set: number;
  readonly spec: SourcesSpec;
  readonly known: string;
}

export type TargetRows = RowWindows<Question, undefined, SourceRow>;

const TARGET_ROWS: RowFetch<Question, undefined, SourceRow> = {
  what: "Listing the targets",
  rows: (engine, { question: { set, spec } }, window, options) =>
    engine.call("sources.targets", { set, spec, ...window }, options),
};

export function useTargetRows(set: number, spec: SourcesSpec): TargetRows {
  const known = useKnownSources();
  return useRowWindows(TARGET_ROWS, { set, spec, known });
}

/** Changes with what is known of targets. */
export const useKnownSources = (): string =>
  useAppState(({ revision, checks, set }) => [revision, checks, set?.revision].join(" "));

interface TargetGridProps {
  readonly set: SetSummary;
  readonly rows: TargetRows;
  readonly spec: SourcesSpec;
  readonly onSpec: (spec: SourcesSpec) => void;
  /** Bytes that the whole set refers to. */
  readonly allBytes: number;
  /** The target that is shown below. */
  readonly selected: string | null | undefined;
  readonly onSelect: (target: string | null) => void;
}

export function TargetGrid({ set, rows, spec, onSpec, allBytes, selected, onSelect }: TargetGridProps) {
  const cursor = useGridCursor();
  // A target that was selected elsewhere, by a link or a chunk, is brought into sight; once a target and order.
  const wanted = selected === undefined ? undefined : { set: set.id, spec, target: selected };
  const found = useEngine("sources.find", wanted);
  const index = found.stale ? undefined : found.last?.data;
  const onFound = useEffectEvent(cursor.goTo);
  useEffect(() => {
    if (index !== undefined && index >= 0) onFound(index);
  }, [index]);
  const axes = useAxesByArray(set.id, useFirstArrays(rows));
  const columns = useMemo(() => targetColumns(set.nodes, axes, allBytes), [set.nodes, axes, allBytes]);
  const { column: id, descending: desc } = spec.sort;
  const grid = useGridTable({
    columns,
    sorting: useMemo(() => [{ id, desc }], [id, desc]),
    onSorting: ([sort]) => {
      if (sort !== undefined) onSpec({ ...spec, sort: { column: sort.id as SourceColumn, descending: sort.desc } });
    },
  });
  return (
    <DataGrid
      label="Sources"
      grid={grid}
      rows={rows}
      cursor={cursor}
      look={(row) => ({ selected: row !== undefined && row.target === selected })}
      onOpen={({ target }) => onSelect(target)}
    />
  );
}

/** The first arrays of the rows loaded last. */
function useFirstArrays({ pages }: TargetRows): readonly string[] {
  return useMemo(
    () => [...pages.values()].toReversed().flatMap((rows) => rows.flatMap(({ arrays }) => arrays[0]?.array ?? [])),
    [pages],
  );
}

/** Those that sort have the name that they are sorted by. Numbers begin with the most, names with the first. */
const targetColumns = (
  nodes: readonly NodeSummary[],
  axes: AxesByArray,
  allBytes: number,
): readonly GridColumn<SourceRow>[] => [
  {
    id: "target",
    header: "Source file",
    size: 190,
    enableSorting: true,
    accessorFn: ({ target }) => target,
    cell: ({ row }) => <TargetName target={row.original.target} />,
    meta: { title: "The URL as references name it", grow: 3, names: true },
  },
  {
    id: "references",
    header: "References",
    size: 96,
    enableSorting: true,
    sortDescFirst: true,
    accessorFn: ({ references }) => formatCount(references),
    meta: { title: "References into it", numeric: true },
  },
  {
    id: "bytes",
    header: "Bytes",
    size: 84,
    enableSorting: true,
    sortDescFirst: true,
    accessorFn: ({ bytes }) => bytes,
    cell: ({ row }) => <Bytes row={row.original} />,
    meta: { title: "Sum of its ranges", numeric: true },
  },
  {
    id: "share",
    header: "Share",
    size: 72,
    accessorFn: ({ bytes }) => (bytes === 0 ? "–" : formatShare(bytes, allBytes)),
    cell: ({ getValue }) => <span className="quiet">{getValue<string>()}</span>,
    meta: { title: "Of the bytes that the dataset refers to", numeric: true },
  },
  {
    id: "arrays",
    header: "Arrays and where",
    size: 150,
    enableSorting: true,
    sortDescFirst: true,
    accessorFn: ({ arrayCount }) => arrayCount,
    cell: ({ row }) => <Covers row={row.original} nodes={nodes} axes={axes} />,
    meta: { title: "Arrays with chunks in it, and the part of the first one", grow: 2 },
  },
  {
    id: "asked",
    header: "Status",
    size: 110,
    cell: ({ row }) => <Asked row={row.original} />,
    meta: { title: "Result of checking the source", grow: 1 },
  },
];

/** A URL that is cut before its last part, which tells it apart. */
export function TargetName({ target }: { readonly target: string | null }) {
  if (target === null) return <span title="What null URLs mean: see Locations">null URL</span>;
  return target === "" ? "(empty)" : <CutUrl url={target} />;
}

function Bytes({ row: { whole, references, bytes } }: { readonly row: SourceRow }) {
  if (whole === references) return <span title="References to the whole file; no range gives its length.">whole</span>;
  return <span title={formatExactBytes(bytes)}>{formatBytes(bytes)}</span>;
}

interface CoversProps {
  readonly row: SourceRow;
  readonly nodes: readonly NodeSummary[];
  readonly axes: AxesByArray;
}

function Covers({ row: { arrays, arrayCount }, nodes, axes }: CoversProps) {
  const words = arrays.map((one) => {
    const node = nodes.find(({ path }) => path === one.array);
    return boxWords(one, node, axes.get(one.array));
  });
  return (
    <span title={arrays.map(({ array }, at) => `${arrayName(array)}: ${words[at]}`).join("\n")}>
      {arrayNames(arrays, arrayCount)} <span className="quiet">{words[0]}</span>
    </span>
  );
}

function Asked({ row: { asked } }: { readonly row: SourceRow }) {
  const { tone, sign, text } = askedWords(asked, useExplain());
  const how = asked?.probe?.relayed === true ? ", relayed by this computer" : "";
  return (
    <span className={styles.asked} data-tone={tone} title={text + how}>
      <span aria-hidden="true">{sign}</span> {text}
    </span>
  );
}
