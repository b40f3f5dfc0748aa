/** Chunks that claim the same bytes. */
import { describe, expect, it } from "vitest";
import { CONTEXT } from "#engine/fixtures/plain-table.ts";
import { checkReferences } from "../check-references.ts";
import { alarmsOf, arrayAt, findingsOf, textSet, ZLIB, type Refs } from "../testing/made-set.ts";

const A = arrayAt("a", { shape: [60], chunks: [10], compressor: ZLIB, dimensions: ["x"] });
const B = arrayAt("b", { shape: [60, 2], chunks: [10, 2], compressor: ZLIB, dimensions: ["x", "y"] });

/** Ranges of one file that follow each other, from an offset on. */
function inFile(file: string, keys: readonly string[], from: number, lengths: readonly number[]): Refs {
  let offset = from;
  return Object.fromEntries(
    keys.map((key, at) => {
      const length = lengths[at % lengths.length] ?? 0;
      offset += length;
      return [key, [file, offset - length, length]];
    }),
  );
}

const KEYS_A = [0, 1, 2, 3, 4, 5].map((at) => `a/${at}`);
const KEYS_B = [0, 1, 2, 3, 4, 5].map((at) => `b/${at}.0`);
const RIGHT = { ...A, ...B, ...inFile("f.nc", KEYS_A, 1000, [31, 33, 35]), ...inFile("f.nc", KEYS_B, 1198, [51, 53]) };

describe("overlaps", () => {
  it("are none where ranges follow each other", async () => {
    expect(await alarmsOf(RIGHT)).toEqual([]);
  });

  it("tell by the gap on the other side which range was shifted, and by how much", async () => {
    const early = await findingsOf({ ...RIGHT, "a/2": ["f.nc", 1064 - 3, 35] });
    expect(early).toMatchObject([
      {
        code: "ranges-overlap",
        place: { array: "a", coordinates: [2] },
        places: [{ coordinates: [2] }, { coordinates: [1] }],
        facts: { problem: "early", bytes: 3, other: "a 1" },
      },
    ]);
    expect(await findingsOf({ ...RIGHT, "a/2": ["f.nc", 1064 + 4, 35] })).toMatchObject([
      { place: { array: "a", coordinates: [2] }, facts: { problem: "late", bytes: 4, other: "a 3" } },
    ]);
  });

  it("tell a range that is too long, and one that lies on another's bytes", async () => {
    expect(await findingsOf({ ...RIGHT, "a/5": ["f.nc", 1163, 60] })).toMatchObject([
      { place: { array: "a", coordinates: [5] }, facts: { problem: "long", bytes: 25, other: "b 0.0" } },
    ]);
    expect(await findingsOf({ ...RIGHT, "a/2": ["f.nc", 1310, 35] })).toMatchObject([
      { place: { array: "a", coordinates: [2] }, facts: { problem: "claimed", other: "b 2.0" } },
    ]);
    expect(await findingsOf({ ...RIGHT, "b/5.0": ["f.nc", 1455, 53] })).toMatchObject([
      { place: { array: "b", coordinates: [5, 0] }, facts: { problem: "shifted", bytes: 2, other: "b 4.0" } },
    ]);
  });

  it("that a wrong length explains are not told again", async () => {
    const raw = arrayAt("a", { shape: [30], chunks: [10] });
    const refs = { ...raw, "a/0": ["f", 0, 40], "a/1": ["f", 40, 44], "a/2": ["f", 80, 40] };
    expect((await findingsOf(refs)).map(({ code }) => code)).toEqual(["chunk-length-wrong"]);
  });
});

describe("identical ranges", () => {
  it("of two chunks are a copy of one of them, as far as can be told", async () => {
    const two = arrayAt("c", { shape: [20, 30], chunks: [10, 10], compressor: ZLIB });
    const keys = ["c/0.0", "c/0.1", "c/0.2", "c/1.0", "c/1.1", "c/1.2"];
    const refs = { ...two, ...inFile("g", keys, 0, [20, 21]) };
    expect(await findingsOf({ ...refs, "c/1.2": refs["c/0.1"] })).toMatchObject([
      {
        code: "range-repeated",
        place: { array: "c", coordinates: [1, 2] },
        places: [{ coordinates: [1, 2] }, { coordinates: [0, 1] }],
        facts: { one: "c 0.1", problem: "few" },
      },
    ]);
  });

  it("of three chunks and more are a note: they may be constant", async () => {
    const found = await findingsOf({ ...RIGHT, "a/2": RIGHT["a/0"], "a/3": RIGHT["a/0"] });
    expect(found).toMatchObject([{ code: "range-shared", count: 3 }]);
    expect(await alarmsOf({ ...RIGHT, "a/2": RIGHT["a/0"], "a/3": RIGHT["a/0"] })).toEqual([]);
  });

  it("of two arrays name the one that has no business there, and nothing of its length", async () => {
    const raw = arrayAt("a", { shape: [60], chunks: [10] });
    const refs = { ...RIGHT, ...raw, ...inFile("f.nc", KEYS_A, 5000, [40]) };
    expect(await findingsOf({ ...refs, "a/4": refs["b/1.0"] })).toMatchObject([
      {
        code: "range-of-other-array",
        place: { array: "a", coordinates: [4] },
        places: [{ array: "a" }, { array: "b", coordinates: [1, 0] }],
        facts: { other: "b 1.0" },
      },
    ]);
  });

  it("of two arrays throughout are two names for one thing", async () => {
    const twin = Object.fromEntries(KEYS_A.map((key, at) => [`d/${at}`, RIGHT[key as keyof typeof RIGHT]]));
    const refs = { ...RIGHT, ...arrayAt("d", { shape: [60], chunks: [10], compressor: ZLIB }), ...twin };
    expect(await findingsOf(refs)).toMatchObject([{ code: "arrays-share-ranges", count: 6 }]);
    expect(await alarmsOf(refs)).toEqual([]);
  });

  it("of GRIB messages are how several arrays are read from one", async () => {
    const grib = { filters: [{ id: "grib", var: "t" }] };
    const message = ["f.grib2", 0, 500];
    const refs = {
      ...arrayAt("t", { shape: [10], chunks: [10], ...grib }),
      ...arrayAt("lat", { shape: [10, 1], chunks: [10, 1], ...grib }),
      "t/0": message,
      "lat/0.0": message,
    };
    expect((await findingsOf(refs)).map(({ code }) => code)).not.toContain("range-of-other-array");
  });
});

