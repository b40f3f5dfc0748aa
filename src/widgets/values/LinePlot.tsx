import type { PlaneNumbers } from "#core/plane/plane.ts";
import { useMemo, type KeyboardEvent, type PointerEvent } from "react";
import { useElementWidth } from "../element-width.ts";
import { heightOf, indexAt, lineShape, middleLine, movedPlace, placeOf } from "./line-plot.ts";
import styles from "./LinePlot.module.css";

export interface LinePlotProps {
  /** Description of the plot, for those who do not see it. */
  readonly label: string;
  /** Id of the element that describes the value under the cursor. */
  readonly describedBy: string;
  /** NaN = missing. */
  readonly values: PlaneNumbers;
  readonly cursor: number;
  readonly onCursor: (index: number) => void;
  /** `undefined` when the pointer leaves. */
  readonly onHover: (index: number | undefined) => void;
  /** CSS pixels. */
  readonly height?: number;
  /** For those who look at the page by script: `data-…`. */
  readonly data?: Readonly<Record<`data-${string}`, number>>;
}

const DEFAULT_HEIGHT = 150;
/** Room for the thickness of the line at the edges. */
const MARGIN = 4;

/** Values along one dimension, as a line with gaps where they are missing, with a cursor for pointer and keyboard. */
export function LinePlot(props: LinePlotProps) {
  const { label, describedBy, values, cursor, onCursor, onHover, height = DEFAULT_HEIGHT, data } = props;
  const [frame, space] = useElementWidth<HTMLDivElement>();
  const width = Math.max(1, space - 2 * MARGIN);
  const shape = useMemo(() => lineShape(values, { width, height }), [values, width, height]);
  const middle = useMemo(() => middleLine(values, { width, height }), [values, width, height]);
  const pointed = (event: PointerEvent<HTMLElement>) => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left - MARGIN;
    return indexAt(x, values.length, width);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.metaKey) return;
    const moved = movedPlace(event.key, cursor, values.length);
    if (moved === undefined) return;
    event.preventDefault();
    onHover(undefined);
    onCursor(moved);
  };
  const value = values[cursor];
  const y = heightOf({ width, height }, shape.minimum ?? 0, shape.maximum ?? 0);
  const x = placeOf(cursor, values.length, width);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- an application takes keys and pointer itself
    <div
      ref={frame}
      className={styles.plot}
      role="application"
      aria-roledescription="line plot"
      aria-label={label}
      aria-describedby={describedBy}
      {...data}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onPointerMove={(event) => onHover(pointed(event))}
      onPointerLeave={() => onHover(undefined)}
      onPointerDown={(event) => onCursor(pointed(event))}
    >
      <svg width={space} height={height + 2 * MARGIN} aria-hidden="true">
        <g transform={`translate(${MARGIN} ${MARGIN})`}>
          <path className={styles.gaps} d={shape.gaps} />
          <path className={styles.line} data-band={middle !== ""} d={shape.line} />
          <path className={styles.line} d={middle} />
          <path className={styles.cursor} d={`M${x.toFixed(1)} 0V${height}`} />
          {value !== undefined && Number.isFinite(value) ? (
            <circle className={styles.dot} cx={x} cy={y(value)} r={3.5} />
          ) : null}
        </g>
      </svg>
    </div>
  );
}
