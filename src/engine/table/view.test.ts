import { runs } from "#core/testing/runs.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Facets, SortColumn, ViewFilter, ViewSpec } from "#core/open-set.ts";
import { ARRAY_NONE } from "#core/table/reference-table.ts";
import { ordinalOf } from "#core/metadata/chunk-grid.ts";
import { STATES, STATES_IN_ORDER, type KeptReading, type ReadingResult } from "#core/table/reference.ts";
import { tableBuilder } from "#core/table/table-builder.ts";
import { findKey } from "./operations.ts";
import { CONTEXT, LISTED_CELLS, plainSets, scopeRows, tableOf, TARGETS } from "../fixtures/plain-table.ts";
import type { PlainRow } from "../fixtures/plain-table.ts";
import { compareNatural, comparePaths } from "./natural-order.ts";
import type { ReadingResults } from "./read-entries.ts";
import { rowsOf } from "./rows.ts";
import { indexTable } from "./table-index.ts";
import { openView, type View } from "./view.ts";
import { finding, nodeAt, WHOLE_SET } from "#core/findings/finding.ts";

const NEGATIVE = finding("reference-offset-negative", WHOLE_SET, { written: "-1" });

// Groups more often than single arrays: they are the ones with a choice of rows.
// oxfmt-ignore
const SCOPES = [
  "", "", "", "a2", "a2", "a2", "a", "a2", "a2/b", "a10", "a10/b", "a2/unknown", "a2/empty", "a2/1.2", "huge", "wide", "a2/__proto__", "nowhere"];

