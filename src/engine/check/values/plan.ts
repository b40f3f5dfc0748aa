/** Which chunks are decoded: all, or a sample of each array and each of its files, the doubtful ones first. */
import type { CallContext } from "#core/byte-source.ts";
import { coordinatesOf, gridOf } from "#core/metadata/chunk-grid.ts";
import { hasNumbers } from "#core/metadata/data-type.ts";
import type { ArrayNode } from "#core/metadata/array-metadata.ts";
import { BLOCK_ROWS, FIRST_SPECIAL_TARGET, LENGTH_BIG, LENGTH_WHOLE } from "#core/table/reference-table.ts";
import type { ReferenceTable } from "#core/table/reference-table.ts";
import { findCodec } from "#codecs/find-codec.ts";
import type { EngineSet } from "#engine/engine-set.ts";
import { isCoordinate } from "#core/metadata/hierarchy-path.ts";
import { startPace } from "#engine/pace.ts";
import { ENTRY_FAILED, type ArrayIndex } from "#engine/table/array-index.ts";
import { sampleSize } from "#core/check/sample-size.ts";
import { NO_FILE, type PlannedArray, type PlannedChunks, type ArrayFacts } from "./value-facts.ts";
import type { ChunkDecoder } from "#engine/chunk/chunk-decoder.ts";

/** Chunks of which something is remembered. */
export const MAX_CHUNKS = 500_000;

/** Elements of all coordinates that are kept together: 48 MB. */
const MAX_WHOLE = 6_000_000;

interface Known extends PlannedChunks {
  readonly node: ArrayNode;
  /** Chunks that have a reference, where they are not all listed. */
  readonly of?: number;
}

/** Plan of arrays none of whose chunks is requested. */
const NO_CHUNKS: PlannedChunks = {
  ordinals: new Float64Array(0),
  files: new Uint32Array(0),
  offsets: new Float64Array(0),
  lengths: new Float64Array(0),
};

function referencesOf({ tally }: EngineSet, { path }: ArrayNode): number {
  const { references, strays } = tally.arrays.get(path) ?? { references: 0, strays: 0 };
  return references - strays;
}

/** Chunks whose references are not here, and those whose references cannot be read. */
function unreadOf({ index }: EngineSet, { path }: ArrayNode): number {
  const { unknownCells = 0, failedCells = 0 } = index.paged.get(index.arrayIds.get(path) ?? -1) ?? {};
  return unknownCells + failedCells;
}

/** `most`: chunks that may be read. Coordinates come first: they are small, and tell most. */
export async function planValues(
  set: EngineSet,
  request: Pick<ValuesRequest, "chunks" | "array" | "only">,
  context: CallContext,
): Promise<readonly PlannedArray[]> {
  const known: Known[] = [];
  for (const node of set.hierarchy.nodes.values()) {
    const id = node.kind === "array" ? set.index.arrayIds.get(node.path) : undefined;
    if (node.kind !== "array" || id === undefined) continue;
    if (request.array !== undefined && node.path !== request.array) continue;
    if (request.only !== undefined && !request.only.has(node.path))
      known.push({ node, ...NO_CHUNKS, of: referencesOf(set, node) });
    else known.push({ node, ...(await chunksOf(set, await set.index.arrayIndex(id, context), context)) });
  }
  const shares = sharesAsked(known, request.chunks, (node) => unreadOf(set, node));
  let room = MAX_WHOLE;
  return known.map((one, at) => {
    const picked = request.only === undefined ? pick(one, shares[at] ?? 0) : pickThese(one, request.only);
    const elements = one.node.metadata.shape[0] ?? 0;
    const of = one.of ?? one.ordinals.length;
    // Chunks whose references are not loaded, or cannot be read, are unknown, not missing.
    const isAll = unreadOf(set, one.node) === 0 && picked.ordinals.length === of;
    const isWhole = isNumericCoordinate(one.node) && isAll && elements <= room;
    if (isWhole) room -= elements;
    return { node: one.node, ...picked, isPlain: isPlain(one.node), axis: axisOf(one.node, picked), isWhole, of };
  });
}

/** True for coordinates of numbers or times, except the root, which has no name of its own. */
export function isNumericCoordinate(node: ArrayNode): boolean {
  const { dataType } = node.metadata;
  const isTime = dataType.kind === "datetime" || dataType.kind === "timedelta";
  return node.path !== "" && isCoordinate(node) && (isTime || hasNumbers(dataType));
}

