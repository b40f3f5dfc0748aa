/**
 * Shards of an array (Zarr v3 `sharding_indexed`): where each lies, its index, and from that the references of its inner
 * chunks. A page is a shard. Whether shards are objects of the store or references into other files is the same to it.
 */
import { crc32c } from "#codecs/checksums/checksums.ts";
import { CODECS, loadCodecs } from "#codecs/find-codec.ts";
import { decodeShardIndex, ENTRY_BYTES, indexRange } from "#codecs/sharding/shard-index.ts";
import type { ArrayNode, ShardLayout } from "#core/metadata/array-metadata.ts";
import type { ByteRange, CallContext, ReadBytes, RequestReport } from "#core/byte-source.ts";
import {
  cellCount,
  type ChunkEdges,
  chunkOf,
  chunkStart,
  coordinatesOf,
  encodedShape,
  gridOf,
  insideShape,
  ordinalOf,
  shardsInChunks,
} from "#core/metadata/chunk-grid.ts";
import { toBase64 } from "#core/values/fill-bytes.ts";
import { failedAt, failure, finding, findingOfError, RefscopeError, WHOLE_SET } from "#core/findings/finding.ts";
import type { Finding, Place } from "#core/findings/finding.ts";
import type { PageSink, ReferencePages } from "#core/table/reference-pages.ts";
import { shardEntryFacts, shardMap, SHARED } from "#core/table/shard-map-of.ts";
import { ENTRY_STATES, isDamaged, type ShardMap } from "#core/table/shard-map.ts";
import { dropOldest, keptLast } from "../kept.ts";

/** Place of a shard's bytes. */
export type StoredShard =
  | { readonly kind: "missing" }
  | {
      readonly kind: "stored";
      /** Target as the inner chunks' references will write it. */
      readonly target: string | null;
      /** All its bytes, where they are in the document itself; `target` is then not used. */
      readonly inline?: Uint8Array<ArrayBuffer>;
      /** Inline values of the set are bytes as they are, no text of a document. */
      readonly inlineIsRaw?: true;
      /** For people: the shard's key, or where it points to. */
      readonly name: string;
      /** Range of the shard in the target. */
      readonly offset: number;
      readonly size: number;
      /** `range` counts from the start of the shard. */
      read(range: ByteRange, context: CallContext): Promise<ReadBytes>;
    };

type ShardPlace = Extract<Place, { kind: "shard" }>;
type Located = Extract<StoredShard, { kind: "stored" }>;

export type ReadShard =
  | { readonly kind: "missing" }
  | {
      readonly kind: "shard";
      readonly map: ShardMap;
      readonly stored: Located;
      readonly request: RequestReport;
      /** A checksum that the metadata do not name stands behind the index. */
      readonly hidden?: true;
    };

export interface ShardReader {
  readonly node: ArrayNode;
  /** The grid of shards. */
  readonly grid: readonly number[];
  /** The grid of inner chunks within one shard, by the shard's ordinal. */
  innerGrid(shard: number): readonly number[];
  /** Place of a shard's bytes; asks for its size where only its source knows it. Throws `RefscopeError`. */
  readonly locate: (shard: number, context: CallContext) => Promise<StoredShard>;
  /** Throws `RefscopeError` where the index cannot be read or is damaged as a whole. */
  read(shard: number, context: CallContext): Promise<ReadShard>;
  readonly pages: ReferencePages;
}

/** An index of a million entries holds 17 MB. */
const MAX_KEPT = 4;
const MAX_KEPT_ENTRIES = 4_000_000;

export function shardReader(
  node: ArrayNode,
  layout: ShardLayout,
  locate: (shard: number, context: CallContext) => Promise<StoredShard>,
): ShardReader {
  const grid = gridOf(node.metadata.shape, layout.shape);
  const inner = shardsInChunks(layout.shape, node.metadata.chunks);
  const innerGrid = (shard: number) => encodedShape(inner, coordinatesOf(grid, shard));
  const kept = new Map<number, ReadShard>();
  const placeOf = (shard: number) => ({ kind: "shard", array: node.path, shard: coordinatesOf(grid, shard) }) as const;
  const decoded = async (
    bytes: Uint8Array<ArrayBuffer>,
    stored: Located,
    at: ByteRange,
    within: readonly number[],
    context: CallContext,
  ) => {
    try {
      return decodeShardIndex(bytes, layout, within, await loadCodecs(layout.indexCodecs), stored.size);
    } catch (error) {
      throw error instanceof RefscopeError ? await causeOf(error, stored, at, { layout, within }, context) : error;
    }
  };
  const readAnew = async (shard: number, context: CallContext): Promise<ReadShard> => {
    const stored = await locate(shard, context);
    if (stored.kind === "missing") return stored;
    const within = innerGrid(shard);
    try {
      const at = indexRange(stored.size, layout, cellCount(within), CODECS);
      const { bytes, request } = await stored.read(at, context);
      const map = shardMap(await decoded(bytes, stored, at, within, context), stored.size, at, within);
      const hidden = mayHideChecksum(map, layout) && (await hidesChecksum(stored, at, layout, context));
      return { kind: "shard", map, stored, request, ...(hidden ? { hidden: true as const } : {}) };
    } catch (error) {
      if (!(error instanceof RefscopeError)) throw error;
      throw failedAt(error, placeOf(shard));
    }
  };
  const read = async (shard: number, context: CallContext): Promise<ReadShard> => {
    const found = await keptLast(kept, shard, MAX_KEPT, () => readAnew(shard, context));
    dropOldest(kept, MAX_KEPT, (one) => (one.kind === "shard" ? one.map.codes.length : 0), MAX_KEPT_ENTRIES);
    return found;
  };
  const { ordinalsIn, ...places } = innerPlaces(node, grid, inner);
  const pages: ReferencePages = {
    unit: "shard",
    words: ["shard index", "shard indexes"],
    count: cellCount(grid),
    ...places,
    async load(page, into, context) {
      const found = await read(page, context);
      return found.kind === "missing" ? [] : addInnerChunks(found, placeOf(page), ordinalsIn(page), into);
    },
  };
  return { node, grid, innerGrid, locate, read, pages };
}

