/** Any set as a Zarr v3 store of plain files: metadata as v3, the bytes of chunks and shards as they are stored. */
import { nodePathOf } from "#core/metadata/hierarchy-path.ts";
import type { CallContext } from "#core/byte-source.ts";
import { failure, type Finding, findingOfError, isAbort, placed, WHOLE_SET } from "#core/findings/finding.ts";
import type { ArrayNode } from "#core/metadata/array-metadata.ts";
import { cellCount, chunkKey, chunkName, coordinatesOf } from "#core/metadata/chunk-grid.ts";
import { TARGET_BAD, TARGET_INLINE } from "#core/table/reference-table.ts";
import { storedSeparator } from "#formats/chunk-manifest/index.ts";
import { type ChunkReference, nativeAt, referenceAt } from "../chunk/chunk-reference.ts";
import { aboutChunk, loadChunk } from "../chunk/load-chunk.ts";
import type { ShardReader } from "../chunk/shard-reader.ts";
import type { EngineSet } from "../engine-set.ts";
import { plannedBlocks } from "../many/blocks.ts";
import { startPace } from "../pace.ts";
import { columnsAt, lengthOf, ordinalOfRow } from "../table/batch.ts";
import { writeNotes, type WriteNotes } from "./notes.ts";
import { writableSet } from "./writable.ts";

export interface ZarrPlan {
  readonly set: EngineSet;
  /** JSON text by key, of nodes that lie inside the folder. */
  readonly documents: ReadonlyMap<string, string>;
  readonly arrays: readonly PlannedArray[];
  readonly cost: CopyCost;
  readonly findings: readonly Finding[];
}

interface PlannedArray {
  readonly node: ArrayNode;
  /** Id in the table; absent without references. */
  readonly id: number | undefined;
  /** Shards that are objects of the store: they have no rows. */
  readonly shards: ShardReader | undefined;
}

/** Reads that the references announce. */
export interface CopyCost {
  readonly chunks: number;
  /** Bytes of chunks whose length is known; inline ones are here already. */
  readonly bytes: number;
  /** Chunks whose length nobody knows yet, and shards that may be missing. */
  readonly unsized: number;
}

/** @throws RefscopeError as `writableSet` does, `export-impossible`; an `AbortError` */
export async function planZarr(opened: EngineSet, context: CallContext): Promise<ZarrPlan> {
  const writable = await writableSet(opened, { zarr3: true, copiesChunks: true, sources: "" }, context);
  const { set } = writable;
  const notes = writeNotes();
  const documents = new Map<string, string>();
  const arrays: PlannedArray[] = [];
  for (const [key, text] of writable.documents) {
    const path = nodePathOf(key);
    const node = set.hierarchy.nodes.get(path);
    if (path !== "" && path.split(/[/\\]/).some((name) => /^\.{0,2}$/.test(name))) notes.leftOut("odd-path", path);
    else if (node?.kind !== "array" && node?.kind !== "group") notes.leftOut("unread-grid", path);
    else {
      documents.set(key, text);
      const id = set.index.arrayIds.get(path);
      if (node.kind === "array") arrays.push({ node, id, shards: set.shards?.get(id ?? -1) });
    }
  }
  if (documents.size === 0) throw failure("export-impossible", WHOLE_SET, { why: "no-nodes" });
  const cost = await costOf(set, arrays, notes, context);
  const findings = [...writable.findings.filter(({ code }) => code !== "write-relative"), ...notes.list()];
  return { set, documents, arrays, cost, findings };
}

/** Notes references that lead to nothing. */
async function costOf({ table }: EngineSet, arrays: ZarrPlan["arrays"], notes: WriteNotes, context: CallContext) {
  const written = new Set(arrays.flatMap(({ id, shards: own }) => (id === undefined || own !== undefined ? [] : [id])));
  const shards = arrays.reduce((sum, one) => sum + (one.shards === undefined ? 0 : cellCount(one.shards.grid)), 0);
  const cost = { chunks: shards, bytes: 0, unsized: shards };
  const pace = startPace(context, "Looking through references", table.rows);
  notes.leftOut("stray", undefined, table.strays.length);
  for (let row = 0; row < table.rows; row += 1) {
    if (row % 4096 === 0) await pace.yieldIfDue(row);
    const { array, target, length } = columnsAt(table, row);
    if (!written.has(array) || ordinalOfRow(table, row) < 0) continue;
    if (target === TARGET_BAD) {
      notes.leftOut("bad", table.arrays[array]?.path);
      continue;
    }
    const size = target === TARGET_INLINE ? 0 : lengthOf(table, row, target, length);
    cost.chunks += 1;
    if (size < 0) cost.unsized += 1;
    else cost.bytes += size;
  }
  return cost;
}

/** Findings of one kind in one array that are kept; all are counted. */
const MOST_NAMED = 20;

/** `found`: chunks that could not be read, of which there is no file. Throws an `AbortError`. */
export async function* zarrFiles(plan: ZarrPlan, found: Finding[], context: CallContext) {
  const { documents, cost } = plan;
  const notes = writeNotes();
  const named = new Map<string, number>();
  const document = (key: string) => {
    const bytes = new TextEncoder().encode(documents.get(key));
    return { path: key, bytes, references: 0 };
  };
  for (const key of documents.keys()) if (key !== ROOT) yield document(key);
  let done = 0;
  for await (const { array, path, bytes, findings } of aheadOf(jobsOf(plan, context))) {
    context.report({ label: "Copying chunks", done: (done += 1), total: cost.chunks, unit: "chunks" });
    context.signal.throwIfAborted();
    for (const one of findings) {
      const kind = `${one.code} ${array}`;
      named.set(kind, (named.get(kind) ?? 0) + 1);
      if ((named.get(kind) ?? 0) <= MOST_NAMED) found.push(one);
    }
    if (bytes !== undefined) yield { path, bytes, references: 1 };
    else if (findings.length > 0) notes.leftOut("not-read", array);
  }
  found.push(...notes.list());
  // Last: a copy that was broken off does not open as if it were whole.
  if (documents.has(ROOT)) yield document(ROOT);
}

