/** What is known of the chunks that were decoded, by array: columns of numbers, an entry a chunk. Plain data. */
import { gridOf, largestShape } from "../../../core/metadata/chunk-grid.ts";
import type { ArrayNode } from "../../../core/metadata/hierarchy.ts";
import type { EngineSet } from "../../engine-set.ts";
import { lowerBound } from "../../table/array-index.ts";
import type { Ledger } from "../ledger.ts";
import type { ChunkMeasures } from "./measures.ts";

export const CHUNK_UNREAD = 0;
export const CHUNK_DECODED = 1;
export const CHUNK_FAILED = 2;
/** Decoded, but its elements are not numbers. */
export const CHUNK_UNMEASURED = 3;

/** Chunks that share no file with others: inline, or objects of a store. */
export const NO_FILE = 0xffff_ffff;

const MEASURES = [
  "count",
  "missing",
  "zeros",
  "minimum",
  "maximum",
  "mean",
  "spread",
  "nextMinimum",
  "nextMaximum",
  "timesMinimum",
  "timesMaximum",
  "outside",
  "wild",
  "wildValue",
  "wildBit",
  "rough",
  "otherwise",
  "transposed",
] as const satisfies readonly (keyof ChunkMeasures)[];

export type ChunkColumns = { readonly [name in keyof ChunkMeasures]: Float64Array<ArrayBuffer> };

/** Chunks that are looked at, an entry each. */
export interface PlannedChunks {
  /** Ascending. */
  readonly ordinals: Float64Array<ArrayBuffer>;
  /** Ids of targets, of equal URLs the first; or `NO_FILE`. */
  readonly files: Uint32Array<ArrayBuffer>;
  /** Of ranges; NaN where nothing says how long they are. */
  readonly offsets: Float64Array<ArrayBuffer>;
  readonly lengths: Float64Array<ArrayBuffer>;
}

export interface PlannedArray extends PlannedChunks {
  readonly node: ArrayNode;
  /** Chunks of the array that have a reference, looked at or not. */
  readonly of: number;
  /** Stored as they are, with no codec that could fail. */
  readonly isPlain: boolean;
  /** Along which dimension chunks follow each other: that of the files, where they differ along one; -1 for none. */
  readonly axis: number;
  /** A coordinate of which every chunk is read. */
  readonly isWhole: boolean;
}

export interface ArrayFacts extends PlannedArray {
  /** What is explained of the set's chunks so far. */
  readonly ledger: Ledger;
  readonly targets: EngineSet["table"]["targets"];
  readonly grid: readonly number[];
  readonly states: Uint8Array<ArrayBuffer>;
  readonly columns: ChunkColumns;
  readonly probes: ProbeColumns;
  /** The decoded bytes are text; all of them are zero. */
  readonly isText: Uint8Array<ArrayBuffer>;
  /** All values, where the array is a coordinate that is read whole; NaN where they are not known. */
  readonly whole: Float64Array<ArrayBuffer> | undefined;
}

/** Values at the same places of every chunk: of its first and of its last layer along the axis. */
export interface ProbeColumns {
  /** Places of a layer: rows and columns, of the last two other dimensions. */
  readonly rows: number;
  readonly columns: number;
  readonly first: Float32Array<ArrayBuffer>;
  readonly last: Float32Array<ArrayBuffer>;
}

/** `places`: along each dimension of a probe. */
export function arrayFacts(planned: PlannedArray, places: number, set: EngineSet, ledger: Ledger): ArrayFacts {
  const { node, ordinals, axis, isWhole } = planned;
  const { shape, chunks } = node.metadata;
  const count = ordinals.length;
  const columns = Object.fromEntries(MEASURES.map((name) => [name, new Float64Array(count).fill(NaN)]));
  const across = largestShape(chunks)
    .flatMap((length, at) => (at === axis || length < 2 ? [] : [length]))
    .slice(-2);
  const [rows = 1, across2 = 1] = across.length === 2 ? across : [1, across[0] ?? 1];
  const size = { rows: Math.min(places, rows), columns: Math.min(places, across2) };
  const layer = () => new Float32Array(axis < 0 ? 0 : count * size.rows * size.columns).fill(NaN);
  return {
    ...planned,
    ledger,
    targets: set.table.targets,
    grid: gridOf(shape, chunks),
    states: new Uint8Array(count),
    columns: columns as ChunkColumns,
    probes: { ...size, first: layer(), last: layer() },
    isText: new Uint8Array(count),
    whole: isWhole ? new Float64Array(shape[0] ?? 0).fill(NaN) : undefined,
  };
}

/** The entry of a chunk, or -1. */
export function slotOf({ ordinals }: Pick<ArrayFacts, "ordinals">, ordinal: number): number {
  const slot = lowerBound(ordinals, ordinal);
  return ordinals[slot] === ordinal ? slot : -1;
}

export function noteMeasures({ columns }: ArrayFacts, slot: number, measures: ChunkMeasures): void {
  for (const name of MEASURES) columns[name][slot] = measures[name];
}
