import { byKind } from "../../../core/by-kind.ts";
import { useCallback, useId, useMemo, useState } from "react";
import { fieldNames } from "../../../core/metadata/data-type-fields.ts";
import { shortFloatText } from "../../../core/values/number-text.ts";
import type { Slice, SliceSpec } from "../../../core/open-set.ts";
import type { NotRun, ReaderComparison } from "../../../core/readers/comparison.ts";
import type { Reading } from "../../../core/reading.ts";
import { useActions, useEngine } from "../../../store/react.tsx";
import type { Axes } from "../../../store/hooks/use-cheap-axes.ts";
import { ErrorNotice } from "../../../widgets/notes/ErrorNotice.tsx";
import { LinePlot } from "../../../widgets/values/LinePlot.tsx";
import { Loading } from "../../../widgets/notes/Loading.tsx";
import { TabPanel, Tabs } from "../../../widgets/controls/Tabs.tsx";
import { ValueTable } from "../../../widgets/values/ValueTable.tsx";
import { DimensionSelect } from "../../../widgets/cell-map/Dimensions.tsx";
import { withDimension, withIndex } from "../../../widgets/cell-map/plane.ts";
import { countOf, formatBytes, formatCount } from "../../../widgets/number-format.ts";
import type { RowRange } from "../../../widgets/values/scaled-rows.ts";
import { useMessage } from "../../../widgets/notes/use-explain.ts";
import { maxColumns } from "../../../widgets/values/value-table.ts";
import { Button, QuietButton } from "../../../widgets/controls/Button.tsx";
import styles from "../ChunkPanel.module.css";
import shared from "../ChunkPanel.module.css";
import { DimensionChoice, DimensionSliders } from "./DimensionChoice.tsx";
import { ElementReadout } from "./ElementReadout.tsx";
import { FindingsPart } from "../FindingsPart.tsx";
import { MapTab } from "./MapTab.tsx";
import { MissingChunk } from "../MissingChunk.tsx";
import { SliceNotice } from "../SliceNotice.tsx";
import { StatisticsPart } from "./StatisticsPart.tsx";
import zarritaPartStyles from "../ZarritaPart.module.css";
import { findingTab, openingTab } from "../chunk-tabs.ts";
import { edgeWords, firstIndex, isInGrid, rangeWords } from "../chunk-words.ts";
import { lineSpec, tableSpec } from "../shown-dimensions.ts";
import type { Lab } from "../use-lab.ts";
import type { ValueView } from "./use-value-view.ts";
import type { ZarritaRun } from "../use-zarrita.ts";
import type { ValueTabProps } from "./value-tab-props.ts";
import { shownTab, valueTabs } from "../value-tabs.ts";
import { shownUnits, valueLabel } from "./value-words.ts";

export interface ValuesTabProps {
  readonly lab: Lab;
  /** The reading that is shown: as declared, or the trial's. */
  readonly reading: Reading;
  readonly view: ValueView;
  readonly axes: Axes;
  readonly zarrita: ZarritaRun;
}

/** The values, and whether another reader finds the same. */
export function ValuesTab({ zarrita, ...props }: ValuesTabProps) {
  return (
    <>
      <OwnValues {...props} />
      {/* zarrita reads the chunk as it is declared, not a trial. */}
      {props.reading.trial === undefined ? <ZarritaPart zarrita={zarrita} /> : null}
    </>
  );
}

/** What the values amount to, and the values as a map, a line or a table. */
function OwnValues({ lab, reading, view, axes }: Omit<ValuesTabProps, "zarrita">) {
  const { set, array, detail } = lab;
  const { values } = reading;
  if (reading.outcome === "missing") return <MissingChunk array={array} reading={reading} fill={detail} />;
  if (values === undefined || reading.outcome !== "ok") return <NoValues reading={reading} />;
  return (
    <>
      <StatisticsPart
        values={values}
        fill={detail}
        scaled={view.scaled}
        onScaled={(scaled) => view.change({ scaled })}
      />
      <FindingsPart reading={reading} of={(about) => findingTab(about) === "values"} />
      <ValuesPart {...{ set, array, reading, values, view, axes }} />
      <Extent lab={lab} reading={reading} />
    </>
  );
}

