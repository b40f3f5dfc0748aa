/**
 * A repair for an array, tried on a sample of its chunks before it is offered: a fault of one chunk must not be put right
 * in all the others.
 */
import { metadataOfChunk } from "../../core/array-metadata.ts";
import type { CallContext } from "../../core/byte-source.ts";
import type { ArrayNode } from "../../core/hierarchy.ts";
import { jsonChanges } from "../../core/json-changes.ts";
import type {
  CheckedChunk,
  ChunkVerdict,
  DocumentChange,
  RangeChange,
  RepairCheck,
  Trial,
  ReadOutcome,
  AgainstRepair,
} from "../../core/lab.ts";
import { gridOf, insideShape, ordinalOf } from "../../core/chunk-grid.ts";
import { parseJson } from "../../core/parse-json.ts";
import type { TableEdit } from "../../core/studio.ts";
import { chunkReference, type ChunkReference } from "../chunk/chunk-reference.ts";
import { decodeChunk } from "../chunk/decode-chunk.ts";
import { arrayNode, type EngineSet } from "../engine-set.ts";
import { loadChunk, type LoadedChunk } from "../chunk/load-chunk.ts";
import { judgeChunk, type JudgedReading } from "./judge-chunk.ts";
import { loadTrial, movedRange } from "./load-trial.ts";
import { rangesOf } from "./ranges-of.ts";
import { repairEdits } from "./repair-edits.ts";
import { sampleChunks } from "./sample-chunks.ts";
import { trialMetadata } from "./trial-metadata.ts";
import { isDocument } from "../engine-set.ts";

export interface CheckRequest {
  readonly array: string;
  /** The chunk that the trial was found for: the first of the sample. */
  readonly coordinates: readonly number[];
  readonly trial: Trial;
}

const MAX_CHUNKS = 64;
/** Stored bytes, counted once per reading; the first chunk is read whatever its size. */
const MAX_BYTES = 64 * 2 ** 20;
const MAX_MILLISECONDS = 20_000;
/** Chunks read at the same time: requests wait for each other less, and few are in memory. */
const MAX_AT_ONCE = 4;

/**
 * @throws RefscopeError as `repairEdits` does, before anything is read; `trial-configuration`
 */
export async function checkRepair(
  set: EngineSet,
  { array, coordinates, trial }: CheckRequest,
  context: CallContext,
): Promise<RepairCheck> {
  const edits = await repairEdits(set, { array, coordinates, trial, scope: "array" }, context);
  const node = arrayNode(set, array);
  const id = set.index.arrayIds.get(array);
  const index = id === undefined ? undefined : await set.index.arrayIndex(id, context);
  const { shape, chunks: chunkShape } = node.metadata;
  const first = ordinalOf(gridOf(shape, chunkShape), coordinates) ?? -1;
  const sample =
    index === undefined ? { coordinates: [], of: 0 } : await sampleChunks(index, first, MAX_CHUNKS, context);
  const { chunks, stopped } = await trySample({ set, node, trial }, sample.coordinates, context);
  const refused = reasonAgainst(chunks);
  return {
    chunks,
    of: sample.of,
    ...(stopped === undefined ? {} : { stopped }),
    ...(refused === undefined ? {} : { refused }),
    edits,
    documents: documentChanges(set, edits),
    ranges: await rangeChange(set, node, trial, chunks, context),
  };
}

interface Tried {
  readonly set: EngineSet;
  readonly node: ArrayNode;
  readonly trial: Trial;
}

interface SampleResult {
  readonly chunks: readonly CheckedChunk[];
  readonly stopped?: NonNullable<RepairCheck["stopped"]>;
}

async function trySample(
  tried: Tried,
  sample: readonly (readonly number[])[],
  context: CallContext,
): Promise<SampleResult> {
  const deadline = performance.now() + MAX_MILLISECONDS;
  const found = new Map<number, CheckedChunk>();
  let next = 0;
  let bytes = 0;
  let stopped: SampleResult["stopped"];
  // Progress within a reading would hide how many chunks are done.
  const quiet: CallContext = { signal: context.signal, report: () => undefined };
  const worker = async () => {
    for (;;) {
      context.signal.throwIfAborted();
      const at = next;
      const coordinates = sample[at];
      if (coordinates === undefined) return;
      if (at > 0 && performance.now() > deadline) stopped ??= "time";
      if (at > 0 && bytes > MAX_BYTES) stopped ??= "bytes";
      if (stopped !== undefined) return;
      next += 1;
      const { checked, stored } = await tryOne(tried, coordinates, quiet);
      bytes += stored;
      found.set(at, checked);
      context.report({ label: "Trying it on other chunks", done: found.size, total: sample.length, unit: "chunks" });
    }
  };
  context.report({ label: "Trying it on other chunks", done: 0, total: sample.length, unit: "chunks" });
  await Promise.all(Array.from({ length: MAX_AT_ONCE }, worker));
  const chunks = [...found].toSorted(([a], [b]) => a - b).map(([, checked]) => checked);
  return stopped === undefined ? { chunks } : { chunks, stopped };
}

