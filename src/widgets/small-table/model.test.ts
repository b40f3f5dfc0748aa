import { constructTable } from "@tanstack/react-table";
import { storeReactivityBindings } from "@tanstack/table-core/store-reactivity-bindings";
import { describe, expect, it } from "vitest";
import { moveColumn } from "../data-grid/columns.ts";
import { columnDef, type SmallColumn, SORTED_FEATURES, tableText } from "./model.ts";

interface File {
  readonly name: string;
  readonly bytes?: number;
}

const COLUMNS: readonly SmallColumn<File>[] = [
  { id: "name", header: "File", names: true, value: ({ name }) => name },
  { id: "bytes", header: "Bytes", numeric: true, value: ({ bytes }) => bytes },
  { id: "open", header: "Open", unseen: true, cell: () => "Open" },
];

const FILES: readonly File[] = [
  { name: "b10.nc", bytes: 900 },
  { name: "b9.nc", bytes: Number.NaN },
  { name: "a.nc" },
  { name: "", bytes: 10_000 },
  { name: "c.nc", bytes: 20 },
];

const FEATURES = Object.assign({ coreReactivityFeature: storeReactivityBindings() }, SORTED_FEATURES);

const modelOf = (files: readonly File[] = FILES) =>
  constructTable({
    features: FEATURES,
    columns: COLUMNS.map(columnDef<File>),
    data: files,
  });

const sortedBy = (id: string, desc: boolean, member: keyof File) => {
  const table = modelOf();
  table.setSorting([{ id, desc }]);
  return table.getRowModel().rows.map(({ original }) => original[member]);
};

describe("the model of a small table", () => {
  it("keeps the first order until it is sorted, and comes back to it", () => {
    const table = modelOf();
    const names = () => table.getRowModel().rows.map(({ original }) => original.name);
    const first = names();
    expect(first).toEqual(FILES.map(({ name }) => name));
    table.getColumn("name")?.toggleSorting();
    expect(names()).not.toEqual(first);
    table.getColumn("name")?.toggleSorting();
    table.getColumn("name")?.toggleSorting();
    expect(names()).toEqual(first);
  });

  it("sorts numbers by size, largest first at the first press, and what is not known last in both orders", () => {
    expect(modelOf().getColumn("bytes")?.getFirstSortDir()).toBe("desc");
    expect(sortedBy("bytes", false, "name")).toEqual(["c.nc", "b10.nc", "", "b9.nc", "a.nc"]);
    expect(sortedBy("bytes", true, "name")).toEqual(["", "b10.nc", "c.nc", "b9.nc", "a.nc"]);
  });

  it("sorts texts with numbers in them as people count, and empty ones last in both orders", () => {
    expect(sortedBy("name", false, "name")).toEqual(["a.nc", "b9.nc", "b10.nc", "c.nc", ""]);
    expect(sortedBy("name", true, "name")).toEqual(["c.nc", "b10.nc", "b9.nc", "a.nc", ""]);
  });

  it("sorts and copies only columns with a value", () => {
    const table = modelOf();
    expect(table.getAllLeafColumns().map((column) => column.getCanSort())).toEqual([true, true, false]);
    expect(tableText(table).split("\n")[0]).toBe("File\tBytes");
  });

  it("copies rows and columns as they are ordered and shown, with exact numbers", () => {
    const table = modelOf(FILES.slice(0, 3));
    table.setColumnOrder(["bytes", "name", "open"]);
    table.setSorting([{ id: "name", desc: false }]);
    expect(tableText(table)).toBe("Bytes\tFile\n\ta.nc\n\tb9.nc\n900\tb10.nc\n");
    table.getColumn("bytes")?.toggleVisibility(false);
    expect(tableText(table)).toBe("File\na.nc\nb9.nc\nb10.nc\n");
  });

  it("quotes tabs, lines and quotes, and lets no text become a formula", () => {
    const names = ["a\tb", "a\nb", 'a "b"', "=1+1", "-5", "a,b"];
    expect(tableText(modelOf(names.map((name) => ({ name })))).slice("File\tBytes\n".length)).toBe(
      ['"a\tb"\t', '"a\nb"\t', '"a ""b"""\t', "'=1+1\t", "-5\t", "a,b\t", ""].join("\n"),
    );
  });

  it("moves a column to where another is", () => {
    const moved = (id: string, to: string) => {
      let order: readonly string[] = [];
      const all = ["a", "b", "c"].map((one) => ({ id: one }));
      moveColumn({ getAllLeafColumns: () => all, setColumnOrder: (ids) => void (order = ids) }, id, to);
      return order;
    };
    expect(moved("b", "a")).toEqual(["b", "a", "c"]);
    expect(moved("b", "c")).toEqual(["a", "c", "b"]);
    expect(moved("a", "a")).toEqual(["a", "b", "c"]);
  });
});
