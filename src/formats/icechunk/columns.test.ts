import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bytePoolWriter } from "#core/byte-pool.ts";
import type { Extents } from "./index.ts";
import { kindOf, locationOf, openManifest, readChunkColumns, referenceAt, packedPool } from "./references.ts";
import { bytesOf, coordinates, id12, manifestFile, table, text, u32, u64 } from "./testing/flat-writer.ts";
import type { FlatNode } from "./testing/flat-writer.ts";
import { testZstd } from "./testing/objects.ts";

async function columnsOf(refs: readonly FlatNode[], grid: readonly number[], extents: Extents = []) {
  const manifest = await openManifest(manifestFile(refs), "M", testZstd);
  return readChunkColumns(manifest, manifest.arrays[0]!, grid, extents);
}

const virtual = (at: readonly number[], location: string, offset: number | bigint = 0, length: number | bigint = 4) =>
  table(coordinates(...at), undefined, u64(offset), u64(length), undefined, text(location));

describe("references of a manifest", () => {
  it("are what the first of their fields says: chunk id, location, inline bytes", async () => {
    const all = [
      table(coordinates(0), bytesOf(Buffer.from("abc"))),
      table(coordinates(1), bytesOf(Buffer.from("abc")), u64(5), u64(6), id12(255), text("s3://b/k"), text("etag")),
      table(
        coordinates(2),
        bytesOf(Buffer.from("abc")),
        u64(7),
        u64(8),
        undefined,
        text("s3://b/k"),
        text('"e"'),
        u32(9),
      ),
      table(coordinates(3), undefined, u64(7), u64(8), undefined, text("s3://b/k"), undefined, u32(1_714_979_289)),
      table(coordinates(4)),
    ];
    const columns = await columnsOf(all, [5]);
    expect(all.map((_, row) => referenceAt(columns, row))).toEqual([
      { kind: "inline", bytes: new Uint8Array(Buffer.from("abc")) },
      { kind: "native", chunk: "ZZZZZZZZZZZZZZZZZZZG", offset: 5, length: 6 },
      { kind: "virtual", location: "s3://b/k", offset: 7, length: 8, checksum: { kind: "etag", etag: '"e"' } },
      {
        kind: "virtual",
        location: "s3://b/k",
        offset: 7,
        length: 8,
        checksum: { kind: "last-modified", seconds: 1_714_979_289, time: "2024-05-06T07:08:09.000Z" },
      },
      { kind: "bad" },
    ]);
    expect(columns.inOrder).toBe(true);
  });

  it("keep offsets and lengths exact", async () => {
    const columns = await columnsOf(
      [
        virtual([0], "a://b/c", 2 ** 40, 2 ** 32 - 1),
        virtual([1], "a://b/c", 2n ** 64n - 1n, 2n ** 53n + 1n),
        virtual([2], "a://b/c", 2 ** 53 - 1, 2 ** 32 - 2),
      ],
      [3],
    );
    expect([0, 1, 2].map((row) => referenceAt(columns, row))).toMatchObject([
      { offset: 2 ** 40, length: 2 ** 32 - 1 },
      { offset: 2n ** 64n - 1n, length: 2n ** 53n + 1n },
      { offset: 2 ** 53 - 1, length: 2 ** 32 - 2 },
    ]);
  });

  it("have the ordinals of the grid; what is not in it is kept apart", async () => {
    const refs = [[0, 1], [1, 2], [2, 0], [1], [0, 0]].map((at) => virtual(at, "a://b/c"));
    const columns = await columnsOf(refs, [2, 3]);
    expect([...columns.ordinal].slice(0, 2)).toEqual([1, 5]);
    expect(columns.ordinal[4]).toBe(0);
    expect([...columns.strays]).toEqual([
      [2, [2, 0]],
      [3, [1]],
    ]);
    expect(columns.inOrder).toBe(false);
  });

  it("count beyond four billion chunks", async () => {
    const columns = await columnsOf([virtual([4_000_000_000, 2], "a://b/c")], [4_294_967_295, 3]);
    expect(columns.ordinal[0]).toBe(12_000_000_002);
  });

  it("are left out where the extents do not have them", async () => {
    const refs = [0, 1, 2, 3].map((cell) => virtual([cell, 0], `a://b/${cell}`));
    const columns = await columnsOf(refs, [4, 1], [{ from: 1, to: 3 }]);
    expect([...columns.ordinal]).toEqual([1, 2]);
    expect(columns.outsideExtents).toBe(2);
    expect(referenceAt(columns, 0)).toMatchObject({ location: "a://b/1" });
  });

  it("of a scalar are one", async () => {
    const columns = await columnsOf([table(coordinates(), bytesOf(Buffer.from("x")))], []);
    expect([...columns.ordinal]).toEqual([0]);
    expect(columns.strays.size).toBe(0);
  });

  it("that were compressed without a dictionary at hand fail alone", async () => {
    const compressed = table(
      coordinates(1),
      ...Array.from({ length: 7 }, () => undefined),
      bytesOf(Buffer.from("xyz")),
    );
    const columns = await columnsOf([virtual([0], "a://b/c"), compressed], [2]);
    expect(kindOf(columns, 1)).toBe("virtual");
    expect(referenceAt(columns, 0)).toMatchObject({ location: "a://b/c" });
    expect(() => referenceAt(columns, 1)).toThrow(
      expect.objectContaining({
        code: "icechunk-location-unreadable",
        finding: expect.objectContaining({
          facts: expect.objectContaining({ problem: "no-dictionary" }) as unknown,
        }) as unknown,
      }) as Error,
    );
  });

  it("fail alone where the dictionary is none, which is tried once", async () => {
    const refs = Array.from({ length: 100 }, (_, at) => {
      const unused = Array.from({ length: 7 }, () => undefined);
      return table(coordinates(at), ...unused, bytesOf(Buffer.from(`no frame ${at}`)));
    });
    let tries = 0;
    const zstd = {
      ...testZstd,
      prepare: () => {
        tries += 1;
        throw new Error("no dictionary");
      },
    };
    const manifest = await openManifest(manifestFile(refs, Buffer.from("none")), "M", zstd);
    const columns = readChunkColumns(manifest, manifest.arrays[0]!, [100], []);
    for (let row = 0; row < 100; row += 1) {
      expect(() => referenceAt(columns, row)).toThrow(
        expect.objectContaining({
          finding: expect.objectContaining({
            facts: { problem: "decompression", text: undefined, reason: "no dictionary" },
          }) as unknown,
        }) as Error,
      );
    }
    expect(tries).toBe(1);
  });

  it("may have a location each, 100,000 of them", async () => {
    const refs = Array.from({ length: 100_000 }, (_, at) => {
      return virtual([at], `s3://bucket/model/${2000 + (at % 20)}/file_${String(at).padStart(7, "0")}.nc`, at, 4096);
    });
    const columns = await columnsOf(refs, [100_000]);
    expect(columns.entries.count).toBe(100_000);
    for (const row of [99_999, 0, 63, 64, 65, 50_001, 49_999]) {
      expect(referenceAt(columns, row)).toMatchObject({
        location: `s3://bucket/model/${2000 + (row % 20)}/file_${String(row).padStart(7, "0")}.nc`,
        offset: row,
      });
    }
    expect(locationOf(columns, columns.entry[7]!)).toContain("file_0000007.nc");
  });
});

