/** The bytes of a source: which of them are referenced, as a strip and as a list, with links from bytes to chunks. */
import { useId, useMemo, useState } from "react";
import type { NodeSummary, SetSummary } from "#core/open-set.ts";
import type { SourceByte, SourceDetail, SourceRange } from "#core/check/sources.ts";
import { useActions, useEngine } from "#store/react.tsx";
import { type AxesByArray, useAxesByArray } from "#store/hooks/use-axes.ts";
import { type RowFetch, useRowWindows } from "#store/hooks/use-row-windows.ts";
import { OffsetField } from "#widgets/values/HexView.tsx";
import { DistinctSwatch } from "#widgets/cell-map/Legend.tsx";
import { DataGrid, useGridCursor } from "#widgets/data-grid/DataGrid.tsx";
import type { GridColumn } from "#widgets/data-grid/columns.ts";
import { useGridTable } from "#widgets/data-grid/GridTable.tsx";
import { countOf, formatCount } from "#widgets/number-format.ts";
import { LinkButton } from "#widgets/controls/Button.tsx";
import { ByteStrip } from "./ByteStrip.tsx";
import styles from "./BytesTab.module.css";
import { arrayName, boxWords, byteWords, rangeNotes, spanText } from "./source-words.ts";
import { useKnownSources } from "./TargetGrid.tsx";

export interface BytesTabProps {
  readonly set: SetSummary;
  readonly detail: SourceDetail;
  /** Place of the selected chunk's range; -1 where it has none. */
  readonly place: number;
}

export function BytesTab({ set, detail, place }: BytesTabProps) {
  const id = useId();
  const { target, ranges, extent } = detail;
  const at = useRangeCursor(set.id, detail, place);
  const openRange = useOpenRange(target);
  if (ranges === 0) return <p className={styles.none}>{noRanges(detail)}</p>;
  return (
    <div className="column gap-6 low tall">
      <ByteStrip
        set={set.id}
        detail={detail}
        current={at.current}
        asked={at.byte === undefined ? undefined : { from: at.byte.byte, to: at.byte.byte + 1 }}
        describedBy={id}
        onByte={at.goToByte}
        onStep={at.step}
        onOpen={() => openRange(at.current)}
      >
        <OffsetField label="Go to byte" total={extent} onGo={at.goToByte} />
      </ByteStrip>
      <p id={id} role="status" className={styles.readout}>
        <Readout byte={at.byte} current={at.current} onOpen={openRange} />
      </p>
      <StripLegend detail={detail} />
      <RangeList set={set} detail={detail} place={at.place} onPlace={at.goTo} onOpen={openRange} />
    </div>
  );
}

const noRanges = ({ whole, empty }: SourceDetail): string =>
  whole > 0
    ? "All references use the whole file, so there are no ranges to show."
    : `Its ${empty === 1 ? "range has" : "ranges have"} no bytes.`;

/** The range that one is at, and the byte that was asked for. */
function useRangeCursor(set: number, { target, ranges }: SourceDetail, followed: number) {
  const [place, setPlace] = useState(Math.max(0, followed));
  const [asked, setAsked] = useState<number>();
  const [seen, setSeen] = useState(followed);
  if (seen !== followed) {
    setSeen(followed);
    setAsked(undefined);
    if (followed >= 0) setPlace(followed);
  }
  const found = useEngine("sources.byte", asked === undefined ? undefined : { set, target, byte: asked });
  const byte = found.data?.byte === asked ? found.data : undefined;
  const here = byte === undefined ? place : Math.max(0, byte.place);
  const known = useEngine("sources.ranges", { set, target, from: here, to: here + 1 }, `sources.at ${target}`);
  const current = known.last?.data.ranges[0];
  const goTo = (to: number) => {
    setAsked(undefined);
    setPlace(Math.max(0, Math.min(to, ranges - 1)));
  };
  return {
    place: here,
    byte,
    // A byte that nothing refers to is at no range.
    current: current?.place !== here || byte?.gap !== undefined ? undefined : current,
    goTo,
    goToByte: setAsked,
    step: (step: number | "first" | "last") => {
      if (step === "first") goTo(0);
      else if (step === "last") goTo(ranges - 1);
      // From bytes between two ranges the next one is a step away already.
      else goTo(here + step - (byte?.gap !== undefined && step > 0 && byte.place < ranges ? 1 : 0));
    },
  };
}

/** Selects the chunk of a range, and keeps the target that is looked at. */
function useOpenRange(target: string | null) {
  const actions = useActions();
  return (range: SourceRange | undefined) => {
    if (range?.array === undefined || range.coordinates === undefined) return;
    actions.noteTarget(target);
    actions.selectChunk(range.array, range.coordinates);
  };
}

interface ReadoutProps {
  readonly byte: SourceByte | undefined;
  readonly current: SourceRange | undefined;
  readonly onOpen: (range: SourceRange) => void;
}

const MAX_LINKS = 3;