/** Nothing is ever drawn for a chunk that failed. */
function NoValues({ reading }: { readonly reading: Reading }) {
  const actions = useActions();
  const where = openingTab(reading);
  return (
    <div className={styles.none}>
      <p>
        <b>No values.</b>{" "}
        {where === "decode" ? "The bytes were fetched but could not be decoded." : "The bytes could not be fetched."} A
        failed chunk is never drawn as fill value.
      </p>
      <Button onClick={() => actions.showTab(where)}>Show why</Button>
    </div>
  );
}

/** Which indices of the array the values are of, and how many of the chunk are past its edge. */
function Extent({ lab: { array }, reading: { coordinates } }: Pick<ValuesTabProps, "lab" | "reading">) {
  if (!isInGrid(array.grid, coordinates)) return null;
  const edge = edgeWords(array, coordinates);
  return (
    <p className={styles.quiet}>
      {rangeWords(array, coordinates)}
      {edge === undefined ? null : (
        <span title="Chunks are stored whole; elements past the array's edge are not shown.">
          ; past the array’s edge: {edge}
        </span>
      )}
    </p>
  );
}

/** The values in one of the ways that suit them. */
function ValuesPart(props: ValueTabProps) {
  const { reading, view } = props;
  const id = useId();
  const tabs = valueTabs(reading);
  const tab = shownTab(tabs, view.tab);
  if (tab === undefined) return null;
  return (
    <section className={styles.section} aria-label="Values">
      <Tabs
        label="Values as"
        size="small"
        idBase={id}
        tabs={tabs}
        selected={tab}
        onSelect={(next) => view.change({ tab: next })}
      />
      <TabPanel idBase={id} id={tab} className={styles.tabPanel}>
        {tab === "map" ? <MapTab {...props} /> : tab === "line" ? <LineTab {...props} /> : <TableTab {...props} />}
      </TabPanel>
    </section>
  );
}

/** The values along one dimension, through the cursor. */
function LineTab(props: ValueTabProps) {
  const { set, array, reading, view } = props;
  const { shown } = view;
  const answer = useEngine("chunk.slice", { set, spec: lineSpec(reading.id, shown, view.scaled) });
  return (
    <div className={styles.stack}>
      <SliceNotice answer={answer}>{(slice) => <SliceLine {...props} slice={slice} />}</SliceNotice>
      {shown.row === undefined ? null : (
        <div className={styles.controls}>
          <DimensionSelect
            label="Along"
            names={array.dimensions}
            className={styles.field}
            value={shown.column}
            onValue={(dimension) => view.change({ shown: withDimension(shown, "column", dimension) })}
          />
        </div>
      )}
      <DimensionSliders {...props} moving={[shown.column]} />
    </div>
  );
}