describe("pools of bytes", () => {
  const entries = fc.array(fc.tuple(fc.integer({ min: 0, max: 4 }), fc.uint8Array({ maxLength: 12, max: 3 })), {
    maxLength: 300,
  });

  it("keep each entry once", () => {
    fc.assert(
      fc.property(entries, (all) => {
        const writer = bytePoolWriter();
        const ids = all.map(([tag, bytes]) => writer.intern(tag, bytes, 0, bytes.length));
        const pool = writer.finish();
        const distinct = new Map(all.map(([tag, bytes], at) => [`${tag}:${bytes.join()}`, ids[at]]));
        expect(pool.count).toBe(distinct.size);
        for (const [at, [tag, bytes]] of all.entries()) {
          expect(ids[at]).toBe(distinct.get(`${tag}:${bytes.join()}`));
          expect([pool.tag(ids[at]!), ...pool.bytes(ids[at]!)]).toEqual([tag, ...bytes]);
        }
      }),
    );
  });

  it("are the same packed, in any order", () => {
    const one = fc.tuple(fc.integer({ min: 0, max: 1 }), fc.uint8Array({ maxLength: 40, max: 2 }));
    fc.assert(
      fc.property(fc.array(one, { maxLength: 300 }), fc.array(fc.nat(), { maxLength: 50 }), (all, order) => {
        const plain = (id: number) => ({ tag: all[id]![0], bytes: all[id]![1] });
        const empty = { tag: () => 9, bytes: () => new Uint8Array(0) };
        const pool = packedPool({ ...empty, count: all.length, byteLength: 1_000_000 }, plain);
        const ids = all.length === 0 ? [] : [...all.keys(), ...order.map((id) => id % all.length)];
        for (const id of ids) expect({ tag: pool.tag(id), bytes: pool.bytes(id) }).toEqual(plain(id));
      }),
    );
  });
});
