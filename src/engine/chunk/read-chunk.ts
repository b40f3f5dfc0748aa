/** One chunk, read end to end: the reference, the request, every codec stage, the values, and what is odd about them. */
import { insideShape } from "../../core/metadata/chunk-grid.ts";
import type { CallContext } from "../../core/byte-source.ts";
import { scalingOf, type Scaling } from "../../core/cf/cf.ts";
import { type Finding, placed } from "../../core/findings/finding.ts";
import type { ArrayNode } from "../../core/metadata/hierarchy.ts";
import { type ChunkMetadata, metadataOfChunk } from "../../core/metadata/array-metadata.ts";
import type { Reading, StageReport, ValuesReport } from "../../core/reading.ts";
import { statistics } from "../../core/values/statistics.ts";
import type { ChunkValues } from "../../core/values/values.ts";
import { chunkReference, type ChunkReference } from "./chunk-reference.ts";
import { decodeChunk, type DecodedChunk } from "./decode-chunk.ts";
import { arrayNode, noteResult, type EngineSet } from "../engine-set.ts";
import { keptReading } from "./kept-reading.ts";
import { aboutChunk, loadChunk, placeOf, type LoadedChunk } from "./load-chunk.ts";
import { MAX_STAGE_BYTES, type StagedReading } from "./stage-bytes.ts";
import { missingFindings } from "./fill-findings.ts";

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
): Promise<ReadChunk> {
  const node = arrayNode(set, array);
  const chunk = await chunkReference(set, node, coordinates, context);
  context.report({ label: `Reading ${chunk.key}`, done: 0, unit: "bytes" });
  const loaded = await loadChunk(set, chunk, context);
  const decoded = await decodeInStages(metadataOfChunk(node.metadata, coordinates), loaded, context.signal);
  context.signal.throwIfAborted();
  const read = await composeReading(node, chunk, loaded, decoded);
  noteResult(set, array, chunk.ordinal, keptReading(read.reading));
  return read;
}

/** Keeps the bytes of the stages, as far as they have room; `undefined` where there are none to decode. */
export async function decodeInStages(
  metadata: ChunkMetadata,
  loaded: LoadedChunk,
  signal: AbortSignal,
): Promise<DecodedChunk | undefined> {
  if (loaded.kind !== "bytes") return undefined;
  const { keepWithin } = await import("../repair/stage-reports.ts");
  return decodeChunk(metadata, loaded.bytes, signal, keepWithin(MAX_STAGE_BYTES));
}

/** @param node with the metadata that the chunk was decoded by */
export async function composeReading(
  node: ArrayNode,
  chunk: ChunkReference,
  loaded: LoadedChunk,
  decoded: DecodedChunk | undefined,
): Promise<ReadChunk> {
  const { stages, error } = await outcomeOfDecode(chunk, loaded, decoded);
  const { shape, chunks } = node.metadata;
  const inside = insideShape(shape, chunks, chunk.coordinates);
  const scaling = scalingOf(node.metadata, node.attributes);
  const values = error === undefined ? decoded?.values : undefined;
  const report = values === undefined ? undefined : valuesReport(node, values, inside, scaling);
  const reading = {
    array: node.path,
    coordinates: chunk.coordinates,
    key: chunk.key,
    state: chunk.state,
    written: chunk.written,
    ...(chunk.origin === undefined ? {} : { origin: chunk.origin }),
    ...(loaded.resolution === undefined ? {} : { resolution: loaded.resolution }),
    ...(loaded.request === undefined ? {} : { request: loaded.request }),
    stages,
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
  const stageBytes = decoded?.stages.map((stage) => stage.bytes) ?? [];
  const metadata = metadataOfChunk(node.metadata, chunk.coordinates);
  return { reading, stageBytes, metadata, loaded, values, inside, scaling };
}

/** What bytes look like is found by code that is fetched with the first chunk. */
async function outcomeOfDecode(
  chunk: ChunkReference,
  loaded: LoadedChunk,
  decoded: DecodedChunk | undefined,
): Promise<{ readonly stages: readonly StageReport[]; readonly error: Finding | undefined }> {
  if (loaded.kind === "failed") return { stages: [], error: loaded.error };
  if (decoded === undefined) return { stages: [], error: undefined };
  const { stageReports } = await import("../repair/stage-reports.ts");
  const place = placeOf(chunk);
  const stages = stageReports(decoded.stages, place);
  const { error } = decoded;
  if (error === undefined) return { stages, error };
  // That of the last stage is the same, with what the stage met.
  const isOfStage = decoded.stages.at(-1)?.error === error;
  return { stages, error: isOfStage ? stages.at(-1)?.error : placed(error, place) };
}

function outcomeOf(loaded: LoadedChunk, error: Finding | undefined): Reading["outcome"] {
  if (error !== undefined) return "failed";
  return loaded.kind === "missing" ? "missing" : "ok";
}

function valuesReport(
  { metadata }: ArrayNode,
  values: ChunkValues,
  inside: readonly number[],
  scaling: Scaling | undefined,
): ValuesReport {
  return {
    shape: values.shape,
    inside,
    dtype: metadata.dataType.text,
    numeric: values.numeric,
    raw: statistics(values, inside, { fillValue: metadata.fillValue, scaling, scaled: false }),
    ...(scaling === undefined
      ? {}
      : { scaling, scaled: statistics(values, inside, { fillValue: metadata.fillValue, scaling, scaled: true }) }),
  };
}
