/** The state of a map: which part of its cells is seen. */
import { useMemo, useRef, useState } from "react";
import { type Axes, marginsOf } from "./axes.ts";
import { CHUNK_SCALE, FIT, isZoomed, largestZoom, lookAt, reveal, windowCamera, zoomAt } from "./camera.ts";
import type { Camera, CellPlace, CellScale, CellView, CellWindow, GridExtent, Point, SideSpacing } from "./camera.ts";
import { useCanvasSize } from "../measuring.ts";

export interface CellMapInput {
  readonly extent: GridExtent;
  /** Without ticks there is no room for them. */
  readonly axes: Axes | undefined;
  readonly scale?: CellScale;
  /** Memoise it. */
  readonly spacing?: SideSpacing | undefined;
  /** Shown whenever it is another object. */
  readonly cursor: CellPlace | undefined;
  /** The whole grid, or `first`, is shown whenever this is another one. */
  readonly subject: unknown;
  /** Window to show at first, and whenever it is another object. */
  readonly first?: CellWindow | undefined;
}

export function useCellMap({ extent, axes, scale = CHUNK_SCALE, spacing, cursor, subject, first }: CellMapInput) {
  const frame = useRef<HTMLDivElement>(null);
  const size = useCanvasSize(frame);
  // A window becomes a camera when the size is known.
  const [shown, setShown] = useState<Camera | CellWindow>(first ?? FIT);
  const [followed, setFollowed] = useState({ subject, cursor, first });
  const { rows, columns } = extent;
  const margins = axes === undefined ? undefined : marginsOf(axes);
  const beside = margins === undefined ? 0 : margins.left + margins.right;
  const above = margins === undefined ? 0 : margins.top + margins.bottom;
  const view = useMemo(() => {
    const width = Math.max(0, size.width - beside);
    const height = Math.max(0, size.height - above);
    const whole: CellView = {
      extent: { rows, columns },
      area: { width, height },
      scale,
      camera: FIT,
      ...(spacing && { spacing }),
    };
    if (width <= 0) return whole;
    return lookAt(whole, "zoom" in shown ? shown : windowCamera(whole, shown));
  }, [rows, columns, size, beside, above, scale, spacing, shown]);
  const look = (next: CellView) => setShown(next.camera);
  if (followed.subject !== subject || followed.cursor !== cursor || followed.first !== first) {
    setFollowed({ subject, cursor, first });
    if (followed.subject !== subject || followed.first !== first) setShown(first ?? FIT);
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
    fit: () => setShown(FIT),
    zoomed: isZoomed(view),
    magnifiable: view.camera.zoom < largestZoom(view) - 1e-9,
  };
}

export type CellMapState = ReturnType<typeof useCellMap>;
