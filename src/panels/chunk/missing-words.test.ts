import { describe, expect, it } from "vitest";
import { missingWords } from "./MissingChunk.tsx";
import { WHOLE_SET } from "#core/findings/fact.ts";

const ARRAY = { shape: [10], chunks: [4], dtype: "<i4" };
const words = (at: number, fillValue: string, codes: readonly string[] = []) => {
  const findings = codes.map((code) => ({ code, place: WHOLE_SET, facts: {}, count: 1 }));
  return missingWords(
    ARRAY,
    { coordinates: [at], findings },
    { fillValue, fillAttribute: undefined },
    "nothing was requested",
  );
};

describe("a chunk without a reference", () => {
  it("reads as fill value inside the array's edge", () => {
    expect(words(0, "-1")).toBe("All 4 values are the fill value; nothing was requested.");
    expect(words(2, "-1")).toContain("All 2 values");
    expect(words(0, "null")).toBe("Nothing was requested.");
  });

  it("has no defined values where the fill value does not fit the type", () => {
    expect(words(0, "1.5", ["fill-value-unfit"])).toContain(
      "fill_value 1.5 is not a valid value of type <i4: what a missing chunk reads as is not defined",
    );
    expect(words(0, "1.5", ["something-else"])).not.toContain("not defined");
  });
});
