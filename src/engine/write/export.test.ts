/** Exports open again as the same set, however they are compressed. */
import { isDeep } from "#core/testing/runs.ts";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { generate } from "../../../bench/generate.ts";
import { type CallContext, NO_LOCATIONS, type Progress } from "#core/byte-source.ts";
import type { ExportCompression, ExportForm, ExportWish } from "#core/studio.ts";
import type { DocumentSet } from "../engine-set.ts";
import { droppedFiles } from "#io/local-files.ts";
import { exportName, exportPlan, exportSet } from "./export.ts";
import { CONTEXT } from "../fixtures/plain-table.ts";
import type { OpenOptions } from "../open/driver.ts";
import { openSet } from "../open/kerchunk-json/open-document.ts";
import { openFiles } from "../open/open-any.ts";
import { documentIn } from "../chunk/sources.ts";
import { compareSets } from "../compare/compare-sets.ts";
import { keyOf, documentIndex, valueText } from "../edit/document-index.ts";
import { zarrayWith } from "#core/testing/zarr-documents.ts";

async function openBlob(blob: Blob, options: OpenOptions = {}, path = "x.json"): Promise<DocumentSet> {
  const source = documentIn(droppedFiles([{ path, blob }]), path);
  const opened = await openSet(source, undefined, { locations: NO_LOCATIONS, network: {}, options, context: CONTEXT });
  if (opened.kind === "choose") throw new Error(opened.title);
  return opened.set;
}

const open = (document: unknown, options?: OpenOptions): Promise<DocumentSet> =>
  openBlob(new Blob([typeof document === "string" ? document : JSON.stringify(document)]), options);

async function write(set: DocumentSet, form: ExportForm, compression: ExportCompression = "none", text?: string) {
  const { blob, ...exported } = await exportSet(set, { form, compression, text }, CONTEXT);
  if (blob === undefined) throw new Error("no file");
  return { blob, ...exported };
}

/** Key and value of everything, in order. */
function everything(set: DocumentSet): readonly string[] {
  const of = documentIndex(set);
  return Array.from({ length: of.order.total }, (_, at) => {
    const item = of.order.at(at);
    return `${keyOf(of, item)} ${valueText(of, item)}`;
  });
}

const zarray = (length: number): string => JSON.stringify(zarrayWith({ shape: [length], dtype: "|u1" }));

const TEMPLATED = {
  version: 1,
  templates: { u: "s3://bucket" },
  gen: [
    {
      key: "a/{{i}}",
      url: "{{u}}/{{i}}",
      offset: "{{i}}",
      length: "1",
      dimensions: { i: { stop: 2000 } },
    },
  ],
  refs: {
    ".zgroup": '{"zarr_format":2}',
    "a/7": ["replaced", 1, 2],
    "a/.zarray": zarray(3000),
    "a/2500": ["{{u}}/x", 1, 2],
    "a/2501": "base64:AA==",
  },
};

const FORMS = ["version0", "version1-flat", "version1"] as const;
const COMPRESSIONS = ["none", "gzip"] as const;
const MAGIC = { none: "{", gzip: "\x1f\x8b" };

describe.each(FORMS)("%s", (form) => {
  it.each(COMPRESSIONS)("opens again as the same set, compression: %s", async (compression) => {
    const set = await open(TEMPLATED);
    const exported = await write(set, form, compression);
    const head = Buffer.from(await exported.blob.slice(0, 4).arrayBuffer()).toString("latin1");
    expect(head.startsWith(MAGIC[compression])).toBe(true);
    expect(exported.bytes).toBe(exported.blob.size);
    expect(exported.leftOut).toBe(0);
    const again = await openBlob(exported.blob, {}, exported.name);
    expect(again.format.version).toBe(form === "version0" ? 0 : 1);
    expect(again.keys).toBe(2004);
    expect(everything(again)).toEqual(everything(set));
    if (form !== "version1") expect(exported.references).toBe(2004);
  });
});

