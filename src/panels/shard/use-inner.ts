/** The state of the grid of inner chunks: which two dimensions, which part of them. */
import { useCallback, useMemo, useState, type RefObject } from "react";
import { coordinatesOf, ordinalOf } from "../../core/chunk-grid.ts";
import type { ShardMap } from "../../core/shard-map.ts";
import { useCanvasSize } from "../../widgets/canvas-size.ts";
import {
  FIT,
  cellSize,
  cellAt,
  clampCamera,
  largestZoom,
  reveal,
  windowSeen,
  zoomAt,
  type Area,
  type Camera,
  type CellPlace,
  type GridExtent,
} from "../../widgets/cell-camera.ts";
import { coordinatesAt, extentOf, firstPlane, placeOf, type GridPlane } from "../../widgets/grid-plane.ts";
import { cellPixels } from "./chunk-colours.ts";
import { GUTTER, drawInner, drawInnerMarks } from "./draw-inner.ts";
import { markedChunks, type Marks } from "./hover.ts";
import type { Draw } from "./Layers.tsx";
import { rasterInner, type InnerRaster } from "./inner-raster.ts";
import type { ShardPlace } from "./shard-props.ts";

export interface InnerInput {
  readonly map: ShardMap;
  readonly shard: ShardPlace;
  readonly steps: Uint8Array;
  readonly cursor: number;
  readonly marks: Marks;
  /** Inner chunks along each dimension that lie in the array. */
  readonly inside: readonly number[];
}

/** The slice in sight is always that of the chunk under the pointer, or of the cursor. */
function usePlane({ innerGrid }: ShardMap, looked: number) {
  const [sides, setSides] = useState(() => firstPlane(innerGrid, undefined));
  const rank = innerGrid.length;
  const fits = sides.fixed.length === rank;
  const { row, column } = fits ? sides : firstPlane(innerGrid, undefined);
  const slice = coordinatesOf(innerGrid, looked).map((at, dimension) =>
    dimension === row || dimension === column ? 0 : at,
  );
  const key = slice.join(".");
  // The same object while the slice is the same, whatever chunk of it is looked at.
  const plane = useMemo<GridPlane>(
    () => ({ row, column, fixed: key === "" ? [] : key.split(".").map(Number) }),
    [row, column, key],
  );
  return [plane, setSides] as const;
}

/** Follows the cursor where it leaves what is seen. */
function useCamera(map: ShardMap, plane: GridPlane, cursor: number, extent: GridExtent, area: Area) {
  const [camera, setCamera] = useState<Camera>(FIT);
  const sides = `${plane.row} ${plane.column}`;
  const [followed, setFollowed] = useState({ map, cursor, sides });
  if (followed.map !== map || followed.cursor !== cursor || followed.sides !== sides) {
    setFollowed({ map, cursor, sides });
    const place = placeOf(plane, coordinatesOf(map.innerGrid, cursor));
    if (followed.map !== map || followed.sides !== sides) setCamera(FIT);
    else if (place !== undefined && area.width > 0) setCamera(reveal(camera, place, extent, area));
  }
  const { zoom, x, y } = area.width > 0 ? clampCamera(camera, extent, area) : camera;
  const clamped = useMemo(() => ({ zoom, x, y }), [zoom, x, y]);
  return [clamped, setCamera] as const;
}

