/** Decodes one chunk codec by codec, and keeps what each gave: the bytes, the time, or the error that stopped it. */
import { metadataOfLargest } from "../core/metadata/array-metadata.ts";
import type { ArrayMetadata, ChunkMetadata, CodecConfiguration } from "../core/metadata/array-metadata.ts";
import { holdsObjects } from "../core/metadata/data-type.ts";
import { failure, type Finding, findingOfError, isAbort, RefscopeError, WHOLE_SET } from "../core/findings/finding.ts";
import { stridesF } from "../core/values/gather.ts";
import { isJsonObject } from "../core/json/json.ts";
import { parseJson, writeJson } from "../core/json/parse-json.ts";
import type { BytesLook } from "../core/check/lab.ts";
import { variableElements, type VariableElements, type VariableKind } from "../core/values/variable-elements.ts";
import { type ChunkOutline, type CodecLookup, dataTypeUnread, type DecodeStep, type InnerChain } from "./codec.ts";
import { loadCodecs } from "./find-codec.ts";
import { knownByName, NOT_BUILT_V3 } from "./not-built.ts";
import { chainError, planCodecs, planFor, type PlannedCodec } from "./plan.ts";
import { reorderVariable } from "./numbers/transpose.ts";
import type { StageReport } from "../core/reading.ts";

export interface PipelineStage extends Pick<
  StageReport,
  "id" | "label" | "configuration" | "bytesIn" | "milliseconds" | "error"
> {
  /** Output of the stage; absent if it failed or was not kept. */
  readonly bytes?: Uint8Array<ArrayBuffer>;
  /** Facts about output that was not kept. */
  readonly left?: LeftStage;
  /** On what it was given, where it decoded. */
  readonly remarks?: readonly Finding[];
}

export interface LeftStage {
  readonly bytesOut: number;
  /** The first of them. */
  readonly head: Uint8Array<ArrayBuffer>;
  readonly look: BytesLook;
}

/**
 * Reduces a stage to what is kept of it: called once the next stage has its bytes, first for the stored bytes.
 * Otherwise a chain of sixty filters would hold sixty times the chunk.
 */
export type LeaveStage = (stage: PipelineStage) => PipelineStage;

const keepAll: LeaveStage = (stage) => stage;

export interface PipelineResult {
  /** First the stored bytes, then a stage a codec, up to the first that failed. */
  readonly stages: readonly PipelineStage[];
  /** Bytes of the whole decoded chunk, in the array's byte order and memory order; absent where something failed. */
  readonly bytes?: Uint8Array<ArrayBuffer>;
  /** Elements of no fixed size, in C order; the bytes are then laid out as core/variable-elements.ts says, in C order. */
  readonly texts?: VariableElements;
  /** Why there are no bytes. */
  readonly error?: Finding;
}

/** Throws nothing but AbortError: what goes wrong is the `error` of the result and of its last stage. */
export async function runPipeline(
  metadata: ChunkMetadata,
  stored: Uint8Array<ArrayBuffer>,
  signal: AbortSignal,
  leave: LeaveStage = keepAll,
): Promise<PipelineResult> {
  const codecs = await loadCodecs(metadata.decoding);
  const outline = outlineOf(metadata, codecs);
  const planned = planFor(metadata, outline, codecs);
  const stages: PipelineStage[] = [
    { id: "stored", label: "stored bytes", configuration: "", bytesIn: stored.length, bytes: stored },
  ];
  const chain = metadata.zarrFormat === 3 ? chainError(metadata.decoding, codecs) : undefined;
  const refused = chain ?? tooLarge(outline);
  if (refused !== undefined) return failedAtEnd(stages, refused);
  const limit = stageLimit(outline, planned);
  let bytes = stored;
  let makes: DecodeStep["makes"];
  let makesRecords: DecodeStep["makesRecords"];
  for (const codec of planned) {
    signal.throwIfAborted();
    const misplaced = makes === undefined ? undefined : afterObjects(codec.configuration.id);
    if (misplaced !== undefined) return failedAtEnd(stages, misplaced);
    const { stage, step } = await runStage(codec, bytes, limit, signal);
    const before = stages.at(-1);
    if (before !== undefined && stage.bytes !== undefined) stages[stages.length - 1] = leave(before);
    stages.push(stage);
    if (stage.bytes === undefined) return stage.error === undefined ? { stages } : { stages, error: stage.error };
    bytes = stage.bytes;
    makes = step?.makes ?? makes;
    makesRecords = step?.makesRecords ?? makesRecords;
  }
  const { dataType } = metadata;
  if (dataType.kind === "object" && makes !== undefined && (dataType.record === undefined || makesRecords === true)) {
    return withTexts({ stages, bytes }, metadata, makes);
  }
  const error = lengthError(outline, bytes.length);
  return error === undefined ? { stages, bytes } : failedAtEnd(stages, error);
}

