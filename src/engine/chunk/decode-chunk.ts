/** Stored bytes of a chunk → every codec stage → values. */
import { runPipeline, type LeaveStage, type PipelineStage } from "#codecs/pipeline.ts";
import type { Scaling } from "#core/cf/cf.ts";
import { type Finding, findingOfError, type Place, placed } from "#core/findings/finding.ts";
import type { ChunkMetadata } from "#core/metadata/array-metadata.ts";
import type { StageReport, ValuesReport } from "#core/reading.ts";
import { statistics } from "#core/values/statistics.ts";
import { decodeValues, type ChunkValues } from "#core/values/values.ts";
import { MAX_STAGE_BYTES } from "./stage-bytes.ts";

export interface DecodedChunk {
  readonly stages: readonly PipelineStage[];
  /** Bytes of the whole chunk as its data type and order say; absent where a stage failed. */
  readonly bytes?: Uint8Array<ArrayBuffer>;
  readonly values?: ChunkValues;
  /** Codecs' remarks on bytes that decoded; placed at the set, as codecs know no place. Absent = none. */
  readonly remarks?: readonly Finding[];
  readonly error?: Finding;
}

/** Never throws but for an abort. The bytes of stages on the way are kept only where `leave` keeps them. */
export async function decodeChunk(
  metadata: ChunkMetadata,
  stored: Uint8Array<ArrayBuffer>,
  signal: AbortSignal,
  leave: LeaveStage = keepNone,
): Promise<DecodedChunk> {
  const { stages, bytes, texts, error } = await runPipeline(metadata, stored, signal, leave);
  if (bytes === undefined) return error === undefined ? { stages } : { stages, error };
  const said = stages.flatMap(({ remarks = [] }) => remarks);
  const known = { stages, bytes, ...(said.length > 0 && { remarks: said }) };
  try {
    return { ...known, values: decodeValues(bytes, metadata, texts) };
  } catch (failure) {
    return { ...known, error: findingOfError(failure, "Turning bytes into values") };
  }
}

const keepNone: LeaveStage = (stage) => {
  const { bytes: _, ...rest } = stage;
  return rest;
};

/** Facts that a report on a chunk needs beside its bytes. */
export interface ReportAbout {
  readonly place: Place;
  /** Extent of the chunk inside the array. */
  readonly inside: readonly number[];
  readonly scaling: Scaling | undefined;
}

export interface ReportedChunk extends Omit<DecodedChunk, "stages"> {
  readonly stages: readonly StageReport[];
  /** Bytes of each stage, up to MAX_STAGE_BYTES. */
  readonly stageBytes: readonly (Uint8Array<ArrayBuffer> | undefined)[];
  readonly report?: ValuesReport;
}

/**
 * Never throws but for an abort. What bytes look like is found by code that is fetched with the first chunk. Stages
 * beyond `limit` bytes are not kept.
 */
export async function decodeAndReport(
  metadata: ChunkMetadata,
  stored: Uint8Array<ArrayBuffer>,
  about: ReportAbout,
  signal: AbortSignal,
  limit = MAX_STAGE_BYTES,
): Promise<ReportedChunk> {
  const { keepWithin, stageReports } = await import("../looks/stage-reports.ts");
  const { stages, error, values, ...rest } = await decodeChunk(metadata, stored, signal, keepWithin(limit));
  const reports = stageReports(stages, about.place);
  const known = { ...rest, stages: reports, stageBytes: stages.map(({ bytes }) => bytes) };
  if (error === undefined) {
    return values === undefined ? known : { ...known, values, report: valuesReport(metadata, values, about) };
  }
  // The last stage has the same error, with its details; prefer that one.
  const isOfStage = stages.at(-1)?.error === error;
  return { ...known, error: (isOfStage ? reports.at(-1)?.error : undefined) ?? placed(error, about.place) };
}

function valuesReport(
  { dataType, fillValue }: ChunkMetadata,
  values: ChunkValues,
  { inside, scaling }: ReportAbout,
): ValuesReport {
  return {
    shape: values.shape,
    inside,
    dtype: dataType.text,
    numeric: values.numeric,
    raw: statistics(values, inside, { fillValue, scaling, scaled: false }),
    ...(scaling !== undefined && { scaling, scaled: statistics(values, inside, { fillValue, scaling, scaled: true }) }),
  };
}
