/** One of the other dimensions: its series at the cursor, and below, on the same scale, the slider with its chunks. */
import { useId, useMemo } from "react";
import type { Axis } from "../../core/cf/axis.ts";
import {
  chunkAlong,
  type ChunkEdges,
  countAlong,
  declaredExtent,
  startAlong,
} from "../../core/metadata/chunk-edges.ts";
import { shortNumber } from "../../core/values/number-text.ts";
import { MOST_PLANE_CHUNKS } from "../../core/plane/plane-budget.ts";
import { type ChunkLook, countLooks, type PlaneValues } from "../../core/plane/plane-values.ts";
import { tickStep } from "../../widgets/cell-map/axes.ts";
import { useElementWidth } from "../../widgets/element-width.ts";
import { heightOf, lineShape } from "../../widgets/values/line-plot.ts";
import { Button } from "../../widgets/controls/Button.tsx";
import { CostButton } from "./CostDialog.tsx";
import styles from "./Dock.module.css";
import { placeText } from "./axis-words.ts";
import { costText } from "./cost-words.ts";
import type { Series } from "./use-series.ts";

// Steps of a dimension side by side, each as wide as the others: where they and their chunks stand, as shares of the
// whole.

/** The middle of a step. */
export const middleOf = (step: number, count: number): number => (step + 0.5) / Math.max(1, count);

/** The step at a share. */
export const stepAt = (share: number, count: number): number =>
  Math.max(0, Math.min(count - 1, Math.floor(share * count)));

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
  // Of none of them anything is known: they are not kept apart.
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

/** Two or three round values between the ends of a plot. */
export function plotTicks(minimum: number, maximum: number): readonly number[] {
  const extent = maximum - minimum;
  if (!(extent > 0)) return [minimum];
  const power = 10 ** Math.floor(Math.log10(extent));
  const step = [0.2, 0.5, 1, 2, 5].map((factor) => factor * power).find((one) => extent / one <= 3.5) ?? extent;
  const ticks: number[] = [];
  for (let value = Math.ceil(minimum / step) * step; value <= maximum + step * 1e-9; value += step) {
    ticks.push(Number(value.toPrecision(9)));
  }
  return ticks;
}

/** Steps that are named below the slider, so that each name has `room` pixels; the first of a chunk where that fits. */
export function namedSteps(count: number, width: number, room: number, chunk: ChunkEdges): readonly number[] {
  const side = Math.max(width, 1) / Math.max(1, count);
  if (typeof chunk !== "number") return unequalSteps(count, room / side, chunk);
  const isByChunk = chunk > 1 && chunk < count;
  const every = isByChunk ? Math.ceil(room / side / chunk) * chunk : tickStep(side, room);
  return Array.from({ length: Math.ceil(count / every) }, (_, at) => at * every);
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
  /** Coordinates along this dimension of chunks that failed wherever they were read. */
  readonly failed: ReadonlySet<number>;
}

export function StepScale(props: StepScaleProps) {
  const { name, series, at, count } = props;
  const [frame, width] = useElementWidth<HTMLDivElement>();
  return (
    <div ref={frame} className={styles.scale}>
      {series.kind === "line" ? <Plot {...props} series={series} width={width} /> : null}
      {series.kind === "costly" ? (
        <div className={styles.offer}>
          <Button onClick={series.read}>Series along {name}</Button>
          <CostButton series />
          <span>{costText(series.cost)}</span>
        </div>
      ) : null}
      <i className={styles.cursor} style={{ transform: `translateX(${middleOf(at, count) * 100}%)` }} />
      <Track {...props} />
      <StepNames {...props} width={width} />
    </div>
  );
}

const HEIGHT = 62;
/** Keeps the line's thickness from being clipped. */
const INSET = 3;

interface PlotProps extends StepScaleProps {
  readonly series: Extract<Series, { kind: "line" }>;
  readonly width: number;
}

function Plot({ name, series, width, count, side, at, onAt }: PlotProps) {
  const { values, isOld } = series;
  const pattern = useId();
  const step = values.steps.across;
  // The line goes from the middle of the first step to that of the last one.
  const along = (width * ((values.columns - 1) * step)) / count;
  const height = HEIGHT - 2 * INSET;
  const shape = useMemo(() => lineShape(values.values, { width: along, height }), [values, along, height]);
  const x = (element: number) => (Math.min(count, element) / count) * width;
  const now = values.values[Math.floor(at / step)];
  const { minimum = 0, maximum = 0 } = shape;
  const y = heightOf({ width: along, height }, minimum, maximum);
  return (
    <>
      {/* The slider below is what the keyboard moves. */}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- as said */}
      <svg
        className={styles.plot}
        data-stale={isOld}
        role="img"
        aria-label={`Series along ${name}: ${seriesWords(values.looks)}`}
        width={width}
        height={HEIGHT}
        onClick={(event) => {
          const left = event.clientX - event.currentTarget.getBoundingClientRect().left;
          onAt(stepAt(left / width, count));
        }}
      >
        <defs>
          <pattern id={pattern} width={5} height={5} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <path d="M0 0V5" data-part="hatch" />
          </pattern>
        </defs>
        <rect width={width} height={HEIGHT} fill="transparent" />
        <g transform={`translate(${(width * 0.5) / count} ${INSET})`}>
          <Ticks {...{ shape, y, width }} start={(-width * 0.5) / count} />
        </g>
        {values.looks.map((look, chunk) =>
          look === "read" ? null : (
            // oxlint-disable-next-line react/no-array-index-key -- a chunk is its place
            <Gap
              key={chunk}
              {...{ look, pattern }}
              from={x(startAlong(side, chunk))}
              to={x(startAlong(side, chunk + 1))}
            />
          ),
        )}
        <g transform={`translate(${(width * 0.5) / count} ${INSET})`}>
          <path d={shape.line} />
          {now === undefined || !Number.isFinite(now) ? null : (
            <circle cx={x(at)} cy={y(now)} r={4} data-part="cursor" />
          )}
        </g>
      </svg>
    </>
  );
}

