/** The bytes of the shard, in file order, with what pointer, wheel and keys do. */
import { useEffect, useRef, type FocusEvent, type KeyboardEvent, type PointerEvent, type RefObject } from "react";
import { formatBytes, formatCount, formatExactBytes } from "../../widgets/number-format.ts";
import { movedInFile, type ByteSpan } from "./file-order.ts";
import type { Hover } from "./hover.ts";
import { panSpan } from "./strip-layout.ts";
import { useStrip, type Strip, type StripInput } from "./use-strip.ts";
import { CLICK_TOLERANCE, pointIn } from "../../widgets/pointer-place.ts";
import { ZoomButtons } from "../../widgets/ZoomButtons.tsx";
import { Layers } from "./Layers.tsx";
import styles from "./ShardPanel.module.css";

export interface PartHandlers {
  readonly onCursor: (inner: number) => void;
  readonly onHover: (hover: Hover | undefined) => void;
  /** With the keyboard. */
  readonly onFocus: (focused: boolean) => void;
  readonly onSelect: (inner: number) => void;
  readonly onOpen: (inner: number) => void;
}

export type StripPartProps = StripInput & PartHandlers & { readonly label: string };

export function StripPart(props: StripPartProps) {
  const { label, map, order } = props;
  const frame = useRef<HTMLDivElement>(null);
  const strip = useStrip(props, frame);
  useWheel(frame, strip, map.size);
  return (
    <section className={styles.strip} aria-label="Bytes of the shard">
      <div className={styles.partHead}>
        <h3 className={styles.partTitle}>Bytes, in file order</h3>
        <span className={styles.seen} title={exactSpan(strip.seen)}>
          {seenWords(strip, map.size)}
        </span>
        <ZoomButtons
          label="Zoom of the bytes"
          all="Show all bytes"
          className={styles.zoom}
          zoomed={strip.zoomed}
          magnifiable={strip.magnifiable && order.ordinals.length > 0}
          onZoom={strip.zoom}
          onFit={() => {
            strip.setSeen({ from: 0, to: Math.max(1, map.size) });
          }}
        />
      </div>
      <div
        ref={frame}
        role="application"
        aria-label={label}
        tabIndex={0}
        className={styles.stripFrame}
        style={{ height: strip.size.height }}
        data-zoomed={strip.zoomed}
        {...keyHandlers(props, strip)}
        {...usePointer(props, strip)}
      >
        <Layers size={strip.size} draw={strip.draw} drawMarks={strip.drawMarks} />
      </div>
    </section>
  );
}

const exactSpan = ({ from, to }: ByteSpan) => `${formatCount(Math.floor(from))} to ${formatCount(Math.ceil(to))}`;

function seenWords({ seen, zoomed, bytesPerPixel, size }: Strip, all: number): string {
  const perPixel = bytesPerPixel * size.ratio;
  const scale = perPixel >= 1.5 ? ` · 1 pixel = ${formatBytes(Math.round(perPixel))}` : "";
  if (!zoomed) return `all ${formatExactBytes(all)}${scale}`;
  return `${formatBytes(Math.round(seen.to - seen.from))} from ${formatCount(Math.floor(seen.from))}${scale}`;
}

const ZOOM_STEP = 1.5;

function keyHandlers(props: StripPartProps, strip: Strip) {
  const { map, order, cursor, onCursor, onFocus, onOpen, onHover } = props;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const length = strip.seen.to - strip.seen.from;
    const press = { key: event.key, row: length / strip.layout.rows, page: length };
    const moved = movedInFile(map, order, cursor, press);
    if (moved !== undefined) onCursor(moved);
    else if (event.key === "Enter" || event.key === " ") onOpen(cursor);
    else if (event.key === "+" || event.key === "=") strip.zoom(ZOOM_STEP);
    else if (event.key === "-") strip.zoom(1 / ZOOM_STEP);
    else if (event.key === "0") strip.setSeen({ from: 0, to: Math.max(1, map.size) });
    else return;
    event.preventDefault();
    onHover(undefined);
    onFocus(true);
  };
  return {
    onKeyDown,
    onFocus: (event: FocusEvent) => {
      onFocus(event.currentTarget.matches(":focus-visible"));
    },
    onBlur: () => {
      onFocus(false);
    },
  };
}

/** Moving shows, a click selects, dragging moves the bytes seen. */
function usePointer({ map, onHover, onSelect, onCursor }: StripPartProps, strip: Strip) {
  const drag = useRef<{ readonly x: number; readonly y: number; readonly seen: ByteSpan; moved: boolean }>(undefined);
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      drag.current = { x: event.clientX, y: event.clientY, seen: strip.seen, moved: false };
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const from = drag.current;
      if (from === undefined) {
        onHover(strip.at(pointIn(event.currentTarget, event)));
        return;
      }
      const [across, down] = [event.clientX - from.x, event.clientY - from.y];
      from.moved ||= Math.hypot(across, down) > CLICK_TOLERANCE;
      if (!from.moved) return;
      const { rows, width, rowHeight, gap } = strip.layout;
      const perRow = (from.seen.to - from.seen.from) / rows;
      const moved = across / width + (rows > 1 ? down / (rowHeight + gap) : 0);
      strip.setSeen(panSpan(from.seen, -moved * perRow, map.size));
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      const clicked = drag.current?.moved === false;
      drag.current = undefined;
      const at = clicked ? strip.at(pointIn(event.currentTarget, event)) : undefined;
      if (at?.kind !== "chunk") return;
      onCursor(at.inner);
      onSelect(at.inner);
    },
    onPointerCancel: () => {
      drag.current = undefined;
    },
    onPointerLeave: () => {
      onHover(undefined);
    },
  };
}

/** With Ctrl the wheel zooms, sideways it moves, else the page scrolls. React's wheel listeners cannot prevent that. */
function useWheel(frame: RefObject<HTMLElement | null>, strip: Strip, size: number): void {
  useEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    const onWheel = (event: WheelEvent) => {
      const across = event.shiftKey ? event.deltaY : event.deltaX;
      if (event.ctrlKey || event.metaKey) {
        strip.zoom(Math.exp(-event.deltaY / 300), strip.shareAt(pointIn(element, event)));
      } else if (across !== 0 && strip.zoomed) {
        strip.setSeen(panSpan(strip.seen, across * strip.bytesPerPixel * strip.size.ratio, size));
      } else return;
      event.preventDefault();
    };
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => {
      element.removeEventListener("wheel", onWheel);
    };
  }, [frame, strip, size]);
}
