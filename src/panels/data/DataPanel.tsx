/** The selected array as its readers see it: a slice across chunks, and which chunk each value comes from. */
import { useId, useMemo, useState } from "react";
import { isNorthLast } from "../../core/cf/axis.ts";
import { chunkAlong, type ChunkEdges } from "../../core/metadata/chunk-edges.ts";
import type { NodeSummary, SetSummary } from "../../core/open-set.ts";
import { MOST_PLANE_CHUNKS } from "../../core/plane/plane-budget.ts";
import { type ChunkLook, countLooks, type PlaneValues, stepsFor } from "../../core/plane/plane-values.ts";
import { type Plane, planeChunks, planeExtent, type ValuesAbout } from "../../core/plane/plane.ts";
import { ordinal } from "../../core/values/number-text.ts";
import { valueText } from "../../core/values/value-text.ts";
import { useActions, useAppState, useEngine } from "../../store/react.tsx";
import { ArrayList } from "../../widgets/ArrayList.tsx";
import type { Tick } from "../../widgets/cell-map/axes.ts";
import { Popover } from "../../widgets/controls/Popover.tsx";
import { Segmented } from "../../widgets/controls/Segmented.tsx";
import { useElementSize } from "../../widgets/element-size.ts";
import { BrokenNode } from "../../widgets/notes/BrokenNode.tsx";
import { EmptyState } from "../../widgets/notes/EmptyState.tsx";
import { ErrorNotice } from "../../widgets/notes/ErrorNotice.tsx";
import { Unanswered } from "../../widgets/notes/Unanswered.tsx";
import { countOf, formatCount, formatShape } from "../../widgets/number-format.ts";
import { LinePlot } from "../../widgets/values/LinePlot.tsx";
import { InBar } from "../../widgets/view-bar.tsx";
import styles from "./DataPanel.module.css";
import { Dock } from "./Dock.tsx";
import { FigureTools } from "./FigureTools.tsx";
import { PlaneFigure, readCounts } from "./PlaneFigure.tsx";
import { PlaneReadout } from "./PlaneReadout.tsx";
import { SaveMenu } from "./SaveMenu.tsx";
import { axisTicks, placeText } from "./axis-words.ts";
import { costText, freeStride } from "./cost-words.ts";
import { type Axes, useAxes } from "./use-axes.ts";
import { type Leave, useLeave } from "./use-leave.ts";
import { type PlaneProgress, type PlaneRequest, usePlaneValues } from "./use-plane-values.ts";
import { scaledDimension, type SliceActions, type SliceView, useSlice, useSliceView } from "./use-slice-view.ts";
import { useVisibleChunks } from "./visible-chunks.ts";

export function DataPanel() {
  const set = useAppState((state) => state.set);
  const path = useAppState((state) => state.node);
  const actions = useActions();
  const node = set?.nodes.find((one) => one.path === path);
  if (set === undefined || node === undefined) {
    return <EmptyState title="No dataset open">Open a dataset to see the values of its arrays.</EmptyState>;
  }
  if (node.kind === "broken") {
    return (
      <BrokenNode
        node={node}
        without="Values need valid metadata."
        onShowMetadata={() => actions.showView("metadata")}
      />
    );
  }
  if (node.kind !== "array") return <PickArray set={set} node={node} />;
  const { shape, chunks, grid } = node;
  if (shape === undefined || chunks === undefined || grid === undefined) {
    return (
      <EmptyState title="This array cannot be displayed">
        Refscope does not support its chunk grid. See Chunks for its references.
      </EmptyState>
    );
  }
  if (grid.includes(0)) {
    return <EmptyState title="This array has no values">One of its dimensions has length 0.</EmptyState>;
  }
  return <ArrayData key={`${set.id} ${node.path}`} {...{ set, node, shape, grid }} chunkShape={chunks} />;
}

