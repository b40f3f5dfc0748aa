/**
 * Places of causes, for users without a page to click on: the line of the document, the reference as written, dates and
 * degrees.
 */
import { type CauseReach, reachOf } from "#core/check/cause-reach.ts";
import type { CallContext } from "#core/byte-source.ts";
import type { SaidFinding } from "#core/findings/explained.ts";
import { chunkIn } from "#core/findings/fact.ts";
import type { Axis } from "#core/cf/axis.ts";
import { cellCount, chunkKey, gridOf } from "#core/metadata/chunk-grid.ts";
import { nodesByPath } from "#core/metadata/chunk-of-key.ts";
import type { ArrayNode } from "#core/metadata/array-metadata.ts";
import { FREE_READING } from "#core/plane/plane-budget.ts";
import { boxSpans } from "#core/words/box-spans.ts";
import { chunkReference } from "../chunk/chunk-reference.ts";
import { lineOfKey, writtenOfKey } from "../edit/row-place.ts";
import type { EngineSet } from "../engine-set.ts";
import { axisOf, coordinateArray } from "../many/axis.ts";
import type { ChunkDecoder } from "../chunk/chunk-decoder.ts";
import { bytesAtHand } from "./at-hand.ts";
import type { CheckFinding } from "#core/report/report.ts";

export type ToldPlace = Pick<CheckFinding, "line" | "written" | "where" | "share">;

interface Telling {
  readonly set: EngineSet;
  readonly decoder: ChunkDecoder;
  /** Coordinates may be read wherever they are; else only where they are at hand. */
  readonly mayAsk: boolean;
}

/** Causes of which it is told. */
const MAX_TOLD = 50;

export async function toldPlaces(
  telling: Telling,
  causes: readonly SaidFinding[],
  context: CallContext,
): Promise<ReadonlyMap<SaidFinding, ToldPlace>> {
  const nodes = nodesByPath(telling.set.nodes);
  const axes = new Map<string, Promise<Axis | undefined>>();
  const told = new Map<SaidFinding, ToldPlace>();
  for (const one of causes.slice(0, MAX_TOLD)) {
    const { key, written } = await referenceOf(telling.set, one, context);
    const line = key === undefined ? undefined : lineOfKey(telling.set, key);
    const reach = reachOf(one, nodes);
    const where = reach === undefined ? [] : await spansOf(telling, reach, axes, context);
    const of = nodes.get(reach?.array ?? "")?.cells ?? 0;
    // Keys may lie outside of the grid.
    const isOfChunks = chunkIn(one.found.place) !== undefined && reach !== undefined && reach.moreArrays === 0;
    told.set(one, {
      ...(line !== undefined && { line }),
      ...(written !== undefined && { written }),
      ...(where.length > 0 && { where }),
      ...(isOfChunks && reach.chunks <= of && { share: { chunks: reach.chunks, of } }),
    });
  }
  return told;
}

/** Reference of the first chunk or key that it names. */
async function referenceOf(set: EngineSet, { found, failing = [] }: SaidFinding, context: CallContext) {
  const place = failing[0] ?? chunkIn(found.place) ?? found.place;
  if (place.kind === "key") return { key: place.key, written: writtenOfKey(set, place.key) };
  const node = place.kind === "chunk" ? set.hierarchy.nodes.get(place.array) : undefined;
  if (place.kind !== "chunk" || node?.kind !== "array") return {};
  try {
    const { key, written } = await chunkReference(set, node, place.coordinates, context);
    return {
      key,
      written: writtenOfKey(set, key) ?? (written === "" ? undefined : `${JSON.stringify(key)}: ${written}`),
    };
  } catch {
    context.signal.throwIfAborted();
    return { key: chunkKey(place.array, place.coordinates, node.metadata.separator) };
  }
}

async function spansOf(
  telling: Telling,
  reach: CauseReach,
  axes: Map<string, Promise<Axis | undefined>>,
  context: CallContext,
): Promise<readonly string[]> {
  const node = telling.set.hierarchy.nodes.get(reach.array);
  if (node?.kind !== "array" || reach.share === 1) return [];
  const { shape, chunks, dimensionNames } = node.metadata;
  const along = shape.map((_, dimension) => {
    const path = coordinateArray(telling.set, node, dimension)?.path;
    if (path === undefined || path === node.path) return Promise.resolve(undefined);
    const known = axes.get(path) ?? axisAtHand(telling, node, dimension, context);
    axes.set(path, known);
    return known;
  });
  return boxSpans(reach, { shape, chunks, dimensionNames }, await Promise.all(along), reach.chunks === 1);
}

/** `undefined` where its coordinate is not here, too long, or cannot be read. */
async function axisAtHand(
  { set, decoder, mayAsk }: Telling,
  node: ArrayNode,
  dimension: number,
  context: CallContext,
): Promise<Axis | undefined> {
  const coordinate = coordinateArray(set, node, dimension);
  if (coordinate === undefined) return undefined;
  const { shape, chunks } = coordinate.metadata;
  const cells = cellCount(gridOf(shape, chunks));
  if (cells > FREE_READING.requests) return undefined;
  try {
    let bytes = 0;
    const unasked = mayAsk ? 0 : cells;
    for (let ordinal = 0; ordinal < unasked; ordinal += 1) {
      bytes += (await bytesAtHand(set, coordinate, ordinal, context)) ?? Infinity;
      if (bytes > FREE_READING.bytes) return undefined;
    }
    return await axisOf({ set, node, decoder, isPaid: true }, dimension, { ...context, report: () => undefined });
  } catch {
    context.signal.throwIfAborted();
    return undefined;
  }
}
