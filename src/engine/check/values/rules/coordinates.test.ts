/** Coordinates that have no order, or their own; and ranges that are called valid. */
import { describe, expect, it } from "vitest";
import { explained } from "#core/findings/explain.ts";
import { statedArray } from "#engine/check/witness/testing/stated-set.ts";
import { inThread } from "#engine/chunk/chunk-decoder.ts";
import { context } from "#engine/repair/suggest/testing/damaged-set.ts";
import { madeSet } from "../../testing/made-set.ts";
import { checkValues } from "../check-values.ts";

async function told(name: string, values: readonly number[], attributes: object = {}): Promise<readonly string[]> {
  const set = await madeSet(statedArray(name, { values, ...attributes }));
  const { findings } = await checkValues(set, { chunks: "all", decoder: inThread }, context());
  return findings.map((found) => `${explained(found).severity} ${found.code}`);
}

describe("the order of", () => {
  /** The middle of each month, in the last year that the mean has values of. */
  const means = Array.from({ length: 12 }, (_, month) => 15 + 30.4 * month + 365.25 * (month < 4 ? 20 : 19));
  const time = { units: "days since 2000-01-01" };

  it("means over years is that of their months", async () => {
    expect(await told("time", means, time)).toEqual([]);
    const exchanged = means.with(6, means[8] ?? 0).with(8, means[6] ?? 0);
    expect(await told("time", exchanged, time)).toEqual(["warning coordinate-unordered"]);
  });

  it("members is none, unlike that of levels", async () => {
    const mixed = [0, 1, 2, 5, 4, 3, 6, 7, 9, 8];
    expect(await told("number", mixed)).toEqual([]);
    expect(await told("run", mixed, { standard_name: "realization" })).toEqual([]);
    expect(await told("level", mixed)).toEqual(["warning coordinate-unordered"]);
  });
});

describe("times that were appended", () => {
  const minutes = Array.from({ length: 24 }, (_, at) => 15 * at);
  /** Seconds from 1970 to 2024-03-01. */
  const start = 1_709_251_200;
  const appended = (count: (minute: number) => number) =>
    told(
      "time",
      minutes.map((minute, at) => (at < 16 ? minute : count(minute))),
      {
        units: "minutes since 2024-03-01",
      },
    );

  it("in milliseconds, seconds or minutes since 1970 are told", async () => {
    const changes = ["warning coordinate-unit-changes"];
    expect(await appended((minute) => (minute * 60 + start) * 1000)).toEqual(changes);
    expect(await appended((minute) => minute * 60 + start)).toEqual(changes);
    expect(await appended((minute) => minute + start / 60)).toEqual(changes);
  });

  it("after a gap are not", async () => {
    const codes = await appended((minute) => minute + 60 * 24 * 365);
    expect(codes.filter((code) => code.startsWith("warning"))).toEqual([]);
  });
});

it("integers that wrap around are told by their bits", async () => {
  const seconds = Array.from({ length: 30 }, (_, at) => 2 ** 31 - 20 * 3600 + at * 3600);
  const wrapped = async (dtype: string, values: readonly number[], bytes: Uint8Array) => {
    const own = { shape: [30], chunks: [30], dtype, compressor: null, filters: null, order: "C", fill_value: null };
    const refs = statedArray("time", { values, units: "seconds since 1970-01-01" });
    const text = `base64:${Buffer.from(bytes).toString("base64")}`;
    const set = await madeSet({ ...refs, "time/.zarray": { zarr_format: 2, ...own }, "time/0": text });
    const { findings } = await checkValues(set, { chunks: "all", decoder: inThread }, context());
    return findings.map(({ facts }) => facts);
  };
  const short = Int32Array.from(seconds);
  expect(await wrapped("<i4", [...short], new Uint8Array(short.buffer))).toMatchObject([{ bits: 32 }]);
  const swapped = Int32Array.from(seconds.map((one, at) => one - (at < 12 ? 43_200 : 2 ** 31)));
  const told = await wrapped("<i4", [...swapped], new Uint8Array(swapped.buffer));
  expect(told).not.toMatchObject([{ bits: 32 }]);
});

describe("a valid range", () => {
  const depths = [0, 5, 10, 20, 50, 100, 200, 500, 1000];

  it("that a coordinate exceeds is a warning, with the range that it needs", async () => {
    expect(await told("depth", depths, { valid_min: 0, valid_max: 1000 })).toEqual([]);
    expect(await told("depth", depths, { valid_min: 0, valid_max: 400 })).toEqual([
      "warning values-outside-valid-range",
    ]);
    const set = await madeSet(statedArray("depth", { values: depths, valid_max: 400 }));
    const { findings } = await checkValues(set, { chunks: "all", decoder: inThread }, context());
    expect(findings[0]).toMatchObject({ facts: { outside: 2, of: 9, most: 400, coordinate: [0, 1000] } });
  });

  it("of unpacked values counts for stored ones all the same", async () => {
    const data = { dimensions: ["x"], scale_factor: 0.01, add_offset: 0, valid_min: 0 };
    expect(await told("salt", depths, { ...data, valid_max: 1000 })).toEqual([]);
    expect(await told("salt", depths, { ...data, valid_max: 40 })).toEqual(["warning values-outside-valid-range"]);
    expect(await told("salt", depths, { ...data, valid_max: 5 })).toEqual(["info values-outside-valid-range"]);
  });

  it("that data exceeds is a note", async () => {
    const data = { dimensions: ["x"], valid_max: 400 };
    expect(await told("salt", depths, data)).toEqual(["info values-outside-valid-range"]);
  });
});
