/** A plane of an array, thinned to a small picture, and read only where that is allowed for its cost. */
import { isNorthLast } from "../core/cf/axis.ts";
import { hasCheapAxis } from "../core/cf/cheap-axis.ts";
import { findingOfError, isAbort } from "../core/findings/finding.ts";
import type { NodeSummary } from "../core/open-set.ts";
import {
  failedTile,
  type Plane,
  planeChunks,
  type PlaneCost,
  planeExtent,
  type PlaneTile,
} from "../core/plane/plane.ts";
import { collectPlane, type PlaneValues } from "../core/plane/plane-values.ts";
import type { Client } from "../worker/client.ts";

interface SmallPlane {
  readonly set: number;
  readonly node: NodeSummary;
  readonly plane: Plane;
  /** Pixels of the picture. */
  readonly size: { readonly width: number; readonly height: number };
  /** References may be fetched for so many requests. */
  readonly fetch?: number;
  /** True if a picture at this cost may be read. */
  readonly takes: (cost: PlaneCost) => boolean;
}

/** Types of plain numbers in the spelling of Zarr v2 and v3. */
const NUMBERS = /^(?:[<>|][iuf]\d|u?int\d|float\d)/;

/** Tells if a plane of it may be drawn. */
export const hasPlanes = ({ shape = [], grid = [], dtype = "" }: NodeSummary): boolean =>
  shape.length > 1 && !grid.includes(0) && grid.length === shape.length && NUMBERS.test(dtype);

/** Reads it; `undefined` where that is not allowed. Throws an AbortError; chunks that fail are told in the look. */
export async function readSmallPlane(
  engine: Pick<Client, "call">,
  { set, node, plane, size, fetch, takes }: SmallPlane,
  signal: AbortSignal,
): Promise<{ readonly cost: PlaneCost; readonly look: PlaneValues } | undefined> {
  const { path, shape = [], chunks = [], grid = [] } = node;
  const priced = { set, array: path, plane, ...(fetch === undefined ? {} : { fetch }) };
  const cost = await engine.call("plane.cost", priced, { signal });
  if (!takes(cost)) return undefined;
  const extent = planeExtent(plane, shape);
  const steps = {
    down: Math.max(1, Math.floor(extent.rows / size.height)),
    across: Math.max(1, Math.floor(extent.columns / size.width)),
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
  return { cost, look: collector.look() };
}

/** Rows that count up from the south are drawn from the last to the first. Asks only where the coordinate is cheap. */
export async function isPlaneTurned(
  engine: Pick<Client, "call">,
  of: { readonly set: number; readonly array: string; readonly dimension: number },
  nodes: readonly NodeSummary[],
  signal: AbortSignal,
): Promise<boolean> {
  return hasCheapAxis(nodes, of.array, of.dimension) && isNorthLast(await engine.call("plane.axis", of, { signal }));
}
