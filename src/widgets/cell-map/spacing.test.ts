/** Unequal cells on a map: what is pointed at is what is drawn there. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { edgesOf, startAlong } from "#core/metadata/chunk-grid.ts";
import { boxOf, cellAt, cellBox, CHUNK_SCALE, FIT, lookAt, reveal, windowSeen, type CellView } from "./camera.ts";
import { spacingOf } from "./spacing.ts";

const LENGTHS = [31, 28, 31, 30, 1, 120, 2];
const side = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 12 });

function edgesWith(lengths: readonly number[]) {
  const length = lengths.reduce((sum, one) => sum + one, 0);
  return {
    length,
    edges:
      edgesOf(
        length,
        lengths.map((one) => ({ length: one, count: 1 })),
      ) ?? 1,
  };
}

const spacingWith = (lengths: readonly number[]) => {
  const { length, edges } = edgesWith(lengths);
  return spacingOf(length, edges);
};

function viewOf(rows: readonly number[], columns: readonly number[]): CellView {
  return {
    extent: { rows: rows.length, columns: columns.length },
    area: { width: 500, height: 300 },
    scale: CHUNK_SCALE,
    camera: FIT,
    spacing: { rows: spacingWith(rows), columns: spacingWith(columns) },
  };
}

describe("the spacing of unequal cells", () => {
  it("is none where they are alike", () => {
    expect(spacingWith([4, 4, 4])).toBeUndefined();
    expect(spacingOf(10, 4)).toBeUndefined();
    expect(spacingOf(0, { lengths: [1, 2], chunks: [0, 1], starts: [0, 1], count: 2 })).toBeUndefined();
  });

  it("goes from cells to places and back, each cell as long as its elements", () => {
    fc.assert(
      fc.property(side, fc.double({ min: 0, max: 1, noNaN: true }), (lengths, share) => {
        const spacing = spacingWith(lengths);
        fc.pre(spacing !== undefined);
        if (spacing === undefined) return;
        const { length, edges } = edgesWith(lengths);
        const mean = length / lengths.length;
        for (const [cell] of lengths.entries()) {
          expect(spacing.placeOf(cell)).toBeCloseTo(startAlong(edges, cell) / mean, 9);
        }
        expect(spacing.placeOf(lengths.length)).toBe(lengths.length);
        const cell = share * lengths.length;
        expect(spacing.cellAt(spacing.placeOf(cell))).toBeCloseTo(cell, 6);
        expect(spacing.spread).toBeCloseTo(mean / Math.min(...lengths), 9);
      }),
    );
  });
});

describe("a map of unequal cells", () => {
  it("is to scale, and fills what equal cells would", () => {
    const view = viewOf([10, 30], LENGTHS);
    const [tall, thin] = [cellBox(view, { row: 1, column: 5 }), cellBox(view, { row: 0, column: 4 })];
    expect(tall.width / thin.width).toBeCloseTo(120, 6);
    expect(tall.height / thin.height).toBeCloseTo(3, 6);
    const whole = boxOf(view, { rows: { from: 0, to: 2 }, columns: { from: 0, to: LENGTHS.length } });
    const equal = boxOf(
      { ...view, spacing: { rows: undefined, columns: undefined } },
      {
        rows: { from: 0, to: 2 },
        columns: { from: 0, to: LENGTHS.length },
      },
    );
    expect([whole.width, whole.height]).toEqual([equal.width, equal.height]);
  });

  it("shows at every point the cell that is drawn there", () => {
    fc.assert(
      fc.property(side, side, fc.integer({ min: 1, max: 9 }), fc.nat(499), fc.nat(299), (rows, columns, zoom, x, y) => {
        const view = lookAt(viewOf(rows, columns), { zoom, x: 1, y: 1 });
        const cell = cellAt(view, { x, y });
        if (cell === undefined) return;
        const box = cellBox(view, cell);
        expect(box.x).toBeLessThanOrEqual(x + 1e-6);
        expect(box.x + box.width).toBeGreaterThanOrEqual(x - 1e-6);
        expect(box.y).toBeLessThanOrEqual(y + 1e-6);
        expect(box.y + box.height).toBeGreaterThanOrEqual(y - 1e-6);
        const seen = windowSeen(view);
        expect(cell.row >= seen.rows.from && cell.row < seen.rows.to).toBe(true);
        expect(cell.column >= seen.columns.from && cell.column < seen.columns.to).toBe(true);
      }),
    );
  });

  it("lets the smallest cell become as large as others, and is moved to show one", () => {
    const view = lookAt(viewOf([10], LENGTHS), { zoom: 1e9, x: 0, y: 0 });
    expect(cellBox(view, { row: 0, column: 4 }).width).toBeGreaterThanOrEqual(CHUNK_SCALE.max * 0.99);
    const shown = cellBox(reveal(view, { row: 0, column: 6 }), { row: 0, column: 6 });
    expect(shown.x).toBeGreaterThanOrEqual(-1e-6);
    expect(shown.x + shown.width).toBeLessThanOrEqual(500 + 1e-6);
    // A cell larger than the area is shown from its beginning.
    expect(cellBox(reveal(view, { row: 0, column: 5 }), { row: 0, column: 5 }).x).toBeCloseTo(0, 6);
  });
});
