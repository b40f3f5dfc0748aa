/** Below the slice: where the other dimensions stand, the series at the cursor, and which values have which colours. */
import { useMemo } from "react";
import type { NodeSummary, SetSummary } from "../../core/open-set.ts";
import { useEngine } from "../../store/react.tsx";
import { DimensionSlider } from "../../widgets/cell-map/Dimensions.tsx";
import { slidDimensions, withIndex } from "../../widgets/cell-map/plane.ts";
import { dimensionName } from "../../widgets/dimension-name.ts";
import { placeText } from "./axis-words.ts";
import { RangePart } from "./RangePart.tsx";
import { StepPlace } from "./StepPlace.tsx";
import { StepScale } from "./StepScale.tsx";
import { useAxis, type Axes } from "./use-axes.ts";
import type { PlaneProgress, PlaneRequest } from "./use-plane-values.ts";
import { useSeries } from "./use-series.ts";
import { scaledDimension, type SliceView } from "./use-slice-view.ts";
import styles from "./Dock.module.css";

interface DockProps {
  readonly set: SetSummary;
  readonly node: NodeSummary;
  readonly shape: readonly number[];
  readonly grid: readonly number[];
  readonly view: SliceView;
  readonly change: (part: Partial<SliceView>) => void;
  readonly axes: Axes;
  readonly progress: PlaneProgress;
  readonly request: PlaneRequest;
  readonly hasColours: boolean;
}

export function Dock(props: DockProps) {
  const { shape, view, progress } = props;
  const slid = slidDimensions(shape, [view.plane.row, view.plane.column]);
  const dimension = scaledDimension(view, shape);
  if (dimension === undefined && !props.hasColours) return null;
  return (
    <div className={styles.dock} data-steps={dimension !== undefined}>
      {dimension === undefined ? null : <Steps {...props} dimension={dimension} dimensions={slid} />}
      {props.hasColours ? <RangePart {...props} shown={progress.shown} /> : null}
    </div>
  );
}

interface StepsProps extends DockProps {
  readonly dimension: number;
  readonly dimensions: readonly number[];
}

function Steps({ dimension, dimensions, ...props }: StepsProps) {
  const { set, node, grid, view, change, axes, progress, request } = props;
  const { plane } = view;
  const { shape, chunkShape } = request;
  const series = useSeries({ request, plane, grid, dimension });
  const results = useEngine("chunk.results", { set: set.id, array: node.path }).data;
  const failed = useMemo(
    () => new Set(results?.failedChunks.map((coordinates) => coordinates[dimension] ?? 0)),
    [results, dimension],
  );
  const onAt = (at: number) => change({ plane: withIndex(plane, dimension, at) });
  const name = dimensionName(node.dimensionNames, dimension);
  const onDimension = (through: number) => change({ through });
  const others = dimensions.filter((one) => one !== dimension);
  return (
    <section className={styles.steps} aria-label="Other dimensions">
      <StepPlace {...{ node, view, axes, request, progress, series, dimension, dimensions, onDimension, onAt }} />
      <StepScale
        {...{ name, series, failed, onAt }}
        axis={axes(dimension)}
        count={shape[dimension] ?? 1}
        side={chunkShape[dimension] ?? 1}
        at={plane.at[dimension] ?? 0}
      />
      {others.length === 0 ? null : (
        <div className={styles.others}>
          {others.map((one) => (
            <OtherSlider key={one} {...props} dimension={one} />
          ))}
        </div>
      )}
    </section>
  );
}

/** A dimension beside the one that has the scale. */
function OtherSlider({ set, node, view, change, request, dimension }: DockProps & { readonly dimension: number }) {
  const axis = useAxis(set.id, node.path, dimension);
  const count = request.shape[dimension] ?? 1;
  const at = view.plane.at[dimension] ?? 0;
  const name = dimensionName(node.dimensionNames, dimension);
  const text = axis?.values === undefined ? `step ${at + 1} of ${count}` : placeText(axis, at);
  return (
    <DimensionSlider
      {...{ name, count, at }}
      fieldLabel={`Position along ${name}`}
      valueText={text}
      note={text}
      onAt={(next) => change({ plane: withIndex(view.plane, dimension, next) })}
    />
  );
}
