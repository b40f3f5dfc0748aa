/** Version 1 sets opened whole, with the true renderer. */
import { describe, expect, it } from "vitest";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import { digestArray } from "../digest/digest.ts";
import type { DocumentSet } from "../engine-set.ts";
import { arrayNode } from "../engine-set.ts";
import { CONTEXT } from "../fixtures/plain-table.ts";
import type { OpenOptions } from "./driver.ts";
import { openSet } from "./kerchunk-json/open-document.ts";
import { readChunk } from "../chunk/read-chunk.ts";
import { rowsOf } from "../table/rows.ts";
import { textDocument } from "../chunk/sources.ts";
import { openView } from "../table/view.ts";
import { explained } from "#core/findings/explain.ts";

const OFFLINE = { locations: NO_LOCATIONS, network: {}, context: CONTEXT };
import { zarrayWith } from "#core/testing/zarr-documents.ts";
import { EXAMPLE } from "#core/testing/specification-example.ts";

async function open(document: unknown, options: OpenOptions = {}): Promise<DocumentSet> {
  const text = typeof document === "string" ? document : JSON.stringify(document);
  const opened = await openSet(textDocument(text, "x.json"), undefined, { ...OFFLINE, options });
  if (opened.kind === "choose") throw new Error(opened.title);
  return opened.set;
}

async function rows(set: DocumentSet, scope = "") {
  return rowsOf(await openView(set.index, { scope, filter: {} }, CONTEXT), 0, 100, set.met.results);
}

const codes = ({ findings }: DocumentSet) => findings.map(({ code }) => code);

const zarray = (shape: readonly number[], codec = {}) =>
  JSON.stringify(zarrayWith({ shape, chunks: shape.map(() => 1), dtype: "|u1", ...codec }));

describe("the specification's example", () => {
  it("is exactly the nine references that the specification prints", async () => {
    const set = await open(EXAMPLE);
    const shown = (await rows(set)).map(({ key, target, offset, length }) => [key, target, offset, length]);
    expect(shown).toEqual([
      ["key0", undefined, undefined, 4],
      ["key1", "http://target_url", 10_000, 100],
      ["key2", "http://server.domain/path", 10_000, 100],
      ["key3", "http://text", 10_000, 100],
      ["gen_key0", "http://server.domain/path_0", 1000, 1000],
      ["gen_key1", "http://server.domain/path_1", 2000, 1000],
      ["gen_key2", "http://server.domain/path_2", 3000, 1000],
      ["gen_key3", "http://server.domain/path_3", 4000, 1000],
      ["gen_key4", "http://server.domain/path_4", 5000, 1000],
    ]);
    expect(set.keys).toBe(9);
    expect(set.refused).toBeUndefined();
    expect(codes(set)).not.toContain("set-refused");
  });

  it("says of every row what made it", async () => {
    const set = await open(EXAMPLE);
    const origins = (await rows(set)).map(({ origin }) => origin);
    expect(origins.slice(0, 5)).toEqual([
      { kind: "refs" },
      { kind: "refs" },
      { kind: "refs", written: "http://{{u}}" },
      { kind: "refs", written: "http://{{f(c='text')}}" },
      { kind: "gen", gen: 0, variables: [{ name: "i", value: "0" }] },
    ]);
    expect(origins[8]).toEqual({ kind: "gen", gen: 0, variables: [{ name: "i", value: "4" }] });
  });

  it("takes other values for templates, and a limit", async () => {
    const set = await open(EXAMPLE, { overrides: new Map([["u", "there"]]), most: 5 });
    expect((await rows(set))[8]?.target).toBe("http://there_4");
    const small = await open(EXAMPLE, { most: 4 });
    expect(small.keys).toBe(4);
    expect(codes(small)).toContain("gen-too-large");
    expect(small.refused).toBeUndefined();
  });

  it("keeps the text, the parts and the source for who edits it", async () => {
    const text = JSON.stringify(EXAMPLE, null, 1);
    const set = await open(text);
    expect(set.documentText).toBe(text);
    expect(set.document.gen).toContain("gen_key{{i}}");
    expect(set.document).toMatchObject({ version: 1, otherMembers: [], documentBytes: text.length });
    expect(set.source.name).toBe("x.json");
    const large = await open(`${text}${" ".repeat(4 << 20)}`);
    expect(large.documentText).toBeUndefined();
  });
});

it("says that the document came from another address", async () => {
  const located = textDocument("{}", "x.json");
  const { document } = located;
  const redirectedTo = "https://mirror.example/x.json";
  const stream = async () => ({ ...(await document.stream(CONTEXT)), redirectedTo });
  const source = { ...located, document: { ...document, stream } };
  const opened = await openSet(source, undefined, { ...OFFLINE, options: { meant: true } });
  const findings = opened.kind === "set" ? opened.set.findings : [];
  expect(findings).toContainEqual(
    expect.objectContaining({ code: "document-redirected", place: { kind: "target", target: redirectedTo } }),
  );
});

it("finds a byte order mark in metadata written as base64, which Python refuses", async () => {
  const zarray64 = `base64:${Buffer.from(`\ufeff${zarray([1])}`).toString("base64")}`;
  const set = await open({ version: 1, refs: { "a/.zarray": zarray64, "a/0": ["x", 0, 1] } });
  expect(set.findings).toContainEqual(
    expect.objectContaining({ code: "json-byte-order-mark", place: { kind: "key", key: "a/.zarray" } }),
  );
});

