/** Sets that are written and opened again are the same; what cannot be written is named. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import type { Finding } from "#core/findings/finding.ts";
import { droppedFiles } from "#io/local-files.ts";
import type { SetDifferences } from "#core/set-differences.ts";
import { compareSets } from "../compare/compare-sets.ts";
import type { EngineSet } from "../engine-set.ts";
import { CONTEXT } from "../fixtures/plain-table.ts";
import { openAny, openFiles } from "../open/open-any.ts";
import { arrayOf, openDocument } from "../testing/open-document.ts";
import { urlPrefixes, planJson } from "./write-json.ts";
import { parquetFiles, planParquet } from "./write-parquet.ts";
import { writableSet } from "./writable.ts";

const GROUP = JSON.stringify({ zarr_format: 2 });
const HDF5 = join(import.meta.dirname, "../../formats/hdf5/fixtures");

async function openedFiles(files: Readonly<Record<string, BlobPart>>): Promise<EngineSet> {
  const dropped = droppedFiles(Object.entries(files).map(([path, part]) => ({ path, blob: new Blob([part]) })));
  const opened = await openFiles(dropped, { locations: NO_LOCATIONS, network: {}, options: {}, context: CONTEXT });
  if (opened.kind !== "set") throw new Error(opened.title);
  return opened.set;
}

const bytesOf = (name: string) => new Uint8Array(readFileSync(join(HDF5, name)));

async function asJson(set: EngineSet, form: "version0" | "version1" | "version1-flat" = "version1"): Promise<string> {
  const { writing } = planJson(await writableSet(set, {}, CONTEXT), form);
  return Buffer.concat([...writing.pieces]).toString();
}

async function asParquet(set: EngineSet, recordSize: number) {
  const plan = planParquet(await writableSet(set, { fromThere: (path) => path }, CONTEXT));
  const files: Record<string, Uint8Array<ArrayBuffer>> = {};
  for await (const { path, bytes } of parquetFiles(plan, recordSize, CONTEXT)) files[`set.parq/${path}`] = bytes;
  return {
    files,
    findings: told(plan.findings),
  };
}

/** The base of pasted text's relative targets is unknown. */
const told = (findings: readonly Finding[]): readonly string[] =>
  findings
    .filter(({ code }) => code !== "write-relative")
    .map(({ code, facts }) => [code, ...Object.values(facts).map(String)].join(" "));

/** Nothing but chunks at the same place, with equal metadata. */
function expectSame({ nodes, metadata, arrays }: SetDifferences): void {
  expect(nodes).toEqual([]);
  expect(metadata).toEqual([]);
  for (const { kinds, uncompared } of arrays)
    expect({ ...kinds, same: 0, uncompared }).toEqual({ ...NO_DIFFERENCE, uncompared: undefined });
}

const NO_DIFFERENCE = { same: 0, elsewhere: 0, content: 0, form: 0, onlyA: 0, onlyB: 0, unknown: 0 };

const SETS = ["netcdf4_grid.nc", "phony_dims.h5", "compact_latest.h5", "strings.h5", "filter_masks_latest.h5"];

describe("a data file", () => {
  it.each(SETS)("%s is the same when it was written in any form", async (name) => {
    const set = await openedFiles({ [name]: bytesOf(name) });
    for (const form of ["version0", "version1", "version1-flat"] as const) {
      const again = await openedFiles({ "again.json": await asJson(set, form), [name]: bytesOf(name) });
      expectSame(await compareSets({ a: set, b: again }, CONTEXT));
    }
    const { files, findings } = await asParquet(set, 4);
    expect(findings).toEqual([]);
    expectSame(await compareSets({ a: set, b: await openedFiles(files) }, CONTEXT));
  });

  it("has small chunks inline where they are asked for, and none that cannot be read", async () => {
    const set = await openedFiles({ "implicit.h5": bytesOf("implicit.h5") });
    const { table, findings } = await writableSet(set, { inlineBelow: 500, fromThere: (path) => path }, CONTEXT);
    expect(findings).toEqual([]);
    expect(table.targets.count).toBe(0);
    const gone = await openDocument({ ".zgroup": GROUP, "a/.zarray": arrayOf([1]), "a/0": ["gone.nc", 0, 2] });
    const kept = await writableSet(gone, { inlineBelow: 3, fromThere: (path) => path }, CONTEXT);
    expect(told(kept.findings)).toEqual(["write-left-out not-inlined 1"]);
    expect(kept.table.targets.count).toBe(1);
  });
});

