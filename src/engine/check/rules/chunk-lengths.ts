/** References of no bytes, and lengths that a chunk cannot have. */
import { hasRegularChunks, metadataOfChunk } from "#core/metadata/array-metadata.ts";
import type { ArrayNode, ChunkMetadata } from "#core/metadata/array-metadata.ts";
import type { CallContext } from "#core/byte-source.ts";
import { cellCount, coordinatesOf, gridOf, parseChunkName } from "#core/metadata/chunk-grid.ts";
import type { Finding } from "#core/findings/finding.ts";
import { ChunkPlaces, type SetRule, type SetView } from "#engine/rules/rule.ts";
import {
  FIRST_SPECIAL_TARGET,
  LENGTH_BIG,
  LENGTH_WHOLE,
  ORDINAL_STRAY,
  ORDINAL_WIDE,
  TARGET_INLINE,
  TARGET_NATIVE,
  TARGET_NULL,
} from "#core/table/reference-table.ts";
import { isCharacters, isCutAtEnd } from "#core/values/cut-end.ts";
import { startPace } from "#engine/pace.ts";
import { eachBlock, wideOrdinal } from "#engine/table/array-index.ts";
import { commonSize, possibleLengths, type StoredSize, storedSizes } from "../stored-size.ts";

type Sink = (found: Finding) => void;

export const chunkLengths: SetRule = {
  id: "chunk-lengths",
  codes: [
    "range-empty",
    "chunk-length-wrong",
    "chunk-lengths-fit-other",
    "compressed-length-impossible",
    "inline-length-wrong",
  ],
  async run(view, sink, context) {
    const { arrays, lookedAt } = await lengthStatistics(view, context);
    const seen = await seenKeys(view, arrays, context);
    for (const one of arrays) {
      if (one.empty.count > 0)
        sink(one.empty.finding("range-empty", { others: one.known - one.empty.count, isObject: isNative(view, one) }));
      const keys = seen.get(one.node.path);
      if (keys !== undefined) toldTogether(view, one, keys, sink);
      else toldApart(one, sink);
    }
    return { unit: "references", of: view.counts.references, lookedAt, sampled: 0 };
  },
};

/** True if no chunk has the length that it must have: then the metadata are wrong, not the references. */
function isThroughout({ size, known, empty, short, long, inline }: ArrayLengths): boolean {
  if (size === undefined || size.compressor !== undefined) return false;
  const wrong = [short, long, inline].map(({ places }) => places.count);
  const all = known - empty.count;
  // One chunk alone may as well be cut.
  return all > 0 && Math.max(...wrong) === all && inline.places.count === 0;
}

function seenKeys(view: SetView, arrays: readonly ArrayLengths[], context: CallContext) {
  const nodes = arrays.filter(isThroughout).map(({ node }) => node);
  return nodes.length === 0 ? new Map<string, SeenKeys>() : keyReach(view, nodes, context);
}

function toldTogether(view: SetView, one: ArrayLengths, seen: SeenKeys, sink: Sink): void {
  const { node, size, short, long } = one;
  if (size === undefined) return;
  const wrong = short.places.count > 0 ? short : long;
  const expected = size.plain + size.checksums;
  const length = wrong.least === wrong.most ? wrong.least : undefined;
  // Unequal chunks have no common size.
  if (!hasRegularChunks(node.metadata)) return toldApart(one, sink);
  const layout = otherLayout(node.metadata, expected, length, wrong === short, seen);
  const single = wrong.places.count === 1;
  if (layout.fits === "nothing" && (single || length === undefined)) return toldApart(one, sink);
  const { least, most } = wrong;
  if (layout.fits === "chunks") view.ledger.explain(node.path, "grid");
  sink(
    wrong.places.finding("chunk-lengths-fit-other", { ...elementsOf(node.metadata), expected, least, most, ...layout }),
  );
}

