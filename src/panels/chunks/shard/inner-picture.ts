/** The cells of a shard: what each inner chunk looks like. */
import { isDamaged, type EntryState, type ShardMap } from "../../../core/shard-map.ts";
import type { CellPlace, GridExtent } from "../../../widgets/cell-map/camera.ts";
import type { CellPicture } from "../../../widgets/cell-map/draw-map.ts";
import { CROSS, HOLLOW, TWO_BARS, type Sign } from "../../../widgets/cell-map/signs.ts";
import type { Palette } from "../../../widgets/cell-map/palette.ts";
import { cellPixels } from "./chunk-colours.ts";
import { stateOf } from "./file-order.ts";
import type { InnerRaster } from "./inner-raster.ts";

/** `small`: signs have no room, so that damaged chunks are marked beyond their cells. */
export function innerPicture(
  map: ShardMap,
  raster: InnerRaster,
  steps: Uint8Array,
  inside: GridExtent,
  small: boolean,
): CellPicture {
  const stateAt = (pixel: number) => stateOf(map, raster.owners[pixel] ?? 0);
  return {
    tiles: [{ ...raster, pixels: (palette: Palette) => cellPixels(raster.owners, map, steps, palette) }],
    gaps: true,
    signs: [{ raster, signAt: (pixel) => signOf(stateAt(pixel)) }],
    failed: small ? damagedPlaces(raster, stateAt) : [],
    inside,
  };
}

function signOf(state: EntryState): Sign | undefined {
  if (state === "empty") return HOLLOW;
  if (state === "shared") return TWO_BARS;
  return isDamaged(state) ? CROSS : undefined;
}

/** Where more are damaged, their colour is seen without marks. */
const MAX_MARKED = 400;

function damagedPlaces(raster: InnerRaster, stateAt: (pixel: number) => EntryState): readonly CellPlace[] {
  const { rows, columns } = raster.window;
  const places: CellPlace[] = [];
  for (let pixel = 0; pixel < raster.owners.length && places.length <= MAX_MARKED; pixel += 1) {
    if (!isDamaged(stateAt(pixel))) continue;
    const row = rows.from + Math.floor(pixel / raster.width) * raster.cellsDown;
    places.push({ row, column: columns.from + (pixel % raster.width) * raster.cellsAlong });
  }
  return places.length > MAX_MARKED ? [] : places;
}
