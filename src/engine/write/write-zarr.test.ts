/** Sets written as Zarr v3 stores and opened again: the same values, and no file where a chunk could not be read. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import { coordinatesOf, cellCount, gridOf } from "#core/metadata/chunk-grid.ts";
import { zarrayWith } from "#core/testing/zarr-documents.ts";
import { droppedFiles } from "#io/local-files.ts";
import { fixtureFiles } from "#formats/icechunk/testing/objects.ts";
import { chunkReference } from "../chunk/chunk-reference.ts";
import type { EngineSet } from "../engine-set.ts";
import { CONTEXT } from "../fixtures/plain-table.ts";
import { readOne } from "../many/read-chunks.ts";
import { openFiles } from "../open/open-any.ts";
import { openDocument } from "../testing/open-document.ts";
import { planForm } from "./forms.ts";

type Files = Readonly<Record<string, Uint8Array | string>>;

async function openedFiles(files: Files): Promise<EngineSet> {
  const given = Object.entries(files).map(([path, part]) => ({ path, blob: new Blob([part as BlobPart]) }));
  const opening = { locations: NO_LOCATIONS, network: {}, options: {}, context: CONTEXT };
  const opened = await openFiles(droppedFiles(given), opening);
  if (opened.kind !== "set") throw new Error(opened.title);
  return opened.set;
}

async function written(set: EngineSet) {
  const { files, findings, found = [], cost } = await planForm(set, { form: "zarr" }, CONTEXT);
  const made: Record<string, Uint8Array> = {};
  for await (const { path, bytes } of files()) made[`z/${path}`] = bytes;
  return { made, findings, found, cost, again: await openedFiles(made) };
}

const arraysOf = ({ hierarchy }: EngineSet) =>
  [...hierarchy.nodes.values()].flatMap((node) => (node.kind === "array" ? [node] : []));

/** Decoded bytes, or the outcome, by array and chunk. */
async function valuesOf(set: EngineSet) {
  const values: Record<string, string> = {};
  for (const node of arraysOf(set)) {
    const grid = gridOf(node.metadata.shape, node.metadata.chunks);
    for (let ordinal = 0; ordinal < cellCount(grid); ordinal += 1) {
      const coordinates = coordinatesOf(grid, ordinal);
      const outcome = await readOne({ set }, await chunkReference(set, node, coordinates, CONTEXT), CONTEXT);
      const text = outcome.kind === "decoded" ? Buffer.from(outcome.decoded.bytes).toString("base64") : outcome.kind;
      values[`${node.path} ${coordinates.join(".")}`] = text;
    }
  }
  return values;
}

const told = (findings: readonly { code: string; place: object; facts: object }[]) =>
  findings.map(({ code, place, facts }) => {
    const { path = "", array = "", chunk } = place as Readonly<Record<string, string>>;
    const { what = "", number = "" } = facts as Readonly<Record<string, string>>;
    return [code, path || array, JSON.stringify(chunk ?? null), what, number].join(" ");
  });

const samples = join(import.meta.dirname, "../../../public/samples");
const sample = (name: string) => new Uint8Array(readFileSync(join(samples, name)));

