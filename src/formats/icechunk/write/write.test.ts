/** Holds the bytes to what official readers demand, and reads again what is written. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bytePoolWriter } from "#core/byte-pool.ts";
import type { JsonValue } from "#core/json/json.ts";
import { ENTRY_INLINE, ENTRY_LOCATION } from "../chunk-columns.ts";
import { readFlexBuffer } from "../flex-buffer.ts";
import { idBytes, objectId } from "../object-id.ts";
import { openManifest, readChunkColumns, referenceAt } from "../references.ts";
import { openRepository, readStoredRepo } from "../repository.ts";
import { isWithin, readSnapshot, readTransactionLog } from "../snapshot.ts";
import { objectsOf, testZstd } from "../testing/objects.ts";
import { plainFrame } from "#core/plain-frame.ts";
import { flexBuffer } from "./flex-builder.ts";
import { FIRST_SNAPSHOT, firstFiles, newRepo, type WrittenColumns, writeManifests, writeRepoInfo, writeSnapshot, writeTransactionLog } from "./index.ts"; // prettier-ignore

const [NODE, MANIFEST, OTHER] = ["0W3GE1R70W3GE", "1G00000000000000000G", "0G00000000000000000G"];
const encoder = new TextEncoder();

/** Every chunk of the grid but each seventh, at places of their own; each tenth inline. */
function columnsOf(grid: readonly number[]): WrittenColumns {
  const cells = grid.reduce((product, one) => product * one, 1);
  const ordinal = Uint32Array.from({ length: cells }, (_, at) => at).filter((at) => at % 7 !== 6);
  const entries = bytePoolWriter();
  const entry = ordinal.map((at) => {
    const bytes = encoder.encode(at % 10 === 0 ? `chunk ${at}` : `s3://bucket/file ${at % 11}.nc`);
    return entries.intern(at % 10 === 0 ? ENTRY_INLINE : ENTRY_LOCATION, bytes, 0, bytes.length);
  });
  const checksums = bytePoolWriter();
  return {
    rows: ordinal.length,
    grid,
    ordinal,
    entry,
    entries: entries.finish(),
    offset: Float64Array.from(ordinal, (at) => at * 2 ** 33),
    length: ordinal.map((at) => at + 1),
    large: new Map(),
    checksum: undefined,
    checksums: checksums.finish(),
  };
}

async function manifestsOf(columns: WrittenColumns, most?: number) {
  let number = 0;
  const all = [];
  for await (const one of writeManifests(NODE, columns, () => `${(number += 1)}`.padStart(20, "0"), undefined, most))
    all.push(one);
  return all;
}

describe("a manifest", () => {
  it.each([
    [[1000], undefined, 1],
    [[], undefined, 1],
    [[10, 10, 10], 172, 5],
    [[10, 10, 10], 80, 20],
    [[3, 4, 5], 7, 12],
    [[2, 3, 70], 50, 12],
  ])("of the grid %j, at most %j references each, is split into %d boxes", async (grid, most, count) => {
    const columns = columnsOf(grid);
    const written = await manifestsOf(columns, most);
    expect(written).toHaveLength(count);
    const read = new Map<number, unknown>();
    for (const { id, bytes, extents } of written) {
      const manifest = await openManifest(bytes, id, testZstd);
      const own = readChunkColumns(manifest, manifest.arrays[0]!, grid, extents);
      expect([own.outsideExtents, own.inOrder, own.rows <= (most ?? Infinity)]).toEqual([0, true, true]);
      for (let row = 0; row < own.rows; row += 1) {
        expect(read.has(own.ordinal[row]!)).toBe(false);
        read.set(own.ordinal[row]!, referenceAt(own, row));
      }
    }
    expect(read.size).toBe(columns.rows);
    for (const [row, at] of columns.ordinal.entries()) {
      const inside = written.filter(({ extents }) => isWithin(extents, coordinatesOf(at, grid)));
      expect(inside).toHaveLength(1);
      expect(read.get(at)).toEqual(
        at % 10 === 0
          ? { kind: "inline", bytes: encoder.encode(`chunk ${at}`) }
          : {
              kind: "virtual",
              location: `s3://bucket/file ${at % 11}.nc`,
              offset: at * 2 ** 33,
              length: columns.length[row],
              checksum: undefined,
            },
      );
    }
  });

  it("longer than a piece is several frames, read as one", async () => {
    const grid = [140_000];
    const [written] = await manifestsOf(columnsOf(grid));
    const manifest = await openManifest(written!.bytes, written!.id, testZstd);
    const own = readChunkColumns(manifest, manifest.arrays[0]!, grid, []);
    expect([own.rows, own.strays.size, own.inOrder]).toEqual([120_000, 0, true]);
    expect(referenceAt(own, 119_998)).toMatchObject({ kind: "virtual", offset: own.ordinal[119_998]! * 2 ** 33 });
    const frames = Buffer.from(written!.bytes).toString("latin1").split("\x28\xb5\x2f\xfd").length - 1;
    expect(frames).toBeGreaterThan(1);
  });
});

