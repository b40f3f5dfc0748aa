import fc from "fast-check";
import { edgesOf } from "#core/metadata/chunk-grid.ts";
import { describe, expect, it } from "vitest";
import { plotTicks, shareOf, spanAround, stepAt, zoomedBy } from "./SeriesPlot.tsx";
import { chunkSpans, namedSteps } from "./StepScale.tsx";

describe("the scale of steps", () => {
  it("leads from a step to its place and back", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), fc.nat(), (count, at) => {
        const all = { from: 0, to: count };
        expect(stepAt(shareOf((at % count) + 0.5, all), all)).toBe(at % count);
      }),
    );
    expect([stepAt(-1, { from: 0, to: 4 }), stepAt(2, { from: 0, to: 4 })]).toEqual([0, 3]);
  });

  it("zooms around a step that stays where it is, to four steps at least; a step that is gone to is seen", () => {
    const all = { from: 0, to: 87_600 };
    expect(zoomedBy(0.5, 43_800, all, 87_600)).toEqual({ from: 21_900, to: 65_700 });
    expect(zoomedBy(0.5, 0, all, 87_600)).toEqual({ from: 0, to: 43_800 });
    expect(zoomedBy(1e-9, 50, all, 87_600)).toEqual({ from: 50, to: 54 });
    expect(zoomedBy(2, 50, { from: 0, to: 50_000 }, 87_600)).toBeUndefined();
    expect(spanAround(10, 100, { from: 20, to: 30 })).toEqual({ from: 5, to: 15 });
    expect(spanAround(99, 100, { from: 20, to: 30 })).toEqual({ from: 90, to: 100 });
  });

  it("has a span a chunk, and few where chunks are very many; every chunk is in one, with its look", () => {
    const look = (chunk: number) => (chunk === 1 ? "failed" : "plain");
    expect(chunkSpans(3, look)).toEqual([
      { from: 0, to: 1, look: "plain" },
      { from: 1, to: 2, look: "failed" },
      { from: 2, to: 3, look: "plain" },
    ]);
    expect(chunkSpans(100_000, look)).toHaveLength(3);
    expect(chunkSpans(100_000, look).at(-1)?.to).toBe(100_000);
  });

  it("has round values at the side, inside the plot", () => {
    expect(plotTicks(16.9, 17.5)).toEqual([17, 17.2, 17.4]);
    expect(plotTicks(3, 3)).toEqual([3]);
    fc.assert(
      fc.property(fc.double({ min: -1e6, max: 1e6, noNaN: true }), fc.double({ min: 1e-3, max: 1e6 }), (low, by) => {
        const ticks = plotTicks(low, low + by);
        expect(ticks.length).toBeGreaterThan(0);
        expect(ticks.length).toBeLessThan(5);
      }),
    );
  });

  it("names the first steps of chunks, as many as there is room for", () => {
    expect(namedSteps({ from: 0, to: 24 }, 440, 80, 4)).toEqual([0, 8, 16]);
    expect(namedSteps({ from: 0, to: 24 }, 440, 70, 4)).toEqual([0, 4, 8, 12, 16, 20]);
    expect(namedSteps({ from: 0, to: 5 }, 400, 60, 1)).toEqual([0, 1, 2, 3, 4]);
    expect(namedSteps({ from: 1000, to: 1010 }, 400, 60, 1)).toEqual([1000, 1002, 1004, 1006, 1008]);
  });

  it("names those of unequal chunks likewise, none nearer to the one before than there is room", () => {
    const months = edgesOf(
      365,
      [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31].map((length) => ({ length, count: 1 })),
    );
    expect(namedSteps({ from: 0, to: 365 }, 365, 25, months ?? 1)).toEqual([
      0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334,
    ]);
    expect(namedSteps({ from: 0, to: 365 }, 365, 60, months ?? 1)).toEqual([0, 90, 151, 212, 273, 334]);
    expect(namedSteps({ from: 0, to: 365 }, 0, 60, months ?? 1)).toEqual([0]);
  });
});