/** A group has no values of its own. */
function PickArray({ set, node }: { readonly set: SetSummary; readonly node: NodeSummary }) {
  const actions = useActions();
  const prefix = node.path === "" ? "" : `${node.path}/`;
  const arrays = set.nodes.filter(({ kind, path }) => kind === "array" && path.startsWith(prefix));
  if (arrays.length === 0) {
    return <EmptyState title="No array here">Select another group in the hierarchy.</EmptyState>;
  }
  return (
    <EmptyState title="Select an array to see its values">
      <ArrayList
        label="Arrays"
        arrays={arrays.map(({ path, name, shape }) => ({
          path,
          name: path === "" ? name : path,
          detail: shape === undefined ? "" : formatShape(shape),
        }))}
        onArray={(chosen) => {
          actions.selectNode(chosen);
        }}
      />
    </EmptyState>
  );
}

// An array's values: its name and cost above, the slice, the other dimensions and the colours below.

interface ArrayDataProps {
  readonly set: SetSummary;
  readonly node: NodeSummary;
  readonly shape: readonly number[];
  readonly grid: readonly number[];
  readonly chunkShape: readonly ChunkEdges[];
}

function ArrayData(props: ArrayDataProps) {
  const { set, node, shape, grid, chunkShape } = props;
  const { view, change, ...go } = useSliceView(node.path, shape, chunkShape);
  const { scaled } = view;
  const plane = useSlice(view.plane);
  const axes = useAxes(set.id, node.path, plane, scaledDimension(view, shape));
  const { leave, error, retry } = useLeave({ set: set.id, array: node.path, plane, chunkShape }, view.paid);
  const every = leave.kind === "granted" ? leave.every : 0;
  const request = useMemo((): PlaneRequest => {
    const extent = planeExtent(plane, shape);
    return {
      set: set.id,
      array: node.path,
      shape,
      chunkShape,
      plane,
      extent,
      chunks: planeChunks(plane, grid, chunkShape),
      steps: stepsFor(extent),
      scaled,
      every,
    };
  }, [set.id, node.path, shape, chunkShape, grid, plane, scaled, every]);
  const about = useEngine("plane.about", { set: set.id, array: node.path }).data;
  const count = request.chunks.rows * request.chunks.columns;
  const look = count > MOST_PLANE_CHUNKS ? undefined : lookOf(plane, about);
  const visible = useVisibleChunks();
  const [tools, setTools] = useState<HTMLElement | null>(null);
  const isOn = leave.kind !== "asking" && look !== "text" && look !== undefined;
  const progress = usePlaneValues("plane", request, isOn, visible.isSeen);
  const mayRead = leave.kind === "granted";
  return (
    <div className={styles.panel} role="group" aria-label="Values across chunks">
      <DataBar {...{ axes, node, view, change, progress, request, leave }} toolsRef={setTools} />
      {error === undefined ? null : <ErrorNotice error={error} onRetry={retry} />}
      {count > MOST_PLANE_CHUNKS ? <TooManyChunks count={count} /> : null}
      {look === "plane" ? (
        <PlaneFigure {...{ set, node, view, change, go, axes, request, progress, tools }} onSeen={visible.see} />
      ) : null}
      {look === "line" ? <LineFigure {...{ set, node, view, go, axes, request, progress, tools }} /> : null}
      {look === "text" && mayRead ? <TextFigure {...{ set, node, shape, view, axes }} /> : null}
      {shape.length === 0 || (shape.length === 1 && look !== "plane") ? null : (
        <Dock {...{ set, node, shape, grid, view, change, axes, progress, request }} hasColours={look === "plane"} />
      )}
    </div>
  );
}

/** Whatever a slice would show, nothing is kept for so many chunks. */
function TooManyChunks({ count }: { readonly count: number }) {
  const actions = useActions();
  return (
    <EmptyState title="Slice too large to draw">
      It has {formatCount(count)} chunks; Refscope draws slices of at most {formatCount(MOST_PLANE_CHUNKS)}.{" "}
      <button type="button" onClick={() => actions.showView("chunks")}>
        Show chunks
      </button>
    </EmptyState>
  );
}

