/** Likely repairs of a chunk: plausible other readings are tried, and those that give exactly its bytes are ranked. */
import { type ChunkMetadata, metadataOfChunk } from "#core/metadata/array-metadata.ts";
import type { CallContext } from "#core/byte-source.ts";
import { nodeName } from "#core/metadata/hierarchy-path.ts";
import type { Evidence, NothingSearched, Suggestion, Suggestions } from "#core/repair.ts";
import { chunkReference, type ChunkReference } from "../chunk/chunk-reference.ts";
import { arrayNode, type EngineSet } from "../engine-set.ts";
import { rowOf } from "../table/array-index.ts";
import { decodeChunk } from "../chunk/decode-chunk.ts";
import { type Move, openAttempts } from "./suggest/attempts.ts";
import type { Candidate, Search } from "./suggest/candidate.ts";
import {
  notApplied,
  otherElementSizes,
  otherOrders,
  undeclaredChecksums,
  undeclaredCompressors,
} from "./suggest/find-codecs.ts";
import { otherLengths, otherOffsets } from "./suggest/find-range.ts";
import { rawOffsets } from "./suggest/find-raw-offset.ts";
import { otherByteOrder, otherwiseMixed } from "./suggest/find-values.ts";
import { neighboursOf } from "./suggest/neighbours.ts";
import { loadWindow } from "./suggest/window.ts";
import { trialMetadata } from "./trial-metadata.ts";
import { entropyAs, isTurned } from "./suggest/values-of.ts";
import { sameBytes } from "#core/bytes.ts";

const MAX_KEPT = 500;

/** Suggests like `suggestRepairs`, and keeps the result with the set, so that nobody searches for it again. */
export async function keptSuggestions(...[set, array, coordinates, context]: Searched): Promise<Suggestions> {
  const found = await suggestRepairs(set, array, coordinates, context);
  const { suggestions: kept } = set.met;
  const isSearched = found.declared === "decodes" || found.declared === "fails";
  if (isSearched && kept.size < MAX_KEPT) kept.set(suggestionKey(array, coordinates), found);
  return found;
}

type Searched = Parameters<typeof suggestRepairs>;

/** Key of a chunk among `met.suggestions`. */
export const suggestionKey = (array: string, coordinates: readonly number[]): string =>
  `${array} ${coordinates.join(".")}`;

/**
 * Nothing is suggested for a chunk that decodes as declared unless its values, or a checksum, speak clearly for another
 * reading. Throws `no-such-array`, `outside-grid`, and an `AbortError` when the call is aborted.
 */
export async function suggestRepairs(
  set: EngineSet,
  array: string,
  coordinates: readonly number[],
  context: CallContext,
): Promise<Suggestions> {
  const known = set.met.suggestions.get(suggestionKey(array, coordinates));
  if (known !== undefined) return known;
  const search = await beginSearch(set, array, coordinates, context);
  if (typeof search === "string") return { suggestions: [], declared: search, expected: 0, tried: 0 };
  const { attempts, declared } = search;
  const found = declared.fits ? await speaksAgainst(search) : await whatFits(search);
  const suggestions = await confirmed(search, ranked(search, found));
  return {
    suggestions,
    declared: declared.fits ? "decodes" : "fails",
    expected: attempts.expected,
    tried: Math.max(0, attempts.tried() - 1),
  };
}

/** Suggestions that move the range, and change nothing else. */
export async function suggestedMoves(
  set: EngineSet,
  { node, coordinates }: ChunkReference,
  context: CallContext,
): Promise<readonly Move[]> {
  const { suggestions } = await suggestRepairs(set, node.path, coordinates, context);
  return suggestions.flatMap(({ trial: { shift = 0, lengthen = 0, steps, byteOrder } }) =>
    steps !== undefined || byteOrder !== undefined || (shift === 0 && lengthen === 0) ? [] : [{ shift, lengthen }],
  );
}

/** Or why there is nothing to search in. */
async function beginSearch(
  set: EngineSet,
  array: string,
  coordinates: readonly number[],
  context: CallContext,
): Promise<Search | NothingSearched> {
  const node = arrayNode(set, array);
  const chunk = await chunkReference(set, node, coordinates, context);
  const { reference, key, ordinal } = chunk;
  context.report({ label: `Searching for fixes of ${key}`, done: 0, unit: "requests" });
  if (reference.kind === "missing") return "no-reference";
  if (reference.kind === "bad") return "bad-reference";
  const id = set.index.arrayIds.get(node.path);
  const index = id === undefined ? undefined : await set.index.arrayIndex(id, context);
  const row = index === undefined ? -1 : rowOf(index, ordinal);
  const range = reference.kind === "range" ? { offset: reference.offset, length: reference.length } : undefined;
  const neighbours = range === undefined || row < 0 ? {} : neighboursOf(set.table, { row, ...range });
  const window = await loadWindow(set, chunk, neighbours, context);
  if (window === undefined) return "no-bytes";
  const metadata = metadataOfChunk(node.metadata, coordinates);
  if (stagesTogether(metadata) > MAX_STAGES_TOGETHER) return "too-large";
  const attempts = openAttempts(metadata, window, context.signal);
  const declared = await attempts.run(metadata.decoding);
  return { name: nodeName(node.path), metadata, window, neighbours, range, attempts, declared, context };
}

