/**
 * Fixes: a chunk read otherwise than declared, what is likely to help, of a chunk and of a cause, and the edits for
 * it.
 */
import { codecDescriptions } from "#codecs/find-codec.ts";
import { type ArrayMetadata, type ArrayNode, metadataOfChunk } from "#core/metadata/array-metadata.ts";
import type { CallContext } from "#core/byte-source.ts";
import { coordinatesOf, gridOf, insideShape, ordinalOf } from "#core/metadata/chunk-grid.ts";
import { chunkAt, failure, nodeAt, WHOLE_SET } from "#core/findings/finding.ts";
import type { FactsOf, Place, RefscopeError } from "#core/findings/finding.ts";
import { jsonChanges } from "#core/json/json-changes.ts";
import type { CodecDescription, Trial } from "#core/check/lab.ts";
import type { Suggestions } from "#core/repair.ts";
import type {
  AgainstRepair,
  CheckedChunk,
  ChunkVerdict,
  DocumentChange,
  ForeseenChunk,
  RangeChange,
  ReadAgain,
  ReadOutcome,
  RepairCheck,
  RepairScope,
  RepairSearch,
} from "#core/repair-offer.ts";
import { parseJson } from "#core/json/parse-json.ts";
import type { Reading } from "#core/reading.ts";
import { ORDINAL_STRAY } from "#core/table/reference-table.ts";
import { STATE_CODE } from "#core/table/reference.ts";
import type { TableEdit } from "#core/studio.ts";
import { chunkReference, type ChunkReference } from "../chunk/chunk-reference.ts";
import { decodeChunk } from "../chunk/decode-chunk.ts";
import { loadChunk, type LoadedChunk } from "../chunk/load-chunk.ts";
import { decodeReading, type ReadChunk } from "../chunk/read-chunk.ts";
import type { KeptReadings } from "../chunk/readings.ts";
import { shiftedRange, type ShiftRanges } from "../edit/text-edits.ts";
import { arrayNode, type DocumentSet, type EngineSet, isDocument } from "../engine-set.ts";
import { eachAtOnce } from "../kept.ts";
import { startPace } from "../pace.ts";
import type { ChunkDecoder } from "../chunk/chunk-decoder.ts";
import type { EngineContext } from "../sessions.ts";
import { type ArrayIndex, eachBlock, ENTRY_FAILED, ENTRY_UNKNOWN } from "../table/array-index.ts";
import { lengthOf, stateCodeOf } from "../table/batch.ts";
import { changesMetadata, documentEdits } from "./edited-metadata.ts";
import { fingerprintOf, judgeChunk, type JudgedReading, readOutcome } from "./judge-chunk.ts";
import { loadTrial, type Move, movedRange, trialMetadata } from "./trial-metadata.ts";
import { keptSuggestions } from "./suggest.ts";
import type { CauseRequest } from "./search/find-repairs.ts";

interface OfChunk {
  readonly set: number;
  readonly array: string;
  readonly coordinates: readonly number[];
}

/** `chunks`: of the cause, where that is more than `subjects`. */
type OfCause = { readonly set: number } & Pick<CauseRequest, "subjects"> & Partial<CauseRequest>;

type NoRequest = Readonly<Record<string, never>>;

