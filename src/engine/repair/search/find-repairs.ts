/** Repairs of what a check found: each was read, and decodes to exactly the bytes that the chunk should have. */
import { chunkBytes, hasRegularChunks, metadataOfLargest } from "#core/metadata/array-metadata.ts";
import type { ArrayMetadata, ArrayNode, ChunkMetadata } from "#core/metadata/array-metadata.ts";
import type { CallContext } from "#core/byte-source.ts";
import { cellCount, coordinatesOf, gridOf, parseChunkName } from "#core/metadata/chunk-grid.ts";
import { RefscopeError } from "#core/findings/finding.ts";
import { parentPath } from "#core/metadata/hierarchy-path.ts";
import type { JsonNode } from "#core/json/json.ts";
import { FEW_PLACES } from "#core/repair.ts";
import type { Certainty, GridMember, NotEditable, RepairEvidence, RepairSubject } from "#core/repair.ts";
import { type RepairOffer, type RepairSearch } from "#core/repair-offer.ts";
import type { TableEdit } from "#core/studio.ts";
import { chunkReference, referenceAt } from "#engine/chunk/chunk-reference.ts";
import { arrayNode, type DocumentSet, type EngineSet, isDocument } from "#engine/engine-set.ts";
import { documentEdits, editsOfDocuments } from "../edited-metadata.ts";
import { suggestionKey } from "../suggest.ts";
import { trialMetadata } from "../trial-metadata.ts";
import { rowOf } from "#engine/table/array-index.ts";
import { sizeConflicts } from "#core/metadata/dimension-sizes.ts";
import { alikeRepair } from "./alike/alike-offer.ts";
import { ALIKE_LIMITS, limitsFor, unasked, UNASKED_IN_ALL, UNASKED_LIMITS, withBudget } from "./budget.ts";
import type { RepairLimits } from "./budget.ts";
import { searchRanges } from "./chunk-search.ts";
import { decodingTask, tryRange } from "./range-candidates.ts";
import { inlineRepair } from "./inline-offer.ts";
import { padRepair } from "./pad-offer.ts";
import { rangeOffers } from "./range-offers.ts";
import { rangeReader } from "./range-reader.ts";
import { alikeRemoval, separatorOffer, strayOffers } from "./stray-offers.ts";
import { editsOrWhyNot } from "./written-reference.ts";

/** Throws `no-such-array`, `outside-grid`, and an `AbortError` when the call is aborted. */
export async function findRepairs(
  set: EngineSet,
  subject: RepairSubject,
  context: CallContext,
  limits: RepairLimits = limitsFor(bytesOf(set, subject)),
): Promise<RepairSearch> {
  const budget = withBudget(set, limits);
  const label = labelOf(subject);
  context.report({ label: `Searching for fixes of ${label}`, done: 0, unit: "requests" });
  const quiet: CallContext = { signal: context.signal, report: () => undefined };
  const offers = await offersOf(budget.set, subject, quiet);
  const ended = budget.ended();
  return { subject, offers, spent: budget.spent(), ...(ended && { ended }) };
}

function labelOf(subject: RepairSubject): string {
  if (subject.kind === "key") return subject.key;
  const name = subject.array === "" ? "/" : subject.array;
  return subject.kind === "chunk" ? `${name} ${subject.coordinates.join(".")}` : `the metadata of ${name}`;
}

function offersOf(set: EngineSet, subject: RepairSubject, context: CallContext): Promise<readonly RepairOffer[]> {
  switch (subject.kind) {
    case "key":
      return strayOffers(set, subject.key, context);
    case "chunk":
      return chunkOffers(set, subject.array, subject.coordinates, context);
    case "metadata":
      return gridOffers(set, subject.array, subject.chunks, context);
  }
}

async function chunkOffers(
  set: EngineSet,
  array: string,
  coordinates: readonly number[],
  context: CallContext,
): Promise<readonly RepairOffer[]> {
  const node = arrayNode(set, array);
  const chunk = await chunkReference(set, node, coordinates, context);
  if (chunk.reference.kind === "missing") {
    const renamed = await separatorOffer(set, set.index.arrayIds.get(node.path) ?? -1, context);
    return renamed === undefined ? [] : [renamed];
  }
  const found = await searchRanges(set, chunk, context);
  return found === undefined ? [] : rangeOffers(set, chunk, found, context);
}

function bytesOf(set: EngineSet, subject: RepairSubject): number {
  const node = subject.kind !== "key" ? set.hierarchy.nodes.get(subject.array) : undefined;
  return node?.kind === "array" ? chunkBytes(metadataOfLargest(node.metadata)) : 0;
}

