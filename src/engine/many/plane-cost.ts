/** Cost of reading a plane of an array, known before any request. */
import type { CallContext } from "#core/byte-source.ts";
import { gridOf, ordinalOf } from "#core/metadata/chunk-grid.ts";
import type { ArrayNode } from "#core/metadata/array-metadata.ts";
import { planeChunks, type Plane, type PlaneCost } from "#core/plane/plane.ts";
import { chunkReference, type ChunkReference } from "../chunk/chunk-reference.ts";
import type { EngineSet } from "../engine-set.ts";
import { startPace } from "../pace.ts";
import { pageWeight } from "../table/load-pages.ts";
import { plannedBlocks } from "./blocks.ts";

/** Chunks that are gone through one by one. */
const MAX_CHUNKS = 50_000;

interface OfArray {
  readonly set: EngineSet;
  readonly node: ArrayNode;
  readonly plane: Plane;
  /** References that are not here are fetched first, for so many requests at most; a page of many counts for several. The
   * cost of a plane that needs more is told without fetching any. */
  readonly fetch?: number;
}

export async function planeCost(
  of: OfArray,
  isKept: (ordinal: number) => boolean,
  context: CallContext,
): Promise<PlaneCost> {
  const { fetch = 0 } = of;
  const fits = fetch === 0 || unknownWeight(of, fetch) <= fetch;
  const { known, ...counts } = await planeReferences({ ...of, fetch: fits ? fetch : 0 }, isKept, context);
  return { ...counts, ...requestsFor(known) };
}

/** The chunks of a plane one after the other. `ordinal`: -1 beside the grid. */
export function planeCells({ node, plane }: Pick<OfArray, "node" | "plane">) {
  const { shape, chunks } = node.metadata;
  const grid = gridOf(shape, chunks);
  const of = planeChunks(plane, grid, chunks);
  const coordinates = (at: number) => of.at(Math.floor(at / of.columns), at % of.columns);
  return { count: of.rows * of.columns, coordinates, ordinal: (at: number) => ordinalOf(grid, coordinates(at)) ?? -1 };
}

/** Weight of all references of the plane that would have to be fetched; stops at `most`. */
function unknownWeight({ set, node, plane }: OfArray, most: number): number {
  const { count, ordinal } = planeCells({ node, plane });
  const paged = set.index.pagesOf(node.path);
  if (paged === undefined) return 0;
  const pages = new Set<number>();
  let weight = 0;
  for (let at = 0; at < Math.min(count, MAX_CHUNKS) && weight <= most; at += 1) {
    const page = paged.pages.pageOf(ordinal(at));
    if (pages.has(page) || paged.stateOfChunk(ordinal(at)) === "loaded") continue;
    pages.add(page);
    weight += pageWeight(paged, page);
  }
  return weight;
}

/** Those of the plane's chunks that are here, of chunks that are not kept; `unknown` others are not. */
export async function planeReferences(
  { set, node, plane, fetch = 0 }: OfArray,
  isKept: (ordinal: number) => boolean,
  context: CallContext,
) {
  const { count, coordinates, ordinal: ordinalAt } = planeCells({ node, plane });
  const known: ChunkReference[] = [];
  const paged = set.index.pagesOf(node.path);
  const pace = startPace(context, "Looking up references", count);
  let [kept, unknown, fetched] = [0, Math.max(0, count - MAX_CHUNKS), 0];
  for (let at = 0; at < Math.min(count, MAX_CHUNKS); at += 1) {
    const ordinal = ordinalAt(at);
    if (isKept(ordinal)) kept += 1;
    else {
      const isHere = (paged?.stateOfChunk(ordinal) ?? "loaded") === "loaded";
      const weight = isHere || paged === undefined ? 0 : pageWeight(paged, paged.pages.pageOf(ordinal));
      if (fetched + weight > fetch && !isHere) unknown += 1;
      else known.push(await chunkReference(set, node, coordinates(at), context));
      if (fetched + weight <= fetch) fetched += weight;
    }
    if (at % 1000 === 0) await pace.yieldIfDue(at);
  }
  return { chunks: count, kept, unknown, fetched, known };
}

function requestsFor(known: readonly ChunkReference[]) {
  const remote = known.filter(({ reference }) => REMOTE.has(reference.kind));
  const targets = new Set(remote.map(({ reference, key }) => ("target" in reference ? reference.target : key)));
  return {
    missing: known.filter(({ reference }) => reference.kind === "missing").length,
    requests: plannedBlocks(remote).length,
    bytes: remote.reduce((sum, { reference }) => sum + (lengthOf(reference) ?? 0), 0),
    ofUnknownLength: remote.filter(({ reference }) => lengthOf(reference) === undefined).length,
    targets: targets.size,
  };
}

const REMOTE: ReadonlySet<string> = new Set(["range", "whole", "native"]);

function lengthOf(reference: ChunkReference["reference"]): number | undefined {
  if (reference.kind === "range") return reference.length;
  return reference.kind === "native" ? reference.range?.length : undefined;
}
