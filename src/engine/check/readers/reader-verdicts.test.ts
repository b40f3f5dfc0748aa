/** Tests of verdicts by rules on sets with the features, and that each gives its source. */
import type { ReaderId } from "#core/readers/ids.ts";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { explained } from "#core/findings/explain.ts";
import { chunkAt, finding, type Finding, keyAt, nodeAt, targetAt, WHOLE_SET } from "#core/findings/finding.ts";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import { parseAskedReader } from "#core/readers/asked-reader.ts";
import { EFFECTS, FEATURES, READER_RULES, READERS, readerOf, ruleOf } from "#core/readers/rules.ts";
import type { ReaderVerdict } from "#core/readers/verdict.ts";
import { verdictOf } from "#core/check/verdict-words.ts";
import type { EngineSet } from "#engine/engine-set.ts";
import { CONTEXT } from "#engine/fixtures/plain-table.ts";
import { openAny, openFiles } from "#engine/open/open-any.ts";
import { shardedCases } from "#engine/testing/sharded.ts";
import { checkReaders } from "./check-reader.ts";
import { readerVerdicts, verdictOfReader } from "./reader-verdicts.ts";
import { zarritaHere } from "./serve-zarrita.ts";
import { comparisonFindings, sampleChunks } from "./zarrita-sample.ts";

async function open(document: object): Promise<EngineSet> {
  const source = { kind: "text", text: JSON.stringify(document), name: "x.json" } as const;
  const opened = await openAny(source, { locations: NO_LOCATIONS, network: {}, options: {}, context: CONTEXT });
  if (opened.kind === "choose") throw new Error(opened.title);
  return opened.set;
}

const ARRAY = {
  zarr_format: 2,
  shape: [2],
  chunks: [1],
  dtype: "|u1",
  compressor: null,
  filters: null,
  order: "C",
  fill_value: 0,
};
const zarray = (more: object = {}) => JSON.stringify({ ...ARRAY, ...more });
const URL = "https://data.example/f.bin";
const NAMES = JSON.stringify({ _ARRAY_DIMENSIONS: ["x"] });
const refs = (more: object = {}) => ({
  "a/.zarray": zarray(),
  "a/.zattrs": NAMES,
  "a/0": [URL, 0, 1],
  "a/1": [URL, 1, 1],
  ...more,
});

async function verdicts(set: EngineSet, found: readonly Finding[] = []) {
  const all = await readerVerdicts(set, found, CONTEXT);
  return (id: ReaderId): ReaderVerdict => all.find(({ reader }) => reader.id === id) ?? expect.fail(id);
}

const rulesOf = ({ effects }: ReaderVerdict) => effects.map(({ rule }) => rule);

describe("the rules", () => {
  it("have names of their own, say what a reader does, and where that is known from", () => {
    expect(new Set(READER_RULES.map(({ id }) => id)).size).toBe(READER_RULES.length);
    for (const { id, readers, feature, effect, does, when, remedy, evidence } of READER_RULES) {
      expect(readers.length, id).toBeGreaterThan(0);
      expect(
        readers.filter((reader) => readerOf(reader) === undefined),
        id,
      ).toEqual([]);
      expect(FEATURES, id).toContain(feature);
      expect(EFFECTS, id).toContain(effect);
      expect(does, id).toMatch(/^[a-z].*\.$/);
      if (remedy !== undefined) expect(remedy, id).toMatch(/^[A-Z].*\.$/);
      if (when !== undefined) expect(when, id).toMatch(/^[a-z].*[^.]$/);
      expect(evidence.length, id).toBeGreaterThan(0);
      for (const { test, with: _, ...others } of evidence) {
        expect(Object.keys(others), id).toHaveLength(test === undefined ? 1 : 0);
        if (test !== undefined) expect(existsSync(resolve(import.meta.dirname, "../../../..", test)), id).toBe(true);
      }
    }
  });

  it("know of a reader that is named, and of no other", () => {
    expect(readerOf("zarrita")?.name).toBe("zarrita");
    expect(readerOf("nobody")).toBeUndefined();
    expect(ruleOf("nothing")).toBeUndefined();
    expect(READERS.every(({ id }) => READER_RULES.some(({ readers }) => readers.includes(id)))).toBe(true);
  });

  it("are said in whole sentences", () => {
    for (const { id, readers } of READER_RULES) {
      const facts = { reader: readers[0] ?? "", rule: id, concerned: 3, of: 7, unit: "chunk", arrays: ["", "b"] };
      const found = finding("reader-misreads", WHOLE_SET, { ...facts, first: undefined, error: undefined });
      const { message, readers: known } = explained(found);
      expect(message).toMatch(/\. This concerns 3 of 7 chunks of \/ and b\.$/);
      expect(known).toMatch(/^By a rule of .*; the reader was not run on this dataset\. Evidence: .*\.$/);
    }
  });
});