describe("a store", () => {
  it("of a document with local sources has the same values, its root last", async () => {
    const names = ["ocean.v1.json", "ocean-a.nc", "ocean-b.nc"];
    const files = Object.fromEntries(names.map((name) => [name, sample(name)]));
    const opened = await openFiles(
      droppedFiles(Object.entries(files).map(([path, part]) => ({ path, blob: new Blob([part]) }))),
      { locations: NO_LOCATIONS, network: {}, options: { choice: "ocean.v1.json" }, context: CONTEXT },
    );
    if (opened.kind !== "set") throw new Error(opened.title);
    const { made, findings, found, cost, again } = await written(opened.set);
    expect([findings, found]).toEqual([[], []]);
    expect(cost).toEqual({ chunks: 102, bytes: 3_867_180, unsized: 0 });
    const values = await valuesOf(opened.set);
    expect(Object.values(values)).not.toContain("failed");
    expect(await valuesOf(again)).toEqual(values);
    expect(Object.keys(made).at(-1)).toBe("z/zarr.json");
    // As they are stored.
    expect(Buffer.from(made["z/sst/c/0/0/0"] ?? [])).toEqual(
      Buffer.from(sample("ocean-a.nc").subarray(12_760, 12_760 + 12_459)),
    );
  });

  it("of a repository has native and inline chunks, and names virtual ones that cannot be read", async () => {
    const set = await openedFiles(
      Object.fromEntries([...fixtureFiles("v2")].map(([path, bytes]) => [`r/${path}`, bytes])),
    );
    const { made, findings, found, again } = await written(set);
    expect(told(findings)).toEqual(["write-left-out air/virt null bad 1"]);
    const [before, after] = [await valuesOf(set), await valuesOf(again)];
    const whole = Object.entries(before).filter(([, value]) => value !== "failed");
    expect(whole).toHaveLength(7);
    for (const [chunk, value] of whole) expect([chunk, after[chunk]]).toEqual([chunk, value]);
    const unread = Object.keys(before).filter((chunk) => before[chunk] === "failed");
    expect(unread.map((chunk) => after[chunk])).toEqual(unread.map(() => "missing"));
    expect(told(found).at(-1)).toBe(`write-left-out air/virt null not-read ${unread.length - 1}`);
    expect(Object.keys(made).filter((path) => path.startsWith("z/air/virt/c/"))).toEqual([]);
  });

  it("of Zarr v2 becomes v3: metadata anew, bytes as they are", async () => {
    const array = zarrayWith({ shape: [2, 5], chunks: [1, 4], dtype: ">i2", fill_value: -1 });
    const set = await openedFiles({
      "s.zarr/.zgroup": '{"zarr_format":2}',
      "s.zarr/g/.zgroup": '{"zarr_format":2}',
      "s.zarr/g/a/.zarray": JSON.stringify(array),
      "s.zarr/g/a/0.1": Uint8Array.of(0, 1, 0, 2, 0, 3, 0, 4),
      "s.zarr/g/one/.zarray": JSON.stringify(zarrayWith({ shape: [], chunks: [] })),
      "s.zarr/g/one/0": Uint8Array.of(7, 0, 0, 0),
    });
    const { made, found, again } = await written(set);
    expect(found).toEqual([]);
    expect(Object.keys(made).toSorted()).toEqual(
      ["g/a/c/0/1", "g/a/zarr.json", "g/one/c", "g/one/zarr.json", "g/zarr.json", "zarr.json"].map((key) => `z/${key}`),
    );
    expect(await valuesOf(again)).toEqual(await valuesOf(set));
  });

  it("with shards has these as whole objects, though their indexes be broken", async () => {
    const sharding = {
      name: "sharding_indexed",
      configuration: { chunk_shape: [1], codecs: [{ name: "bytes" }], index_codecs: [{ name: "bytes", configuration: { endian: "little" } }], index_location: "end" },
    }; // prettier-ignore
    const text = JSON.stringify({
      zarr_format: 3,
      node_type: "array",
      shape: [4],
      data_type: "uint8",
      chunk_grid: { name: "regular", configuration: { chunk_shape: [2] } },
      chunk_key_encoding: { name: "default", configuration: { separator: "." } },
      fill_value: 0,
      codecs: [sharding],
      attributes: { kept: "as written" },
    });
    const index = new BigUint64Array([0n, 1n, 1n, 1n]);
    const shard = new Uint8Array([8, 9, ...new Uint8Array(index.buffer)]);
    const set = await openedFiles({
      "s.zarr/zarr.json": '{"zarr_format":3,"node_type":"group"}',
      "s.zarr/a/zarr.json": text,
      "s.zarr/a/c.0": shard,
      "s.zarr/a/c.1": Uint8Array.of(1, 2),
    });
    const { made, findings, found, cost } = await written(set);
    expect([findings, found]).toEqual([[], []]);
    expect(cost).toEqual({ chunks: 2, bytes: 0, unsized: 2 });
    expect(new TextDecoder().decode(made["z/a/zarr.json"])).toBe(text);
    expect([made["z/a/c.0"], made["z/a/c.1"]]).toEqual([shard, Uint8Array.of(1, 2)]);
  });

  it("never gets fill bytes, keys of no chunk, or files outside its folder", async () => {
    const array = zarrayWith({ shape: [4], chunks: [1], dtype: "|u1" });
    const set = await openDocument({
      ".zgroup": '{"zarr_format":2}',
      "a/.zarray": array,
      "a/0": "base64:BQ==",
      "a/1": ["none.bin", 0, 1],
      "a/2": [1, 2, 3],
      "a/9": "base64:BQ==",
      "../b/.zarray": array,
      "../b/0": "base64:BQ==",
    });
    const { files, findings, found = [] } = await planForm(set, { form: "zarr" }, CONTEXT);
    const paths: string[] = [];
    for await (const { path } of files()) paths.push(path);
    expect(paths).toEqual(["a/zarr.json", "a/c/0", "zarr.json"]);
    expect(told(findings)).toEqual(
      expect.arrayContaining(["write-left-out a null bad 1", "write-left-out ../b null odd-path 1"]),
    );
    expect(told(findings).join()).toContain("stray 1");
    expect(told(found).at(-1)).toBe("write-left-out a null not-read 1");
    expect(found).toHaveLength(2);
    expect(JSON.stringify(found[0]?.place)).toContain('"coordinates":[1]');
  });

  it("is broken off when the call is", async () => {
    const set = await openDocument({ "a/.zarray": zarrayWith({ dtype: "|u1" }), "a/0": "base64:BQ==" });
    const controller = new AbortController();
    const { files } = await planForm(set, { form: "zarr" }, { ...CONTEXT, signal: controller.signal });
    const paths: string[] = [];
    const all = (async () => {
      for await (const { path } of files()) {
        paths.push(path);
        controller.abort();
      }
    })();
    await expect(all).rejects.toThrow(/abort/i);
    expect(paths).toEqual(["a/zarr.json"]);
  });
});
