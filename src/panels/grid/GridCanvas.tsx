/** The canvas: draws what it is given, and says what pointer, wheel and keys mean. */
import {
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  type FocusEvent,
  type KeyboardEvent,
  type PointerEvent,
} from "react";
import type { RasterColour } from "../../core/open-set.ts";
import { readColours, useThemeName } from "../../widgets/canvas-colours.ts";
import { cellAt, cellSize, clampCamera, type Camera, type CellPlace } from "../../widgets/cell-camera.ts";
import { TOKENS, pixelColours, type Palette } from "./cell-colours.ts";
import { GUTTER, drawGrid, type Layer, type Picture } from "./draw-grid.ts";
import { movedPlace } from "../../widgets/grid-plane.ts";
import { CLICK_TOLERANCE, pointIn } from "../../widgets/pointer-place.ts";
import styles from "./GridPanel.module.css";

export interface GridCanvasProps {
  readonly label: string;
  readonly picture: Omit<Picture, "palette" | "image" | "states" | "colour">;
  readonly colour: RasterColour;
  readonly layer: Layer | undefined;
  readonly states: Layer | undefined;
  readonly cursor: CellPlace;
  readonly onCursor: (place: CellPlace) => void;
  readonly onCamera: (camera: Camera) => void;
  readonly onZoom: (factor: number, at?: { readonly x: number; readonly y: number }) => void;
  readonly onFit: () => void;
  readonly onHover: (place: CellPlace | undefined) => void;
  readonly onFocus: (focused: boolean) => void;
  readonly onSelect: (place: CellPlace) => void;
}

export function GridCanvas(props: GridCanvasProps) {
  const { label, picture } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  useDrawing(canvas, props);
  useWheel(canvas, props);
  const handlers = { ...usePointer(props), ...keyHandlers(props) };
  const { width, height, ratio } = picture.size;
  return (
    <div role="application" aria-label={label} tabIndex={0} className={styles.application} {...handlers}>
      <canvas
        ref={canvas}
        aria-hidden="true"
        className={styles.canvas}
        width={Math.round(width * ratio)}
        height={Math.round(height * ratio)}
      />
    </div>
  );
}

function keyHandlers(props: GridCanvasProps) {
  return {
    onKeyDown: (event: KeyboardEvent) => {
      onKey(event, props);
    },
    onFocus: (event: FocusEvent) => {
      props.onFocus(event.currentTarget.matches(":focus-visible"));
    },
    onBlur: () => {
      props.onFocus(false);
    },
  };
}

function useDrawing(canvas: { readonly current: HTMLCanvasElement | null }, props: GridCanvasProps): void {
  const { picture, colour, layer, states } = props;
  const theme = useThemeName();
  const painted = useRef<{ readonly palette: Palette; readonly theme: string }>(undefined);
  const source = useMemo(() => document.createElement("canvas"), []);
  const filled = useRef<{ readonly layer: Layer; readonly palette: Palette }>(undefined);
  useLayoutEffect(() => {
    const element = canvas.current;
    const context = element?.getContext("2d", { alpha: false });
    if (element === null || context === null || context === undefined || picture.size.width === 0) return;
    if (painted.current?.theme !== theme) {
      painted.current = { theme, palette: readColours(element.parentElement ?? element, TOKENS) };
    }
    const { palette } = painted.current;
    if (layer !== undefined && (filled.current?.layer !== layer || filled.current.palette !== palette)) {
      fill(source, layer, colour, palette);
      filled.current = { layer, palette };
    }
    drawGrid(context, { ...picture, palette, colour, states, image: layer && { source, layer } });
  });
}

function fill(canvas: HTMLCanvasElement, { raster }: Layer, colour: RasterColour, palette: Palette): void {
  canvas.width = Math.max(1, raster.width);
  canvas.height = Math.max(1, raster.height);
  const context = canvas.getContext("2d");
  if (context === null || raster.width * raster.height === 0) return;
  const pixels = new Uint8ClampedArray(pixelColours(raster, colour, palette).buffer);
  context.putImageData(new ImageData(pixels, raster.width, raster.height), 0, 0);
}

const ZOOM_STEP = 1.5;

