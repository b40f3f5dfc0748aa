/** Which inner chunk each pixel of the grid shows: the worst where several share one. Pure. */
import { ENTRY_STATES, isDamaged, type ShardMap } from "../../../core/shard-map.ts";
import type { Area, CellWindow } from "../../../widgets/cell-map/camera.ts";
import type { Plane } from "../../../widgets/cell-map/plane.ts";
import type { CellRaster } from "../../../widgets/cell-map/tile.ts";

export interface InnerRaster extends CellRaster {
  /** Ordinals, row by row. */
  readonly owners: Int32Array<ArrayBuffer>;
}

/** Damaged before present before empty. */
const RANK = ENTRY_STATES.map((state) => (isDamaged(state) ? 2 : state === "empty" ? 0 : 1));

/** At most `limit` pixels of cells each way, for a window of a plane of the inner grid. */
export function rasterInner(map: ShardMap, plane: Plane, window: CellWindow, limit: Area): InnerRaster {
  const { rows, columns } = window;
  const cellsDown = Math.max(1, Math.ceil((rows.to - rows.from) / Math.max(1, limit.height)));
  const cellsAlong = Math.max(1, Math.ceil((columns.to - columns.from) / Math.max(1, limit.width)));
  const height = Math.ceil((rows.to - rows.from) / cellsDown);
  const width = Math.ceil((columns.to - columns.from) / cellsAlong);
  const strides = stridesOf(map.innerGrid);
  const down = plane.row === undefined ? 0 : (strides[plane.row] ?? 0);
  const along = plane.column === undefined ? 0 : (strides[plane.column] ?? 0);
  const base = plane.at.reduce(
    (sum, at, dimension) =>
      dimension === plane.row || dimension === plane.column ? sum : sum + at * (strides[dimension] ?? 0),
    0,
  );
  const owners = new Int32Array(width * height).fill(-1);
  for (let row = rows.from; row < rows.to; row += 1) {
    const line = Math.floor((row - rows.from) / cellsDown) * width;
    for (let column = columns.from; column < columns.to; column += 1) {
      const at = line + Math.floor((column - columns.from) / cellsAlong);
      const inner = base + row * down + column * along;
      const now = owners[at] ?? -1;
      if (now < 0 || rankOf(map, inner) > rankOf(map, now)) owners[at] = inner;
    }
  }
  return { width, height, cellsDown, cellsAlong, window, owners };
}

const rankOf = (map: ShardMap, inner: number) => RANK[map.codes[inner] ?? 0] ?? 0;

/** How far apart neighbours along each dimension are, in C order. */
function stridesOf(grid: readonly number[]): readonly number[] {
  return grid.map((_, dimension) => grid.slice(dimension + 1).reduce((product, count) => product * count, 1));
}
