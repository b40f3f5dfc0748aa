/** One shard: its map, or why there is none. */
import type { CallContext } from "#core/byte-source.ts";
import { cellCount, largestShape, ordinalOf } from "#core/metadata/chunk-grid.ts";
import { failure, findingOfError, isAbort, nodeAt } from "#core/findings/finding.ts";
import type { ShardAnswer } from "#core/open-set.ts";
import { arrayNode, type EngineSet } from "../engine-set.ts";
import type { ReadShard, ShardReader } from "./shard-reader.ts";

/** Throws `not-sharded` and `outside-grid`. The map's columns are a copy: they may be given away. */
export async function readShard(
  set: EngineSet,
  array: string,
  coordinates: readonly number[],
  context: CallContext,
): Promise<ShardAnswer> {
  const { metadata } = arrayNode(set, array);
  const reader = set.shards?.get(set.index.arrayIds.get(array) ?? -1);
  if (reader === undefined || metadata.sharding === undefined) throw failure("not-sharded", nodeAt(array), {});
  const shard = ordinalOf(reader.grid, coordinates);
  if (shard === undefined) {
    throw failure("outside-grid", nodeAt(array), { of: "shard", coordinates, grid: reader.grid });
  }
  // Its inner chunks are then among the references, and what is wrong among the findings.
  await set.index.pagesOf(array)?.load([shard], context);
  const { itemSize, kind } = metadata.dataType;
  // Inner chunks are all of one shape.
  const elements = cellCount(largestShape(metadata.chunks));
  return {
    coordinates,
    chunkBytes: kind === "object" ? undefined : elements * itemSize,
    state: await stateOf(reader, shard, context),
  };
}

async function stateOf(reader: ShardReader, shard: number, context: CallContext): Promise<ShardAnswer["state"]> {
  try {
    const read = await reader.read(shard, context);
    return read.kind === "missing" ? read : answerOf(read);
  } catch (error) {
    if (isAbort(error) && context.signal.aborted) throw error;
    return { kind: "failed", error: findingOfError(error, "Reading the shard's index") };
  }
}

function answerOf({ map, stored, request }: Extract<ReadShard, { kind: "shard" }>): ShardAnswer["state"] {
  const copy = {
    ...map,
    offsets: map.offsets.slice(),
    lengths: map.lengths.slice(),
    codes: map.codes.slice(),
    inFileOrder: map.inFileOrder.slice(),
    gaps: map.gaps.slice(),
  };
  const { name, target, offset } = stored;
  return { kind: "shard", map: copy, name, target, offset, request };
}
