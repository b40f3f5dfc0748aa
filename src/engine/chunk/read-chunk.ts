/** One chunk, read end to end: the reference, the request, every codec stage, the values, and what is odd about them. */
import { insideShape } from "#core/metadata/chunk-grid.ts";
import type { CallContext } from "#core/byte-source.ts";
import { scalingOf, type Scaling } from "#core/cf/cf.ts";
import type { Finding } from "#core/findings/finding.ts";
import { type ArrayNode, metadataOfChunk } from "#core/metadata/array-metadata.ts";
import type { Reading } from "#core/reading.ts";
import type { ChunkValues } from "#core/values/values.ts";
import { chunkReference, type ChunkReference } from "./chunk-reference.ts";
import { type ChunkDecoder, inThread } from "./chunk-decoder.ts";
import { arrayNode, noteResult, type EngineSet } from "../engine-set.ts";
import { keptReading } from "./read-there.ts";
import { aboutChunk, loadChunk, missingFindings, placeOf, type LoadedChunk } from "./load-chunk.ts";
import type { StagedReading } from "./stage-bytes.ts";

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