it("places what it says of values at their keys", async () => {
  const set = await open({ version: 1, refs: { "a/.zarray": zarray([2]), "a/0": "é", "a/1": ["x", 0, 1.5] } });
  const about = set.findings.map(({ code, place, facts }) => ({ code, place, facts }));
  expect(about).toContainEqual({ code: "inline-non-ascii", place: { kind: "key", key: "a/0" }, facts: {} });
  const facts = { written: "1.5" };
  expect(about).toContainEqual({ code: "reference-length-fractional", place: { kind: "key", key: "a/1" }, facts });
  const list = await open({ version: 1, refs: [] });
  expect(list.findings.find(({ code }) => code === "refs-not-object")?.facts).toEqual({
    raises: "AttributeError",
    step: "refs",
  });
});

describe("what Python refuses", () => {
  const refs = { "a/.zarray": zarray([2]), "a/0": "x", "a/1": "y" };

  it.each([
    ["ZeroDivisionError", { gen: [{ key: "k", url: "{{1 // 0}}", dimensions: { i: { stop: 1 } } }] }],
    ["TypeError", { templates: { u: "x" }, refs: { ...refs, "b/0": ["{{u()}}"] } }],
    ["IndexError", { templates: { u: "x" }, refs: { ...refs, "b/0": ["x", 1] } }],
    ["TypeError", { templates: { u: "x" }, refs: { ...refs, "b/0": [null, 1, 1] } }],
    ["ValueError", { version: 2 }],
    ["AttributeError", { refs: [] }],
  ])("%s: the set opens, says so, and has no hash", async (exception, members) => {
    const set = await open({ version: 1, refs, ...members });
    const [finding] = set.findings.filter(({ code }) => code === "set-refused");
    expect(explained(finding!)).toMatchObject({
      severity: "error",
      message: expect.stringContaining(exception) as string,
    });
    expect(set.refused).toEqual(finding);
    if (!set.hierarchy.nodes.has("a")) return;
    const { digest } = await digestArray(set, arrayNode(set, "a"), DIGEST, CONTEXT);
    expect(digest.sha256).toBeUndefined();
    expect(Object.values(digest.errors ?? {})[0]).toEqual(finding);
  });

  it("is not what only Refscope does not render", async () => {
    const gen = [{ key: "b/{{i}}", url: "{{ lipsum() }}", dimensions: { i: { stop: 2 } } }];
    const set = await open({ version: 1, refs: { ...refs, "b/.zarray": zarray([2]) }, gen });
    expect(codes(set)).toContain("gen-fails");
    expect(set.refused).toBeUndefined();
    expect((await digestArray(set, arrayNode(set, "a"), DIGEST, CONTEXT)).digest.sha256).toBeDefined();
    const { digest } = await digestArray(set, arrayNode(set, "b"), DIGEST, CONTEXT);
    expect(digest.sha256).toBeUndefined();
    expect(Object.keys(digest.errors ?? {})).toEqual(["0", "1"]);
  });
});

const DIGEST = { newHash: () => ({ update: () => undefined, digest: () => "hash" }), perChunk: false };

it("a gen that is too large: only arrays that it may touch have no hash", async () => {
  const refs = { "a/.zarray": zarray([1]), "a/0": "x", "b/.zarray": zarray([2]), "b/0": "y" };
  const gen = [{ key: "b/{{i}}", url: "u", dimensions: { i: { stop: 10 ** 12 } } }];
  const set = await open({ version: 1, refs, gen });
  expect(codes(set)).toContain("gen-too-large");
  expect((await digestArray(set, arrayNode(set, "a"), DIGEST, CONTEXT)).digest.sha256).toBe("hash");
  const { digest } = await digestArray(set, arrayNode(set, "b"), DIGEST, CONTEXT);
  expect(Object.keys(digest.errors ?? {})).toEqual(["0", "1"]);
  const { reading } = await readChunk(set, "b", [1], CONTEXT);
  expect(reading.error?.code).toBe("chunk-not-generated");
});

it("a chunk says what made it", async () => {
  const refs = { "a/.zarray": zarray([4]), "a/0": ["{{u}}/x", 0, 1], "a/1": "base64:AA==" };
  const gen = [{ key: "a/{{i}}", url: "g{{i}}", dimensions: { i: { start: 1, stop: 3 }, name: ["b"] } }];
  const set = await open({ version: 1, templates: { u: "dir" }, refs, gen });
  const made = await Promise.all([0, 1, 2, 3].map((at) => readChunk(set, "a", [at], CONTEXT)));
  const variables = (i: number) => [
    { name: "i", value: String(i) },
    { name: "name", value: "'b'" },
  ];
  expect(made.map(({ reading }) => reading.origin)).toEqual([
    { kind: "refs", written: "{{u}}/x" },
    { kind: "gen", gen: 0, variables: variables(1) },
    { kind: "gen", gen: 0, variables: variables(2) },
    undefined,
  ]);
  expect(made.map(({ reading }) => reading.written)).toEqual(['["dir/x", 0, 1]', '["g1"]', '["g2"]', ""]);
  expect(codes(set)).toContain("gen-overrides");
});

it("plain sets have no origins", async () => {
  for (const document of [
    { "a/.zarray": zarray([1]), "a/0": "x" },
    { version: 1, refs: { "a/0": "x" }, gen: [] },
  ]) {
    const set = await open(document);
    expect((await rows(set)).some((row) => "origin" in row)).toBe(false);
    expect(set.format.hasTemplates).toBe(false);
  }
});