/**
 * Between ordinals of inner chunks in the array's grid and in their shards. `inner`: edges of shards, in inner chunks.
 */
function innerPlaces({ metadata }: ArrayNode, grid: readonly number[], inner: readonly ChunkEdges[]) {
  const all = gridOf(metadata.shape, metadata.chunks);
  /** Ordinals of a shard's inner chunks; -1 for entries past the array's edge. */
  const ordinalsIn = (page: number) => {
    const shard = coordinatesOf(grid, page);
    const [first, extent] = [chunkStart(shard, inner), encodedShape(inner, shard)];
    return (entry: number): number => {
      const coordinates = coordinatesOf(extent, entry).map((at, dimension) => (first[dimension] ?? 0) + at);
      return ordinalOf(all, coordinates) ?? -1;
    };
  };
  return {
    ordinalsIn,
    pageOf: (ordinal: number): number => ordinalOf(grid, chunkOf(coordinatesOf(all, ordinal), inner)) ?? 0,
    visit(page: number, see: (ordinal: number) => void): void {
      const ordinalAt = ordinalsIn(page);
      const count = cellCount(encodedShape(inner, coordinatesOf(grid, page)));
      for (let entry = 0; entry < count; entry += 1) {
        const ordinal = ordinalAt(entry);
        if (ordinal >= 0) see(ordinal);
      }
    },
    cellsOf: (page: number): number => cellCount(insideShape(all, inner, coordinatesOf(grid, page))),
  };
}

const MAX_BAD_ROWS = 100_000;

function addInnerChunks(
  { map, stored, hidden }: Extract<ReadShard, { kind: "shard" }>,
  place: ShardPlace,
  ordinalOf: (inner: number) => number,
  { table, array }: PageSink,
): readonly Finding[] {
  const add = rowWriter(stored, table, array);
  const faults = new Map(map.faults.map((fault) => [fault.inner, fault]));
  let bad = 0;
  for (let inner = 0; inner < map.codes.length; inner += 1) {
    const state = ENTRY_STATES[map.codes[inner] ?? 0] ?? "empty";
    const ordinal = state === "empty" ? -1 : ordinalOf(inner);
    if (ordinal < 0) continue;
    const [offset, length] = [map.offsets[inner] ?? 0, map.lengths[inner] ?? 0];
    if (!isDamaged(state)) add(ordinal, offset, length);
    else if ((bad += 1) <= MAX_BAD_ROWS) {
      const facts = shardEntryFacts(map, faults.get(inner) ?? { inner });
      const reason = finding(`shard-${state}`, { ...place, entry: inner }, facts);
      table.addBad(array, ordinal, { reason, written: `[${offset}, ${length}]` });
    }
  }
  return shardFindings(map, place, hidden === true);
}

/** Inner chunks of a shard in the document are in it too; entries do not overlap, so these are no larger. */
function rowWriter(stored: Located, table: PageSink["table"], array: number) {
  const { inline, inlineIsRaw, target: url, offset: start } = stored;
  const target = url === null ? null : table.addTarget(url);
  const encoder = new TextEncoder();
  return (ordinal: number, offset: number, length: number): void => {
    if (inline === undefined) table.addRange(array, ordinal, target, start + offset, length);
    else {
      const bytes = inline.subarray(offset, offset + length);
      table.addInline(array, ordinal, inlineIsRaw ? bytes : encoder.encode(`base64:${toBase64(bytes)}`));
    }
  };
}

// A checksum of a shard's index that the metadata do not name: the index then is taken from another place, or stays
// unverified.

const CHECKSUM_BYTES = 4;

type Read = (range: ByteRange, context: CallContext) => Promise<{ readonly bytes: Uint8Array }>;