function Readout({ byte, current, onOpen }: ReadoutProps) {
  if (byte === undefined && current === undefined) return null;
  const ranges = byte?.ranges.slice(0, MAX_LINKS) ?? (current === undefined ? [] : [current]);
  return (
    <>
      <span>{byte === undefined ? currentWords(current) : byteWords(byte)}</span>
      {ranges.map((range) =>
        range.coordinates === undefined ? (
          <span key={range.place}>{range.key} is no chunk of a grid.</span>
        ) : (
          <LinkButton key={range.place} onClick={() => onOpen(range)}>
            Go to {range.key}
          </LinkButton>
        ),
      )}
    </>
  );
}

function currentWords(range: SourceRange | undefined): string {
  if (range === undefined) return "";
  return [`${range.key}: ${spanText(range.from, range.to)}`, ...rangeNotes(range)].join(" · ");
}

// Legend of the strip's colours and hatches.

const MAX_ARRAYS = 6;

function StripLegend({ detail }: { readonly detail: SourceDetail }) {
  const { arrays, arrayCount, unclaimed, shared, overlapping, pastEnd } = detail;
  const more = arrayCount - Math.min(arrays.length, MAX_ARRAYS);
  return (
    <ul className={styles.legend} aria-label="Legend">
      {arrays.slice(0, MAX_ARRAYS).map(({ array }, at) => (
        <li key={array}>
          <DistinctSwatch number={at} className={styles.swatch} />
          {arrayName(array)}
        </li>
      ))}
      {more > 0 ? <li>and {countOf(more, "more array")}</li> : null}
      {unclaimed > 0 ? <Sign look="bare">unreferenced</Sign> : null}
      {shared > 0 ? <Sign look="shared">the same range, more than once</Sign> : null}
      {overlapping > 0 ? <Sign look="overlap">ranges overlap</Sign> : null}
      {pastEnd > 0 ? <Sign look="past-end">past the end</Sign> : null}
    </ul>
  );
}

function Sign({ look, children }: { readonly look: string; readonly children: string }) {
  return (
    <li>
      <span className={styles.swatch} data-look={look} aria-hidden="true" />
      {children}
    </li>
  );
}

// The grid "Ranges": the ranges of a target in the order of their bytes.

interface Question {
  readonly set: number;
  readonly target: string | null;
  readonly known: string;
}

const RANGE_ROWS: RowFetch<Question, undefined, SourceRange> = {
  what: "Listing the ranges",
  rows: async (engine, { question: { set, target } }, window, options) => {
    const { total, ranges } = await engine.call("sources.ranges", { set, target, ...window }, options);
    return { total, rows: ranges };
  },
};

interface RangeListProps extends BytesTabProps {
  readonly onPlace: (place: number) => void;
  readonly onOpen: (range: SourceRange | undefined) => void;
}

function RangeList({ set, detail, place, onPlace, onOpen }: RangeListProps) {
  const rows = useRowWindows(RANGE_ROWS, { set: set.id, target: detail.target, known: useKnownSources() });
  const cursor = useGridCursor();
  const axes = useAxesByArray(
    set.id,
    detail.arrays.map(({ array }) => array),
  );
  const columns = useMemo(() => rangeColumns(set.nodes, axes), [set.nodes, axes]);
  return (
    <div className={styles.list}>
      <DataGrid
        label="Ranges"
        grid={useGridTable({ columns })}
        rows={{ ...rows, total: detail.ranges }}
        cursor={{ ...cursor, at: { row: place, column: 0, anchor: place }, move: ({ row }) => onPlace(row) }}
        look={(_range, index) => ({ selected: index === place })}
        onOpen={onOpen}
      />
    </div>
  );
}

const rangeColumns = (nodes: readonly NodeSummary[], axes: AxesByArray): readonly GridColumn<SourceRange>[] => [
  {
    id: "offset",
    header: "Offset",
    size: 120,
    accessorFn: ({ from }) => formatCount(from),
    meta: { numeric: true },
  },
  {
    id: "length",
    header: "Length",
    size: 96,
    accessorFn: ({ from, to }) => formatCount(to - from),
    meta: { numeric: true },
  },
  {
    id: "chunk",
    header: "Chunk",
    size: 110,
    cell: ({ row }) => <Text text={row.original.key} />,
    meta: { grow: 1, names: true },
  },
  {
    id: "where",
    header: "Where",
    size: 150,
    cell: ({ row }) => {
      const { array = "", coordinates } = row.original;
      if (coordinates === undefined) return <Text text="no chunk of a grid" tone="quiet" />;
      const node = nodes.find(({ path }) => path === array);
      return (
        <Text text={boxWords({ box: { from: coordinates, to: coordinates } }, node, axes.get(array))} tone="quiet" />
      );
    },
    meta: { grow: 2 },
  },
  {
    id: "notes",
    header: "Notes",
    size: 150,
    cell: ({ row: { original } }) => (
      <Text
        text={rangeNotes(original).join(", ")}
        tone={original.pastEnd > 0 ? "bad" : original.overlaps ? "warn" : undefined}
      />
    ),
    meta: { grow: 2 },
  },
];

const Text = ({ text, tone }: { readonly text: string; readonly tone?: "quiet" | "warn" | "bad" | undefined }) => (
  <bdi dir="ltr" title={text} data-tone={tone} className="toned">
    {text}
  </bdi>
);
