/** Profiles: how values run along an axis, a bin a place; lanes stand one below the other. */
import { useId, useState } from "react";
import { useElementWidth } from "../measuring.ts";
import type { Area } from "../cell-map/camera.ts";
import type { ValueRange } from "../cell-map/paint-values.ts";
import { PlotFrame } from "./LinePlot.tsx";
import { bandPath, barPath, binAt, binUnder, extentOf, movedPlace, runsOf, scaleOf, stepPath } from "./plot-shape.ts";
import styles from "./ProfilePlot.module.css";

/** An entry a bin in each column; NaN where nothing is known. */
export type Lane = {
  /** Above the lane; none where only one is shown and its place says what it is. */
  readonly title?: string;
  readonly extent: ValueRange;
  /** Labels at its upper and lower end. */
  readonly scale: readonly [string, string];
  /** CSS pixels. */
  readonly height: number;
} & (
  | {
      readonly kind: "range";
      readonly minimum: Float64Array;
      readonly maximum: Float64Array;
      readonly mean: Float64Array;
      /** Drawn across: ends of what is allowed. */
      readonly limits?: readonly number[];
    }
  | { readonly kind: "bars"; readonly values: Float64Array }
);

export interface PlottedBins {
  readonly lanes: readonly Lane[];
  readonly bins: number;
  readonly marked: ReadonlySet<number>;
  readonly severity: "error" | "warning" | "info";
  /** Bins of which nothing is known, and those in which something failed. */
  readonly unknown: ReadonlySet<number>;
  readonly failed: ReadonlySet<number>;
  /** Bins with which a file begins. */
  readonly edges: readonly number[];
}

interface ProfilePlotProps extends PlottedBins {
  /** Description of the plot, and the fact that it shows. */
  readonly label: string;
  /** Text for a bin. */
  readonly readout: (bin: number) => string;
  /** Text while no bin is pointed at; absent = the ends of the axis. */
  readonly resting?: string;
  /** Labels at both ends of the axis. */
  readonly ends: readonly [string, string];
  /** Room for the scale, in CSS pixels, where plots below each other are to begin at one place; it may need more. */
  readonly room?: number;
}

/** Letters of the scale's labels are so wide at most, and the labels so far from the plot. */
const [LETTER, GAP, LEAST_GUTTER, MOST_GUTTER] = [6.4, 8, 28, 128];

/** How values run along an axis, a bin a place: for pointer and keyboard, with what is marked in its own colour. */
export function ProfilePlot({ label, readout, resting, ends, room = 0, ...plotted }: ProfilePlotProps) {
  const { bins, lanes, marked } = plotted;
  const [frame, space] = useElementWidth<HTMLDivElement>();
  const gutter = Math.max(room, gutterFor(lanes));
  const width = Math.max(1, space - gutter);
  const { shown, isSaid, handlers } = useBinCursor(bins, marked, (x) => binUnder(x - gutter, bins, width));
  const id = useId();
  const isCompact = resting === undefined;
  return (
    <div className="narrow">
      <PlotFrame
        ref={frame}
        className={styles.plot}
        kind="profile"
        aria-label={label}
        aria-describedby={id}
        data-bins={bins}
        data-marked={marked.size}
        {...handlers}
      >
        <svg width={space} height={lanesHeight(lanes)} aria-hidden="true">
          <Lanes {...plotted} gutter={gutter} width={width} cursor={shown} />
        </svg>
      </PlotFrame>
      {isCompact && shown !== undefined ? null : (
        <div className={styles.ends} style={{ marginInlineStart: gutter }} aria-hidden="true">
          <span>{ends[0]}</span>
          <span>{ends[1]}</span>
        </div>
      )}
      <p id={id} className={styles.readout} data-compact={isCompact} aria-live={isSaid ? "polite" : "off"}>
        {shown === undefined ? resting : readout(shown)}
      </p>
    </div>
  );
}

function gutterFor(lanes: PlottedBins["lanes"]): number {
  const widest = Math.max(0, ...lanes.flatMap(({ scale }) => scale.map((text) => text.length)));
  return Math.round(Math.min(MOST_GUTTER, Math.max(LEAST_GUTTER, widest * LETTER))) + GAP;
}

/** The bin that is pointed at, or chosen by keys: these begin with what is marked. */
function useBinCursor(bins: number, [first = 0]: Iterable<number>, binOf: (x: number) => number) {
  const [pointed, setPointed] = useState<number>();
  const [chosen, setChosen] = useState<number>();
  const onPlainKey = (key: string) => {
    const isBegun = chosen === undefined && (key === "ArrowLeft" || key === "ArrowRight");
    const moved = isBegun ? first : movedPlace(key, chosen ?? first, bins);
    if (moved === undefined && (key !== "Escape" || chosen === undefined)) return false;
    setPointed(undefined);
    setChosen(moved);
    return true;
  };
  const handlers = {
    onPlainKey,
    onBlur: () => setChosen(undefined),
    onPoint: (x: number | undefined) => setPointed(x === undefined ? undefined : binOf(x)),
  };
  return { shown: pointed ?? chosen, isSaid: chosen !== undefined, handlers };
}

/** A profile as small as a picture in a list, without scale and words: what stands beside it says what it shows. */
export function ProfileSpark({ width, ...plotted }: PlottedBins & { readonly width: number }) {
  return (
    <svg className={styles.spark} width={width} height={lanesHeight(plotted.lanes)} aria-hidden="true">
      <Lanes {...plotted} gutter={0} width={width} cursor={undefined} />
    </svg>
  );
}

const [TITLE, BELOW] = [18, 6];
/** Width below which a title ends at its first colon or comma. */
const LEAST_FOR_TITLES = 440;

const heightOf = ({ title, height }: Lane): number => (title === undefined ? 0 : TITLE) + height + BELOW;

