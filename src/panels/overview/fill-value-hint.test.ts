import { describe, expect, it } from "vitest";
import { fillValueHint } from "./fill-value-hint.ts";

describe("fill value beside _FillValue", () => {
  it("is silent where they agree, however written", () => {
    expect(fillValueHint("-32768", "-32768")).toBeUndefined();
    expect(fillValueHint("1e20", "100000000000000000000")).toBeUndefined();
    expect(fillValueHint('"NaN"', "NaN")).toBeUndefined();
    expect(fillValueHint("0", undefined)).toBeUndefined();
  });

  it("says what each reader does where they differ", () => {
    expect(fillValueHint("0", "-32768")).toContain("read as 0");
    expect(fillValueHint("null", "-1")).toContain("no defined value");
    expect(fillValueHint(undefined, "-1")).toContain("no defined value");
  });
});
