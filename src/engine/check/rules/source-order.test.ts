/** The files that a dimension is put together from, by the numbers in their names. */
import { describe, expect, it } from "vitest";
import { alarmsOf, arrayAt, findingsOf, ZLIB, type Refs } from "../testing/made-set.ts";

function steps(files: readonly string[]): Refs {
  const made = { shape: [files.length, 5], chunks: [1, 5], compressor: ZLIB, dimensions: ["time", "x"] };
  return {
    ...arrayAt("u", made),
    ...Object.fromEntries(files.map((file, at) => [`u/${at}.0`, [file, 100, 30 + at]])),
  };
}

const names = (numbers: readonly (number | string)[]) => numbers.map((number) => `s3://b/out_${number}_v1.nc`);

describe("files out of order", () => {
  it("are two that changed places among numbers that count on", async () => {
    const found = await findingsOf(steps(names([1, 4, 3, 2, 5, 6])));
    expect(found).toMatchObject([
      {
        code: "sources-out-of-order",
        place: { array: "u", coordinates: [1, 0] },
        places: [{ coordinates: [1, 0] }, { coordinates: [3, 0] }],
        facts: { step: 1, other: 3, moved: 2, files: 6 },
      },
    ]);
  });

  it.each([
    ["descending", names([6, 5, 4, 3, 2, 1])],
    ["of no order", names([3, 6, 1, 5, 2, 4])],
    ["few and uneven", names([7, 93, 20])],
    ["hashes", ["a3f", "09c", "77b", "e01"]],
    ["over the end of a year", names([202011, 202012, 202101, 202102])],
  ])("are not those that are %s", async (_, files) => {
    expect(await alarmsOf(steps(files))).toEqual([]);
  });
});

describe("a file that was left out", () => {
  it("is the hole in a regular row", async () => {
    expect(await findingsOf(steps(names([20200227, 20200228, 20200301, 20200302])))).toMatchObject([
      {
        code: "source-left-out",
        place: { kind: "target", chunk: { array: "u", coordinates: [2, 0] } },
        facts: { file: "s3://b/out_20200229_v1.nc", files: 1, step: 2 },
      },
    ]);
  });

  it("is none where rows are uneven, or the chunks themselves are missing", async () => {
    expect(await findingsOf(steps(names([1, 3, 7, 8, 15, 20])))).toEqual([]);
    const { "u/2.0": _, ...gap } = steps(names([1, 2, 3, 4, 5]));
    expect((await findingsOf(gap)).map(({ code }) => code)).toEqual(["steps-missing"]);
  });
});
