import { describe, expect, it } from "vitest";
import { bestMatches, fuzzyScore } from "./fuzzy.ts";

describe("fuzzy matching", () => {
  it("wants all characters in order", () => {
    expect(fuzzyScore("nch", "Next chunk along time")).toBeDefined();
    expect(fuzzyScore("hcn", "Next")).toBeUndefined();
    expect(fuzzyScore("", "anything")).toBe(0);
  });

  it("puts whole words first, then tight matches", () => {
    const names = ["ocean/s_s_t", "ocean/sst", "assets", "misst"];
    expect(bestMatches(names, "sst", (name) => name, 10)).toEqual(["ocean/sst", "misst", "ocean/s_s_t", "assets"]);
    expect(bestMatches(names, "sst", (name) => name, 1)).toEqual(["ocean/sst"]);
  });
});
