import { byKind } from "#core/basics.ts";
import { useCallback, useId, useMemo, useState } from "react";
import { fieldNames } from "#core/metadata/data-type-fields.ts";
import { placeText } from "#core/cf/axis.ts";
import { chunkStart } from "#core/metadata/chunk-grid.ts";
import type { Slice, SliceSpec } from "#core/open-set.ts";
import type { NotRun, ReaderComparison } from "#core/readers/comparison.ts";
import type { Reading } from "#core/reading.ts";
import { useActions, useEngine } from "#store/react.tsx";
import type { Axes } from "#store/hooks/use-axes.ts";
import { ErrorNotice, Loading, useMessage } from "#widgets/notes/Notices.tsx";
import { LinePlot } from "#widgets/plot/LinePlot.tsx";
import { TabPanel, Tabs } from "#widgets/controls/Tabs.tsx";
import { maxColumns, ValueTable } from "#widgets/values/ValueTable.tsx";
import { DimensionSelect } from "#widgets/cell-map/Dimensions.tsx";
import { withDimension, withIndex } from "#widgets/cell-map/plane.ts";
import { countOf, formatBytes, formatCount } from "#widgets/number-format.ts";
import type { RowRange } from "#widgets/values/ScaledRows.tsx";
import { Button, QuietButton } from "#widgets/controls/Button.tsx";
import shared from "../ChunkPanel.module.css";
import { PlaneControls, SliceNotice } from "./SliceParts.tsx";
import { ElementReadout } from "./ElementReadout.tsx";
import { FindingsPart } from "../FindingsPart.tsx";
import { MapTab } from "./MapTab.tsx";
import { MissingChunk } from "../MissingChunk.tsx";
import { StatisticsPart } from "./StatisticsPart.tsx";
import { findingTab, openingTab, shownTab, valueTabs } from "../tabs.ts";
import { edgeWords, firstIndex, isInGrid, rangeWords } from "../chunk-words.ts";
import { lineSpec, tableSpec } from "../shown-dimensions.ts";
import type { Lab } from "../use-lab.ts";
import type { ValueTabProps, ValueView } from "./use-value-view.ts";
import type { ZarritaRun } from "../use-reading.ts";
import { cellWriter, tintOf, usePainting } from "./painting.ts";
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

/** The value that is looked at, what all of them amount to, and the values as a table, a map or a line. */
function OwnValues({ lab, reading, view, axes }: Omit<ValuesTabProps, "zarrita">) {
  const { set, array, detail } = lab;
  const readout = useId();
  const [hovered, setHovered] = useState<readonly number[]>();
  const { values } = reading;
  if (reading.outcome === "missing") return <MissingChunk array={array} reading={reading} fill={detail} />;
  if (values === undefined || reading.outcome !== "ok") return <NoValues reading={reading} />;
  const { scaled } = view;
  const start = chunkStart(reading.coordinates, array.chunks);
  const at = hovered?.map((one, dimension) => one + (start[dimension] ?? 0));
  return (
    <>
      <ElementReadout id={readout} hovered={at} {...{ set, array, reading, view, axes }} />
      <StatisticsPart values={values} fill={detail} scaled={scaled} />
      <FindingsPart reading={reading} of={(about) => findingTab(about) === "values"} />
      <ValuesPart {...{ set, array, reading, values, view, axes, readout }} onHover={setHovered} />
      <Extent lab={lab} reading={reading} />
    </>
  );
}

/** Nothing is ever drawn for a chunk that failed. */
function NoValues({ reading }: { readonly reading: Reading }) {
  const actions = useActions();
  const where = openingTab(reading);
  return (
    <div className="grid leading gap-10 quiet">
      <p>
        <b className="ink strong">No values.</b>{" "}
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
    <p className="break faint figures">
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
    <section className={shared.section} aria-label="Values">
      <Tabs
        label="Values as"
        size="small"
        idBase={id}
        tabs={tabs}
        selected={tab}
        onSelect={(next) => view.change({ tab: next })}
      />
      <TabPanel idBase={id} id={tab} className={shared.tabPanel}>
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
    <div className={shared.stack}>
      <SliceNotice answer={answer}>{(slice) => <SliceLine {...props} slice={slice} />}</SliceNotice>
      <PlaneControls {...props} moving={[shown.column]}>
        <DimensionSelect
          label="Along"
          names={array.dimensions}
          className={shared.field}
          value={shown.column}
          onValue={(dimension) => view.change({ shown: withDimension(shown, "column", dimension) })}
        />
      </PlaneControls>
    </div>
  );
}

