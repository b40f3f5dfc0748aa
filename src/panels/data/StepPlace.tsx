/** Where the slice and its cursor stand, what failed there, and going through the steps by themselves. */
import { useEffect, useState } from "react";
import { chunkOf } from "../../core/chunk-grid.ts";
import type { NodeSummary } from "../../core/open-set.ts";
import { useActions } from "../../store/react.tsx";
import { countOf } from "../../widgets/number-format.ts";
import { dimensionName } from "../../widgets/dimension-name.ts";
import { placeText } from "./axis-words.ts";
import { failedSteps } from "./StepScale.tsx";
import type { Axes } from "./use-axes.ts";
import type { PlaneProgress, PlaneRequest } from "./use-plane-values.ts";
import type { Series } from "./use-series.ts";
import type { SliceView } from "./use-slice-view.ts";
import styles from "./Dock.module.css";

interface StepPlaceProps {
  readonly node: NodeSummary;
  readonly view: SliceView;
  readonly axes: Axes;
  readonly request: PlaneRequest;
  readonly progress: PlaneProgress;
  readonly series: Series;
  /** The dimension whose steps the scale shows, and all that could be. */
  readonly dimension: number;
  readonly dimensions: readonly number[];
  readonly onDimension: (dimension: number) => void;
  readonly onAt: (at: number) => void;
}

export function StepPlace(props: StepPlaceProps) {
  const { view, axes, dimension, request, onAt } = props;
  const count = request.shape[dimension] ?? 1;
  const at = view.plane.at[dimension] ?? 0;
  const axis = axes(dimension);
  return (
    <div className={styles.when}>
      <div className={styles.go}>
        <Play progress={props.progress} next={(at + 1) % count} onAt={onAt} />
        <b title={placeText(axis, at)}>{axis?.values === undefined ? `step ${at + 1}` : placeText(axis, at)}</b>
      </div>
      <p>
        <ScaleName {...props} />, step{" "}
        <input
          type="number"
          aria-label={`Step along ${dimensionName(props.node.dimensionNames, dimension)}`}
          min={1}
          max={count}
          value={at + 1}
          onChange={({ target: { valueAsNumber: next } }) => {
            if (Number.isInteger(next) && next >= 1 && next <= count) onAt(next - 1);
          }}
        />{" "}
        of {count.toLocaleString("en")}
      </p>
      <p className={styles.cut} title={cursorText(props)}>
        at {cursorText(props)}
      </p>
      <FailedSteps {...props} count={count} />
    </div>
  );
}

/** The name of the dimension; a choice where there are several. */
function ScaleName({ node, dimension, dimensions, onDimension }: StepPlaceProps) {
  if (dimensions.length < 2) return dimensionName(node.dimensionNames, dimension);
  return (
    <select
      aria-label="Series and steps along"
      title={dimensionName(node.dimensionNames, dimension)}
      value={dimension}
      onChange={({ target }) => onDimension(Number(target.value))}
    >
      {dimensions.map((one) => (
        <option key={one} value={one}>
          {dimensionName(node.dimensionNames, one)}
        </option>
      ))}
    </select>
  );
}

/** "31°S 121°W": the cursor along the dimensions that are shown. */
function cursorText({ node, view: { plane }, axes }: StepPlaceProps): string {
  return [plane.row, plane.column]
    .flatMap((one) => {
      if (one === undefined) return [];
      const axis = axes(one);
      const at = plane.at[one] ?? 0;
      return [axis?.values === undefined ? `${dimensionName(node.dimensionNames, one)} ${at}` : placeText(axis, at)];
    })
    .join(" ");
}

/** "4 steps failed 1.0.0": and the way to the chunk. */
function FailedSteps({ node, view, series, dimension, request, count }: StepPlaceProps & { readonly count: number }) {
  const actions = useActions();
  if (series.kind !== "line" || series.isOld) return null;
  const { chunks, steps } = failedSteps(series.values, count, request.chunkShape[dimension] ?? 1);
  const [first] = chunks;
  if (first === undefined) return null;
  const here = chunkOf(view.plane.at, request.chunkShape);
  const coordinates = here.map((at, each) => (each === dimension ? first : at));
  const select = `Select the chunk ${coordinates.join(".")}`;
  return (
    <p className={styles.failed}>
      <b>{countOf(steps, "step")} failed</b>{" "}
      <button
        type="button"
        aria-label={chunks.length === 1 ? select : `${countOf(chunks.length, "chunk")}: ${select}`}
        title={select}
        onClick={() => actions.selectChunk(node.path, coordinates)}
      >
        {chunks.length === 1 ? coordinates.join(".") : countOf(chunks.length, "chunk")}
      </button>
    </p>
  );
}

/** Milliseconds a step is shown. */
const STEP = 400;

interface PlayProps {
  readonly progress: PlaneProgress;
  readonly next: number;
  readonly onAt: (at: number) => void;
}

/** The next step waits until this one was read. */
function Play({ progress, next, onAt }: PlayProps) {
  const [isPlaying, setPlaying] = useState(false);
  const isThere = !progress.isOld && progress.done === progress.wanted;
  useEffect(() => {
    if (!isPlaying || !isThere) return undefined;
    const timer = setTimeout(() => onAt(next), STEP);
    return () => {
      clearTimeout(timer);
    };
  });
  const word = isPlaying ? "Pause" : "Play";
  return (
    <button type="button" className={styles.play} aria-label={word} title={word} onClick={() => setPlaying(!isPlaying)}>
      <svg width={16} height={16} viewBox="0 0 16 16" aria-hidden="true">
        <path d={isPlaying ? "M4.5 3H7v10H4.5zM9 3h2.5v10H9z" : "M5 3.2v9.6L12.6 8z"} />
      </svg>
    </button>
  );
}
