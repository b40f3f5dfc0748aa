/**
 * Every array read whole and hashed, so that two readers can be compared: SHA-256 over the decoded array as
 * little-endian bytes in C order, missing chunks as fill value. Chunks that fail are listed, and then there is no hash.
 * For objects (text and the like) the hash is of what Python's `json.dumps(array.ravel().tolist(), default=str)` gives.
 */
import { findCodec } from "#codecs/find-codec.ts";
import { undecodable as undecodableChunks } from "#codecs/pipeline.ts";
import type { ArrayMetadata, ArrayNode } from "#core/metadata/array-metadata.ts";
import type { CallContext } from "#core/byte-source.ts";
import {
  cellCount,
  chunkName,
  chunkStart,
  coordinatesOf,
  gridOf,
  insideShape,
  longestAlong,
  writtenEdges,
  type WrittenEdges,
} from "#core/metadata/chunk-grid.ts";
import { FindingLog } from "#core/findings/finding-log.ts";
import { type FactsOf, finding, type Finding, nodeAt, WHOLE_SET } from "#core/findings/finding.ts";
import { type Selection, wholeDimension } from "#core/plane/selection.ts";
import type { EngineSet } from "../engine-set.ts";
import type { ChunkDecoder } from "../chunk/chunk-decoder.ts";
import { pythonJson, writtenSize, writtenTypeText } from "#core/values/written-elements.ts";
import type { ReadOutcome } from "../many/read-chunks.ts";
import { MAX_BYTES, MAX_CHUNKS, MAX_OBJECTS, readSelection, type SelectedElements } from "../many/read-selection.ts";
import { rowOf } from "../table/array-index.ts";
import { compareNatural } from "../table/natural-order.ts";

// The chunks of an array read and put together for its hash, one row of them along the first dimension at a time.

export interface Hash {
  update(bytes: Uint8Array): void;
  /** Hexadecimal. */
  digest(): string;
}

export interface DigestOptions {
  readonly newHash: () => Hash;
  readonly perChunk: boolean;
  /** Most bytes of a row of chunks, which is put together at once. Absent = as many as an array of bytes may have. */
  readonly mostBytes?: number;
  /** Absent = in this thread, one row of chunks after another. */
  readonly decoder?: ChunkDecoder;
}

interface DigestWork {
  readonly set: EngineSet;
  readonly node: ArrayNode;
  readonly options: DigestOptions;
  /** Dimensions whose chunks are gone through one by one; a row of chunks is along the next. */
  readonly lead: number;
  /** Findings of the readings. */
  readonly noted: FindingLog;
  readonly errors: Map<string, Finding>;
  readonly hashes: Map<string, string>;
  /** Missing chunks met where fill_value is null. */
  undefinedChunks: number;
}

interface LargestSlab {
  readonly lead: number;
  readonly unit: "bytes" | "elements";
  /** How large it is, and may be. */
  readonly size: number;
  readonly limit: number;
}

/** Elements of a row of chunks along a dimension, of the longest one where they differ. */
const slabElements = ({ shape, chunks }: ArrayMetadata, lead: number): number =>
  shape
    .slice(lead)
    .reduce((size, length, at) => size * (at === 0 ? Math.min(length, longestAlong(chunks[lead] ?? 1)) : length), 1);

/** A row of chunks along the first dimension, or along the first later one for which it is small enough. */
function largestSlab(metadata: ArrayMetadata, { mostBytes }: DigestOptions): LargestSlab {
  const { shape, chunks, dataType } = metadata;
  const isObject = dataType.kind === "object";
  const limit = isObject ? MAX_OBJECTS : (mostBytes ?? MAX_BYTES);
  const sizeFrom = (lead: number): number => slabElements(metadata, lead) * (isObject ? 1 : writtenSize(metadata));
  const isSingle = (at: number): boolean => Math.min(shape[at] ?? 1, longestAlong(chunks[at] ?? 1)) === 1;
  let lead = 0;
  while (sizeFrom(lead) > limit && lead + 1 < shape.length && isSingle(lead)) lead += 1;
  return { lead, unit: isObject ? "elements" : "bytes", size: sizeFrom(lead), limit };
}

/** The grid of the rows of chunks: the dimensions along which the chunks of one have the same coordinates. */
const slabGrid = ({ node: { metadata }, lead }: DigestWork): readonly number[] =>
  gridOf(metadata.shape, metadata.chunks).slice(0, lead + 1);