function SliceLine({ slice, ...props }: ValueTabProps & { readonly slice: Slice }) {
  const { array, reading, values, view } = props;
  const { shown, scaled } = view;
  const dimension = shown.column ?? 0;
  const stride = slice.strideAlong;
  const cursor = Math.floor((shown.at[dimension] ?? 0) / stride);
  const elementAt = (index: number) => withIndex(shown, dimension, index * stride);
  const name = array.dimensions[dimension] ?? "";
  const first = firstIndex(array, reading.coordinates, dimension);
  const scaling = scaled ? values.scaling : undefined;
  const units = shownUnits(scaling);
  const missing = slice.values.reduce((count, value) => count + (Number.isFinite(value) ? 0 : 1), 0);
  return (
    <>
      <p className="flex spread gap-10 quiet size-12 tabular">
        <span title={String(slice.maximum)}>
          {slice.maximum === undefined
            ? "no value"
            : `${valueLabel(slice.maximum, scaling)}${units === undefined ? "" : ` ${units}`}`}
        </span>
        {missing === 0 ? null : <span>{formatCount(missing)} without data here</span>}
      </p>
      <LinePlot
        label={`Values of ${reading.key} along ${name}; the arrow keys move the cursor`}
        describedBy={props.readout}
        values={slice.values}
        cursor={Math.min(cursor, Math.max(0, slice.values.length - 1))}
        onCursor={(index) => view.change({ shown: elementAt(index) })}
        onHover={(index) => props.onHover(index === undefined ? undefined : elementAt(index).at)}
      />
      <p className="flex spread gap-10 quiet size-12 tabular">
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

/** Compares this chunk with what zarrita reads, run for real. */
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
  if (cost?.kind === "not-run") return <p className="break faint figures">{notRunWords(cost.why)}</p>;
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
    <div className="grid gap-6" role="status" data-comparison={found.kind}>
      <p className="strong toned" data-tone={tone}>
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
      return <p className="break faint figures">{notRunWords(found.why)}</p>;
    case "differs":
      return (
        <>
          <p className="break faint figures">The first is {elementWords(found.first)} of the chunk, counted from 0:</p>
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
    <dl className={`stack break ${shared.sides}`} data-value={isValue}>
      <dt>Here, as in Python</dt>
      <dd>{ours}</dd>
      <dt>zarrita</dt>
      <dd>{theirs}</dd>
    </dl>
  );
}

// Words for reading a chunk by zarrita too.

/** Result in a few words. */
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
  runtime:
    "Cannot run zarrita: it reads float16 by JavaScript's Float16Array, which this browser or Node.js does not have.",
  ended: "The zarrita worker crashed or could not be started.",
};

export const notRunWords = (why: NotRun): string => NOT_RUN[why];

/** `[0, 3]`; of an array without dimensions its one element. */
export const elementWords = (at: readonly number[]): string =>
  at.length === 0 ? "its one element" : `element [${at.join(", ")}]`;

