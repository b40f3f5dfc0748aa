/** Sets written as repositories and opened again: the same references; what a repository cannot hold is named before. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import { RefscopeError } from "#core/findings/finding.ts";
import { zarrayWith } from "#core/testing/zarr-documents.ts";
import { droppedFiles } from "#io/local-files.ts";
import { fixtureFiles } from "#formats/icechunk/testing/objects.ts";
import { chunkReference } from "#engine/chunk/chunk-reference.ts";
import { arrayNode, type EngineSet } from "#engine/engine-set.ts";
import { CONTEXT } from "#engine/fixtures/plain-table.ts";
import { openFiles } from "#engine/open/open-any.ts";
import { openDocument } from "#engine/testing/open-document.ts";
import { planForm } from "../forms.ts";
import { planIcechunk } from "./plan.ts";

type Files = Readonly<Record<string, Uint8Array | string>>;

async function openedFiles(files: Files): Promise<EngineSet> {
  const given = Object.entries(files).map(([path, part]) => ({ path, blob: new Blob([part as BlobPart]) }));
  const opening = { locations: NO_LOCATIONS, network: {}, options: {}, context: CONTEXT };
  const opened = await openFiles(droppedFiles(given), opening);
  if (opened.kind !== "set") throw new Error(opened.title);
  return opened.set;
}

async function written(set: EngineSet, prefix?: string) {
  const { files, findings } = await planForm(set, { form: "icechunk", prefix, message: "one" }, CONTEXT);
  const made: Record<string, Uint8Array> = {};
  for await (const { path, bytes } of files()) made[`r/${path}`] = bytes;
  return { made, findings, again: await openedFiles(made) };
}

async function referenceOf(set: EngineSet, path: string, coordinates: readonly number[]) {
  const { reference, key } = await chunkReference(set, arrayNode(set, path), coordinates, CONTEXT);
  return { ...reference, key };
}

const notes = (findings: readonly { code: string; facts: object }[]) =>
  findings.map(({ code, facts }) => [code, ...Object.values(facts as Record<string, unknown>)].join(" ")).toSorted();

const V2 = { ".zgroup": '{"zarr_format":2}' };

/** A document of an array `a` of bytes in single chunks. */
const documentOf = (references: Readonly<Record<string, unknown>>, shape = [8]) =>
  openDocument({
    ...V2,
    "a/.zarray": zarrayWith({ shape, chunks: shape.map(() => 1), dtype: "|u1" }),
    ...references,
  });

describe("a Kerchunk document", () => {
  it("is the same references in Zarr v3, with a container for each bucket and host", async () => {
    const set = await documentOf({
      "a/0": ["s3://bucket/x y%.nc", 2 ** 40, 7],
      "a/1": "base64:AQID",
      "a/3": ["https://data.example/b.nc", 0, 9],
      "a/7": ["/data/here/c.nc", 1, 2],
      "a/6": ["/data/there/c.nc", 1, 2],
    });
    const { made, findings, again } = await written(set);
    expect(findings).toEqual([]);
    expect(again.findings.map(({ code }) => code)).not.toContain("icechunk-library-limit");
    expect(await referenceOf(again, "a", [0])).toMatchObject({
      key: "a/c/0",
      kind: "range",
      target: "s3://bucket/x%20y%25.nc",
      offset: 2 ** 40,
      length: 7,
    });
    expect(await referenceOf(again, "a", [1])).toMatchObject({ kind: "inline", bytes: Uint8Array.of(1, 2, 3) });
    expect(await referenceOf(again, "a", [2])).toMatchObject({ kind: "missing" });
    expect(await referenceOf(again, "a", [7])).toMatchObject({
      target: "file:///data/here/c.nc",
      offset: 1,
      length: 2,
    });
    expect(again.repository?.containers.toSorted()).toEqual(["file:///data/", "https://data.example/", "s3://bucket/"]);
    expect(Object.keys(made).at(-1)).toBe("r/repo");
    expect((await again.repository!.history(CONTEXT)).updates.map(({ kind }) => kind)).toEqual([
      "commit",
      "initialized",
    ]);
  });

  it("has web addresses as they are parsed, of which the official library takes the prefix", async () => {
    const set = await documentOf({
      "a/0": ["HTTPS://Data.Example:443/X.nc", 0, 7],
      "a/1": ["https://münchen.example/b c.nc", 0, 7],
      "a/2": ["abfs://container@account.example/b.nc", 0, 7],
    });
    const { again, findings } = await written(set);
    expect(findings).toEqual([]);
    const targets = await Promise.all([0, 1, 2].map((at) => referenceOf(again, "a", [at])));
    expect(targets.map((one) => "target" in one && one.target)).toEqual([
      "https://data.example/X.nc",
      "https://xn--mnchen-3ya.example/b%20c.nc",
      "abfs://container@account.example/b.nc",
    ]);
    expect(again.repository?.containers.toSorted()).toEqual([
      "abfs://container@account.example/",
      "https://data.example/",
      "https://xn--mnchen-3ya.example/",
    ]);
  });

  it("keeps no passwords", async () => {
    const set = await documentOf({
      "a/0": ["https://user:secret@data.example/b.nc", 0, 7],
      "a/1": ["s3://KEY:secret@bucket/b.nc", 0, 7],
      "a/2": ["abfs://user:secret@account/b.nc", 0, 7],
    });
    const { made, again, findings } = await written(set);
    expect(notes(findings)).toEqual(["write-left-out elsewhere 3"]);
    expect(again.repository?.containers).toEqual([]);
    expect(Object.values(made).some((bytes) => Buffer.from(bytes).includes("secret"))).toBe(false);
  });

  it("loses what no reader of Icechunk can read, by name", async () => {
    const set = await documentOf({
      "a/0": ["zip://x::s3://bucket/y.zip", 0, 7],
      "a/1": ["s3://bucket/y", 3, 0],
      "a/2": ["https://data.example/b.nc?signature=1", 0, 9],
      "a/3": [1, 2, 3],
      "a/4": "",
      "a/9": ["s3://bucket/y", 0, 1],
      "text/.zarray": zarrayWith({ shape: [1], chunks: [1], dtype: "|O" }),
    });
    const { findings, again } = await written(set);
    expect(notes(findings)).toEqual([
      "write-left-out bad 1",
      "write-left-out elsewhere 2",
      "write-left-out empty 2",
      "write-left-out stray 1",
      "write-left-out v3-type 1",
    ]);
    expect([...again.hierarchy.nodes.keys()]).toEqual(["", "a"]);
    expect(again.keys).toBe(2);
  });

  it("of relative sources asks where they will lie", async () => {
    const set = await documentOf({ "a/0": ["b.nc", 4, 7] });
    const error = await planIcechunk(set, {}, CONTEXT).catch((one: unknown) => one);
    expect(error).toBeInstanceOf(RefscopeError);
    expect((error as RefscopeError).finding).toMatchObject({
      code: "export-impossible",
      facts: { why: "relative", paths: ["b.nc"] },
    });
    const { again } = await written(set, "s3://bucket/data");
    expect(await referenceOf(again, "a", [0])).toMatchObject({ target: "s3://bucket/data/b.nc", offset: 4, length: 7 });
  });

  it("asks sources that are read whole for their length", async () => {
    const document = JSON.stringify({ ...V2, "a/.zarray": zarrayWith({ shape: [2], chunks: [1], dtype: "|u1" }), "a/0": ["b.bin"], "a/1": ["none.bin"] }); // prettier-ignore
    const set = await openedFiles({ "set.json": document, "b.bin": Uint8Array.of(1, 2, 3, 4) });
    const { findings, again } = await written(set, "https://data.example");
    expect(notes(findings)).toEqual(["write-changed prefix 2", "write-left-out no-size 1"]);
    expect(await referenceOf(again, "a", [0])).toMatchObject({
      target: "https://data.example/b.bin",
      offset: 0,
      length: 4,
    });
  });
});

