/** Keys that fit no chunk: what is wrong with all of an array's. */
import { expect, it } from "vitest";
import { CONTEXT } from "#engine/fixtures/plain-table.ts";
import { checkReferences } from "../check-references.ts";
import { arrayAt, findingsOf, madeSet, ZLIB } from "../testing/made-set.ts";

const A = arrayAt("g/a", { shape: [20, 20], chunks: [10, 10], compressor: ZLIB, dimensions: ["y", "x"] });
const range = (at: number) => ["f.nc", at * 100, 50 + at];

async function codesOf(refs: Readonly<Record<string, unknown>>): Promise<readonly string[]> {
  const { findings } = await checkReferences(await madeSet({ ...refs, "g/.zgroup": { zarr_format: 2 } }), CONTEXT);
  return findings.map(({ code }) => code);
}

it("another separator is one finding of the array, in place of one for its keys", async () => {
  const refs = { ...A, "g/a/0/0": range(0), "g/a/0/1": range(1), "g/a/1/0": range(2), "g/a/1/1": range(3) };
  expect(await findingsOf(refs)).toMatchObject([
    {
      code: "key-separator-wrong",
      place: { array: "g/a", coordinates: [0, 0] },
      count: 4,
      facts: { written: "/", separator: ".", keys: 4, right: 0, key: "g/a/0/0" },
    },
  ]);
  expect(await codesOf(refs)).toEqual(["chunks-missing", "key-separator-wrong"]);
  const encoded = { ...A, "g/a/c/0/0": range(0), "g/a/c/0/1": range(1) };
  expect(await findingsOf(encoded)).toMatchObject([{ facts: { written: "c/", keys: 2 } }]);
});

const GRID = { "g/a/0.0": range(0), "g/a/0.1": range(1), "g/a/1.0": range(2), "g/a/1.1": range(3) };

it("a row of chunks past the end speaks of the shape", async () => {
  const refs = { ...A, ...GRID, "g/a/2.0": range(4), "g/a/2.1": range(5) };
  expect(await findingsOf(refs)).toMatchObject([
    {
      code: "keys-past-grid",
      places: [{ key: "g/a/2.0" }, { key: "g/a/2.1" }],
      facts: { dimension: "y", chunks: 2, reach: 3, shape: 20, chunk: 10, keys: 2, chunkFits: 7 },
    },
  ]);
  expect(await codesOf(refs)).toEqual(["keys-past-grid"]);
});

it("single keys are told with the grid, once", async () => {
  const refs = { ...A, ...GRID, "g/a/2.0": range(4), "g/a/0.7": range(5), "g/a/1.1.0": range(6) };
  expect(await findingsOf(refs)).toMatchObject([
    { code: "key-outside-grid", place: { key: "g/a/2.0" }, count: 2, facts: { grid: [2, 2] } },
    { code: "key-wrong-rank", place: { key: "g/a/1.1.0" }, count: 1, facts: { grid: [2, 2] } },
  ]);
  expect(await codesOf(refs)).toEqual(["key-outside-grid", "key-wrong-rank"]);
});