/** Values in rows and columns, asked for by window; in short, exact when pointed at or copied. */
function TableTab(props: ValueTabProps) {
  const { set, array, reading, values, view, axes } = props;
  const { shown, scaled } = view;
  const spec = tableSpec(reading.id, shown, scaled);
  const { rowDimension: row, columnDimension: column } = spec;
  const [fieldCursor, setFieldCursor] = useState(0);
  const painting = usePainting(props);
  const fields = column === undefined ? fieldNames(values.dtype) : [];
  const lengthOf = (dimension: number | undefined) => (dimension === undefined ? 1 : (values.inside[dimension] ?? 1));
  const rows = lengthOf(row);
  const turned = (at: number) => (painting.isTurned ? rows - 1 - at : at);
  const { answer, window, onWindow } = useCells(set, spec, fields.length > 0, painting.isTurned ? rows : undefined);
  const isNumbers = values.numeric && fields.length === 0;
  const writer = useMemo(() => (isNumbers ? cellWriter(values, scaled) : undefined), [isNumbers, values, scaled]);
  const header = (dimension: number | undefined) => (index: number) => {
    if (dimension === undefined) return "";
    const at = firstIndex(array, reading.coordinates, dimension) + index;
    const axis = axes[dimension];
    return (axis === undefined ? undefined : placeText(axis, at)) ?? String(at);
  };
  const [rowHeader, columnHeader] = [header(row), header(column)];
  const allColumns = fields.length > 0 ? fields.length : lengthOf(column);
  const heads = column === undefined ? [] : [columnHeader(0), columnHeader(allColumns - 1)];
  const cellWidth = cellWidthFor(values.dtype, writer?.characters, heads);
  const columns = Math.min(allColumns, maxColumns(cellWidth));
  const at = (dimension: number | undefined) => (dimension === undefined ? 0 : (shown.at[dimension] ?? 0));
  return (
    <div className={shared.stack}>
      {answer.error === undefined ? null : <ErrorNotice error={answer.error} onRetry={answer.retry} />}
      <ValueTable
        key={String(painting.isTurned)}
        label="Values"
        size={{ rows, columns }}
        cellWidth={cellWidth}
        alignment={isNumbers ? "end" : "start"}
        {...(writer === undefined ? {} : { shown: writer.write, tint: (text) => tintOf(painting, Number(text)) })}
        rowHeader={(index) => rowHeader(turned(index))}
        columnHeader={fields.length > 0 ? (index) => fields[index] ?? "" : columnHeader}
        corner={(scaled ? shownUnits(values.scaling) : undefined) ?? ""}
        window={window}
        onWindow={onWindow}
        cursor={{ row: turned(at(row)), column: Math.min(fields.length > 0 ? fieldCursor : at(column), columns - 1) }}
        onCursor={(cell) => {
          setFieldCursor(cell.column);
          view.change({ shown: withIndex(withIndex(shown, row, turned(cell.row)), column, cell.column) });
        }}
      />
      {columns < allColumns ? (
        <p className="quiet fine">
          The first {formatCount(columns)} of {formatCount(allColumns)} columns are shown: let the long dimension run
          down the rows to see all.
        </p>
      ) : null}
      <PlaneControls {...props} moving={[row, column]} />
    </div>
  );
}

interface Wanted {
  readonly rows: RowRange;
  readonly columns: RowRange;
}

/**
 * Texts of the visible cells and where they begin; the previous ones stay while new ones are fetched. `turned`: how many
 * rows there are, the last of which comes first.
 */
function useCells(set: number, spec: SliceSpec, fields: boolean, turned: number | undefined) {
  const [wanted, setWanted] = useState<Wanted>();
  const asked = wanted && { ...wanted, rows: turnedRange(wanted.rows, turned) };
  const answer = useEngine(
    "chunk.cells",
    asked === undefined ? undefined : { set, spec: { ...spec, ...asked, fields } },
    JSON.stringify(spec),
  );
  const { last } = answer;
  const window = useMemo(() => {
    if (last === undefined) return undefined;
    const { rows, columns } = last.request.spec;
    const { texts, counts } = last.data;
    const all = { texts, ...(counts === undefined ? {} : { counts }), columnFrom: columns.from };
    if (turned === undefined) return { ...all, rowFrom: rows.from };
    return { ...all, texts: texts.toReversed(), rowFrom: turnedRange(rows, turned).from };
  }, [last, turned]);
  const onWindow = useCallback((rows: RowRange, columns: RowRange) => setWanted({ rows, columns }), []);
  return { answer, window, onWindow };
}

const turnedRange = ({ from, to }: RowRange, rows: number | undefined): RowRange =>
  rows === undefined ? { from, to } : { from: rows - to, to: rows - from };

const CHARACTER = 6.6;
const PADDING = 10;
const LEAST = 40;
/** Characters that are shown of what is no number. */
const CHARACTERS: readonly (readonly [type: RegExp, characters: number])[] = [
  [/^[<>|=]?c/, 48],
  [/^[<>|=]?[Mm]8|^numpy\./, 29],
];
const OTHERS = 24;

/** CSS pixels of a column that cuts neither a number nor its head: a hidden exponent would make another number. */
export function cellWidthFor(dtype: string, characters: number | undefined, heads: readonly string[]): number {
  const own = characters ?? CHARACTERS.find(([type]) => type.test(dtype))?.[1] ?? OTHERS;
  return Math.max(LEAST, Math.max(own, ...heads.map(({ length }) => length)) * CHARACTER + PADDING);
}
