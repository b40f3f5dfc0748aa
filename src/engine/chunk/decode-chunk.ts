/** Stored bytes of a chunk → every codec stage → values. */
import type { ChunkMetadata } from "../../core/metadata/array-metadata.ts";
import { findingOfError } from "../../core/findings/failure.ts";
import type { Finding } from "../../core/findings/finding.ts";
import { decodeValues, type ChunkValues } from "../../core/values/values.ts";
import { runPipeline, type LeaveStage, type PipelineStage } from "../../codecs/pipeline.ts";

export interface DecodedChunk {
  readonly stages: readonly PipelineStage[];
  /** Bytes of the whole chunk as its data type and order say; absent where a stage failed. */
  readonly bytes?: Uint8Array<ArrayBuffer>;
  readonly values?: ChunkValues;
  /** What codecs say of bytes that decoded; about the set, as they know no place. Absent = nothing. */
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
