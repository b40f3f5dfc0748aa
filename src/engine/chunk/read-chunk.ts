/** One chunk, read end to end: the reference, the request, every codec stage, the values, and what is odd about them. */
import { insideShape } from "../../core/chunk-grid.ts";
import type { CallContext } from "../../core/byte-source.ts";
import { scalingOf, type Scaling } from "../../core/cf.ts";
import type { ErrorFields } from "../../core/errors.ts";
import type { Finding } from "../../core/finding.ts";
import type { ArrayNode } from "../../core/hierarchy.ts";
import type { ArrayMetadata } from "../../core/array-metadata.ts";
import { writeJson } from "../../core/json-write.ts";
import type { Reading, StageReport, ValuesReport } from "../../core/reading.ts";
import { statistics } from "../../core/statistics.ts";
import { fillBytes, type ChunkValues } from "../../core/values.ts";
import { chunkReference, type ChunkReference } from "./chunk-reference.ts";
import { decodeChunk, type DecodedChunk } from "./decode-chunk.ts";
import { arrayNode, noteResult, type EngineSet } from "../engine-set.ts";
import { loadChunk, type LoadedChunk } from "./load-chunk.ts";
import { MAX_STAGE_BYTES, type StagedReading } from "./stage-bytes.ts";

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
  const decoded = await decodeInStages(node.metadata, loaded, context.signal);
  context.signal.throwIfAborted();
  const read = await composeReading(node, chunk, loaded, decoded);
  noteResult(set, array, chunk.ordinal, read.reading.outcome === "failed" ? "failed" : "ok");
  return read;
}

/** Keeps the bytes of the stages, as far as they have room; `undefined` where there are none to decode. */
export async function decodeInStages(
  metadata: ArrayMetadata,
  loaded: LoadedChunk,
  signal: AbortSignal,
): Promise<DecodedChunk | undefined> {
  if (loaded.kind !== "bytes") return undefined;
  const { keepWithin } = await import("../lab/stage-reports.ts");
  return decodeChunk(metadata, loaded.bytes, signal, keepWithin(MAX_STAGE_BYTES));
}

/** @param node with the metadata that the chunk was decoded by */
export async function composeReading(
  node: ArrayNode,
  chunk: ChunkReference,
  loaded: LoadedChunk,
  decoded: DecodedChunk | undefined,
): Promise<ReadChunk> {
  const { stages, error } = await told(loaded, decoded);
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
    findings: [...loaded.findings, ...failureFinding(chunk, error), ...missingFindings(node, chunk)],
  } as const;
  const stageBytes = decoded?.stages.map((stage) => stage.bytes) ?? [];
  return { reading, stageBytes, metadata: node.metadata, loaded, values, inside, scaling };
}

/** What bytes look like is found by code that is fetched with the first chunk. */
async function told(
  loaded: LoadedChunk,
  decoded: DecodedChunk | undefined,
): Promise<{ readonly stages: readonly StageReport[]; readonly error: ErrorFields | undefined }> {
  if (loaded.kind === "failed") return { stages: [], error: loaded.error };
  if (decoded === undefined) return { stages: [], error: undefined };
  const { stageReports, explainedFailure } = await import("../lab/stage-reports.ts");
  const { stages, error } = decoded;
  return { stages: stageReports(stages), error: error === undefined ? undefined : explainedFailure(error, stages) };
}

function outcomeOf(loaded: LoadedChunk, error: ErrorFields | undefined): Reading["outcome"] {
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
    shape: metadata.chunks,
    inside,
    dtype: metadata.dataType.text,
    numeric: values.numeric,
    raw: statistics(values, inside, { fillValue: metadata.fillValue, scaling, scaled: false }),
    ...(scaling === undefined
      ? {}
      : { scaling, scaled: statistics(values, inside, { fillValue: metadata.fillValue, scaling, scaled: true }) }),
  };
}

function failureFinding({ key, node }: ChunkReference, error: ErrorFields | undefined): readonly Finding[] {
  if (error === undefined) return [];
  const { code, doing, expected, found, advice } = error;
  const facts = [expected && `expected ${expected}`, found && `found ${found}`].filter(Boolean).join(", ");
  const message = facts === "" ? `${doing} failed.` : `${doing}: ${facts}.`;
  const finding: Finding = { code, severity: "error", array: node.path, key, message };
  return [advice === undefined ? finding : { ...finding, advice }];
}

function unfitFill({ fillValue, dataType }: ArrayMetadata, array: string, key: string): Finding {
  const message = `The chunk has no reference, and fill_value ${writeJson(fillValue).slice(0, 80)} is no value of type ${dataType.text}: what it reads as is not defined.`;
  return { code: "fill-value-unfit", severity: "warning", array, key, message };
}

function missingFindings({ metadata, path }: ArrayNode, { reference, key }: ChunkReference): readonly Finding[] {
  if (reference.kind !== "missing") return [];
  if (metadata.fillValue !== null) {
    const isUnfit =
      metadata.dataType.kind !== "object" && fillBytes(metadata.fillValue, metadata.dataType) === undefined;
    return isUnfit ? [unfitFill(metadata, path, key)] : [];
  }
  const message =
    "The chunk has no reference and the array's fill_value is null: its values are not defined, and readers differ (zarr-python gives whatever was in memory, or zeros).";
  return [{ code: "fill-value-undefined", severity: "warning", array: path, key, message }];
}
