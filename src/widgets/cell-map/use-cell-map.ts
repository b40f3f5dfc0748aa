/** The state of a map: which part of its cells is seen. */
import { useMemo, useRef, useState } from "react";
import { marginsOf, type Axes } from "./axes.ts";
import {
  CHUNK_SCALE,
  FIT,
  largestZoom,
  lookAt,
  reveal,
  zoomAt,
  type CellPlace,
  type CellScale,
  type CellView,
  type GridExtent,
  type Point,
} from "./camera.ts";
import { useCanvasSize } from "./canvas-size.ts";

export interface CellMapInput {
  readonly extent: GridExtent;
  /** Without ticks there is no room for them. */
  readonly axes: Axes | undefined;
  readonly scale?: CellScale;
  /** Shown whenever it is another object. */
  readonly cursor: CellPlace | undefined;
  /** The whole grid is shown whenever this is another one. */
  readonly subject: unknown;
}

export function useCellMap({ extent, axes, scale = CHUNK_SCALE, cursor, subject }: CellMapInput) {
  const frame = useRef<HTMLDivElement>(null);
  const size = useCanvasSize(frame);
  const [camera, setCamera] = useState(FIT);
  const [followed, setFollowed] = useState({ subject, cursor });
  const { rows, columns } = extent;
  const margins = axes === undefined ? undefined : marginsOf(axes);
  const view = useMemo(() => {
    const width = Math.max(0, size.width - (margins === undefined ? 0 : margins.left + margins.right));
    const height = Math.max(0, size.height - (margins === undefined ? 0 : margins.top + margins.bottom));
    const whole: CellView = { extent: { rows, columns }, area: { width, height }, scale, camera };
    return width > 0 ? lookAt(whole, camera) : whole;
  }, [rows, columns, size, margins, scale, camera]);
  const look = (next: CellView) => setCamera(next.camera);
  if (followed.subject !== subject || followed.cursor !== cursor) {
    setFollowed({ subject, cursor });
    if (followed.subject !== subject) setCamera(FIT);
    else if (cursor !== undefined && view.area.width > 0) look(reveal(view, cursor));
  }
  const middle = { x: view.area.width / 2, y: view.area.height / 2 };
  return {
    frame,
    size,
    view,
    axes,
    look,
    zoom: (factor: number, at: Point = middle) => look(zoomAt(view, factor, at)),
    fit: () => setCamera(FIT),
    zoomed: view.camera.zoom > 1,
    magnifiable: view.camera.zoom < largestZoom(view) - 1e-9,
  };
}

export type CellMapState = ReturnType<typeof useCellMap>;
