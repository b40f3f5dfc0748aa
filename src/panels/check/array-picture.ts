/** Reads a plane of an array, thinned, for the picture that causes lie on. */
import { findingOfError, isAbort } from "#core/findings/finding.ts";
import { isNorthLast } from "#core/cf/axis.ts";
import { hasCheapAxis } from "#core/cf/cheap-axis.ts";
import type { NodeSummary } from "#core/open-set.ts";
import { isWithin, type ReadingBudget, unasked } from "#core/plane/plane-budget.ts";
import { failedTile, planeChunks, planeExtent, type Plane, type PlaneTile } from "#core/plane/plane.ts";
import { collectPlane } from "#core/plane/plane-values.ts";
import type { App } from "#store/app-store.ts";
import { paintHinted } from "#widgets/cell-map/paint-values.ts";
import { THUMBNAIL, thumbnailValues } from "#widgets/values/thumbnails.ts";

type Caller = Pick<App["engine"], "call">;

export interface ReadPicture {
  /** Four bytes each, of the size of a thumbnail; `undefined` where the plane has no values. */
  readonly pixels: Uint8ClampedArray<ArrayBuffer> | undefined;
  /** Stored bytes that it took. */
  readonly bytes: number;
}

/** Types of plain numbers in the spelling of Zarr v2 and v3. */
const NUMBERS = /^(?:[<>|][iuf]\d|u?int\d|float\d)/;

/** One picture may take so much unasked. */
const PICTURE_BUDGET: ReadingBudget = { requests: 16, bytes: 1024 ** 2 };

/** Reads nothing where it would cost more than `PICTURE_BUDGET`, or the array has no plane of numbers. */
export async function readPicture(
  engine: Caller,
  of: { readonly set: number; readonly node: NodeSummary; readonly nodes: readonly NodeSummary[] },
  signal: AbortSignal,
): Promise<ReadPicture | undefined> {
  const { set, node, nodes } = of;
  const { path, shape = [], chunks = [], grid = [], dtype = "" } = node;
  const rank = shape.length;
  if (rank < 2 || grid.includes(0) || grid.length !== rank || !NUMBERS.test(dtype)) return undefined;
  const plane: Plane = { row: rank - 2, column: rank - 1, at: shape.map(() => 0) };
  const cost = await engine.call("plane.cost", { set, array: path, plane }, { signal });
  if (!isWithin(cost, PICTURE_BUDGET) || !unasked.takes(set, cost)) return undefined;
  const extent = planeExtent(plane, shape);
  const steps = {
    down: Math.max(1, Math.floor(extent.rows / THUMBNAIL.height)),
    across: Math.max(1, Math.floor(extent.columns / THUMBNAIL.width)),
  };
  const own = planeChunks(plane, grid, chunks);
  const tiles = await Promise.all(
    Array.from({ length: own.rows * own.columns }, (_, at): Promise<PlaneTile> => {
      const coordinates = own.at(Math.floor(at / own.columns), at % own.columns);
      const asked = { set, array: path, plane, coordinates, steps, scaled: true };
      return engine.call("plane.tile", asked, { signal }).catch((error: unknown) => {
        if (isAbort(error)) throw error;
        return failedTile({ shape, chunks, plane, steps }, coordinates, findingOfError(error, `Reading ${path}`));
      });
    }),
  );
  const collector = collectPlane(extent, steps, tiles.length);
  for (const [at, tile] of tiles.entries()) collector.put(at, tile);
  const look = collector.look();
  // A picture without any read chunk has no known cost.
  if (!look.looks.includes("read")) return undefined;
  const isTurned = hasCheapAxis(nodes, path, rank - 2)
    ? isNorthLast(await engine.call("plane.axis", { set, array: path, dimension: rank - 2 }, { signal }))
    : false;
  const { bytes } = cost;
  const { minimum, maximum } = look;
  if (minimum === undefined || maximum === undefined) return { pixels: undefined, bytes };
  const shown = thumbnailValues(look, isTurned);
  return { pixels: paintHinted(shown, { minimum, maximum }, node.colours).pixels, bytes };
}