describe("versions", () => {
  const of = async (asked: string, document: object, id: ReaderId) => {
    const all = await readerVerdicts(await open(document), [], CONTEXT, undefined, parseAskedReader(asked));
    return all.find(({ reader }) => reader.id === id) ?? expect.fail(id);
  };
  const objects = { version: 1, templates: { u: URL }, refs: { ".zgroup": { zarr_format: 2 }, ...refs() } };

  it("decide where they are known, and are a condition where they are not", async () => {
    const told = ({ answer, effects }: ReaderVerdict) => [
      answer,
      effects.flatMap(({ rule, isConditional }) => (rule === "objects-and-templates" ? [isConditional] : [])),
    ];
    expect(told(await of("fsspec", objects, "fsspec"))).toEqual(["yes", [true]]);
    expect(told(await of("fsspec@2024.2", objects, "fsspec"))).toEqual(["no", [false]]);
    expect(told(await of("all@2024-03", objects, "xarray"))).toEqual(["no", [false]]);
    expect(told(await of("fsspec@2024.6.1", objects, "fsspec"))).toEqual(["yes", []]);
    const text = { ...objects, refs: { ".zgroup": '{"zarr_format":2}', ...refs() } };
    expect(told(await of("fsspec@2024.2", text, "fsspec"))).toEqual(["yes", []]);
  });

  it("that nobody has any more are told only to who asks about them", async () => {
    const plain = { version: 1, refs: refs() };
    expect(rulesOf(await of("gdal-kerchunk", plain, "gdal-kerchunk"))).toEqual(["json-gdal"]);
    expect(await of("gdal-kerchunk@3.10", plain, "gdal-kerchunk")).toMatchObject({ answer: "no", asked: "gdal 3.10" });
    expect(await of("gdal-kerchunk@3.11.3", plain, "gdal-kerchunk")).toMatchObject({ answer: "yes" });
  });

  it("of big-endian data are named for VirtualiZarr", async () => {
    const big = { version: 1, refs: refs({ "a/.zarray": zarray({ dtype: ">f4" }) }) };
    expect(rulesOf(await of("all", big, "virtualizarr"))).toContain("virtualizarr-big-endian");
    expect(rulesOf(await of("all", { version: 1, refs: refs() }, "virtualizarr"))).toEqual(["json-virtualizarr"]);
    expect(await of("virtualizarr@1.3.2", big, "virtualizarr")).toMatchObject({ answer: "no" });
    expect(await of("virtualizarr@2.0.0", big, "virtualizarr")).toMatchObject({ answer: "yes" });
  });
});

