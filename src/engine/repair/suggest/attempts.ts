/** Trial decodings of one chunk: each a range of its window and a list of codecs, what they share decoded once. */
import type { ChunkOutline, CodecLookup } from "#codecs/codec.ts";
import { loadCodecs } from "#codecs/find-codec.ts";
import { runPipeline } from "#codecs/pipeline.ts";
import { chainError, planFor, type PlannedCodec } from "#codecs/plan.ts";
import type { ChunkMetadata, CodecConfiguration } from "#core/metadata/array-metadata.ts";
import { cellCount } from "#core/metadata/chunk-grid.ts";
import { isAbort } from "#core/findings/finding.ts";
import { writeJson } from "#core/json/parse-json.ts";
import { isCompressor, verifies } from "./codec-roles.ts";
import { bareName } from "#core/metadata/codec-table.ts";
import type { ChunkWindow } from "./window.ts";

type Bytes = Uint8Array<ArrayBuffer>;

export interface Move {
  readonly shift: number;
  readonly lengthen: number;
}

export const STAY: Move = { shift: 0, lengthen: 0 };

export interface Attempt {
  /** True if it gave exactly the bytes of the chunk. */
  readonly fits: boolean;
  /** The stored bytes, then those after each codec that worked. */
  readonly stages: readonly Bytes[];
  /** Checksums that were verified on the way, by the names of their codecs. */
  readonly verified: readonly string[];
  /** Streams without a checksum whose structure held to the end. */
  readonly sound: readonly string[];
}

export type Attempts = ReturnType<typeof openAttempts>;

const MAX_TRIALS = 220;
const MAX_MILLISECONDS = 1600;
const MAX_KEPT_BYTES = 128 * 2 ** 20;
const STAGE_SLACK = 64 * 1024;
const WIDEST_STAGE = 8;
const MAX_STAGE_BYTES = 2 ** 31 - 1;

interface Stage {
  readonly bytes: Bytes;
  readonly isVerified: boolean;
}

interface Memory {
  readonly kept: Map<string, Stage | undefined>;
  bytes: number;
}

export function openAttempts(metadata: ChunkMetadata, window: ChunkWindow, signal: AbortSignal) {
  const outline = outlineOf(metadata);
  const expected = outline.elements * metadata.dataType.itemSize;
  const limit = Math.min(MAX_STAGE_BYTES, expected * WIDEST_STAGE + STAGE_SLACK);
  const memory: Memory = { kept: new Map(), bytes: 0 };
  const deadline = performance.now() + MAX_MILLISECONDS;
  let tried = 0;
  const stored = (move: Move) => storedBytes(window, move);
  return {
    /** Bytes that the chunk decodes to; 0 for elements of no fixed size. */
    expected,
    /** The stored bytes of a moved range; `undefined` where it lies outside the window. */
    stored,
    tried: () => tried,
    /** True while time and trials are left. */
    mayGoOn: () => tried < MAX_TRIALS && performance.now() < deadline,
    /** Never throws but for an abort. Outside the window nothing fits. */
    async run(decoding: readonly CodecConfiguration[], move: Move = STAY): Promise<Attempt> {
      signal.throwIfAborted();
      tried += 1;
      const input = stored(move);
      if (input === undefined) return NO_FIT;
      const changed = { ...metadata, decoding };
      if (metadata.dataType.kind === "object") return runWhole(changed, input, signal);
      const planned = allowedPlan(changed, outline, await loadCodecs(decoding));
      if (planned === undefined) return NO_FIT;
      return runChain(planned, input, `${move.shift} ${move.lengthen}`, { memory, limit, expected, signal });
    },
  };
}

const NO_FIT: Attempt = { fits: false, stages: [], verified: [], sound: [] };

function outlineOf({ dataType, chunks, fillValue }: ChunkMetadata): ChunkOutline {
  return { dataType, chunkShape: chunks, elements: cellCount(chunks), fillValue };
}

function storedBytes({ bytes, start, length }: ChunkWindow, { shift, lengthen }: Move): Bytes | undefined {
  const from = start + shift;
  const to = from + length + lengthen;
  return from < 0 || to > bytes.length || to <= from ? undefined : bytes.subarray(from, to);
}

/** `undefined` where Zarr v3 allows no such list. */
function allowedPlan(metadata: ChunkMetadata, outline: ChunkOutline, codecs: CodecLookup) {
  const isAllowed = metadata.zarrFormat === 2 || chainError(metadata.decoding, codecs) === undefined;
  return isAllowed ? planFor(metadata, outline, codecs) : undefined;
}

interface Run {
  readonly memory: Memory;
  readonly limit: number;
  readonly expected: number;
  readonly signal: AbortSignal;
}

async function runChain(planned: readonly PlannedCodec[], input: Bytes, place: string, run: Run): Promise<Attempt> {
  const stages = [input];
  const verified: string[] = [];
  const sound: string[] = [];
  let key = place;
  for (const one of planned) {
    const { id, configuration } = one.configuration;
    key += `|${id}${writeJson(configuration)}${one.outline.chunkShape.join()}${one.outline.otherType === true}`;
    const stage = await remembered(key, run.memory, () => runStage(one, stages.at(-1) ?? input, run));
    if (stage === undefined) return { fits: false, stages, verified, sound };
    stages.push(stage.bytes);
    const name = bareName(id);
    if (stage.isVerified) verified.push(name);
    else if (isCompressor(name)) sound.push(name);
  }
  return { fits: stages.at(-1)?.length === run.expected, stages, verified, sound };
}

async function remembered(
  key: string,
  memory: Memory,
  make: () => Promise<Stage | undefined>,
): Promise<Stage | undefined> {
  if (memory.kept.has(key)) return memory.kept.get(key);
  const stage = await make();
  memory.bytes += stage?.bytes.length ?? 0;
  if (memory.bytes > MAX_KEPT_BYTES) {
    memory.kept.clear();
    memory.bytes = stage?.bytes.length ?? 0;
  }
  memory.kept.set(key, stage);
  return stage;
}

async function runStage(
  { codec, configuration: { id, configuration }, outline }: PlannedCodec,
  input: Bytes,
  { limit, signal }: Run,
): Promise<Stage | undefined> {
  if (codec === undefined) return undefined;
  try {
    const bytes = await codec.prepare(configuration, outline).decode(input, limit, signal);
    return { bytes, isVerified: verifies(id, input) };
  } catch (error) {
    if (isAbort(error)) throw error;
    return undefined;
  }
}

/** Elements of no fixed size: only the whole pipeline knows whether they are as many as there should be. */
async function runWhole(metadata: ChunkMetadata, input: Bytes, signal: AbortSignal): Promise<Attempt> {
  const { stages, bytes } = await runPipeline(metadata, input, signal);
  const done = stages.flatMap((stage) => stage.bytes ?? []);
  const passed = stages.slice(1).filter((stage) => stage.bytes !== undefined);
  const verified = passed.filter(({ id }, at) => verifies(id, done[at] ?? input));
  return { fits: bytes !== undefined, stages: done, verified: verified.map(({ id }) => bareName(id)), sound: [] };
}