const someFilters: fc.Arbitrary<ViewFilter> = fc.record(
  {
    results: fc.subarray<ReadingResult>(["ok", "failed", "not tried"]),
    states: fc.subarray([...STATES]),
    targets: fc.subarray([0, 1, 2, 3, 4, 99]),
    targetText: fc.constantFrom("s3", "b/", ".nc", "é", "nothing", ""),
    keyText: fc.constantFrom(
      "",
      "a",
      "2",
      "1.2",
      "1/2",
      ".",
      "/",
      "b/1",
      "0",
      "2/1.2/1",
      "a2/",
      "unknown",
      "x-",
      "12",
      "2/b/10/1/2",
      "70",
      "__",
      "1.",
      ".1",
      "/0/",
    ),
    length: fc.record(
      { from: fc.constantFrom(0, 1, 500, 2 ** 32), to: fc.constantFrom(0, 2, 70_000, 2 ** 33) },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
);

// Several conditions at once leave few rows: mostly none, or one with many rows left.
const filters = fc.oneof(
  fc.constant<ViewFilter>({}),
  someFilters.map((filter): ViewFilter => ({ ...filter, textAs: "key" })),
  fc.record<ViewFilter>({ states: fc.constant(["range", "virtual", "whole", "bad"] as const) }),
);

const sorts = fc.option(
  fc.record({
    column: fc.constantFrom<SortColumn>("key", "state", "target", "offset", "length", "end"),
    descending: fc.boolean(),
  }),
  { nil: undefined },
);

type Ignored = "states" | "targets" | "results" | undefined;

/** Every third chunk was read, every second of these failed; strays are no chunks, and have none. */
function resultOf({ coordinates }: PlainRow): ReadingResult | undefined {
  if (coordinates === undefined) return undefined;
  const sum = coordinates.reduce((all, at, dimension) => all + at * (dimension + 1), coordinates.length);
  if (coordinates.length === 0 || sum % 3 !== 0) return "not tried";
  return sum % 2 === 0 ? "ok" : "failed";
}

/** Results for all chunks, whether they have rows or not. */
function readingsOf(set: Parameters<typeof tableOf>[0]): ReadingResults {
  const rows = set.arrays.flatMap(({ path }) => scopeRows(set, path).map((row) => ({ ...row, path })));
  const results = new Map<string, Map<number, KeptReading>>();
  for (const row of rows) {
    const result = resultOf(row);
    const grid = set.arrays.find(({ path }) => path === row.path)?.grid;
    const ordinal = grid === undefined || row.coordinates === undefined ? undefined : ordinalOf(grid, row.coordinates);
    if (ordinal === undefined || result === undefined || result === "not tried") continue;
    const known = results.get(row.path) ?? new Map<number, KeptReading>();
    results.set(row.path, known.set(ordinal, { result }));
  }
  return results;
}

function passes(row: PlainRow, filter: ViewFilter, ignore: Ignored): boolean {
  const {
    results = [],
    states = [],
    targets = [],
    targetText = "",
    keyText = "",
    coordinates = [],
    length = {},
  } = filter;
  const result = resultOf(row);
  if (ignore !== "results" && results.length > 0 && (result === undefined || !results.includes(result))) return false;
  if (ignore !== "states" && states.length > 0 && !states.includes(row.state)) return false;
  if (ignore !== "targets" && targets.length > 0 && !targets.includes(row.targetId ?? -1)) return false;
  if (targetText !== "" && row.target?.includes(targetText) !== true) return false;
  if (!row.key.includes(keyText)) return false;
  for (const { dimension, from, to } of coordinates) {
    const at = row.coordinates?.[dimension];
    if (at === undefined || at < from || at > to) return false;
  }
  if (length.from === undefined && length.to === undefined) return true;
  return row.length !== undefined && row.length >= (length.from ?? 0) && row.length <= (length.to ?? Infinity);
}

function compareRows(a: PlainRow, b: PlainRow, column: SortColumn, descending: boolean): number {
  const sign = descending ? -1 : 1;
  const valueOf = (row: PlainRow): number | string | null | undefined => {
    if (column === "state") return STATES_IN_ORDER.indexOf(row.state);
    return column === "key" ? 0 : row[column];
  };
  const [left, right] = [valueOf(a) ?? undefined, valueOf(b) ?? undefined];
  if (left === undefined || right === undefined) return Number(left === undefined) - Number(right === undefined);
  if (column === "key") return sign * compareKeys(a, b);
  return left < right ? -sign : left > right ? sign : 0;
}

function compareKeys(a: PlainRow, b: PlainRow): number {
  if (a.array !== b.array) {
    if (a.array === undefined || b.array === undefined) return a.array === undefined ? 1 : -1;
    return comparePaths(a.array, b.array);
  }
  if (a.coordinates === undefined || b.coordinates === undefined) {
    if (a.coordinates !== b.coordinates) return a.coordinates === undefined ? 1 : -1;
    return compareNatural(a.key, b.key);
  }
  const differing = a.coordinates.findIndex((at, dimension) => at !== b.coordinates?.[dimension]);
  return differing < 0 ? 0 : (a.coordinates[differing] ?? 0) - (b.coordinates[differing] ?? 0);
}

function expectedFacets(rows: readonly PlainRow[], filter: ViewFilter): Facets {
  const states = Object.fromEntries(STATES.map((state) => [state, 0])) as Record<(typeof STATES)[number], number>;
  for (const row of rows) if (passes(row, filter, "states")) states[row.state] += 1;
  const targets = TARGETS.map((url, id) => {
    const pointing = rows.filter((row) => row.targetId === id && passes(row, filter, "targets"));
    return { id, url, references: pointing.length, bytes: pointing.reduce((sum, row) => sum + (row.length ?? 0), 0) };
  }).filter(({ references }) => references > 0);
  const results = { ok: 0, failed: 0, "not tried": 0 };
  for (const row of rows) {
    const result = resultOf(row);
    if (result !== undefined && passes(row, filter, "results")) results[result] += 1;
  }
  return { states, results, targets: targets.sort((a, b) => b.references - a.references), targetCount: targets.length };
}

function plainRows(view: View): readonly PlainRow[] {
  return rowsOf(view, 0, Infinity, new Map()).map(({ index: _i, reasons: _r, result: _t, ...row }) => row);
}

interface Asked {
  readonly filter: ViewFilter;
  readonly sort: ViewSpec["sort"];
}

async function checkView(
  set: Parameters<typeof tableOf>[0],
  spec: ViewSpec,
  index = indexTable(tableOf(set)),
): Promise<void> {
  const view = await openView(index, spec, CONTEXT, { results: readingsOf(set), version: 1 });
  const all = scopeRows(set, spec.scope);
  const passing = all.filter((row) => passes(row, spec.filter, undefined));
  const { sort } = spec;
  const expected =
    sort === undefined ? passing : passing.toSorted((a, b) => compareRows(a, b, sort.column, sort.descending));
  expect(plainRows(view)).toEqual(expected);
  expect(view.info.rows).toBe(expected.length);
  expect(view.info.total).toBe(all.length);
  const facets = expectedFacets(all, spec.filter);
  const missing = facets.states.missing + unlisted(set, spec, all);
  expect(view.info.facets).toEqual({ ...facets, states: { ...facets.states, missing } });
}

/** Missing cells of a grid too large to list them: counted while only states are filtered. */
function unlisted(set: Parameters<typeof tableOf>[0], { scope, filter }: ViewSpec, all: readonly PlainRow[]): number {
  const cells = (set.arrays.find(({ path }) => path === scope)?.grid ?? []).reduce((product, n) => product * n, 1);
  const others = Object.entries(filter).some(([name, value]) => name !== "states" && value !== undefined);
  if (cells <= 50_000_000 || others) return 0;
  return cells - all.filter((row) => row.coordinates !== undefined).length;
}

describe("openView, against plain objects", () => {
  it("filters, sorts and counts as the specification says", async () => {
    await fc.assert(
      fc.asyncProperty(plainSets, fc.constantFrom(...SCOPES), filters, sorts, async (set, scope, filter, sort) => {
        await checkView(set, { scope, filter, ...(sort === undefined ? {} : { sort }) });
      }),
      { numRuns: runs(1500) },
    );
  });

  it("sorts one table again and again: other filters, other columns, the other way round", async () => {
    const spec = fc.record({ filter: filters, sort: sorts });
    const scopes = fc.constantFrom("", "a2", "a", "huge", "wide");
    const property = async (set: Parameters<typeof tableOf>[0], scope: string, specs: readonly Asked[]) => {
      const index = indexTable(tableOf(set));
      for (const { filter, sort } of specs) {
        for (const descending of [false, true]) {
          await checkView(set, { scope, filter: {}, ...(sort && { sort: { ...sort, descending } }) }, index);
          await checkView(set, { scope, filter, ...(sort && { sort: { ...sort, descending } }) }, index);
        }
      }
    };
    await fc.assert(fc.asyncProperty(plainSets, scopes, fc.array(spec, { minLength: 1, maxLength: 3 }), property), {
      numRuns: runs(200),
    });
  });

  it("filters an array's cells by coordinates", async () => {
    const range = fc.record({ dimension: fc.nat(1), from: fc.nat(4), to: fc.nat(4) });
    const ranges = fc.array(range, { minLength: 1, maxLength: 3 });
    const scopes = fc.constantFrom("a", "a2/1.2", "huge", "wide", "a2/empty", "a2/unknown");
    await fc.assert(
      fc.asyncProperty(plainSets, scopes, ranges, filters, async (set, scope, coordinates, filter) => {
        fc.pre(set.arrays.some(({ path }) => path === scope));
        await checkView(set, { scope, filter: { ...filter, coordinates } });
      }),
      { numRuns: runs(300) },
    );
  });

  it("finds every key of the scope, and only those", async () => {
    const property = async (set: Parameters<typeof tableOf>[0], scope: string, spec: Omit<ViewSpec, "scope">) => {
      const index = indexTable(tableOf(set));
      const view = await openView(index, { scope, ...spec }, CONTEXT);
      const listed = new Map(plainRows(view).map((row, at) => [row.key, at]));
      for (const row of scopeRows(set, scope)) {
        const found = await findKey(view, row.key, new Map(), CONTEXT);
        expect(found.index).toBe(listed.get(row.key) ?? -1);
        expect(found.row).toMatchObject({ key: row.key, state: row.state, index: found.index });
      }
      for (const key of ["a/99.0", "a/0", "a/00.1", "a2/b/.zarray", "", "/", "none"]) {
        expect(await findKey(view, key, new Map(), CONTEXT)).toEqual({ index: undefined, row: undefined });
      }
    };
    const specs = fc
      .record({ filter: filters, sort: sorts })
      .map(({ filter, sort }) => (sort ? { filter, sort } : { filter }));
    await fc.assert(fc.asyncProperty(plainSets, fc.constantFrom(...SCOPES), specs, property), { numRuns: runs(300) });
  });
});

describe("openView", () => {
  it("holds no list where nothing is filtered or sorted", async () => {
    const table = tableOf({ arrays: [{ path: "a", grid: [2], separator: "." }], references: [] });
    const index = indexTable(table);
    expect((await openView(index, { scope: "a", filter: {} }, CONTEXT)).list).toBeUndefined();
    expect((await openView(index, { scope: "", filter: { keyText: "" } }, CONTEXT)).list).toBeUndefined();
  });

  it("follows the meaning of a text that has rows, or the one that was chosen", async () => {
    const builder = tableBuilder();
    const array = builder.addArray("a", [30], ".");
    const [july, august] = ["sst_195107.nc", "sst_195108.nc"].map((name) => builder.addTarget(`s3://b/${name}`));
    for (let ordinal = 0; ordinal < 30; ordinal += 1) {
      builder.addRange(array, ordinal, ordinal < 20 ? july! : august!, 0, 9);
    }
    const index = indexTable(builder.build());
    const rows = async (filter: ViewFilter) => (await openView(index, { scope: "a", filter }, CONTEXT)).info.rows;
    expect(await rows({ keyText: "195107" })).toBe(20);
    expect(await rows({ keyText: "195107", textAs: "key" })).toBe(0);
    expect(await rows({ keyText: "1" })).toBe(12);
    expect(await rows({ keyText: "1", textAs: "file" })).toBe(30);
    expect(await rows({ keyText: "x" })).toBe(0);
  });

  it("lists missing chunks of a grid up to 50 million cells and says where it does not", async () => {
    const builder = tableBuilder();
    builder.addArray("listed", [1000, 1000], ".");
    builder.addArray("huge", [LISTED_CELLS + 1], ".");
    builder.addArray("unknown", undefined, ".");
    builder.addWhole(1, LISTED_CELLS, null);
    const index = indexTable(builder.build());
    const infoOf = async (scope: string) => (await openView(index, { scope, filter: {} }, CONTEXT)).info;
    expect(await infoOf("listed")).toMatchObject({ rows: 1_000_000, listsMissing: true });
    expect(await infoOf("huge")).toMatchObject({ rows: 1, listsMissing: false });
    expect(await infoOf("unknown")).toMatchObject({ rows: 0, listsMissing: false });
  });

  it("says why coordinates cannot be filtered", async () => {
    const index = indexTable(tableOf({ arrays: [{ path: "g/a", grid: [2], separator: "." }], references: [] }));
    const open = (scope: string, dimension: number) =>
      openView(index, { scope, filter: { coordinates: [{ dimension, from: 0, to: 1 }] } }, CONTEXT);
    await expect(open("g", 0)).rejects.toMatchObject({
      finding: { code: "coordinates-need-an-array", place: nodeAt("g") },
    });
    await expect(open("g/a", 1)).rejects.toMatchObject({
      finding: { code: "dimension-unknown", place: nodeAt("g/a"), facts: { dimension: 1, dimensions: 1 } },
    });
    expect((await open("g/a", 0)).info.rows).toBe(2);
  });

  it("does not sort by more targets than can be held in memory", async () => {
    const table = tableOf({ arrays: [{ path: "a", grid: [2], separator: "." }], references: [] });
    const targets = { ...table.targets, count: 4_000_001 };
    const view = openView(
      indexTable({ ...table, targets }),
      { scope: "", filter: {}, sort: { column: "target", descending: false } },
      CONTEXT,
    );
    const facts = { targets: 4_000_001, limit: 4_000_000 };
    await expect(view).rejects.toMatchObject({ finding: { code: "too-many-targets", place: WHOLE_SET, facts } });
  });

  it("names at most 200 targets and counts all of them", async () => {
    const builder = tableBuilder();
    const array = builder.addArray("a", [100_000], ".");
    let ordinal = 0;
    for (let target = 0; target < 300; target += 1) {
      const id = builder.addTarget(`file${target}`);
      for (let n = 0; n < (target * 11) % 301; n += 1) builder.addRange(array, ordinal++, id, 0, 10);
    }
    const { facets } = (await openView(indexTable(builder.build()), { scope: "", filter: {} }, CONTEXT)).info;
    expect(facets.targetCount).toBe(299);
    expect(facets.targets).toHaveLength(200);
    const counts = Array.from({ length: 300 }, (_, id) => (id * 11) % 301)
      .sort((a, b) => b - a)
      .slice(0, 200);
    expect(facets.targets.map(({ references }) => references)).toEqual(counts);
    expect(facets.targets.every(({ id, references }) => references === (id * 11) % 301)).toBe(true);
  });

  it("sorts keys by array and coordinates as numbers, strays behind their array's chunks", async () => {
    const builder = tableBuilder();
    for (const path of ["t10", "t2"]) builder.addArray(path, [20, 2], ".");
    builder.markStray(builder.addWhole(1, 0, null), "t2/x10", "not-a-chunk-key");
    builder.markStray(builder.addWhole(ARRAY_NONE, 0, null), "a/0", "no-array");
    for (const ordinal of [20, 39, 4]) for (const array of [0, 1]) builder.addWhole(array, ordinal, null);
    builder.markStray(builder.addWhole(1, 0, null), "t2/x9", "not-a-chunk-key");
    const keysOf = async (descending: boolean) => {
      const spec = { scope: "", filter: {}, sort: { column: "key" as const, descending } };
      return plainRows(await openView(indexTable(builder.build()), spec, CONTEXT)).map(({ key }) => key);
    };
    const inOrder = ["t2/2.0", "t2/10.0", "t2/19.1", "t2/x9", "t2/x10", "t10/2.0", "t10/10.0", "t10/19.1", "a/0"];
    expect(await keysOf(false)).toEqual(inOrder);
    expect(await keysOf(true)).toEqual(inOrder.toReversed());
  });

  it("stops when aborted", async () => {
    const controller = new AbortController();
    controller.abort();
    const index = indexTable(tableOf({ arrays: [{ path: "a", grid: [2], separator: "." }], references: [] }));
    const opening = openView(index, { scope: "a", filter: {} }, { ...CONTEXT, signal: controller.signal });
    await expect(opening).rejects.toMatchObject({ name: "AbortError" });
    expect((await openView(index, { scope: "a", filter: {} }, CONTEXT)).info.rows).toBe(2);
  });
});

describe("what reading gave", () => {
  it("is filtered by, also after more was read", async () => {
    const builder = tableBuilder();
    const array = builder.addArray("a", [4], ".");
    for (let ordinal = 0; ordinal < 4; ordinal += 1) builder.addWhole(array, ordinal, null);
    const index = indexTable(builder.build());
    const known = new Map<number, KeptReading>([[2, { result: "failed" }]]);
    const ask = async (version: number, ...results: ReadingResult[]) => {
      const view = await openView(index, { scope: "a", filter: { results } }, CONTEXT, {
        results: new Map([["a", known]]),
        version,
      });
      return [plainRows(view).map(({ key }) => key), view.info.facets.results] as const;
    };
    expect(await ask(1, "failed")).toEqual([["a/2"], { ok: 0, failed: 1, "not tried": 3 }]);
    known.set(0, { result: "ok" });
    expect(await ask(2, "failed")).toEqual([["a/2"], { ok: 1, failed: 1, "not tried": 2 }]);
    expect((await ask(2, "ok", "not tried"))[0]).toEqual(["a/0", "a/1", "a/3"]);
  });
});

describe("rowsOf", () => {
  it("says why a row is bad or a stray, and what reading gave", async () => {
    const builder = tableBuilder();
    const array = builder.addArray("a", [2, 2], ".");
    builder.addBad(array, 1, { reason: NEGATIVE, written: '["x",-1,2]' });
    builder.markStray(builder.addWhole(array, 0, null), "a/5.5", "outside-grid");
    const view = await openView(indexTable(builder.build()), { scope: "a", filter: {} }, CONTEXT);
    const rows = rowsOf(view, 1, 99, new Map([["a", new Map([[3, { result: "failed" as const }]])]]));
    expect(rows.map(({ index, key, state, result }) => [index, key, state, result])).toEqual([
      [1, "a/0.1", "bad", "not tried"],
      [2, "a/1.0", "missing", "not tried"],
      [3, "a/1.1", "missing", "failed"],
      [4, "a/5.5", "whole", "not tried"],
    ]);
    expect(rows[0]?.reasons).toEqual([NEGATIVE]);
    expect(rows[3]?.reasons).toMatchObject([{ code: "key-outside-grid", facts: { grid: [2, 2] } }]);
    expect(rowsOf(view, -5, 1, new Map())).toHaveLength(1);
    expect(rowsOf(view, 7, 3, new Map())).toEqual([]);
  });
});

describe("a million rows", () => {
  it("are filtered and sorted rightly, with pauses", async () => {
    const builder = tableBuilder();
    const side = 1000;
    const array = builder.addArray("a", [side, side], ".");
    const targets = Array.from({ length: 500 }, (_, at) => builder.addTarget(`file${at}`));
    const lengths = new Float64Array(side * side);
    let random = 7;
    for (let at = 0; at < side * side; at += 1) {
      // 700,001 is coprime to the number of cells: every ordinal once, out of order.
      const ordinal = (at * 700_001) % (side * side);
      random = (Math.imul(random, 1_664_525) + 1_013_904_223) >>> 0;
      lengths[ordinal] = random;
      builder.addRange(array, ordinal, targets[at % 500] ?? 0, random * 4096, random);
    }
    const index = indexTable(builder.build());
    let reports = 0;
    const context = { ...CONTEXT, report: () => (reports += 1) };
    const sort = { column: "length" as const, descending: true };
    const filter = { length: { from: 2 ** 31 }, keyText: ".77" };
    for (const scope of ["", "a"]) {
      const view = await openView(index, { scope, filter, sort }, context);
      const rows = rowsOf(view, 0, Infinity, new Map());
      const expected = Array.from(lengths.keys())
        .filter((at) => String(at % side).startsWith("77") && (lengths[at] ?? 0) >= 2 ** 31)
        .sort((a, b) => (lengths[b] ?? 0) - (lengths[a] ?? 0));
      expect(rows.length).toBeGreaterThan(1000);
      expect(rows.map(({ key }) => key)).toEqual(expected.map((at) => `a/${Math.floor(at / side)}.${at % side}`));
    }
    const byOffset = await openView(index, { scope: "", filter: {}, sort: { ...sort, column: "offset" } }, context);
    const expectedOffsets = lengths
      .map((length) => length * 4096)
      .sort()
      .toReversed();
    const sampled = Array.from({ length: 1000 }, (_, at) => (at * 997_001) % (side * side));
    for (const at of [0, 1, side * side - 1, ...sampled]) {
      expect(rowsOf(byOffset, at, at + 1, new Map())[0]?.offset).toBe(expectedOffsets[at]);
    }
    const ordered = byOffset.list?.toSorted() ?? [];
    expect(ordered.length === side * side && ordered.every((entry, at) => entry === at)).toBe(true);
    expect(reports).toBeGreaterThan(0);
  });
});
