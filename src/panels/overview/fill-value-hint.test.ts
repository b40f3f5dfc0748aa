import { describe, expect, it } from "vitest";
import { fillValueHint } from "./OverviewPanel.tsx";

const hintOf = (fillValue: string | undefined, fillAttribute: string | undefined, zarrFormat: 2 | 3 = 3) =>
  fillValueHint({ zarrFormat, fillValue, fillAttribute });

describe("fill value beside _FillValue", () => {
  it("is silent where they agree, however written", () => {
    expect(hintOf("-32768", "-32768")).toBeUndefined();
    expect(hintOf("1e20", "100000000000000000000")).toBeUndefined();
    expect(hintOf('"NaN"', "NaN")).toBeUndefined();
    expect(hintOf("0", undefined)).toBeUndefined();
  });

  it("says what each reader does where they differ", () => {
    expect(hintOf("0", "-32768")).toContain("read as 0, which xarray does not mask");
    expect(hintOf("0", "-32768", 2)).toContain("read as 0, and xarray masks that");
    expect(hintOf("null", "-1")).toContain("no defined value");
    expect(hintOf(undefined, "-1")).toContain("no defined value");
  });
});
