import { runs } from "#core/testing/runs.ts";
import fc from "fast-check";
import { expect, it } from "vitest";
import { compareNatural, comparePaths } from "./natural-order.ts";

it("puts numbers in names in their order", () => {
  const names = ["a10", "a2", "a", "b1", "a2b", "10", "9", "é", "a02", "A"];
  expect(names.sort(compareNatural)).toEqual(["9", "10", "A", "a", "a02", "a2", "a2b", "a10", "b1", "é"]);
});

it("keeps what is below a path together", () => {
  const paths = ["a-b", "a/z", "a/10/x", "", "a", "a/9", "a-b/c"];
  expect(paths.sort(comparePaths)).toEqual(["", "a", "a/9", "a/10/x", "a/z", "a-b", "a-b/c"]);
});

it("is an order: antisymmetric, transitive, and equal only for the same text", () => {
  const text = fc.string({ unit: fc.constantFrom("0", "1", "9", "a", "b", "/", "-"), maxLength: 6 });
  for (const compare of [compareNatural, comparePaths]) {
    fc.assert(
      fc.property(text, text, text, (a, b, c) => {
        expect(Math.sign(compare(a, b))).toBe(0 - Math.sign(compare(b, a)));
        expect(compare(a, b) === 0).toBe(a === b);
        if (compare(a, b) < 0 && compare(b, c) < 0) expect(compare(a, c)).toBeLessThan(0);
      }),
      { numRuns: runs(2000) },
    );
  }
});
