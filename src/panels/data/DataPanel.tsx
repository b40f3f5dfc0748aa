/** The selected array as its readers see it: a slice across chunks, and which chunk each value comes from. */
import { type ReactNode, useId, useMemo, useState } from "react";
import { isNorthLast } from "#core/cf/axis.ts";
import { chunkAlong } from "#core/metadata/chunk-grid.ts";
import type { NodeSummary, SetSummary } from "#core/open-set.ts";
import { MOST_PLANE_CHUNKS } from "#core/plane/plane-budget.ts";
import { type ChunkLook, countLooks, lookOfError, type PlaneValues } from "#core/plane/plane-values.ts";
import { ordinal } from "#core/values/number-text.ts";
import { useActions, useAppState, useEngine } from "#store/react.tsx";
import { ArrayList } from "#widgets/ArrayList.tsx";
import type { Tick } from "#widgets/cell-map/axes.ts";
import { isGeographic } from "#widgets/cell-map/coast-lines.ts";
import type { Span } from "#widgets/cell-map/camera.ts";
import { Popover } from "#widgets/controls/Popover.tsx";
import { Segmented } from "#widgets/controls/Segmented.tsx";
import { SMALL, useMediaQuery } from "#widgets/hooks.ts";
import { useElementSize } from "#widgets/measuring.ts";
import { EmptyState, ErrorNotice, Unanswered } from "#widgets/notes/Notices.tsx";
import { BrokenNode } from "#widgets/notes/part-notes.tsx";
import { countOf, formatCount, formatShape } from "#widgets/number-format.ts";
import { LinePlot } from "#widgets/plot/LinePlot.tsx";
import { InBar } from "#widgets/view-bar.tsx";
import { Sign } from "#widgets/Icon.tsx";
import { Button } from "#widgets/controls/Button.tsx";
import { CostButton, costText, freeStride } from "./CostDialog.tsx";
import styles from "./DataPanel.module.css";
import { Dock } from "./Dock.tsx";
import { PlaneFigure, readCounts } from "./PlaneFigure.tsx";
import { FailedSpans } from "./FailedSpans.tsx";
import { FigureTools, PlaneReadout } from "./PointTag.tsx";
import { SaveMenu, Switch } from "./SaveMenu.tsx";
import { axisTicks, placeText } from "#widgets/plane/axis-words.ts";
import { type ArrayInput, type Leave, ShownArray, useShown, useShownArray } from "./shown-array.ts";
import type { PlaneRequest } from "#store/hooks/use-plane-values.ts";

export function DataPanel() {
  const set = useAppState((state) => state.set);
  const path = useAppState((state) => state.node);
  const actions = useActions();
  const node = set?.nodes.find((one) => one.path === path);
  if (set === undefined || node === undefined)
    return <EmptyState title="No dataset open">Open a dataset to see the values of its arrays.</EmptyState>;
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
  if (grid.includes(0))
    return <EmptyState title="This array has no values">One of its dimensions has length 0.</EmptyState>;
  return <ArrayData key={`${set.id} ${node.path}`} {...{ set, node, shape, grid }} chunkShape={chunks} />;
}

/** A group has no values of its own. */
function PickArray({ set, node }: { readonly set: SetSummary; readonly node: NodeSummary }) {
  const actions = useActions();
  const prefix = node.path === "" ? "" : `${node.path}/`;
  const arrays = set.nodes.filter(({ kind, path }) => kind === "array" && path.startsWith(prefix));
  if (arrays.length === 0) return <EmptyState title="No array here">Select another group in the hierarchy.</EmptyState>;
  return (
    <EmptyState title="Select an array to see its values">
      <ArrayList
        label="Arrays"
        arrays={arrays.map(({ path, name, shape }) => ({
          path,
          name: path === "" ? name : path,
          detail: shape === undefined ? "" : formatShape(shape),
        }))}
        onArray={(chosen) => actions.selectNode(chosen)}
      />
    </EmptyState>
  );
}

// An array's values: its name and cost above, the slice, the other dimensions and the colours below.