export interface CauseRequest {
  /** The first places of the cause; before them the array whose metadata may be its cause. */
  readonly subjects: readonly RepairSubject[];
  /** Chunks or keys affected; exceeds `subjects` if the list is cut. */
  readonly chunks: number;
  /** Within less: what is found does not depend on how many of its chunks happen to be known. */
  readonly isUnasked: boolean;
}

const MAX_KEPT = 500;

/**
 * Repairs as `repairsOf` finds them, kept with the set: a fix that was found stays, however often its cause is looked at,
 * and is not searched for again unasked.
 */
export async function keptRepairs(
  set: EngineSet,
  request: CauseRequest,
  context: CallContext,
): Promise<readonly RepairSearch[]> {
  const { searches } = set.met;
  const { subjects, chunks, isUnasked } = request;
  const [key, of] = [JSON.stringify(subjects), `${chunks} ${set.revision}`];
  const kept = searches.get(key);
  const isAnswer = kept?.of === of && (isUnasked || !kept.isUnasked);
  const isFound = kept?.found.some(({ offers }) => offers.length > 0) === true;
  if (kept !== undefined && (isAnswer || (isUnasked && isFound))) return kept.found;
  const found = await repairsOf(set, request, context);
  // A search that only took too long may end well the next time.
  const isLate = found.some(({ ended, offers }) => ended === "time" && offers.length === 0);
  if (!isLate && (searches.size < MAX_KEPT || kept !== undefined)) searches.set(key, { of, isUnasked, found });
  return found;
}

/**
 * Repairs of a cause: one that holds for all of its chunks if the same is wrong with each; else one for each place, of
 * many the first. Throws as `findRepairs` does.
 */
export async function repairsOf(
  set: EngineSet,
  { subjects: all, chunks, isUnasked }: CauseRequest,
  context: CallContext,
): Promise<readonly RepairSearch[]> {
  const ofMetadata = all.find(({ kind }) => kind === "metadata");
  const find = (subject: RepairSubject, found: readonly RepairSearch[]): Promise<RepairSearch> =>
    isUnasked
      ? unasked(set, found, UNASKED_LIMITS, (limits) => findRepairs(set, subject, context, limits))
      : findRepairs(set, subject, context);
  const grid = ofMetadata && (await find(ofMetadata, []));
  const subjects = all.filter((one) => one !== ofMetadata);
  // If the metadata are wrong, the references are not.
  if (grid !== undefined && (grid.offers.length > 0 || subjects.length === 0)) return [grid];
  const padded = await padRepair(set, subjects, context);
  if (padded !== undefined) return [padded];
  const declared = codecRepair(set, subjects, chunks);
  if (declared !== undefined) return [declared];
  const inline = (limits: RepairLimits) => inlineRepair(set, subjects, context, limits);
  const inlined = isUnasked ? await unasked(set, [], UNASKED_IN_ALL, inline) : await inline(ALIKE_LIMITS);
  if (inlined !== undefined) return [inlined];
  // One search for several chunks costs less than one for each.
  const isMany = chunks > Math.min(subjects.length, subjects[0]?.kind === "chunk" ? 1 : FEW_PLACES);
  const alike = isMany ? await alikeRepairs(set, subjects, chunks, isUnasked, context) : undefined;
  if (alike !== undefined && alike.offers.length > 0) return [alike];
  const found: RepairSearch[] = alike === undefined ? [] : [alike];
  for (const subject of chunks > FEW_PLACES ? subjects.slice(0, 1) : subjects) found.push(await find(subject, found));
  return found;
}

/** Kinds of changes that the array's metadata can say. */
const OF_CODECS: ReadonlySet<string> = new Set(["codec-undeclared", "codec-order", "element-size"]);

/** Other codecs, where all chunks of an array fail and those that were searched decode with the same ones. No request. */
function codecRepair(set: EngineSet, subjects: readonly RepairSubject[], chunks: number): RepairSearch | undefined {
  const [subject] = subjects;
  if (subject?.kind !== "chunk") return undefined;
  const found = subjects.flatMap((one) => {
    const known = one.kind === "chunk" ? set.met.suggestions.get(suggestionKey(one.array, one.coordinates)) : undefined;
    return known?.declared === "fails" ? [known.suggestions[0]] : [];
  });
  const [best] = found;
  const { array } = subject;
  const isSame = found.every((one) => JSON.stringify(one?.trial) === JSON.stringify(best?.trial));
  const { missing = 0, unknown = 0 } = set.tally.arrays.get(array)?.states ?? {};
  const node = arrayNode(set, array);
  const references = cellCount(gridOf(node.metadata.shape, node.metadata.chunks)) - missing - unknown;
  if (best === undefined || !isSame || !OF_CODECS.has(best.change.kind) || chunks < references) return undefined;
  const { change, trial, evidence } = best;
  const key = `${array === "" ? "" : `${array}/`}${node.metadata.zarrFormat === 2 ? ".zarray" : "zarr.json"}`;
  const ids = (metadata: ArrayMetadata) => `codecs: [${metadata.decoding.map(({ id }) => id).join(", ")}]`;
  const offer: RepairOffer = {
    change,
    certainty: "likely",
    key,
    array,
    trial,
    ...editsOrWhyNot(orWhyNot(set, (document) => documentEdits(document, array, node.metadata, trial))),
    before: ids(node.metadata),
    after: ids(trialMetadata(node.metadata, trial)),
    evidence: [...evidence, { kind: "chunks-decode", read: found.length }],
    alike: { references, read: found.length },
    chunks: [],
  };
  return { subject, offers: [offer], spent: { bytes: 0, requests: 0 } };
}

