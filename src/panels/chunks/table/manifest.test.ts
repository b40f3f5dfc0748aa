import { describe, expect, it } from "vitest";
import type { NodeSummary, ViewRow } from "#core/open-set.ts";
import { gridTemplate } from "#widgets/data-grid/columns.ts";
import { gridOf } from "#widgets/data-grid/fixtures/grid-of.ts";
import { COLUMNS, rowsAsText, shownSorting, sortOf } from "./manifest-columns.tsx";
import {
  NO_FILTER,
  filterOf,
  isFiltering,
  parseCoordinateRange,
  parseLengthRange,
  toggled,
  parseBytes,
} from "./filter-draft.ts";
import { chunkWish, isPlace, keyExtent, whyNoRow } from "./KeyOrPlace.tsx";

describe("sizes", () => {
  it.each([
    ["6851", 6851],
    ["6,851", 6851],
    ["6,851 B", 6851],
    ["12 bytes", 12],
    ["10 kB", 10_000],
    ["10kb", 10_000],
    ["10k", 10_000],
    ["4MiB", 4 * 1024 ** 2],
    ["4 Mi", 4 * 1024 ** 2],
    ["1.5 GB", 1_500_000_000],
    ["1e6", 1_000_000],
    [" 0 ", 0],
  ])("reads %s", (text, bytes) => {
    expect(parseBytes(text)).toBe(bytes);
  });

  it.each(["", "abc", "-1", "1 2", "10 xB", "1,5", "iB", "99999 PB", "1..2"])("refuses “%s”", (text) => {
    expect(parseBytes(text)).toBeUndefined();
  });
});

describe("the filter", () => {
  it("asks nothing when nothing is typed", () => {
    expect(filterOf(NO_FILTER, [3, 4])).toEqual({});
    expect(isFiltering(NO_FILTER)).toBe(false);
  });

  it("leaves out a range that it cannot understand, and says so", () => {
    const draft = { ...NO_FILTER, length: { from: "ten", to: "" } };
    expect(filterOf(draft, undefined)).toEqual({});
    expect(parseLengthRange(draft.length).problem).toContain("ten");
    expect(isFiltering(draft)).toBe(true);
    expect(parseCoordinateRange({ from: "3", to: "1" }).problem).toContain("exceeds");
  });

  it("opens a blank end of a coordinate range to the end of the grid", () => {
    const coordinates = new Map([
      [1, { from: "2", to: "" }],
      [0, { from: "", to: "1" }],
      [7, { from: "1", to: "1" }],
    ]);
    expect(filterOf({ ...NO_FILTER, coordinates }, [3, 4]).coordinates).toEqual([
      { dimension: 1, from: 2, to: 3 },
      { dimension: 0, from: 0, to: 1 },
    ]);
    expect(filterOf({ ...NO_FILTER, coordinates }, undefined)).toEqual({});
  });

  it("toggles", () => {
    expect(toggled(["range"], "bad")).toEqual(["range", "bad"]);
    expect(toggled(["range", "bad"], "range")).toEqual(["bad"]);
  });
});

describe("sorting", () => {
  const by = (id: string, desc = false) => [{ id, desc }];

  it("knows that an array's rows are in key order to begin with, and a group's are not", () => {
    expect(shownSorting([], true)).toEqual(by("key"));
    expect(shownSorting([], false)).toEqual([]);
    expect(shownSorting(by("length", true), true)).toEqual(by("length", true));
  });

  it("asks the engine only for another order than the natural one", () => {
    expect([sortOf([], true), sortOf(by("key"), true), sortOf([], false)]).toEqual([undefined, undefined, undefined]);
    expect(sortOf(by("key"), false)).toEqual({ column: "key", descending: false });
    expect(sortOf(by("length", true), true)).toEqual({ column: "length", descending: true });
  });

  it("by coordinates is by key, for the engine", () => {
    expect(sortOf(by("coordinates"), true)).toEqual({ column: "key", descending: false });
  });
});