function coordinatesOf(ordinal: number, grid: readonly number[]): readonly number[] {
  let rest = ordinal;
  return grid.toReversed().map((cells) => {
    const at = rest % cells;
    rest = (rest - at) / cells;
    return at;
  }).toReversed(); // prettier-ignore
}

describe("a snapshot", () => {
  it("has nodes by the bytes of their paths, manifests by id with their sizes, and the counts of chunks", async () => {
    const paths = ["/é", "/a0", "/a/c", "/a.b", "/a-b", "/a", "/A", "/"];
    const metadata = encoder.encode("{}");
    const manifests = [{ id: MANIFEST, size: 77, references: 3 }, { id: OTHER, size: 78, references: 4 }]; // prettier-ignore
    const array = {
      shape: [{ arrayLength: 5, chunks: 3 }],
      dimensionNames: [null],
      manifests: [{ id: MANIFEST, extents: [{ from: 1, to: 3 }] }],
    };
    const nodes = paths.map((path) => ({ id: NODE, path, metadata, ...(path === "/a0" && { array }) }));
    const content = { id: OTHER, time: 1, message: "m", metadata: new Map([["n", 1.5]]), nodes, manifests };
    const bytes = await writeSnapshot(content);
    const read = await readSnapshot(bytes, OTHER, testZstd);
    expect(read.nodes.map(({ path }) => path)).toEqual(["/", "/A", "/a", "/a-b", "/a.b", "/a/c", "/a0", "/é"]);
    expect([...read.manifestSizes]).toEqual([[OTHER, 78], [MANIFEST, 77]]); // prettier-ignore
    expect(read.nodes.find(({ path }) => path === "/a0")).toMatchObject({ ...array, kind: "array" });
    expect(read.metadata).toEqual(new Map([["n", 1.5]]));
    expect(read.header).toEqual({ writer: "refscope", format: 2 });
  });
});

it("a transaction log has ids in order and every chunk", async () => {
  const nothing = { deletedGroups: [], deletedArrays: [], updatedArrays: [], updatedGroups: [], moved: [] };
  const count = 400_000;
  const chunks = (node: string) => ({
    node,
    count,
    coordinates: Uint32Array.from({ length: 2 * count }, (_, at) => at),
    starts: Uint32Array.from({ length: count + 1 }, (_, at) => 2 * at),
  });
  const updatedChunks = [chunks(NODE), chunks("0000000000000")];
  const log = { id: OTHER, newGroups: [NODE, "0000000000000"], newArrays: [], ...nothing, updatedChunks };
  const bytes = await writeTransactionLog(log);
  const read = await readTransactionLog(bytes, OTHER, testZstd);
  const counted = await readTransactionLog(bytes, OTHER, testZstd, { countsOnly: true });
  expect(counted.updatedChunks.map(({ node, count }) => [node, count])).toEqual(
    read.updatedChunks.map(({ node, count }) => [node, count]),
  );
  expect(counted.updatedChunks.every(({ coordinates }) => coordinates.length === 0)).toBe(true);
  expect(read.newGroups).toEqual(["0000000000000", NODE]);
  for (const [at, { node, coordinates, starts }] of updatedChunks.toReversed().entries()) {
    const own = read.updatedChunks[at]!;
    expect([own.node, own.count]).toEqual([node, count]);
    expect(Buffer.compare(Buffer.from(own.coordinates.buffer), Buffer.from(coordinates.buffer))).toBe(0);
    expect(Buffer.compare(Buffer.from(own.starts.buffer), Buffer.from(starts.buffer))).toBe(0);
  }
});

