/** Facts of the chunks that were decoded, by array: columns of numbers, an entry a chunk. Plain data. */
import { gridOf, largestShape } from "#core/metadata/chunk-grid.ts";
import type { ArrayNode } from "#core/metadata/array-metadata.ts";
import type { EngineSet } from "#engine/engine-set.ts";
import { lowerBound } from "#engine/table/array-index.ts";
import type { Ledger } from "#engine/rules/ledger.ts";
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
  "wraps",
  "wild",
  "wildValue",
  "wildBit",
  "leading",
  "trailing",
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
  /** Offsets and lengths of ranges; NaN if unknown. */
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
  /** Causes of the set's chunks that are known so far. */
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

/** Values at the same places of every chunk, in layers across the axis. */
export interface ProbeColumns {
  /** Places along each dimension of the array; 1 along the axis. */
  readonly places: readonly number[];
  /** All of a layer, in C order of the dimensions. */
  readonly size: number;
  /** Layers of a chunk, from its first to its last along the axis. */
  readonly layers: number;
  readonly values: Float32Array<ArrayBuffer>;
  /** How many layers of each chunk are kept: one at the edge has fewer. */
  readonly kept: Uint16Array<ArrayBuffer>;
}

/** Numbers of all probes together, and of one chunk. */
const MAX_PROBED = 9_000_000;
const MAX_OF_CHUNK = 8192;
const [MAX_LAYERS, LEAST_SIZE, MAX_SIZE] = [32, 9, 256];
/** Along a dimension: in two, 36 places tell as much as more. */
const MAX_PLACES = 6;

/** Layers and places of a chunk, where so many chunks are looked at together. */
function probesOf({ node, axis, ordinals }: PlannedArray, chunks: number): ProbeColumns {
  const shape = largestShape(node.metadata.chunks);
  const room = Math.min(MAX_OF_CHUNK, Math.max(2 * LEAST_SIZE, Math.floor(MAX_PROBED / Math.max(1, chunks))));
  const places = shape.map(() => 1);
  // Short dimensions are looked at whole, and leave more to the others.
  const across = [...shape.keys()]
    .filter((at) => at !== axis && (shape[at] ?? 1) > 1)
    .toSorted((a, b) => (shape[a] ?? 1) - (shape[b] ?? 1));
  let size = 1;
  for (const [done, at] of across.entries()) {
    const each = Math.floor((Math.min(MAX_SIZE, room / 2) / size) ** (1 / (across.length - done)) + 1e-9);
    places[at] = Math.max(1, Math.min(shape[at] ?? 1, MAX_PLACES, each));
    size *= places[at] ?? 1;
  }
  const layers = Math.max(1, Math.min(shape[axis] ?? 1, MAX_LAYERS, Math.max(2, Math.floor(room / size))));
  const count = axis < 0 ? 0 : ordinals.length;
  const values = new Float32Array(count * layers * size).fill(NaN);
  return { places, size, layers, values, kept: new Uint16Array(count) };
}

/** `chunks`: of all arrays that are looked at. */
export function arrayFacts(planned: PlannedArray, chunks: number, set: EngineSet, ledger: Ledger): ArrayFacts {
  const { node, ordinals, isWhole } = planned;
  const { shape } = node.metadata;
  const count = ordinals.length;
  const columns = Object.fromEntries(MEASURES.map((name) => [name, new Float64Array(count).fill(NaN)]));
  return {
    ...planned,
    ledger,
    targets: set.table.targets,
    grid: gridOf(shape, node.metadata.chunks),
    states: new Uint8Array(count),
    columns: columns as ChunkColumns,
    probes: probesOf(planned, chunks),
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
