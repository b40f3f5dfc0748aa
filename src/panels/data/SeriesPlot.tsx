/** The series at the cursor, as a line with gaps: values under the pointer, and parts of it enlarged. */
import { type PointerEvent, useId, useMemo, useState } from "react";
import { type ChunkEdges, startAlong } from "#core/metadata/chunk-grid.ts";
import { type ChunkLook, countLooks, type PlaneValues } from "#core/plane/plane-values.ts";
import { distinctTexts } from "#core/values/number-text.ts";
import { unitsText } from "#core/values/value-text.ts";
import type { Span } from "#widgets/cell-map/camera.ts";
import { leftOf, PlotFrame } from "#widgets/plot/LinePlot.tsx";
import { lineShape } from "#widgets/plot/plot-shape.ts";
import styles from "./Dock.module.css";
import { useShown } from "./shown-array.ts";
import type { Series } from "./use-series.ts";

/** Round values between the ends of a plot: two or three, or up to `most`. */
export function plotTicks(minimum: number, maximum: number, most = 3.5): readonly number[] {
  const extent = maximum - minimum;
  if (!(extent > 0)) return [minimum];
  const power = 10 ** Math.floor(Math.log10(extent));
  const step = [0.2, 0.5, 1, 2, 5].map((factor) => factor * power).find((one) => extent / one <= most) ?? extent;
  const ticks: number[] = [];
  for (let value = Math.ceil(minimum / step) * step; value <= maximum + step * 1e-9; value += step) {
    ticks.push(Number(value.toPrecision(12)));
  }
  return ticks;
}

const HEIGHT = 56;
/** Keeps the line's thickness from being clipped. */
const INSET = 3;
/** Pixels after which a press is no click, but chooses a part. */
const DRAG = 4;

interface SeriesPlotProps {
  readonly name: string;
  readonly series: Extract<Series, { kind: "line" }>;
  readonly width: number;
  readonly count: number;
  readonly side: ChunkEdges;
  readonly at: number;
  readonly onAt: (at: number) => void;
  readonly seen: Span;
  readonly onSeen: (seen: Span | undefined) => void;
  readonly hovered: number | undefined;
  readonly onHover: (at: number | undefined) => void;
}

export function SeriesPlot(props: SeriesPlotProps) {
  const { name, series, width, side, at, seen, hovered } = props;
  const { values, isOld } = series;
  const { request, about } = useShown();
  const pattern = useId();
  const { press, ...events } = usePlotEvents(props);
  const { shape, first, along } = usePart(values, seen, width);
  const { line, middle, y } = shape;
  const x = (step: number) => shareOf(step, seen) * width;
  const dot = (step: number, part: string) => {
    const value = values.values[Math.floor(step / values.steps.across)] ?? Number.NaN;
    return Number.isFinite(value) ? <circle cx={x(step + 0.5)} cy={y(value) + INSET} r={4} data-part={part} /> : null;
  };
  const units = request.scaled && about?.units !== undefined ? unitsText(about.units) : "";
  return (
    <PlotFrame
      className={styles.plot}
      kind="line plot"
      aria-label={`Plot along ${name}: arrows move, plus and minus zoom, 0 shows all`}
      data-stale={isOld}
      {...events}
    >
      <svg role="img" aria-label={`Series along ${name}: ${seriesWords(values.looks)}`} width={width} height={HEIGHT}>
        <defs>
          <pattern id={pattern} width={5} height={5} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <path d="M0 0V5" data-part="hatch" />
          </pattern>
        </defs>
        <g transform={`translate(0 ${INSET})`}>
          <Ticks {...{ shape, width, units }} />
        </g>
        <svg width={width} height={HEIGHT}>
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
          <g transform={`translate(${x(first + 0.5)} ${INSET})`} data-along={along}>
            <path d={line} data-part={middle === "" ? "line" : "band"} />
            <path d={middle} />
          </g>
          {press === undefined ? null : (
            <rect data-part="chosen" x={Math.min(...press)} width={Math.abs(press[1] - press[0])} height={HEIGHT} />
          )}
          {hovered === undefined ? null : <path data-part="hair" d={`M${x(hovered + 0.5).toFixed(1)} 0V${HEIGHT}`} />}
          {isOld ? null : dot(at, "cursor")}
          {hovered === undefined ? null : dot(hovered, "hovered")}
        </svg>
      </svg>
    </PlotFrame>
  );
}

/** The part of the series that is seen: its line goes from the middle of its first step to that of its last. */
function usePart(plane: PlaneValues, seen: Span, width: number) {
  return useMemo(() => {
    // The values are filled in as they come: the plane is another each time.
    const { values, steps } = plane;
    const step = steps.across;
    const from = Math.floor(seen.from / step);
    const part = values.subarray(from, Math.ceil(seen.to / step));
    const along = (width * (part.length - 1) * step) / (seen.to - seen.from);
    return { shape: lineShape(part, { width: along, height: HEIGHT - 2 * INSET }), first: from * step, along };
  }, [plane, seen.from, seen.to, width]);
}