const lanesHeight = (lanes: readonly Lane[]): number => lanes.reduce((sum, lane) => sum + heightOf(lane), 0);

interface LanesProps extends PlottedBins {
  /** Room for the scale, left of the plot; 0 = no scale. */
  readonly gutter: number;
  readonly width: number;
  readonly cursor: number | undefined;
}

export function Lanes({ lanes, gutter, width, cursor, ...plotted }: LanesProps) {
  const tops = lanes.map((_, at) => lanesHeight(lanes.slice(0, at)));
  return lanes.map((lane, at) => {
    const top = (tops[at] ?? 0) + (lane.title === undefined ? 0 : TITLE);
    const box = { width, height: lane.height };
    return (
      <g
        key={lane.title ?? lane.kind}
        className={styles.lane}
        transform={`translate(${gutter} ${top})`}
        data-severity={plotted.severity}
      >
        {lane.title === undefined ? null : (
          <text className={styles.title} x={0} y={-6}>
            {width < LEAST_FOR_TITLES ? lane.title.split(/[:,;]/)[0] : lane.title}
          </text>
        )}
        {gutter === 0 ? null : <Scale lane={lane} />}
        <Ground {...plotted} box={box} />
        <Values lane={lane} box={box} marked={plotted.marked} />
        <Gaps {...plotted} box={box} hasCrosses={at === 0} />
        {cursor === undefined ? null : <Cursor box={box} bins={plotted.bins} bin={cursor} />}
      </g>
    );
  });
}

function Scale({ lane: { scale, height } }: { readonly lane: Lane }) {
  const [high, low] = scale;
  return (
    <>
      <text className={styles.scale} x={-6} y={9}>
        {high}
      </text>
      {high === low ? null : (
        <text className={styles.scale} x={-6} y={height}>
          {low}
        </text>
      )}
    </>
  );
}

type InBox = Omit<PlottedBins, "lanes"> & { readonly box: Area };

/** More borders than these would hide the values. */
const MOST_EDGES = 48;
const TICK = 4;

/** Behind the values: what is marked, and where files begin. */
function Ground({ bins, marked, edges, box }: InBox) {
  const isFew = edges.length <= MOST_EDGES;
  const lines = edges.flatMap((bin) => {
    if (bin === 0) return [];
    const { x } = binAt(bin, bins, box.width);
    return [`M${x.toFixed(1)} ${isFew ? 0 : box.height - TICK}V${box.height}`];
  });
  return (
    <>
      <rect className={styles.ground} width={box.width} height={box.height} />
      {runsOf(marked).map(({ from, to }) => {
        const { x } = binAt(from, bins, box.width);
        const width = Math.max(3, binAt(to, bins, box.width).x - x);
        return <rect key={from} className={styles.mark} x={x} width={width} height={box.height} />;
      })}
      <path className={styles.edges} d={lines.join("")} />
    </>
  );
}

interface ValuesProps {
  readonly lane: Lane;
  readonly box: Area;
  readonly marked: ReadonlySet<number>;
}

function Values({ lane, box, marked }: ValuesProps) {
  const y = scaleOf(lane.extent, box);
  const isMarked = (bin: number) => marked.has(bin);
  const isPlain = (bin: number) => !marked.has(bin);
  if (lane.kind === "bars") {
    return (
      <>
        <path className={styles.bars} d={barPath(lane.values, { box, y, only: isPlain })} />
        <path className={styles.bars} data-marked d={barPath(lane.values, { box, y, only: isMarked })} />
      </>
    );
  }
  const { minimum, maximum, mean, limits = [] } = lane;
  return (
    <>
      {limits.map((limit) => (
        <path key={limit} className={styles.limit} d={`M0 ${y(limit)}H${box.width}`} />
      ))}
      <path className={styles.band} d={bandPath(minimum, maximum, { box, y, only: isPlain })} />
      <path className={styles.band} data-marked d={bandPath(minimum, maximum, { box, y, only: isMarked })} />
      <path className={styles.mean} d={stepPath(mean, { box, y })} />
      <path className={styles.mean} data-marked d={stepPath(mean, { box, y, only: isMarked })} />
    </>
  );
}

const CROSS = 3.5;

/** Unknown bins are dotted, failed ones have a cross. */
function Gaps({ bins, unknown, failed, box, hasCrosses }: InBox & { readonly hasCrosses: boolean }) {
  const dotted = runsOf(unknown).map(({ from, to }) => {
    const [start, end] = [binAt(from, bins, box.width).x, binAt(to, bins, box.width).x];
    return `M${(start + 2).toFixed(1)} ${box.height - 2}H${Math.max(start + 3, end - 1).toFixed(1)}`;
  });
  const crosses = [...(hasCrosses ? failed : [])].map((bin) => {
    const { x, width } = binAt(bin, bins, box.width);
    const [left, top] = [x + width / 2 - CROSS, box.height / 2 - CROSS];
    return `M${left} ${top}l${2 * CROSS} ${2 * CROSS}m0 ${-2 * CROSS}l${-2 * CROSS} ${2 * CROSS}`;
  });
  return (
    <>
      <path className={styles.unknown} d={dotted.join("")} />
      <path className={styles.failed} d={crosses.join("")} />
    </>
  );
}

function Cursor({ box, bins, bin }: { readonly box: Area; readonly bins: number; readonly bin: number }) {
  const { x, width } = binAt(bin, bins, box.width);
  return <rect className={styles.cursor} x={x} width={Math.max(2, width)} height={box.height} />;
}

/** For a lane of bars: from 0 to the greatest, or further. */
export function barExtent(values: Float64Array, most = 0): ValueRange {
  return { minimum: 0, maximum: Math.max(most, extentOf(values)?.maximum ?? 0) };
}