/** A search keeps the stages of what it tries. */
const MAX_STAGES_TOGETHER = 2 ** 30;

function stagesTogether({ chunks, dataType, decoding }: ChunkMetadata): number {
  const elements = chunks.reduce((product, length) => product * length, 1);
  return elements * dataType.itemSize * (decoding.length + 1);
}

/** From this score on a checksum supports a reading: slower attempts are not needed. */
const CERTAIN = 0.9;

/** The chunk does not decode as declared: whatever gives its bytes is worth a look. */
async function whatFits(search: Search): Promise<readonly Candidate[]> {
  const quick = [undeclaredChecksums, otherLengths, notApplied, otherOrders, undeclaredCompressors, otherElementSizes];
  const slow = [otherOffsets];
  const found: Candidate[] = [];
  for (const [at, find] of [...quick, ...slow].entries()) {
    if (at >= quick.length && found.some(({ score }) => score >= CERTAIN)) break;
    search.context.report({ label: "Trying other readings", done: search.attempts.tried(), unit: "chunks" });
    found.push(...(await find(search)));
  }
  return found;
}

async function speaksAgainst(search: Search): Promise<readonly Candidate[]> {
  const found = [...(await undeclaredChecksums(search))];
  if (search.metadata.dataType.kind === "object") return found;
  search.context.report({ label: "Weighing the values", done: search.attempts.tried(), unit: "chunks" });
  return [...found, ...(await otherwiseMixed(search)), ...otherByteOrder(search), ...rawOffsets(search)];
}

/** Those that the pipeline itself reads without an error, as a trial reading would. */
async function confirmed(search: Search, suggestions: readonly Suggestion[]): Promise<readonly Suggestion[]> {
  const { metadata, attempts, context } = search;
  const good: Suggestion[] = [];
  for (const suggestion of suggestions) {
    const { shift = 0, lengthen = 0 } = suggestion.trial;
    const stored = attempts.stored({ shift, lengthen });
    if (stored === undefined) continue;
    const decoded = await decodeChunk(
      trialMetadata(metadata, suggestion.trial),
      new Uint8Array(stored),
      context.signal,
    );
    if (decoded.error === undefined) good.push(suggestion);
  }
  return good;
}

// From candidates to suggestions: the best first, each decoding only once, no guesses beside certainties.

const MAX_SUGGESTIONS = 5;
/** Guesses this far behind the best are left out. */
const WIDEST_GAP = 0.4;
const MAX_JUDGED = 12;

function ranked(search: Search, candidates: readonly Candidate[]): readonly Suggestion[] {
  const judged = search.declared.fits ? candidates : judgedByValues(search, candidates);
  const sorted = judged.toSorted((a, b) => b.score - a.score);
  const best = sorted[0]?.score ?? 0;
  const distinct = sorted.filter(
    (one, at) => !sorted.slice(0, at).some((better) => isSameReading(better, one)) && one.score > best - WIDEST_GAP,
  );
  return distinct.slice(0, MAX_SUGGESTIONS).map((one) => suggestionOf(search, one));
}

/** True if two candidates decode to the same values: only the better explained one stays. */
function isSameReading(one: Candidate, other: Candidate): boolean {
  if (one.bytes === other.bytes) return one.trial.byteOrder === other.trial.byteOrder;
  return one.trial.byteOrder === other.trial.byteOrder && sameBytes(one.bytes, other.bytes);
}

/** Among readings that only give the right size, those with more order in their values come first. */
function judgedByValues({ metadata }: Search, candidates: readonly Candidate[]): readonly Candidate[] {
  if (metadata.dataType.itemSize === 0) return candidates;
  return candidates
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MAX_JUDGED)
    .map((one) => {
      const bits = entropyAs(metadata, one.bytes)?.bits ?? 4;
      const turned = isTurned(metadata, one.bytes) ? 0.05 : 0;
      return { ...one, score: Math.max(0, one.score + 0.1 * (1 - bits / 8) - 0.1 - turned) };
    });
}

function suggestionOf({ attempts }: Search, { change, trial, evidence, score }: Candidate): Suggestion {
  const { expected: bytes } = attempts;
  const size: readonly Evidence[] = bytes === 0 ? [] : [{ kind: "exact-size", bytes }];
  return { change, trial, evidence: [...evidence, ...size], score: Math.min(1, score) };
}
