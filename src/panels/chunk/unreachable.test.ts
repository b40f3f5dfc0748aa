import { describe, expect, it } from "vitest";
import type { Reading } from "#core/reading.ts";
import { isUnreachable, replaceableTarget } from "./DecodeTab.tsx";
import { WHOLE_SET } from "#core/findings/fact.ts";
import { explained } from "#core/findings/explain.ts";

const failed = (code: string, more: Partial<Reading> = {}) =>
  ({
    outcome: "failed",
    stages: [],
    state: "range",
    error: {
      code,
      place: WHOLE_SET,
      facts: { status: 404, expected: [200], steps: [], path: "/a", size: 1, end: 2 },
      count: 1,
    },
    ...more,
  }) as unknown as Reading;

describe("a target that cannot be reached", () => {
  it("is one that did not answer, or is nowhere; not one whose range is wrong", () => {
    expect(isUnreachable(failed("http-status"), explained)).toBe(true);
    expect(isUnreachable(failed("target-is-local"), explained)).toBe(true);
    expect(isUnreachable(failed("range-past-end"), explained)).toBe(false);
    expect(isUnreachable(failed("reference-bad", { state: "bad" }), explained)).toBe(false);
    const stage = { id: "stored" } as Reading["stages"][number];
    expect(isUnreachable(failed("decode-failed", { stages: [stage] }), explained)).toBe(false);
  });

  it("is named as the reference names it", () => {
    expect(replaceableTarget({ state: "range", written: '["/data/a\\"b.nc", 0, 4]' })).toBe('/data/a"b.nc');
    expect(replaceableTarget({ state: "whole", written: "[null]" })).toBe(null);
    expect(replaceableTarget({ state: "native", written: "a/0" })).toBeUndefined();
  });
});