describe("a store", () => {
  it("on this computer has its chunks copied, small ones into manifests", async () => {
    const chunks = {
      "0.0": new Uint8Array(600).fill(5),
      "0.1": new Uint8Array(600).fill(6),
      "1.1": new Uint8Array(8).fill(7),
    };
    const array = JSON.stringify(zarrayWith({ shape: [2, 1200], chunks: [1, 600], dtype: "|u1" }));
    const files = Object.fromEntries(Object.entries(chunks).map(([key, bytes]) => [`s.zarr/g/a/${key}`, bytes]));
    const set = await openedFiles({
      "s.zarr/.zgroup": V2[".zgroup"],
      "s.zarr/g/.zgroup": V2[".zgroup"],
      "s.zarr/g/a/.zarray": array,
      ...files,
    });
    const { made, findings, again } = await written(set);
    expect(notes(findings)).toContain("write-changed copied 3");
    expect(Object.keys(made).filter((path) => path.startsWith("r/chunks/"))).toHaveLength(2);
    expect(await referenceOf(again, "g/a", [1, 1])).toMatchObject({ kind: "inline", bytes: chunks["1.1"] });
    expect(await referenceOf(again, "g/a", [1, 0])).toMatchObject({ kind: "missing" });
    const { key } = again.nativePlace!("g/a", { ordinal: 1 })!;
    expect(made[`r/${key}`]).toEqual(chunks["0.1"]);
  });

  it("that is a repository keeps checksums, containers and locations", async () => {
    const files = Object.fromEntries([...fixtureFiles("v2")].map(([path, bytes]) => [`old/${path}`, bytes]));
    const set = await openedFiles(files);
    const { again } = await written(set);
    const virtual = [...set.hierarchy.nodes.values()].filter(({ kind }) => kind === "array").map(({ path }) => path);
    let sums = 0;
    for (const path of virtual)
      for (let ordinal = 0; ordinal < 30; ordinal += 1) {
        const sum = set.recorded!.checksumAt(path, ordinal);
        expect(again.recorded!.checksumAt(path, ordinal)).toEqual(sum);
        sums += Number(sum !== undefined);
      }
    expect(sums).toBeGreaterThan(3);
    expect(again.repository?.containers).toContain("file:///data/refscope/external/");
  });
});

it("a data file is a repository whose chunks lie in it", async () => {
  const name = "netcdf4_grid.nc";
  const bytes = new Uint8Array(readFileSync(join(import.meta.dirname, "../../../formats/hdf5/fixtures", name)));
  const set = await openedFiles({ [name]: bytes });
  const { again, findings } = await written(set, "https://data.example/files");
  expect(notes(findings)).toEqual(["write-changed prefix 1"]);
  const { target } = (await referenceOf(again, "tas", [0, 0, 0])) as { target?: string };
  expect(target).toBe(`https://data.example/files/${name}`);
  expect(again.tally.states.virtual).toBe(set.tally.states.range);
});