function SliceLine({ slice, ...props }: ValueTabProps & { readonly slice: Slice }) {
  const { array, reading, values, view } = props;
  const readoutId = useId();
  const [hovered, setHovered] = useState<number>();
  const { shown, scaled } = view;
  const dimension = shown.column ?? 0;
  const stride = slice.strideAlong;
  const cursor = hovered ?? Math.floor((shown.at[dimension] ?? 0) / stride);
  const name = array.dimensions[dimension] ?? "";
  const first = firstIndex(array, reading.coordinates, dimension);
  const scaling = scaled ? values.scaling : undefined;
  const units = shownUnits(scaling);
  const missing = slice.values.reduce((count, value) => count + (Number.isFinite(value) ? 0 : 1), 0);
  return (
    <>
      <ElementReadout id={readoutId} element={withIndex(shown, dimension, cursor * stride).at} {...props} />
      <p className={styles.axis}>
        <span title={String(slice.maximum)}>
          {slice.maximum === undefined
            ? "no value"
            : `${valueLabel(slice.maximum, scaling)}${units === undefined ? "" : ` ${units}`}`}
        </span>
        {missing === 0 ? null : (
          <span>{countOf(missing, "missing or fill value here", "missing or fill values here")}</span>
        )}
      </p>
      <LinePlot
        label={`Values of ${reading.key} along ${name}; the arrow keys move the cursor`}
        describedBy={readoutId}
        values={slice.values}
        cursor={Math.min(cursor, Math.max(0, slice.values.length - 1))}
        onCursor={(index) => view.change({ shown: withIndex(shown, dimension, index * stride) })}
        onHover={setHovered}
      />
      <p className={styles.axis}>
        <span title={String(slice.minimum)}>
          {slice.minimum === undefined ? "" : valueLabel(slice.minimum, scaling)}
        </span>
        <span>
          {name} {formatCount(first)} to {formatCount(first + Math.max(0, (values.inside[dimension] ?? 1) - 1))}
        </span>
      </p>
    </>
  );
}

/** Whether zarrita, run for real, reads the same from this chunk. */
function ZarritaPart({ zarrita }: { readonly zarrita: ZarritaRun }) {
  return (
    <section className={shared.section} aria-label="Read by zarrita">
      <h3>Read by zarrita</h3>
      <Content zarrita={zarrita} />
    </section>
  );
}

function Content({ zarrita: { begun, cost, run, cancel, dismiss } }: { readonly zarrita: ZarritaRun }) {
  if (begun?.running === true)
    return <Loading label="Reading by zarrita" progress={begun.progress} onCancel={cancel} />;
  if (begun?.error !== undefined) return <ErrorNotice error={begun.error} onRetry={run} onDismiss={dismiss} />;
  if (begun?.found !== undefined) return <Compared found={begun.found} onAgain={run} />;
  if (cost?.kind === "not-run") return <p className={shared.quiet}>{notRunWords(cost.why)}</p>;
  return (
    <div>
      <Button
        title="Reads the chunk with zarrita in a separate worker and compares the values. Both readers fetch the chunk, so bytes count twice."
        onClick={run}
      >
        Read by zarrita too{cost === undefined || cost.bytes === 0 ? "" : ` · ${formatBytes(cost.bytes)}`}
      </Button>
    </div>
  );
}

function Compared({ found, onAgain }: { readonly found: ReaderComparison; readonly onAgain: () => void }) {
  const ours = useMessage("ours" in found && typeof found.ours === "object" ? found.ours : undefined);
  const tone = comparisonTone(found);
  return (
    <div className={zarritaPartStyles.found} role="status" data-comparison={found.kind}>
      <p className={zarritaPartStyles.title} data-tone={tone}>
        <span aria-hidden="true">{SIGNS[tone]}</span> {comparisonTitle(found)}
      </p>
      <Details found={found} ours={ours} />
      <div>
        <QuietButton onClick={onAgain}>Compare again</QuietButton>
      </div>
    </div>
  );
}

const SIGNS = { ok: "✓", bad: "✕", quiet: "○" } as const;

/** Ours beside theirs. */
function Details({ found, ours }: { readonly found: ReaderComparison; readonly ours: string | undefined }) {
  switch (found.kind) {
    case "same":
      return null;
    case "not-run":
      return <p className={shared.quiet}>{notRunWords(found.why)}</p>;
    case "differs":
      return (
        <>
          <p className={shared.quiet}>The first is {elementWords(found.first)} of the chunk, counted from 0:</p>
          <Sides ours={found.ours} theirs={found.theirs} isValue />
        </>
      );
    case "error":
      return <Sides ours={found.ours === undefined ? "Reads the chunk." : (ours ?? "…")} theirs={found.error} />;
    case "made-up":
      return <Sides ours={ours ?? "…"} theirs={`Reads the chunk; its first value is ${found.first}.`} />;
  }
}

