import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  elementHeight,
  lastTop,
  type RowGeometry,
  rowsPerPage,
  rowsSeen,
  scrollOfTop,
  TALLEST,
  topAfterScroll,
  topCentring,
  topOfScroll,
  topShowing,
} from "./ScaledRows.tsx";

const geometries: fc.Arbitrary<RowGeometry> = fc.record({
  rows: fc.oneof(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: 2_000_000_000 })),
  rowHeight: fc.integer({ min: 16, max: 40 }),
  viewport: fc.integer({ min: 100, max: 2000 }),
});
const placed = geometries.chain((geometry) =>
  fc.record({ geometry: fc.constant(geometry), row: fc.integer({ min: 0, max: geometry.rows - 1 }) }),
);

describe("scaled rows", () => {
  it("never makes the element higher than a page may be", () => {
    fc.assert(fc.property(geometries, (geometry) => elementHeight(geometry) <= TALLEST));
  });

  it("maps the ends of the scroll bar to the first and the last row", () => {
    fc.assert(
      fc.property(geometries, (geometry) => {
        const bottom = Math.max(0, elementHeight(geometry) - geometry.viewport);
        expect(topOfScroll(geometry, 0)).toBe(0);
        expect(topOfScroll(geometry, bottom)).toBeCloseTo(lastTop(geometry), 3);
        expect(rowsSeen(geometry, lastTop(geometry)).to).toBe(geometry.rows);
      }),
    );
  });

  it("finds the same position again from where it put the scroll bar", () => {
    fc.assert(
      fc.property(placed, ({ geometry, row }) => {
        const top = topShowing(geometry, 0, row);
        const again = topOfScroll(geometry, scrollOfTop(geometry, top));
        expect(Math.abs(again - top)).toBeLessThan(0.01);
      }),
    );
  });

  it("shows any row wholly, with one exact step from its neighbour", () => {
    fc.assert(
      fc.property(placed, ({ geometry, row }) => {
        const top = topShowing(geometry, 0, row);
        const { from, to } = rowsSeen(geometry, top);
        expect(row >= from && row < to).toBe(true);
        const next = topShowing(geometry, top, Math.min(row + 1, geometry.rows - 1));
        expect(next - top).toBeGreaterThanOrEqual(0);
        expect(next - top).toBeLessThanOrEqual(geometry.rowHeight);
      }),
    );
  });

  it("walks from the first to the last row by pages without skipping one", () => {
    const geometry = { rows: 10_000_019, rowHeight: 26, viewport: 611 };
    const page = rowsPerPage(geometry);
    expect(page).toBe(23);
    let top = 0;
    let seenTo = rowsSeen(geometry, top).to;
    for (let row = 0; row < 50_000; row += page) {
      top = topShowing(geometry, top, row);
      const seen = rowsSeen(geometry, top);
      expect(seen.from).toBeLessThanOrEqual(seenTo);
      seenTo = seen.to;
    }
    expect(seenTo).toBeGreaterThan(49_977);
  });

  it("takes a gesture as it is and scales a drag of the scroll bar", () => {
    const geometry = { rows: 10_000_000, rowHeight: 26, viewport: 600 };
    const before = { top: 130_000_000, scrollTop: 4_000_000 };
    expect(topAfterScroll(geometry, before, 4_000_040)).toBe(130_000_040);
    expect(topAfterScroll(geometry, before, 3_999_900)).toBe(129_999_900);
    const dragged = topAfterScroll(geometry, before, 4_013_000);
    expect(dragged).toBe(topOfScroll(geometry, 4_013_000));
    expect(dragged - before.top).toBeGreaterThan(300_000);
  });

  it("lets a gesture reach the very first row", () => {
    const geometry = { rows: 10_000_000, rowHeight: 26, viewport: 600 };
    expect(topAfterScroll(geometry, { top: 500, scrollTop: 15 }, 0)).toBe(0);
  });

  it("centres a row only when it is out of sight", () => {
    const geometry = { rows: 1000, rowHeight: 26, viewport: 260 };
    expect(topCentring(geometry, 0, 5)).toBe(0);
    const top = topCentring(geometry, 0, 500);
    const { from, to } = rowsSeen(geometry, top);
    expect(500 - from).toBeGreaterThanOrEqual(3);
    expect(to - 500).toBeGreaterThanOrEqual(3);
  });
});
