/** The grid of inner chunks, with what pointer, wheel and keys do. */
import { useEffect, useRef, type FocusEvent, type KeyboardEvent, type PointerEvent, type RefObject } from "react";
import { coordinatesOf, ordinalOf } from "../../core/chunk-grid.ts";
import { clampCamera, type Camera } from "../../widgets/cell-camera.ts";
import { movedPlace } from "../../widgets/grid-plane.ts";
import { formatShape } from "../../widgets/number-format.ts";
import { GUTTER } from "./draw-inner.ts";
import { InnerDimensions } from "./InnerDimensions.tsx";
import type { ShardArray } from "./shard-props.ts";
import type { PartHandlers } from "./StripPart.tsx";
import { useInner, type Inner, type InnerInput } from "./use-inner.ts";
import { CLICK_TOLERANCE, pointIn } from "../../widgets/pointer-place.ts";
import { ZoomButtons } from "../../widgets/ZoomButtons.tsx";
import { Layers } from "./Layers.tsx";
import styles from "./ShardPanel.module.css";

export type InnerPartProps = InnerInput & PartHandlers & { readonly label: string; readonly array: ShardArray };

export function InnerPart(props: InnerPartProps) {
  const { label, map, array, cursor, onCursor } = props;
  const frame = useRef<HTMLDivElement>(null);
  const inner = useInner(props, frame);
  useWheel(frame, inner);
  const { cellsDown, cellsAlong } = inner.raster;
  return (
    <div role="group" className={styles.inner} aria-label="Inner chunks">
      <div className={styles.partHead}>
        <h3 className={styles.partTitle}>Inner chunks</h3>
        <span className={styles.seen}>
          {formatShape(map.innerGrid)}
          {cellsDown * cellsAlong > 1 ? ` · 1 pixel = ${cellsDown} × ${cellsAlong}, the worst is shown` : ""}
        </span>
        <ZoomButtons
          label="Zoom of the inner chunks"
          all="Show all inner chunks"
          className={styles.zoom}
          zoomed={inner.zoomed}
          magnifiable={inner.magnifiable}
          onZoom={inner.zoom}
          onFit={() => {
            inner.setCamera({ zoom: 1, x: 0, y: 0 });
          }}
        />
      </div>
      <InnerDimensions
        array={array}
        grid={map.innerGrid}
        plane={inner.plane}
        onPlane={inner.setPlane}
        coordinates={coordinatesOf(map.innerGrid, cursor)}
        onMove={(coordinates) => {
          const to = ordinalOf(map.innerGrid, coordinates);
          if (to !== undefined) onCursor(to);
        }}
      />
      <div
        ref={frame}
        role="application"
        aria-label={label}
        tabIndex={0}
        className={styles.innerFrame}
        {...keyHandlers(props, inner)}
        {...usePointer(props, inner)}
      >
        <Layers size={inner.size} draw={inner.draw} drawMarks={inner.drawMarks} />
      </div>
    </div>
  );
}

const ZOOM_STEP = 1.5;

function keyHandlers({ onCursor, onHover, onFocus, onOpen, cursor }: InnerPartProps, inner: Inner) {
  const { place = { row: 0, column: 0 }, extent, area, cell, camera } = inner;
  const centre = { x: (place.column + 0.5 - camera.x) * cell.width, y: (place.row + 0.5 - camera.y) * cell.height };
  const onKeyDown = (event: KeyboardEvent) => {
    const press = { key: event.key, ctrl: event.ctrlKey || event.metaKey };
    if (event.altKey) return;
    const moved = movedPlace(place, press, extent, area.height / cell.height);
    if (moved !== undefined) onCursor(inner.innerAt(moved) ?? cursor);
    else if (press.ctrl) return;
    else if (press.key === "Enter" || press.key === " ") onOpen(cursor);
    else if (press.key === "+" || press.key === "=") inner.zoom(ZOOM_STEP, centre);
    else if (press.key === "-") inner.zoom(1 / ZOOM_STEP, centre);
    else if (press.key === "0") inner.setCamera({ zoom: 1, x: 0, y: 0 });
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

/** Moving shows, a click selects, dragging moves what is seen. */
function usePointer({ onHover, onSelect, onCursor }: InnerPartProps, inner: Inner) {
  const { extent, area, cell, setCamera } = inner;
  const drag = useRef<{ readonly x: number; readonly y: number; readonly camera: Camera; moved: boolean }>(undefined);
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      drag.current = { x: event.clientX, y: event.clientY, camera: inner.camera, moved: false };
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const from = drag.current;
      if (from === undefined) {
        const at = inner.at(pointIn(event.currentTarget, event));
        onHover(at === undefined ? undefined : { kind: "chunk", inner: at });
        return;
      }
      const [across, down] = [event.clientX - from.x, event.clientY - from.y];
      from.moved ||= Math.hypot(across, down) > CLICK_TOLERANCE;
      if (!from.moved) return;
      const moved = { ...from.camera, x: from.camera.x - across / cell.width, y: from.camera.y - down / cell.height };
      setCamera(clampCamera(moved, extent, area));
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      const clicked = drag.current?.moved === false;
      drag.current = undefined;
      const at = clicked ? inner.at(pointIn(event.currentTarget, event)) : undefined;
      if (at === undefined) return;
      onCursor(at);
      onSelect(at);
    },
    onPointerCancel: () => {
      drag.current = undefined;
    },
    onPointerLeave: () => {
      onHover(undefined);
    },
  };
}

/** With Ctrl the wheel zooms; without it what is zoomed moves, else the page scrolls. */
function useWheel(frame: RefObject<HTMLElement | null>, inner: Inner): void {
  useEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    const onWheel = (event: WheelEvent) => {
      const { camera, cell, extent, area } = inner;
      if (event.ctrlKey || event.metaKey) {
        const at = pointIn(element, event);
        inner.zoom(Math.exp(-event.deltaY / 300), { x: at.x - GUTTER.left, y: at.y - GUTTER.top });
      } else if (inner.zoomed) {
        const across = event.shiftKey ? event.deltaY : event.deltaX;
        const down = event.shiftKey ? 0 : event.deltaY;
        const moved = { ...camera, x: camera.x + across / cell.width, y: camera.y + down / cell.height };
        inner.setCamera(clampCamera(moved, extent, area));
      } else return;
      event.preventDefault();
    };
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => {
      element.removeEventListener("wheel", onWheel);
    };
  }, [frame, inner]);
}