interface SidesProps {
  readonly ours: string;
  readonly theirs: string;
  readonly isValue?: boolean;
}

function Sides({ ours, theirs, isValue = false }: SidesProps) {
  return (
    <dl className={zarritaPartStyles.sides} data-value={isValue}>
      <dt>Here, as in Python</dt>
      <dd>{ours}</dd>
      <dt>zarrita</dt>
      <dd>{theirs}</dd>
    </dl>
  );
}

// What came of reading a chunk by zarrita too, in words.

/** What it amounts to, in a few words. */
export function comparisonTitle(found: ReaderComparison): string {
  return byKind(found, {
    same: ({ of }) => (of === 1 ? "The same value" : `The same ${countOf(of, "value")}`),
    differs: ({ count, of }) =>
      `${formatCount(count)} of ${countOf(of, "value")} ${count === 1 ? "differs" : "differ"}`,
    error: ({ ours }) => (ours === undefined ? "zarrita fails, Python does not" : "zarrita fails too"),
    "made-up": "zarrita returns values where there are none",
    "not-run": "Not compared",
  });
}

type ComparisonTone = "ok" | "bad" | "quiet";

export function comparisonTone(found: ReaderComparison): ComparisonTone {
  if (found.kind === "same") return "ok";
  return found.kind === "not-run" || (found.kind === "error" && found.ours !== undefined) ? "quiet" : "bad";
}

/** Why zarrita cannot be asked: a sentence. */
const NOT_RUN: Readonly<Record<NotRun, string>> = {
  format: "Cannot run zarrita: it supports Kerchunk JSON and Zarr stores, not this format.",
  shards: "Cannot run zarrita: it takes no references to inner chunks of shards.",
  "too-large": "Not run: the decoded chunk exceeds the 256 MiB limit for comparisons.",
  timeout: "Stopped zarrita after 30 s without a result.",
  "no-values": "Nothing to compare: the chunk is missing and its fill value is undefined.",
  ended: "The zarrita worker crashed or could not be started.",
};

export const notRunWords = (why: NotRun): string => NOT_RUN[why];

/** `[0, 3]`; of an array without dimensions its one element. */
export const elementWords = (at: readonly number[]): string =>
  at.length === 0 ? "its one element" : `element [${at.join(", ")}]`;

