/** Missing chunks that follow a pattern. */
import { describe, expect, it } from "vitest";
import { explained } from "#core/findings/explain.ts";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import { CONTEXT } from "#engine/fixtures/plain-table.ts";
import { droppedFiles } from "#io/local-files.ts";
import { openFiles } from "#engine/open/open-any.ts";
import { checkReferences } from "../check-references.ts";
import { alarmsOf, arrayAt, findingsOf, ZLIB, type Refs } from "../testing/made-set.ts";

const FILES = [1, 2, 3, 4, 5, 6].map((month) => `m_20210${month}.nc`);

const metadata: Refs = {
  ...arrayAt("u", { shape: [12, 20], chunks: [2, 10], compressor: ZLIB, dimensions: ["time", "x"] }),
  ...arrayAt("v", { shape: [12], chunks: [2], compressor: ZLIB, dimensions: ["time"] }),
  ...arrayAt("time", { shape: [12], chunks: [12], compressor: ZLIB, dimensions: ["time"] }),
  ...arrayAt("x", { shape: [20], chunks: [20], compressor: ZLIB, dimensions: ["x"] }),
  "time/0": ["t.nc", 0, 50],
  "x/0": ["t.nc", 50, 50],
};

const chunks: Refs = Object.fromEntries(
  FILES.flatMap((file, at) => [
    [`u/${at}.0`, [file, 100, 30]],
    [`u/${at}.1`, [file, 130, 30 + at]],
    [`v/${at}`, [file, 200, 40]],
  ]),
);

const without = (...keys: readonly string[]): Refs => ({
  ...metadata,
  ...Object.fromEntries(Object.entries(chunks).filter(([key]) => !keys.includes(key))),
});

it("nothing is said of a complete set", async () => {
  expect(await findingsOf(without())).toEqual([]);
});

describe("data variables without a chunk", () => {
  const noneOf = (array: string) => without(...Object.keys(chunks).filter((key) => key.startsWith(`${array}/`)));
  const told = async (refs: Refs) =>
    (await findingsOf(refs))
      .filter(({ code }) => code === "array-without-data")
      .map(({ place, facts }) => [place, facts]);

  it("are named, but neither scalars nor text", async () => {
    const more = {
      ...arrayAt("crs", { shape: [], chunks: [], dtype: "<i4", dimensions: [] }),
      ...arrayAt("names", { shape: [12], chunks: [12], dtype: "|S8", dimensions: ["time"] }),
    };
    const facts = { arrays: ["u"], count: 1, isWhole: false };
    expect(await told({ ...noneOf("u"), ...more })).toMatchObject([[{ path: "u" }, facts]]);
  });

  it("are one cause where there are no others", async () => {
    const facts = { arrays: ["u", "v"], count: 2, isWhole: true };
    expect(await told(metadata)).toMatchObject([[{ kind: "set" }, facts]]);
  });
});

