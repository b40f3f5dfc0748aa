import type { SortingState } from "@tanstack/react-table";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fittingColumns, type GridColumn, gridTemplate, moveColumn } from "./columns.ts";
import { splitTarget } from "./CutText.tsx";
import { clampCursor, movedCursor, selectedRows } from "./DataGrid.tsx";
import { gridOf } from "./fixtures/grid-of.ts";
import type { GridLayout } from "./GridTable.tsx";

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
  interface Row {
    readonly a: number;
  }
  const columns: readonly GridColumn<Row>[] = [
    { id: "a", header: "A", size: 100, enableHiding: false, enableSorting: true, accessorFn: ({ a }) => a },
    { id: "b", header: "B", size: 180, meta: { grow: 1, rank: 1 } },
    { id: "c", header: "C", size: 70, enableSorting: true, sortDescFirst: true, accessorFn: () => undefined },
  ];
  const idsOf = (all: readonly { readonly id: string }[]) => all.map(({ id }) => id).join("");

  it("leave what is left of the width to those that grow, or else to none", () => {
    const template = (columnSizing: Record<string, number>) => gridTemplate(gridOf({ columns, columnSizing }).table);
    expect(template({})).toBe("100px minmax(180px, 1fr) 70px");
    expect(template({ b: 200 })).toBe("100px 200px 70px minmax(0, 1fr)");
    // Whatever was kept or dragged, a column stays visible and of a width that can be drawn.
    expect(template({ a: -5, c: 1e300 })).toBe("56px minmax(180px, 1fr) 2000px");
  });

  it("sort if they have an accessor and say so, in the direction that they say", () => {
    let sorting: SortingState = [];
    const press = (id: string, unsorts: boolean) => {
      const { table } = gridOf({ columns, sorting, unsorts, onSorting: (next) => (sorting = next) });
      const column = table.getColumn(id);
      if (column?.getCanSort() === true) column.toggleSorting();
      return sorting.map((one) => `${one.id} ${one.desc ? "desc" : "asc"}`).join();
    };
    expect([press("a", true), press("a", true), press("a", true)]).toEqual(["a asc", "a desc", ""]);
    expect([press("c", false), press("c", false), press("c", false)]).toEqual(["c desc", "c asc", "c desc"]);
    expect(press("b", false)).toBe("c desc");
  });

  it("move to the place of another, past those that are hidden", () => {
    const moved = (id: string, to: string) => {
      let layout: GridLayout | undefined;
      const grid = gridOf({ columns, hidden: ["b"], onLayout: (next) => (layout = next) });
      moveColumn(grid.table, id, to);
      return layout?.columnOrder.join("");
    };
    expect([moved("a", "c"), moved("c", "a"), moved("b", "a")]).toEqual(["bca", "cab", "bac"]);
    const grid = gridOf({ columns, columnOrder: ["c", "gone", "a"] });
    expect(idsOf(grid.table.getVisibleLeafColumns())).toBe("cab");
  });

  it("give way by rank, and are still chosen", () => {
    expect(
      idsOf(
        fittingColumns(
          [
            { id: "a", size: 100 },
            { id: "b", size: 180, rank: 1 },
          ],
          200,
        ),
      ),
    ).toBe("a");
    const grid = gridOf({ columns, hidden: ["c"] });
    expect([idsOf(grid.chosen), idsOf(grid.left)]).toEqual(["ab", ""]);
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
