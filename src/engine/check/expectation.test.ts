import { describe, expect, it } from "vitest";
import { parseExpectation } from "../../core/expectation.ts";
import { NO_LOCATIONS } from "../../core/location.ts";
import { CONTEXT } from "../fixtures/plain-table.ts";
import { inThread } from "../many/chunk-decoder.ts";
import { openSet } from "../open/kerchunk-json/open-document.ts";
import { textDocument } from "../open/sources.ts";
import { againstExpectation, expectationOf } from "./expectation.ts";

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
  };
  const opening = { locations: NO_LOCATIONS, network: {}, options: {}, context: CONTEXT };
  const opened = await openSet(textDocument(JSON.stringify({ version: 1, refs }), "x.json"), undefined, opening);
  if (opened.kind === "choose") throw new Error(opened.title);
  return opened.set;
}

async function against(set: Awaited<ReturnType<typeof openDays>>, expectation: object) {
  const parsed = parseExpectation(JSON.stringify({ refscope: "expectation", ...expectation }));
  return againstExpectation(set, parsed, inThread, CONTEXT);
}

describe("an expectation", () => {
  it("written from a set is met by it, and by one that has more", async () => {
    const written = await expectationOf(await openDays([0, 1, 2]), inThread, CONTEXT);
    const parsed = parseExpectation(written);
    expect(parsed.coordinates.get("time")).toEqual({ first: "2026-01-01", last: "2026-01-03", step: "1 day" });
    expect(parsed.coordinates.get("depth")).toEqual({ first: 0, last: 20, step: 10 });
    expect(parsed.arrays.get("sst")).toMatchObject({ dimensions: ["time"], shape: [3], dtype: "<i2", complete: false });
    for (const days of [
      [0, 1, 2],
      [0, 1, 2, 3],
    ])
      expect(await againstExpectation(await openDays(days), parsed, inThread, CONTEXT)).toEqual([]);
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
    where("{}", "the file");
    const base = '"refscope": "expectation"';
    where(`{${base}, "arrays": {"a": {"shape": 3}}}`, "arrays.a.shape");
    where(`{${base}, "arrays": {"a": {"complete": 3}}}`, "arrays.a.complete");
    where(`{${base}, "coordinates": {"a": {"first": []}}}`, "coordinates.a.first");
  });
});