describe("what was found of the set", () => {
  it("is no yes: chunks that do not decode, coordinates without a CRS", async () => {
    const set = await open({ version: 1, refs: refs() });
    const failing = finding("checksum-mismatch", chunkAt("a", [0]), {
      codec: "crc32",
      frame: undefined,
      stored: "1",
      computed: "2",
    });
    const all = await verdicts(set, [failing]);
    for (const id of ["gdal-kerchunk", "virtualizarr", "xarray", "zarr-python"] as const)
      expect([id, all(id).answer]).toEqual([id, "partly"]);
    const rule = ruleOf("titiler-crs");
    expect(rule?.readers).toEqual(["titiler"]);
  });
});

describe("a plain document", () => {
  it("is read by readers of Kerchunk JSON, refused by others", async () => {
    const of = await verdicts(await open({ version: 1, refs: refs() }));
    for (const id of ["fsspec", "fsspec-templates", "zarr-python", "xarray", "virtualizarr", "gdal-kerchunk"] as const)
      expect([id, of(id).answer]).toEqual([id, "yes"]);
    expect(of("zarrita")).toMatchObject({ answer: "yes", effects: [{ rule: "json-zarrita", effect: "reads" }] });
    for (const id of ["icechunk", "gdal-icechunk", "icechunk-js", "titiler"] as const)
      expect([id, of(id).answer]).toEqual([id, "no"]);
  });

  it("of which fsspec refuses the whole is read by no Python", async () => {
    const of = await verdicts(await open({ version: 2, refs: refs() }));
    expect(of("fsspec-templates")).toMatchObject({
      answer: "no",
      effects: [{ rule: "refused", use: { unit: "set" } }],
    });
  });
});

it("a store with storage_transformers is refused by zarr-python, misread by zarrita, and else nothing is known", () => {
  const uses = ["zarr", "storage-transformers"].map((feature) => ({
    feature: feature as never,
    count: 1,
    of: 1,
    unit: "set" as const,
  }));
  const answer = (id: ReaderId) => verdictOfReader(readerOf(id) ?? expect.fail(id), uses).answer;
  expect([answer("zarr-python"), answer("zarrita"), answer("gdal-kerchunk")]).toEqual(["no", "no", "unknown"]);
});

describe("templates and gen", () => {
  const gen = [{ key: "a/{{i}}", url: "{{u}}", offset: "{{i}}", length: "1", dimensions: { i: [0, 1] } }];
  const array = { "a/.zarray": zarray() };

  it("gen is lost to fsspec's default mode, and refused by GDAL", async () => {
    const of = await verdicts(await open({ version: 1, templates: { u: URL }, gen, refs: array }));
    expect(of("fsspec")).toMatchObject({
      answer: "partly",
      effects: [{ rule: "gen-dropped", effect: "loss", use: { count: 2, of: 3, unit: "reference" } }, {}],
    });
    expect(of("fsspec-templates").answer).toBe("yes");
    expect(rulesOf(of("gdal-kerchunk"))).toContain("gdal-gen");
    expect(rulesOf(of("virtualizarr"))).toContain("virtualizarr-gen");
  });

  it("a template that str.format does not know refuses the set by default only", async () => {
    const spaced = { ...array, "a/0": ["{{ u }}", 0, 1] };
    const of = await verdicts(await open({ version: 1, templates: { u: URL }, refs: spaced }));
    expect(of("fsspec")).toMatchObject({
      answer: "no",
      effects: [{ rule: "simple-refuses", use: { error: expect.stringMatching(/KeyError/) as string, first: "a/0" } }],
    });
    expect(of("fsspec-templates").answer).toBe("yes");
    expect(rulesOf(of("virtualizarr"))).toContain("virtualizarr-templates");
    expect(rulesOf(of("gdal-kerchunk"))).toContain("gdal-templates");
    expect(of("zarrita")).toMatchObject({
      answer: "yes",
      effects: [{ rule: "json-zarrita" }, { rule: "zarrita-templates", isConditional: true }, {}],
    });
  });

  it("a template that is a function may be called without its arguments by fsspec", async () => {
    const called = { ...array, "a/0": ["{{f(c=1)}}", 0, 1] };
    const of = await verdicts(await open({ version: 1, templates: { u: URL, f: "{{ '%02d' % c }}" }, refs: called }));
    expect(of("fsspec-templates").answer).toBe("yes");
    expect(of("fsspec-templates").effects).toContainEqual(
      expect.objectContaining({ rule: "function-templates", isConditional: true }),
    );
    const plain = await verdicts(
      await open({ version: 1, templates: { u: URL }, refs: { ...array, "a/0": ["{{u}}"] } }),
    );
    expect(rulesOf(plain("fsspec-templates"))).not.toContain("function-templates");
  });

  it("a template that it renders to something else gives another URL", async () => {
    // Jinja2 drops a line feed at the end, str.format does not.
    const ended = { ...array, "a/0": ["{{u}}\n", 0, 1], "a/1": ["{{u}}", 0, 1] };
    const of = await verdicts(await open({ version: 1, templates: { u: URL }, refs: ended }));
    expect(of("fsspec")).toMatchObject({
      answer: "partly",
      effects: [{ rule: "simple-other", use: { first: "a/0" } }, {}],
    });
  });
});