describe("Version 1", () => {
  it("is the text exactly as typed, where that is the whole document", async () => {
    const typed = '{ "version": 1,\n "refs": {"a": ["x", 1, 2]} , "note": 1.50 }\n';
    const set = await open(typed);
    expect(await (await write(set, "version1", "none", typed)).blob.text()).toBe(typed);
    expect(await (await write(set, "version1")).blob.text()).toBe(typed);
    const later = `${typed}// not JSON yet`;
    const gzipped = await write(set, "version1", "gzip", later);
    expect(gunzipSync(await gzipped.blob.arrayBuffer()).toString()).toBe(later);
  });

  it("is written from the table where the text is not the whole document, or is Version 0", async () => {
    const set = { ...(await open(TEMPLATED)), documentText: undefined };
    const text = await (await write(set, "version1", "none", '{"version": 1, "refs": {}}')).blob.text();
    const { gen, refs, templates, version } = TEMPLATED;
    expect(JSON.parse(text)).toEqual({
      version,
      templates,
      gen,
      refs: { ...refs, "a/7": ["s3://bucket/7", 7, 1] },
    });
    expect(everything(await open(text))).toEqual(everything(set));
    const zero = await open({ "a/.zarray": zarray(1), "a/0": ["{{u}}", 1, 2] });
    const one = await (await write(zero, "version1", "none", "{}")).blob.text();
    expect(JSON.parse(one)).toEqual({ version: 1, refs: { "a/.zarray": zarray(1), "a/0": ["{{u}}", 1, 2] } });
  });
});

describe("what has no true Version 0", () => {
  it("because Python refuses it", async () => {
    const set = await open({ version: 1, templates: { u: "x" }, refs: { a: ["{{nope.x}}", 1, 2] } });
    const cause = { code: "url-fails", facts: { raises: "UndefinedError" } };
    const facts = { cause: { code: "set-refused", facts: { cause } } };
    const failing = { code: "export-refused", finding: { facts } };
    await expect(write(set, "version0")).rejects.toMatchObject(failing);
    await expect(write(set, "version1-flat")).rejects.toMatchObject(failing);
    expect((await write(set, "version1")).leftOut).toBe(0);
  });

  it("because gen was not rendered", async () => {
    const set = await open(TEMPLATED, { most: 100 });
    await expect(write(set, "version0")).rejects.toMatchObject({
      code: "export-incomplete",
      finding: { facts: { cause: { code: "gen-too-large" } } },
    });
  });
});

describe("large sets", () => {
  it("come in many pieces", async () => {
    // Several parts of the Blob, or several pieces of the writer.
    const [count, least] = isDeep ? [120_000, 8 << 20] : [20_000, 1 << 20];
    const set = await open([...generate(count, "unique")].join(""));
    const progress: Progress[] = [];
    const context: CallContext = { ...CONTEXT, report: (one) => void progress.push(one) };
    const plain = await exportSet(set, { form: "version0", compression: "none", text: undefined }, context);
    expect(plain.bytes).toBeGreaterThan(least);
    for (const one of progress) expect(one).toMatchObject({ unit: "rows", total: set.keys });
    const gzip = await write(set, "version0", "gzip");
    expect(gzip.bytes).toBeLessThan(plain.bytes / 4);
    expect(everything(await openBlob(gzip.blob))).toEqual(everything(set));
  });

  it("what hardly compresses, two at a time", async () => {
    // Xorshift: the same noise every time.
    const noise = new Uint32Array(isDeep ? 600_000 : 60_000);
    let state = 1;
    for (let i = 0; i < noise.length; i += 1) {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      noise[i] = state;
    }
    const refs = (bytes: Uint8Array) => ({
      version: 1,
      refs: { a: `base64:${Buffer.from(bytes).toString("base64")}` },
    });
    const sets = [await open(refs(new Uint8Array(noise.buffer))), await open(refs(new Uint8Array(noise.buffer, 4)))];
    const blobs = await Promise.all(sets.map((set) => write(set, "version1-flat", "gzip")));
    for (const [at, { blob }] of blobs.entries()) {
      const bytes = async (set: DocumentSet) => await (await write(set, "version1-flat")).blob.text();
      const [again, before] = [await bytes(await openBlob(blob)), await bytes(sets[at] as DocumentSet)];
      expect(again === before).toBe(true);
    }
  });

  it.each(COMPRESSIONS)("can be aborted, compression: %s", async (compression) => {
    const set = await open([...generate(20_000, "file")].join(""));
    const controller = new AbortController();
    // The signal is asked between pieces: aborted after the first.
    let asked = 0;
    const signal = new Proxy(controller.signal, {
      get(target, name) {
        if (name === "throwIfAborted" && (asked += 1) === 3) controller.abort();
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === "function" ? (value as () => unknown).bind(target) : value;
      },
    });
    const request = { form: "version0", compression, text: undefined } as const;
    await expect(exportSet(set, request, { ...CONTEXT, signal })).rejects.toMatchObject({ name: "AbortError" });
    // Another can be written after it.
    expect((await write(set, "version0", compression)).references).toBe(set.keys);
  });
});