export function repairOperations({ sessions, stages, decoder }: EngineContext) {
  return {
    /** A reading like any other; what is known of the chunk stays as it was. Throws `trial-configuration`. */
    async tryRead(
      { set, array, coordinates, trial }: OfChunk & { readonly trial: Trial },
      context: CallContext,
    ): Promise<Reading> {
      const { set: engineSet, readings } = sessions.get(set);
      const chunk = await tryChunk(engineSet, { array, coordinates, trial }, { readings, decoder }, context);
      stages.hold(chunk);
      return { id: readings.add(chunk), ...chunk.reading };
    },
    /** Likely repairs of a chunk. */
    suggest: ({ set, array, coordinates }: OfChunk, context: CallContext): Promise<Suggestions> =>
      keptSuggestions(sessions.get(set).set, array, coordinates, context),
    /**
     * Edits with which the chunk, or its array, is read as the trial reads it. Throws `not-editable`,
     * `trial-configuration`.
     */
    edits: (
      { set, ...what }: OfChunk & { readonly trial: Trial; readonly scope: RepairScope },
      context: CallContext,
    ): Promise<readonly TableEdit[]> => repairEdits(sessions.get(set).set, what, context),
    /** Tries a repair on a sample of the array's chunks. Throws as `repairEdits` does. */
    check: ({ set, ...what }: OfChunk & { readonly trial: Trial }, context: CallContext): Promise<RepairCheck> =>
      checkRepair(sessions.get(set).set, what, context),
    /** Reads chunks of an edited set, to see whether they are read as a repair foresaw. */
    readAgain: (
      { set, array, chunks }: Omit<OfChunk, "coordinates"> & { readonly chunks: readonly ForeseenChunk[] },
      context: CallContext,
    ): Promise<ReadAgain> => readAgain(sessions.get(set).set, array, chunks, context),
    /**
     * Repairs of a cause, for all of its places or for each; each was read and decodes. Throws as `findRepairs` does.
     */
    async ofCause(
      { set, subjects, chunks = subjects.length, isUnasked = false }: OfCause,
      context: CallContext,
    ): Promise<readonly RepairSearch[]> {
      const { keptRepairs } = await import("./search/find-repairs.ts");
      return keptRepairs(sessions.get(set).set, { subjects, chunks, isUnasked }, context);
    },
    /** Codecs for a list to choose from. */
    codecs: codecDescriptions as (request: NoRequest) => readonly CodecDescription[],
  };
}

// Chunks of a repaired array, read again in the edited set: only then is the repair said to work.

/** Throws `no-such-array`, `outside-grid`. */
async function readAgain(
  set: EngineSet,
  array: string,
  chunks: readonly ForeseenChunk[],
  context: CallContext,
): Promise<ReadAgain> {
  const quiet: CallContext = { signal: context.signal, report: () => undefined };
  const wrong: ReadAgain["wrong"][number][] = [];
  for (const [done, chunk] of chunks.entries()) {
    context.signal.throwIfAborted();
    context.report({ label: "Reading again", done, total: chunks.length, unit: "chunks" });
    const found = await faultOf(set, chunk.array ?? array, chunk, quiet);
    if (found !== undefined) wrong.push(found);
  }
  return { read: chunks.length, wrong };
}

async function faultOf(
  set: EngineSet,
  array: string,
  { coordinates, fingerprint }: ForeseenChunk,
  context: CallContext,
): Promise<ReadAgain["wrong"][number] | undefined> {
  const { metadata, ...node } = arrayNode(set, array);
  const chunk = await chunkReference(set, { metadata, ...node }, coordinates, context);
  const { key } = chunk;
  const loaded = await loadChunk(set, chunk, context);
  if (loaded.kind === "failed") return { key, found: { kind: "failed", error: loaded.error } };
  if (loaded.kind === "missing") return { key, found: { kind: "missing" } };
  const of = metadataOfChunk(metadata, coordinates);
  const inside = insideShape(metadata.shape, metadata.chunks, coordinates);
  const reading = { metadata: of, inside, decoded: await decodeChunk(of, loaded.bytes, context.signal) };
  const now = fingerprintOf(reading);
  const isForeseen = now !== undefined && (fingerprint === undefined || now === fingerprint);
  return isForeseen ? undefined : { key, found: readOutcome(reading) };
}

// One chunk, not read as declared: a reading like any other, recorded nowhere else.

interface TrialRequest extends Omit<OfChunk, "set"> {
  readonly trial: Trial;
}

/**
 * Bytes that an earlier reading of the chunk fetched are not fetched again.
 *
 * @throws RefscopeError `trial-configuration`, `no-such-array`, `outside-grid`
 */
