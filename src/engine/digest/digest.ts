/**
 * Every array read whole and hashed, so that two readers can be compared: SHA-256 over the decoded array as
 * little-endian bytes in C order, missing chunks as fill value. Chunks that fail are listed, and then there is no hash.
 * For objects (text and the like) the hash is of what Python's `json.dumps(array.ravel().tolist(), default=str)` gives.
 */
import { type WrittenEdges, writtenEdges } from "../../core/chunk-edges.ts";
import { cellCount, chunkName, coordinatesOf, gridOf } from "../../core/chunk-grid.ts";
import type { ArrayMetadata } from "../../core/array-metadata.ts";
import type { CallContext } from "../../core/byte-source.ts";
import { type FactsOf, finding, type Finding } from "../../core/findings/finding.ts";
import { nodeAt, WHOLE_SET } from "../../core/findings/place.ts";
import type { ArrayNode } from "../../core/hierarchy.ts";
import { findCodec } from "../../codecs/find-codec.ts";
import { undecodable as undecodableChunks } from "../../codecs/pipeline.ts";
import { rowOf } from "../table/array-index.ts";
import { objectHash } from "./digest-objects.ts";
import { digestWork, largestSlab, readSlabs, slabCount, type DigestOptions, type DigestWork } from "./digest-slab.ts";
import type { EngineSet } from "../engine-set.ts";
import { MAX_CHUNKS } from "../many/read-selection.ts";
import { writtenTypeText } from "../many/written-elements.ts";
import { compareNatural } from "../table/natural-order.ts";

export type { DigestOptions, Hash } from "./digest-slab.ts";

export interface ArrayDigest {
  readonly shape: readonly number[];
  readonly dtype: string;
  /** Of unequal chunks the lengths along a dimension as a rectilinear grid's metadata write them. */
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
  /** What was noticed on the way. */
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
    const paged = set.index.paged.get(set.index.arrayIds.get(node.path) ?? -1);
    // Chunks that are pages are asked for one by one as they are read.
    if (paged?.pages.isChunk !== true) await paged?.load(paged.rest(), context);
  }
  if (reason !== undefined) {
    const errors = await reasonForAll(set, node, reason, context);
    return { digest: { ...about, errors, ...(options.perChunk ? { chunk_sha256: {} } : {}) }, findings: [] };
  }
  const work = digestWork(set, node, options);
  const sha256 = await hashSlabs(work, context);
  const digest = {
    ...about,
    ...(work.errors.size === 0 ? hashMembers(metadata, sha256) : { errors: record(work.errors) }),
    ...(work.undefinedChunks > 0 ? { undefined: true as const } : {}),
    ...(options.perChunk ? { chunk_sha256: record(work.hashes) } : {}),
  };
  return { digest, findings: [...work.noted.list(), ...undefinedFill(work)] };
}

async function hashSlabs(work: DigestWork, context: CallContext): Promise<string> {
  const { metadata, path } = work.node;
  const slabs = slabCount(work);
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

function hashMembers({ dataType }: ArrayMetadata, sha256: string): Pick<ArrayDigest, "sha256" | "sha256_json"> {
  return dataType.kind === "object" ? { sha256, sha256_json: sha256 } : { sha256 };
}

/** In the order of the chunks, whichever was read first. Names come from a set: no prototype for them to reach. */
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
