/** Tests of the page's requests about values: an array, a sample, and their runs. */
import { expect, it } from "vitest";
import { createEngine, type Engine } from "#engine/engine.ts";
import { CONTEXT } from "#engine/fixtures/plain-table.ts";
import { openLocal } from "#engine/testing/open-files.ts";
import { arrayAt } from "../testing/made-set.ts";

const MANY = 300;

/** Inline chunks of two bytes: an array of many, and one of two. */
async function openMade(engine: Engine): Promise<number> {
  const many = Array.from({ length: MANY }, (_, at) => [
    `many/${at}`,
    `base64:${Buffer.from(Int16Array.of(at, at + 5).buffer).toString("base64")}`,
  ]);
  const refs = {
    ".zgroup": { zarr_format: 2 },
    ...arrayAt("many", { shape: [MANY * 2], chunks: [2], dtype: "<i2", dimensions: ["x"] }),
    ...(Object.fromEntries(many) as Record<string, string>),
    ...arrayAt("few", { shape: [4], chunks: [2], dtype: "|u1", dimensions: ["y"] }),
    "few/0": "ab",
    "few/1": "cd",
  };
  return openLocal(engine, { "x.json": JSON.stringify({ version: 1, refs }) });
}

it("an array alone is read for what was said before, and nothing is known of the others", async () => {
  const engine = createEngine();
  const set = await openMade(engine);
  expect(await engine.call("check.profiles", { set }, CONTEXT)).toEqual([]);
  expect(await engine.call("check.profile", { set, array: "few" }, CONTEXT)).toBeUndefined();
  expect(await engine.call("check.arrayCost", { set, array: "few" }, CONTEXT)).toMatchObject({ chunks: 2, of: 2 });
  await engine.call("check.values", { set, array: "few" }, CONTEXT);
  const { chunks, rules } = await engine.call("check.state", { set }, CONTEXT);
  expect(chunks).toEqual({ of: MANY + 2, decoded: 2, failed: 0 });
  // One array is not the set.
  expect(rules.find(({ rule }) => rule === "decode")).toMatchObject({ of: MANY + 2, lookedAt: 2 });
  expect(await engine.call("check.profiles", { set }, CONTEXT)).toMatchObject([
    { array: "few", minimum: 97, maximum: 100, mean: 98.5 },
  ]);
});

it("samples are offered that are less than all, each is as large as it says, and values run as they lie", async () => {
  const engine = createEngine();
  const set = await openMade(engine);
  const [sample, ...others] = await engine.call("check.samples", { set }, CONTEXT);
  if (sample === undefined) throw new Error("No sample is offered.");
  expect(sample).toMatchObject({ share: 0.05, of: MANY + 2 });
  expect(others.every(({ chunks }) => chunks > sample.chunks && chunks < MANY + 2)).toBe(true);
  await engine.call("check.values", { set, share: sample.share }, CONTEXT);
  const { chunks } = await engine.call("check.state", { set }, CONTEXT);
  expect(chunks.decoded).toBe(sample.chunks);
  const profile = await engine.call("check.profile", { set, array: "many" }, CONTEXT);
  expect(profile?.bins).toBe(MANY);
  const read = [...(profile?.columns.read.keys() ?? [])].filter((bin) => profile?.columns.read[bin] === 1);
  expect(read).toHaveLength(sample.chunks - 2);
  for (const bin of read)
    expect([profile?.columns.minimum[bin], profile?.columns.maximum[bin]]).toEqual([bin, bin + 5]);
});