/**
 * The bytes after a stage of a decode that came at least so far, made again from those of an earlier one.
 *
 * @throws RefscopeError what the stage failed with, should it fail now; AbortError
 */
export async function remakeStage(
  metadata: ChunkMetadata,
  from: { readonly stage: number; readonly bytes: Uint8Array<ArrayBuffer> },
  wanted: number,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  const codecs = await loadCodecs(metadata.decoding);
  const outline = outlineOf(metadata, codecs);
  const planned = planFor(metadata, outline, codecs);
  const limit = stageLimit(outline, planned);
  let { bytes } = from;
  for (const codec of planned.slice(from.stage, wanted)) {
    signal.throwIfAborted();
    const { stage } = await runStage(codec, bytes, limit, signal);
    if (stage.bytes === undefined) throw new RefscopeError(stage.error ?? unknownCodec(stage.id));
    ({ bytes } = stage);
  }
  return bytes;
}

function failedAtEnd(stages: readonly PipelineStage[], error: Finding): PipelineResult {
  const last = stages.length - 1;
  return { stages: stages.map((stage, at) => (at === last ? { ...stage, error } : stage)), error };
}

export interface CodecLabel {
  readonly id: string;
  /** For people, as a stage's. */
  readonly label: string;
  /** The effect of the codec in words, if known. */
  readonly words: string | undefined;
  readonly configuration: CodecConfiguration["configuration"];
  /** Why a chunk cannot be decoded with it, if so: code `codec-unknown` or `codec-configuration`. */
  readonly error?: Finding;
}

/**
 * The codecs of an array in the order of decoding, each as it meets the chunk; of an array with unequal chunks the
 * largest.
 */
export async function codecLabels(metadata: ArrayMetadata): Promise<readonly CodecLabel[]> {
  const codecs = await loadCodecs(metadata.decoding);
  return planFor(metadata, outlineOf(metadataOfLargest(metadata), codecs), codecs).map(
    ({ codec, configuration: { id, configuration }, outline }) => {
      const known = { id, label: id, words: codec?.words ?? knownByName(id), configuration };
      if (codec === undefined) return { ...known, error: unknownCodec(id) };
      try {
        return { ...known, label: codec.prepare(configuration, outline).label };
      } catch (failure) {
        return { ...known, error: findingOfError(failure, `Preparing “${id}”`) };
      }
    },
  );
}

/**
 * Why no chunk of the array can be decoded, whatever its bytes: a codec that is unknown or wrong, or a list of codecs
 * that is.
 */
export const undecodable = async (metadata: ArrayMetadata): Promise<Finding | undefined> =>
  (await decodedElements(metadata)).error;

/** Decodes a chunk to elements of the array's type, or to those without fixed size that its codecs make. */
export async function decodedElements(
  metadata: ArrayMetadata,
): Promise<{ readonly error?: Finding | undefined; readonly makes?: VariableKind | undefined }> {
  const codecs = await loadCodecs(metadata.decoding);
  const outline = outlineOf(metadataOfLargest(metadata), codecs);
  const planned = planFor(metadata, outline, codecs);
  const chain = metadata.zarrFormat === 3 ? chainError(metadata.decoding, codecs) : undefined;
  if (chain !== undefined) return { error: chain };
  try {
    const { makes } = prepareAll(planned);
    return {
      makes,
      error: outline.dataType.kind === "object" && makes === undefined ? lengthError(outline, 0) : undefined,
    };
  } catch (failure) {
    return { error: findingOfError(failure, "Preparing the codecs") };
  }
}

/**
 * Undoes filters of bytes that are no chunk of an array, such as what a data file says of itself.
 *
 * @param filters JSON texts as `.zarray` lists them
 * @throws RefscopeError `codec-unknown`, `codec-configuration`, and what a codec says of its input
 */
