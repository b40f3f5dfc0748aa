/** How one cell of the map differs between the snapshots that were compared. */
import type { RasterSpec } from "../../../core/open-set.ts";
import type { CellPlace } from "../../../widgets/cell-map/camera.ts";
import { isFine } from "../../../widgets/cell-map/tile.ts";
import { changeOfCode, type CellChange } from "./change-words.ts";
import { useRaster, type Layer } from "./use-raster.ts";

/** From the picture where the cell has a pixel of its own there, else asked for. `undefined` while not known. */
export function useCellChange(
  set: number,
  spec: RasterSpec | undefined,
  place: CellPlace | undefined,
  layer: Layer | undefined,
): CellChange | undefined {
  const shows = spec?.colour === "change" && place !== undefined;
  const seen = shows ? changeAt(layer, place) : undefined;
  const isCoarse = layer !== undefined && seen === undefined;
  const asked = useRaster(set, shows && isCoarse ? cellSpec(spec, place) : undefined);
  return seen ?? (shows && isCoarse ? changeAt(asked.layer, place) : undefined);
}

/** A picture of one cell. */
function cellSpec(spec: RasterSpec, { row, column }: CellPlace): RasterSpec {
  const rows = { from: row, to: row + 1 };
  return { ...spec, rows, columns: { from: column, to: column + 1 }, width: 1, height: 1 };
}

/** `undefined` where the cell lies outside the picture, or shares its pixel with others. */
export function changeAt(layer: Layer | undefined, { row, column }: CellPlace): CellChange | undefined {
  if (layer === undefined) return undefined;
  const { window, width, height, codes } = layer;
  const i = row - window.rows.from;
  const j = column - window.columns.from;
  if (!isFine(layer) || i < 0 || j < 0 || i >= height || j >= width) return undefined;
  return changeOfCode(codes[i * width + j] ?? 0);
}