/** A click goes to a step; a drag enlarges what is between its ends, a wheel or key around the pointer or cursor. */
function usePlotEvents({ count, at, onAt, seen, onSeen, hovered, onHover, width }: SeriesPlotProps) {
  const [press, setPress] = useState<readonly [from: number, to: number]>();
  const left = (event: PointerEvent<HTMLElement>) => Math.max(0, Math.min(width, leftOf(event)));
  const step = (x: number) => stepAt(x / width, seen);
  const zoom = (factor: number, about: number) => onSeen(zoomedBy(factor, about + 0.5, seen, count));
  const middle = at >= seen.from && at < seen.to ? at : Math.floor((seen.from + seen.to) / 2);
  const keys = new Map<string, () => void>([
    ["+", () => zoom(1 / 2, middle)],
    ["=", () => zoom(1 / 2, middle)],
    ["-", () => zoom(2, middle)],
    ["0", () => onSeen(undefined)],
    ["ArrowLeft", () => onAt(Math.max(0, at - 1))],
    ["ArrowRight", () => onAt(Math.min(count - 1, at + 1))],
    ["Home", () => onAt(seen.from)],
    ["End", () => onAt(seen.to - 1)],
  ]);
  return {
    press: press !== undefined && Math.abs(press[1] - press[0]) > DRAG ? press : undefined,
    onPlainKey: (key: string) => {
      keys.get(key)?.();
      return keys.has(key);
    },
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      event.currentTarget.setPointerCapture(event.pointerId);
      setPress([left(event), left(event)]);
    },
    onPoint: (x: number | undefined) => {
      const inside = x === undefined ? undefined : Math.max(0, Math.min(width, x));
      onHover(inside === undefined ? undefined : step(inside));
      if (press !== undefined && inside !== undefined) setPress([press[0], inside]);
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      setPress(undefined);
      if (press === undefined) return;
      const [from = 0, to = 0] = [step(press[0]), step(left(event))].toSorted((a, b) => a - b);
      if (Math.abs(left(event) - press[0]) <= DRAG) onAt(to);
      else
        onSeen(
          zoomedBy((to + 1 - from) / (seen.to - seen.from), from, { from, to: seen.to + from - seen.from }, count),
        );
    },
    onPointerCancel: () => setPress(undefined),
    onDoubleClick: () => onSeen(undefined),
    onWheel: ({ deltaY }: { readonly deltaY: number }) => zoom(deltaY < 0 ? 1 / 1.5 : 1.5, hovered ?? middle),
  };
}

interface TicksProps {
  readonly shape: ReturnType<typeof lineShape>;
  readonly width: number;
  readonly units: string;
}

/** Round values, written left of the plot. */
function Ticks({ shape: { extent, y }, width, units }: TicksProps) {
  if (extent === undefined) return null;
  const ticks = plotTicks(extent.minimum, extent.maximum);
  const texts = distinctTexts(ticks);
  return (
    <>
      {ticks.map((value, at) => (
        <g key={value}>
          <path data-part="tick" d={`M0 ${y(value).toFixed(1)}h${width}`} />
          <text x={-6} y={y(value)}>
            {texts[at]}
          </text>
        </g>
      ))}
      <text data-part="units" x={-6} y={-INSET - 9}>
        {units}
      </text>
    </>
  );
}

export const LOOK_WORDS: Readonly<Record<ChunkLook, string>> = {
  unread: "not read",
  read: "read",
  missing: "no reference",
  failed: "failed",
  unreached: "out of reach",
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
  return (["read", "failed", "unreached", "missing", "unread"] as const)
    .filter((look) => looks.includes(look))
    .map((look) => `${countLooks(looks, look)} ${LOOK_WORDS[look]}`)
    .join(", ");
}

/** The step at a share of what is seen. */
export const stepAt = (share: number, { from, to }: Span): number =>
  Math.max(from, Math.min(to - 1, from + Math.floor(share * (to - from))));

/** Place of a step in the visible span: 0 to 1 inside it. */
export const shareOf = (step: number, { from, to }: Span): number => (step - from) / Math.max(1, to - from);

const FEWEST = 4;

/** Multiplies the number of visible steps by `factor` around a step that stays in place. `undefined`: all are visible. */
export function zoomedBy(factor: number, about: number, seen: Span, count: number): Span | undefined {
  const size = Math.max(Math.min(FEWEST, count), Math.round((seen.to - seen.from) * factor));
  if (size >= count) return undefined;
  const from = Math.round(about - shareOf(about, seen) * size);
  return shifted(from, size, count);
}

function shifted(from: number, size: number, count: number): Span {
  const start = Math.max(0, Math.min(count - size, from));
  return { from: start, to: start + size };
}

/** The part that is seen, moved so that a step is in it. */
export function spanAround(at: number, count: number, span: Span): Span {
  const size = span.to - span.from;
  return at >= span.from && at < span.to ? span : shifted(at - Math.floor(size / 2), size, count);
}