export async function undoFilters(
  filters: readonly string[],
  stored: Uint8Array,
  most = MAX_UNDONE,
): Promise<Uint8Array> {
  const decoding = filters.toReversed().flatMap((text): CodecConfiguration[] => {
    const { value } = parseJson(text);
    const id = isJsonObject(value) ? value.get("id") : undefined;
    return isJsonObject(value) && typeof id === "string" ? [{ id, configuration: value }] : [];
  });
  const codecs = await loadCodecs(decoding);
  const dataType = { kind: "uint", itemSize: 1, byteOrder: "none", text: "|u1" } as const;
  const outline: ChunkOutline = { dataType, chunkShape: [most], elements: most, fillValue: null };
  const { signal } = new AbortController();
  let bytes = stored.slice();
  for (const step of prepareAll(planFor({ zarrFormat: 2, decoding }, outline, codecs)).steps)
    bytes = await step.decode(bytes, most, signal);
  return bytes;
}

function outlineOf({ dataType, chunks, fillValue }: ChunkMetadata, codecs: CodecLookup): ChunkOutline {
  const elements = chunks.reduce((product, length) => product * length, 1);
  return {
    dataType,
    chunkShape: chunks,
    elements,
    fillValue,
    prepareChain: (inner, of) => prepareChain(inner, of, codecs),
    codecs,
  };
}

interface RunStage {
  readonly stage: PipelineStage;
  readonly step?: DecodeStep;
}

async function runStage(
  { codec, configuration: { id, configuration }, outline }: PlannedCodec,
  input: Uint8Array<ArrayBuffer>,
  limit: number,
  signal: AbortSignal,
): Promise<RunStage> {
  const stage = { id, label: id, configuration: writeJson(configuration), bytesIn: input.length };
  if (codec === undefined) return { stage: { ...stage, error: unknownCodec(id) } };
  const start = performance.now();
  let { label } = stage;
  try {
    const step = codec.prepare(configuration, outline);
    ({ label } = step);
    const bytes = await step.decode(input, limit, signal);
    const milliseconds = performance.now() - start;
    const remarks = (await step.remarks?.(input)) ?? [];
    return { stage: { ...stage, label, bytes, milliseconds, ...(remarks.length > 0 && { remarks }) }, step };
  } catch (error) {
    if (isAbort(error)) throw error;
    const fields = findingOfError(error, `Decoding with “${id}”`);
    return { stage: { ...stage, label, milliseconds: performance.now() - start, error: fields } };
  }
}

/** Throws RefscopeError `codec-unknown`, `codec-configuration`. */
function prepareAll(planned: readonly PlannedCodec[]) {
  let makes: DecodeStep["makes"];
  const steps = planned.map(({ codec, configuration: { id, configuration }, outline }) => {
    if (codec === undefined) throw new RefscopeError(unknownCodec(id));
    const misplaced = makes === undefined ? undefined : afterObjects(id);
    if (misplaced !== undefined) throw new RefscopeError(misplaced);
    const step = codec.prepare(configuration, outline);
    makes = step.makes ?? makes;
    return step;
  });
  return { steps, makes };
}

/** numcodecs' codecs take bytes or numbers, never objects; only a `transpose` comes after them. */
function afterObjects(id: string): Finding | undefined {
  if (id === "transpose") return undefined;
  return failure("codec-chain", WHOLE_SET, { problem: "after-objects", codec: id }).finding;
}

/** Codecs of Zarr v3 for chunks inside a shard. Throws RefscopeError as `prepareAll`, and `codec-chain`. */
function prepareChain(decoding: readonly CodecConfiguration[], outline: ChunkOutline, codecs: CodecLookup): InnerChain {
  const planned = planCodecs(decoding, outline, codecs);
  const chain = chainError(decoding, codecs);
  if (chain !== undefined) throw new RefscopeError(chain);
  const { steps, makes } = prepareAll(planned);
  const limit = stageLimit(outline, planned);
  return {
    makes,
    decode: async (input, signal) => {
      let bytes = input;
      for (const step of steps) {
        const decoded = step.decode(bytes, limit, signal);
        bytes = decoded instanceof Uint8Array ? decoded : await decoded;
      }
      const error = makes === undefined ? lengthError(outline, bytes.length) : undefined;
      if (error !== undefined) throw new RefscopeError(error);
      return bytes;
    },
  };
}

