/** One of the other dimensions: its series at the cursor, and below, on the same scale, the slider with its chunks. */
import { type ReactNode, useState } from "react";
import { type Axis, placeRange } from "#core/cf/axis.ts";
import { chunkAlong, type ChunkEdges, countAlong, declaredExtent, startAlong } from "#core/metadata/chunk-grid.ts";
import { MOST_PLANE_CHUNKS } from "#core/plane/plane-budget.ts";
import type { PlaneValues } from "#core/plane/plane-values.ts";
import { shortNumber } from "#core/values/number-text.ts";
import { valueText } from "#core/values/value-text.ts";
import { tickStep } from "#widgets/cell-map/axes.ts";
import type { Span } from "#widgets/cell-map/camera.ts";
import { useElementWidth } from "#widgets/measuring.ts";
import { extentOf } from "#widgets/plot/plot-shape.ts";
import type { ValueRange } from "#widgets/cell-map/paint-values.ts";
import { Button } from "#widgets/controls/Button.tsx";
import { CostButton, costText } from "./CostDialog.tsx";
import styles from "./Dock.module.css";
import { placeText } from "#widgets/plane/axis-words.ts";
import { SeriesPlot, shareOf, spanAround } from "./SeriesPlot.tsx";
import { useShown } from "./shown-array.ts";
import type { Series } from "./use-series.ts";

// Steps of a dimension side by side, each as wide as the others: where they and their chunks stand, as shares of the
// whole.

type SpanLook = "failed" | "some" | "plain";

interface ChunkSpan {
  /** The first chunk of the span, and the one after its last. */
  readonly from: number;
  readonly to: number;
  readonly look: SpanLook;
}

/** Above this many, neighbours are drawn as one span, failed ones included. */
const MAX_SPANS = 96;

/** Chunks along a dimension; neighbours that look alike are one span where there are very many. */
export function chunkSpans(chunks: number, lookOf: (chunk: number) => SpanLook): readonly ChunkSpan[] {
  // If nothing is known of any chunk, they are not kept apart.
  if (chunks > MOST_PLANE_CHUNKS) return [{ from: 0, to: chunks, look: "plain" }];
  const spans: { from: number; to: number; look: SpanLook }[] = [];
  for (let chunk = 0; chunk < chunks; chunk += 1) {
    const look = lookOf(chunk);
    const last = spans.at(-1);
    if (chunks > MAX_SPANS && last?.look === look) last.to = chunk + 1;
    else spans.push({ from: chunk, to: chunk + 1, look });
  }
  return spans;
}

/** Steps that are named below the slider, so that each name has `room` pixels; the first of a chunk where that fits. */
export function namedSteps({ from, to }: Span, width: number, room: number, chunk: ChunkEdges): readonly number[] {
  const side = Math.max(width, 1) / Math.max(1, to - from);
  if (typeof chunk !== "number") return unequalSteps(to, room / side, chunk).filter((step) => step >= from);
  const isByChunk = chunk > 1 && chunk < to - from;
  const every = isByChunk ? Math.ceil(room / side / chunk) * chunk : tickStep(side, room);
  const first = Math.ceil(from / every) * every;
  return Array.from({ length: Math.max(0, Math.ceil((to - first) / every)) }, (_, at) => first + at * every);
}

/** The first steps of unequal chunks, at least so far from each other. */
function unequalSteps(count: number, apart: number, edges: ChunkEdges): readonly number[] {
  const steps = [0];
  for (let last = 0; ;) {
    const least = last + Math.max(1, Math.ceil(apart));
    if (least >= count) return steps;
    const chunk = chunkAlong(edges, least);
    const start = startAlong(edges, chunk);
    last = start >= least ? start : startAlong(edges, chunk + 1);
    if (last >= count) return steps;
    steps.push(last);
  }
}

interface StepScaleProps {
  readonly name: string;
  readonly axis: Axis | undefined;
  readonly count: number;
  /** Chunk lengths, in steps. */
  readonly side: ChunkEdges;
  readonly at: number;
  readonly onAt: (at: number) => void;
  readonly series: Series;
  /** Place of the other dimensions, and tools of the series. */
  readonly place: string;
  readonly tools: ReactNode;
  /** Coordinates along this dimension of chunks that failed wherever they were read. */
  readonly failed: ReadonlySet<number>;
}

