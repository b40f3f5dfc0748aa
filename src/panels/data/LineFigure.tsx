/** An array of one dimension, or a slice of one, as a line. */
import { chunkAlong } from "../../core/chunk-edges.ts";
import { useId, useMemo, useState } from "react";
import type { NodeSummary, SetSummary } from "../../core/open-set.ts";
import { useEngine } from "../../store/react.tsx";
import { useElementSize } from "../../widgets/element-size.ts";
import { LinePlot } from "../../widgets/LinePlot.tsx";
import type { Tick } from "../../widgets/cell-map/axes.ts";
import { axisTicks } from "./axis-words.ts";
import { readCounts } from "./PlaneFigure.tsx";
import { FigureTools } from "./FigureTools.tsx";
import type { PlaneValues } from "../../core/plane-values.ts";
import { PlaneReadout } from "./PlaneReadout.tsx";
import { SaveMenu } from "./SaveMenu.tsx";
import type { Axes } from "./use-axes.ts";
import type { PlaneProgress, PlaneRequest } from "./use-plane-values.ts";
import type { SliceActions, SliceView } from "./use-slice-view.ts";
import { valueText } from "../../core/value-text.ts";
import styles from "./DataPanel.module.css";

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

export function LineFigure(props: LineFigureProps) {
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