async function tryChunk(
  set: EngineSet,
  { array, coordinates, trial }: TrialRequest,
  { readings, decoder }: { readonly readings: KeptReadings; readonly decoder: ChunkDecoder },
  context: CallContext,
): Promise<ReadChunk> {
  const declared = arrayNode(set, array);
  const node: ArrayNode = { ...declared, metadata: trialMetadata(declared.metadata, trial) };
  const chunk = await chunkReference(set, declared, coordinates, context);
  context.report({ label: `Trying ${chunk.key}`, done: 0, unit: "bytes" });
  const known = readings.latest(array, coordinates, (one) => isSameRange(set, chunk, trial, one));
  const loaded = known?.loaded ?? (await loadTrial(set, chunk, trial, context));
  const read = await decodeReading(node, chunk, loaded, decoder, context);
  return { ...read, reading: { ...read.reading, trial } };
}

/** The same reference, moved by the same amount, read from where its target is now. */
function isSameRange(
  set: EngineSet,
  { reference, written }: ChunkReference,
  trial: Trial,
  { reading, loaded }: ReadChunk,
) {
  if (loaded.kind !== "bytes" || reading.written !== written) return false;
  const { shift = 0, lengthen = 0 } = reading.trial ?? {};
  if (shift !== (trial.shift ?? 0) || lengthen !== (trial.lengthen ?? 0)) return false;
  return isSamePlace(set, reference, loaded);
}

function isSamePlace(set: EngineSet, reference: ChunkReference["reference"], { resolution }: LoadedChunk): boolean {
  if (reference.kind === "inline") return true;
  const now =
    reference.kind === "range" || reference.kind === "whole"
      ? set.targets.resolve(reference.target)
      : reference.kind === "native"
        ? set.resolveKey?.(reference.key)
        : undefined;
  return now !== undefined && JSON.stringify(now) === JSON.stringify(resolution);
}

// A repair for an array, tried on a sample of its chunks before it is offered: a fault of one chunk must not be put
// right in all the others.

const MAX_CHUNKS = 64;
/** Stored bytes, counted once per reading; the first chunk is read whatever its size. */
const MAX_BYTES = 64 * 2 ** 20;
const MAX_MILLISECONDS = 20_000;
/** Chunks read at the same time: requests wait for each other less, and few are in memory. */
const MAX_AT_ONCE = 4;

/**
 * `coordinates`: of the chunk that the trial was found for, the first of the sample.
 *
 * @throws RefscopeError as `repairEdits` does, before anything is read; `trial-configuration`
 */
