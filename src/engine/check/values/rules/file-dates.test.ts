/** A field in files that are named for years, against a coordinate of days that goes through these years or not. */
import { describe, expect, it } from "vitest";
import { context } from "#engine/repair/suggest/testing/damaged-set.ts";
import { inThread } from "#engine/chunk/chunk-decoder.ts";
import { checkValues } from "../check-values.ts";
import { openField, STEPS, type Made } from "../testing/field-set.ts";

/** Half a year from step to step, from the start of a year on. */
const halfYears = (year: number) => (at: number) => Math.round((year - 2000 + at / STEPS) * 365.25) + 20;

async function differing(made: Made) {
  const { findings } = await checkValues(await openField(made), { chunks: "all", decoder: inThread }, context());
  return findings.filter(({ code }) => code === "file-date-differs");
}

describe("the years in the names of files", () => {
  it("agree with the coordinate", async () => {
    expect(await differing({ time: halfYears(2000) })).toEqual([]);
  });

  it("are other years than the coordinate's throughout", async () => {
    expect(await differing({ time: halfYears(1990) })).toMatchObject([
      {
        place: { target: "sea_2000.bin" },
        count: 8,
        facts: { named: "2000", differ: 8, files: 8 },
      },
    ]);
  });

  it("are of another year in one file, whose values go with the name", async () => {
    const time = (at: number) => halfYears(2000)(at) + (at >= 14 ? 900 : 0);
    expect(await differing({ time })).toMatchObject([
      { place: { target: "sea_2007.bin" }, facts: { differ: 1, files: 8 } },
    ]);
  });

  it("say nothing where they are as far away as a date of making may be", async () => {
    expect(await differing({ time: halfYears(1950) })).toEqual([]);
  });

  it("say nothing as the year of an only file", async () => {
    const change: Made["change"] = ({ files, references }) => ({
      files,
      references: Object.fromEntries(
        Object.entries(references).map(([key, to]) => [key, typeof to === "string" ? to : to.with(0, "sea_2000.bin")]),
      ) as typeof references,
    });
    expect(await differing({ time: halfYears(1990), change })).toEqual([]);
  });
});