function toldApart(one: ArrayLengths, sink: Sink): void {
  const { metadata } = one.node;
  const grid = gridOf(metadata.shape, metadata.chunks);
  /** Elements of the first of them. */
  const about = ({ ordinal }: WrongLengths) => elementsOf(metadataOfChunk(metadata, coordinatesOf(grid, ordinal)));
  const { short, long, inline, known } = one;
  const told = (wrong: WrongLengths, problem: "short" | "long") => {
    const size = wrong.places.count === 0 ? undefined : one.sizeAt(wrong.ordinal);
    if (size === undefined) return;
    // Unequal chunks have no length in common.
    const right = one.size === undefined ? 0 : known - wrong.places.count;
    const facts = { ...about(wrong), problem, expected: size.plain + size.checksums, length: wrong.first, right };
    if (size.compressor === undefined) sink(wrong.places.finding("chunk-length-wrong", facts));
    // One that is too long reaches into its neighbour or past the end of the file, which says more.
    else if (problem === "short" || wrong.places.count * 2 > known)
      sink(wrong.places.finding("compressed-length-impossible", { ...facts, codec: size.compressor }));
  };
  told(short, "short");
  told(long, "long");
  const size = inline.places.count === 0 ? undefined : one.sizeAt(inline.ordinal);
  if (size === undefined) return;
  const expected = size.plain + size.checksums;
  const isCut = inline.cut === inline.places.count && size.checksums === 0 && inline.most < expected;
  const kind = isCharacters(metadata.dataType) ? "characters" : "numbers";
  const facts = { ...about(inline), expected, length: inline.first, cut: isCut ? kind : undefined } as const;
  sink(inline.places.finding("inline-length-wrong", facts));
}

/** True if the array's chunks are objects of the store. */
const isNative = ({ counts }: SetView, { node }: ArrayLengths): boolean =>
  (counts.arrays.get(node.path)?.states.native ?? 0) > 0;

function elementsOf(metadata: ChunkMetadata) {
  return { dtype: metadata.dataType.text, itemSize: metadata.dataType.itemSize, chunkShape: metadata.chunks };
}

// Lengths of references by array, against what a chunk must have: one pass over the columns.

/** Inline values of which the bytes are counted: each has to be unescaped. */
const MAX_INLINE = 500_000;

/** Chunks of one array whose lengths are wrong in one way. */
class WrongLengths {
  readonly places: ChunkPlaces;
  /** Length of the first one, and its ordinal. */
  first = -1;
  ordinal = -1;
  least = Infinity;
  most = -1;
  /** Inline values that lack no more than zero bytes at their end. */
  cut = 0;

  constructor(node: ArrayNode) {
    this.places = new ChunkPlaces(node);
  }

  note(ordinal: number, bytes: number): void {
    if (this.places.count === 0) [this.first, this.ordinal] = [bytes, ordinal];
    this.least = Math.min(this.least, bytes);
    this.most = Math.max(this.most, bytes);
    this.places.add(ordinal);
  }
}

interface ArrayLengths {
  readonly node: ArrayNode;
  /** Size of every chunk; `undefined` if it cannot be known, or if chunks are unequal. */
  readonly size: StoredSize | undefined;
  /** Size of one chunk, by its ordinal. */
  sizeAt(ordinal: number): StoredSize | undefined;
  /** Ranges and inline values whose length is known. */
  known: number;
  readonly empty: ChunkPlaces;
  readonly short: WrongLengths;
  readonly long: WrongLengths;
  readonly inline: WrongLengths;
}

async function lengthStatistics(view: SetView, context: CallContext) {
  const { table } = view.index;
  const byId = Array.from<ArrayLengths | undefined>({ length: table.arrays.length });
  for (const node of view.arrays) {
    const id = view.index.arrayIds.get(node.path);
    if (id !== undefined) byId[id] = newLengths(node);
  }
  const { least, most, boundsAt } = boundsOf(byId);
  const known = new Float64Array(byId.length);
  const isOpen = (id: number, at: number): boolean => view.ledger.isOpen(table.arrays[id]?.path ?? "", at);
  let inlines = 0;
  const pace = startPace(context, "Looking at lengths", table.rows);
  await eachBlock(table, pace, ({ array, ordinal, target, offset, length }, first, count) => {
    for (let i = 0; i < count; i += 1) {
      const id = array[i] as number;
      const to = target[i] as number;
      const cell = ordinal[i] as number;
      if (cell === ORDINAL_STRAY || id >= byId.length) continue;
      if (to < FIRST_SPECIAL_TARGET || to === TARGET_NULL || to === TARGET_NATIVE) {
        const raw = length[i] as number;
        if (raw === LENGTH_WHOLE) continue;
        (known[id] as number) += 1;
        if (raw < LENGTH_BIG && raw >= (least[id] as number) && raw <= (most[id] as number)) continue;
        const bytes = raw < LENGTH_BIG ? raw : (table.bigLengths.get(first + i) ?? raw);
        const at = cell === ORDINAL_WIDE ? wideOrdinal(table, first + i) : cell;
        if (!isOpen(id, at)) continue;
        const bounds = boundsAt(id, at);
        noteRange(byId[id], at, bytes, bounds);
        // Overlaps of a range of another length follow from its length.
        if (bounds[0] === bounds[1] && bytes !== bounds[0]) view.ledger.explain(table.arrays[id]?.path ?? "", at);
      } else if (to === TARGET_INLINE && (most[id] as number) <= (least[id] as number) && inlines < MAX_INLINE) {
        inlines += 1;
        const text = table.inline.slice(offset[i] as number, length[i] as number);
        const { bytes, oddity } = view.set.format.decodeInline(text);
        if (oddity === "bad-base64" || oddity === "lone-surrogate") continue;
        const at = cell === ORDINAL_WIDE ? wideOrdinal(table, first + i) : cell;
        const [fewest, greatest] = boundsAt(id, at);
        if (fewest !== greatest) continue;
        (known[id] as number) += 1;
        if (bytes.length === fewest) continue;
        const own = byId[id];
        own?.inline.note(at, bytes.length);
        if (own === undefined) continue;
        const { metadata } = own.node;
        const coordinates = coordinatesOf(gridOf(metadata.shape, metadata.chunks), at);
        if (isCutAtEnd(metadata, coordinates, bytes)) own.inline.cut += 1;
      }
    }
  });
  for (const [id, one] of byId.entries()) if (one !== undefined) one.known = known[id] as number;
  return { arrays: byId.filter((one) => one !== undefined), lookedAt: known.reduce((sum, one) => sum + one, 0) };
}

