import { describe, expect, it } from "vitest";
import { parseExpectation } from "#core/check/expectation.ts";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import { CONTEXT } from "../fixtures/plain-table.ts";
import { inThread } from "../chunk/chunk-decoder.ts";
import { openSet } from "../open/kerchunk-json/open-document.ts";
import { textDocument } from "../chunk/sources.ts";
import { checkExpectation } from "./expectation.ts";
import { expectationCost, writeExpectation } from "./write-expectation.ts";

const zarray = (length: number, dtype = "<i4") =>
  JSON.stringify({
    zarr_format: 2,
    shape: [length],
    chunks: [length],
    dtype,
    compressor: null,
    filters: null,
    order: "C",
    fill_value: null,
  });

const inline = (values: readonly number[]) =>
  `base64:${Buffer.from(Int32Array.from(values).buffer).toString("base64")}`;

const attributes = (name: string, more: object = {}) => JSON.stringify({ _ARRAY_DIMENSIONS: [name], ...more });

/** Days since 2026-01-01, and metres. */
async function openDays(days: readonly number[], depths: readonly number[] = [0, 10, 20]) {
  const refs = {
    "time/.zarray": zarray(days.length),
    "time/.zattrs": attributes("time", { units: "days since 2026-01-01" }),
    "time/0": inline(days),
    "depth/.zarray": zarray(depths.length),
    "depth/.zattrs": attributes("depth", { units: "m", scale: 2 }),
    "depth/0": inline(depths),
    "odd/.zarray": zarray(3).replace('"compressor":null', '"compressor":{"id":"unheard-of"}'),
    "odd/0": inline([1, 2, 3]),
    "sst/.zarray": zarray(days.length, "<i2"),
    "sst/.zattrs": attributes("time"),
    "name/.zarray": zarray(2, "|S1"),
    "name/.zattrs": attributes("name"),
    "name/0": "ab",
  };
  const opening = { locations: NO_LOCATIONS, network: {}, options: {}, context: CONTEXT };
  const opened = await openSet(textDocument(JSON.stringify({ version: 1, refs }), "x.json"), undefined, opening);
  if (opened.kind === "choose") throw new Error(opened.title);
  return opened.set;
}

async function against(set: Awaited<ReturnType<typeof openDays>>, expectation: object) {
  const parsed = parseExpectation(JSON.stringify({ refscope: "expectation", ...expectation }));
  return (await checkExpectation(set, { name: "x", expectation: parsed }, inThread, CONTEXT))().findings;
}

