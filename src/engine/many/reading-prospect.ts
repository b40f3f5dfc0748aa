/** Cost of reading a plane for each reader by its way of making requests, and its cost with other chunks. */
import { CODECS } from "#codecs/find-codec.ts";
import { indexByteLength } from "#codecs/sharding/shard-index.ts";
import { type ByteRange, type CallContext, hostOfResolution } from "#core/byte-source.ts";
import { groupedBy } from "#core/basics.ts";
import { cellCount, isRegular, largestShape } from "#core/metadata/chunk-grid.ts";
import { otherChunkShapes } from "#core/plane/other-chunks.ts";
import { planeExtent } from "#core/plane/plane.ts";
import { readerCost, type ReadingProspect, type Wanted, type WantedBytes } from "#core/readers/reading-cost.ts";
import { READING_RULES } from "#core/readers/reading-rules.ts";
import { LENGTH_WHOLE } from "#core/table/reference-table.ts";
import type { ChunkReference } from "../chunk/chunk-reference.ts";
import type { EngineSet } from "../engine-set.ts";
import { rowOf } from "../table/array-index.ts";
import { columnsAt } from "../table/batch.ts";
import { planeCells, planeReferences } from "./plane-cost.ts";

type OfPlane = Parameters<typeof planeReferences>[0];

/** Pages of references (shard indexes, records, sizes of objects) that are fetched for it. */
const MOST_PAGES = 16;

export async function readingProspect(of: OfPlane, context: CallContext): Promise<ReadingProspect> {
  const { set, node, plane } = of;
  const { shape, chunks, dataType } = node.metadata;
  await loadSome(of, context);
  const { known, chunks: count, unknown } = await planeReferences(of, () => false, context);
  const stored = await storedChunks(set, known, context);
  const lengths = stored.flatMap(({ range }) => range?.length ?? []);
  const mean = lengths.length === 0 ? undefined : lengths.reduce((sum, one) => sum + one, 0) / lengths.length;
  const share = (count - unknown) / count;
  const wanted = { ...(await wantedOf(of, known, stored, Math.round(mean ?? 0), context)), share };
  const host = stored[0] && hostOfChunk(set, stored[0].chunk);
  const pace = host === undefined ? undefined : set.targets.log.pace(host);
  const largest = largestShape(chunks);
  const size = "itemSize" in dataType ? dataType.itemSize : 8;
  const { rows, columns } = planeExtent(plane, shape);
  return {
    chunks: count,
    seen: count - unknown,
    ofUnknownLength: stored.length - lengths.length,
    ...(mean === undefined ? {} : { stored: (mean * stored.length) / share }),
    elements: { wanted: rows * columns, read: count * cellCount(largest) },
    readers: READING_RULES.flatMap((rule) => readerCost(rule, wanted) ?? []),
    ...(pace === undefined ? {} : { pace }),
    host,
    shapes: isRegular(chunks)
      ? otherChunkShapes({ shape, chunks, elementBytes: mean === undefined ? size : mean / cellCount(largest) }, plane)
      : [],
  };
}

/** Pages of chunks that are spread over the plane. */
async function loadSome({ set, node, plane }: OfPlane, context: CallContext): Promise<void> {
  const paged = set.index.pagesOf(node.path);
  if (paged === undefined) return;
  const { count, ordinal } = planeCells({ node, plane });
  const taken = Math.min(count, MOST_PAGES);
  const pages = Array.from({ length: taken }, (_, each) =>
    paged.pages.pageOf(Math.max(0, ordinal(Math.floor((each * count) / taken)))),
  );
  await paged.load(new Set(pages), context);
}

interface StoredChunk {
  readonly chunk: ChunkReference;
  readonly target: string;
  /** Absent where nobody says how long the object is. */
  readonly range: ByteRange | undefined;
}

/** Those that are elsewhere: not inline, missing or unreadable. */
async function storedChunks(set: EngineSet, known: readonly ChunkReference[], context: CallContext) {
  const found: StoredChunk[] = [];
  for (const chunk of known) {
    const { reference, node, ordinal } = chunk;
    if (reference.kind === "range") found.push({ chunk, target: reference.target ?? "", range: reference });
    else if (reference.kind === "whole") found.push({ chunk, target: reference.target ?? "", range: undefined });
    else if (reference.kind === "native") {
      const id = set.index.arrayIds.get(node.path) ?? -1;
      const { length } = columnsAt(set.table, rowOf(await set.index.arrayIndex(id, context), ordinal));
      const whole = length === LENGTH_WHOLE ? undefined : { offset: 0, length };
      found.push({ chunk, target: reference.key, range: reference.range ?? whole });
    }
  }
  return found;
}

/** Wanted bytes by object or file; by shard if there are shards. Missing objects of a store are requested as well. */
async function wantedOf(
  { set, node }: OfPlane,
  known: readonly ChunkReference[],
  stored: readonly StoredChunk[],
  mean: number,
  context: CallContext,
): Promise<Omit<Wanted, "share">> {
  const rangesOf = (of: readonly StoredChunk[] = []) => of.map(({ range }) => range ?? { offset: 0, length: mean });
  const isStore = set.format.kind === "zarr";
  const reader = set.shards?.get(set.index.arrayIds.get(node.path) ?? -1);
  const { sharding } = node.metadata;
  if (reader === undefined || sharding === undefined) {
    const absent = isStore ? known.filter(({ reference }) => reference.kind === "missing").length : 0;
    const byTarget = groupedBy(stored, ({ target }) => target).values();
    return { targets: Array.from(byTarget, (of) => ({ ranges: rangesOf(of) })), absent, isSharded: false };
  }
  const shardOf = ({ ordinal }: ChunkReference) => reader.pages.pageOf(ordinal);
  const byShard = groupedBy(stored, ({ chunk }) => shardOf(chunk));
  const targets: WantedBytes[] = [];
  let absent = 0;
  for (const [shard, asked] of groupedBy(known, shardOf)) {
    const ranges = rangesOf(byShard.get(shard));
    const cells = cellCount(reader.innerGrid(shard));
    const index = indexByteLength(sharding, cells, CODECS);
    if (ranges.length > 0 || (await reader.read(shard, context)).kind === "shard") {
      targets.push({ ranges, shard: { index, isComplete: asked.length === cells } });
    } else if (isStore) absent += 1;
  }
  return { targets, absent, isSharded: true };
}

function hostOfChunk(set: EngineSet, { reference }: ChunkReference): string | undefined {
  if (reference.kind === "native") return set.resolveKey && hostOfResolution(set.resolveKey(reference.key));
  return "target" in reference ? hostOfResolution(set.targets.resolve(reference.target)) : undefined;
}
