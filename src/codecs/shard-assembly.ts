/** Inner chunks put together to the chunk that their shard is. */
import { coordinatesOf } from "../core/chunk-grid.ts";
import { advance, stridesC } from "../core/gather.ts";
import { variablePlaces, writeVariable } from "../core/variable-elements.ts";
import type { ChunkOutline } from "./codec.ts";
import { decodeFailed, decodeTooLarge } from "./failure.ts";

type Bytes = Uint8Array<ArrayBuffer>;

export interface Assembly {
  /** `at`: ordinal in the inner grid. */
  put(at: number, bytes: Bytes): void;
  /** For an inner chunk that is empty. Throws RefscopeError where there is no fill value. */
  putFill(at: number): void;
  finish(): Bytes;
}

/** `fill`: bytes of one element. */
export function bytesAssembly(array: ChunkOutline, inner: ChunkOutline, fill: () => Bytes): Assembly {
  const size = array.dataType.itemSize;
  const target = new Uint8Array(array.elements * size);
  const runs = runsOf(array.chunkShape, inner.chunkShape);
  let filled: Bytes | undefined;
  const put = (at: number, bytes: Bytes) => {
    const length = runs.length * size;
    let source = 0;
    for (const start of runs.starts(at)) {
      const to = start * size;
      if (length > 32) target.set(bytes.subarray(source, source + length), to);
      else for (let i = 0; i < length; i++) target[to + i] = bytes[source + i] as number;
      source += length;
    }
  };
  return {
    put,
    putFill: (at) => {
      filled ??= repeated(fill(), inner.elements);
      put(at, filled);
    },
    finish: () => target,
  };
}

/** For elements of variable size; `limit`: maximum bytes of all of them. */
export function variableAssembly(array: ChunkOutline, inner: ChunkOutline, limit: number, fill: () => Bytes): Assembly {
  const elements: Uint8Array[] = Array.from({ length: array.elements }, () => NOTHING);
  const runs = runsOf(array.chunkShape, inner.chunkShape);
  let [filled, size]: [Bytes | undefined, number] = [undefined, 4];
  const put = (at: number, next: (element: number) => Uint8Array) => {
    let source = 0;
    for (const start of runs.starts(at)) {
      for (let i = 0; i < runs.length; i++) {
        const element = next(source++);
        elements[start + i] = element;
        size += 4 + element.length;
      }
      if (size > limit) throw decodeTooLarge("sharding_indexed", limit, `more than ${limit} bytes`);
    }
  };
  return {
    put: (at, bytes) => {
      const places = variablePlaces(bytes);
      if (typeof places === "string") throw decodeFailed("sharding_indexed", "text or byte strings", places);
      put(at, (element) => bytes.subarray(places[2 * element], places[2 * element + 1]));
    },
    putFill: (at) => {
      const element = (filled ??= fill());
      put(at, () => element);
    },
    finish: () => writeVariable(elements),
  };
}

const NOTHING = new Uint8Array(0);

interface InnerRuns {
  /** Elements that follow each other in both. */
  readonly length: number;
  /** Where the runs of an inner chunk begin in the chunk, in elements, in C order. */
  starts(inner: number): Iterable<number>;
}

function runsOf(outer: readonly number[], inner: readonly number[]): InnerRuns {
  const grid = outer.map((length, at) => length / (inner[at] ?? 1));
  const strides = stridesC(outer);
  // Dimensions at the end that an inner chunk fills are one run with the one before.
  let first = outer.length - 1;
  while (first > 0 && inner[first] === outer[first]) first--;
  const length = inner.slice(Math.max(0, first)).reduce((product, extent) => product * extent, 1);
  const lead = inner.slice(0, Math.max(0, first));
  const starts = function* (at: number) {
    const origin = coordinatesOf(grid, at).reduce((sum, i, d) => sum + i * (inner[d] ?? 1) * (strides[d] ?? 1), 0);
    const index = lead.map(() => 0);
    const count = lead.reduce((product, extent) => product * extent, 1);
    let start = origin;
    for (let run = 0; run < count; run++) {
      yield start;
      start = advance(index, lead, strides, start);
    }
  };
  return { length, starts };
}

function repeated(element: Uint8Array, count: number): Bytes {
  const bytes = new Uint8Array(element.length * count);
  if (element.some((byte) => byte !== 0)) {
    for (let at = 0; at < bytes.length; at += element.length) bytes.set(element, at);
  }
  return bytes;
}