describe("going to a chunk", () => {
  const nodes: NodeSummary[] = [
    { kind: "group", path: "", name: "/" },
    { kind: "array", path: "sst", name: "sst", grid: [6, 3, 3] },
    { kind: "array", path: "g/u", name: "u", grid: [2, 2] },
    { kind: "array", path: "n", name: "n", grid: [] },
  ];

  it.each([
    ["sst", "sst/2.0.1", { kind: "key", key: "sst/2.0.1" }],
    ["sst", " 2.0.1 ", { kind: "key", key: "sst/2.0.1" }],
    ["sst", "2/0/1", { kind: "key", key: "sst/2.0.1" }],
    ["sst", "c/2/0/1", { kind: "key", key: "sst/2.0.1" }],
    ["g/u", "g/u/c/0/1", { kind: "key", key: "g/u/0.1" }],
    ["sst", "2, 0, 1", { kind: "key", key: "sst/2.0.1" }],
    ["sst", "9.9.9", { kind: "key", key: "sst/9.9.9" }],
    ["sst", "g/u/0.1", { kind: "elsewhere", array: "g/u", coordinates: [0, 1] }],
    ["", "g/u/0.1", { kind: "key", key: "g/u/0.1" }],
    ["n", "0", { kind: "key", key: "n/0" }],
    ["sst", "nonsense", { kind: "key", key: "nonsense" }],
  ])("in %s, %s means %j", (scope, typed, wish) => {
    const separator = scope === "" ? undefined : ".";
    expect(chunkWish(typed, { nodes, scope, separator })).toEqual(wish);
  });

  it("writes the key as the array does", () => {
    expect(chunkWish("2.0.1", { nodes, scope: "sst", separator: "/" })).toEqual({ kind: "key", key: "sst/2/0/1" });
    expect(keyExtent(nodes[1], ".")).toContain("sst/5.2.2");
  });

  it("says why a chunk has no row, and blames filters only where they hide it", () => {
    const no = (state: "missing" | "range", isArray: boolean, listsMissing: boolean) =>
      whyNoRow("sst/5.0", state, { isArray, listsMissing });
    expect(no("missing", true, false)).toContain("It is missing, and so has no row here.");
    expect(no("missing", true, true)).toContain("filters");
    expect(no("range", true, false)).toContain("filters");
    expect(no("missing", false, false)).toBe("");
  });

  it("tells a place from a part of a key", () => {
    const at = (scope: string) => ({ nodes, scope });
    for (const text of ["2.0.1", "sst/2.0.1", "9.9.9", "g/u/0.1"]) expect(isPlace(text, at("sst"))).toBe(true);
    for (const text of ["", "2.0", "2.0.", "sst/", "st/2.0.1", "0.1"]) expect(isPlace(text, at("sst"))).toBe(false);
    expect(isPlace("0.1", at("g/u"))).toBe(true);
    expect(isPlace("0.1", at(""))).toBe(false);
  });

  it("asks for a key when nothing is typed", () => {
    expect(chunkWish("  ", { nodes, scope: "sst", separator: "." }).kind).toBe("none");
  });
});

describe("copying and showing", () => {
  const row: ViewRow = {
    index: 0,
    key: "sst/0.0.0",
    array: "sst",
    coordinates: [0, 0, 0],
    state: "range",
    target: "a\tb.nc",
    targetId: 0,
    offset: 6192,
    length: 6200,
    end: 12_392,
    reasons: [],
    origin: { kind: "gen", gen: 0, variables: [{ name: "i", value: "2" }] },
    result: "not tried",
  };

  it("copies rows with a header, tab-separated, tabs in data undone", () => {
    const { columns } = gridOf({ columns: COLUMNS });
    const shown = columns.filter(({ id }) => id !== "coordinates");
    const text = rowsAsText([{ ...row, result: "ok" }], shown);
    expect(text.split("\n")).toEqual([
      "Key\tState\tSource\tOffset\tLength\tEnd\tFrom\tRead",
      "sst/0.0.0\trange\ta b.nc\t6192\t6200\t12392\tgen[0] · i=2\tok",
    ]);
  });

  it("gives the target the rest of the width until it is sized by hand", () => {
    const growing = (columnSizing: Record<string, number>, hidden: readonly string[] = []) =>
      gridTemplate(gridOf({ columns: COLUMNS, columnSizing, hidden }).table).match(/[\d.]+fr/g);
    expect(growing({})).toEqual(["1fr", "0.5fr"]);
    expect(growing({ read: 120 })).toEqual(["1fr"]);
    // Nothing but the empty last track.
    expect(growing({ target: 180 })).toEqual(["1fr"]);
    expect(growing({}, ["target"])).toEqual(["1fr"]);
  });
});