interface TicksProps {
  readonly shape: ReturnType<typeof lineShape>;
  readonly y: (value: number) => number;
  readonly start: number;
  readonly width: number;
}

/** Round values, written left of the plot. */
function Ticks({ shape: { minimum, maximum }, y, start, width }: TicksProps) {
  if (minimum === undefined || maximum === undefined) return null;
  return plotTicks(minimum, maximum).map((value) => (
    <g key={value}>
      <path data-part="tick" d={`M${start} ${y(value).toFixed(1)}h${width}`} />
      <text x={start - 6} y={y(value)}>
        {shortNumber(value)}
      </text>
    </g>
  ));
}

const LOOK_WORDS: Readonly<Record<ChunkLook, string>> = {
  unread: "not read",
  read: "read",
  missing: "no reference",
  failed: "failed",
};
/** Pixels that the word takes. */
const WORD = 44;

interface GapProps {
  readonly look: ChunkLook;
  readonly pattern: string;
  readonly from: number;
  readonly to: number;
}

/** Steps of a chunk that has no values. */
function Gap({ look, pattern, from, to }: GapProps) {
  const width = Math.max(2, to - from);
  const fill = look === "failed" ? { fill: `url(#${pattern})` } : {};
  return (
    <g data-look={look}>
      <title>{LOOK_WORDS[look]}</title>
      <rect x={from} width={width} y={0} height={HEIGHT} {...fill} />
      {look === "failed" && width >= WORD ? (
        <>
          <rect x={(from + to - WORD) / 2} width={WORD} y={HEIGHT / 2 - 9} height={18} rx={3} data-part="ground" />
          <text x={(from + to) / 2} y={HEIGHT / 2}>
            failed
          </text>
        </>
      ) : null}
    </g>
  );
}

function seriesWords(looks: readonly ChunkLook[]): string {
  return (["read", "failed", "missing", "unread"] as const)
    .filter((look) => looks.includes(look))
    .map((look) => `${countLooks(looks, look)} ${LOOK_WORDS[look]}`)
    .join(", ");
}

const SPAN_TITLES: Readonly<Record<SpanLook, string | undefined>> = {
  plain: undefined,
  some: "A chunk failed at another place",
  failed: "The chunk at the cursor failed",
};

/** The slider: a track of chunks, and a native one over it, whose knob stands in the middle of its step. */
function Track({ name, axis, count, side, at, onAt, series, failed }: StepScaleProps) {
  const looks = series.kind === "line" && !series.isOld ? series.values.looks : [];
  const spans = chunkSpans(countAlong(count, side), (chunk) =>
    looks[chunk] === "failed" ? "failed" : failed.has(chunk) ? "some" : "plain",
  );
  const half = `${50 / count}%`;
  return (
    <div className={styles.track}>
      {spans.map(({ from, to, look }) => (
        <i
          key={from}
          data-look={look}
          title={SPAN_TITLES[look]}
          style={{ flexGrow: Math.min(count, startAlong(side, to)) - startAlong(side, from) }}
        />
      ))}
      <input
        type="range"
        aria-label={name}
        aria-valuetext={axis?.values === undefined ? `step ${at + 1} of ${count}` : placeText(axis, at)}
        min={0}
        max={count - 1}
        value={at}
        style={{ left: `calc(${half} - 8px)`, width: `calc(100% - 2 * ${half} + 16px)` }}
        onChange={({ target }) => onAt(target.valueAsNumber)}
      />
    </div>
  );
}

/** Pixels a letter takes. */
const LETTER = 6.2;

function StepNames({ axis, count, side, width }: StepScaleProps & { readonly width: number }) {
  const room = Math.max(...[0, count - 1].map((at) => placeText(axis, at).length)) * LETTER + 14;
  return (
    <div className={styles.names} aria-hidden="true">
      {namedSteps(count, width, room, side).map((at) => (
        <span key={at} style={{ left: `${middleOf(at, count) * 100}%` }}>
          {placeText(axis, at)}
        </span>
      ))}
    </div>
  );
}

/** Steps at the cursor's place that failed, and the first coordinates along the dimension of their chunks. */
export function failedSteps(values: PlaneValues, count: number, side: ChunkEdges) {
  const chunks = values.looks.flatMap((look, chunk) => (look === "failed" ? [chunk] : []));
  const steps = chunks.reduce((sum, chunk) => sum + declaredExtent(count, side, chunk), 0);
  return { chunks, steps };
}
