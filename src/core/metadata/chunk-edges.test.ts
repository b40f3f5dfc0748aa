/** Edges of chunks against the lengths written out one by one. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  cellCount,
  chunkAlong,
  type ChunkEdges,
  chunkOf,
  chunkStart,
  coordinatesOf,
  countAlong,
  declaredExtent,
  type EdgeRun,
  edgesOf,
  encodedExtent,
  encodedShape,
  gridOf,
  insideShape,
  inUnits,
  largestShape,
  longestAlong,
  sameEdges,
  shardsInChunks,
  shortestAlong,
  startAlong,
  writtenEdges,
  edgesText,
} from "./chunk-grid.ts";
import { planePart } from "../plane/plane.ts";
import { parseSelection, piecesOf, wholeDimension } from "../plane/selection.ts";

const run = fc.record({ length: fc.integer({ min: 1, max: 9 }), count: fc.integer({ min: 1, max: 4 }) });
const runs = fc.array(run, { minLength: 1, maxLength: 6 });

const expanded = (all: readonly EdgeRun[]): number[] =>
  all.flatMap(({ length, count }) => Array.from({ length: count }, () => length));

const sumOf = (lengths: readonly number[]): number => lengths.reduce((sum, length) => sum + length, 0);

/** Chunks that hold elements, one by one: first element, length as encoded, and how much of it lies inside. */
function chunksOf(length: number, lengths: readonly number[]) {
  let start = 0;
  const all = lengths.map((encoded) => {
    const chunk = { start, encoded, declared: Math.max(0, Math.min(encoded, length - start)) };
    start += encoded;
    return chunk;
  });
  return all.filter(({ declared }) => declared > 0);
}

/** Runs with an array's length that they reach. */
const dimension = runs.chain((all) => {
  const most = sumOf(expanded(all));
  return fc.record({ all: fc.constant(all), length: fc.integer({ min: 0, max: most }) });
});

function knownEdges(length: number, all: readonly EdgeRun[]): ChunkEdges {
  const edges = edgesOf(length, all);
  if (edges === undefined) throw new Error("The edges end before the dimension.");
  return edges;
}

describe("edges along a dimension", () => {
  it("say of every chunk and element what the lengths one by one say", () => {
    fc.assert(
      fc.property(dimension, ({ all, length }) => {
        const edges = knownEdges(length, all);
        const chunks = chunksOf(length, expanded(all));
        expect(countAlong(length, edges)).toBe(chunks.length);
        for (const [at, { start, encoded, declared }] of chunks.entries()) {
          expect(startAlong(edges, at)).toBe(start);
          expect(encodedExtent(edges, at)).toBe(encoded);
          expect(declaredExtent(length, edges, at)).toBe(declared);
          for (let element = start; element < start + declared; element += 1)
            expect(chunkAlong(edges, element)).toBe(at);
        }
        const last = chunks.at(-1);
        if (last !== undefined) expect(startAlong(edges, chunks.length)).toBe(last.start + last.encoded);
        if (length > 0) expect(longestAlong(edges)).toBe(Math.max(...chunks.map(({ encoded }) => encoded)));
        if (length > 0) expect(shortestAlong(edges)).toBe(Math.min(...chunks.map(({ encoded }) => encoded)));
      }),
    );
  });

  it("that end before the dimension are none", () => {
    fc.assert(
      fc.property(runs, fc.integer({ min: 1, max: 5 }), (all, more) => {
        expect(edgesOf(sumOf(expanded(all)) + more, all)).toBeUndefined();
      }),
    );
  });

  it("that are all alike are a regular dimension, however they are written", () => {
    expect(edgesOf(10, [{ length: 4, count: 3 }])).toBe(4);
    expect(
      edgesOf(
        9,
        [1, 2].map(() => ({ length: 3, count: 2 })),
      ),
    ).toBe(3);
    // A chunk that lies wholly past the array is none of its chunks.
    expect(
      edgesOf(8, [
        { length: 4, count: 2 },
        { length: 1, count: 9 },
      ]),
    ).toBe(4);
    expect(
      edgesOf(0, [
        { length: 3, count: 1 },
        { length: 2, count: 1 },
      ]),
    ).toBe(3);
  });

  it("cost as much as they are written, not as many as they are", () => {
    const edges = edgesOf(2 ** 50 + 3, [
      { length: 1, count: 2 ** 50 },
      { length: 3, count: 2 ** 52 },
    ]);
    expect(edges).toEqual({ lengths: [1, 3], chunks: [0, 2 ** 50], starts: [0, 2 ** 50], count: 2 ** 50 + 1 });
    expect(chunkAlong(edges ?? 1, 2 ** 50 + 2)).toBe(2 ** 50);
    expect(edgesOf(10, [{ length: 2 ** 53 - 1, count: 2 ** 53 - 1 }])).toBe(2 ** 53 - 1);
  });

  it("are the same where they cut at the same elements", () => {
    fc.assert(
      fc.property(dimension, dimension, (one, other) => {
        const [a, b] = [knownEdges(one.length, one.all), knownEdges(one.length, one.all)];
        expect(sameEdges(a, b)).toBe(true);
        const c = knownEdges(other.length, other.all);
        const lengthsOf = (edges: ChunkEdges) => JSON.stringify(writtenEdges(edges));
        const isCounted = typeof a === "object" && typeof c === "object" && a.count !== c.count;
        if (!isCounted) expect(sameEdges(a, c)).toBe(lengthsOf(a) === lengthsOf(c));
      }),
    );
  });

  it("are written as the metadata write them, and read back the same", () => {
    fc.assert(
      fc.property(dimension, ({ all, length }) => {
        const edges = knownEdges(length, all);
        const written = writtenEdges(edges);
        const list = typeof written === "number" ? [[written, Infinity] as const] : written;
        const again = list.map((one) =>
          typeof one === "number" ? { length: one, count: 1 } : { length: one[0], count: one[1] },
        );
        expect(edgesOf(length, again)).toEqual(edges);
      }),
    );
    expect(
      edgesText(
        knownEdges(8, [
          { length: 2, count: 3 },
          { length: 1, count: 2 },
        ]),
      ),
    ).toBe("3 × 2, 2 × 1");
    expect(edgesText(4)).toBe("4");
    const many = Array.from({ length: 50 }, (_, at) => ({ length: 1 + (at % 2), count: 1 }));
    expect(edgesText(knownEdges(75, many))).toMatch(/^1, 2, .*, …$/);
  });
});

