/** What reading a plane would cost readers, each as it makes its requests, and what it would in other chunks. */
import { CODECS } from "../../codecs/find-codec.ts";
import { indexByteLength } from "../../codecs/sharding/shard-index.ts";
import type { ByteRange, CallContext } from "../../core/byte-source.ts";
import { groupedBy } from "../../core/grouped.ts";
import { hostOfResolution } from "../../core/location.ts";
import { cellCount, gridOf, isRegular, largestShape, ordinalOf } from "../../core/metadata/chunk-grid.ts";
import type { ArrayNode } from "../../core/metadata/hierarchy.ts";
import { type ChunkShape, otherChunkShapes, otherWay } from "../../core/plane/other-chunks.ts";
import { planeChunks, type Plane } from "../../core/plane/plane.ts";
import {
  type HostPace,
  type ReaderCost,
  readerCost,
  type Wanted,
  type WantedBytes,
} from "../../core/readers/reading-cost.ts";
import { READING_RULES } from "../../core/readers/reading-rules.ts";
import { LENGTH_WHOLE } from "../../core/table/reference-table.ts";
import type { ChunkReference } from "../chunk/chunk-reference.ts";
import type { EngineSet } from "../engine-set.ts";
import { rowOf } from "../table/array-index.ts";
import { columnsAt } from "../table/batch.ts";
import { planeReferences } from "./plane-cost.ts";

export interface ReadingProspect {
  /** Of the plane. */
  readonly chunks: number;
  /** Whose references are known: what was found of them holds for the others. */
  readonly seen: number;
  /** Chunks whose length nobody says: as long as the others on average. */
  readonly ofUnknownLength: number;
  /** Stored bytes of all chunks; absent where no length is known. */
  readonly stored?: number;
  readonly elements: { readonly wanted: number; readonly read: number };
  readonly readers: readonly ReaderCost[];
  /** Absent where nothing was asked of the host yet. */
  readonly pace?: HostPace;
  readonly host: string | undefined;
  readonly shapes: readonly ChunkShape[];
}

interface OfArray {
  readonly set: EngineSet;
  readonly node: ArrayNode;
  readonly plane: Plane;
}

/** Pages of references (shard indexes, records, sizes of objects) that are fetched for it. */
const MOST_PAGES = 16;

export async function readingProspect(of: OfArray, context: CallContext): Promise<ReadingProspect> {
  const { set, node, plane } = of;
  const { shape, chunks, dataType } = node.metadata;
  await loadSome(of, context);
  const { known, chunks: count, unknown } = await planeReferences(of, () => false, context);
  const ranges = await rangesOf(set, known, context);
  const lengths = ranges.flatMap(({ range }) => (range === undefined ? [] : [range.length]));
  const mean = lengths.length === 0 ? undefined : lengths.reduce((sum, one) => sum + one, 0) / lengths.length;
  const wanted = await wantedOf(of, known, ranges, Math.round(mean ?? 0), context);
  const readers = READING_RULES.flatMap((rule) => readerCost(rule, wanted) ?? []);
  const share = (count - unknown) / count;
  const largest = cellCount(largestShape(chunks));
  const size = "itemSize" in dataType ? dataType.itemSize : 8;
  const [first] = ranges;
  const host = first && hostOfChunk(set, first.chunk);
  const pace = host === undefined ? undefined : set.targets.log.pace(host);
  const array = { shape, chunks: largestShape(chunks), elementBytes: mean === undefined ? size : mean / largest };
  return {
    chunks: count,
    seen: count - unknown,
    ofUnknownLength: ranges.length - lengths.length,
    ...(mean === undefined ? {} : { stored: (mean * ranges.length) / share }),
    elements: { wanted: planeElements(plane, shape), read: count * largest },
    readers: readers.map((cost) => scaled(cost, share)),
    ...(pace === undefined ? {} : { pace }),
    host,
    shapes: isRegular(chunks) ? otherChunkShapes(array, plane, otherWay(plane, shape)) : [],
  };
}

const planeElements = ({ row, column }: Plane, shape: readonly number[]): number =>
  (row === undefined ? 1 : (shape[row] ?? 1)) * (column === undefined ? 1 : (shape[column] ?? 1));

/** Pages of chunks that are spread over the plane. */
async function loadSome({ set, node, plane }: OfArray, context: CallContext): Promise<void> {
  const paged = set.index.pagesOf(node.path);
  if (paged === undefined) return;
  const { shape, chunks } = node.metadata;
  const grid = gridOf(shape, chunks);
  const of = planeChunks(plane, grid, chunks);
  const count = of.rows * of.columns;
  const taken = Math.min(count, MOST_PAGES);
  const spread = Array.from({ length: taken }, (_, at) => Math.floor((at * count) / taken));
  const ordinals = spread.map((at) => ordinalOf(grid, of.at(Math.floor(at / of.columns), at % of.columns)) ?? 0);
  await paged.load(new Set(ordinals.map((ordinal) => paged.pages.pageOf(ordinal))), context);
}

interface StoredChunk {
  readonly chunk: ChunkReference;
  readonly target: string;
  /** Absent where nobody says how long the object is. */
  readonly range: ByteRange | undefined;
}

/** Of chunks that are elsewhere: not inline, missing or unreadable. */
async function rangesOf(set: EngineSet, known: readonly ChunkReference[], context: CallContext) {
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

/** By object or file; where there are shards, by shard. Objects of a store that are not there are asked for as well. */
async function wantedOf(
  { set, node }: OfArray,
  known: readonly ChunkReference[],
  ranges: readonly StoredChunk[],
  mean: number,
  context: CallContext,
): Promise<Wanted> {
  const rangeIn = ({ range }: StoredChunk) => range ?? { offset: 0, length: mean };
  const isStore = set.format.kind === "zarr";
  const reader = set.shards?.get(set.index.arrayIds.get(node.path) ?? -1);
  const { sharding } = node.metadata;
  if (reader === undefined || sharding === undefined) {
    const absent = isStore ? known.filter(({ reference }) => reference.kind === "missing").length : 0;
    const targets = [...groupedBy(ranges, ({ target }) => target).values()].map((of) => ({ ranges: of.map(rangeIn) }));
    return { targets, absent, isSharded: false };
  }
  const pageOf = ({ ordinal }: ChunkReference) => reader.pages.pageOf(ordinal);
  const stored = groupedBy(ranges, ({ chunk }) => pageOf(chunk));
  const targets: WantedBytes[] = [];
  let absent = 0;
  for (const [shard, asked] of groupedBy(known, pageOf)) {
    const of = stored.get(shard) ?? [];
    if (of.length === 0 && (await reader.read(shard, context)).kind === "missing") absent += isStore ? 1 : 0;
    else {
      const cells = cellCount(reader.innerGrid(shard));
      const index = indexByteLength(sharding, cells, CODECS);
      targets.push({ ranges: of.map(rangeIn), shard: { index, isComplete: asked.length === cells } });
    }
  }
  return { targets, absent, isSharded: true };
}

function hostOfChunk(set: EngineSet, { reference }: ChunkReference): string | undefined {
  if (reference.kind === "native") return set.resolveKey && hostOfResolution(set.resolveKey(reference.key));
  return "target" in reference ? hostOfResolution(set.targets.resolve(reference.target)) : undefined;
}

function scaled(cost: ReaderCost, share: number): ReaderCost {
  if (share >= 1 || share <= 0) return cost;
  const of = (count: number) => Math.round(count / share);
  const { rule, requests, bytes, overRead, merged } = cost;
  return { rule, requests: of(requests), bytes: of(bytes), overRead: of(overRead), merged: of(merged) };
}