describe("what zarr-python has not", () => {
  const zarrJson = (data_type: unknown, codecs: readonly object[]) =>
    JSON.stringify({
      zarr_format: 3,
      node_type: "array",
      shape: [2],
      data_type,
      chunk_grid: { name: "regular", configuration: { chunk_shape: [2] } },
      chunk_key_encoding: { name: "default" },
      fill_value: typeof data_type === "string" && data_type.startsWith("complex") ? [0, 0] : 0,
      codecs,
    });
  const rulesFor = async (data_type: unknown, ...codecs: readonly object[]) => {
    const given = { "b/zarr.json": zarrJson(data_type, codecs), "b/c/0": "ab" };
    return rulesOf((await verdicts(await open({ version: 1, refs: given })))("zarr-python"));
  };
  const bytes = { name: "bytes", configuration: { endian: "little" } };

  it.each([
    "bfloat16",
    "int4",
    "complex_float32",
    "complex_bfloat16",
    { name: "struct", configuration: { fields: [{ name: "a", data_type: "float8_e5m2" }] } },
  ])("the data type %j", async (type) => {
    expect(await rulesFor(type, bytes)).toContain("python-type");
  });

  it.each(["int8", "complex64", "string", "numpy.datetime64"])("but the data type %j", async (name) => {
    const type = name.startsWith("numpy.") ? { name, configuration: { unit: "s", scale_factor: 1 } } : name;
    expect(await rulesFor(type, bytes)).not.toContain("python-type");
  });

  it("virtual-tiff's codecs, as it has them", async () => {
    const chunky = (endian: string) => ({ name: "ChunkyCodec", configuration: { endian } });
    const delta = { name: "HorizontalDeltaCodec" };
    expect(await rulesFor("int16", delta, chunky("big"))).toEqual(
      expect.arrayContaining(["virtual-tiff-chunky", "virtual-tiff-big-delta"]),
    );
    for (const chain of [[delta, chunky("little")], [chunky("big")]]) {
      expect(await rulesFor("int16", ...chain)).toContain("virtual-tiff-chunky");
      expect(await rulesFor("int16", ...chain)).not.toContain("virtual-tiff-big-delta");
    }
    expect(await rulesFor("uint8", delta, chunky("big"))).not.toContain("virtual-tiff-big-delta");
  });

  it("the codecs reshape and packbits", async () => {
    const reshape = { name: "reshape", configuration: { shape: [-1] } };
    expect(await rulesFor("uint8", reshape, bytes)).toContain("python-codec");
    expect(await rulesFor("uint8", { name: "packbits" })).toContain("python-codec");
    expect(await rulesFor("uint8", bytes)).not.toContain("python-codec");
  });
});