describe("a selection along a dimension", () => {
  it("takes every element once, from the chunk that holds it", () => {
    const step = fc.integer({ min: -7, max: 7 }).filter((one) => one !== 0);
    fc.assert(
      fc.property(
        dimension,
        fc.integer({ min: -60, max: 60 }),
        fc.integer({ min: -60, max: 60 }),
        step,
        (one, ...of) => {
          const { all, length } = one;
          const edges = knownEdges(length, all);
          const [selected = wholeDimension(length)] = parseSelection(of.join(":"), [length]);
          const chunks = chunksOf(length, expanded(all));
          const taken = piecesOf(selected, edges).flatMap((piece) =>
            Array.from(
              { length: piece.count },
              (_, at) => (chunks[piece.chunk]?.start ?? NaN) + piece.first + at * piece.step,
            ),
          );
          const wanted = Array.from({ length: selected.count }, (_, at) => selected.start + at * selected.step);
          expect(taken).toEqual(wanted);
        },
      ),
    );
  });
});

describe("a grid of unequal chunks", () => {
  const grid = fc.tuple(dimension, dimension);

  it("has every element in one chunk, whose part of a plane is where it belongs", () => {
    fc.assert(
      fc.property(grid, fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 }), (both, down, across) => {
        const shape = both.map(({ length }) => length);
        const chunks = both.map(({ all, length }) => knownEdges(length, all));
        const counts = gridOf(shape, chunks);
        const plane = { row: 0, column: 1, at: [0, 0] };
        const seen = new Map<string, number>();
        for (let ordinal = 0; ordinal < cellCount(counts); ordinal += 1) {
          const coordinates = coordinatesOf(counts, ordinal);
          const inside = insideShape(shape, chunks, coordinates);
          const [first, whole] = [chunkStart(coordinates, chunks), encodedShape(chunks, coordinates)];
          expect(whole.every((length, at) => length <= (largestShape(chunks)[at] ?? 0))).toBe(true);
          const part = planePart(plane, { down, across }, { coordinates, chunks, inside });
          for (let row = 0; row < part.rows; row += 1) {
            for (let column = 0; column < part.columns; column += 1) {
              const element = part.base + row * part.rowStep + column * part.columnStep;
              const width = whole[1] ?? 1;
              const at = [(first[0] ?? 0) + Math.floor(element / width), (first[1] ?? 0) + (element % width)];
              expect(at).toEqual([(part.top + row) * down, (part.left + column) * across]);
              expect(chunkOf(at, chunks)).toEqual(coordinates);
              seen.set(at.join(), (seen.get(at.join()) ?? 0) + 1);
            }
          }
        }
        const [height = 0, width = 0] = shape;
        expect(seen.size).toBe(Math.ceil(height / down) * Math.ceil(width / across));
        expect([...seen.values()].every((times) => times === 1)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it("of shards has inner chunks as a regular grid has them", () => {
    fc.assert(
      fc.property(runs, fc.integer({ min: 1, max: 5 }), fc.nat(), (all, inner, cut) => {
        const multiple = all.map(({ length, count }) => ({ length: length * inner, count }));
        const most = sumOf(expanded(multiple));
        const length = most - (cut % most);
        const shards = knownEdges(length, multiple);
        const [within = 1] = shardsInChunks([shards], [inner]);
        expect(within).toEqual(inUnits(shards, inner));
        const [count = 0] = gridOf([length], [inner]);
        for (let chunk = 0; chunk < count; chunk += 1) {
          const shard = chunkAlong(within, chunk);
          expect(shard).toBe(chunkAlong(shards, chunk * inner));
          expect(startAlong(within, shard) * inner).toBe(startAlong(shards, shard));
        }
      }),
    );
  });
});