function ArrayData(props: ArrayInput) {
  const shown = useShownArray(props);
  const { kind, leave, error, retry, request } = shown;
  const { chunks } = request;
  const { length } = request.shape;
  const actions = useActions();
  return (
    <ShownArray value={shown}>
      <div className={`panel ${styles.panel}`} role="group" aria-label="Values across chunks">
        <DataBar />
        {error === undefined ? null : <ErrorNotice error={error} onRetry={retry} />}
        {/* Whatever a slice would show, nothing is kept for so many chunks. */}
        {kind === "too-many" ? (
          <EmptyState title="Slice too large to draw">
            It has {formatCount(chunks.rows * chunks.columns)} chunks; Refscope draws slices of at most{" "}
            {formatCount(MOST_PLANE_CHUNKS)}. <Button onClick={() => actions.showView("chunks")}>Show chunks</Button>
          </EmptyState>
        ) : null}
        {/* Until it is known what there is, its room is kept: nothing moves when it comes. */}
        {kind === undefined ? <div className={styles.stage} /> : null}
        {kind === "plane" ? <PlaneFigure /> : null}
        {kind === "line" ? <LineFigure /> : null}
        {kind === "text" && leave.kind === "granted" ? <TextFigure /> : null}
        {length === 0 || (length === 1 && kind !== "plane") ? null : <Dock />}
      </div>
    </ShownArray>
  );
}

// An array of text, structures or other things that are no numbers, and a single value: as a table.

/** Rows and columns that are shown; the rest is one step away in the terminal. */
const MAX_ROWS = 500;
const MAX_COLUMNS = 20;

function TextFigure() {
  const { set, node, plane, axes, request } = useShown();
  const { shape, scaled } = request;
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
      data-failed={data.failed.filter(([, error]) => lookOfError(error) === "failed").length}
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

/** Below and above the line. */
const MARGINS = 44;
const LABELS = 84;

function LineFigure() {
  const { plane, given, go, axes, request, progress, label } = useShown();
  const readout = useId();
  const [frame, size] = useElementSize<HTMLDivElement>();
  const [hovered, setHovered] = useState<number>();
  const dimension = plane.column ?? 0;
  const cursor = plane.at[dimension] ?? 0;
  const element = (at: number) => plane.at.map((one, each) => (each === dimension ? at : one));
  const { shown } = progress;
  const step = shown?.steps.across ?? request.steps.across;
  const length = request.extent.columns;
  const { from, to, values } = useSeen(given.get(dimension), length, request, shown);
  const indexOf = (index: number) => Math.min(length - 1, (Math.floor(from / step) + index) * step);
  const width = Math.max(1, size.width - LABELS - 16);
  const ticks = axisTicks(axes(dimension), length, "across", (at) => at)({ from, to }, width / (to - from));
  const at = hovered ?? cursor;
  const select = (index: number) => go.select(element(index));
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
          <FailedSpans seen={{ from, to }} onElement={select} />
          <LineTicks ticks={ticks} from={from} length={to - from} />
        </div>
      </div>
      <div className={styles.readout}>
        <PlaneReadout
          id={readout}
          element={element(at)}
          chunk={chunkAlong(request.chunkShape[dimension] ?? 1, at)}
          spoken={hovered === undefined}
        />
        <FigureTools>
          {to - from < length ? <Button onClick={go.showWhole}>Show the whole dimension</Button> : null}
          <SaveMenu picture={undefined} />
        </FigureTools>
      </div>
    </>
  );
}