describe("what zarrita differs in", () => {
  it.each([
    ["zarrita-whole-file", refs({ "a/0": [URL] })],
    ["zarrita-encoded-keys", refs({ "é/.zarray": zarray(), "é/0": [URL, 0, 1] })],
    ["zarrita-object-metadata", refs({ "b/.zarray": ARRAY })],
    ["zarrita-empty-inline", refs({ "a/0": "" })],
    [
      "zarrita-json2",
      refs({ "b/.zarray": zarray({ shape: [1, 1], chunks: [1, 1], dtype: "|O", filters: [{ id: "json2" }] }) }),
    ],
    ["zarrita-null-fill", refs({ "b/.zarray": zarray({ dtype: "<i8", fill_value: null }) })],
    ["zarrita-null-target", refs({ "a/0": [null, 0, 1] })],
    ["zarrita-codec", refs({ "b/.zarray": zarray({ filters: [{ id: "fletcher32" }] }) })],
    ["zarrita-type", refs({ "b/.zarray": zarray({ dtype: "<M8[s]" }) })],
    ["zarrita-shuffle", refs({ "b/.zarray": zarray({ dtype: "<f8", filters: [{ id: "shuffle", elementsize: 4 }] }) })],
    [
      "zarrita-delta",
      refs({ "b/.zarray": zarray({ dtype: "<i4", filters: [{ id: "delta", dtype: "<i4", astype: "<i2" }] }) }),
    ],
    [
      "zarrita-offset",
      refs({
        "b/.zarray": zarray({
          dtype: "<f8",
          filters: [{ id: "fixedscaleoffset", scale: 10, offset: 0, dtype: "<f8", astype: ">i2" }],
        }),
      }),
    ],
  ])("%s", async (rule, given) => {
    const { answer, effects } = (await verdicts(await open({ version: 1, refs: given })))("zarrita");
    expect(answer).toBe("partly");
    expect(effects.filter(({ isConditional }) => !isConditional).map((one) => one.rule)).toEqual(
      expect.arrayContaining([rule]),
    );
  });

  it("what depends on more than the set leaves the answer as it is", async () => {
    const relative = refs({ "a/0": ["f.bin", 0, 1] });
    const of = (await verdicts(await open({ version: 1, refs: relative })))("zarrita");
    expect(of.answer).toBe("yes");
    expect(rulesOf(of)).toContain("zarrita-relative");
    const other = (await verdicts(await open({ version: 1, refs: refs({ "a/0": ["abfs://b/f", 0, 1] }) })))("zarrita");
    expect(other).toMatchObject({ answer: "partly" });
    expect(rulesOf(other)).toContain("zarrita-scheme");
  });

  it("a fill value that it misreads counts for the chunks that are missing", async () => {
    const fill = zarray({ dtype: "<u8" }).replace(/0\}$/, "18446744073709551615}");
    const of = (await verdicts(await open({ version: 1, refs: refs({ "b/.zarray": fill }) })))("zarrita");
    expect(of.answer).toBe("partly");
    expect(of.effects.find(({ rule }) => rule === "zarrita-fill")?.use).toMatchObject({ count: 2, of: 4 });
    const none = refs({ "b/.zarray": fill, "b/0": [URL, 0, 8], "b/1": [URL, 8, 8] });
    expect(rulesOf((await verdicts(await open({ version: 1, refs: none })))("zarrita"))).not.toContain("zarrita-fill");
  });

  it("what servers did is asked of them", async () => {
    const found = [
      finding("range-ignored", targetAt(URL), { outcome: "cut", received: 100 }),
      finding("http-status", targetAt(URL), { status: 404, expected: [200, 206], attempts: 1 }),
    ];
    const of = await verdicts(await open({ version: 1, refs: refs() }), found);
    expect(rulesOf(of("zarrita"))).toEqual(expect.arrayContaining(["zarrita-range-ignored", "zarrita-not-found"]));
    expect(rulesOf(of("fsspec"))).toContain("python-range-ignored");
  });

  it("what is found of targets and fill values is said of the readers that it concerns, each chunk once", async () => {
    const gone = (at: number) => finding("target-gone", chunkAt("a", [at]), { status: 404, near: undefined });
    const found = [
      gone(0),
      gone(0),
      finding("target-newer", targetAt(URL), { modified: "2025-01-01", document: "2024-01-01" }),
      finding("target-too-short", targetAt(URL), { size: 1, past: 1, ranges: 2, end: 2 }),
      finding("fill-value-confusing", nodeAt("a"), { problem: "zero" }),
    ];
    const of = await verdicts(await open({ version: 1, refs: refs() }), found);
    expect(of("fsspec")).toMatchObject({ answer: "partly" });
    expect(of("fsspec").effects).toContainEqual({
      rule: "fsspec-not-found",
      effect: "refuses",
      isConditional: false,
      use: { feature: "target-not-found", count: 1, of: 2, unit: "chunk", arrays: ["a"] },
    });
    expect(rulesOf(of("fsspec"))).toEqual(expect.arrayContaining(["fsspec-short", "references-stale"]));
    expect(rulesOf(of("gdal-kerchunk"))).toEqual(expect.arrayContaining(["gdal-not-found", "references-stale"]));
    expect(rulesOf(of("xarray"))).toEqual(expect.arrayContaining(["xarray-zero-fill", "xarray-not-found"]));
    expect(rulesOf(of("zarr-python"))).not.toContain("xarray-zero-fill");
  });

  it("a bare NaN in an array's metadata concerns its chunks", async () => {
    const found = [
      finding("json-not-finite", keyAt("a/.zattrs"), { written: "NaN", line: 1, column: 1 }),
      finding("json-not-finite", keyAt(".zattrs"), { written: "NaN", line: 1, column: 1 }),
    ];
    const set = await open({ version: 1, refs: refs({ "b/.zarray": zarray() }) });
    const { effects } = (await verdicts(set, found))("zarrita");
    expect(effects[0]).toMatchObject({ rule: "zarrita-not-finite", use: { count: 2, of: 4, arrays: ["a"] } });
  });

  it("a status that does not say that there is nothing is no reason to call a target absent", async () => {
    const found = [finding("http-status", targetAt(URL), { status: 403, expected: [200, 206], attempts: 1 })];
    expect(rulesOf((await verdicts(await open({ version: 1, refs: refs() }), found))("zarrita"))).not.toContain(
      "zarrita-not-found",
    );
  });

  it("bytes in the document depend on the version of VirtualiZarr, s3:// on the bucket", async () => {
    const given = refs({ "a/0": "x", "a/1": ["s3://b/f", 0, 1] });
    const of = await verdicts(await open({ version: 1, refs: given }));
    expect(of("virtualizarr").answer).toBe("yes");
    expect(rulesOf(of("virtualizarr"))).toContain("virtualizarr-inline");
    expect(of("zarrita").answer).toBe("yes");
    expect(rulesOf(of("zarrita"))).toContain("zarrita-s3");
  });

  it.each([
    ["start_gzip", "zarrita-index-start"],
    ["nested", "zarrita-nested"],
    ["sharding_then_gzip", "zarrita-beside-sharding"],
    ["bad_inner_crc", "zarrita-crc32c"],
  ])("shards of %s: %s", async (name, rule) => {
    const one = (await shardedCases()).find((each) => each.name === name) ?? expect.fail(name);
    const opening = { locations: NO_LOCATIONS, network: {}, options: {}, context: CONTEXT };
    const opened = await openFiles(one.files, opening);
    if (opened.kind === "choose") throw new Error(opened.title);
    const of = await verdicts(opened.set);
    expect(rulesOf(of("zarrita"))).toContain(rule);
    expect(of("fsspec").answer).toBe("unknown");
    expect(of("icechunk").answer).toBe("no");
  });

  it.each([
    ["no checksum", [], true],
    ["a checksum", [{ name: "crc32c" }], false],
  ])("an index of shards with %s", async (_, checksums, isTold) => {
    const bytes = { name: "bytes", configuration: { endian: "little" } };
    const configuration = { chunk_shape: [2], codecs: [bytes], index_codecs: [bytes, ...checksums] };
    const metadata = {
      zarr_format: 3,
      node_type: "array",
      shape: [4],
      data_type: "float32",
      fill_value: 0,
      chunk_grid: { name: "regular", configuration: { chunk_shape: [4] } },
      chunk_key_encoding: { name: "default" },
      codecs: [{ name: "sharding_indexed", configuration }],
    };
    const group = { zarr_format: 3, node_type: "group", attributes: {} };
    const of = await verdicts(await open({ version: 1, refs: { "zarr.json": group, "a/zarr.json": metadata } }));
    expect(rulesOf(of("zarrita")).includes("zarrita-index-unchecked")).toBe(isTold);
  });
});