/** All chunks of one row, put together. */
async function readSlab(work: DigestWork, slab: number, { signal }: CallContext): Promise<SelectedElements> {
  const { set, node, options, errors } = work;
  const note = (outcome: ReadOutcome, written: Uint8Array<ArrayBuffer> | undefined) => {
    work.noted.addAll(outcome.findings);
    if (outcome.kind === "failed") errors.set(outcome.chunk.name, outcome.error);
    if (outcome.kind === "missing" && node.metadata.fillValue === null) work.undefinedChunks += 1;
    if (outcome.kind === "decoded" && options.perChunk) noteHash(work, outcome, written);
  };
  const decoder = options.decoder === undefined ? {} : { decoder: options.decoder };
  // Progress is reported by rows of chunks.
  const quiet = { signal, report: () => undefined };
  return readSelection({ set, node, selection: slabOf(work, slab), note, ...decoder }, quiet);
}

function slabOf(work: DigestWork, slab: number): Selection {
  const { lead, node } = work;
  const { shape, chunks } = node.metadata;
  const shared = coordinatesOf(slabGrid(work), slab);
  const inside = insideShape(shape, chunks, shared);
  const starts = chunkStart(shared, chunks);
  return shape.map((length, dimension) => {
    if (dimension > lead) return wholeDimension(length);
    return { ...wholeDimension(inside[dimension] ?? 1), start: starts[dimension] ?? 0 };
  });
}

/** Decoded bytes that may wait for those before them. */
const MAX_AHEAD_BYTES = 2 ** 28;

/** All rows of chunks in order; where there are threads, several are read at once. */
async function* readSlabs(work: DigestWork, slabs: number, context: CallContext): AsyncGenerator<SelectedElements> {
  const { metadata } = work.node;
  const size = slabElements(metadata, work.lead) * writtenSize(metadata);
  const atOnce = Math.min(work.options.decoder?.atOnce ?? 1, Math.floor(MAX_AHEAD_BYTES / Math.max(1, size)));
  const reading: Promise<SelectedElements>[] = [];
  for (let slab = 0; reading.length > 0 || slab < slabs;) {
    for (; slab < slabs && reading.length < Math.max(1, atOnce); slab += 1) {
      const one = readSlab(work, slab, context);
      // Callers that still wait for it get the failure.
      one.catch(() => undefined);
      reading.push(one);
    }
    const [first] = reading.splice(0, 1);
    if (first !== undefined) yield await first;
  }
}

type Decoded = Extract<ReadOutcome, { kind: "decoded" }>;

function noteHash({ options, hashes }: DigestWork, { chunk, decoded }: Decoded, written: Uint8Array | undefined): void {
  const hash = options.newHash();
  if (written !== undefined) hash.update(written);
  const texts = decoded.values?.texts;
  if (written === undefined && texts !== undefined) {
    const list = Array.from({ length: texts.length }, (_, at) => pythonJson(texts, at));
    hash.update(new TextEncoder().encode(`[${list.join(", ")}]`));
  }
  hashes.set(chunk.name, hash.digest());
}

export interface ArrayDigest {
  readonly shape: readonly number[];
  readonly dtype: string;
  /** Chunk lengths; along a dimension with unequal ones, as a rectilinear grid's metadata write them. */
  readonly chunks: readonly WrittenEdges[];
  readonly sha256?: string;
  /** The same hash again for objects (elements of no fixed size), so that it is plain what it is of. */
  readonly sha256_json?: string;
  /** Chunks are missing and fill_value is null: the hash is of zeros (objects: null), which nothing defines. */
  readonly undefined?: true;
  /** Why, by chunk key (the part after the array's path). */
  readonly errors?: Readonly<Record<string, Finding>>;
  /** For each decoded chunk that has a reference, including the part past the array's edge. */
  readonly chunk_sha256?: Readonly<Record<string, string>>;
}

export interface Digested {
  readonly digest: ArrayDigest;
  /** Findings of the reading. */
  readonly findings: readonly Finding[];
}

export async function digestArray(
  set: EngineSet,
  node: ArrayNode,
  options: DigestOptions,
  context: CallContext,
): Promise<Digested> {
  const { metadata } = node;
  const { shape, chunks } = metadata;
  const about = { shape, dtype: writtenTypeText(metadata), chunks: chunks.map(writtenEdges) };
  const reason = set.refused ?? (await undecodable(node, options));
  if (cellCount(gridOf(shape, chunks)) <= MAX_CHUNKS) {
    const paged = set.index.pagesOf(node.path);
    // Chunks that are pages are asked for one by one as they are read.
    if (paged?.pages.isChunk !== true) await paged?.load(paged.rest(), context);
  }
  if (reason !== undefined) {
    const errors = await reasonForAll(set, node, reason, context);
    return { digest: { ...about, errors, ...(options.perChunk ? { chunk_sha256: {} } : {}) }, findings: [] };
  }
  const { lead } = largestSlab(metadata, options);
  const found = { errors: new Map(), hashes: new Map(), noted: new FindingLog(), undefinedChunks: 0 };
  const work: DigestWork = { set, node, options, lead, ...found };
  const sha256 = await hashSlabs(work, context);
  const hashes = metadata.dataType.kind === "object" ? { sha256, sha256_json: sha256 } : { sha256 };
  const digest = {
    ...about,
    ...(work.errors.size === 0 ? hashes : { errors: record(work.errors) }),
    ...(work.undefinedChunks > 0 ? { undefined: true as const } : {}),
    ...(options.perChunk ? { chunk_sha256: record(work.hashes) } : {}),
  };
  return { digest, findings: [...work.noted.list(), ...undefinedFill(work)] };
}