async function checkRepair(
  set: EngineSet,
  { array, coordinates, trial }: TrialRequest,
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
  const tried = await trySample({ set, node, trial }, sample.coordinates, context);
  const { chunks } = tried;
  const refused = reasonAgainst(chunks);
  return {
    ...tried,
    of: sample.of,
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

async function trySample(
  tried: Tried,
  sample: readonly (readonly number[])[],
  context: CallContext,
): Promise<Pick<RepairCheck, "chunks" | "stopped">> {
  const deadline = performance.now() + MAX_MILLISECONDS;
  const found = new Map<number, CheckedChunk>();
  let bytes = 0;
  let stopped: RepairCheck["stopped"];
  // Progress within a reading would hide how many chunks are done.
  const quiet: CallContext = { signal: context.signal, report: () => undefined };
  function* withinLimits() {
    for (const one of sample.entries()) {
      context.signal.throwIfAborted();
      if (one[0] > 0 && performance.now() > deadline) stopped ??= "time";
      if (one[0] > 0 && bytes > MAX_BYTES) stopped ??= "bytes";
      if (stopped !== undefined) return;
      yield one;
    }
  }
  const [label, total] = ["Trying it on other chunks", sample.length];
  context.report({ label, done: 0, total, unit: "chunks" });
  await eachAtOnce(withinLimits(), MAX_AT_ONCE, async ([at, coordinates]) => {
    const { checked, stored } = await tryOne(tried, coordinates, quiet);
    bytes += stored;
    found.set(at, checked);
    context.report({ label, done: found.size, total, unit: "chunks" });
  });
  const chunks = [...found].toSorted(([a], [b]) => a - b).map(([, checked]) => checked);
  return stopped === undefined ? { chunks } : { chunks, stopped };
}

/** `stored`: bytes that were read for it. */
async function tryOne(
  { set, node, trial }: Tried,
  coordinates: readonly number[],
  context: CallContext,
): Promise<{ readonly checked: CheckedChunk; readonly stored: number }> {
  const chunk = await chunkReference(set, node, coordinates, context);
  const { shift = 0, lengthen = 0 } = trial;
  const moved = shift !== 0 || lengthen !== 0;
  const before = await loadChunk(set, chunk, context);
  const after = moved ? await loadTrial(set, chunk, trial, context) : before;
  const about = { coordinates, key: chunk.key };
  const stored = loadedBytes(before) + (moved ? loadedBytes(after) : 0);
  if (before.kind !== "bytes" && after.kind !== "bytes") {
    return { checked: { ...about, verdict: "unread", before: unread(before), after: unread(after) }, stored };
  }
  const metadata = metadataOfChunk(node.metadata, coordinates);
  const declared = await readingOf(metadata, chunk, before, context);
  const otherwise = await readingOf(trialMetadata(metadata, trial), chunk, after, context);
  return { checked: { ...about, ...judgeChunk(declared, otherwise, moved) }, stored };
}

const loadedBytes = (loaded: LoadedChunk): number => (loaded.kind === "bytes" ? loaded.bytes.length : 0);

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

// A sample of an array's chunks: spread evenly over those that have a reference.

/**
 * Sample of chunks in an order in which also the first few are spread over the array; `of`: chunks that have a
 * reference, or may have one if that is not known yet.
 *
 * @param first ordinal of a chunk that is to be the first of the sample, if it has a reference
 */
async function sampleChunks(index: ArrayIndex, first: number, size: number, context: CallContext) {
  const { rows, ordinals, listed, grid = [] } = index;
  const pace = startPace(context, "Counting the array's chunks", listed);
  const of = await countEntries(index, pace);
  const step = of / Math.min(size, of);
  const wanted = Array.from({ length: Math.min(size, of) }, (_, at) => Math.floor((at + 0.5) * step));
  const picked: number[] = [];
  let isFirstThere = false;
  let seen = 0;
  for (let entry = 0; entry < listed; entry += 1) {
    if (!hasReference(rows[entry] as number)) continue;
    const ordinal = ordinals?.[entry] ?? entry;
    if (ordinal === first) isFirstThere = true;
    if (seen === wanted[picked.length]) picked.push(ordinal);
    seen += 1;
    if ((entry & 0xffff) === 0xffff) await pace.yieldIfDue(entry);
  }
  const spread = spreadOrder(picked).filter((ordinal) => ordinal !== first);
  const sample = (isFirstThere ? [first, ...spread] : spread).slice(0, size);
  return { coordinates: sample.map((ordinal) => coordinatesOf(grid, ordinal)), of };
}

async function countEntries({ rows, listed }: ArrayIndex, pace: ReturnType<typeof startPace>): Promise<number> {
  let count = 0;
  for (let entry = 0; entry < listed; entry += 1) {
    if (hasReference(rows[entry] as number)) count += 1;
    if ((entry & 0xffff) === 0xffff) await pace.yieldIfDue(entry);
  }
  return count;
}

const hasReference = (row: number): boolean => row !== 0 && (row < ENTRY_FAILED || row === ENTRY_UNKNOWN);

/** Orders places by their reversed bits: the middle before the quarters, these before the eighths. */
function spreadOrder(ordinals: readonly number[]): readonly number[] {
  const bits = Math.ceil(Math.log2(Math.max(2, ordinals.length)));
  const turned = (at: number) => Number.parseInt(at.toString(2).padStart(bits, "0").split("").toReversed().join(""), 2);
  return ordinals
    .map((ordinal, at) => ({ ordinal, rank: turned(at) }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ ordinal }) => ordinal);
}

// A trial as edits of the reference set: another metadata document, another reference, or all ranges of the array
// moved.

/**
 * None where the trial changes nothing.
 *
 * @throws RefscopeError `not-editable`, with advice, where the set cannot be edited so; `trial-configuration`
 */
async function repairEdits(
  set: EngineSet,
  { array, coordinates, trial, scope }: TrialRequest & { readonly scope: RepairScope },
  context: CallContext,
): Promise<readonly TableEdit[]> {
  if (!isDocument(set)) throw notEditable(WHOLE_SET, { problem: "not-a-document", format: set.format.label });
  const node = arrayNode(set, array);
  const codecs = changesMetadata(node.metadata, trial) ? codecEdits(set, node, trial, scope) : [];
  const { shift = 0, lengthen = 0 } = trial;
  if (shift === 0 && lengthen === 0) return codecs;
  if (node.metadata.sharding !== undefined) throw notEditable(chunkAt(array, coordinates), { problem: "inner-chunk" });
  const move = { shift, lengthen };
  if (scope === "array") return [...codecs, await movedRanges(set, node, move, context)];
  return [...codecs, await movedReference(set, node, coordinates, move, context)];
}

function codecEdits(set: DocumentSet, node: ArrayNode, trial: Trial, scope: RepairScope): readonly TableEdit[] {
  if (scope === "chunk") throw notEditable(nodeAt(node.path), { problem: "codecs-of-chunk" });
  const edits = documentEdits(set, node.path, node.metadata, trial);
  if (edits.length > 0) return edits;
  throw notEditable(nodeAt(node.path), { problem: "no-metadata", document: documentName(node.metadata) });
}

const documentName = ({ zarrFormat }: ArrayMetadata): string => (zarrFormat === 2 ? ".zarray" : "zarr.json");

async function movedReference(
  set: DocumentSet,
  node: ArrayNode,
  coordinates: readonly number[],
  move: Move,
  context: CallContext,
): Promise<TableEdit> {
  const { reference, origin, key } = await chunkReference(set, node, coordinates, context);
  const place = chunkAt(node.path, coordinates);
  if (origin?.kind === "gen") throw madeByGen(place, 1);
  if (reference.kind !== "range") throw notEditable(place, { problem: "no-range", reference: reference.kind });
  const moved = movedRange(reference, move);
  if ("problem" in moved) throw failure("trial-range", place, moved);
  const url = origin?.kind === "refs" ? (origin.written ?? reference.target) : reference.target;
  const value = `[${JSON.stringify(url)},${moved.offset},${moved.length}]`;
  return { kind: "set-reference", key, value };
}

async function movedRanges(
  set: DocumentSet,
  { path }: ArrayNode,
  move: Move,
  context: CallContext,
): Promise<TableEdit> {
  const { ranges, impossible, madeByGen: generated } = await rangesOf(set, path, move, context);
  const place = nodeAt(path);
  if (generated > 0) throw madeByGen(place, generated);
  if (ranges === 0) throw notEditable(place, { problem: "no-range", reference: "missing" });
  if (impossible > 0) throw notEditable(place, { problem: "impossible-ranges", impossible, ranges });
  return { kind: "shift-ranges", path, ...move };
}

function notEditable(place: Place, facts: FactsOf<"not-editable">): RefscopeError {
  return failure("not-editable", place, facts);
}

function madeByGen(place: Place, references: number): RefscopeError {
  return notEditable(place, { problem: "generated", made: "references", references });
}

// All ranges of an array, counted for a move: one pass over the columns.

/** `impossible`: of the ranges, those that cannot be moved so. `madeByGen`: references of any kind. */
async function rangesOf(
  { table, index, origins }: DocumentSet,
  path: string,
  move: Pick<ShiftRanges, "shift" | "lengthen">,
  context: CallContext,
) {
  const id = index.arrayIds.get(path);
  const counts = { ranges: 0, impossible: 0, madeByGen: 0 };
  if (id === undefined) return counts;
  const pace = startPace(context, "Counting the array's ranges", table.rows);
  await eachBlock(table, pace, (block, first, size) => {
    for (let at = 0; at < size; at += 1) {
      if (block.array[at] !== id || block.ordinal[at] === ORDINAL_STRAY) continue;
      if (first + at >= origins.refsRows || origins.genOrdinal(first + at) !== undefined) counts.madeByGen += 1;
      const [target = 0, offset = 0, length = 0] = [block.target[at], block.offset[at], block.length[at]];
      if (stateCodeOf(target, length) !== STATE_CODE.range) continue;
      counts.ranges += 1;
      if (shiftedRange(offset, lengthOf(table, first + at, target, length), move) === undefined) counts.impossible += 1;
    }
  });
  return counts;
}
