/** Below the slice: where the other dimensions stand, and from which value to which the colours run. */
import { useDeferredValue, useEffect, useMemo, useState } from "react";
import type { NodeSummary, SetSummary } from "../../core/open-set.ts";
import { useEngine } from "../../store/react.tsx";
import { DimensionSlider } from "../../widgets/cell-map/Dimensions.tsx";
import { slidDimensions, withIndex } from "../../widgets/cell-map/plane.ts";
import { Choice } from "../../widgets/Choice.tsx";
import { COLORMAPS, colormapGradient, isColormap } from "../../widgets/colormap.ts";
import { dimensionName } from "../../widgets/dimension-name.ts";
import { placeText } from "./axis-words.ts";
import { colourRange, histogram, RANGE_MODES, RANGE_WORDS, type RangeMode } from "./colour-range.ts";
import { Series } from "./Series.tsx";
import { valueText } from "./value-words.ts";
import type { Axes } from "./use-axes.ts";
import type { PlaneProgress, PlaneRequest } from "./use-plane-values.ts";
import type { SliceView } from "./use-slice-view.ts";
import styles from "./DataPanel.module.css";

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
  const { node, shape, view, change, axes, progress } = props;
  const { plane } = view;
  const slid = slidDimensions(shape, [plane.row, plane.column]);
  const [first] = slid;
  return (
    <section className={styles.dock} aria-label="Other dimensions and range">
      <div className={styles.others}>
        <div className={styles.steps}>
          {first === undefined ? null : <Play key={first} {...{ props, dimension: first }} />}
          {slid.map((dimension) => {
            const count = shape[dimension] ?? 1;
            const at = plane.at[dimension] ?? 0;
            const name = dimensionName(node.dimensionNames, dimension);
            const axis = axes(dimension);
            const text = axis?.values === undefined ? `step ${at + 1} of ${count}` : placeText(axis, at);
            return (
              <DimensionSlider
                key={dimension}
                {...{ name, count, at }}
                fieldLabel={`Position along ${name}`}
                valueText={text}
                note={text}
                onAt={(next) => change({ plane: withIndex(plane, dimension, next) })}
              />
            );
          })}
        </div>
        {first === undefined ? null : (
          <Series
            set={props.set}
            request={props.request}
            plane={plane}
            grid={props.grid}
            dimension={first}
            name={dimensionName(node.dimensionNames, first)}
            onAt={(at) => change({ plane: withIndex(plane, first, at) })}
          />
        )}
      </div>
      {props.hasColours ? <RangePart {...props} shown={progress.shown} /> : null}
    </section>
  );
}

/** Milliseconds a step is shown. */
const STEP = 400;

/** Steps through the first of the other dimensions; the next step waits until this one was read. */
function Play({ props, dimension }: { readonly props: DockProps; readonly dimension: number }) {
  const { shape, view, change, progress } = props;
  const [isPlaying, setPlaying] = useState(false);
  const { plane } = view;
  const next = ((plane.at[dimension] ?? 0) + 1) % (shape[dimension] ?? 1);
  const isThere = !progress.isOld && progress.done === progress.wanted;
  useEffect(() => {
    if (!isPlaying || !isThere) return undefined;
    const timer = setTimeout(() => {
      change({ plane: withIndex(plane, dimension, next) });
    }, STEP);
    return () => {
      clearTimeout(timer);
    };
  });
  return (
    <button type="button" aria-pressed={isPlaying} onClick={() => setPlaying(!isPlaying)}>
      {isPlaying ? "Pause" : "Play"}
    </button>
  );
}

type Shown = PlaneProgress["shown"];

function RangePart({ set, node, view, change, shown }: DockProps & { readonly shown: Shown }) {
  const about = useEngine("plane.about", { set: set.id, array: node.path }).data;
  const range = useMemo(() => (shown === undefined ? undefined : colourRange(view.range, shown)), [view.range, shown]);
  // After the picture, and not at all for a slice that is gone by then.
  const counted = useDeferredValue(shown);
  const bars = useMemo(() => (counted === undefined ? undefined : histogram(counted)), [counted]);
  const label = (value: number | undefined) => (value === undefined ? "" : valueText(value, about, view.scaled));
  return (
    <div className={styles.range}>
      <div className={styles.line}>
        <Choice
          label="Range"
          value={view.range.mode}
          options={RANGE_MODES.map((value) => ({ value, text: RANGE_WORDS[value] }))}
          className={styles.choice}
          onValue={(mode) =>
            change({
              range: {
                ...view.range,
                ...(range && { low: range.minimum, high: range.maximum }),
                mode: mode as RangeMode,
              },
            })
          }
        />
        <select
          aria-label="Colours"
          value={view.colormap}
          onChange={({ target }) => change({ colormap: isColormap(target.value) ? target.value : "viridis" })}
        >
          {COLORMAPS.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
        <label className={styles.choice} title="Colours by the logarithm of the value">
          <input
            type="checkbox"
            checked={view.range.logarithmic}
            onChange={({ target }) => change({ range: { ...view.range, logarithmic: target.checked } })}
          />
          Log
        </label>
      </div>
      <Bars bars={bars} />
      <div className={styles.ramp} style={{ backgroundImage: colormapGradient(view.colormap) }} />
      <div className={styles.ends}>
        {view.range.mode === "fixed" ? (
          <Ends {...{ view, change }} />
        ) : (
          <>
            <span>{label(range?.minimum)}</span>
            <span>{label(range?.maximum)}</span>
          </>
        )}
      </div>
    </div>
  );
}

function Ends({ view, change }: Pick<DockProps, "view" | "change">) {
  return (["low", "high"] as const).map((end) => (
    <input
      key={end}
      type="number"
      aria-label={end === "low" ? "Lowest value" : "Highest value"}
      step="any"
      value={view.range[end] ?? 0}
      onChange={({ target }) => {
        if (Number.isFinite(target.valueAsNumber)) change({ range: { ...view.range, [end]: target.valueAsNumber } });
      }}
    />
  ));
}

function Bars({ bars }: { readonly bars: ReturnType<typeof histogram> }) {
  const counts = bars?.counts ?? [];
  // A cube root: bars of rare values are seen beside those of common ones.
  const height = (count: number) => Math.cbrt(count / Math.max(1, ...counts));
  return (
    <svg
      className={styles.bars}
      viewBox={`0 0 ${Math.max(1, counts.length)} 1`}
      preserveAspectRatio="none"
      role="img"
      aria-label="How often values occur"
    >
      {counts.map((count, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- a bin is its place
        <rect key={at} x={at + 0.08} width={0.84} y={1 - height(count)} height={height(count)} />
      ))}
    </svg>
  );
}