function newLengths(node: ArrayNode): ArrayLengths {
  const { metadata } = node;
  const isChunks = metadata.sharding === undefined;
  const size = isChunks ? commonSize(metadata) : undefined;
  const grid = gridOf(metadata.shape, metadata.chunks);
  const sizes = storedSizes(metadata);
  const sizeAt = (ordinal: number) => (isChunks ? sizes(coordinatesOf(grid, ordinal)) : undefined);
  const [short, long, inline] = [new WrongLengths(node), new WrongLengths(node), new WrongLengths(node)];
  return { node, size, sizeAt, known: 0, empty: new ChunkPlaces(node), short, long, inline };
}

const ANY_LENGTH = [1, Infinity] as const;

/** Fewest and most bytes by array; where chunks are unequal none are right (Infinity and -1), and each is looked at. */
function boundsOf(byId: readonly (ArrayLengths | undefined)[]) {
  const bounds = byId.map((one) => {
    if (one !== undefined && one.node.metadata.sharding === undefined && !hasRegularChunks(one.node.metadata))
      return [Infinity, -1] as const;
    return one?.size === undefined ? ANY_LENGTH : possibleLengths(one.size);
  });
  const boundsAt = (id: number, ordinal: number): Bounds => {
    const known = bounds[id] ?? ANY_LENGTH;
    if (known[0] <= known[1]) return known;
    const size = byId[id]?.sizeAt(ordinal);
    return size === undefined ? ANY_LENGTH : possibleLengths(size);
  };
  const column = (at: 0 | 1) => Float64Array.from(bounds, (bound) => bound[at]);
  return { least: column(0), most: column(1), boundsAt };
}

type Bounds = readonly [least: number, most: number];

function noteRange(of: ArrayLengths | undefined, ordinal: number, bytes: number, [least, most]: Bounds): void {
  if (bytes === 0) of?.empty.add(ordinal);
  else if (bytes < least) of?.short.note(ordinal, bytes);
  else if (bytes > most) of?.long.note(ordinal, bytes);
}

// How far the keys of some arrays reach along each dimension, whatever their metadata say.

/** Reach of the keys, by path. */
async function keyReach(
  { index }: SetView,
  nodes: readonly ArrayNode[],
  context: CallContext,
): Promise<ReadonlyMap<string, SeenKeys>> {
  const { table } = index;
  const asked = new Map(nodes.map((node) => [index.arrayIds.get(node.path) ?? -1, newReach(node)]));
  const byId = Array.from({ length: table.arrays.length }, (_, id) => asked.get(id));
  const pace = startPace(context, "Looking at keys", table.rows);
  await eachBlock(table, pace, ({ array, ordinal }, first, count) => {
    for (let i = 0; i < count; i += 1) {
      const own = byId[array[i] as number];
      if (own === undefined || ordinal[i] === ORDINAL_STRAY) continue;
      own.present += 1;
      const raw = ordinal[i] as number;
      let rest = raw === ORDINAL_WIDE ? wideOrdinal(table, first + i) : raw;
      for (let axis = own.grid.length - 1; axis >= 0; axis -= 1) {
        const length = own.grid[axis] as number;
        const at = rest % length;
        rest = Math.floor(rest / length);
        if (at >= (own.reach[axis] as number)) own.reach[axis] = at + 1;
      }
    }
  });
  for (const node of nodes) addStrays(index.strays().list, node, asked.get(index.arrayIds.get(node.path) ?? -1));
  return new Map([...asked.values()].map((one) => [one.path, one]));
}