const URLS = [
  "s3://bucket/data/a.nc",
  "s3://bucket/data/b.nc",
  "https://data.example/x y?é.nc",
  "rel/c.nc",
  "{odd}.nc",
];

const reference = fc.oneof(
  fc.tuple(fc.constantFrom(...URLS), fc.nat(2 ** 40), fc.integer({ min: 1, max: 2 ** 33 })),
  fc.tuple(fc.constantFrom(...URLS)),
  fc.constantFrom("", "text", 'a\n\u0000"\\', "base64:AQL/", "base64:YmFzZTY0Og=="),
  fc.constant(undefined),
);

it("random sets are the same as Parquet and as JSON", async () => {
  const grids = fc.constantFrom<number[]>([], [1], [7], [3, 5], [2, 2, 2]);
  const arrays = fc.array(fc.tuple(grids, fc.array(reference, { minLength: 15, maxLength: 15 })), { maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(arrays, fc.integer({ min: 1, max: 9 }), async (made, recordSize) => {
      const document: Record<string, unknown> = { ".zgroup": GROUP };
      for (const [at, [shape, references]] of made.entries()) {
        document[`g/a${at}/.zarray`] = arrayOf(shape);
        const count = shape.reduce((product, one) => product * one, 1);
        for (const [ordinal, written] of references.slice(0, count).entries()) {
          const name = coordinates(shape, ordinal).join(".") || "0";
          if (written !== undefined) document[`g/a${at}/${name}`] = written;
        }
      }
      const set = await openDocument(document);
      const { files, findings } = await asParquet(set, recordSize);
      expect(findings.filter((one) => !one.includes("empty-range"))).toEqual([]);
      expectSame(await compareSets({ a: set, b: await openedFiles(files) }, CONTEXT));
      for (const form of ["version0", "version1"] as const)
        expectSame(await compareSets({ a: set, b: await openedFiles({ "x.json": await asJson(set, form) }) }, CONTEXT));
    }),
    { numRuns: 25 },
  );
});

function coordinates(shape: readonly number[], ordinal: number): number[] {
  let rest = ordinal;
  return shape
    .toReversed()
    .map((count) => {
      const at = rest % count;
      rest = (rest - at) / count;
      return at;
    })
    .toReversed();
}

it("a file of Parquet has rows up to its array's last chunk, and there is none without references", async () => {
  const chunks = { "a/0": ["u.nc", 1, 2], "a/7": ["u.nc", 3, 4] };
  const set = await openDocument({ ".zgroup": GROUP, "a/.zarray": arrayOf([9]), ...chunks });
  const { files } = await asParquet(set, 3);
  expect(Object.keys(files)).toEqual(["set.parq/a/refs.0.parq", "set.parq/a/refs.2.parq", "set.parq/.zmetadata"]);
  expect(JSON.parse(new TextDecoder().decode(files["set.parq/.zmetadata"]))).toMatchObject({ record_size: 3 });
  const { parquetMetadata } = await import("hyparquet");
  const rows = Object.entries(files).flatMap(([path, bytes]) =>
    path.endsWith(".parq") ? [Number(parquetMetadata(bytes.buffer).num_rows)] : [],
  );
  expect(rows).toEqual([3, 3]);
});

it("a file of Parquet has the same bytes whenever it is written", async () => {
  const set = await openDocument({ "a/.zarray": arrayOf([2]), "a/0": ["x.nc", 0, 4], "a/1": ["x.nc", 4, 4] });
  const { files } = await asParquet(set, 10);
  vi.useFakeTimers({ now: Date.UTC(2031, 6, 1), toFake: ["Date"] });
  try {
    expect((await asParquet(set, 10)).files).toEqual(files);
  } finally {
    vi.useRealTimers();
  }
});

it("documents are ASCII without bare NaN, in JSON as in Parquet, and that is noted", async () => {
  const array = arrayOf([2]).replace('"fill_value":', '"fill_value":NaN,"was":');
  expect(array).toContain("NaN");
  const refs = { ".zgroup": GROUP, "å/.zarray": array, "å/.zattrs": '{"units":"°C","valid":[NaN,-Infinity]}' };
  const set = await openDocument({ ...refs, "å/0": ["ü.nc", 0, 2], "å/1": "é" });
  const { files, findings } = await asParquet(set, 3);
  expect(findings).toEqual(["write-changed not-finite 2"]);
  const [metadata] = Object.entries(files).flatMap(([path, bytes]) => (path.endsWith(".zmetadata") ? [bytes] : []));
  const texts = [Buffer.from(metadata ?? []).toString()];
  for (const form of ["version0", "version1", "version1-flat"] as const) texts.push(await asJson(set, form));
  for (const text of texts) {
    expect(text).toMatch(/^[ -~\n]*$/);
    const whole = JSON.parse(text) as { refs?: object; metadata?: object };
    const own = new Map<string, unknown>(Object.entries(whole.refs ?? whole.metadata ?? whole));
    const attributes = own.get("å/.zattrs");
    const read: unknown = typeof attributes === "string" ? JSON.parse(attributes) : attributes;
    expect(read).toEqual({ units: "°C", valid: ["NaN", "-Infinity"] });
    if (typeof attributes === "string") expect(attributes).toContain(String.raw`\u00b0C`);
  }
});

it("what Parquet has no word for is named", async () => {
  const set = await openDocument({
    ".zgroup": GROUP,
    "a/.zarray": arrayOf([4], { dimension_separator: "/" }),
    "a/0": [null, 0, 2],
    "a/1": ["u.nc", 0, 0],
    "a/2": [1, 2],
    "a/9": ["u.nc", 0, 2],
    "b/.zarray": arrayOf([2, 2], { dimension_separator: "/" }),
    "b/1/1": ["u.nc", 5, 2],
    other: "text",
  });
  const { files, findings } = await asParquet(set, 10);
  expect(findings.toSorted()).toEqual([
    "write-changed empty-range 1",
    "write-changed separator 1",
    "write-changed separator 1",
    "write-left-out bad 1",
    "write-left-out null-url 1",
    "write-left-out stray 2",
  ]);
  const { arrays } = await compareSets({ a: set, b: await openedFiles(files) }, CONTEXT);
  expect(arrays[1]?.kinds).toMatchObject({ same: 1 });
  const root = await openDocument({ ".zarray": arrayOf([2]), "0": ["u.nc", 0, 2] });
  expect((await asParquet(root, 10)).findings).toEqual(["write-left-out root-array 1"]);
  const v3 = await openDocument({ "zarr.json": '{"zarr_format":3,"node_type":"group"}' });
  expect((await asParquet(v3, 10)).findings).toEqual(["write-left-out zarr-v3 1"]);
});

it("leaves out of Parquet an array of more chunks than records can be numbered for", async () => {
  const far = { "a/.zarray": arrayOf([2 ** 53 - 1, 2 ** 53 - 1]), "a/1.2": ["u.nc", 0, 2] };
  const { files, findings } = await asParquet(await openDocument({ ".zgroup": GROUP, ...far }), 10);
  expect(findings).toEqual([expect.stringContaining("write-left-out unread-grid")]);
  expect(Object.keys(files)).toEqual(["set.parq/.zmetadata"]);
});

it("gen is written as it is in Version 1, and expanded elsewhere; what fsspec refuses is not written", async () => {
  const gen = [{ key: "a/{{i}}", url: "u.nc", offset: "{{i}}", length: "2", dimensions: { i: { stop: 3 } } }];
  const refs = { ".zgroup": GROUP, "a/.zarray": arrayOf([3]) };
  const set = await openDocument({ version: 1, gen, refs });
  expect(JSON.parse(await asJson(set))).toMatchObject({ gen });
  expect((await asParquet(set, 10)).findings).toEqual(["write-changed gen 3"]);
  const broken = await openDocument({ version: 1, gen: [{ key: "a" }], refs });
  await expect(writableSet(broken, {}, CONTEXT)).rejects.toMatchObject({ code: "export-refused" });
});

describe("objects of a store", () => {
  const store = { ".zgroup": GROUP, "a/.zarray": arrayOf([2], { dimension_separator: "." }), "a/1": "ab" };

  it("become paths, or URLs where there are any", async () => {
    const files = Object.fromEntries(Object.entries(store).map(([key, text]) => [`s.zarr/${key}`, text]));
    const set = await openedFiles(files);
    const { findings } = await writableSet(set, {}, CONTEXT);
    expect(findings).toMatchObject([
      { code: "write-changed", facts: { what: "native-path", number: 1 } },
      { code: "write-relative", facts: { number: 1 } },
    ]);
    expect(JSON.parse(await asJson(set, "version1-flat"))).toMatchObject({ refs: { "a/1": ["s.zarr/a/1"] } });
    const metadata = {
      ".zgroup": JSON.parse(GROUP) as unknown,
      "a/.zarray": JSON.parse(store["a/.zarray"]) as unknown,
    };
    const served = { ...store, ".zmetadata": JSON.stringify({ zarr_consolidated_format: 1, metadata }) };
    const fetch = (url: string): Promise<Response> => {
      const text = new Map(Object.entries(served)).get(url.replace(/^.*s\.zarr\/|\?.*/g, ""));
      return Promise.resolve(new Response(text ?? null, { status: text === undefined ? 404 : 200 }));
    };
    const opening = {
      locations: NO_LOCATIONS,
      network: { http: { fetch, attempts: 1 } },
      options: {},
      context: CONTEXT,
    };
    for (const query of ["", "?sig=secret"]) {
      const opened = await openAny({ kind: "url", url: `https://data.example/s.zarr${query}` }, opening);
      if (opened.kind !== "set") throw new Error(opened.title);
      const document = JSON.parse(await asJson(opened.set, "version1-flat")) as { refs: Record<string, unknown> };
      expect(document.refs["a/1"]).toEqual(["https://data.example/s.zarr/a/1"]);
      const noted = told((await writableSet(opened.set, {}, CONTEXT)).findings);
      expect(noted).toEqual(["write-changed native-url 1", ...(query === "" ? [] : ["write-changed unsigned 1"])]);
    }
  });

  it("that are shards are written where a document refers to them", async () => {
    const codecs = (inner: readonly unknown[]) => [
      { name: "sharding_indexed", configuration: { chunk_shape: [1], codecs: inner, index_codecs: inner } },
    ];
    const array = {
      zarr_format: 3,
      node_type: "array",
      shape: [4],
      data_type: "int8",
      chunk_grid: { name: "regular", configuration: { chunk_shape: [2] } },
      chunk_key_encoding: { name: "default" },
      fill_value: 0,
      codecs: codecs([{ name: "bytes", configuration: { endian: "little" } }]),
    };
    const shard = new Uint8Array(34).fill(255);
    const refs = { "a/zarr.json": JSON.stringify(array), "a/c/1": ["shard.bin", 0, 34] };
    const document = JSON.stringify({ version: 1, refs });
    const set = await openedFiles({ "x.json": document, "shard.bin": shard });
    expect(set.unexpanded).toBeDefined();
    expect(JSON.parse(await asJson(set, "version1-flat"))).toMatchObject({ refs });
    const group = { zarr_format: 3, node_type: "group" };
    const plain = { ...array, codecs: [{ name: "bytes" }] };
    const metadata = { "g/a": array, "g/b": plain };
    const root = { ...group, consolidated_metadata: { kind: "inline", must_understand: false, metadata } };
    const native = {
      "s.zarr/zarr.json": JSON.stringify(root),
      "s.zarr/g/zarr.json": JSON.stringify({ ...root, consolidated_metadata: { metadata: { a: array, b: plain } } }),
      "s.zarr/g/a/zarr.json": JSON.stringify(array),
      "s.zarr/g/a/c/1": shard,
      "s.zarr/g/b/zarr.json": JSON.stringify(plain),
      "s.zarr/g/b/c/1": shard,
    };
    const store = await openedFiles(native);
    const { findings } = await writableSet(store, {}, CONTEXT);
    expect(findings.filter(({ code }) => code === "write-left-out")).toEqual([]);
    const written = JSON.parse(await asJson(store, "version1-flat")) as { refs: Record<string, string> };
    const names = (key: string) =>
      Object.keys((JSON.parse(written.refs[key] ?? "") as typeof root).consolidated_metadata.metadata);
    expect([names("zarr.json"), names("g/zarr.json")]).toEqual([
      ["g/a", "g/b"],
      ["a", "b"],
    ]);
    const documents = ["g/a/zarr.json", "g/b/zarr.json", "g/zarr.json", "zarr.json"];
    expect(Object.keys(written.refs).toSorted()).toEqual([...documents, "g/a/c/1", "g/b/c/1"].toSorted());
    const [plainAt = ""] = written.refs["g/b/c/1"] ?? [];
    expect(written.refs["g/a/c/1"]).toEqual([plainAt.replace("g/b", "g/a"), 0, 34]);
  });
});

it("templates say once what URLs have in common, and none is made where a URL would be rendered", () => {
  const of = (...urls: readonly string[]) => {
    const prefixes = urlPrefixes({ count: urls.length, text: (id) => urls[id] ?? "", written: () => "" });
    return [prefixes.templates, ...urls.map(prefixes.written)];
  };
  expect(of("s3://b/d/one.nc", "s3://b/d/two.nc", "https://h.example/x.nc", "s3://b/{x}")).toEqual([
    '{"a":"s3://b/d/","b":"https://h.example/x.nc"}',
    "{{a}}one.nc",
    "{{a}}two.nc",
    "{{b}}",
    "s3://b/{x}",
  ]);
  expect(of("s3://b/d/one.nc", "s3://b/{{x}}")).toEqual([undefined, "s3://b/d/one.nc", "s3://b/{{x}}"]);
  expect(of("a.nc")).toEqual([undefined, "a.nc"]);
});

interface Written {
  readonly refs: Record<string, readonly string[]>;
  readonly templates?: Record<string, string>;
}

describe("relative targets", () => {
  const refs = {
    "a/.zarray": arrayOf([4]),
    "a/0": ["x y.nc", 0, 2],
    "a/1": ["../b/é.nc", 0, 2],
    "a/2": ["s3://b/c.nc", 0, 2],
    "a/3": ["x y.nc", 2, 2],
  };
  const templated = { version: 1, templates: { u: "x y" }, refs: { ...refs, "a/3": ["{{u}}.nc", 2, 2] } };
  const targetsIn = (text: string, renders: boolean) => {
    const { refs: all, templates = {} } = JSON.parse(text) as Written;
    const whole = (target: string) => target.replace(/\{\{(\w)\}\}/, (_, name: string) => templates[name] ?? "");
    return [0, 1, 2, 3].map((at) => (renders ? whole : String)(all[`a/${at}`]?.[0] ?? ""));
  };
  const written = async (
    set: EngineSet,
    form: "version1" | "version1-flat",
    fromThere?: (path: string) => string,
    renders = false,
  ) => {
    const { writing, findings } = planJson(
      await writableSet(set, fromThere === undefined ? {} : { fromThere }, CONTEXT),
      form,
    );
    const targets = targetsIn(Buffer.concat([...writing.pieces]).toString(), renders);
    return { targets, found: findings.map(({ code, facts }) => [code, facts["what"], facts["number"]]) };
  };

  it.each(["version1", "version1-flat"] as const)("are those of the new place, templates or not: %s", async (form) => {
    const set = await openedFiles({ "sets/one/x.json": JSON.stringify(templated) });
    const { targets, found } = await written(set, form, (path) => `../${path}`, true);
    const expected = ["../sets/one/x y.nc", "../sets/one/../b/é.nc", "s3://b/c.nc", "../sets/one/x y.nc"];
    expect(targets).toEqual(expected);
    expect(found).toEqual([["write-changed", "relative-moved", 2]]);
  });

  it("stay, and that is noted, where the place is not known; where it is the same, nothing is", async () => {
    const set = await openedFiles({ "x.json": JSON.stringify(templated) });
    const unknown = await written(set, "version1");
    expect(unknown.targets).toEqual(["x y.nc", "../b/é.nc", "s3://b/c.nc", "{{u}}.nc"]);
    expect(unknown.found).toEqual([["write-relative", undefined, 2]]);
    expect((await written(set, "version1", (path) => path)).found).toEqual([]);
  });

  it("lie where the user says: a URL takes the place of the folder that they have in common", async () => {
    const paths = ["data/2020/x y.nc", "data/2021/é.nc", "s3://b/c.nc", "/home/me/run/z.nc"];
    const own = Object.fromEntries(paths.map((path, at) => [`a/${at}`, [path, 0, 2]]));
    const set = await openedFiles({ "x.json": JSON.stringify({ version: 1, refs: { ...refs, ...own } }) });
    const moved = async (sources: string) => {
      const { writing, findings } = planJson(await writableSet(set, { sources }, CONTEXT), "version1-flat");
      const targets = targetsIn(Buffer.concat([...writing.pieces]).toString(), false);
      return [targets, findings.map(({ code, facts }) => [code, facts["what"], facts["number"]])];
    };
    const web = ["2020/x%20y.nc", "2021/%C3%A9.nc"].map((path) => `https://data.example/d/${path}`);
    expect(await moved("https://data.example/d")).toEqual([
      [...web, "s3://b/c.nc", "https://data.example/d/z.nc"],
      [["write-changed", "prefix", 3]],
    ]);
    expect((await moved("s3://bucket/"))[0]).toEqual([
      "s3://bucket/2020/x y.nc",
      "s3://bucket/2021/é.nc",
      "s3://b/c.nc",
      "s3://bucket/z.nc",
    ]);
    expect(await moved("")).toEqual([paths, [["write-relative", undefined, 2]]]);
  });

  it("never become one where they are two, in whatever folders; one file may be called in two ways", async () => {
    const place = async (...paths: readonly string[]) => {
      const own = Object.fromEntries(paths.map((path, at) => [`a/${at}`, [path, 0, 2]]));
      const set = await openedFiles({ "x.json": JSON.stringify({ version: 1, refs: { ...refs, ...own } }) });
      return writableSet(set, { sources: "s3://bucket" }, CONTEXT);
    };
    for (const paths of [
      ["a.nc", "/mnt/x/a.nc"],
      ["d/x/a.nc", "/mnt/d/x/a.nc", "/mnt/e.nc"],
    ]) {
      const facts = { why: "shared", paths: paths.slice(0, 2) };
      await expect(place(...paths)).rejects.toMatchObject({ code: "export-impossible", finding: { facts } });
    }
    const { table } = await place("/mnt/x/a.nc", "file:///mnt/x/a.nc", "b.nc");
    const written = Array.from({ length: 3 }, (_, id) => table.targets.text(id));
    expect(written).toEqual(["s3://bucket/a.nc", "s3://bucket/a.nc", "s3://bucket/b.nc"]);
  });

  it("are URLs where the set has one, without its query", async () => {
    const fetch = () => Promise.resolve(new Response(JSON.stringify({ version: 1, refs })));
    const network = { http: { fetch, attempts: 1 } };
    const opening = { locations: NO_LOCATIONS, network, options: {}, context: CONTEXT };
    const opened = await openAny({ kind: "url", url: "https://data.example/s/x.json?sig=secret" }, opening);
    if (opened.kind !== "set") throw new Error(opened.title);
    const { targets, found } = await written(opened.set, "version1-flat");
    const [xy, eacute] = ["https://data.example/s/x%20y.nc", "https://data.example/b/%C3%A9.nc"];
    expect(targets).toEqual([xy, eacute, "s3://b/c.nc", xy]);
    expect(found).toEqual([["write-changed", "relative-url", 2]]);
    const kept = await writableSet(opened.set, { sources: "" }, CONTEXT);
    expect(kept.table.targets.text(0)).toBe("x y.nc");
  });
});

it("an array whose chunks have no URL is left out whole", async () => {
  const store = { ".zgroup": GROUP, "a/.zarray": arrayOf([2]), "a/.zattrs": "{}", "a/0": "ab" };
  const set = await openedFiles(
    Object.fromEntries(Object.entries(store).map(([key, text]) => [`s.zarr/${key}`, text])),
  );
  const { documents, findings } = await writableSet(
    { ...set, resolveKey: () => undefined } as unknown as EngineSet,
    {},
    CONTEXT,
  );
  expect([...documents.keys()]).toEqual([".zgroup"]);
  expect(told(findings)).toEqual(["write-left-out no-address 1"]);
});

it("a path that leads out of the folder is not written", async () => {
  const paths = ["../../out", "a/../../out", "a//b", "./c"];
  const arrays = Object.fromEntries(
    paths.flatMap((path) => [
      [`${path}/.zarray`, arrayOf([1])],
      [`${path}/0`, ["u.nc", 0, 2]],
    ]),
  );
  const set = await openDocument({ ".zgroup": GROUP, "d/.zarray": arrayOf([1]), "d/0": ["u.nc", 0, 2], ...arrays });
  const { files } = await asParquet(set, 10);
  expect(Object.keys(files)).toEqual(["set.parq/d/refs.0.parq", "set.parq/.zmetadata"]);
});