export function useInner(input: InnerInput, frame: RefObject<HTMLDivElement | null>) {
  const { map, cursor, marks } = input;
  const size = useCanvasSize(frame);
  const area = useMemo(
    () => ({ width: Math.max(0, size.width - GUTTER.left - 6), height: Math.max(0, size.height - GUTTER.top - 6) }),
    [size],
  );
  const [plane, setPlane] = usePlane(map, marks.hovered ?? cursor);
  const extent = useMemo(() => extentOf(map.innerGrid, plane), [map.innerGrid, plane]);
  const [camera, setCamera] = useCamera(map, plane, cursor, extent, area);
  const view = { size, area, extent, camera, plane };
  const canvases = useInnerDrawing(input, view);
  const innerAt = (place: CellPlace) => ordinalOf(map.innerGrid, coordinatesAt(plane, place));
  return {
    plane,
    setPlane,
    camera,
    setCamera,
    extent,
    area,
    size,
    innerAt,
    ...canvases,
    cell: cellSize(extent, area, camera.zoom),
    place: placeOf(plane, coordinatesOf(map.innerGrid, cursor)),
    zoomed: camera.zoom > 1,
    magnifiable: camera.zoom < largestZoom(extent, area) - 1e-9,
    /** The chunk at a point of the canvas. */
    at: (point: { readonly x: number; readonly y: number }) => {
      const within = { x: point.x - GUTTER.left, y: point.y - GUTTER.top };
      const inside = within.x >= 0 && within.y >= 0 && within.x < area.width && within.y < area.height;
      const place = inside ? cellAt(camera, within, extent, area) : undefined;
      return place === undefined ? undefined : innerAt(place);
    },
    zoom: (factor: number, at = { x: area.width / 2, y: area.height / 2 }) => {
      setCamera(zoomAt(camera, factor, at, extent, area));
    },
  };
}

export type Inner = ReturnType<typeof useInner>;

interface View {
  readonly size: { readonly width: number; readonly height: number; readonly ratio: number };
  readonly area: Area;
  readonly extent: GridExtent;
  readonly camera: Camera;
  readonly plane: GridPlane;
}

function useInnerDrawing({ map, shard, steps, marks, inside }: InnerInput, view: View) {
  const { size, area, extent, camera, plane } = view;
  const raster = useRaster(map, view);
  const draw = useCallback<Draw>(
    (context, palette) => {
      const source = pixelCanvas(raster, cellPixels(raster.owners, map, steps, palette));
      const origin = originOf(plane, map, shard);
      const picture = { size, area, extent, camera, map, palette, raster, source, origin };
      drawInner(context, { ...picture, inside: extentOf(inside, plane) });
    },
    [size, area, extent, camera, map, raster, steps, plane, shard, inside],
  );
  const { selected, cursor, hovered } = marks;
  const drawMarks = useCallback<Draw>(
    (context, palette) => {
      const shown = markedChunks({ selected, cursor, hovered }).flatMap(({ inner, token }) => {
        const place = placeOf(plane, coordinatesOf(map.innerGrid, inner));
        return place === undefined ? [] : [{ place, token }];
      });
      drawInnerMarks(context, { size, area, extent, camera, palette }, shown);
    },
    [size, area, extent, camera, map, plane, selected, cursor, hovered],
  );
  return { draw, drawMarks, raster };
}

function useRaster(map: ShardMap, { size, area, extent, camera, plane }: View): InnerRaster {
  return useMemo(() => {
    const seen = area.width > 0 ? windowSeen(camera, extent, area) : NOTHING;
    const cell = cellSize(extent, area, camera.zoom);
    // No more pixels than the cells take on screen: made smaller afterwards, some would be lost.
    const pixels = (cells: number, side: number, room: number) =>
      Math.max(1, Math.floor(Math.min(cells * side, room) * size.ratio));
    return rasterInner(map, plane, seen, {
      width: pixels(seen.columns.to - seen.columns.from, cell.width, area.width),
      height: pixels(seen.rows.to - seen.rows.from, cell.height, area.height),
    });
  }, [map, size.ratio, area, extent, camera, plane]);
}

const NOTHING = { rows: { from: 0, to: 0 }, columns: { from: 0, to: 0 } };

function pixelCanvas({ width, height }: InnerRaster, pixels: Uint32Array<ArrayBuffer>): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, width);
  canvas.height = Math.max(1, height);
  if (width * height > 0) {
    canvas.getContext("2d")?.putImageData(new ImageData(new Uint8ClampedArray(pixels.buffer), width, height), 0, 0);
  }
  return canvas;
}

function originOf({ row, column }: GridPlane, { innerGrid }: ShardMap, { coordinates }: ShardPlace): CellPlace {
  const first = (dimension: number | undefined) =>
    dimension === undefined ? 0 : (coordinates[dimension] ?? 0) * (innerGrid[dimension] ?? 1);
  return { row: first(row), column: first(column) };
}