async function hashSlabs(work: DigestWork, context: CallContext): Promise<string> {
  const { metadata, path } = work.node;
  const slabs = cellCount(slabGrid(work));
  const whole = work.options.newHash();
  const objects = metadata.dataType.kind === "object" ? objectHash(whole) : undefined;
  let done = 0;
  for await (const { bytes, texts } of readSlabs(work, slabs, context)) {
    if (objects === undefined) whole.update(bytes);
    else objects.add(texts ?? []);
    context.signal.throwIfAborted();
    context.report({ label: `Reading ${path}`, done: (done += 1), total: slabs, unit: "chunks" });
  }
  objects?.end();
  return whole.digest();
}

/**
 * Object in the order of the chunks, whichever was read first. Names come from a set: no prototype for them to reach.
 */
function record<Value>(map: ReadonlyMap<string, Value>): Record<string, Value> {
  const entries = [...map].toSorted(([one], [other]) => compareNatural(one, other));
  return Object.assign(Object.create(null) as Record<string, Value>, Object.fromEntries(entries));
}

type TooLarge = FactsOf<"digest-too-large">;

const tooLarge = (unit: TooLarge["unit"], found: number, limit: number): Finding =>
  finding("digest-too-large", WHOLE_SET, { unit, found, limit });

async function undecodable({ path, metadata }: ArrayNode, options: DigestOptions): Promise<Finding | undefined> {
  const { decoding, dataType, shape, chunks } = metadata;
  const unknown = decoding.find(({ id }) => findCodec(id) === undefined);
  if (unknown !== undefined) return finding("codec-unknown", nodeAt(path), { codec: unknown.id, words: undefined });
  const error = dataType.kind === "object" ? await undecodableChunks(metadata) : undefined;
  if (error !== undefined) return error;
  const cells = cellCount(gridOf(shape, chunks));
  if (cells > MAX_CHUNKS) return tooLarge("chunks", cells, MAX_CHUNKS);
  const { unit, size, limit } = largestSlab(metadata, options);
  return size <= limit ? undefined : tooLarge(unit, size, limit);
}

const MAX_LISTED = 100_000;

/** The same reason for each chunk that has a reference, and for the metadata where none has. */
async function reasonForAll(set: EngineSet, { path, metadata }: ArrayNode, reason: Finding, context: CallContext) {
  const grid = gridOf(metadata.shape, metadata.chunks);
  const id = set.index.arrayIds.get(path);
  const errors = new Map<string, Finding>();
  if (id !== undefined) {
    const index = await set.index.arrayIndex(id, context);
    for (let entry = 0; entry < index.listed && errors.size < MAX_LISTED; entry += 1) {
      const ordinal = index.ordinals?.[entry] ?? entry;
      if (rowOf(index, ordinal) >= 0) errors.set(chunkName(coordinatesOf(grid, ordinal), metadata.separator), reason);
    }
  }
  return record(errors.size === 0 ? new Map([[metadata.zarrFormat === 3 ? "zarr.json" : ".zarray", reason]]) : errors);
}

function undefinedFill({ node, undefinedChunks }: DigestWork): readonly Finding[] {
  if (undefinedChunks === 0) return [];
  const hashedAs = node.metadata.dataType.kind === "object" ? "null" : "zeros";
  return [finding("fill-value-undefined", nodeAt(node.path), { chunks: undefinedChunks, hashedAs })];
}

// The hash of an array of objects: of one JSON list of all elements in C order, as Python's `json.dumps` writes it.

const ENCODER = new TextEncoder();
const SEPARATOR = ", ";
/** Elements that are hashed at once. */
const BLOCK = 4096;

function objectHash(hash: Hash) {
  let isFirst = true;
  hash.update(ENCODER.encode("["));
  return {
    /** JSON texts of the elements that come next. */
    add(texts: readonly string[]): void {
      for (let at = 0; at < texts.length; at += BLOCK) {
        const block = texts.slice(at, at + BLOCK).join(SEPARATOR);
        hash.update(ENCODER.encode(isFirst ? block : SEPARATOR + block));
        isFirst = false;
      }
    },
    end: () => hash.update(ENCODER.encode("]")),
  };
}
