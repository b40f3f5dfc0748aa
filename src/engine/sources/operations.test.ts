import { describe, expect, it } from "vitest";
import { accessRecipe } from "#core/access/access-recipe.ts";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import type { SourcesSpec } from "#core/check/sources.ts";
import { createEngine } from "../engine.ts";

const CONTEXT = { signal: new AbortController().signal, report: () => undefined };
const ALL: SourcesSpec = { prefix: "", text: "", sort: { column: "bytes", descending: true } };

const zarray = {
  zarr_format: 2,
  shape: [4, 6],
  chunks: [1, 3],
  dtype: "|u1",
  compressor: null,
  filters: null,
  order: "C",
  fill_value: null,
};
const REFS = {
  "a/.zarray": zarray,
  "a/0.0": ["one.bin", 0, 3],
  "a/0.1": ["one.bin", 3, 3],
  "a/1.0": ["one.bin", 3, 4],
  "a/1.1": ["one.bin", 10, 3],
  "a/2.0": ["s3://b/two.bin"],
  "a/2.1": "abc",
  "b/.zarray": zarray,
  "b/3.1": ["one.bin", 0, 3],
  "b/3.0": [null, 5, 3],
};

async function opened(files: Readonly<Record<string, string>>) {
  const engine = createEngine({
    http: { sleep: async () => undefined, fetch: () => Promise.reject(new TypeError("none")) },
  });
  const given = { "refs.json": JSON.stringify({ version: 1, refs: REFS }), ...files };
  const source = {
    kind: "files",
    files: Object.entries(given).map(([path, text]) => ({ path, blob: new File([text], path) })),
  } as const;
  const answer = await engine.call("set.open", { source, locations: NO_LOCATIONS }, CONTEXT);
  if (answer.kind !== "set") throw new Error("no set");
  return { engine, set: answer.set.id };
}

describe("targets of an open set", () => {
  it("are counted, listed, found, and told of one by one", async () => {
    const { engine, set } = await opened({});
    expect(await engine.call("sources.totals", { set }, CONTEXT)).toMatchObject({
      targets: 3,
      references: 7,
      whole: 1,
      bytes: 19,
      inline: 1,
      native: 0,
      asked: 0,
      sound: 0,
    });
    const { total, rows } = await engine.call("sources.targets", { set, spec: ALL, from: 0, to: 2 }, CONTEXT);
    expect(total).toBe(3);
    expect(rows).toMatchObject([
      { index: 0, target: "one.bin", references: 5, bytes: 16, end: 13, arrayCount: 2 },
      { index: 1, target: null, references: 1, bytes: 3, end: 8 },
    ]);
    expect(rows[0]?.arrays).toEqual([
      { array: "a", references: 4, box: { from: [0, 0], to: [1, 1] } },
      { array: "b", references: 1, box: { from: [3, 1], to: [3, 1] } },
    ]);
    expect(await engine.call("sources.find", { set, spec: ALL, target: "s3://b/two.bin" }, CONTEXT)).toBe(2);
    expect(await engine.call("sources.find", { set, spec: { ...ALL, text: "one" }, target: null }, CONTEXT)).toBe(-1);
    expect((await engine.call("sources.prefixes", { set, prefix: "" }, CONTEXT)).prefixes).toMatchObject([
      { prefix: "s3://b/", targets: 1, references: 1, bytes: 0, isParent: false },
    ]);
  });

  it("are bytes that references name or do not; their size is known once they were asked", async () => {
    const { engine, set } = await opened({ "one.bin": "0123456789AB" });
    const at = { set, target: "one.bin" };
    const before = await engine.call("sources.target", at, CONTEXT);
    expect(before).toMatchObject({
      extent: 13,
      ranges: 5,
      claimed: 10,
      unclaimed: 3,
      overlapping: 3,
      shared: 2,
      pastEnd: 0,
    });
    expect(before).not.toHaveProperty("size");
    // Null means the only file there is; the name of the bucket is too short to be asked for.
    await engine.call("check.sources", { set }, CONTEXT);
    const after = await engine.call("sources.target", at, CONTEXT);
    expect(after).toMatchObject({ size: 12, extent: 13, claimed: 9, unclaimed: 3, pastEnd: 1 });
    expect(after.asked).toMatchObject({ target: "one.bin", pastEnd: 1, isSound: false });
    expect(await engine.call("sources.totals", { set }, CONTEXT)).toMatchObject({ asked: 2, sound: 1 });
    const { ranges } = await engine.call("sources.ranges", { ...at, from: 4, to: 9 }, CONTEXT);
    expect(ranges).toMatchObject([
      { place: 4, from: 10, to: 13, key: "a/1.1", array: "a", coordinates: [1, 1], before: 3, pastEnd: 1 },
    ]);
    const strip = await engine.call("sources.strip", { ...at, from: 0, to: 13, pixels: 13 }, CONTEXT);
    expect([...strip.kinds]).toEqual([2, 2, 2, 3, 3, 3, 1, 0, 0, 0, 1, 1, 4]);
  });

  it("lead from a byte to its chunk, and back", async () => {
    const { engine, set } = await opened({});
    const found = await engine.call("sources.byte", { set, target: "one.bin", byte: 4 }, CONTEXT);
    expect(found.ranges.map(({ key }) => key)).toEqual(["a/0.1", "a/1.0"]);
    expect(await engine.call("sources.byte", { set, target: "one.bin", byte: 8 }, CONTEXT)).toMatchObject({
      count: 0,
      gap: { from: 7, to: 10 },
      place: 4,
    });
    const ofChunk = (array: string, coordinates: readonly number[]) =>
      engine.call("sources.ofChunk", { set, array, coordinates }, CONTEXT);
    expect(await ofChunk("b", [3, 1])).toEqual({ target: "one.bin", place: 1 });
    expect(await ofChunk("b", [3, 0])).toEqual({ target: null, place: 0 });
    expect(await ofChunk("a", [2, 0])).toEqual({ target: "s3://b/two.bin", place: -1 });
    for (const nowhere of [
      [2, 1],
      [3, 1],
      [9, 9],
    ])
      expect(await ofChunk("a", nowhere)).toBeUndefined();
  });

  it("that nothing refers to are said not to be there", async () => {
    const { engine, set } = await opened({});
    const asked = engine.call("sources.target", { set, target: "three.bin" }, CONTEXT);
    await expect(asked).rejects.toMatchObject({ code: "no-such-target" });
  });

  it("are got at in Python by what the references do not say", async () => {
    const { engine, set } = await opened({});
    const facts = await engine.call("sources.access", { set }, CONTEXT);
    expect(facts.places.map(({ scheme }) => scheme)).toEqual(["", "s3"]);
    expect(accessRecipe(facts)).toContain('"anon": True');
  });

  it("are listed for all who ask, where one of them leaves", async () => {
    const { engine, set } = await opened({});
    const leaving = new AbortController();
    const left = engine.call("sources.totals", { set }, { ...CONTEXT, signal: leaving.signal });
    const stays = engine.call("sources.totals", { set }, CONTEXT);
    leaving.abort();
    await left.catch(() => undefined);
    expect((await stays).targets).toBe(3);
  });
});