interface TriedChunk {
  readonly checked: CheckedChunk;
  /** Bytes that were read for it. */
  readonly stored: number;
}

async function tryOne(
  { set, node, trial }: Tried,
  coordinates: readonly number[],
  context: CallContext,
): Promise<TriedChunk> {
  const chunk = await chunkReference(set, node, coordinates, context);
  const { shift = 0, lengthen = 0 } = trial;
  const moved = shift !== 0 || lengthen !== 0;
  const before = await loadChunk(set, chunk, context);
  const after = moved ? await loadTrial(set, chunk, trial, context) : before;
  const about = { coordinates, key: chunk.key };
  const stored = sizeOf(before) + (moved ? sizeOf(after) : 0);
  if (before.kind !== "bytes" && after.kind !== "bytes") {
    return { checked: { ...about, verdict: "unread", before: unread(before), after: unread(after) }, stored };
  }
  const metadata = metadataOfChunk(node.metadata, coordinates);
  const declared = await readingOf(metadata, chunk, before, context);
  const otherwise = await readingOf(trialMetadata(metadata, trial), chunk, after, context);
  return { checked: { ...about, ...judgeChunk(declared, otherwise, moved) }, stored };
}

const sizeOf = (loaded: LoadedChunk): number => (loaded.kind === "bytes" ? loaded.bytes.length : 0);

const unread = (loaded: LoadedChunk): ReadOutcome =>
  loaded.kind === "failed" ? { kind: "failed", error: loaded.error } : { kind: "missing" };

async function readingOf(
  metadata: JudgedReading["metadata"],
  { node, coordinates }: ChunkReference,
  loaded: LoadedChunk,
  { signal }: CallContext,
): Promise<JudgedReading> {
  const inside = insideShape(node.metadata.shape, node.metadata.chunks, coordinates);
  if (loaded.kind === "bytes") {
    return { metadata, inside, decoded: await decodeChunk(metadata, loaded.bytes, signal) };
  }
  return { metadata, inside, decoded: loaded.kind === "failed" ? { error: loaded.error } : {} };
}

function reasonAgainst(chunks: readonly CheckedChunk[]): AgainstRepair | undefined {
  const count = (verdict: ChunkVerdict) => chunks.filter((one) => one.verdict === verdict).length;
  const [better, undecided] = [count("better"), count("undecided")];
  if (count("worse") > 0) return "worse";
  if (better === 0 && undecided === 0) return "none-better";
  return better <= undecided ? "undecided" : undefined;
}

function documentChanges({ documents }: EngineSet, edits: readonly TableEdit[]): readonly DocumentChange[] {
  return edits.flatMap((edit) => {
    if (edit.kind !== "set-reference") return [];
    const before = documents.get(edit.key)?.text;
    if (before === undefined) return [];
    const after = parseJson(edit.value).value;
    const changes = jsonChanges(parseJson(before).value, typeof after === "string" ? parseJson(after).value : after);
    return [{ key: edit.key, changes }];
  });
}

const MAX_EXAMPLES = 3;

async function rangeChange(
  set: EngineSet,
  node: ArrayNode,
  trial: Trial,
  chunks: readonly CheckedChunk[],
  context: CallContext,
): Promise<RangeChange | undefined> {
  const { shift = 0, lengthen = 0 } = trial;
  if ((shift === 0 && lengthen === 0) || !isDocument(set)) return undefined;
  const { ranges } = await rangesOf(set, node.path, { shift, lengthen }, context);
  const examples: RangeChange["examples"][number][] = [];
  for (const { coordinates } of chunks) {
    const { reference, key, written } = await chunkReference(set, node, coordinates, context);
    if (examples.length === MAX_EXAMPLES || reference.kind !== "range") continue;
    const moved = movedRange(reference, { shift, lengthen });
    if ("problem" in moved) continue;
    const after = `[${JSON.stringify(reference.target)}, ${moved.offset}, ${moved.length}]`;
    examples.push({ key, before: written, after });
  }
  return { count: ranges, examples };
}
