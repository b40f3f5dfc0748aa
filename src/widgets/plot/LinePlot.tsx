import type { PlaneNumbers } from "#core/plane/plane.ts";
import { type HTMLAttributes, type MouseEvent, type Ref, useMemo } from "react";
import { useElementWidth } from "../measuring.ts";
import { extentOf, indexAt, lineShape, movedPlace, placeOf } from "./plot-shape.ts";
import styles from "./LinePlot.module.css";

interface PlotFrameProps extends HTMLAttributes<HTMLDivElement> {
  readonly ref?: Ref<HTMLDivElement>;
  readonly kind: "line plot" | "profile";
  /** Returns false if the key does nothing here. */
  readonly onPlainKey: (key: string) => boolean;
  /** Pixels from the left edge; `undefined` when the pointer leaves. */
  readonly onPoint: (x: number | undefined) => void;
}

/** Frame of a plot that takes keys and the pointer itself. */
export function PlotFrame({ kind, onPlainKey, onPoint, ...rest }: PlotFrameProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- an application takes keys and pointer itself
    <div
      {...rest}
      role="application"
      aria-roledescription={kind}
      tabIndex={0}
      onKeyDown={(event) => {
        if (event.altKey || event.metaKey || event.ctrlKey || !onPlainKey(event.key)) return;
        event.preventDefault();
      }}
      onPointerMove={(event) => onPoint(leftOf(event))}
      onPointerLeave={() => onPoint(undefined)}
    />
  );
}

/** Pixels from the left edge of a plot. */
export const leftOf = ({ clientX, currentTarget }: MouseEvent<HTMLElement>): number =>
  clientX - currentTarget.getBoundingClientRect().left;

interface LinePlotProps {
  /** Description of the plot, for those who do not see it. */
  readonly label: string;
  /** Id of the element that describes the value under the cursor. */
  readonly describedBy: string;
  /** NaN = missing. */
  readonly values: PlaneNumbers;
  /** Others at the same places: a dashed line. */
  readonly other?: PlaneNumbers | undefined;
  readonly cursor: number;
  readonly onCursor: (index: number) => void;
  /** `undefined` when the pointer leaves. */
  readonly onHover: (index: number | undefined) => void;
  /** CSS pixels. */
  readonly height?: number;
  /** For those who look at the page by script: `data-…`. */
  readonly data?: Readonly<Record<`data-${string}`, number>>;
}

/** Room for the thickness of the line at the edges. */
const MARGIN = 4;

/** Values along one dimension, as a line with gaps where they are missing, with a cursor for pointer and keyboard. */
export function LinePlot(props: LinePlotProps) {
  const { label, describedBy, values, other, cursor, onCursor, onHover, height = 150, data } = props;
  const [frame, space] = useElementWidth<HTMLDivElement>();
  const width = Math.max(1, space - 2 * MARGIN);
  const { line, middle, gaps, y, dashed } = useMemo(() => {
    const extent = other === undefined ? undefined : extentOf(values, other);
    const dashed = other === undefined ? "" : lineShape(other, { width, height }, extent).line;
    return { ...lineShape(values, { width, height }, extent), dashed };
  }, [values, other, width, height]);
  const indexUnder = (x: number) => indexAt(x - MARGIN, values.length, width);
  const onPlainKey = (key: string) => {
    const moved = movedPlace(key, cursor, values.length);
    if (moved === undefined) return false;
    onHover(undefined);
    onCursor(moved);
    return true;
  };
  const value = values[cursor];
  const x = placeOf(cursor, values.length, width);
  return (
    <PlotFrame
      ref={frame}
      className={styles.plot}
      kind="line plot"
      aria-label={label}
      aria-describedby={describedBy}
      {...data}
      onPlainKey={onPlainKey}
      onPoint={(left) => onHover(left === undefined ? undefined : indexUnder(left))}
      onPointerDown={(event) => onCursor(indexUnder(leftOf(event)))}
    >
      <svg width={space} height={height + 2 * MARGIN} aria-hidden="true">
        <g transform={`translate(${MARGIN} ${MARGIN})`}>
          <path className={styles.gaps} d={gaps} />
          <path className={styles.line} data-band={middle !== ""} d={line} />
          <path className={styles.line} d={middle} />
          <path className={styles.other} d={dashed} />
          <path className={styles.cursor} d={`M${x.toFixed(1)} 0V${height}`} />
          {value !== undefined && Number.isFinite(value) ? (
            <circle className={styles.dot} cx={x} cy={y(value)} r={3.5} />
          ) : null}
        </g>
      </svg>
    </PlotFrame>
  );
}
