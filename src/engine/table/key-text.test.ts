import { runs } from "#core/testing/runs.ts";
import fc from "fast-check";
import { expect, it } from "vitest";
import { cellCount, chunkKey, coordinatesOf } from "#core/metadata/chunk-grid.ts";
import type { ArraySlot } from "#core/table/reference-table.ts";
import { keysContaining, markMismatches, newTableBudget, type TableBudget } from "./filter.ts";

function matching(text: string, slot: ArraySlot, budget: TableBudget): readonly string[] {
  const match = keysContaining(text, slot, budget);
  const ordinals = Float64Array.from({ length: cellCount(slot.grid ?? []) }, (_, ordinal) => ordinal);
  const fails = new Uint8Array(ordinals.length).fill(Number(match.kind === "none"));
  if (match.kind === "mask") markMismatches(match.mask, ordinals, 0, ordinals.length, fails, 1);
  if (match.kind === "text") for (const at of ordinals) fails[at] = Number(!match.matches(at));
  return keysOf(slot).filter((_, ordinal) => fails[ordinal] === 0);
}

function keysOf({ path, grid = [], separator }: ArraySlot): readonly string[] {
  return Array.from({ length: cellCount(grid) }, (_, at) => chunkKey(path, coordinatesOf(grid, at), separator));
}

const slots = fc.record({
  path: fc.constantFrom("", "a", "t1", "a/10", "0/0/0", "1/1", "v.1", "12"),
  grid: fc.array(fc.integer({ min: 1, max: 13 }), { maxLength: 3 }),
  separator: fc.constantFrom("." as const, "/" as const),
});
const texts = fc.oneof(
  fc.string({ unit: fc.constantFrom("0", "1", "2", ".", "/", "a"), minLength: 1, maxLength: 6 }),
  fc.constantFrom("00", "01", "1.0", "10.1", "/0/1", "0/0/0/0", "99999999999999999999", "1/1/1/1"),
);
const budgets = fc.constantFrom(0, 20, 1 << 22);

it("agrees with looking at every key, with and without tables", () => {
  fc.assert(
    fc.property(slots, texts, budgets, (slot, text, left) => {
      expect(matching(text, slot, { left })).toEqual(keysOf(slot).filter((key) => key.includes(text)));
    }),
    { numRuns: runs(5000) },
  );
});

it("agrees for long dimensions and for more ways to fit than bits in a mask", () => {
  const long: ArraySlot = { path: "t", grid: [3, 20_011], separator: "." };
  for (const text of ["00", "010", "1.1", "2000", "t/2.20", "0.0"]) {
    expect(matching(text, long, newTableBudget())).toEqual(keysOf(long).filter((key) => key.includes(text)));
  }
  const deep: ArraySlot = {
    path: "1/".repeat(40) + "1",
    grid: [2, ...Array.from({ length: 38 }, () => 1), 2],
    separator: "/",
  };
  for (const text of ["/1/0", "/0", "1/1/0/0/1", "1/1/1/1/1/0", "0/0/0/1"]) {
    expect(matching(text, deep, newTableBudget())).toEqual(keysOf(deep).filter((key) => key.includes(text)));
  }
});
