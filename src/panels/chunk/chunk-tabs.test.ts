import { describe, expect, it } from "vitest";
import type { Reading } from "#core/reading.ts";
import { openingTab, rememberedTab } from "./tabs.ts";

const stored = { id: "stored", label: "stored", configuration: "", bytesIn: 10, bytesOut: 10 };
const reading = (part: Partial<Reading>): Reading => ({
  id: 1,
  array: "a",
  coordinates: [],
  key: "a/0",
  state: "range",
  written: "",
  outcome: "ok",
  stages: [stored],
  findings: [],
  ...part,
});

describe("openingTab", () => {
  it("is where there is something to see", () => {
    expect(openingTab(undefined)).toBe("values");
    expect(openingTab(reading({}))).toBe("values");
    expect(openingTab(reading({ outcome: "failed" }))).toBe("decode");
    expect(openingTab(reading({ outcome: "failed", stages: [] }))).toBe("request");
    expect(openingTab(reading({ outcome: "missing", state: "missing", stages: [] }))).toBe("request");
  });
});

describe("rememberedTab", () => {
  it("is what was clicked, unless that is where all chunks that read open", () => {
    expect(rememberedTab("hex", "values")).toBe("hex");
    expect(rememberedTab("decode", "decode")).toBe("decode");
    expect(rememberedTab("values", "decode")).toBe("values");
    expect(rememberedTab("values", "values")).toBeUndefined();
  });
});