export function StepScale(props: StepScaleProps) {
  const { name, axis, series, at, count, side, onAt, place, tools } = props;
  const [frame, width] = useElementWidth<HTMLDivElement>();
  const [zoomed, setZoomed] = useState<Span>();
  const [hovered, setHovered] = useState<number>();
  const [followed, setFollowed] = useState(at);
  if (at !== followed) {
    setFollowed(at);
    setZoomed(zoomed && spanAround(at, count, zoomed));
  }
  const seen = zoomed ?? { from: 0, to: count };
  const isSeen = at >= seen.from && at < seen.to;
  const isLine = series.kind === "line";
  return (
    <div ref={frame} className={styles.scale}>
      <div className={styles.seriesHead}>
        <span className={styles.readout} title={place}>
          {isLine && hovered !== undefined ? (
            <SeriesReadout values={series.values} at={hovered} perPixel={(seen.to - seen.from) / width} axis={axis} />
          ) : (
            place
          )}
        </span>
        {zoomed === undefined ? null : (
          <Button
            aria-label="Show the whole series"
            title="Or press 0, or click twice"
            onClick={() => setZoomed(undefined)}
          >
            Whole
          </Button>
        )}
        {tools}
      </div>
      {isLine ? (
        <SeriesPlot
          {...{ name, series, width, count, side, at, onAt, seen, hovered }}
          onSeen={setZoomed}
          onHover={setHovered}
        />
      ) : null}
      {series.kind === "costly" ? (
        <div className={styles.offer}>
          <Button onClick={series.read}>Series along {name}</Button>
          <CostButton series />
          <span>{costText(series.cost)}</span>
        </div>
      ) : null}
      <i
        className={styles.cursor}
        hidden={!isSeen}
        data-short={!isLine}
        style={{ transform: `translateX(${shareOf(at + 0.5, seen) * 100}%)` }}
      />
      <Track {...props} seen={seen} />
      <StepNames {...props} seen={seen} width={width} />
    </div>
  );
}

interface SeriesReadoutProps extends Pick<StepScaleProps, "axis" | "at"> {
  readonly values: PlaneValues;
  readonly perPixel: number;
}

/** Value and place under the pointer; from the lowest to the highest where a pixel has many. */
function SeriesReadout({ values: { values, steps }, at, perPixel, axis }: SeriesReadoutProps) {
  const { label, about, request } = useShown();
  const step = steps.across;
  const many = Math.max(1, Math.round(perPixel / step));
  const first = Math.max(0, Math.floor(at / step - (many - 1) / 2));
  const extent = extentOf(values.subarray(first, first + many));
  const last = Math.min(values.length, first + many) - 1;
  const rangeText = ({ minimum, maximum }: ValueRange) =>
    minimum === maximum
      ? label(maximum)
      : `${shortNumber(minimum, 4)} to ${valueText(maximum, about, request.scaled, 4)}`;
  const where = axis?.values === undefined ? `index ${at}` : (placeRange(axis, first * step, last * step) ?? "");
  return (
    <>
      <b>{extent === undefined ? "no value" : rangeText(extent)}</b> {where}
    </>
  );
}

const SPAN_TITLES: Readonly<Record<SpanLook, string | undefined>> = {
  plain: undefined,
  some: "A chunk failed at another place",
  failed: "The chunk at the cursor failed",
};

interface SeenProps extends StepScaleProps {
  /** Which steps the width has. */
  readonly seen: Span;
}

/** The slider: a track of chunks, and a native one over it, whose knob stands in the middle of its step. */
function Track({ name, axis, count, side, at, onAt, series, failed, seen }: SeenProps) {
  const looks = series.kind === "line" && !series.isOld ? series.values.looks : [];
  const spans = chunkSpans(countAlong(count, side), (chunk) =>
    looks[chunk] === "failed" ? "failed" : failed.has(chunk) ? "some" : "plain",
  );
  const half = `${50 / (seen.to - seen.from)}%`;
  return (
    <div className={styles.track}>
      {spans.map(({ from, to, look }) => {
        const steps = Math.min(seen.to, startAlong(side, to)) - Math.max(seen.from, startAlong(side, from));
        return steps <= 0 ? null : (
          <i key={from} data-look={look} title={SPAN_TITLES[look]} style={{ flexGrow: steps }} />
        );
      })}
      <input
        type="range"
        aria-label={name}
        aria-valuetext={axis?.values === undefined ? `index ${at}` : placeText(axis, at)}
        min={seen.from}
        max={seen.to - 1}
        value={at}
        data-away={at < seen.from || at >= seen.to}
        style={{ left: `calc(${half} - 8px)`, width: `calc(100% - 2 * ${half} + 16px)` }}
        onChange={({ target }) => onAt(target.valueAsNumber)}
      />
    </div>
  );
}

/** Pixels a letter takes. */
const LETTER = 6.2;

function StepNames({ axis, count, side, width, seen }: SeenProps & { readonly width: number }) {
  const room = Math.max(...[0, count - 1].map((at) => placeText(axis, at).length)) * LETTER + 14;
  return (
    <div className={styles.names} aria-hidden="true">
      {namedSteps(seen, width, room, chunkAlong(side, seen.from) + 1 < chunkAlong(side, seen.to - 1) ? side : 1).map(
        (at) => (
          <span key={at} style={{ left: `${shareOf(at + 0.5, seen) * 100}%` }}>
            {placeText(axis, at)}
          </span>
        ),
      )}
    </div>
  );
}

/** Steps at the cursor's place that failed, and the first coordinates along the dimension of their chunks. */
export function failedSteps(values: PlaneValues, count: number, side: ChunkEdges) {
  const chunks = values.looks.flatMap((look, chunk) => (look === "failed" ? [chunk] : []));
  const steps = chunks.reduce((sum, chunk) => sum + declaredExtent(count, side, chunk), 0);
  return { chunks, steps };
}
