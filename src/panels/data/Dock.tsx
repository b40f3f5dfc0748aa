/** Below the slice: where the other dimensions stand, the series at the cursor, and which values have which colours. */
import { type KeyboardEvent, type PointerEvent, useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import type { Axis } from "#core/cf/axis.ts";
import { typedStep } from "#core/cf/typed-place.ts";
import { placedAt } from "#core/plane/plane.ts";
import { chunkOf } from "#core/metadata/chunk-grid.ts";
import type { PlaneValues } from "#core/plane/plane-values.ts";
import { useActions, useEngine } from "#store/react.tsx";
import { Choice } from "#widgets/controls/Segmented.tsx";
import { DimensionSlider } from "#widgets/cell-map/Dimensions.tsx";
import type { ValueRange } from "#widgets/cell-map/paint-values.ts";
import { withIndex } from "#widgets/cell-map/plane.ts";
import { type Colormap, colourAt } from "#widgets/values/colormap.ts";
import { dimensionName } from "#widgets/zarr-words.ts";
import { countOf, formatCount } from "#widgets/number-format.ts";
import { Button } from "#widgets/controls/Button.tsx";
import { PlaceField } from "#widgets/controls/PlaceField.tsx";
import { Icon } from "#widgets/Icon.tsx";
import styles from "./Dock.module.css";
import { failedSteps, StepScale } from "./StepScale.tsx";
import { cursorText, SeriesTools } from "./SeriesTools.tsx";
import { placeText } from "./axis-words.ts";
import {
  chosenRange,
  colourRange,
  type ColourRange,
  histogram,
  RANGE_MODES,
  RANGE_WORDS,
  type RangeMode,
  valueAtShare,
} from "./colour-range.ts";
import { Classes, ColourChoice } from "./Colours.tsx";
import { useAxis, useShown } from "./shown-array.ts";
import { type Series, useSeries } from "./use-series.ts";

// Two handles on a histogram: where the ends of the colours stand, and where a key or a pointer takes them.

type BrushEnd = "low" | "high";

/** From which value to which the histogram goes: all of the slice, and the ends wherever they are. */
export const brushScale = (slice: ValueRange, ends: ValueRange): ValueRange => ({
  minimum: Math.min(slice.minimum, ends.minimum),
  maximum: Math.max(slice.maximum, ends.maximum),
});

/** 0 to 1. */
export function shareOn({ minimum, maximum }: ValueRange, value: number): number {
  return maximum > minimum ? Math.max(0, Math.min(1, (value - minimum) / (maximum - minimum))) : 0.5;
}

export const valueOn = ({ minimum, maximum }: ValueRange, share: number): number =>
  minimum + Math.max(0, Math.min(1, share)) * (maximum - minimum);

const RANGE_BRUSH_STEP = 0.01;
const PAGE = 0.1;

/** New value of a handle at `value` for a key; `undefined` if the key does not move it. */
export function movedBy(key: string, value: number, scale: ValueRange): number | undefined {
  const by = scale.maximum - scale.minimum;
  const targets: ReadonlyMap<string, number> = new Map([
    ["ArrowLeft", value - RANGE_BRUSH_STEP * by],
    ["ArrowDown", value - RANGE_BRUSH_STEP * by],
    ["ArrowRight", value + RANGE_BRUSH_STEP * by],
    ["ArrowUp", value + RANGE_BRUSH_STEP * by],
    ["PageDown", value - PAGE * by],
    ["PageUp", value + PAGE * by],
    ["Home", scale.minimum],
    ["End", scale.maximum],
  ]);
  const target = targets.get(key);
  return target === undefined ? undefined : Math.max(scale.minimum, Math.min(scale.maximum, target));
}

/** The range with one end at a value; the ends never meet. */
export function withEnd(
  { minimum, maximum }: ValueRange,
  end: BrushEnd,
  value: number,
  scale: ValueRange,
): { readonly low: number; readonly high: number } {
  const apart = RANGE_BRUSH_STEP * (scale.maximum - scale.minimum);
  const round = (one: number) => Number(one.toPrecision(12));
  return end === "low"
    ? { low: round(Math.min(value, maximum - apart)), high: maximum }
    : { low: minimum, high: round(Math.max(value, minimum + apart)) };
}

const ENDS: readonly BrushEnd[] = ["low", "high"];
const NAMES: Readonly<Record<BrushEnd, string>> = { low: "Lowest colour", high: "Highest colour" };

function RangeBrush({ range }: { readonly range: ColourRange | undefined }) {
  const { look, colours, change, label, progress } = useShown();
  const { shown } = progress;
  const box = useRef<HTMLDivElement>(null);
  // While a handle is dragged the histogram under it stands still.
  const [held, setHeld] = useState<ValueRange>();
  const whole = useMemo(() => scaleOf(shown, range), [shown, range]);
  const scale = held ?? whole;
  // After the picture, and not at all for a slice that is gone by then.
  const counted = useDeferredValue(shown);
  const over = useDeferredValue(scale);
  const bars = useMemo(() => (counted === undefined ? undefined : histogram(counted, over)), [counted, over]);
  const valueOf = (end: BrushEnd) => (end === "low" ? range?.minimum : range?.maximum) ?? 0;
  const move = (end: BrushEnd, value: number) => {
    if (range !== undefined && scale !== undefined)
      change({ range: { ...look.range, ...withEnd(range, end, value, scale), mode: "fixed" } });
  };
  const onDrag = (end: BrushEnd) => (event: PointerEvent<HTMLElement>) => {
    const { left = 0, width = 1 } = box.current?.getBoundingClientRect() ?? {};
    if (held !== undefined) move(end, valueOn(held, (event.clientX - left) / width));
  };
  const onKeyDown = (end: BrushEnd) => (event: KeyboardEvent) => {
    const moved = scale === undefined || event.altKey ? undefined : movedBy(event.key, valueOf(end), scale);
    if (moved === undefined) return;
    event.preventDefault();
    move(end, moved);
  };
  return (
    <div ref={box} className={styles.brush} onDoubleClick={() => change({ range: { ...look.range, mode: "auto" } })}>
      <Bars counts={bars?.counts ?? []} />
      <div className={styles.ramp} style={{ backgroundImage: rampOf(scale, range, colours.colormap) }} />
      {scale === undefined || range === undefined
        ? null
        : ENDS.map((end) => (
            <div
              key={end}
              role="slider"
              tabIndex={0}
              aria-label={NAMES[end]}
              aria-valuemin={scale.minimum}
              aria-valuemax={scale.maximum}
              aria-valuenow={valueOf(end)}
              aria-valuetext={label(valueOf(end))}
              title={`${NAMES[end]}: ${label(valueOf(end))}. Drag or use the arrow keys; a double click resets.`}
              className={styles.handle}
              style={{ left: `${shareOn(scale, valueOf(end)) * 100}%` }}
              onKeyDown={onKeyDown(end)}
              onPointerDown={(event) => {
                event.currentTarget.setPointerCapture(event.pointerId);
                setHeld(scale);
              }}
              onPointerMove={onDrag(end)}
              onPointerUp={() => setHeld(undefined)}
              onPointerCancel={() => setHeld(undefined)}
            />
          ))}
    </div>
  );
}

function scaleOf(shown: PlaneValues | undefined, range: ColourRange | undefined): ValueRange | undefined {
  if (shown?.minimum === undefined || shown.maximum === undefined || range === undefined) return undefined;
  return brushScale({ minimum: shown.minimum, maximum: shown.maximum }, range);
}

const STOPS = 16;

/** The colours over the histogram's values: those of the ends beyond them. */
function rampOf(scale: ValueRange | undefined, range: ColourRange | undefined, colormap: Colormap): string | undefined {
  if (scale === undefined || range === undefined) return undefined;
  const stops = Array.from({ length: STOPS + 1 }, (_, at) => {
    const place = shareOn(scale, valueAtShare(range, at / STOPS)) * 100;
    return `${colourAt(colormap, at / STOPS)} ${place.toFixed(2)}%`;
  });
  return `linear-gradient(90deg, ${stops.join(", ")})`;
}

function Bars({ counts }: { readonly counts: readonly number[] }) {
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

export function Dock() {
  const { kind, through, plane } = useShown();
  // Room for them is kept until it is known that there are none.
  const hasColours = kind === "plane" || (kind === undefined && plane.row !== undefined && plane.column !== undefined);
  if (through === undefined && !hasColours) return null;
  return (
    <div className={styles.dock} data-steps={through !== undefined}>
      {through === undefined ? null : <Steps dimension={through} />}
      {hasColours ? <RangePart /> : null}
    </div>
  );
}

interface StepsProps {
  /** The one whose steps the scale shows. */
  readonly dimension: number;
}

function Steps({ dimension }: StepsProps) {
  const shown = useShown();
  const { set, node, plane, go, slid, axes, request } = shown;
  const { shape, chunkShape } = request;
  const series = useSeries(dimension);
  const results = useEngine("chunk.results", { set: set.id, array: node.path }).data;
  const failed = useMemo(
    () => new Set(results?.failedChunks.map((coordinates) => coordinates[dimension] ?? 0)),
    [results, dimension],
  );
  const onAt = (at: number) => go.turn(withIndex(plane, dimension, at));
  const name = dimensionName(node.dimensionNames, dimension);
  const others = slid.filter((one) => one !== dimension);
  return (
    <section className={styles.steps} aria-label="Other dimensions">
      <StepPlace {...{ series, dimension, onAt }} />
      <StepScale
        key={dimension}
        {...{ name, series, failed, onAt }}
        place={`Series at ${cursorText(shown)}`}
        tools={<SeriesTools series={series} dimension={dimension} />}
        axis={axes(dimension)}
        count={shape[dimension] ?? 1}
        side={chunkShape[dimension] ?? 1}
        at={plane.at[dimension] ?? 0}
      />
      {others.length === 0 ? null : (
        <div className={styles.others}>
          {others.map((one) => (
            <OtherSlider key={one} dimension={one} />
          ))}
        </div>
      )}
    </section>
  );
}

/** Goes to a step or place that is typed; a cursor in the slice moves only where the place says so. */
function usePlace(dimension: number, axis: Axis | undefined) {
  const { node, plane, go, axes, slid } = useShown();
  const actions = useActions();
  return (typed: string) => {
    const all = plane.at.map((_, one) => (one === dimension ? axis : axes(one)));
    const place = typedStep(typed, { node, axes: all, dimension, unit: "step" });
    if (place.kind === "none") return place.why;
    const at = placedAt(plane.at, place.positions);
    if ([...place.positions.keys()].every((one) => slid.includes(one))) go.turn({ ...plane, at });
    else actions.goToPlace(node, new Map(at.entries()));
    return undefined;
  };
}

/** A dimension beside the one that has the scale. */
function OtherSlider({ dimension }: StepsProps) {
  const { set, node, plane, go, request } = useShown();
  const axis = useAxis(set.id, node.path, dimension);
  const count = request.shape[dimension] ?? 1;
  const at = plane.at[dimension] ?? 0;
  const name = dimensionName(node.dimensionNames, dimension);
  const text = axis?.values === undefined ? `step ${at + 1} of ${count}` : placeText(axis, at);
  const onPlace = usePlace(dimension, axis);
  return (
    <DimensionSlider
      {...{ name, count, at, onPlace }}
      first={1}
      fieldLabel={`Step along ${name}`}
      valueText={text}
      note={text}
      onAt={(next) => go.turn(withIndex(plane, dimension, next))}
    />
  );
}

// From which value to which the colours run, and which colours.

function RangePart() {
  const { look, colours, change, label, progress } = useShown();
  const { shown } = progress;
  const { range: choice, classes } = colours;
  const range = useMemo(() => (shown === undefined ? undefined : colourRange(choice, shown)), [choice, shown]);
  if (classes !== undefined) return <Classes />;
  return (
    <section className={styles.range} aria-label="Range of the colours">
      <div className={`row gap-8 fine ${styles.head}`}>
        <RangeChoice range={range} />
        <ColourChoice />
        <label className="inline-row gap-4 quiet" title="Colours by the logarithm of the value">
          <input
            type="checkbox"
            checked={look.range.logarithmic}
            onChange={({ target }) => change({ range: { ...look.range, logarithmic: target.checked } })}
          />
          Log
        </label>
      </div>
      <RangeBrush range={range} />
      <div className={styles.legend}>
        <End end="low" text={label(range?.minimum)} />
        <span className={`inline-row gap-6 ${styles.noData}`}>no data</span>
        <End end="high" text={label(range?.maximum)} />
      </div>
    </section>
  );
}

function RangeChoice({ range }: { readonly range: ColourRange | undefined }) {
  const { look, colours, change } = useShown();
  const auto = chosenRange({ ...look.range, mode: "auto" }, colours.colormap).mode;
  const words = { ...RANGE_WORDS, auto: `Auto: ${auto === "symmetric" ? "around 0" : "full range"}` };
  return (
    <Choice
      label="Range"
      value={look.range.mode}
      options={RANGE_MODES.map((value) => ({ value, text: words[value] }))}
      className={styles.choice}
      onValue={(mode) =>
        change({
          range: {
            ...look.range,
            ...(range && { low: range.minimum, high: range.maximum }),
            mode: mode as RangeMode,
          },
        })
      }
    />
  );
}

/** An end of the range: typed where it is chosen by hand. */
function End({ end, text }: { readonly end: BrushEnd; readonly text: string }) {
  const { look, change } = useShown();
  if (look.range.mode !== "fixed") return <span>{text}</span>;
  return (
    <input
      type="number"
      aria-label={end === "low" ? "Lowest value" : "Highest value"}
      step="any"
      value={Number((look.range[end] ?? 0).toPrecision(6))}
      onChange={({ target }) => {
        if (Number.isFinite(target.valueAsNumber)) change({ range: { ...look.range, [end]: target.valueAsNumber } });
      }}
    />
  );
}

// Shows the slice's and the cursor's place and its failures, and plays the steps.

interface StepPlaceProps extends StepsProps {
  readonly series: Series;
  readonly onAt: (at: number) => void;
}

function StepPlace({ series, dimension, onAt }: StepPlaceProps) {
  const { node, plane, axes, request } = useShown();
  const count = request.shape[dimension] ?? 1;
  const at = plane.at[dimension] ?? 0;
  const axis = axes(dimension);
  const onPlace = usePlace(dimension, axis);
  return (
    <div className={`column gap-2 narrow figures ${styles.when}`}>
      <div className={`row gap-8 narrow ${styles.go}`}>
        <Play next={(at + 1) % count} onAt={onAt} />
        <b title={placeText(axis, at)}>{axis?.values === undefined ? `step ${at + 1}` : placeText(axis, at)}</b>
      </div>
      <p>
        <ScaleName dimension={dimension} />, step{" "}
        <PlaceField
          above
          aria-label={`Step along ${dimensionName(node.dimensionNames, dimension)}`}
          title={`A step from 1 to ${formatCount(count)}, or a place such as ${placeText(axis, count - 1)}, then Enter`}
          at={String(at + 1)}
          onPlace={onPlace}
          onStep={(by) => onAt(Math.max(0, Math.min(count - 1, at + by)))}
        />{" "}
        of {count.toLocaleString("en")}
      </p>
      <FailedSteps {...{ series, dimension, count }} />
    </div>
  );
}

/** The name of the dimension; a choice where there are several. */
function ScaleName({ dimension }: StepsProps) {
  const { node, slid, change } = useShown();
  if (slid.length < 2) return dimensionName(node.dimensionNames, dimension);
  return (
    <select
      aria-label="Series and steps along"
      title={dimensionName(node.dimensionNames, dimension)}
      value={dimension}
      onChange={({ target }) => change({ through: Number(target.value) })}
    >
      {slid.map((one) => (
        <option key={one} value={one}>
          {dimensionName(node.dimensionNames, one)}
        </option>
      ))}
    </select>
  );
}

/** "4 steps failed 1.0.0": and the way to the chunk. */
function FailedSteps({ series, dimension, count }: Omit<StepPlaceProps, "onAt"> & { readonly count: number }) {
  const { node, plane, request } = useShown();
  const actions = useActions();
  if (series.kind !== "line" || series.isOld) return null;
  const { chunks, steps } = failedSteps(series.values, count, request.chunkShape[dimension] ?? 1);
  const [first] = chunks;
  if (first === undefined) return null;
  const here = chunkOf(plane.at, request.chunkShape);
  const coordinates = here.map((at, each) => (each === dimension ? first : at));
  const select = `Select the chunk ${coordinates.join(".")}`;
  return (
    <p className={styles.failed}>
      <b>{countOf(steps, "step")} failed</b>{" "}
      <Button
        aria-label={chunks.length === 1 ? select : `${countOf(chunks.length, "chunk")}: ${select}`}
        title={select}
        onClick={() => actions.selectChunk(node.path, coordinates)}
      >
        {chunks.length === 1 ? coordinates.join(".") : countOf(chunks.length, "chunk")}
      </Button>
    </p>
  );
}

/** Milliseconds a step is shown. */
const STEP = 400;

/** The next step waits until this one was read. */
function Play({ next, onAt }: { readonly next: number; readonly onAt: (at: number) => void }) {
  const { progress } = useShown();
  const [isPlaying, setPlaying] = useState(false);
  const isThere = !progress.isOld && progress.done === progress.wanted;
  useEffect(() => {
    if (!isPlaying || !isThere) return undefined;
    const timer = setTimeout(() => onAt(next), STEP);
    return () => clearTimeout(timer);
  });
  const word = isPlaying ? "Pause" : "Play";
  return (
    <Button className={styles.play} aria-label={word} title={word} onClick={() => setPlaying(!isPlaying)}>
      <Icon
        width={16}
        height={16}
        side={16}
        path={isPlaying ? "M4.5 3H7v10H4.5zM9 3h2.5v10H9z" : "M5 3.2v9.6L12.6 8z"}
      />
    </Button>
  );
}
