/** A scrolled list of equally high rows with a sticky head, for any number of rows (see `scaled-rows.ts`). */
import { useCallback, useEffect, useImperativeHandle, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { HTMLAttributes, ReactNode, Ref, RefObject } from "react";
import { useMeasuring } from "../measuring.ts";
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
    // A hidden element has no size.
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
      <div role="presentation" className="relative" style={{ height: elementHeight(geometry), minWidth: width }}>
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

/**
 * Rows of equal height in a scrolled element, however many there are. A page's element can only be so high (Chromium
 * about 16.7 million px), so that beyond `TALLEST` the scroll bar is a scaled picture of the true position. The true
 * position (`top`, in px of unscaled rows) is kept apart, and all steps but a drag of the scroll bar are made on it.
 */
export const TALLEST = 8_000_000;

export interface RowGeometry {
  readonly rows: number;
  /** All sizes in CSS pixels. */
  readonly rowHeight: number;
  /** Height in which rows are seen, without a header. */
  readonly viewport: number;
}

export interface RowRange {
  readonly from: number;
  /** Excluded. */
  readonly to: number;
}

const fullHeight = (geometry: RowGeometry) => geometry.rows * geometry.rowHeight;

/** Height of the element that represents all rows. */
export const elementHeight = (geometry: RowGeometry): number => Math.min(TALLEST, fullHeight(geometry));

export const lastTop = (geometry: RowGeometry): number => Math.max(0, fullHeight(geometry) - geometry.viewport);

const clampTop = (geometry: RowGeometry, top: number): number => Math.max(0, Math.min(top, lastTop(geometry)));

const lastScroll = (geometry: RowGeometry): number => Math.max(0, elementHeight(geometry) - geometry.viewport);

const isScaled = (geometry: RowGeometry): boolean => fullHeight(geometry) > TALLEST;

/** Position of the scroll bar for a true position. */
export function scrollOfTop(geometry: RowGeometry, top: number): number {
  if (!isScaled(geometry)) return top;
  return (top / lastTop(geometry)) * lastScroll(geometry);
}

/** The true position that a place of the scroll bar means. */
export function topOfScroll(geometry: RowGeometry, scrollTop: number): number {
  if (!isScaled(geometry)) return clampTop(geometry, scrollTop);
  return clampTop(geometry, (scrollTop / lastScroll(geometry)) * lastTop(geometry));
}

/**
 * The true position after the element scrolled from `before.scrollTop` to `scrollTop`. A move of less than a screen
 * is a gesture (touch, keys of the browser) and is taken as it is; a longer one is a drag of the scroll bar, where one
 * pixel of the bar is many screens, and is scaled.
 */
export function topAfterScroll(
  geometry: RowGeometry,
  before: { readonly top: number; readonly scrollTop: number },
  scrollTop: number,
): number {
  if (!isScaled(geometry)) return clampTop(geometry, scrollTop);
  const moved = scrollTop - before.scrollTop;
  if (Math.abs(moved) >= geometry.viewport) return topOfScroll(geometry, scrollTop);
  const top = clampTop(geometry, before.top + moved);
  // At an end of the bar a gesture cannot go on: what is left of less than a screen is taken with it.
  if (scrollTop <= 0 && top < geometry.viewport) return 0;
  return top;
}

/** Rows that are seen, partly seen ones included. */
export function rowsSeen(geometry: RowGeometry, top: number): RowRange {
  const from = Math.floor(top / geometry.rowHeight);
  const to = Math.ceil((top + geometry.viewport) / geometry.rowHeight);
  return { from: Math.max(0, Math.min(from, geometry.rows)), to: Math.max(0, Math.min(to, geometry.rows)) };
}

/** Whole rows that fit on a screen, at least one: the step of PageUp and PageDown. */
export function rowsPerPage(geometry: RowGeometry): number {
  return Math.max(1, Math.floor(geometry.viewport / geometry.rowHeight));
}

/** The nearest position that shows the whole row. */
export function topShowing(geometry: RowGeometry, top: number, row: number): number {
  const start = row * geometry.rowHeight;
  const end = start + geometry.rowHeight;
  if (start < top) return clampTop(geometry, start);
  if (end > top + geometry.viewport) return clampTop(geometry, end - geometry.viewport);
  return clampTop(geometry, top);
}

/** Shows the row in the middle, unless it is wholly seen already. */
export function topCentring(geometry: RowGeometry, top: number, row: number): number {
  if (topShowing(geometry, top, row) === top) return top;
  const middle = row * geometry.rowHeight - (geometry.viewport - geometry.rowHeight) / 2;
  return clampTop(geometry, Math.round(middle / geometry.rowHeight) * geometry.rowHeight);
}