/** The part of the line that a link says is seen, else all of it. */
function useSeen(given: Span | undefined, length: number, { steps }: PlaneRequest, shown: PlaneValues | undefined) {
  const { from, to } = given ?? { from: 0, to: length };
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

function LineTicks({ ticks, from, length }: { readonly ticks: readonly Tick[] } & Record<"from" | "length", number>) {
  return (
    <div className={styles.lineTicks}>
      {ticks.map(({ at, text }) => (
        <span
          className="absolute one-line"
          key={at}
          style={{ left: `${((at - from - 0.5) / Math.max(1, length - 1)) * 100}%` }}
        >
          {text}
        </span>
      ))}
    </div>
  );
}

// Summary of the reading of the slice, and the controls of its display.

/** The bar above the view. */
function DataBar() {
  const { request, leave, setTools } = useShown();
  const small = useMediaQuery(SMALL);
  const isPlane = request.plane.row !== undefined && request.plane.column !== undefined;
  const tools = (
    <>
      <CostButton />
      <span ref={setTools} className={`inline-row gap-6 rigid ${styles.tools}`} data-plane={isPlane && !small} />
    </>
  );
  const actions = useActions();
  return (
    <>
      <InBar part="facts">
        <p className="ellipsis" aria-live="polite">
          <ReadSoFar />
        </p>
      </InBar>
      <InBar part="tools">
        <Segmented
          label="Values"
          value={request.scaled ? "cf" : "raw"}
          options={[
            { value: "cf", text: "CF", title: "As xarray decodes them: scaled, missing values left out" },
            { value: "raw", text: "Raw", title: "As they are stored" },
          ]}
          onValue={(value) => actions.showRawValues(value === "raw")}
        />
        <Display tools={small ? tools : null} />
        {small ? null : tools}
      </InBar>
      {leave.kind === "costly" ? (
        <Offer key={`${leave.slice.row} ${leave.slice.column} ${leave.slice.at.join()}`} leave={leave} />
      ) : null}
    </>
  );
}

/** Switches of a picture; north only if there is one. */
function Display({ tools }: { readonly tools: ReactNode }) {
  const { plane, look, colours, change, axes } = useShown();
  const { row, column } = plane;
  if (row === undefined || column === undefined) return tools;
  const [down, across] = [axes(row), axes(column)];
  const isMap = down?.role === "latitude" && across?.role === "longitude";
  return (
    <Popover
      label={tools === null ? "Display" : <DisplaySign />}
      title="How the slice is shown"
      align="end"
      arrow={tools === null}
    >
      <div className={`grid gap-6 ${styles.display}`}>
        <Switch label="Chunk edges" on={look.edges} onChange={(edges) => change({ edges })} />
        <Switch
          label="File edges"
          title="Thick lines where chunks of different files meet"
          on={look.fileEdges}
          onChange={(fileEdges) => change({ fileEdges })}
        />
        {isMap && isNorthLast(down) ? (
          <Switch label="North up" on={look.northUp} onChange={(northUp) => change({ northUp })} />
        ) : null}
        {isGeographic({ down, across }) ? (
          <Switch
            label="Coastlines of the Earth"
            title="Natural Earth’s, at 1:110 million: a grid that is flipped or shifted does not fit them, nor does land that is made up"
            on={look.coasts}
            onChange={(coasts) => change({ coasts })}
          />
        ) : null}
        {colours.classes === undefined ? (
          <Switch
            label="Smooth shading"
            title="Blends neighbouring values; each cell is its own value without it"
            on={look.smooth}
            onChange={(smooth) => change({ smooth })}
          />
        ) : null}
        <Switch label="Square cells" on={look.equalAspect} onChange={(equalAspect) => change({ equalAspect })} />
        {tools}
      </div>
    </Popover>
  );
}

const DisplaySign = () => (
  <>
    <Sign path="M2 4.5h7m4 0h1M2 11.5h1m4 0h7M9 2.5h4v4H9zM3 9.5h4v4H3z" />
    <span className="unseen">Display</span>
  </>
);

/** A request holds for this slice alone, unless it is made for those after it too. */
function Offer({ leave: { cost, slice } }: { readonly leave: Extract<Leave, { kind: "costly" }> }) {
  const { change, request } = useShown();
  const [onward, setOnward] = useState(false);
  const every = freeStride(cost);
  return (
    <div className={styles.offer}>
      <p>{costText(cost)}</p>
      <Button className={styles.primary} onClick={() => change({ paid: { every: 1, slice, onward } })}>
        Read this slice
      </Button>
      <Button onClick={() => change({ paid: { every, slice, onward } })}>Read every {ordinal(every)} chunk</Button>
      {request.shape.length > 2 ? (
        <label className={`inline-row gap-6 quiet ${styles.choice}`}>
          <input type="checkbox" checked={onward} onChange={({ target }) => setOnward(target.checked)} />
          and those after it
        </label>
      ) : null}
    </div>
  );
}

/** "9 chunks: 7 read, 1 failed, 1 not read" */
function ReadSoFar() {
  const { progress, request } = useShown();
  const count = request.chunks.rows * request.chunks.columns;
  const looks = progress.isOld ? [] : (progress.shown?.looks ?? []);
  const of = (look: ChunkLook) => countLooks(looks, look);
  const [read, missing, failed, unreached] = [of("read"), of("missing"), of("failed"), of("unreached")];
  const unread = count - read - missing - failed - unreached;
  return (
    <>
      <b>{countOf(count, "chunk")}:</b> {formatCount(read)} read
      {failed > 0 ? <b className="bad">, {formatCount(failed)} failed</b> : null}
      {unreached > 0 ? <b>, {formatCount(unreached)} out of reach</b> : null}
      {missing > 0 ? `, ${formatCount(missing)} missing` : null}
      {unread > 0 ? `, ${formatCount(unread)} not read` : null}
    </>
  );
}
