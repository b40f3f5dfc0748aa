/** Templates and gens of a set, and which array they break. */
import { expect, it } from "vitest";
import { arrayOf, foundIn } from "#engine/testing/open-document.ts";

const gen = (dimensions: unknown, more: Readonly<Record<string, unknown>> = {}) => ({
  version: 1,
  templates: { u: "s3://ocean" },
  gen: [{ key: "a/{{n}}.{{ m }}", url: "{{u}}/{{n}}.nc", offset: "{{m * 2}}", length: "2", dimensions, ...more }],
  refs: { "a/.zarray": arrayOf([4, 2]) },
});

it("templates that nothing uses", async () => {
  const refs = { "a/.zarray": arrayOf([1]), "a/0": ["{{u}}/a.nc", 0, 2] };
  const document = { version: 1, templates: { u: "s3://ocean", old: "s3://old" }, refs };
  expect(await foundIn(document, "template-unused")).toMatchObject([{ facts: { name: "old" } }]);
  expect(await foundIn(gen({ n: { stop: 4 }, m: { stop: 2 } }), "template-unused")).toEqual([]);
});

it("ranges of gens that leave chunks out", async () => {
  expect(await foundIn(gen({ n: { stop: 4 }, m: { stop: 2 } }), "gen-range-short")).toEqual([]);
  expect(await foundIn(gen({ n: { stop: 3 }, m: { stop: 2 } }), "gen-range-short")).toMatchObject([
    { place: { kind: "gen", index: 0, array: "a" }, facts: { name: "n", last: 2, count: 3, chunks: 4, missing: 2 } },
  ]);
  expect(await foundIn(gen({ n: { stop: 4, step: 2 }, m: { stop: 2 } }), "gen-range-short")).toMatchObject([
    { facts: { name: "n", step: 2, missing: 4 } },
  ]);
});

it("what fsspec raises on is of the array that the gen is for", async () => {
  const found = await foundIn(gen({ n: { stop: 4 }, m: { stop: 2 } }, { offset: "{{m / 2}}" }), "gen-fails");
  expect(found).toMatchObject([{ place: { kind: "gen", index: 0, array: "a" } }]);
});

it("URLs that fail are of the chunk that they are for", async () => {
  const refs = { "a/.zarray": arrayOf([2]), "a/0": ["{{u}}/a.nc", 0, 2], "a/1": ["{{u}/b.nc", 0, 2] };
  const document = { version: 1, templates: { u: "s3://ocean" }, refs };
  expect(await foundIn(document, "url-fails")).toMatchObject([{ place: { chunk: { array: "a", coordinates: [1] } } }]);
});

it("what the default mode of fsspec refuses and drops", async () => {
  const refs = { "a/.zarray": arrayOf([2]), "a/0": ["{{u}}/a.nc", 0, 2], "a/1": ["{{ u }}/b.nc", 0, 2] };
  const document = { version: 1, templates: { u: "s3://ocean" }, refs };
  expect(await foundIn(document, "reader-refuses")).toMatchObject([
    { place: { target: "{{ u }}/b.nc", chunk: { coordinates: [1] } }, facts: { error: "KeyError: ' u '" } },
  ]);
  expect(await foundIn(gen({ n: { stop: 4 }, m: { stop: 2 } }), "reader-drops-gen")).toHaveLength(1);
});
