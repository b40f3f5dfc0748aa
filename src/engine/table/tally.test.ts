import { runs } from "#core/testing/runs.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cellCount } from "#core/metadata/chunk-grid.ts";
import { STATES } from "#core/table/reference.ts";
import { tableBuilder } from "#core/table/table-builder.ts";
import { CONTEXT, LISTED_CELLS, plainSets, scopeRows, tableOf, TARGETS } from "../fixtures/plain-table.ts";
import type { PlainSet } from "../fixtures/plain-table.ts";
import { indexTable } from "./table-index.ts";
import { hostsOf, rangeLengths, tally } from "./tally.ts";

const SCOPES = ["", "a", "a2", "a2/b", "a10", "huge", "wide", "a2/unknown", "nowhere"];

/** An array has what is below it, too; so has the root, where it is an array. */
const isWithin = (scope: string, path: string): boolean =>
  scope === "" || path === scope || path.startsWith(`${scope}/`);

function rowsWithin(set: PlainSet, scope: string) {
  const inScope = set.references.filter(({ array }) => {
    const path = set.arrays[array]?.path;
    return path === undefined ? scope === "" : isWithin(scope, path);
  });
  // Under another root path no array is the scope itself, so that these are plain references.
  const moved = { arrays: set.arrays.map((slot) => ({ ...slot, path: `r/${slot.path}` })), references: inScope };
  return { references: inScope, rows: scopeRows(moved, "") };
}

describe("tally, against plain objects", () => {
  it("counts by state, array and target", async () => {
    const property = async (set: PlainSet, scope: string) => {
      const result = await tally(indexTable(tableOf(set)), scope, CONTEXT);
      const { references, rows } = rowsWithin(set, scope);
      const slots = set.arrays.filter(({ path }) => isWithin(scope, path));
      const cells = slots.reduce((sum, { grid }) => sum + (grid === undefined ? 0 : cellCount(grid)), 0);
      const inGrid = references.filter(({ stray }) => stray === undefined);
      const byState = Object.fromEntries(
        STATES.map((state) => [state, rows.filter((row) => row.state === state).length]),
      );
      expect(result.states).toEqual({ ...byState, missing: cells - inGrid.length });
      expect(result).toMatchObject({
        references: references.length,
        cells,
        present: inGrid.filter(({ state }) => state !== "bad").length,
        strays: references.length - inGrid.length,
        bytes: rows.reduce((sum, { length }) => sum + (length ?? 0), 0),
      });
      expect([...result.arrays.keys()]).toEqual(slots.map(({ path }) => path));
      for (const [path, one] of result.arrays) {
        const own = references.filter(({ array }) => set.arrays[array]?.path === path);
        expect(one.references).toBe(own.length);
        const isVirtual = set.arrays.find((slot) => slot.path === path)?.virtual === true;
        const [counted, other] = isVirtual
          ? [one.states.virtual, one.states.range]
          : [one.states.range, one.states.virtual];
        expect([counted, other]).toEqual([own.filter(({ state }) => state === "range").length, 0]);
      }
      for (const id of TARGETS.keys()) {
        const pointing = rows.filter(({ targetId }) => targetId === id);
        expect(result.targetReferences[id]).toBe(pointing.length);
        expect(result.targetBytes[id]).toBe(pointing.reduce((sum, { length }) => sum + (length ?? 0), 0));
      }
      expect(result.nullTarget.references).toBe(rows.filter(({ target }) => target === null).length);
    };
    await fc.assert(fc.asyncProperty(plainSets, fc.constantFrom(...SCOPES), property), { numRuns: runs(500) });
  });

  it("finds the shortest, median, usual and longest reference, virtual or native", async () => {
    const property = async (set: PlainSet, scope: string) => {
      const found = await rangeLengths(indexTable(tableOf(set)), scope, CONTEXT);
      const { rows } = rowsWithin(set, scope);
      const of = (...states: string[]) =>
        rows.flatMap(({ state, length }) => (states.includes(state) ? (length ?? []) : []));
      const stored = of("range", "virtual", "native");
      const lengths = (stored.length > 0 ? stored : of("inline")).sort((a, b) => a - b);
      const middle = lengths[Math.floor((lengths.length - 1) / 2)];
      expect(found).toEqual(
        middle === undefined
          ? undefined
          : {
              minimum: lengths[0],
              median: middle,
              usual: lengths[Math.ceil((lengths.length - 1) * 0.9)],
              maximum: lengths.at(-1),
            },
      );
    };
    await fc.assert(fc.asyncProperty(plainSets, fc.constantFrom(...SCOPES), property), { numRuns: runs(500) });
  });
});

describe("tally", () => {
  it("counts the missing chunks of a grid of any size", async () => {
    const builder = tableBuilder();
    const array = builder.addArray("huge", [LISTED_CELLS, 1000], ".");
    builder.addWhole(array, 5, null);
    const result = await tally(indexTable(builder.build()), "huge", CONTEXT);
    expect(result.states.missing).toBe(LISTED_CELLS * 1000 - 1);
  });

  it("sums targets by where they are", async () => {
    const builder = tableBuilder();
    const array = builder.addArray("a", [10], ".");
    const [first, second, third] = [builder.addTarget("x/1"), builder.addTarget("y/1"), builder.addTarget("x/2")];
    builder.addTarget("z/unused");
    builder.addRange(array, 0, first, 0, 10);
    builder.addRange(array, 1, second, 0, 20);
    builder.addRange(array, 2, third, 0, 30);
    builder.addWhole(array, 3, null);
    const index = indexTable(builder.build());
    const hosts = hostsOf(index, await tally(index, "", CONTEXT), (target) => target?.slice(0, 1) ?? "null URL");
    expect(hosts).toEqual([
      { host: "x", targets: 2, references: 2, bytes: 40 },
      { host: "null URL", targets: 1, references: 1, bytes: 0 },
      { host: "y", targets: 1, references: 1, bytes: 20 },
    ]);
  });
});
