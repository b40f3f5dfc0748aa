/** Tests of the profile that deep checks keep of a field in eight files, by its place along time. */
import { describe, expect, it } from "vitest";
import type { ValueProfile } from "#core/values/value-profile.ts";
import { context } from "#engine/repair/suggest/testing/damaged-set.ts";
import { inThread } from "#engine/chunk/chunk-decoder.ts";
import { field, fileName, FILES, openField, STEPS, type Made } from "../testing/field-set.ts";
import type { ValuesRequest } from "../plan.ts";
import type { Session } from "#engine/sessions.ts";
import { decodeKeeping } from "./decode-keeping.ts";
import { profiledArrays, profileOf, type ProfileRequest } from "./set-profiles.ts";

type Kept = Pick<Session, "set" | "checks">;

async function checked(made: Made = {}, request: Partial<ValuesRequest> = {}): Promise<Kept> {
  const session: Kept = { set: await openField(made), checks: {} };
  await decodeKeeping(session, { chunks: "all", decoder: inThread, ...request }, context());
  return session;
}

function profile({ set, checks }: Kept, request: ProfileRequest): ValueProfile {
  const found = profileOf(set, checks.profiles ?? new Map(), request);
  if (found === undefined) throw new Error("Nothing is kept.");
  return found;
}

/** All values of a file, as float32 keeps them. */
const valuesOf = (file: number): readonly number[] =>
  Array.from({ length: STEPS * 6 * 9 }, (_, at) =>
    Math.fround(field(file * STEPS + Math.floor(at / 54), Math.floor(at / 9) % 6, at % 9)),
  );

describe("of chunks", () => {
  it("minimum, maximum and mean are those of the values, a bin a file", async () => {
    const { columns, bins, files, axis } = profile(await checked(), { array: "v" });
    expect([bins, axis]).toEqual([FILES, 0]);
    expect(files).toEqual(Array.from({ length: FILES }, (_, bin) => ({ name: fileName(bin), bin })));
    for (let bin = 0; bin < FILES; bin += 1) {
      const values = valuesOf(bin);
      expect(columns.minimum[bin]).toBe(Math.min(...values));
      expect(columns.maximum[bin]).toBe(Math.max(...values));
      expect(columns.mean[bin]).toBeCloseTo(values.reduce((sum, one) => sum + one, 0) / values.length, 6);
      expect([columns.missing[bin], columns.read[bin], columns.failed[bin]]).toEqual([0, 1, 0]);
    }
    expect(columns.step[0]).toBeNaN();
    expect(columns.step[1]).toBeGreaterThan(0);
  });

  it("places are said in what stands along the axis, read in the same check", async () => {
    expect(profile(await checked(), { array: "v" }).places?.slice(0, 2)).toEqual([
      "2000-01-01 – 01-02",
      "2000-01-03 – 01-04",
    ]);
    expect(profile(await checked({}, { array: "v" }), { array: "v" }).places).toBeUndefined();
  });

  it("values are unpacked, the valid range with them; a negative factor turns the ends round", async () => {
    const attributes = { scale_factor: -2, add_offset: 1000, valid_range: [0, 290], units: "K" };
    const { columns, valid, units } = profile(await checked({ attributes }), { array: "v" });
    expect(columns.minimum[0]).toBe(1000 - 2 * Math.max(...valuesOf(0)));
    expect(columns.maximum[0]).toBe(1000 - 2 * Math.min(...valuesOf(0)));
    expect(valid).toEqual({ minimum: 1000 - 2 * 290, maximum: 1000 });
    expect(units).toBe("K");
  });

  it("a step where another scale begins stands out of the others", async () => {
    const made: Made = { value: (one, { file }) => (file >= 5 ? one * 10 : one) };
    const { columns } = profile(await checked(made), { array: "v" });
    const rest = [...columns.step].filter((_, bin) => bin !== 0 && bin !== 5);
    expect(columns.step[5]).toBeGreaterThan(20 * Math.max(...rest));
  });

  it("what was not read is not known, and no value", async () => {
    const only = new Map([["v", new Set([2, 3])]]);
    const kept = await checked({}, { only });
    const { columns, bins } = profile(kept, { array: "v" });
    expect(bins).toBe(FILES);
    expect([...columns.read]).toEqual([0, 0, 1, 1, 0, 0, 0, 0]);
    expect(columns.mean[0]).toBeNaN();
    // Two doubtful chunks say nothing of the array.
    expect(profiledArrays(kept.set, kept.checks.profiles ?? new Map())).toEqual([]);
  });

  it("arrays are summed up as far as they were read", async () => {
    const { set, checks } = await checked({}, { chunks: 3, array: "v" });
    const [only, ...others] = profiledArrays(set, checks.profiles ?? new Map());
    expect(others).toEqual([]);
    expect(only).toMatchObject({ array: "v", of: 8, read: 3, failed: 0, missing: 0 });
    expect(only?.mean).toBeGreaterThan(only?.minimum ?? NaN);
    expect(only?.mean).toBeLessThan(only?.maximum ?? NaN);
  });

  it("a look at less does not take the place of one at more", async () => {
    const kept = await checked();
    await decodeKeeping(kept, { chunks: "all", only: new Map([["v", new Set([1])]]), decoder: inThread }, context());
    expect([...profile(kept, { array: "v" }).columns.read]).toEqual(Array(FILES).fill(1));
  });
});

describe("of coordinates", () => {
  const time = (at: number) => (at === 9 ? 3 : at);

  it("values stand one by one, with the step that leads to each", async () => {
    const { kind, columns, first, bins } = profile(await checked({ time }), { array: "time", around: [9] });
    expect([kind, first, bins]).toEqual(["elements", 0, FILES * STEPS]);
    expect([...columns.mean]).toEqual(Array.from({ length: FILES * STEPS }, (_, at) => time(at)));
    expect([columns.step[8], columns.step[9]]).toEqual([1, 5]);
  });

  it("of what was not read whole there is none", async () => {
    const { set, checks } = await checked({}, { only: new Map([["time", new Set([1])]]) });
    expect(profileOf(set, checks.profiles ?? new Map(), { array: "time", around: [] })).toBeUndefined();
  });
});