describe("a file that is used twice", () => {
  const steps = [1, 2, 3, 4, 5].map((month) => `x_20200${month}.nc`);
  const set = (files: readonly string[]): Refs =>
    Object.fromEntries(
      files.flatMap((file, at) => [
        [`u/${at}.0`, [file, 100, 30 + Number(file.slice(7, 8))]],
        [`u/${at}.1`, [file, 200, 30]],
        [`v/${at}.0`, [file, 300, 30]],
      ]),
    );
  const metadata = {
    ...arrayAt("u", { shape: [5, 20], chunks: [1, 10], compressor: ZLIB, dimensions: ["time", "x"] }),
    ...arrayAt("v", { shape: [5, 10], chunks: [1, 10], compressor: ZLIB, dimensions: ["time", "z"] }),
  };

  it("is one finding for all arrays, with the file that belongs there", async () => {
    expect(await alarmsOf({ ...metadata, ...set(steps) })).toEqual([]);
    const found = await findingsOf({ ...metadata, ...set(steps.with(3, "x_202003.nc")) });
    expect(found).toMatchObject([
      {
        code: "steps-from-same-bytes",
        place: { array: "u", coordinates: [3, 0] },
        count: 3,
        facts: { dimension: "time", step: 3, same: 2, instead: "x_202004.nc", arrays: ["u", "v"] },
      },
    ]);
  });

  it("may stand in the place of one before it", async () => {
    const [found] = await findingsOf({ ...metadata, ...set(steps.with(1, "x_202003.nc")) });
    expect(found).toMatchObject({ facts: { step: 1, same: 2, instead: "x_202002.nc" } });
  });
});

describe("what another finding explains", () => {
  it("is not told of the range that a chunk overlaps, also where ranges are padded", async () => {
    const keys = ["a/0", "a/1", "a/2", "a/3", "a/4"];
    const padded = Object.fromEntries(keys.map((key, at) => [key, ["p", 1000 + at * 40, 33]]));
    const found = await findingsOf({ ...A, ...padded, "a/5": ["p", 1060, 40] });
    expect(found).toMatchObject([{ code: "ranges-overlap", place: { array: "a", coordinates: [5] } }]);
    expect(found).toHaveLength(1);
  });

  it("is not told of a key that is written twice", async () => {
    const refs = JSON.stringify({ ...RIGHT, "a/4": RIGHT["b/1.0" as keyof typeof RIGHT] });
    const twice = refs.replace('"a/4":', '"a/4":["f.nc",1131,33],"a/4":');
    const { findings } = await checkReferences(await textSet(`{"version":1,"refs":${twice}}`), CONTEXT);
    expect(findings.map(({ code }) => code)).toContain("duplicate-key");
    expect(findings.map(({ code }) => code)).not.toContain("range-of-other-array");
  });

  it("of one file is one finding, however many elements chunks span", async () => {
    const metadata = {
      ...arrayAt("u", { shape: [12], chunks: [2], compressor: ZLIB, dimensions: ["time"] }),
      ...arrayAt("v", { shape: [12], chunks: [4], compressor: ZLIB, dimensions: ["time"] }),
    };
    const one = (file: string, from: number) => ({
      [`u/${from * 2}`]: [file, 0, 50],
      [`u/${from * 2 + 1}`]: [file, 50, 50],
      [`v/${from}`]: [file, 100, 50],
    });
    const found = await findingsOf({ ...metadata, ...one("a.nc", 0), ...one("a.nc", 1), ...one("c.nc", 2) });
    expect(found).toMatchObject([
      { code: "steps-from-same-bytes", count: 3, facts: { step: 2, same: 0, target: "a.nc", arrays: ["u", "v"] } },
    ]);
  });
});

describe("a whole file for a chunk", () => {
  it("is one offset and length too few, where others take parts of it", async () => {
    expect(await alarmsOf({ ...RIGHT, "a/2": ["f.nc"] })).toEqual([
      "error whole-beside-ranges: The reference is the whole of “f.nc”. 11 other references use parts of it, up to byte 1,510, so offset and length are missing here.",
    ]);
  });

  it("is possible where it is raw, and large enough", async () => {
    const raw = { ...arrayAt("r", { shape: [10], chunks: [10] }), "r/0": ["g.bin"] };
    const part = { ...arrayAt("s", { shape: [5], chunks: [5] }), "s/0": ["g.bin", 0, 20] };
    expect(await findingsOf({ ...raw, ...part })).toMatchObject([{ code: "whole-beside-ranges" }]);
    expect(await alarmsOf({ ...raw, ...part })).toEqual([]);
  });
});