function orWhyNot(
  set: EngineSet,
  edits: (set: DocumentSet) => readonly TableEdit[],
): readonly TableEdit[] | NotEditable {
  if (!isDocument(set)) return "not-a-document";
  try {
    return edits(set);
  } catch (error) {
    if (error instanceof RefscopeError && error.code === "not-editable") return "generated";
    throw error;
  }
}

/** Keys cost nothing to look at. */
async function alikeRepairs(
  set: EngineSet,
  subjects: readonly RepairSubject[],
  chunks: number,
  isUnasked: boolean,
  context: CallContext,
): Promise<RepairSearch | undefined> {
  const [first] = subjects;
  if (first?.kind === "key") return alikeRemoval(set, first.key, context);
  const bytes = first === undefined ? 0 : bytesOf(set, first);
  const find = (limits: RepairLimits) => alikeRepair(set, subjects, chunks, context, limits);
  return isUnasked ? unasked(set, [], UNASKED_IN_ALL, find) : find(limitsFor(bytes, ALIKE_LIMITS));
}

// Another shape or chunk shape, where the references, and other arrays, contradict the one in the metadata.

interface Found {
  readonly member: GridMember;
  readonly to: readonly number[];
  readonly certainty: Certainty;
  readonly evidence: readonly RepairEvidence[];
}

type RegularArray = Omit<ArrayNode, "metadata"> & { readonly metadata: ChunkMetadata };

/**
 * `chunks`: the chunk shape that the lengths of references speak for. `set` reads within a budget. Of unequal chunks
 * nothing tells which of the lengths is wrong: none is offered.
 */
async function gridOffers(
  set: EngineSet,
  path: string,
  chunks: readonly number[] | undefined,
  context: CallContext,
): Promise<readonly RepairOffer[]> {
  const { metadata, ...more } = arrayNode(set, path);
  if (!hasRegularChunks(metadata)) return [];
  const node = { ...more, metadata };
  const keys = await gridOfKeys(set, node, context);
  if (keys === undefined) return [];
  const found =
    chunks === undefined ? otherShape(set, node, keys) : await otherChunks(set, node, keys, chunks, context);
  return found === undefined ? [] : [offerOf(set, node, found)];
}

const MAX_CELLS = 1_000_000;

/** The grid that the array's keys fill, those outside of its own among them; `undefined` where they have gaps. */
async function gridOfKeys(
  set: EngineSet,
  { path, metadata }: RegularArray,
  context: CallContext,
): Promise<readonly number[] | undefined> {
  const id = set.index.arrayIds.get(path);
  const grid = gridOf(metadata.shape, metadata.chunks);
  const strays = set.index.strays();
  const rows = id === undefined ? [] : strays.rowsOf(id);
  if (id === undefined || cellCount(grid) > MAX_CELLS || rows.length > MAX_CELLS) return undefined;
  const index = await set.index.arrayIndex(id, context);
  const reach = grid.map(() => 0);
  const names = new Set<string>();
  const see = (coordinates: readonly number[]) => {
    names.add(coordinates.join("."));
    for (const [axis, at] of coordinates.entries()) reach[axis] = Math.max(reach[axis] ?? 0, at + 1);
  };
  for (let cell = 0; cell < index.cells; cell += 1) if (rowOf(index, cell) >= 0) see(coordinatesOf(grid, cell));
  for (const row of rows) {
    const key = strays.list[strays.positionOf(row)]?.key ?? "";
    const coordinates = parseChunkName(path === "" ? key : key.slice(path.length + 1), grid.length, metadata.separator);
    if (coordinates === undefined) return undefined;
    see(coordinates);
  }
  return names.size > 0 && names.size === cellCount(reach) ? reach : undefined;
}

const equalCoordinates = (one: readonly number[], other: readonly number[]): boolean =>
  one.length === other.length && one.every((length, axis) => length === other[axis]);