it.each([
  ["kc3.json", "version0", "gzip", "kc3.v0.json.gz"],
  ["a/b/kc3.v1.json.gz", "version1-flat", "gzip", "kc3.v1-flat.json.gz"],
  ["ocean.json.zst · model/é", "version1", "none", "é.v1.json"],
  ["https://host/x y.parq?sig=1&a=2", "version0", "none", "x y.parq-sig-1-a-2.v0.json"],
  ["", "version0", "none", "references.v0.json"],
  ["ocean.parq", "parquet", "none", "ocean.parq"],
  ["..", "version0", "none", "references.v0.json"],
] as const)("the file's name: %s", (name, form, compression, expected) => {
  expect(exportName(name, form, compression)).toBe(expected);
});

describe("Parquet", () => {
  const parquet = { form: "parquet", compression: "none", text: undefined } as const;

  it("is an archive that opens as the same set", async () => {
    const set = await open(TEMPLATED);
    const { blob = new Blob(), ...exported } = await exportSet(set, parquet, CONTEXT);
    expect(exported).toEqual({ name: "x.parq.zip", files: 2, references: 2002, bytes: blob.size, leftOut: 0 });
    const files = droppedFiles([{ path: exported.name, blob }]);
    const opening = { locations: NO_LOCATIONS, network: {}, options: {}, context: CONTEXT };
    const again = await openFiles(files, opening);
    if (again.kind !== "set") throw new Error(again.title);
    const { arrays } = await compareSets({ a: set, b: again.set }, CONTEXT);
    expect(arrays).toMatchObject([{ kinds: { same: 2002, elsewhere: 0, onlyA: 0, onlyB: 0 } }]);
  });

  it("is refused where nothing of the set can be written", async () => {
    const set = await open({ "zarr.json": '{"zarr_format":3,"node_type":"group"}' });
    await expect(exportSet(set, parquet, CONTEXT)).rejects.toMatchObject({ code: "export-impossible" });
  });
});

describe("the plan of an export", () => {
  const paths = {
    version: 1,
    refs: { ".zgroup": '{"zarr_format":2}', "a/.zarray": zarray(1), "a/0": ["d/a.nc", 0, 1] },
  };

  it("says how the exported file is opened, wherever its sources will lie", async () => {
    const set = await open(paths);
    const plan = (wish: Partial<ExportWish>) =>
      exportPlan(set, { form: "version0", compression: "none", text: undefined, ...wish }, CONTEXT);
    const here = await plan({});
    expect(here.python).toContain('    "x.v0.json",\n');
    expect(here.python).toContain('"remote_protocol": "file"');
    expect(here.paths).toEqual({ count: 1, becomeUrls: false, example: ["d/a.nc", "d/a.nc"] });
    const there = await plan({ compression: "gzip", sources: "https://data.example/d" });
    expect(there.python).toContain('    "x.v0.json.gz",\n');
    expect(there.python).toContain('"target_options": {"compression": "gzip"}');
    expect(there.python).toContain('"remote_protocol": "https"');
    expect(there.paths.example).toEqual(["d/a.nc", "https://data.example/d/a.nc"]);
    const parquet = await plan({ form: "parquet", sources: "s3://bucket" });
    expect(parquet.python).toContain("fastparquet pandas");
    expect(parquet.python).toContain('    "x.parq",\n');
    expect(parquet.python).toContain('"remote_options": {"anon": True}');
    for (const [document, form, becomeUrls] of [
      [paths, "version0", true],
      // The text stands: no path becomes a URL.
      [paths, "version1", false],
      [paths.refs, "version1", true],
    ] as const) {
      const opened = await open(document);
      const base = { kind: "url", url: "https://data.example/x.json" } as const;
      const fromUrl = { ...opened, targets: { ...opened.targets, base } };
      const planned = await exportPlan(fromUrl, { form, compression: "none", text: undefined }, CONTEXT);
      expect(planned.paths).toMatchObject({ count: 1, becomeUrls });
      const [, to] = planned.paths.example;
      expect(to).toBe(becomeUrls ? "https://data.example/d/a.nc" : "d/a.nc");
    }
    // Version 1 is as it stands, unless its paths change.
    expect((await plan({ form: "version1" })).python).not.toContain("simple_templates");
    expect((await plan({ form: "version1", sources: "s3://bucket" })).python).toContain('"simple_templates": False');
  });

  it("keeps the text where its relative paths are to be kept", async () => {
    const text = JSON.stringify(paths, undefined, 3);
    const kept = { form: "version1", compression: "none", text, sources: "" } as const;
    const { blob } = await exportSet(await open(text), kept, CONTEXT);
    expect(await blob?.text()).toBe(text);
  });
});