function newReach({ path, metadata }: ArrayNode) {
  const grid = gridOf(metadata.shape, metadata.chunks);
  return { path, grid, reach: grid.map(() => 0), present: 0 };
}

function addStrays(
  strays: readonly { readonly key: string; readonly reason: string }[],
  { path, metadata }: ArrayNode,
  into: { readonly reach: number[] } | undefined,
): void {
  const prefix = path === "" ? "" : `${path}/`;
  for (const { key, reason } of strays) {
    if (reason !== "outside-grid" || !key.startsWith(prefix)) continue;
    const at = parseChunkName(key.slice(prefix.length), metadata.shape.length, metadata.separator);
    for (const [axis, place] of (at ?? []).entries())
      if (into !== undefined) into.reach[axis] = Math.max(into.reach[axis] ?? 0, place + 1);
  }
}

// Searches for another type, chunk shape, checksum or compressor that fits lengths which are all wrong.

type OtherLayout =
  | { readonly fits: "type"; readonly itemSize: number }
  | { readonly fits: "chunks"; readonly chunks: readonly number[] }
  | { readonly fits: "checksum"; readonly missing: boolean }
  | { readonly fits: "compressor" }
  | { readonly fits: "nothing" };

/** `reach`: chunks along each dimension as the keys have them, stray ones too; `present`: keys inside the grid. */
interface SeenKeys {
  readonly reach: readonly number[];
  readonly present: number;
}

/** `length`: of every chunk, `undefined` where they differ; all are shorter or longer than `expected`. */
function otherLayout(
  metadata: ChunkMetadata,
  expected: number,
  length: number | undefined,
  isShorter: boolean,
  seen: SeenKeys,
): OtherLayout {
  if (length === undefined) return { fits: isShorter ? "compressor" : "nothing" };
  if (length === expected + 4) return { fits: "checksum", missing: true };
  if (length === expected - 4 && hasChecksum(metadata)) return { fits: "checksum", missing: false };
  const { chunks, dataType } = metadata;
  const type = { fits: "type", itemSize: (dataType.itemSize * length) / expected } as const;
  const isType = [1, 2, 4, 8, 16].includes(type.itemSize);
  const other = otherChunks(metadata, length / expected, seen);
  const isFull = seen.present === cellCount(gridOf(metadata.shape, chunks)) && seen.reach.every(isWithin(metadata));
  if (other !== undefined && (!isType || !isFull || isWide(metadata, other))) return { fits: "chunks", chunks: other };
  if (isType) return type;
  // One chunk alone may be cut: whole elements speak for that.
  const isOdd = seen.present <= 1 && isShorter && length % dataType.itemSize !== 0;
  return { fits: isOdd ? "compressor" : "nothing" };
}

const isWithin =
  ({ shape, chunks }: ChunkMetadata) =>
  (reach: number, axis: number): boolean =>
    reach <= (gridOf(shape, chunks)[axis] ?? 0);

const hasChecksum = ({ decoding }: ChunkMetadata): boolean =>
  decoding.some(({ id }) => /fletcher32|crc32|adler32/.test(id));

/** True if a chunk of the declared shape is larger than the array, along the dimension in which the other differs. */
function isWide({ shape, chunks }: ChunkMetadata, other: readonly number[]): boolean {
  return chunks.some((length, axis) => length !== other[axis] && length > (shape[axis] ?? 0));
}

/** The chunk shape, other along one dimension, whose grid is the one that the keys have. */
function otherChunks(
  { shape, chunks }: ChunkMetadata,
  ratio: number,
  { reach }: SeenKeys,
): readonly number[] | undefined {
  for (const [axis, length] of chunks.entries()) {
    const other = length * ratio;
    if (!Number.isInteger(other) || other < 1) continue;
    const shapeOfChunk = chunks.with(axis, other);
    const grid = gridOf(shape, shapeOfChunk);
    if (grid.every((cells, at) => cells === reach[at])) return shapeOfChunk;
  }
  return undefined;
}