const isVerified = ({ indexCodecs }: ShardLayout): boolean => indexCodecs.some(({ id }) => id !== "bytes");

/** True if the gaps in a shard let one expect it: directly after an index at the start, and as long as a checksum. */
function mayHideChecksum(map: Pick<ShardMap, "gaps" | "index" | "bytesDead">, layout: ShardLayout): boolean {
  if (isVerified(layout) || layout.indexLocation === "end") return false;
  const end = map.index.offset + map.index.length;
  for (let gap = 0; gap < map.gaps.length; gap += 2)
    if (map.gaps[gap] === end && map.gaps[gap + 1] === end + CHECKSUM_BYTES) return true;
  return false;
}

/** True if a valid checksum follows the index; fetches the index plus the bytes after it. */
async function hidesChecksum(
  { size, read }: { readonly size: number; readonly read: Read },
  { length }: ByteRange,
  layout: ShardLayout,
  context: CallContext,
): Promise<boolean> {
  if (isVerified(layout) || size < length + CHECKSUM_BYTES) return false;
  const offset = layout.indexLocation === "start" ? 0 : size - length - CHECKSUM_BYTES;
  const { bytes } = await read({ offset, length: length + CHECKSUM_BYTES }, context);
  if (bytes.length !== length + CHECKSUM_BYTES) return false;
  const stored = new DataView(bytes.buffer, bytes.byteOffset + length, CHECKSUM_BYTES).getUint32(0, true);
  return crc32c(bytes.subarray(0, length)) === stored;
}

/** Bytes that are no index: one may be at the other end, or 4 bytes beside it where a checksum follows. */
async function causeOf(
  error: RefscopeError,
  stored: { readonly size: number; readonly read: Read },
  at: ByteRange,
  { layout, within }: { readonly layout: ShardLayout; readonly within: readonly number[] },
  context: CallContext,
): Promise<RefscopeError> {
  const elsewhere = layout.indexLocation === "end" ? "start" : "end";
  if (at.length > ENTRY_BYTES * cellCount(within)) {
    const offset = elsewhere === "start" ? 0 : stored.size - at.length;
    const { bytes } = await stored.read({ offset, length: at.length }, context);
    try {
      decodeShardIndex(new Uint8Array(bytes), layout, within, await loadCodecs(layout.indexCodecs));
      return failure("shard-index-checksum", WHOLE_SET, { cause: findingOfError(error), elsewhere });
    } catch {
      return error;
    }
  }
  if (error.code !== "shard-truncated" || !(await hidesChecksum(stored, at, layout, context))) return error;
  return failure("shard-index-checksum-unnamed", WHOLE_SET, { length: at.length, isShifted: true });
}

// Findings about a shard's index, one for each kind of problem.

/** `hidden`: an undeclared checksum follows the index. */
function shardFindings(map: ShardMap, place: ShardPlace, hidden: boolean): readonly Finding[] {
  const damage = damageOf(map, place);
  const identical = identicalEntries(map, place);
  if (hidden) {
    const facts = { length: map.index.length, isShifted: false };
    return [...damage, ...identical, finding("shard-index-checksum-unnamed", place, facts)];
  }
  const { bytesDead: bytes, gaps, size } = map;
  // The bytes that a damaged or repeated entry should point at belong to no entry now.
  const isExplained = damage.length + identical.length > 0;
  if (bytes === 0 || isExplained) return [...damage, ...identical];
  return [finding("shard-dead-bytes", place, { bytes, gaps: gaps.length / 2, size })];
}

function damageOf(map: ShardMap, place: ShardPlace): readonly Finding[] {
  return ENTRY_STATES.flatMap((state, code) => {
    const count = map.counts[code] ?? 0;
    if (!isDamaged(state) || count === 0) return [];
    const listed = map.faults.find(({ fault, isRead }) => fault === state && isRead !== true);
    const first = listed ?? { inner: map.codes.indexOf(code) };
    return [finding(`shard-${state}`, { ...place, entry: first.inner }, shardEntryFacts(map, first), count)];
  });
}

const MAX_NAMED = 8;

/** Only the first of several sets of identical entries is named. */
function identicalEntries(map: ShardMap, place: ShardPlace): readonly Finding[] {
  const first = map.codes.indexOf(SHARED);
  if (first < 0) return [];
  const [offset, length] = [map.offsets[first] ?? 0, map.lengths[first] ?? 0];
  const same: number[] = [];
  for (let at = first; at < map.codes.length && same.length < MAX_NAMED; at += 1)
    if (map.offsets[at] === offset && map.lengths[at] === length) same.push(at);
  const inner = same.map((at) => coordinatesOf(map.innerGrid, at));
  const facts = { inner, offset, length, entries: map.counts[SHARED] ?? 0, dead: map.bytesDead };
  return [finding("shard-entries-identical", { ...place, entry: first }, facts)];
}
