/** Below the slice: where the other dimensions stand, the series at the cursor, and which values have which colours. */
import { useEffect, useMemo, useState } from "react";
import { typedStep } from "#core/cf/typed-place.ts";
import { chunkOf } from "#core/metadata/chunk-grid.ts";
import { placedAt } from "#core/plane/plane.ts";
import { useActions, useEngine } from "#store/react.tsx";
import { DimensionSlider } from "#widgets/cell-map/Dimensions.tsx";
import { withIndex } from "#widgets/cell-map/plane.ts";
import { Button } from "#widgets/controls/Button.tsx";
import { PlaceField } from "#widgets/controls/PlaceField.tsx";
import { dimensionName } from "#widgets/zarr-words.ts";
import { Icon } from "#widgets/Icon.tsx";
import { countOf, formatCount } from "#widgets/number-format.ts";
import { placeText } from "#widgets/plane/axis-words.ts";
import { RangePart } from "./Colours.tsx";
import styles from "./Dock.module.css";
import { SaveMenu } from "./SaveMenu.tsx";
import { type ArrayShown, placeAlong, useShown } from "./shown-array.ts";
import { seriesSlide, slideWords } from "./slide.ts";
import { failedSteps, StepScale } from "./StepScale.tsx";
import { type Series, useSeries } from "./use-series.ts";

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

/** Goes to an index or place that is typed; a cursor in the slice moves only where the place says so. */
function usePlace(dimension: number) {
  const { node, plane, go, axes, slid } = useShown();
  const actions = useActions();
  return (typed: string) => {
    const place = typedStep(typed, { node, axes: plane.at.map((_, one) => axes(one)), dimension, unit: "index" });
    if (place.kind === "none") return place.why;
    const at = placedAt(plane.at, place.positions);
    if ([...place.positions.keys()].every((one) => slid.includes(one))) go.turn({ ...plane, at });
    else actions.goToPlace(node, new Map(at.entries()));
    return undefined;
  };
}

/** A dimension beside the one that has the scale. */
function OtherSlider({ dimension }: StepsProps) {
  const { node, plane, go, axes, request } = useShown();
  const axis = axes(dimension);
  const count = request.shape[dimension] ?? 1;
  const at = plane.at[dimension] ?? 0;
  const name = dimensionName(node.dimensionNames, dimension);
  const text = axis?.values === undefined ? `index ${at} of ${indexSpan(count)}` : placeText(axis, at);
  const onPlace = usePlace(dimension);
  return (
    <DimensionSlider
      {...{ name, count, at, onPlace }}
      fieldLabel={`Step along ${name} (index)`}
      valueText={text}
      note={text}
      onAt={(next) => go.turn(withIndex(plane, dimension, next))}
    />
  );
}

interface StepPlaceProps extends StepsProps {
  readonly series: Series;
  readonly onAt: (at: number) => void;
}

function StepPlace({ series, dimension, onAt }: StepPlaceProps) {
  const { node, plane, axes, request } = useShown();
  const count = request.shape[dimension] ?? 1;
  const at = plane.at[dimension] ?? 0;
  const axis = axes(dimension);
  const onPlace = usePlace(dimension);
  return (
    <div className={`column gap-2 narrow figures ${styles.when}`}>
      <div className={`row gap-8 narrow ${styles.go}`}>
        <Play next={(at + 1) % count} onAt={onAt} />
        <b title={placeText(axis, at)}>{axis?.values === undefined ? `index ${at}` : placeText(axis, at)}</b>
      </div>
      <p>
        <ScaleName dimension={dimension} /> index{" "}
        <PlaceField
          above
          aria-label={`Step along ${dimensionName(node.dimensionNames, dimension)} (index)`}
          title={`An index from 0 to ${formatCount(count - 1)}, or a place such as ${placeText(axis, count - 1)}, then Enter`}
          at={String(at)}
          onPlace={onPlace}
          onStep={(by) => onAt(Math.max(0, Math.min(count - 1, at + by)))}
        />{" "}
        of {indexSpan(count)}
      </p>
      <FailedSteps {...{ series, dimension, count }} />
    </div>
  );
}

/** "0–2,785": indices count from 0, as in Python. */
const indexSpan = (count: number): string => `0–${formatCount(count - 1)}`;

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

/** Tools of the series: stop reading it, copy or save it. */
function SeriesTools({ series, dimension }: StepsProps & { readonly series: Series }) {
  const shown = useShown();
  const reading = series.kind === "costly" ? undefined : series.reading;
  const { node, axes, request } = shown;
  const picture = () => {
    if (series.kind !== "line") throw new Error("The series is not visible.");
    const axis = axes(dimension);
    return seriesSlide(
      {
        values: series.values,
        count: request.shape[dimension] ?? 1,
        side: request.chunkShape[dimension] ?? 1,
        placeOf: (at) => placeText(axis, at),
        name: dimensionName(node.dimensionNames, dimension),
      },
      { ...slideWords(shown, [dimension]), style: getComputedStyle(document.body) },
    );
  };
  return (
    <>
      <span>
        {reading === undefined ? null : `${formatCount(reading.done)} of ${countOf(reading.wanted, "chunk")}`}
      </span>
      {reading === undefined ? null : (
        <Button
          aria-label={reading.isStopped ? "Read the rest of the series" : "Stop reading the series"}
          onClick={reading.toggle}
        >
          {reading.isStopped ? "Read on" : "Stop"}
        </Button>
      )}
      {series.kind === "line" ? <SaveMenu picture={picture} along={dimension} /> : null}
    </>
  );
}

/** "31°S 121°W": the cursor along the dimensions that are shown. */
function cursorText(shown: ArrayShown): string {
  const { row, column, at } = shown.plane;
  return [row, column].flatMap((one) => (one === undefined ? [] : [placeAlong(shown, one, at[one] ?? 0)])).join(" ");
}
