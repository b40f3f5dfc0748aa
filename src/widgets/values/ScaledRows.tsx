/** A scrolled list of equally high rows with a sticky head, for any number of rows (see `scaled-rows.ts`). */
import {
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type HTMLAttributes,
  type ReactNode,
  type Ref,
  type RefObject,
} from "react";
import {
  clampTop,
  elementHeight,
  isScaled,
  rowsPerPage,
  rowsSeen,
  scrollOfTop,
  topAfterScroll,
  topCentring,
  topShowing,
  type RowGeometry,
  type RowRange,
} from "./scaled-rows.ts";
import { useMeasuring } from "../use-measuring.ts";
import styles from "./ScaledRows.module.css";

export interface ScaledRowsHandle {
  /** `nearest` moves as little as it can; `centre` shows a row that is out of sight in the middle. */
  readonly show: (row: number, align: "nearest" | "centre" | "start") => void;
  /** Brings what lies between `left` and `right` (CSS pixels in a row) into sight, beside a column that sticks. */
  readonly showAcross: (left: number, right: number, sticking: number) => void;
  readonly rowsPerPage: () => number;
  readonly focus: () => void;
}

interface ScaledRowsProps {
  readonly rows: number;
  readonly rowHeight: number;
  readonly headHeight: number;
  readonly head: ReactNode;
  /** Least width of the rows in CSS pixels. */
  readonly width: number;
  /** A row that is brought into sight when it is another, and stays there when there is less room. */
  readonly inSight?: number | undefined;
  /** Given `top`, the distance in CSS pixels from the upper edge of what is seen. */
  readonly renderRow: (index: number, top: number) => ReactNode;
  /** Called with the rows seen, after every change. */
  readonly onSeen: (seen: RowRange) => void;
  /** Called with the width in CSS pixels that there is for a row. */
  readonly onRoom?: ((width: number) => void) | undefined;
  readonly handle: Ref<ScaledRowsHandle>;
  /** Role, name, key handlers of the scrolled element. */
  readonly attributes: HTMLAttributes<HTMLDivElement>;
}

export function ScaledRows(props: ScaledRowsProps) {
  const { rows, rowHeight, headHeight, head, width, inSight, renderRow, onSeen, onRoom, handle, attributes } = props;
  const [height, setHeight] = useState(0);
  const viewport = Math.max(0, height - headHeight);
  const geometry = useMemo(() => ({ rows, rowHeight, viewport }), [rows, rowHeight, viewport]);
  const position = usePosition(geometry);
  const { scroller } = position;
  // Without its scroll bar.
  useMeasuring(scroller, ({ clientHeight, clientWidth }) => {
    setHeight(clientHeight);
    // What is not shown has no size.
    if (clientWidth > 0) onRoom?.(clientWidth);
  });
  const top = clampTop(geometry, position.top);
  const { from, to } = rowsSeen(geometry, top);

  useEffect(() => {
    onSeen({ from, to });
  }, [onSeen, from, to]);

  const { moveTo } = position;
  useInSight(inSight, geometry, moveTo);
  useImperativeHandle(
    handle,
    () => ({
      show: (row, align) =>
        moveTo((now) => {
          if (align === "start") return clampTop(geometry, row * rowHeight);
          return align === "centre" ? topCentring(geometry, now, row) : topShowing(geometry, now, row);
        }),
      showAcross: (left, right, sticking) => {
        const element = scroller.current;
        if (element === null) return;
        const { scrollLeft, clientWidth } = element;
        if (left < scrollLeft + sticking) element.scrollLeft = left - sticking;
        else if (right > scrollLeft + clientWidth) element.scrollLeft = right - clientWidth;
      },
      rowsPerPage: () => rowsPerPage(geometry),
      focus: () => scroller.current?.focus({ preventScroll: true }),
    }),
    [geometry, moveTo, rowHeight, scroller],
  );

  const shown = Array.from({ length: Math.max(0, to - from) }, (_, place) => from + place);
  return (
    <div {...attributes} ref={scroller} className={`${styles.scroller} ${attributes.className ?? ""}`}>
      <div role="rowgroup" className={styles.head} style={{ minWidth: width }}>
        {head}
      </div>
      <div role="presentation" className={styles.sizer} style={{ height: elementHeight(geometry), minWidth: width }}>
        <div
          role="rowgroup"
          className={styles.pane}
          style={{ top: headHeight, height: Math.min(viewport, rows * rowHeight) }}
        >
          {shown.map((index) => renderRow(index, index * rowHeight - top))}
        </div>
      </div>
    </div>
  );
}