/** The lengths that other arrays have along its dimensions. */
function otherShape(set: EngineSet, node: RegularArray, keys: readonly number[]): Found | undefined {
  const { shape, chunks, dimensionNames } = node.metadata;
  const group = parentPath(node.path);
  const members = [...set.hierarchy.nodes.values()].filter(
    (one): one is ArrayNode => one.kind === "array" && parentPath(one.path) === group,
  );
  const conflict = sizeConflicts(members).find((one) => one.node.path === node.path);
  // With its names in another order all lengths would be right: then its shape is.
  if (conflict === undefined || conflict.order !== undefined) return undefined;
  const wrong = new Map(conflict.dimensions.map((one) => [one.name, one]));
  const to = shape.map((length, axis) => wrong.get(dimensionNames?.[axis] ?? "")?.expected ?? length);
  if (!equalCoordinates(gridOf(to, chunks), keys)) return undefined;
  const isContradicted = !equalCoordinates(gridOf(shape, chunks), keys);
  if (!isContradicted && !conflict.isCertain) return undefined;
  const elsewhere = conflict.dimensions.map(
    ({ name, expected, by }) => ({ kind: "length-elsewhere", dimension: name, length: expected, by }) as const,
  );
  const fills = isContradicted ? [{ kind: "keys-fill-grid", grid: keys } as const] : [];
  return {
    member: "shape",
    to,
    certainty: isContradicted ? "likely" : "needs-you",
    evidence: [...fills, ...elsewhere],
  };
}

/** Chunks that are read to see whether they decode. */
const MAX_READ = 3;

async function otherChunks(
  set: EngineSet,
  { path, metadata }: RegularArray,
  keys: readonly number[],
  to: readonly number[],
  context: CallContext,
): Promise<Found | undefined> {
  if (to.length !== metadata.chunks.length || !equalCoordinates(gridOf(metadata.shape, to), keys)) return undefined;
  const read = await decodesWith(set, path, { ...metadata, chunks: to }, context);
  if (read === 0) return undefined;
  const evidence: readonly RepairEvidence[] = [
    { kind: "keys-fill-grid", grid: keys },
    { kind: "chunks-decode", read },
  ];
  return { member: "chunks", to, certainty: "likely", evidence };
}

/** How many chunks were read; 0 where one does not decode to as many bytes as such a chunk has. */
async function decodesWith(
  set: EngineSet,
  path: string,
  metadata: ChunkMetadata,
  context: CallContext,
): Promise<number> {
  const id = set.index.arrayIds.get(path) ?? -1;
  const index = await set.index.arrayIndex(id, context);
  const task = decodingTask(metadata, rangeReader(set, context), context);
  let read = 0;
  for (let cell = 0; cell < index.cells && read < MAX_READ; cell += 1) {
    const { reference } = referenceAt(set, rowOf(index, cell));
    if (reference.kind !== "range") continue;
    if ((await tryRange(task, reference.target, reference)) === undefined) return 0;
    read += 1;
  }
  return read;
}

function offerOf(
  set: EngineSet,
  { path, metadata }: RegularArray,
  { member, to, certainty, evidence }: Found,
): RepairOffer {
  const key = `${path === "" ? "" : `${path}/`}${metadata.zarrFormat === 2 ? ".zarray" : "zarr.json"}`;
  const words = (lengths: readonly number[]) => `${JSON.stringify(member)}: [${lengths.join(", ")}]`;
  return {
    change: { kind: "metadata", member, to },
    certainty,
    key,
    array: path,
    ...editsOrWhyNot(editsOf(set, path, metadata, member, to)),
    before: words(metadata[member]),
    after: words(to),
    evidence,
    chunks: [],
  };
}

function editsOf(
  set: EngineSet,
  path: string,
  { zarrFormat }: ArrayMetadata,
  member: GridMember,
  to: readonly number[],
): readonly TableEdit[] | NotEditable {
  const name = zarrFormat === 2 ? ".zarray" : "zarr.json";
  const steps = member === "shape" || zarrFormat === 2 ? [member] : ["chunk_grid", "configuration", "chunk_shape"];
  return orWhyNot(set, (document) =>
    editsOfDocuments(document, path, name, ({ node }) => lengthEdits(memberAt(node, steps), to)),
  );
}

function memberAt(node: JsonNode, steps: readonly string[]): JsonNode | undefined {
  let at: JsonNode | undefined = node;
  for (const step of steps)
    at = at?.kind === "object" ? at.members.findLast(({ key }) => key === step)?.node : undefined;
  return at;
}

/** Only of lengths that change. */
function lengthEdits(list: JsonNode | undefined, to: readonly number[]) {
  if (list?.kind !== "array" || list.items.length !== to.length) return [];
  return list.items.flatMap(({ start, end, ...item }, axis) => {
    const length = String(to[axis]);
    return "value" in item && String(item.value) === length ? [] : [{ start, end, text: length }];
  });
}
