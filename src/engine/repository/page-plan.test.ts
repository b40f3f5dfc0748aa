import { describe, expect, it } from "vitest";
import { planPages } from "./page-plan.ts";

const manifest = (id: string, ...extents: readonly (readonly [number, number])[]) => ({
  id,
  extents: extents.map(([from, to]) => ({ from, to })),
});

/** For every page: cells, and the ordinals visited, which must be those that `pageOf` gives it. */
function described(grid: readonly number[], manifests: Parameters<typeof planPages>[1]) {
  const { pages, pageOf, visit } = planPages(grid, manifests);
  return pages.map(({ manifests: of, cells }, page) => {
    const visited: number[] = [];
    visit(page, (ordinal) => visited.push(ordinal));
    expect(visited).toHaveLength(cells);
    expect(new Set(visited.map(pageOf))).toEqual(new Set(cells === 0 ? [] : [page]));
    return [of.map(({ id }) => id).join("+"), visited] as const;
  });
}

describe("pages of an array", () => {
  it("are its manifests, and what none of them is asked for", () => {
    const split = [manifest("a", [0, 2], [0, 1]), manifest("b", [0, 1], [1, 9])];
    expect(described([2, 3], split)).toEqual([
      ["a", [0, 3]],
      ["b", [1, 2]],
      ["", [4, 5]],
    ]);
  });

  it("are one where manifests may hold the same chunk", () => {
    expect(described([3], [manifest("a", [0, 2]), manifest("b", [1, 3])])).toEqual([["a+b", [0, 1, 2]]]);
    expect(described([2], [manifest("a"), manifest("b")])).toEqual([["a+b", [0, 1]]]);
  });

  it("of a scalar, of extents without anything, of an empty grid", () => {
    expect(described([], [manifest("a")])).toEqual([["a", [0]]]);
    expect(described([2], [manifest("a", [5, 3]), manifest("b", [0, 2])])).toEqual([
      ["a", []],
      ["b", [0, 1]],
    ]);
    expect(described([0], [manifest("a", [0, 1])])).toEqual([["a", []]]);
  });
});
