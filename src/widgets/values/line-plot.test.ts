import { describe, expect, it } from "vitest";
import { indexAt, lineShape, movedPlace, placeOf } from "./line-plot.ts";

const box = { width: 100, height: 50 };

describe("lineShape", () => {
  it("breaks the line at missing values and draws a lonely value as a dot", () => {
    const { line, gaps, missing } = lineShape(Float64Array.of(0, 1, NaN, 2, NaN), box);
    expect(line).toBe("M0.0 50.0h0L25.0 25.0M75.0 0.0h0");
    expect(gaps).toBe("M50 50v-5M100 50v-5");
    expect(missing).toBe(2);
  });

  it("draws the whole extent where many values share a pixel: a single spike is seen", () => {
    const values = new Float64Array(100_000);
    values[54_321] = 1000;
    const { line, maximum } = lineShape(values, box);
    expect(maximum).toBe(1000);
    expect(line).toContain("L54.0 0.0");
    expect(line.length).toBeLessThan(5000);
  });

  it("keeps gaps also where values are crowded", () => {
    const values = new Float64Array(1000).fill(1, 0, 500).fill(NaN, 500, 520).fill(2, 520);
    expect(lineShape(values, box).line.match(/M/g)?.length).toBe(2);
  });

  it("draws nothing of nothing", () => {
    const shape = lineShape(Float64Array.of(NaN, NaN), box);
    expect(shape.line).toBe("");
    expect(shape.minimum).toBeUndefined();
    expect(lineShape(new Float64Array(0), box).missing).toBe(0);
  });

  it("runs equal values along the middle", () => {
    expect(lineShape(Float64Array.of(3, 3), box).line).toBe("M0.0 25.0h0L100.0 25.0");
  });
});

describe("places", () => {
  it("goes from place to index and back", () => {
    for (let index = 0; index < 24; index += 1) expect(indexAt(placeOf(index, 24, 333), 24, 333)).toBe(index);
    expect(indexAt(-5, 24, 333)).toBe(0);
    expect(indexAt(999, 24, 333)).toBe(23);
    expect(indexAt(20, 1, 333)).toBe(0);
  });
  it("moves by key", () => {
    expect(movedPlace("ArrowLeft", 0, 10)).toBe(0);
    expect(movedPlace("End", 0, 10)).toBe(9);
    expect(movedPlace("PageDown", 0, 100)).toBe(10);
    expect(movedPlace("a", 0, 100)).toBeUndefined();
  });
});
