/** What the page hears of witnesses: at once where it is free, again with every check. */
import { expect, it } from "vitest";
import { createEngine } from "#engine/engine.ts";
import { CONTEXT } from "#engine/fixtures/plain-table.ts";
import { openLocal } from "#engine/testing/open-files.ts";
import { statedArray } from "./witness/testing/stated-set.ts";

it("statements at hand are compared unasked, and stay compared when chunks are decoded", async () => {
  const refs = {
    ".zgroup": { zarr_format: 2 },
    ...statedArray("lat", { values: [40, 30, 20, 10], bounds: "lat_bnds" }),
    ...statedArray("lat_bnds", { values: [5, 15, 15, 25, 25, 35, 35, 45], shape: [4, 2], dimensions: ["lat", "n"] }),
    ...statedArray("lev", { values: [1, 2] }),
  };
  const engine = createEngine();
  const set = await openLocal(engine, { "x.json": JSON.stringify({ version: 1, refs }) });
  const known = async () => {
    const { findings, compared = [] } = await engine.call("check.state", { set }, CONTEXT);
    const facts = compared.map(({ subject, sources, agrees }) => [subject, sources.length, agrees]);
    return { codes: findings.map(({ code }) => code), facts };
  };
  expect((await known()).facts).toEqual([]);
  await engine.call("check.glance", { set }, CONTEXT);
  expect(await known()).toMatchObject({
    codes: ["coordinate-absent", "statements-disagree"],
    facts: [["lat", 2, false]],
  });
  await engine.call("check.sources", { set }, CONTEXT);
  await engine.call("check.values", { set, array: "lev" }, CONTEXT);
  const { codes, facts } = await known();
  expect(codes).toContain("statements-disagree");
  expect(facts).toEqual([
    ["lat", 2, false],
    ["lev", 1, true],
  ]);
});
