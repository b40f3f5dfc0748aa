import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { columnSpan, gridTemplate } from "./columns.ts";
import { splitTarget } from "./CutText.tsx";
import { clampCursor, movedCursor, selectedRows } from "./DataGrid.tsx";

describe("the cell cursor", () => {
  const size = { rows: 100, columns: 8, rowsPerPage: 10 };
  const press = (key: string, held: { ctrl?: boolean; shift?: boolean } = {}) => ({
    key,
    ctrl: held.ctrl ?? false,
    shift: held.shift ?? false,
  });

  it.each([
    [{ row: 5, column: 3 }, press("ArrowDown"), { row: 6, column: 3 }],
    [{ row: 0, column: 3 }, press("ArrowUp"), { row: -1, column: 3 }],
    [{ row: 99, column: 3 }, press("ArrowDown"), { row: 99, column: 3 }],
    [{ row: 5, column: 7 }, press("ArrowRight"), { row: 5, column: 7 }],
    [{ row: 5, column: 3 }, press("Home"), { row: 5, column: 0 }],
    [{ row: 5, column: 3 }, press("End", { ctrl: true }), { row: 99, column: 7 }],
    [{ row: 5, column: 3 }, press("Home", { ctrl: true }), { row: 0, column: 0 }],
    [{ row: 5, column: 3 }, press("PageDown"), { row: 15, column: 3 }],
    [{ row: 5, column: 3 }, press("PageUp"), { row: 0, column: 3 }],
  ])("moves from %j by %j to %j", (from, key, to) => {
    expect(movedCursor({ ...from, anchor: from.row }, key, size)).toMatchObject(to);
  });

  it("stays inside the grid whatever is pressed", () => {
    const keys = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "End", "PageUp", "PageDown"];
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom(...keys), fc.boolean(), fc.boolean()), { maxLength: 60 }),
        fc.integer({ min: 0, max: 30 }),
        (presses, rows) => {
          const small = { rows, columns: 3, rowsPerPage: 7 };
          let cursor = clampCursor({ row: 0, column: 0, anchor: 0 }, small);
          for (const [key, ctrl, shift] of presses) cursor = movedCursor(cursor, { key, ctrl, shift }, small) ?? cursor;
          return cursor.row >= -1 && cursor.row < Math.max(rows, 0.5) && cursor.column >= 0 && cursor.column < 3;
        },
      ),
    );
  });

  it("selects rows with Shift from where it began, in both directions", () => {
    let cursor = { row: 5, column: 0, anchor: 5 };
    cursor = movedCursor(cursor, press("ArrowUp", { shift: true }), size) ?? cursor;
    cursor = movedCursor(cursor, press("ArrowUp", { shift: true }), size) ?? cursor;
    expect(selectedRows(cursor)).toEqual({ from: 3, to: 5 });
    cursor = movedCursor(cursor, press("ArrowDown"), size) ?? cursor;
    expect(selectedRows(cursor)).toEqual({ from: 4, to: 4 });
  });

  it("does not answer to other keys", () => {
    expect(movedCursor({ row: 0, column: 0, anchor: 0 }, press("a"), size)).toBeUndefined();
  });

  it("moves among rows alone where there are no columns to go to", () => {
    const rows = { rows: 100, columns: 0, rowsPerPage: 10 };
    const to = (row: number, key: string) => movedCursor({ row, column: 0, anchor: row }, press(key), rows)?.row;
    expect([to(0, "ArrowUp"), to(5, "Home"), to(5, "End"), to(3, "PageUp")]).toEqual([0, 0, 99, 0]);
    expect([to(5, "ArrowLeft"), to(5, "ArrowRight")]).toEqual([undefined, undefined]);
  });
});

describe("the columns", () => {
  it("leave what is left of the width to those that grow, or else to none", () => {
    expect(gridTemplate([{ width: 100 }, { width: 180, grow: 1 }])).toBe("100px minmax(180px, 1fr)");
    expect(gridTemplate([{ width: 100 }, { width: 180 }])).toBe("100px 180px minmax(0, 1fr)");
  });

  it("are brought into sight beside the first, which sticks", () => {
    const columns = [{ width: 100 }, { width: 50 }, { width: 70 }];
    expect(columnSpan(columns, 2)).toEqual({ left: 150, right: 220, sticking: 100 });
    expect(columnSpan(columns, 0)).toEqual({ left: 100, right: 100, sticking: 100 });
  });

  it("cuts targets without losing a character", () => {
    fc.assert(
      fc.property(fc.webUrl(), (url) => {
        const { head, tail } = splitTarget(url);
        return head + tail === url && tail.length <= 36;
      }),
    );
    expect(splitTarget("s3://bucket/year=2020/file.nc").tail).toBe("/file.nc");
    expect(splitTarget("data:;base64,AA/AA")).toEqual({ head: "data:;base64,AA/AA", tail: "" });
  });
});