describe("an expectation", () => {
  it("written from a set is met by it, and by one that has more", async () => {
    const written = await writeExpectation(await openDays([0, 1, 2]), inThread, CONTEXT);
    const parsed = parseExpectation(written);
    expect(parsed.coordinates.get("time")).toEqual({ first: "2026-01-01", last: "2026-01-03", step: "1 day" });
    expect(parsed.coordinates.get("depth")).toEqual({ first: 0, last: 20, step: 10 });
    expect(parsed.arrays.get("sst")).toMatchObject({ dimensions: ["time"], shape: [3], dtype: "<i2", complete: false });
    for (const days of [
      [0, 1, 2],
      [0, 1, 2, 3],
    ])
      expect(
        (await checkExpectation(await openDays(days), { name: "x", expectation: parsed }, inThread, CONTEXT))(),
      ).toMatchObject({
        findings: [],
        expectation: { name: "x", arrays: 5, coordinates: 3, met: true, mayLack: 1, mayLackIn: ["sst"] },
      });
  });

  it("says what does not reach, and steps that are another", async () => {
    const set = await openDays([0, 1, 3, 4]);
    const time = { first: "2026-01-01", last: "2026-01-08", step: "1 day" };
    expect(await against(set, { coordinates: { time, depth: { first: 0, step: 5 } } })).toMatchObject([
      {
        code: "expected-range",
        place: { path: "time" },
        facts: { expected: "2026-01-01 to 2026-01-08", found: "2026-01-01 to 2026-01-05" },
      },
      { code: "expected-step", facts: { expected: "1 day", found: "2 days", at: "2026-01-02", steps: 1 } },
      { code: "expected-step", place: { path: "depth" }, facts: { expected: "5", found: "10", steps: 2 } },
    ]);
  });

  it("says what of an array is missing or another", async () => {
    const set = await openDays([0, 1]);
    const found = await against(set, {
      arrays: {
        ice: {},
        sst: { dimensions: ["t"], shape: [3], dtype: "<f4", complete: true },
        depth: { attributes: { units: "km", scale: 2 } },
      },
      coordinates: { lat: {}, odd: { first: 0 } },
    });
    expect(found).toMatchObject([
      { code: "expected-array-missing", place: { path: "ice" }, facts: { found: "nothing" } },
      { code: "expected-dimensions", facts: { expected: ["t"], found: ["time"] } },
      { code: "expected-shape", facts: { expected: [3], found: [2] } },
      { code: "expected-member", facts: { member: "dtype", expected: "<f4", found: "<i2" } },
      { code: "expected-chunks", facts: { missing: 1, chunks: 1 } },
      { code: "expected-member", place: { path: "depth" }, facts: { member: "units", expected: '"km"', found: '"m"' } },
      { code: "expected-array-missing", place: { path: "lat" } },
      { code: "expected-unread", place: { path: "odd" }, facts: { cause: { code: "codec-unknown" } } },
    ]);
  });

  it("of months and years goes by the calendar, of other dates by their list", async () => {
    const months = [0, 31, 59, 90, 120];
    const written = parseExpectation(await writeExpectation(await openDays(months), inThread, CONTEXT));
    expect(written.coordinates.get("time")).toEqual({ first: "2026-01-01", last: "2026-05-01", step: "1 month" });
    expect(
      await against(await openDays(months.toSpliced(2, 1)), { coordinates: { time: { step: "1 month" } } }),
    ).toMatchObject([
      { code: "expected-step", facts: { expected: "1 month", found: "59 days", at: "2026-02-01", steps: 1 } },
    ]);
    expect(await against(await openDays([0, 365, 730]), { coordinates: { time: { step: "1 year" } } })).toEqual([]);
    const uneven = parseExpectation(await writeExpectation(await openDays([0, 1, 5]), inThread, CONTEXT));
    expect(uneven.coordinates.get("time")?.values).toEqual(["2026-01-01", "2026-01-02", "2026-01-06"]);
  });

  it("names values that must be there, of numbers, dates and names", async () => {
    const set = await openDays([0, 1], [1000, 850, 500]);
    const values = { depth: { values: [850, 700, 500.0001, 300] }, time: { values: ["2026-01-02", "2026-01-09"] } };
    expect(await against(set, { coordinates: { ...values, name: { values: ["b", "c"] } } })).toMatchObject([
      { code: "expected-values", place: { path: "depth" }, facts: { values: ["700", "300"], missing: 2, expected: 4 } },
      { code: "expected-values", facts: { values: ["2026-01-09"], missing: 1 } },
      { code: "expected-values", place: { path: "name" }, facts: { values: ["c"], missing: 1, expected: 2 } },
    ]);
    const written = parseExpectation(await writeExpectation(set, inThread, CONTEXT));
    expect(written.coordinates.get("depth")).toEqual({ first: 1000, last: 500, values: [1000, 850, 500] });
    expect(written.coordinates.get("name")).toEqual({ values: ["a", "b"] });
  });

  it("may be content with a share of the chunks", async () => {
    const set = await openDays([0, 1]);
    const chunks = async (complete: unknown) =>
      (await against(set, { arrays: { sst: { complete } } })).map(({ facts }) => facts);
    expect(await chunks(0)).toEqual([]);
    expect(await chunks(0.5)).toEqual([{ missing: 1, chunks: 1, share: 0.5 }]);
    expect(await chunks(true)).toEqual([{ missing: 1, chunks: 1, share: 1 }]);
  });

  it("costs what its coordinates take", async () => {
    const set = await openDays([0, 1]);
    expect(await expectationCost(set, undefined, CONTEXT)).toEqual({
      coordinates: 3,
      requests: 0,
      bytes: 0,
      unknown: 0,
    });
    const one = parseExpectation('{"refscope": "expectation", "coordinates": {"time": {}, "lat": {}}}');
    expect(await expectationCost(set, one, CONTEXT)).toMatchObject({ coordinates: 1 });
  });

  it("that is none says where", () => {
    const failing = (text: string) => {
      try {
        return parseExpectation(text);
      } catch (error) {
        return error;
      }
    };
    const where = (text: string, at: string) =>
      expect(failing(text)).toMatchObject({ finding: { facts: { where: at } } });
    where("[", "the file");
    where("{}", "refscope");
    const base = '"refscope": "expectation"';
    where(`{${base}, "arrays": {"a": {"shape": 3}}}`, "arrays.a.shape");
    where(`{${base}, "arrays": {"a": {"complete": 3}}}`, "arrays.a.complete");
    where(`{${base}, "coordinates": {"a": {"first": []}}}`, "coordinates.a.first");
    where(`{${base}, "coordinates": {"a": {"first": "soon"}}}`, "coordinates.a.first");
    where(`{${base}, "coordinates": {"a": {"step": "6 hourz"}}}`, "coordinates.a.step");
    where(`{${base}, "arrays": {"a": {"complete": 1.5}}}`, "arrays.a.complete");
    // A name that is misspelt would expect nothing.
    where(`{${base}, "arrays": {"a": {"dimension": ["x"]}}}`, "arrays.a.dimension");
    where(`{${base}, "arrays": {"a": {}, "a": {}}}`, "the file");
    expect(parseExpectation(`\ufeff{${base}, "arrays": {"a": {"note": "as delivered"}}}`).arrays.get("a")).toEqual({});
    expect(failing(`{${base},\n"arrays": {\n"a": {\n"shape": [1, 2.5]}}}`)).toMatchObject({
      finding: { facts: { where: "arrays.a.shape", line: 4, found: "[1,2.5]" } },
    });
    expect(failing(`{${base},\n"arrays": {\n"a": {]}}`)).toMatchObject({ finding: { facts: { line: 3 } } });
  });
});