function useInSight(row: number | undefined, geometry: RowGeometry, moveTo: Position["moveTo"]): void {
  const before = useRef<{ row: number; viewport: number }>(undefined);
  useEffect(() => {
    const { viewport } = geometry;
    const was = before.current;
    if (viewport === 0 || row === undefined) return;
    before.current = { row, viewport };
    const isFar = was === undefined || Math.abs(was.row - row) * geometry.rowHeight > viewport / 2;
    const shownAt = isFar ? topCentring : topShowing;
    const wasSeen = (top: number) =>
      was?.row !== row || topShowing({ ...geometry, viewport: was.viewport }, top, row) === top;
    moveTo((top) => (wasSeen(top) ? shownAt(geometry, top, row) : top));
  }, [row, geometry, moveTo]);
}

type Position = ReturnType<typeof usePosition>;

const SETTLED_MS = 150;

function usePosition(geometry: RowGeometry) {
  const scroller = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  /** The true position, and where the scroll bar stood when it was last looked at. */
  const last = useRef({ top: 0, scrollTop: 0 });

  const alignBar = useCallback(() => {
    const element = scroller.current;
    if (element === null) return;
    element.scrollTop = scrollOfTop(geometry, last.current.top);
    last.current.scrollTop = element.scrollTop; // as rounded by the browser
  }, [scroller, geometry]);

  const moveTo = useCallback(
    (next: (top: number) => number) => {
      last.current.top = next(clampTop(geometry, last.current.top));
      setTop(last.current.top);
      alignBar();
    },
    [geometry, alignBar],
  );

  useLayoutEffect(() => {
    const clamped = clampTop(geometry, last.current.top);
    if (geometry.viewport === 0 || clamped === last.current.top) return;
    last.current.top = clamped;
    setTop(clamped);
    alignBar();
  }, [geometry, alignBar]);

  useScrollListeners(scroller, geometry, last, { setTop, moveTo, alignBar });
  return { scroller, top, moveTo };
}

interface Movers {
  readonly setTop: (top: number) => void;
  readonly moveTo: (next: (top: number) => number) => void;
  readonly alignBar: () => void;
}

function useScrollListeners(
  scroller: RefObject<HTMLDivElement | null>,
  geometry: RowGeometry,
  last: RefObject<{ top: number; scrollTop: number }>,
  { setTop, moveTo, alignBar }: Movers,
): void {
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    let settled: ReturnType<typeof setTimeout> | undefined;
    const onScroll = () => {
      const { scrollTop } = element;
      if (scrollTop === last.current.scrollTop) return;
      last.current = { top: topAfterScroll(geometry, last.current, scrollTop), scrollTop };
      setTop(last.current.top);
      clearTimeout(settled);
      // After gestures the bar has drifted from the true position by what was not scaled.
      if (isScaled(geometry)) settled = setTimeout(alignBar, SETTLED_MS);
    };
    const onWheel = (event: WheelEvent) => {
      if (!isScaled(geometry) || event.ctrlKey || event.shiftKey || event.deltaY === 0) return;
      event.preventDefault();
      const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? geometry.rowHeight : 1;
      moveTo((top) => clampTop(geometry, top + event.deltaY * unit));
    };
    element.addEventListener("scroll", onScroll, { passive: true });
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => {
      clearTimeout(settled);
      element.removeEventListener("scroll", onScroll);
      element.removeEventListener("wheel", onWheel);
    };
  }, [scroller, geometry, last, setTop, moveTo, alignBar]);
}