/** No codec but such as put values in order: whatever lies in the range decodes. */
const isPlain = ({ metadata }: ArrayNode): boolean =>
  metadata.sharding === undefined &&
  metadata.decoding.every(({ id }) => ["bytes", "transpose"].includes(findCodec(id)?.id ?? id));

async function chunksOf({ table, index }: EngineSet, { rows, ordinals, listed }: ArrayIndex, context: CallContext) {
  const pace = startPace(context, "Choosing chunks", listed);
  let count = 0;
  for (let entry = 0; entry < listed; entry += 1) if (isKnown(rows[entry] as number)) count += 1;
  const found = {
    ordinals: new Float64Array(count),
    files: new Uint32Array(count),
    offsets: new Float64Array(count),
    lengths: new Float64Array(count),
  };
  let at = 0;
  for (let entry = 0; entry < listed; entry += 1) {
    const row = rows[entry] as number;
    if (!isKnown(row)) continue;
    const { target, offset, length } = cellAt(table, row - 1);
    found.ordinals[at] = ordinals?.[entry] ?? entry;
    found.files[at] = target < FIRST_SPECIAL_TARGET ? index.firstTargets.of(target) : NO_FILE;
    found.offsets[at] = offset;
    found.lengths[at] = length;
    at += 1;
    if ((entry & 0xffff) === 0xffff) await pace.yieldIfDue(entry);
  }
  return found;
}

const isKnown = (row: number): boolean => row !== 0 && row < ENTRY_FAILED;

function cellAt(table: ReferenceTable, row: number) {
  const block = table.blocks[Math.floor(row / BLOCK_ROWS)];
  const at = row % BLOCK_ROWS;
  const length = block?.length[at] ?? 0;
  return {
    target: block?.target[at] ?? NO_FILE,
    offset: block?.offset[at] ?? 0,
    length: length === LENGTH_BIG ? (table.bigLengths.get(row) ?? length) : length === LENGTH_WHOLE ? NaN : length,
  };
}

/**
 * Chunks that each array gives. `unreadOf`: those that a sample stands for as well, though nothing is known of them.
 */
function sharesAsked(
  known: readonly Known[],
  asked: ChunksAsked,
  unreadOf: (node: ArrayNode) => number,
): readonly number[] {
  const wanted = known.map(({ node, ordinals: { length } }) =>
    typeof asked === "object" ? Math.min(length, sampleOf(node, length + unreadOf(node), asked.share)) : length,
  );
  const most = Math.min(typeof asked === "number" ? asked : Infinity, MAX_CHUNKS);
  return wanted.reduce((sum, count) => sum + count, 0) <= most ? wanted : sharesOf(known, most);
}

/** Greatest share of a sample that is not drawn evenly, but chosen for its length. */
const MOST_CHOSEN = 0.2;
/** Coordinates of no more chunks are read whole, also for a sample. */
const WHOLE_IN_SAMPLE = 1000;

/** Chunks, of so many that an array has. */
export function sampleOf(node: ArrayNode, length: number, share: number): number {
  if (isNumericCoordinate(node) && length <= WHOLE_IN_SAMPLE) return length;
  return Math.min(length, Math.ceil(sampleSize(length, share) / (1 - MOST_CHOSEN)));
}

/**
 * Coordinates whole, as far as half of the room goes; the others in equal parts, what one does not need for the rest.
 */
function sharesOf(known: readonly Known[], most: number): readonly number[] {
  const shares = known.map(() => 0);
  let room = most;
  for (const [at, { node, ordinals }] of known.entries()) {
    if (!isNumericCoordinate(node) || ordinals.length > room - most / 2) continue;
    shares[at] = ordinals.length;
    room -= ordinals.length;
  }
  const order = [...known.keys()].filter((at) => shares[at] === 0);
  order.sort((a, b) => (known[a]?.ordinals.length ?? 0) - (known[b]?.ordinals.length ?? 0));
  for (const [place, at] of order.entries()) {
    const share = Math.min(known[at]?.ordinals.length ?? 0, Math.floor(room / (order.length - place)));
    shares[at] = share;
    room -= share;
  }
  return shares;
}