const few = (chunks: number) => ({ chunks, openZarrita: zarritaHere });

describe("the chosen reader", () => {
  const check = async (document: object, reader: string, sample = 8) =>
    (await checkReaders(await open(document), { reader, found: [], sample: few(sample) }, CONTEXT)).part;

  it("answers the fifth question, and each effect is a finding of its own", async () => {
    const document = { version: 1, refs: refs({ "a/0": [URL] }) };
    const { findings, reader } = await check(document, "zarrita", 0);
    expect(findings).toMatchObject([
      { code: "reader-cannot-read", facts: { rule: "zarrita-whole-file", concerned: 1, of: 2 } },
    ]);
    expect(reader).toMatchObject({ name: "zarrita", answer: "partly" });
    expect(explained(findings[0] ?? expect.fail("none"))).toMatchObject({
      severity: "error",
      question: "readers",
      message: expect.stringMatching(/^zarrita throws .*This concerns 1 of 2 references\.$/) as string,
    });
  });

  it("loses, misreads, depends, or is not known", async () => {
    const gen = [{ key: "a/{{i}}", url: URL, dimensions: { i: [0, 1] } }];
    const array = { "a/.zarray": zarray() };
    const codes = async (document: object, reader: string) =>
      (await check(document, reader, 0)).findings.map(({ code }) => code);
    expect(await codes({ version: 1, gen, refs: array }, "fsspec")).toEqual(["reader-loses"]);
    expect(await codes({ version: 1, refs: refs({ "a/0": "" }) }, "zarrita")).toEqual(["reader-misreads"]);
    expect(await codes({ version: 1, refs: refs({ "a/0": ["f", 0, 1] }) }, "zarrita")).toEqual(["reader-depends"]);
    expect((await check({ version: 1, refs: refs() }, "nobody")).reader).toBeUndefined();
  });

  it("what follows from a fault that is a cause of its own is a note, but no other chunk is hidden by it", async () => {
    const short = { "a/.zarray": zarray({ shape: [4], chunks: [2] }), "a/0": "x", "a/1": "yz" };
    const gone = finding("target-gone", chunkAt("a", [1]), { status: 404, near: undefined });
    const set = await open({ version: 1, refs: short });
    const { part } = await checkReaders(set, { reader: "zarrita", found: [gone], sample: few(8) }, CONTEXT);
    expect(part.findings.map(({ code }) => code)).toEqual(["reader-follows", "reader-makes-up"]);
    expect(explained(part.findings[0] ?? expect.fail("none")).severity).toBe("info");
    const checked = { rules: [], chunks: { of: 2, decoded: 0, failed: 0 }, targets: { of: 0, asked: 0, answered: 0 } };
    const said = part.findings.slice(0, 1).map((found) => ({ found, said: explained(found) }));
    const judged = { set: { format: "x", references: 2, states: {} as never, cells: 2 }, findings: said };
    const { readers } = verdictOf({ ...judged, checked: { ...checked, ...(part.reader && { reader: part.reader }) } });
    expect(readers.answer).toBe("partly");
    expect(readers.why).toMatch(/^zarrita returns the fill value if a source is not found\./);
  });

  it("is told to be unknown where there is no fact, and is then not taken for a yes", async () => {
    const one = (await shardedCases()).find(({ name }) => name === "end_plain") ?? expect.fail("none");
    const opening = { locations: NO_LOCATIONS, network: {}, options: {}, context: CONTEXT };
    const opened = await openFiles(one.files, opening);
    if (opened.kind === "choose") throw new Error(opened.title);
    const request = { reader: "fsspec", found: [], sample: few(0) };
    const { findings, reader } = (await checkReaders(opened.set, request, CONTEXT)).part;
    expect(findings).toMatchObject([{ code: "reader-not-known", facts: { reader: "fsspec" } }]);
    expect(reader?.answer).toBe("unknown");
  });

  it("zarrita is run on a sample, and says so", async () => {
    const inline = { "a/.zarray": zarray(), "a/0": "x", "a/1": "y", "b/.zarray": zarray({ fill_value: 3 }) };
    const { findings, reader } = await check({ version: 1, refs: inline }, "zarrita");
    expect(findings).toEqual([]);
    expect(reader).toMatchObject({
      answer: "yes",
      run: { of: 4, compared: 4, same: 4, different: 0, failed: 0, unjudged: 0 },
    });
    const judged = {
      set: { format: "Kerchunk JSON", references: 3, states: {} as never, cells: 4 },
      findings: [],
      checked: {
        rules: [],
        chunks: { of: 2, decoded: 0, failed: 0 },
        targets: { of: 0, asked: 0, answered: 0 },
        ...(reader && { reader }),
      },
    };
    expect(verdictOf(judged).readers).toEqual({
      answer: "yes",
      why: "By rules made from zarrita 0.7.5 (2026-11), zarrita reads it. zarrita was run on all 4 chunks: the values are the same as Python's.",
    });
  });

  it("finds other values, values where there are none, and errors by running it", async () => {
    const short = { "a/.zarray": zarray({ shape: [2], chunks: [2] }), "a/0": "x" };
    const { findings, reader } = await check({ version: 1, refs: short }, "zarrita");
    expect(findings).toMatchObject([
      { code: "reader-makes-up", place: { kind: "chunk", array: "a", coordinates: [0] } },
    ]);
    expect(reader?.run).toEqual({ of: 1, compared: 1, same: 0, different: 1, failed: 0, unjudged: 0 });
    const at = { array: "a", coordinates: [0] };
    const differs = { kind: "differs", count: 1, of: 2, first: [1], ours: "1", theirs: "2" } as const;
    expect(comparisonFindings("zarrita", at, differs)).toMatchObject([{ code: "reader-values-differ" }]);
    expect(comparisonFindings("zarrita", at, { kind: "error", error: "No" })).toMatchObject([{ code: "reader-fails" }]);
    expect(comparisonFindings("zarrita", at, { kind: "not-run", why: "format" })).toEqual([]);
  });

  it("is asked about chunks all over an array, and of the largest arrays where there are many", async () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`b${at}/.zarray`, zarray({ shape: [1] })]));
    const set = await open({ version: 1, refs: { "a/.zarray": zarray({ shape: [9] }), ...many } });
    const chunks = sampleChunks(set, 4);
    expect(chunks.map(({ array }) => array)).toContain("a");
    expect(chunks).toHaveLength(4);
    const alone = await open({ version: 1, refs: { "a/.zarray": zarray({ shape: [9] }) } });
    expect(sampleChunks(alone, 3).map(({ coordinates }) => coordinates)).toEqual([[0], [4], [8]]);
  });
});
