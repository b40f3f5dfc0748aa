/** The strip's state: which bytes are seen, what its pixels show. */
import { useCallback, useMemo, useState, type RefObject } from "react";
import type { ShardMap } from "../../../core/shard-map.ts";
import type { Point } from "../../../widgets/cell-map/camera.ts";
import { panSpan, revealSpan, zoomSpan } from "../../../widgets/cell-map/byte-span.ts";
import { useCanvasSize } from "../../../widgets/cell-map/canvas-size.ts";
import type { Hold } from "../../../widgets/cell-map/gestures.ts";
import type { Draw } from "../../../widgets/cell-map/Layers.tsx";
import { drawStrip, drawStripMarks, type StripPicture } from "./draw-strip.ts";
import { spanOf, type ByteSpan, type FileOrder } from "./file-order.ts";
import { markedChunks, type Hover, type Marks } from "./hover.ts";
import { byteAt, stripHeight, stripLayout, stripPoint } from "./strip-layout.ts";
import { INDEX, rasterStrip } from "./strip-raster.ts";
import { leastSpan } from "./strip-span.ts";

/** All bytes at first; follows the cursor where it leaves what is seen. */
function useSeen(map: ShardMap, cursor: number) {
  const whole = { from: 0, to: Math.max(1, map.size) };
  const [seen, setSeen] = useState<ByteSpan>(whole);
  const [followed, setFollowed] = useState({ map, cursor });
  if (followed.map !== map || followed.cursor !== cursor) {
    setFollowed({ map, cursor });
    const bytes = spanOf(map, cursor);
    if (followed.map !== map) setSeen(whole);
    else if (bytes !== undefined) setSeen(revealSpan(seen, bytes, map.size));
  }
  return [seen, setSeen] as const;
}

export interface StripInput {
  readonly map: ShardMap;
  readonly order: FileOrder;
  readonly steps: Uint8Array;
  readonly cursor: number;
  readonly marks: Marks;
}

export function useStrip({ map, order, steps, cursor, marks }: StripInput, frame: RefObject<HTMLDivElement | null>) {
  const [seen, setSeen] = useSeen(map, cursor);
  const { width, ratio } = useCanvasSize(frame);
  const layout = useMemo(
    () => stripLayout(order.ordinals.length, map.size, width, map.index.offset < map.size / 2),
    [order.ordinals.length, map, width],
  );
  const height = stripHeight(layout);
  const perRow = Math.max(1, Math.round(layout.width * ratio));
  const pixels = width === 0 ? 0 : layout.rows * perRow;
  const raster = useMemo(() => rasterStrip(map, order, seen, pixels), [map, order, seen, pixels]);
  const size = useMemo(() => ({ width, height, ratio }), [width, height, ratio]);
  const drawing = useStripDrawing({ map, steps, marks }, { layout, seen, size, raster });
  /** What is at a point of the canvas. */
  const at = (point: Point): Hover | undefined => {
    const place = stripPoint(layout, point);
    if (place === undefined || pixels === 0) return undefined;
    const pixel = place.row * perRow + Math.min(perRow - 1, Math.floor(place.x * ratio));
    const owner = raster.owners[pixel] ?? INDEX;
    if (owner >= 0) return { kind: "chunk", inner: owner };
    if (owner === INDEX) return { kind: "bare", bytes: { from: map.index.offset, to: map.index.offset + 1 } };
    const length = (seen.to - seen.from) / pixels;
    const from = seen.from + pixel * length;
    return { kind: "bare", bytes: { from, to: from + length } };
  };
  const shareAt = (point: Point) => {
    const place = stripPoint(layout, point);
    return place === undefined ? 0.5 : (byteAt(layout, seen, place) - seen.from) / (seen.to - seen.from);
  };
  const zoomed = (factor: number, point: Point | undefined) => {
    const share = point === undefined ? shareOf(map, cursor, seen) : shareAt(point);
    return zoomSpan(seen, factor, share, map.size, leastSpan(layout, map.size));
  };
  /** Moves by a number of pixels: a row down is all of a row. */
  const pan = (from: ByteSpan, across: number, down: number) => {
    const rows = across / layout.width + (layout.rows > 1 ? down / (layout.rowHeight + layout.gap) : 0);
    setSeen(panSpan(from, (rows * (from.to - from.from)) / layout.rows, map.size));
  };
  const bytesPerPixel = pixels === 0 ? 0 : (seen.to - seen.from) / pixels;
  return {
    seen,
    layout,
    size,
    at,
    zoom: (factor: number, point?: Point) => setSeen(zoomed(factor, point)),
    fit: () => setSeen({ from: 0, to: Math.max(1, map.size) }),
    pan: (across: number, down: number) => pan(seen, across, down),
    hold: ({ across, down, factor, at: point }: Hold) => pan(zoomed(factor, point), -across, -down),
    bytesPerPixel,
    ...drawing,
    zoomed: seen.to - seen.from < map.size,
    magnifiable: seen.to - seen.from > leastSpan(layout, map.size),
  };
}

type Shown = Pick<StripPicture, "layout" | "seen" | "size" | "raster">;

function useStripDrawing({ map, steps, marks }: Pick<StripInput, "map" | "steps" | "marks">, shown: Shown) {
  const { layout, seen, size, raster } = shown;
  const draw = useCallback<Draw>(
    (painter) => {
      if (raster.pixels > 0) drawStrip(painter, { map, layout, seen, size, raster, steps });
    },
    [map, layout, seen, size, raster, steps],
  );
  const { selected, cursor: focused, hovered } = marks;
  const drawMarks = useCallback<Draw>(
    (painter) => {
      const shown = markedChunks({ selected, cursor: focused, hovered }).flatMap(({ inner, token }) => {
        const bytes = spanOf(map, inner);
        return bytes === undefined ? [] : [{ bytes, token }];
      });
      drawStripMarks(painter, { layout, seen, size }, shown);
    },
    [map, layout, seen, size, selected, focused, hovered],
  );
  return { draw, drawMarks };
}

export type Strip = ReturnType<typeof useStrip>;

/** Keys and buttons zoom at the cursor's chunk where it is in sight. */
function shareOf(map: ShardMap, cursor: number, seen: ByteSpan): number {
  const bytes = spanOf(map, cursor);
  if (bytes === undefined) return 0.5;
  const share = ((bytes.from + bytes.to) / 2 - seen.from) / (seen.to - seen.from);
  return share >= 0 && share <= 1 ? share : 0.5;
}