function onKey(event: KeyboardEvent, props: GridCanvasProps): void {
  const { picture, cursor, onCursor, onZoom, onFit, onSelect, onFocus } = props;
  if (event.altKey) return;
  const cell = cellSize(picture.extent, picture.area, picture.camera.zoom);
  const press = { key: event.key, ctrl: event.ctrlKey || event.metaKey };
  const moved = movedPlace(cursor, press, picture.extent, picture.area.height / cell.height);
  if (moved !== undefined) onCursor(moved);
  else if (press.ctrl) return;
  else if (press.key === "Enter" || press.key === " ") onSelect(cursor);
  else if (press.key === "+" || press.key === "=") onZoom(ZOOM_STEP, centreOf(props));
  else if (press.key === "-") onZoom(1 / ZOOM_STEP, centreOf(props));
  else if (press.key === "0") onFit();
  else return;
  event.preventDefault();
  onFocus(true);
}

/** Keys zoom at the cursor's cell. */
function centreOf({ picture: { camera, extent, area }, cursor }: GridCanvasProps) {
  const cell = cellSize(extent, area, camera.zoom);
  return { x: (cursor.column + 0.5 - camera.x) * cell.width, y: (cursor.row + 0.5 - camera.y) * cell.height };
}

interface Point {
  readonly clientX: number;
  readonly clientY: number;
  readonly currentTarget: EventTarget;
}

/** Where in the area of the cells the pointer is. */
function pointOf({ clientX, clientY, currentTarget }: Point) {
  const { x, y } = pointIn(currentTarget as Element, { clientX, clientY });
  return { x: x - GUTTER.left, y: y - GUTTER.top };
}

function usePointer({ picture: { camera, extent, area }, onHover, onCamera, onSelect }: GridCanvasProps) {
  const drag = useRef<{ x: number; y: number; camera: Camera; moved: boolean }>(undefined);
  const placeAt = (event: Point) => {
    const point = pointOf(event);
    const inside = point.x >= 0 && point.y >= 0 && point.x < area.width && point.y < area.height;
    return inside ? cellAt(camera, point, extent, area) : undefined;
  };
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      drag.current = { x: event.clientX, y: event.clientY, camera, moved: false };
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const from = drag.current;
      if (from === undefined) {
        onHover(placeAt(event));
        return;
      }
      const across = event.clientX - from.x;
      const down = event.clientY - from.y;
      from.moved ||= Math.hypot(across, down) > CLICK_TOLERANCE;
      if (!from.moved) return;
      const cell = cellSize(extent, area, from.camera.zoom);
      const moved = { ...from.camera, x: from.camera.x - across / cell.width, y: from.camera.y - down / cell.height };
      onCamera(clampCamera(moved, extent, area));
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      const place = drag.current?.moved === false ? placeAt(event) : undefined;
      drag.current = undefined;
      if (place !== undefined) onSelect(place);
    },
    onPointerCancel: () => {
      drag.current = undefined;
    },
    onPointerLeave: () => {
      onHover(undefined);
    },
  };
}

/** With Ctrl the wheel zooms, without it it pans. React's wheel listeners cannot keep the page from doing the same. */
function useWheel(canvas: { readonly current: HTMLCanvasElement | null }, props: GridCanvasProps): void {
  const { picture, onZoom, onCamera } = props;
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return undefined;
    const onWheel = (event: WheelEvent) => {
      const { camera, extent, area } = picture;
      event.preventDefault();
      if (event.ctrlKey || event.metaKey) {
        onZoom(
          Math.exp(-event.deltaY / 300),
          pointOf({ clientX: event.clientX, clientY: event.clientY, currentTarget: element }),
        );
        return;
      }
      const cell = cellSize(extent, area, camera.zoom);
      const across = event.shiftKey ? event.deltaY : event.deltaX;
      const down = event.shiftKey ? 0 : event.deltaY;
      const moved = { ...camera, x: camera.x + across / cell.width, y: camera.y + down / cell.height };
      onCamera(clampCamera(moved, extent, area));
    };
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => {
      element.removeEventListener("wheel", onWheel);
    };
  }, [canvas, picture, onZoom, onCamera]);
}
