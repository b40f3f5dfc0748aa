/** Decodes one chunk codec by codec, and keeps what each gave: the bytes, the time, or the error that stopped it. */
import type { ArrayMetadata, CodecConfiguration } from "../core/array-metadata.ts";
import { isAbort, toErrorFields, type ErrorFields } from "../core/errors.ts";
import { writeJson } from "../core/json-write.ts";
import type { ChunkOutline } from "./codec.ts";
import { findCodec } from "./index.ts";

export interface PipelineStage {
  /** `stored` for the bytes as they came, else the codec's id as the metadata spells it. */
  readonly id: string;
  /** For people: "shuffle, 2-byte elements". */
  readonly label: string;
  /** JSON text of the codec's configuration; empty for `stored`. */
  readonly configuration: string;
  readonly bytesIn: number;
  /** What the stage gave; absent where it failed. */
  readonly bytes?: Uint8Array<ArrayBuffer>;
  readonly milliseconds?: number;
  /** On the last stage, if anywhere. There it may stand beside `bytes` of the wrong length. */
  readonly error?: ErrorFields;
}

export interface PipelineResult {
  /** First the stored bytes, then a stage a codec, up to the first that failed. */
  readonly stages: readonly PipelineStage[];
  /** Bytes of the whole decoded chunk, in the array's byte order and memory order; absent where something failed. */
  readonly bytes?: Uint8Array<ArrayBuffer>;
  /** Why there are no bytes. */
  readonly error?: ErrorFields;
}

/** A stage may give this many times the bytes of the decoded chunk: filters may narrow int64 to int8 later on. */
const WIDEST_STAGE = 8;
const STAGE_SLACK = 64 * 1024;
/** Most bytes that any stage gives, and all that is known for elements of no fixed size. */
const MOST_STAGE_BYTES = 2 ** 31 - 1;
const MOST_OBJECT_BYTES = 2 ** 28;

/** Throws nothing but AbortError: what goes wrong is the `error` of the result and of its last stage. */
export async function runPipeline(
  metadata: ArrayMetadata,
  stored: Uint8Array<ArrayBuffer>,
  signal: AbortSignal,
): Promise<PipelineResult> {
  const outline = outlineOf(metadata);
  const stages: PipelineStage[] = [
    { id: "stored", label: "stored bytes", configuration: "", bytesIn: stored.length, bytes: stored },
  ];
  let bytes = stored;
  for (const codec of metadata.decoding) {
    signal.throwIfAborted();
    const stage = await runStage(codec, bytes, outline, signal);
    stages.push(stage);
    if (stage.bytes === undefined) return stage.error === undefined ? { stages } : { stages, error: stage.error };
    bytes = stage.bytes;
  }
  const error = lengthError(metadata, outline, bytes.length);
  if (error === undefined) return { stages, bytes };
  const last = stages.length - 1;
  return { stages: stages.map((stage, at) => (at === last ? { ...stage, error } : stage)), error };
}

function outlineOf({ dataType, chunks }: ArrayMetadata): ChunkOutline {
  return { dataType, chunkShape: chunks, elements: chunks.reduce((product, length) => product * length, 1) };
}

async function runStage(
  { id, configuration }: CodecConfiguration,
  input: Uint8Array<ArrayBuffer>,
  outline: ChunkOutline,
  signal: AbortSignal,
): Promise<PipelineStage> {
  const stage = { id, label: id, configuration: writeJson(configuration), bytesIn: input.length };
  const codec = findCodec(id);
  if (codec === undefined) return { ...stage, error: unknownCodec(id) };
  const start = performance.now();
  let { label } = stage;
  try {
    const step = codec.prepare(configuration, outline);
    ({ label } = step);
    const bytes = await step.decode(input, stageLimit(outline), signal);
    return { ...stage, label, bytes, milliseconds: performance.now() - start };
  } catch (error) {
    if (isAbort(error)) throw error;
    const fields = toErrorFields(error, `Decoding with “${id}”`);
    return { ...stage, label, milliseconds: performance.now() - start, error: fields };
  }
}

function stageLimit({ dataType, elements }: ChunkOutline): number {
  if (dataType.kind === "object") return MOST_OBJECT_BYTES;
  return Math.min(MOST_STAGE_BYTES, elements * dataType.itemSize * WIDEST_STAGE + STAGE_SLACK);
}

/**
 * zarr-python views the decoded bytes as the data type and reshapes them to the chunk's shape, and raises where either
 * does not come out even: too few bytes are never padded and too many never cut. (Where a chunk lies wholly inside the
 * array and has no filters it decodes straight into the result; then Blosc may leave a short chunk unnoticed. We do not.)
 */
function lengthError(metadata: ArrayMetadata, outline: ChunkOutline, found: number): ErrorFields | undefined {
  const { dataType, chunks } = metadata;
  const doing = "Turning the decoded bytes into values";
  if (dataType.kind === "object") {
    return {
      code: "object-codec-missing",
      doing,
      expected: `a codec that makes objects (vlen-utf8, json2, …), as elements of type ${dataType.text} have no size`,
      found: "none in filters or compressor",
      advice: "Name the object codec in the array's filters.",
    };
  }
  const expected = outline.elements * dataType.itemSize;
  if (found === expected) return undefined;
  return {
    code: "chunk-size-mismatch",
    doing,
    expected: `${expected} bytes, for chunk shape [${chunks.join(", ")}] of ${dataType.itemSize}-byte elements`,
    found: `${found} bytes`,
    advice:
      "Check chunks, dtype, compressor and filters in the array's metadata, and whether the reference's offset and length cover the whole chunk.",
  };
}

function unknownCodec(id: string): ErrorFields {
  return {
    code: "codec-unknown",
    doing: `Decoding with “${id}”`,
    expected: "a codec that Refscope has",
    found: `Refscope has no decoder for “${id}”`,
    advice: "The bytes before this stage are shown.",
  };
}
