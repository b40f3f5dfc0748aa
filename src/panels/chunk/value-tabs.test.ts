import { describe, expect, it } from "vitest";
import type { Reading, ValuesReport } from "#core/reading.ts";
import { shownStage, shownTab, valueTabs } from "./tabs.ts";
import { WHOLE_SET } from "#core/findings/fact.ts";

const stored = { id: "stored", label: "stored", configuration: "", bytesIn: 10, bytesOut: 10 };
const broken = {
  id: "zlib",
  label: "zlib",
  configuration: "{}",
  bytesIn: 10,
  error: { code: "x", place: WHOLE_SET, facts: {}, count: 1 },
};

function reading(part: Partial<Reading>, inside: readonly number[] = [], numeric = true): Reading {
  const raw = { count: 1, missing: 0, equalToFill: 0 };
  const values: ValuesReport = { shape: inside, inside, dtype: "<i2", numeric, raw };
  const base = { id: 1, array: "a", coordinates: [], key: "a/0", state: "range", written: "", outcome: "ok" } as const;
  return { ...base, stages: [stored], findings: [], values, ...part };
}
const ids = (one: Reading) => valueTabs(one).map((tab) => tab.id);

describe("valueTabs", () => {
  it("begin with what suits the values", () => {
    expect(ids(reading({}, [4, 40, 64]))).toEqual(["table", "map", "line"]);
    expect(ids(reading({}, [400, 1, 1]))).toEqual(["line", "map", "table"]);
    expect(ids(reading({}, [24]))).toEqual(["line", "table"]);
    expect(ids(reading({}, []))).toEqual(["table"]);
    expect(ids(reading({}, [24, 24], false))).toEqual(["table"]);
    expect(ids(reading({}, [0, 24]))).toEqual([]);
  });
  it("never offer values of a chunk that failed, also where there are some", () => {
    expect(ids(reading({ outcome: "failed", stages: [stored, broken] }, [4, 4]))).toEqual([]);
    expect(ids(reading({ outcome: "failed", stages: [] }, [4, 4]))).toEqual([]);
  });
  it("keep the user's choice where they can", () => {
    const tabs = valueTabs(reading({}, [24]));
    expect(shownTab(tabs, "table")).toBe("table");
    expect(shownTab(tabs, "map")).toBe("line");
    expect(shownTab([], "map")).toBeUndefined();
  });
});

describe("shownStage", () => {
  it("is the last with bytes unless the user chose one that has some", () => {
    const failed = reading({ stages: [stored, broken] });
    expect(shownStage(failed, undefined)).toBe(0);
    expect(shownStage(failed, 1)).toBe(0);
    expect(shownStage(reading({ stages: [stored, stored] }), 0)).toBe(0);
    expect(shownStage(reading({ stages: [] }), 0)).toBeUndefined();
  });
});