it("a new repository begins with the first snapshot", async () => {
  const files = new Map((await firstFiles(5)).map(({ path, bytes }) => [path, bytes]));
  const repo = await newRepo({ id: OTHER, time: 6, message: "m", metadata: new Map() }, undefined);
  const { branches, info } = await openRepository(objectsOf(files.set(repo.path, repo.bytes)), testZstd);
  expect([...branches]).toEqual([["main", OTHER]]);
  expect([...info!.snapshots.values()].map(({ id, parent, time }) => [id, parent, time])).toEqual([
    [OTHER, FIRST_SNAPSHOT, "1970-01-01T00:00:00.000006Z"],
    [FIRST_SNAPSHOT, undefined, "1970-01-01T00:00:00.000006Z"],
  ]);
  expect(info!.updates.map(({ kind }) => kind)).toEqual(["commit", "initialized"]);
  const first = await readSnapshot(files.get(`snapshots/${FIRST_SNAPSHOT}`)!, FIRST_SNAPSHOT, testZstd);
  expect(first).toMatchObject({ nodes: [], message: "Repository initialized" });
});

it("metadata and configuration that are not changed keep their bytes, as 1.0, which JSON does not tell from 1", async () => {
  const one = Uint8Array.of(...new Uint8Array(Float64Array.of(1).buffer), (3 << 2) | 3, 8);
  const { bytes } = await newRepo({ id: OTHER, time: 6, message: "m", metadata: new Map() }, undefined);
  const info = await readStoredRepo(bytes, testZstd);
  const snapshots = new Map([...info.snapshots].map(([id, own]) => [id, { ...own, metadata: new Map([["x", one]]) }]));
  const first = await writeRepoInfo({ ...info, snapshots, metadata: new Map([["y", one]]), config: one });
  const again = await writeRepoInfo(await readStoredRepo(first, testZstd));
  expect(again).toEqual(first);
  expect((await readStoredRepo(again, testZstd)).snapshots.get(OTHER)?.metadata.get("x")).toEqual(one);
});

it("a snapshot may have more manifests than a function takes arguments", async () => {
  const manifests = Array.from({ length: 200_000 }, () => ({ id: MANIFEST, size: 1, references: 1 }));
  const content = { id: OTHER, time: 1, message: "", metadata: new Map(), nodes: [], manifests };
  expect((await writeSnapshot(content)).length).toBeGreaterThan(200_000 * 20);
});

it("a log beyond 2 GiB is refused before any of it is made", async () => {
  const count = 2 ** 28;
  const chunks = { node: NODE, count, coordinates: new Uint32Array(0), starts: new Uint32Array(0) };
  const nothing = { newGroups: [], newArrays: [], deletedGroups: [], deletedArrays: [], updatedGroups: [] };
  const log = { id: OTHER, ...nothing, updatedArrays: [], updatedChunks: [chunks], moved: [] };
  await expect(writeTransactionLog(log)).rejects.toMatchObject({ code: "export-impossible" });
});

it("ids are the bytes that they were made of", () => {
  fc.assert(
    fc.property(fc.constantFrom(8, 12), fc.infiniteStream(fc.nat(255)), (size, random) => {
      const bytes = Uint8Array.from({ length: size }, () => random.next().value);
      expect(idBytes(objectId(bytes, 0, size))).toEqual(bytes);
    }),
  );
});

describe("FlexBuffers", () => {
  const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constant(null),
      fc.boolean(),
      fc.maxSafeInteger(),
      fc.bigInt({ min: 2n ** 53n, max: 2n ** 64n - 1n }),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((one) => (Object.is(one, -0) ? 0 : one)),
      fc.string({ unit: "grapheme" }),
      fc.array(tie("value")),
      fc.array(fc.tuple(fc.string().map((key) => key.replaceAll("\0", "")), tie("value"))).map((all) => new Map(all)),
    ),
  })); // prettier-ignore

  it("are the values that they were made of", () => {
    const fault = (expected: string, found: string) => new Error(`${expected}, not ${found}`);
    fc.assert(
      fc.property(value, (one) => {
        expect(readFlexBuffer(flexBuffer(one), fault)).toEqual(one);
      }),
    );
  });
});

it.each([0, 1, 131_072, 131_073, 400_000])("a frame that compresses nothing holds %d bytes", async (length) => {
  const content = Uint8Array.from({ length }, (_, at) => at * 7);
  const read = await testZstd.decompress(plainFrame(content), { limit: length });
  expect(Buffer.compare(read, content)).toBe(0);
});
