/** Arrays of a dataset and a repository whose chunks are the same bytes by their references: nothing of them need be read. */
import type { CallContext } from "#core/byte-source.ts";
import type { ArrayNode } from "#core/metadata/array-metadata.ts";
import { cellCount, coordinatesOf } from "#core/metadata/chunk-grid.ts";
import { LENGTH_WHOLE } from "#core/table/reference-table.ts";
import { decodeInline } from "#formats/kerchunk-json/index.ts";
import { chunkReference } from "#engine/chunk/chunk-reference.ts";
import type { EngineSet } from "#engine/engine-set.ts";
import { startPace } from "#engine/pace.ts";
import { rowOf } from "#engine/table/array-index.ts";
import { columnsAt, lengthOf } from "#engine/table/batch.ts";
import type { TableIndex } from "#engine/table/table-index.ts";
import { locationOf } from "./locations.ts";
import { fateOf, type IcechunkPlan, type PlannedNode } from "./plan.ts";

/** Chunks of an array that are compared by their references. */
const MOST_CHUNKS = 2 ** 20;

interface Pair {
  readonly planned: PlannedNode;
  /** The repository's array; its metadata agree with those of the dataset. */
  readonly ours: ArrayNode;
}

interface Sides {
  readonly plan: IcechunkPlan;
  readonly index: TableIndex;
  /** The repository's. */
  readonly set: EngineSet;
}

/** False also where it is not known: of chunks of the stores themselves, of shards, of very many chunks. */
export async function refersAlike(
  { planned: { array }, ours }: Pair,
  { plan, index: table, set }: Sides,
  context: CallContext,
): Promise<boolean> {
  const count = array === undefined ? Infinity : cellCount(array.grid);
  if (array?.id === undefined || ours.metadata.sharding !== undefined || count > MOST_CHUNKS) return false;
  const index = await table.arrayIndex(array.id, context);
  const pace = startPace(context, "Comparing references", count);
  for (let ordinal = 0; ordinal < count; ordinal += 1) {
    const theirs = plannedText(plan, rowOf(index, ordinal));
    const own = theirs && (await writtenText(set, ours, coordinatesOf(array.grid, ordinal), context));
    if (theirs === undefined || theirs !== own) return false;
    await pace.yieldIfDue(ordinal);
  }
  return true;
}

const MISSING = "missing";

/** The reference that a row becomes; `undefined` where it is not known before it is written. */
function plannedText(plan: IcechunkPlan, row: number): string | undefined {
  if (row < 0) return MISSING;
  const { table, locations, sources } = plan;
  const { target, offset, length } = columnsAt(table, row);
  const fate = fateOf(plan, row);
  if (fate === "inline") return decodeInline(table.inline.slice(offset, length)).bytes.join(" ");
  const location = fate === "virtual" ? locations[target] : undefined;
  if (location?.kind !== "url") return undefined;
  const isWhole = length === LENGTH_WHOLE;
  const size = isWhole ? sources.get(target)?.size : lengthOf(table, row, target, length);
  return `${location.url} ${isWhole ? 0 : offset} ${size}`;
}

async function writtenText(set: EngineSet, node: ArrayNode, coordinates: readonly number[], context: CallContext) {
  const { reference } = await chunkReference(set, node, coordinates, context);
  if (reference.kind === "missing") return MISSING;
  if (reference.kind === "inline") return reference.bytes.join(" ");
  if (reference.kind !== "range" || reference.target === null) return undefined;
  const location = locationOf(reference.target, set.recorded);
  return location.kind === "url" ? `${location.url} ${reference.offset} ${reference.length}` : undefined;
}
