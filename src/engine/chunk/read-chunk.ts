/**
 * One chunk, read end to end: the reference, the request, every codec stage, the values, and what is odd about them.
 */
import { insideShape, cellCount, largestShape, ordinalOf } from "#core/metadata/chunk-grid.ts";
import type { CallContext } from "#core/byte-source.ts";
import { scalingOf, type Scaling } from "#core/cf/cf.ts";
import { type Finding, failure, findingOfError, isAbort, nodeAt } from "#core/findings/finding.ts";
import { type ArrayNode, metadataOfChunk } from "#core/metadata/array-metadata.ts";
import type { Reading } from "#core/reading.ts";
import type { ChunkValues } from "#core/values/values.ts";
import { chunkReference, type ChunkReference } from "./chunk-reference.ts";
import { type ChunkDecoder, inThread } from "./chunk-decoder.ts";
import { arrayNode, noteResult, type EngineSet } from "../engine-set.ts";
import { keptReading } from "./read-there.ts";
import { aboutChunk, loadChunk, missingFindings, placeOf, type LoadedChunk } from "./load-chunk.ts";
import type { StagedReading } from "./stage-bytes.ts";
import type { ShardAnswer } from "#core/open-set.ts";
import type { ReadShard, ShardReader } from "./shard-reader.ts";

/** A reading with what is asked for by window later: bytes after each stage, and values. */
export interface ReadChunk extends StagedReading {
  readonly reading: Omit<Reading, "id">;
  readonly loaded: LoadedChunk;
  readonly values: ChunkValues | undefined;
  readonly inside: readonly number[];
  readonly scaling: Scaling | undefined;
}

export async function readChunk(
  set: EngineSet,
  array: string,
  coordinates: readonly number[],
  context: CallContext,
  decoder: ChunkDecoder = inThread,
): Promise<ReadChunk> {
  const node = arrayNode(set, array);
  const chunk = await chunkReference(set, node, coordinates, context);
  context.report({ label: `Reading ${chunk.key}`, done: 0, unit: "bytes" });
  const loaded = await loadChunk(set, chunk, context);
  const read = await decodeReading(node, chunk, loaded, decoder, context);
  noteResult(set, array, chunk.ordinal, keptReading(read.reading));
  return read;
}

/** @param node with the metadata that the chunk is to be decoded by */
export async function decodeReading(
  node: ArrayNode,
  chunk: ChunkReference,
  loaded: LoadedChunk,
  decoder: ChunkDecoder,
  { signal }: CallContext,
): Promise<ReadChunk> {
  const { shape, chunks } = node.metadata;
  const metadata = metadataOfChunk(node.metadata, chunk.coordinates);
  const inside = insideShape(shape, chunks, chunk.coordinates);
  const scaling = scalingOf(node.metadata, node.attributes);
  const about = { place: placeOf(chunk), inside, scaling };
  const decoded =
    loaded.kind === "bytes" ? await decoder.decodeAndReport(metadata, loaded.bytes, about, signal) : undefined;
  signal.throwIfAborted();
  const error = loaded.kind === "failed" ? loaded.error : decoded?.error;
  const { report, values } = decoded ?? {};
  const reading = {
    array: node.path,
    coordinates: chunk.coordinates,
    key: chunk.key,
    state: chunk.state,
    written: chunk.written,
    ...(chunk.origin === undefined ? {} : { origin: chunk.origin }),
    ...(loaded.resolution === undefined ? {} : { resolution: loaded.resolution }),
    ...(loaded.request === undefined ? {} : { request: loaded.request }),
    stages: decoded?.stages ?? [],
    outcome: outcomeOf(loaded, error),
    ...(error === undefined ? {} : { error }),
    ...(report === undefined ? {} : { values: report }),
    findings: [
      ...loaded.findings,
      ...(decoded?.remarks ?? []).map((remark) => aboutChunk(remark, chunk)),
      ...(error === undefined ? [] : [aboutChunk(error, chunk)]),
      ...missingFindings(chunk),
    ],
  } as const;
  return { reading, stageBytes: [...(decoded?.stageBytes ?? [])], metadata, loaded, values, inside, scaling };
}

function outcomeOf(loaded: LoadedChunk, error: Finding | undefined): Reading["outcome"] {
  if (error !== undefined) return "failed";
  return loaded.kind === "missing" ? "missing" : "ok";
}

// One shard: its map, or why there is none.

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