/** As what it is shown; `undefined` until it is known what its values are. */
function lookOf(plane: Plane, about: ValuesAbout | undefined): "plane" | "line" | "text" | undefined {
  if (about === undefined) return undefined;
  if (!about.numeric || (plane.row === undefined && plane.column === undefined)) return "text";
  return plane.row === undefined ? "line" : "plane";
}

// An array of text, structures or other things that are no numbers, and a single value: as a table.

interface TextFigureProps {
  readonly set: SetSummary;
  readonly node: NodeSummary;
  readonly shape: readonly number[];
  readonly view: SliceView;
  readonly axes: Axes;
}

/** Rows and columns that are shown; the rest is one step away in the terminal. */
const MAX_ROWS = 500;
const MAX_COLUMNS = 20;

function TextFigure({ set, node, shape, view, axes }: TextFigureProps) {
  const { plane, scaled } = view;
  const select = shape
    .map((_, dimension) => {
      if (dimension === plane.column && plane.row === undefined) return `:${MAX_ROWS}`;
      if (dimension === plane.row) return `:${MAX_ROWS}`;
      return dimension === plane.column ? `:${MAX_COLUMNS}` : String(plane.at[dimension] ?? 0);
    })
    .join(",");
  const answer = useEngine("plane.table", { set: set.id, array: node.path, select, scaled });
  const { data } = answer;
  if (data === undefined) return <Unanswered answer={answer} label="Reading values" />;
  const width = plane.row === undefined ? 1 : (data.shape.at(-1) ?? 1);
  const rows = Math.ceil(data.texts.length / Math.max(1, width));
  const along = plane.row ?? plane.column;
  const length = along === undefined ? 1 : (shape[along] ?? 1);
  return (
    <div
      className={styles.texts}
      role="img"
      aria-label="Data"
      data-failed={data.failed.length}
      data-missing={data.missing}
    >
      {data.failed.map(([chunk, error]) => (
        <ErrorNotice key={chunk} error={error} />
      ))}
      {data.failed.length > 0 ? null : (
        <table>
          <tbody>
            {Array.from({ length: rows }, (_, row) => (
              // oxlint-disable-next-line react/no-array-index-key -- a row is its place
              <tr key={row}>
                {along === undefined ? null : <th scope="row">{placeText(axes(along), row)}</th>}
                {data.texts.slice(row * width, (row + 1) * width).map((text, column) => (
                  // oxlint-disable-next-line react/no-array-index-key -- a column is its place
                  <td key={column} title={text}>
                    {text}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {length > rows ? (
        <p>
          The first {countOf(rows, "row")} of {length.toLocaleString("en")}.
        </p>
      ) : null}
    </div>
  );
}

// An array of one dimension, or a slice of one, as a line.

interface LineFigureProps {
  readonly set: SetSummary;
  readonly node: NodeSummary;
  readonly view: SliceView;
  readonly go: SliceActions;
  readonly axes: Axes;
  readonly request: PlaneRequest;
  readonly progress: PlaneProgress;
  readonly tools: HTMLElement | null;
}

/** Below and above the line. */
const MARGINS = 44;
const LABELS = 84;

function LineFigure(props: LineFigureProps) {
  const { set, node, view, go, axes, request, progress, tools } = props;
  const readout = useId();
  const [frame, size] = useElementSize<HTMLDivElement>();
  const [hovered, setHovered] = useState<number>();
  const about = useEngine("plane.about", { set: set.id, array: node.path }).data;
  const dimension = view.plane.column ?? 0;
  const cursor = view.plane.at[dimension] ?? 0;
  const element = (at: number) => view.plane.at.map((one, each) => (each === dimension ? at : one));
  const { shown } = progress;
  const step = shown?.steps.across ?? request.steps.across;
  const length = request.extent.columns;
  const { from, to, values } = useSeen(view, dimension, length, request, shown);
  const indexOf = (index: number) => Math.min(length - 1, (Math.floor(from / step) + index) * step);
  const width = Math.max(1, size.width - LABELS - 16);
  const ticks = axisTicks(axes(dimension), length, "across", (at) => at)({ from, to }, width / (to - from));
  const at = hovered ?? cursor;
  const select = (index: number) => go.select(element(index));
  const label = (value: number | undefined) => (value === undefined ? "" : valueText(value, about, view.scaled));
  return (
    <>
      <div ref={frame} className={styles.lineFigure}>
        <div className={styles.lineEnds}>
          <span>{label(shown?.maximum)}</span>
          <span>{label(shown?.minimum)}</span>
        </div>
        <div className={styles.linePlot}>
          <LinePlot
            label="Data"
            describedBy={readout}
            values={values}
            cursor={Math.max(0, Math.min(values.length - 1, Math.floor(cursor / step) - Math.floor(from / step)))}
            onCursor={(index) => select(indexOf(index))}
            onHover={(index) => setHovered(index === undefined ? undefined : indexOf(index))}
            height={Math.max(80, size.height - MARGINS)}
            data={readCounts(progress)}
          />
          <LineTicks ticks={ticks} from={from} length={to - from} />
        </div>
      </div>
      <div className={styles.readout}>
        <PlaneReadout
          id={readout}
          {...{ set, node, view, axes, request, progress }}
          element={element(at)}
          chunk={chunkAlong(request.chunkShape[dimension] ?? 1, at)}
          spoken={hovered === undefined}
        />
        <FigureTools place={tools}>
          {to - from < length ? (
            <button type="button" onClick={go.showWhole}>
              Show the whole dimension
            </button>
          ) : null}
          <SaveMenu {...{ set, node, view, request }} picture={undefined} />
        </FigureTools>
      </div>
    </>
  );
}

/** The part of the line that a link says is seen, else all of it. */
function useSeen(
  { given }: SliceView,
  dimension: number,
  length: number,
  { steps }: PlaneRequest,
  shown: PlaneValues | undefined,
) {
  const { from, to } = given?.get(dimension) ?? { from: 0, to: length };
  const step = shown?.steps.across ?? steps.across;
  const values = useMemo(
    () =>
      shown === undefined
        ? new Float64Array(Math.ceil((to - from) / step)).fill(Number.NaN)
        : shown.values.subarray(Math.floor(from / step), Math.ceil(to / step)),
    [shown, from, to, step],
  );
  return { from, to, values };
}

interface LineTicksProps {
  readonly ticks: readonly Tick[];
  readonly from: number;
  readonly length: number;
}

function LineTicks({ ticks, from, length }: LineTicksProps) {
  return (
    <div className={styles.lineTicks}>
      {ticks.map(({ at, text }) => (
        <span key={at} style={{ left: `${((at - from - 0.5) / Math.max(1, length - 1)) * 100}%` }}>
          {text}
        </span>
      ))}
    </div>
  );
}

// What was read of the slice, and how it is shown.

interface DataBarProps {
  readonly node: NodeSummary;
  readonly view: SliceView;
  readonly change: (part: Partial<SliceView>) => void;
  readonly leave: Leave;
  readonly progress: PlaneProgress;
  readonly request: PlaneRequest;
  readonly axes: Axes;
  /** Given the place for the figure's own tools. */
  readonly toolsRef: (place: HTMLElement | null) => void;
}

/** In the bar above the view. */
function DataBar(props: DataBarProps) {
  const { view, change, leave, progress, request, toolsRef } = props;
  return (
    <>
      <InBar part="facts">
        <p className={styles.facts} aria-live="polite">
          <ReadSoFar {...{ progress, request }} />
        </p>
      </InBar>
      <InBar part="tools">
        <Segmented
          label="Values"
          value={view.scaled ? "cf" : "raw"}
          options={[
            { value: "cf", text: "CF", title: "As xarray decodes them: scaled, missing values left out" },
            { value: "raw", text: "Raw", title: "As they are stored" },
          ]}
          onValue={(value) => change({ scaled: value === "cf" })}
        />
        <Display {...props} />
        <span ref={toolsRef} className={styles.tools} />
      </InBar>
      {leave.kind === "costly" ? (
        <Offer key={leave.slice} {...{ leave, change }} hasMore={request.shape.length > 2} />
      ) : null}
    </>
  );
}

/** What may be switched on and off in a picture; north only where there is one. */
function Display({ view, change, axes }: DataBarProps) {
  const { row, column } = view.plane;
  if (row === undefined || column === undefined) return null;
  const [down, across] = [axes(row), axes(column)];
  const isMap = down?.role === "latitude" && across?.role === "longitude";
  return (
    <Popover label="Display" title="How the slice is shown" align="end">
      <div className={styles.display}>
        <Switch label="Chunk edges" on={view.edges} onChange={(edges) => change({ edges })} />
        <Switch
          label="File edges"
          title="Thick lines where chunks of different files meet"
          on={view.fileEdges}
          onChange={(fileEdges) => change({ fileEdges })}
        />
        {isMap && isNorthLast(down) ? (
          <Switch label="North up" on={view.northUp} onChange={(northUp) => change({ northUp })} />
        ) : null}
        <Switch label="Square cells" on={view.equalAspect} onChange={(equalAspect) => change({ equalAspect })} />
      </div>
    </Popover>
  );
}

interface SwitchProps {
  readonly label: string;
  readonly title?: string;
  readonly on: boolean;
  readonly onChange: (on: boolean) => void;
}

function Switch({ label, title, on, onChange }: SwitchProps) {
  return (
    <label className={styles.switch} title={title}>
      <input type="checkbox" checked={on} onChange={({ target }) => onChange(target.checked)} /> {label}
    </label>
  );
}

interface OfferProps extends Pick<DataBarProps, "change"> {
  readonly leave: Extract<Leave, { kind: "costly" }>;
  /** There are other slices. */
  readonly hasMore: boolean;
}

/** What is asked for holds for this slice alone, unless it is said to hold for those after it. */
function Offer({ leave: { cost, slice }, change, hasMore }: OfferProps) {
  const [onward, setOnward] = useState(false);
  const every = freeStride(cost);
  return (
    <div className={styles.offer}>
      <p>{costText(cost)}</p>
      <button type="button" className={styles.primary} onClick={() => change({ paid: { every: 1, slice, onward } })}>
        Read this slice
      </button>
      <button type="button" onClick={() => change({ paid: { every, slice, onward } })}>
        Read every {ordinal(every)} chunk
      </button>
      {hasMore ? (
        <label className={styles.choice}>
          <input type="checkbox" checked={onward} onChange={({ target }) => setOnward(target.checked)} />
          and those after it
        </label>
      ) : null}
    </div>
  );
}

/** "9 chunks: 7 read, 1 failed, 1 not read" */
function ReadSoFar({ progress, request }: Pick<DataBarProps, "progress" | "request">) {
  const count = request.chunks.rows * request.chunks.columns;
  const looks = progress.isOld ? [] : (progress.shown?.looks ?? []);
  const of = (look: ChunkLook) => countLooks(looks, look);
  const [read, missing, failed] = [of("read"), of("missing"), of("failed")];
  const unread = count - read - missing - failed;
  return (
    <>
      <b>{countOf(count, "chunk")}:</b> {formatCount(read)} read
      {failed > 0 ? <b className={styles.bad}>, {formatCount(failed)} failed</b> : null}
      {missing > 0 ? `, ${formatCount(missing)} missing` : null}
      {unread > 0 ? `, ${formatCount(unread)} not read` : null}
    </>
  );
}
