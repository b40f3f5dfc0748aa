/** The grid of inner chunks: which two dimensions are shown, and what the cells are. */
import { useMemo, useState } from "react";
import { coordinatesOf } from "../../../core/chunk-grid.ts";
import type { ShardMap } from "../../../core/shard-map.ts";
import { numbered } from "../../../widgets/cell-map/axes.ts";
import { cellSize, pixelRoom, windowSeen } from "../../../widgets/cell-map/camera.ts";
import { hasRoomForSigns, type Mark } from "../../../widgets/cell-map/draw-map.ts";
import { extentOf, firstPlane, placeOf, sidesOf, type Plane } from "../../../widgets/cell-map/plane.ts";
import { useCellMap } from "../../../widgets/cell-map/use-cell-map.ts";
import { markedChunks, type Marks } from "./hover.ts";
import { innerPicture } from "./inner-picture.ts";
import { rasterInner } from "./inner-raster.ts";
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
  const [sides, setSides] = useState(() => firstPlane(innerGrid));
  const { row, column } = sides.at.length === innerGrid.length ? sides : firstPlane(innerGrid);
  const slice = coordinatesOf(innerGrid, looked).map((at, dimension) =>
    dimension === row || dimension === column ? 0 : at,
  );
  const key = slice.join(".");
  // The same object while the slice is the same, whatever chunk of it is looked at.
  const plane = useMemo<Plane>(
    () => ({ row, column, at: key === "" ? [] : key.split(".").map(Number) }),
    [row, column, key],
  );
  return [plane, setSides] as const;
}

export function useInner({ map, shard, steps, cursor, marks, inside }: InnerInput) {
  const { innerGrid } = map;
  const [plane, setPlane] = usePlane(map, marks.hovered ?? cursor);
  const { row, column } = plane;
  const subject = useMemo(() => ({ map, row, column }), [map, row, column]);
  const place = useMemo(
    () => sidesOf({ row, column }, coordinatesOf(innerGrid, cursor)),
    [innerGrid, cursor, row, column],
  );
  const extent = extentOf(innerGrid, plane);
  const axes = useMemo(() => {
    return numbered(sidesOf({ row, column }, shard.first), { columns: extent.columns });
  }, [shard.first, row, column, extent.columns]);
  const cells = useCellMap({ extent, axes, cursor: place, subject });
  const { view, size } = cells;
  const raster = useMemo(() => {
    const seen = windowSeen(view);
    return rasterInner(map, plane, seen, pixelRoom(view, seen, size.ratio));
  }, [map, plane, view, size.ratio]);
  const small = !hasRoomForSigns(cellSize(view));
  const picture = useMemo(
    () => innerPicture(map, raster, steps, extentOf(inside, plane), small),
    [map, raster, steps, inside, plane, small],
  );
  const { selected, cursor: focused, hovered } = marks;
  const frames = useMemo<readonly Mark[]>(
    () =>
      markedChunks({ selected, cursor: focused, hovered }).flatMap(({ inner, token }) => {
        const found = placeOf(plane, coordinatesOf(innerGrid, inner));
        return found === undefined ? [] : [{ place: found, token }];
      }),
    [innerGrid, plane, selected, focused, hovered],
  );
  return { plane, setPlane, place, cells, raster, picture, frames };
}