/** Values in rows and columns, asked for by window; floats in short, exact when pointed at or copied. */
function TableTab(props: ValueTabProps) {
  const { set, array, reading, values, view } = props;
  const { shown, scaled } = view;
  const spec = tableSpec(reading.id, shown, scaled);
  const { rowDimension: row, columnDimension: column } = spec;
  const id = useId();
  const [fieldCursor, setFieldCursor] = useState(0);
  const fields = column === undefined ? fieldNames(values.dtype) : [];
  const { answer, window, onWindow } = useCells(set, spec, fields.length > 0);
  const lengthOf = (dimension: number | undefined) => (dimension === undefined ? 1 : (values.inside[dimension] ?? 1));
  const cellWidth = cellWidthFor(
    values.dtype,
    scaled ? (values.scaling?.time === undefined ? "numbers" : "dates") : undefined,
  );
  const isNumbers = values.numeric && fields.length === 0;
  const allColumns = fields.length > 0 ? fields.length : lengthOf(column);
  const columns = Math.min(allColumns, maxColumns(cellWidth));
  const header = (dimension: number | undefined) => (index: number) =>
    dimension === undefined ? "" : String(firstIndex(array, reading.coordinates, dimension) + index);
  const at = (dimension: number | undefined) => (dimension === undefined ? 0 : (shown.at[dimension] ?? 0));
  return (
    <div className={styles.stack}>
      {answer.error === undefined ? null : <ErrorNotice error={answer.error} onRetry={answer.retry} />}
      {/* Exact, where the table has floats in short. */}
      {fields.length > 0 ? null : <ElementReadout {...props} id={id} element={shown.at} />}
      <ValueTable
        label="Values"
        size={{ rows: lengthOf(row), columns }}
        cellWidth={cellWidth}
        alignment={isNumbers ? "end" : "start"}
        {...(isNumbers ? { shown: shortFloatText } : {})}
        rowHeader={header(row)}
        columnHeader={fields.length > 0 ? (index) => fields[index] ?? "" : header(column)}
        corner={[row, column].flatMap((one) => (one === undefined ? [] : [array.dimensions[one]])).join(" \\ ")}
        window={window}
        onWindow={onWindow}
        cursor={{ row: at(row), column: Math.min(fields.length > 0 ? fieldCursor : at(column), columns - 1) }}
        onCursor={(cell) => {
          setFieldCursor(cell.column);
          view.change({ shown: withIndex(withIndex(shown, row, cell.row), column, cell.column) });
        }}
      />
      {columns < allColumns ? (
        <p className={styles.note}>
          The first {formatCount(columns)} of {formatCount(allColumns)} columns are shown: let the long dimension run
          down the rows to see all.
        </p>
      ) : null}
      <div className={styles.controls}>
        <DimensionChoice array={array} view={view} />
      </div>
      <DimensionSliders {...props} moving={[row, column]} />
    </div>
  );
}

interface Wanted {
  readonly rows: RowRange;
  readonly columns: RowRange;
}

/** Texts of the visible cells and where they begin; the previous ones stay while new ones are fetched. */
function useCells(set: number, spec: SliceSpec, fields: boolean) {
  const [wanted, setWanted] = useState<Wanted>();
  const answer = useEngine(
    "chunk.cells",
    wanted === undefined ? undefined : { set, spec: { ...spec, ...wanted, fields } },
    JSON.stringify(spec),
  );
  const { last } = answer;
  const window = useMemo(() => {
    if (last === undefined) return undefined;
    const { rows, columns } = last.request.spec;
    return { ...last.data, rowFrom: rows.from, columnFrom: columns.from };
  }, [last]);
  const onWindow = useCallback((rows: RowRange, columns: RowRange) => setWanted({ rows, columns }), []);
  return { answer, window, onWindow };
}

/** The longest float that `shortFloatText` writes: `-2.225074e-308`. */
const FLOAT = 14;
/** 1970-01-01T00:00:00.000000001 */
const DATE = 29;
/** Characters of the longest text of a number that a table shows, by type. */
const LONGEST: readonly (readonly [type: RegExp, characters: number])[] = [
  [/^[<>|=]?f[48]/, FLOAT],
  [/^[<>|=]?f2/, 10],
  [/^[<>|=]?[iu]8/, 20],
  [/^[<>|=]?[iu]4/, 11],
  [/^[<>|=]?[iu][12]/, 6],
  [/^[<>|=]?b1/, 5],
  [/^[<>|=]?c/, 48],
  [/^[<>|=]?[Mm]8|^numpy\./, DATE],
];
const OTHERS = 24;
const CHARACTER = 7;
const PADDING = 18;
const NARROWEST = 64;

/**
 * Width of a table's column in CSS pixels, so that no number is cut: a hidden exponent would make another number.
 *
 * @param view what the CF view shows; absent for raw values
 */
export function cellWidthFor(dtype: string, view?: "numbers" | "dates"): number {
  const characters =
    view === undefined ? longestRaw(dtype) : view === "dates" ? DATE : Math.max(FLOAT, longestRaw(dtype));
  return Math.max(NARROWEST, characters * CHARACTER + PADDING);
}

const longestRaw = (dtype: string): number => LONGEST.find(([type]) => type.test(dtype))?.[1] ?? OTHERS;