const ROOT = "zarr.json";

interface Copied {
  readonly array: string;
  /** Below the folder of the store. */
  readonly path: string;
  /** Stored bytes; absent where they could not be read, or where there is no such shard. */
  readonly bytes?: Uint8Array<ArrayBuffer>;
  readonly findings: readonly Finding[];
}

/** Chunks that share a request. */
interface Job {
  /** Bytes that the references announce. */
  readonly bytes: number;
  readonly chunks: number;
  readonly load: () => Promise<readonly Copied[]>;
}

const MOST_BYTES_AHEAD = 64 * 1024 ** 2;
const MOST_JOBS_AHEAD = 12;

/** Jobs are begun before those ahead of them end, within bounds. */
async function* aheadOf(jobs: AsyncIterable<Job>): AsyncGenerator<Copied> {
  const begun: (Omit<Job, "load"> & { readonly copied: Promise<readonly Copied[]> })[] = [];
  const ahead = (of: "bytes" | "chunks") => begun.reduce((sum, one) => sum + one[of], 0);
  for await (const { bytes, chunks, load } of jobs) {
    const isFull = () => ahead("bytes") + bytes > MOST_BYTES_AHEAD || ahead("chunks") + chunks > LOOK_AHEAD;
    while (begun.length >= MOST_JOBS_AHEAD || (begun.length > 0 && isFull()))
      yield* (await begun.shift()?.copied) ?? [];
    const copied = load();
    // It is waited for later, or never where another failed.
    copied.catch(() => undefined);
    begun.push({ bytes, chunks, copied });
  }
  for (const { copied } of begun) yield* await copied;
}

/** Chunks that are looked up and read together: each may open a file. */
const LOOK_AHEAD = 512;

async function* jobsOf({ set, arrays }: ZarrPlan, context: CallContext): AsyncGenerator<Job> {
  for (const { node, id, shards } of arrays) {
    if (shards !== undefined) {
      for (let shard = 0; shard < cellCount(shards.grid); shard += 1)
        yield { bytes: 0, chunks: 1, load: async () => [await copyShard(node, shards, shard, context)] };
      continue;
    }
    if (id === undefined) continue;
    const index = await set.index.arrayIndex(id, context);
    for (let from = 0; from < index.listed; from += LOOK_AHEAD) {
      const chunks: ChunkReference[] = [];
      for (let at = from; at < Math.min(index.listed, from + LOOK_AHEAD); at += 1) {
        const row = (index.rows[at] ?? 0) - 1;
        if (row < 0 || row >= set.table.rows || columnsAt(set.table, row).target === TARGET_BAD) continue;
        chunks.push(chunkIn(set, node, id, index.ordinals?.[at] ?? at, row));
      }
      for (const block of plannedBlocks(chunks))
        yield {
          bytes: block.bytes,
          chunks: block.chunks.length,
          load: () => Promise.all(block.chunks.map((chunk) => copyChunk(set, chunk, context))),
        };
    }
  }
}

/** A shard that has a row is a chunk here. */
function chunkIn(set: EngineSet, node: ArrayNode, id: number, ordinal: number, row: number): ChunkReference {
  const { grid = [], separator = "." } = set.table.arrays[id] ?? {};
  const coordinates = coordinatesOf(grid, ordinal);
  const key = chunkKey(node.path, coordinates, separator);
  const found = referenceAt(set, row);
  const native = found.reference.kind === "native" ? nativeAt(set, node.path, ordinal, key) : {};
  const chunk = { node, coordinates, ordinal, key, name: chunkName(coordinates, separator) };
  return { ...chunk, state: found.reference.kind, ...found, ...native };
}

const pathOf = ({ path, metadata }: ArrayNode, coordinates: readonly number[]): string =>
  chunkKey(path, coordinates, metadata.zarrFormat === 3 ? storedSeparator(metadata) : "c/");

async function copyChunk(set: EngineSet, chunk: ChunkReference, context: CallContext): Promise<Copied> {
  const { node, coordinates } = chunk;
  const loaded = await loadChunk(set, chunk, context);
  const copied = { array: node.path, path: pathOf(node, coordinates) };
  // Opening the set says once how a file was found.
  const findings = loaded.findings.filter(({ code }) => code !== "target-matched-by-name");
  if (loaded.kind === "failed") return { ...copied, findings: [aboutChunk(loaded.error, chunk), ...findings] };
  return loaded.kind === "bytes" ? { ...copied, bytes: loaded.bytes, findings } : { ...copied, findings };
}

async function copyShard(node: ArrayNode, { grid, locate }: ShardReader, shard: number, context: CallContext) {
  const coordinates = coordinatesOf(grid, shard);
  const copied = { array: node.path, path: pathOf(node, coordinates) };
  try {
    const found = await locate(shard, context);
    if (found.kind === "missing") return { ...copied, findings: [] };
    const { bytes, findings } = await found.read({ offset: 0, length: found.size }, context);
    return { ...copied, bytes, findings };
  } catch (error) {
    if (isAbort(error) && context.signal.aborted) throw error;
    const place = { kind: "shard", array: node.path, shard: coordinates } as const;
    return { ...copied, findings: [placed(findingOfError(error, `Reading ${copied.path}`), place)] };
  }
}