describe("whole steps", () => {
  it("in the middle are a file that was left out of all arrays, by its name", async () => {
    const refs = without("u/3.0", "u/3.1", "v/3");
    expect(await findingsOf(refs)).toMatchObject([
      {
        code: "steps-missing",
        place: { array: "u", coordinates: [3, 0] },
        count: 3,
        facts: { problem: "middle", runs: [[3, 3]], file: "m_202104.nc", arrays: ["u", "v"] },
        extent: {
          arrays: [
            { array: "u", chunks: 2, from: [3, 0], to: [3, 1] },
            { array: "v", chunks: 1 },
          ],
        },
      },
    ]);
    expect(await alarmsOf(refs)).toEqual([
      "warning steps-missing: Along time, chunk 3 of 6 (counted from 0) has no reference in 2 arrays (u, v). Chunks before and after it have one. Judging by the names of the other files, “m_202104.nc” is missing. 1 other array with this dimension is complete.",
    ]);
  });

  it("at the end are files or a shape: other arrays tell", async () => {
    const [found] = await findingsOf(without("u/5.0", "u/5.1"));
    expect(found).toMatchObject({
      facts: { problem: "end", shape: 12, reach: 10, otherLength: undefined, complete: 2 },
    });
    const long = arrayAt("u", { shape: [14, 20], chunks: [2, 10], compressor: ZLIB, dimensions: ["time", "x"] });
    const [shape] = await findingsOf({ ...without(), ...long });
    expect(shape).toMatchObject({ facts: { problem: "end", runs: [[6, 6]], shape: 14, reach: 12, otherLength: 12 } });
  });

  it("of an edge are told along their own dimension; of which another chunk shape makes none", async () => {
    const edge = await findingsOf(without(...FILES.map((_, at) => `u/${at}.1`)));
    expect(edge).toMatchObject([{ facts: { dimension: "x", problem: "end", axis: 1 }, count: 6 }]);
    const small = arrayAt("u", { shape: [12, 20], chunks: [1, 10], compressor: ZLIB, dimensions: ["time", "x"] });
    expect(await findingsOf({ ...without(), ...small })).toMatchObject([
      { facts: { problem: "end", chunkFits: 2, isElsewhere: true, steps: 12 } },
    ]);
  });

  it("at the end may follow from partial chunks between files, where others confirm the shape", async () => {
    const halves = (file: (at: number) => string): Refs => ({
      ...metadata,
      ...Object.fromEntries(
        [0, 1, 2, 3, 4].flatMap((at) =>
          [0, 1].map((x) => [`u/${at}.${x}`, [file(at), 100 + 70 * at + 30 * x, 30 + x]]),
        ),
      ),
      ...Object.fromEntries(FILES.map((_, at) => [`v/${at}`, ["all.nc", 40 * at, 40]])),
    });
    const two = halves((at) => (at < 2 ? "m_2020.nc" : "m_2021.nc"));
    expect(await findingsOf(two)).toMatchObject([{ facts: { problem: "end", files: 2, chunk: 2, complete: 2 } }]);
    const [said] = await alarmsOf(two);
    expect(said).toContain("The shape is right");
    expect(said).toContain("its last chunk is partial and the next file begins inside it");
    // Nothing shows that a file of one chunk is longer than that.
    expect(await alarmsOf(halves((at) => `m_${at}.nc`))).toEqual([expect.not.stringContaining("partial")]);
  });

  it("that a store never wrote read as the fill value, as they may: a note", async () => {
    const zarray = {
      zarr_format: 2,
      shape: [8],
      chunks: [1],
      dtype: "|u1",
      compressor: null,
      filters: null,
      order: "C",
    };
    const array = (name: string, chunks: readonly number[]) => [
      { path: `s/${name}/.zarray`, blob: new Blob([JSON.stringify({ ...zarray, fill_value: 0 })]) },
      { path: `s/${name}/.zattrs`, blob: new Blob(['{"_ARRAY_DIMENSIONS":["t"]}']) },
      ...chunks.map((at) => ({ path: `s/${name}/${at}`, blob: new Blob([new Uint8Array([at])]) })),
    ];
    const files = [
      { path: "s/.zgroup", blob: new Blob(['{"zarr_format":2}']) },
      ...array("v", [1, 2, 3, 5, 6, 7]),
      ...array("t", [1, 2, 3, 4, 5, 6, 7]),
    ];
    const opening = { locations: NO_LOCATIONS, network: {}, options: {}, context: CONTEXT };
    const opened = await openFiles(droppedFiles(files), opening);
    if (opened.kind !== "set") throw new Error(opened.title);
    const { findings } = await checkReferences(opened.set, CONTEXT);
    const told = findings.filter(({ code }) => ["steps-missing", "coordinate-incomplete"].includes(code));
    expect(told.map((found) => [found.code, explained(found).severity])).toEqual([
      ["steps-missing", "info"],
      ["coordinate-incomplete", "info"],
    ]);
    expect(explained(told[0]!).message).toContain("were never written");
  });

  it("at even distances are a loop's", async () => {
    const odd = ["u/1.0", "u/1.1", "u/3.0", "u/3.1", "u/5.0", "u/5.1"];
    expect(await findingsOf(without(...odd))).toMatchObject([{ facts: { problem: "every", every: 2 }, count: 6 }]);
  });

  it("at the beginning, which others have, are a note", async () => {
    expect(await alarmsOf(without("u/0.0", "u/0.1"))).toEqual([]);
    expect(await findingsOf(without("u/0.0", "u/0.1"))).toMatchObject([{ facts: { problem: "start" } }]);
  });

  it("are not spoken of where chunks are missing here and there", async () => {
    expect(await alarmsOf(without("u/1.0", "u/4.1"))).toEqual([]);
    expect(await alarmsOf(without("u/1.0", "u/2.1", "u/3.0", "u/5.0", "u/5.1"))).toEqual([]);
  });
});

