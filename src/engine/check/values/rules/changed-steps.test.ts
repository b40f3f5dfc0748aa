/** Steps that were appended in another encoding; and changes that are weather. */
import { describe, expect, it } from "vitest";
import { explained } from "#core/findings/explain.ts";
import { findingsOfSteps, type Made, type Value } from "../testing/step-set.ts";

/** Kelvin, by step. */
const air: Value = (s, _, y, x) => 284 + 0.3 * s + 9 * Math.sin(0.45 * y + 0.02 * s) + 6 * Math.cos(0.4 * x);
const FROM = 10;
const later =
  (value: Value, change: (value: number) => number, to = Infinity): Value =>
  (...at) =>
    at[0] >= FROM && at[0] <= to ? change(value(...at)) : value(...at);

const MADE: Made = { steps: 16, size: [1, 8, 12], chunks: [1, 1, 8, 12] };
const FLOATS: Made = { ...MADE, attributes: { units: "K" } };
const [BY, OFFSET] = [0.01, 273.15];
const PACKED: Made = { ...MADE, dtype: "<i2", attributes: { units: "K", scale_factor: BY, add_offset: OFFSET } };
const packed = (value: number): number => Math.round((value - OFFSET) / BY);
const packedAir: Value = (...at) => packed(air(...at));

const turned = (stored: number): number => ((stored & 0xff) << 8) | ((stored >> 8) & 0xff);

describe("steps that are read otherwise", () => {
  it.each<readonly [string, Value, Made, object]>([
    ["packed twice, wrapped", later(packedAir, packed), PACKED, { reading: "packed-twice" }],
    ["not packed", later(packedAir, (stored) => stored * BY + OFFSET), PACKED, { reading: "not-packed" }],
    ["in the other byte order", later(packedAir, turned), PACKED, { reading: "byte-order" }],
    ["in °C", later(air, (kelvin) => kelvin - 273.15), FLOATS, { reading: "celsius" }],
    [
      "in kelvin",
      later(
        (...at) => air(...at) - 273.15,
        (celsius) => celsius + 273.15,
      ),
      { ...MADE, attributes: { units: "degC" } },
      { reading: "kelvin" },
    ],
    ["in °C, packed", later(packedAir, (stored) => stored - 27_315), PACKED, { reading: "celsius" }],
    ["with another sign", later(air, (value) => -value), FLOATS, { reading: "sign" }],
    ["times 100", later(air, (value) => value * 100), FLOATS, { reading: "times", factor: 100 }],
    ["by 1000", later(air, (value) => value / 1000), FLOATS, { reading: "times", factor: 1 / 1000 }],
  ])("%s are named, and from where", async (_, value, made, facts) => {
    const found = await findingsOfSteps(value, made);
    expect(found.map(({ code }) => code)).toEqual(["steps-read-otherwise"]);
    expect(found[0]).toMatchObject({ count: 6, facts: { ...facts, dimension: "time", from: FROM, to: 15, steps: 16 } });
    expect(found.map((each) => explained(each).message)).toMatchObject([/^From step 10 of time on, .*\.$/]);
  });

  it("for a while are named to their last", async () => {
    const [found] = await findingsOfSteps(
      later(air, (value) => value * 10, 12),
      FLOATS,
    );
    expect(found).toMatchObject({ code: "steps-read-otherwise", count: 3, facts: { factor: 10, from: FROM, to: 12 } });
  });
});

/** Rain and light begin: the field is nearly still before. */
const still: Value = (s, _, y, x) => 284 + 3 * Math.sin(0.45 * y) + 2 * Math.cos(0.4 * x) + 0.01 * Math.sin(s);

describe("nothing is said of", () => {
  it.each<readonly [string, Value, Made]>([
    ["a field that moves", air, FLOATS],
    ["a packed field", packedAir, PACKED],
    ["a season", (s, l, y, x) => air(0, l, y, x) - 12 * Math.cos((Math.PI * s) / 8), FLOATS],
    ["nights and days", (s, l, y, x) => still(s, l, y, x) + (s % 8 < 4 ? 0 : 9), FLOATS],
    [
      "light after nights, nearly as much a power of ten",
      (s, _, y, x) => (s < 4 ? 0.001 * s : 200 * Math.sin(0.2 * (s - 3)) + y + x),
      FLOATS,
    ],
    ["rain after drought", (s, _, y, x) => (s < 8 ? 0.001 * s : 3 + Math.sin(9.7 * (s + 3 * y + 7 * x))), FLOATS],
    [
      "a front that comes, packed so finely that all values wrap to their neighbours",
      (...at) => Math.round((air(...at) + (at[0] >= FROM ? 14 : 0) - OFFSET) / 0.002),
      { ...PACKED, attributes: { units: "K", scale_factor: 0.002, add_offset: OFFSET } },
    ],
    ["a front that comes", (...at) => still(...at) - (at[0] >= FROM ? 14 : 0), FLOATS],
    ["an event", (...at) => still(...at) + (at[0] >= FROM && at[0] < 12 ? 25 : 0), FLOATS],
    ["a storm in one place", (...at) => still(...at) + (at[0] >= FROM && at[2] < 3 ? 40 : 0), FLOATS],
    ["waves about zero", (s, _, y, x) => Math.sin(0.45 * y + 0.3 * s) * Math.cos(0.4 * x), MADE],
    ["tides that turn", (s, _, y, x) => (1 + 0.1 * Math.sin(y + x)) * (s % 6 < 3 ? 1 : -1) + 0.001 * s, MADE],
    [
      "directions about south",
      (s, _, y) => (s < FROM ? 179.5 - 0.1 * (y + s / 9) : 0.1 * y - 179.6),
      { ...MADE, attributes: { units: "degrees" } },
    ],
    ["flags that change", (s) => (s < FROM ? 1 : 10), { ...MADE, attributes: { flag_values: [1, 10] } }],
  ])("%s", async (_, value, made) => {
    const codes = (await findingsOfSteps(value, made)).map(({ code }) => code);
    expect(codes.filter((code) => code === "steps-read-otherwise" || code === "chunks-swapped")).toEqual([]);
  });
});
