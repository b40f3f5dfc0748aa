import { describe, expect, it } from "vitest";
import { tableBuilder } from "#core/table/table-builder.ts";
import { entryOf, rowOf } from "./array-index.ts";
import { CONTEXT } from "../fixtures/plain-table.ts";
import { indexTable } from "./table-index.ts";

describe("arrayIndex", () => {
  it("finds rows of dense, huge and wide grids, in whatever order the document has them", async () => {
    for (const grid of [[1000], [60_000_000], [100_000, 100_000]]) {
      const builder = tableBuilder();
      builder.addArray("other", [5], ".");
      const array = builder.addArray("a", grid, ".");
      const last = grid.reduce((product, count) => product * count, 1) - 1;
      for (const ordinal of [last, 3, 500, 0]) {
        builder.addWhole(0, 0, null);
        builder.addWhole(array, ordinal, null);
      }
      const index = await indexTable(builder.build()).arrayIndex(array, CONTEXT);
      expect([last, 3, 500, 0].map((ordinal) => rowOf(index, ordinal))).toEqual([1, 3, 5, 7]);
      expect([1, 499, last + 1, 0xffff_ffff + 5].map((ordinal) => rowOf(index, ordinal))).toEqual([-1, -1, -1, -1]);
      expect(entryOf(index, 1)).toBe(grid[0] === 1000 ? 1 : -1);
    }
  });

  it("keeps the indexes used last, within a number of entries", async () => {
    const builder = tableBuilder();
    const [first, ...others] = Array.from({ length: 17 }, (_, at) => builder.addArray(`a${at}`, [4_000_000], ".")) as [
      number,
      ...number[],
    ];
    const table = indexTable(builder.build());
    const ask = async (ids: readonly number[]) => {
      for (const id of ids) await table.arrayIndex(id, CONTEXT);
    };
    // Compared with ===: a matcher would compare millions of entries one by one.
    const own = await table.arrayIndex(first, CONTEXT);
    await ask(others.slice(0, -1));
    expect((await table.arrayIndex(first, CONTEXT)) === own).toBe(true);
    await ask(others.slice(-1));
    expect((await table.arrayIndex(first, CONTEXT)) === own).toBe(true);
    await ask(others);
    expect((await table.arrayIndex(first, CONTEXT)) === own).toBe(false);
  });
});