/** Elements of no fixed size, in C order. */
function withTexts(
  { stages, bytes }: { readonly stages: readonly PipelineStage[]; readonly bytes: Uint8Array<ArrayBuffer> },
  { chunks, order }: ChunkMetadata,
  makes: VariableKind,
): PipelineResult {
  const isTurned = order === "F" && chunks.length > 1;
  const inOrder = isTurned ? reorderVariable(bytes, chunks, stridesF(chunks)) : bytes;
  const texts = inOrder === undefined ? undefined : variableElements(inOrder, makes);
  const elements = chunks.reduce((product, length) => product * length, 1);
  if (inOrder !== undefined && texts?.length === elements) return { stages, bytes: inOrder, texts };
  const facts = { unit: "elements", expected: elements, found: bytes.length, shape: chunks, itemSize: 0 } as const;
  return failedAtEnd(stages, failure("chunk-size-mismatch", WHOLE_SET, facts).finding);
}

/**
 * zarr-python views the decoded bytes as the data type and reshapes them to the chunk's shape, and raises where either
 * does not come out even: too few bytes are never padded and too many never cut. (Where a chunk lies entirely inside the
 * array and has no filters it decodes straight into the result; then Blosc may leave a short chunk unnoticed. We do not.)
 */
function lengthError({ dataType, chunkShape, elements }: ChunkOutline, found: number): Finding | undefined {
  if (dataType.kind === "object" && dataType.isUnknown === true) return dataTypeUnread(dataType.text).finding;
  if (holdsObjects(dataType)) {
    return failure("object-codec-missing", WHOLE_SET, { dataType: dataType.text }).finding;
  }
  const expected = elements * dataType.itemSize;
  if (found === expected) return undefined;
  const facts = { unit: "bytes", expected, found, shape: chunkShape, itemSize: dataType.itemSize } as const;
  return failure("chunk-size-mismatch", WHOLE_SET, facts).finding;
}

function unknownCodec(id: string): Finding {
  const words = knownByName(id) ?? (NOT_BUILT_V3.has(id) ? "a codec with a registered name" : undefined);
  return failure("codec-unknown", WHOLE_SET, { codec: id, words }).finding;
}

// How many bytes the stages of a chunk may give: bombs end here, before memory is taken.

/** A stage may give this many times the bytes of the decoded chunk: filters may narrow int64 to int8 later on. */
const WIDEST_STAGE = 8;
const STAGE_SLACK = 64 * 1024;
/** Most bytes that any stage gives, and all that is known for elements of no fixed size. */
const MAX_STAGE_BYTES = 2 ** 31 - 1;
const MAX_OBJECT_BYTES = 2 ** 28;
/** Most bytes that any filter of bytes that are no chunk gives. */
const MAX_UNDONE = 2 ** 26;
/** How many more bytes than the chunk has may be there where no codec turns its elements into others. */
const MAX_SURPLUS_BYTES = 2 ** 28;
/** A shard has an index beside its chunks, and each chunk its headers. */
const INNER_CHUNK_BYTES = 256;

/** Most bytes that any stage of the chunk may give. */
function stageLimit({ dataType, elements }: ChunkOutline, planned: readonly PlannedCodec[]): number {
  if (dataType.kind === "object") return MAX_OBJECT_BYTES;
  const declared = elements * dataType.itemSize;
  const isPlain = planned.every(({ codec }) => codec?.kind === "bytes-bytes" || codec?.keepsSize === "fixed");
  // More than is declared is let through as far as it shows what is wrong, and as filters need.
  const more = Math.min((WIDEST_STAGE - 1) * declared, isPlain ? MAX_SURPLUS_BYTES : Infinity);
  const isSharded = planned.some(({ codec }) => codec?.id === "sharding_indexed");
  const headers = isSharded ? INNER_CHUNK_BYTES * elements : 0;
  return Math.min(MAX_STAGE_BYTES, declared + more + headers + STAGE_SLACK);
}

/** A chunk that no reader could hold: nothing of it is decoded. */
function tooLarge({ dataType, elements, chunkShape }: ChunkOutline): Finding | undefined {
  const declared = elements * dataType.itemSize;
  if (declared <= MAX_STAGE_BYTES) return undefined;
  const facts = { size: declared, limit: MAX_STAGE_BYTES, shape: chunkShape, itemSize: dataType.itemSize };
  return failure("chunk-too-large", WHOLE_SET, facts).finding;
}