it("chunks are not told to be missing where metadata or a gen have their cause already", async () => {
  const raw = arrayAt("r", { shape: [40], chunks: [10] });
  const found = await findingsOf({ ...raw, "r/0": ["r.bin", 0, 80], "r/1": ["r.bin", 80, 80] });
  expect(found.map(({ code }) => code)).toEqual(["chunk-lengths-fit-other"]);
  const gen = {
    key: "g/0.{{i}}",
    url: "g.nc",
    offset: "{{i * 9 + j * 20}}",
    length: "9",
    dimensions: { j: [0, 1], i: [0, 1] },
  };
  const grid = arrayAt("g", { shape: [2, 2], chunks: [1, 1], compressor: ZLIB });
  expect(await findingsOf(grid, { gen: [gen] })).toEqual([]);
});

describe("coordinates", () => {
  it("that lack chunks are named", async () => {
    const { "x/0": _, ...refs } = without();
    expect(await findingsOf(refs)).toMatchObject([
      { code: "coordinate-incomplete", place: { array: "x", coordinates: [0] }, facts: { missing: 1, chunks: 1 } },
    ]);
  });
});

describe("positions that only some arrays have", () => {
  const NAMES = ["p", "q", "r", "s"];
  const GRID = [20, 10];
  const forecast = (lacks: (array: string, run: number, lead: number) => boolean): Refs => ({
    ...Object.assign(
      {},
      ...NAMES.map((name) =>
        arrayAt(name, { shape: GRID, chunks: [1, 1], compressor: ZLIB, dimensions: ["run", "lead"] }),
      ),
    ),
    ...Object.fromEntries(
      NAMES.flatMap((name, array) =>
        Array.from({ length: 200 }, (_, at) => [Math.floor(at / 10), at % 10] as const).flatMap(([run, lead]) =>
          lacks(name, run, lead) ? [] : [[`${name}/${run}.${lead}`, [`r${run}_${lead}.grib`, array * 100, 40 + array]]],
        ),
      ),
    ),
  });
  const incompleteOf = async (refs: Refs) =>
    (await findingsOf(refs)).filter(({ code }) => code === "positions-incomplete");

  it("are told together, with what they lack", async () => {
    const isLacking = (name: string, run: number, lead: number) =>
      (run === 7 && lead === 3 && name !== "p") || (run === 12 && lead === 9 && name === "s");
    expect(await incompleteOf(forecast(isLacking))).toMatchObject([
      {
        place: { array: "q", coordinates: [7, 3] },
        count: 4,
        facts: {
          positions: 2,
          of: 200,
          dimensions: ["run", "lead"],
          listed: [
            [7, 3],
            [12, 9],
          ],
          arrays: 4,
          least: 1,
          most: 3,
        },
        places: [{ array: "q" }, { array: "s", coordinates: [12, 9] }],
      },
    ]);
  });

  it("are none where all arrays lack them, or where many are incomplete", async () => {
    expect(await incompleteOf(forecast((_name, run, lead) => run === 7 && lead === 3))).toEqual([]);
    expect(await incompleteOf(forecast((name, run, lead) => name === "q" && (run + lead) % 3 === 0))).toEqual([]);
  });
});