function pickThese(known: Known, only: ReadonlyMap<string, ReadonlySet<number>>) {
  const wanted = only.get(known.node.path);
  return taken(
    known,
    [...known.ordinals.keys()].filter((at) => wanted?.has(known.ordinals[at] as number) === true),
  );
}

/** Number of chunks of a sample that are drawn at random. */
export const drawnAmong = (share: number): number => share - Math.floor(share * MOST_CHOSEN);

/**
 * Those whose length is most unlike the others', a fifth of the sample; then one at random of each of as many equal
 * parts.
 */
function pick({ ordinals, files, offsets, lengths, node }: Known, share: number) {
  if (share >= ordinals.length) return { ordinals, files, offsets, lengths };
  const chosen = new Set<number>();
  for (const at of oddLengths(lengths).slice(0, share - drawnAmong(share))) chosen.add(at);
  const byFile = [...ordinals.keys()].toSorted((a, b) => (files[a] ?? 0) - (files[b] ?? 0) || a - b);
  const step = byFile.length / Math.max(1, share);
  // The same of the same set, each time.
  let seed = byFile.length;
  for (let at = 0; chosen.size < share && at < share * 2; at += 1) {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    chosen.add(byFile[Math.floor(((at + seed / 2 ** 32) * step) % byFile.length)] as number);
  }
  const kept = [...chosen].toSorted((a, b) => a - b).slice(0, share);
  return taken({ ordinals, files, offsets, lengths, node }, kept);
}

function taken({ ordinals, files, offsets, lengths }: Known, kept: readonly number[]) {
  const of = (column: Float64Array) => Float64Array.from(kept, (at) => column[at] as number);
  return {
    ordinals: of(ordinals),
    files: Uint32Array.from(kept, (at) => files[at] as number),
    offsets: of(offsets),
    lengths: of(lengths),
  };
}

/** Entries whose length is far from the median, the farthest first. */
function oddLengths(lengths: Float64Array): readonly number[] {
  const sorted = lengths.toSorted();
  const middle = sorted[sorted.length >> 1] ?? 0;
  const usual = (sorted[Math.floor(sorted.length * 0.95)] ?? 0) - (sorted[Math.floor(sorted.length * 0.05)] ?? 0);
  const reach = Math.max(usual, middle / 10);
  const isOdd = (at: number) => Math.abs((lengths[at] as number) - middle) > reach;
  const away = (at: number) => Math.abs((lengths[at] as number) - middle);
  return [...lengths.keys()].filter(isOdd).toSorted((a, b) => away(b) - away(a));
}

/**
 * The dimension along which the file changes; else the first with several chunks, or of planes in one chunk the first;
 * -1 where there is none.
 */
function axisOf({ metadata }: ArrayNode, { ordinals, files }: Pick<Known, "ordinals" | "files">): number {
  const grid = gridOf(metadata.shape, metadata.chunks);
  const several = grid.flatMap((count, axis) => (count > 1 ? [axis] : []));
  const owners = several.map((axis) => ({ axis, files: new Map<number, number>(), isOwn: true }));
  for (let at = 0; at < ordinals.length; at += Math.max(1, Math.floor(ordinals.length / 20_000))) {
    const coordinates = coordinatesOf(grid, ordinals[at] as number);
    for (const owner of owners) {
      const file = files[at] as number;
      const place = coordinates[owner.axis] as number;
      const known = owner.files.get(place) ?? file;
      owner.files.set(place, known);
      if (known !== file) owner.isOwn = false;
    }
  }
  const fileAxis = owners.find((owner) => owner.isOwn && new Set(owner.files.values()).size > 1);
  return fileAxis?.axis ?? several[0] ?? (grid.length > 2 ? 0 : -1);
}

// Request of a deep check: what to read.

/** All, so many of the set, or of each array enough to meet what is wrong with this share of its chunks. */
export type ChunksAsked = "all" | number | { readonly share: number };

export interface ValuesRequest {
  readonly chunks: ChunksAsked;
  readonly decoder: ChunkDecoder;
  /** This array alone. */
  readonly array?: string | undefined;
  /** These chunks alone, by array and ordinal. */
  readonly only?: ReadonlyMap<string, ReadonlySet<number>>;
  /** Reading ends when it is aborted; what was read until then is compared. */
  readonly stop?: AbortSignal | undefined;
  /** Gets what is known of each array's chunks when all are read: statistics as columns, for plots. */
  readonly onFacts?: (facts: readonly ArrayFacts[]) => void;
}
