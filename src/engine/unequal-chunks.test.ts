/** Tests of questions about an array with unequal chunks: each by the shape of the chunk that it is about. */
import { deflateSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { coordinatesOf } from "../core/metadata/chunk-grid.ts";
import { createEngine, type Engine } from "./engine.ts";
import { openLocal } from "./testing/open-files.ts";

const context = () => ({ signal: new AbortController().signal, report: () => undefined });

const EDGES = [
  [3, 9, 4],
  [5, 16, 1],
] as const;
/** The last chunk of rows reaches two past the array. */
const SHAPE = [14, 22] as const;
const PAD = 16;

const valueAt = (row: number, column: number) => 1000 + row * 30 + column;
const startOf = (edges: readonly number[], at: number) => edges.slice(0, at).reduce((sum, one) => sum + one, 0);

function chunkBytes([row = 0, column = 0]: readonly number[]): Uint8Array {
  const [down = 1, across = 1] = [EDGES[0][row], EDGES[1][column]];
  const [top, left] = [startOf(EDGES[0], row), startOf(EDGES[1], column)];
  const values = Int16Array.from({ length: down * across }, (_, at) => {
    return valueAt(top + Math.floor(at / across), left + (at % across));
  });
  return new Uint8Array(values.buffer);
}

function filesWith(damage: (refs: Record<string, unknown>) => void = () => undefined): Record<string, BlobPart> {
  const parts: Uint8Array<ArrayBuffer>[] = [new Uint8Array(PAD)];
  let offset = PAD;
  const refs: Record<string, unknown> = {
    "zarr.json": '{"zarr_format":3,"node_type":"group"}',
    "a/zarr.json": JSON.stringify({
      zarr_format: 3,
      node_type: "array",
      shape: SHAPE,
      data_type: "int16",
      chunk_grid: { name: "rectilinear", configuration: { kind: "inline", chunk_shapes: EDGES } },
      chunk_key_encoding: { name: "default" },
      fill_value: 0,
      codecs: [
        { name: "bytes", configuration: { endian: "little" } },
        { name: "numcodecs.zlib", configuration: { level: 1 } },
      ],
      dimension_names: ["y", "x"],
    }),
  };
  for (let at = 0; at < 9; at += 1) {
    const coordinates = coordinatesOf([3, 3], at);
    const packed = new Uint8Array(deflateSync(chunkBytes(coordinates)));
    refs[`a/c/${coordinates.join("/")}`] = ["a.bin", offset, packed.length];
    parts.push(packed, new Uint8Array(PAD));
    offset += packed.length + PAD;
  }
  damage(refs);
  return { "refs.json": JSON.stringify({ version: 1, refs }), "a.bin": new Blob(parts) };
}

let engine: Engine;
let set: number;
beforeAll(async () => {
  engine = createEngine();
  set = await openLocal(engine, filesWith());
});

const plane = { row: 0, column: 1, at: [0, 0] };

describe("a chunk", () => {
  it.each([
    [
      [0, 0],
      [3, 5],
      [3, 5],
    ],
    [
      [1, 1],
      [9, 16],
      [9, 16],
    ],
    [
      [2, 1],
      [4, 16],
      [2, 16],
    ],
    [
      [2, 2],
      [4, 1],
      [2, 1],
    ],
  ])("at %j has the shape %j, of which %j lies inside", async (coordinates, shape, inside) => {
    const reading = await engine.call("chunk.read", { set, array: "a", coordinates }, context());
    expect(reading).toMatchObject({ outcome: "ok", values: { shape, inside } });
    const [row = 0, column = 0] = coordinates;
    expect(reading.values?.raw.minimum).toBe(String(valueAt(startOf(EDGES[0], row), startOf(EDGES[1], column))));
    const window = { set, reading: reading.id, stage: 2, from: 0, to: 1 << 16 };
    const { bytes } = await engine.call("chunk.stageBytes", window, context());
    expect(Buffer.from(bytes)).toEqual(Buffer.from(chunkBytes(coordinates)));
  });

  it("is tried otherwise in its own shape", async () => {
    const trial = { byteOrder: "big" } as const;
    const request = { set, array: "a", coordinates: [2, 1], trial };
    const reading = await engine.call("repair.tryRead", request, context());
    expect(reading).toMatchObject({ outcome: "ok", trial, values: { shape: [4, 16], inside: [2, 16] } });
  });

  it("that is cut is repaired to what it must have itself", async () => {
    const cut = await openLocal(
      engine,
      filesWith((refs) => {
        const [file, offset, length] = refs["a/c/1/1"] as [string, number, number];
        refs["a/c/1/1"] = [file, offset + 3, length];
      }),
    );
    const request = { set: cut, array: "a", coordinates: [1, 1] };
    const found = await engine.call("repair.suggest", request, context());
    expect(found).toMatchObject({ declared: "fails", expected: 9 * 16 * 2 });
    expect(found.suggestions[0]).toMatchObject({ trial: { shift: -3 } });
    const check = { ...request, trial: { shift: -3 } };
    const checked = await engine.call("repair.check", check, context());
    expect(checked.chunks[0]).toMatchObject({ key: "a/c/1/1", verdict: "better" });
    // Good for the one, bad for all others.
    expect(checked.refused).toBe("worse");
  });
});

describe("a slice across chunks", () => {
  it("is told what it costs, and has a tile of each chunk at its place", async () => {
    const cost = await engine.call("plane.cost", { set, array: "a", plane }, context());
    expect(cost).toMatchObject({ chunks: 9, missing: 0, unknown: 0 });
    const values = new Map<string, number>();
    for (let at = 0; at < 9; at += 1) {
      const coordinates = coordinatesOf([3, 3], at);
      const request = { set, array: "a", plane, coordinates, steps: { down: 2, across: 3 }, scaled: false };
      const tile = await engine.call("plane.tile", request, context());
      if (tile.kind !== "values") throw new Error(tile.kind);
      for (const [index, value] of tile.values.entries()) {
        const [row, column] = [tile.top + Math.floor(index / tile.columns), tile.left + (index % tile.columns)];
        values.set(`${row} ${column}`, value);
      }
    }
    expect(values.size).toBe(7 * 8);
    for (let row = 0; row < 7; row += 1)
      for (let column = 0; column < 8; column += 1)
        expect(values.get(`${row} ${column}`)).toBe(valueAt(2 * row, 3 * column));
  });

  it("is a table and a file, from any chunks of it", async () => {
    const of = { set, array: "a", select: "11::-4,4:7", scaled: false };
    const table = await engine.call("plane.table", of, context());
    const rows = [11, 7, 3].map((row) => [4, 5, 6].map((column) => String(valueAt(row, column))));
    expect(table).toMatchObject({ shape: [3, 3], texts: rows.flat(), missing: 0, failed: [] });
  });
});

describe("the set", () => {
  it("has the chunks in its tree, with their edges, and what the metadata say of them", async () => {
    const { nodes } = await engine.call("set.summary", { set }, context());
    expect(nodes.find(({ path }) => path === "a")).toMatchObject({ grid: [3, 3], cells: 9, present: 9 });
    const detail = await engine.call("set.node", { set, path: "a" }, context());
    expect(detail.array).toMatchObject({ isRectilinear: true, leastChunkBytes: 6, chunkBytes: 9 * 16 * 2 });
    expect(detail.array?.dimensions).toMatchObject([
      { length: 14, chunks: 3, chunk: { lengths: [3, 9, 4] } },
      { length: 22, chunks: 3, chunk: { lengths: [5, 16, 1] } },
    ]);
  });
});
