/** Tests of the page's questions about readers: all verdicts, the chosen one, and any chunk compared. */
import { expect, it } from "vitest";
import { createEngine } from "#engine/engine.ts";
import { CONTEXT } from "#engine/fixtures/plain-table.ts";
import { openLocal } from "#engine/testing/open-files.ts";

const zarray = JSON.stringify({
  zarr_format: 2,
  shape: [2],
  chunks: [1],
  dtype: "|u1",
  compressor: null,
  filters: null,
  order: "C",
  fill_value: 0,
});

it("readers are judged, one is chosen, and zarrita reads a chunk", async () => {
  const engine = createEngine();
  const refs = { "a/.zarray": zarray, "a/0": "x", "a/1": ["f.bin"] };
  const set = await openLocal(engine, { "x.json": JSON.stringify({ version: 1, refs }), "f.bin": "y" });
  const all = await engine.call("check.readers", { set }, CONTEXT);
  expect(all.find(({ reader }) => reader.id === "zarrita")?.answer).toBe("partly");

  expect((await engine.call("check.state", { set }, CONTEXT)).reader).toBeUndefined();
  await engine.call("check.chooseReader", { set, reader: "zarrita" }, CONTEXT);
  const { reader, findings } = await engine.call("check.state", { set }, CONTEXT);
  expect(reader).toMatchObject({ name: "zarrita", answer: "partly", run: { compared: 2, same: 1, failed: 1 } });
  expect(findings.map(({ code }) => code)).toEqual(expect.arrayContaining(["reader-cannot-read", "reader-fails"]));
  await engine.call("check.chooseReader", { set, reader: undefined }, CONTEXT);
  expect((await engine.call("check.state", { set }, CONTEXT)).reader).toBeUndefined();

  const compare = (at: number) => engine.call("check.compareReader", { set, array: "a", coordinates: [at] }, CONTEXT);
  expect(await compare(0)).toEqual({ kind: "same", of: 1 });
  expect(await compare(1)).toMatchObject({ kind: "error" });
});

it("each effect is told by itself, zarrita is run on more when asked, and what it would read is said before", async () => {
  const engine = createEngine();
  const gen = [{ key: "a/{{i}}", url: "{{u}}", offset: "{{i}}", length: "1", dimensions: { i: [0, 1] } }];
  const templates = { u: "f.bin" };
  const refs = { "a/.zarray": zarray, "b/.zarray": zarray, "b/0": ["{{u}}", 2, 1] };
  const set = await openLocal(engine, {
    "x.json": JSON.stringify({ version: 1, templates, gen, refs }),
    "f.bin": "xyz",
  });
  await engine.call("check.chooseReader", { set, reader: "zarrita" }, CONTEXT);
  const depends = (await engine.call("check.state", { set }, CONTEXT)).findings.filter(
    ({ code }) => code === "reader-depends",
  );
  expect(depends.map(({ facts, count }) => [facts["rule"], count])).toEqual(
    expect.arrayContaining([
      ["zarrita-templates", 1],
      ["zarrita-gen", 1],
      ["zarrita-nunjucks", 1],
      ["zarrita-nunjucks-gen", 1],
    ]),
  );
  expect(await engine.call("check.readerCost", { set }, CONTEXT)).toEqual({ chunks: 4, of: 4, bytes: 6 });
  expect(await engine.call("check.comparisonCost", { set, array: "b", coordinates: [0] }, CONTEXT)).toEqual({
    kind: "bytes",
    bytes: 2,
  });
  const ran = await engine.call("check.runReader", { set }, CONTEXT);
  expect(ran).toEqual({ of: 4, compared: 4, same: 4, different: 0, failed: 0, unjudged: 0 });
  const all = await engine.call("check.readers", { set }, CONTEXT);
  expect(all.find(({ reader }) => reader.id === "zarrita")?.run).toEqual(ran);
  expect(all.find(({ reader }) => reader.id === "fsspec")?.run).toBeUndefined();
});

it("in the deep check zarrita reads a sample where it is the chosen reader", async () => {
  const engine = createEngine();
  const many = { "a/.zarray": zarray.replace('"shape":[2]', '"shape":[20]'), "a/0": "x" };
  const set = await openLocal(engine, { "x.json": JSON.stringify({ version: 1, refs: many }) });
  const runOf = async () => (await engine.call("check.state", { set }, CONTEXT)).reader?.run;
  await engine.call("check.values", { set }, CONTEXT);
  expect(await runOf()).toBeUndefined();
  await engine.call("check.chooseReader", { set, reader: "zarrita" }, CONTEXT);
  expect(await runOf()).toMatchObject({ of: 20, compared: 8 });
  await engine.call("check.values", { set }, CONTEXT);
  expect(await runOf()).toMatchObject({ of: 20, compared: 20 });
});

it("unasked, zarrita reads no chunk that costs more than a little", async () => {
  const engine = createEngine();
  const large = zarray.replace('"shape":[2]', '"shape":[4000000]').replace('"chunks":[1]', '"chunks":[4000000]');
  const refs = { "a/.zarray": large, "a/0": ["f.bin"], "b/.zarray": zarray, "b/0": "x" };
  const set = await openLocal(engine, { "x.json": JSON.stringify({ version: 1, refs }), "f.bin": "y" });
  await engine.call("check.chooseReader", { set, reader: "zarrita" }, CONTEXT);
  expect((await engine.call("check.state", { set }, CONTEXT)).reader?.run).toMatchObject({ of: 3, compared: 2 });
});
