import { expect, it } from "vitest";
import type { ArrayValues } from "#core/set-differences.ts";
import { costsLeft } from "./use-compared-values.ts";
import { costWords } from "./ValuesBar.tsx";

const cost = (rest: number, bytes: number, sized = rest) => ({ path: "a", candidates: 500, rest, bytes, sized });

it("says what comparing values takes before it is begun", () => {
  expect(costWords([cost(3, 3000), cost(0, 0)], 100)).toBe(
    "Reads 3 chunks of 1 array that may differ: 3,000 B from both.",
  );
  expect(costWords([cost(400, 4000), cost(50, 500)], 100)).toBe(
    "Reads a random 150 of 450 chunks of 2 arrays that may differ: about 1,500 B from both.",
  );
  expect(costWords([cost(400, 4000)], "all")).toBe("Reads 400 chunks of 1 array that may differ: 4,000 B from both.");
  expect(costWords([cost(4, 20, 2)], 100)).toContain("at least 20 B");
  expect(costWords([cost(4, 0, 0)], 100)).toContain("their sizes are not known");
  expect(costWords([cost(0, 0)], "all")).toContain("Nothing to read");
  expect(costWords([{ ...cost(0, 0), candidates: 0 }], "all")).toBe("Nothing can be compared by value.");
});

it("leaves to be read what a sample, or a comparison that was cancelled, did not read", () => {
  const costs = ["a", "b", "c"].map((path) => ({ ...cost(400, 4000), path }));
  const whole = { candidates: 500, sameSource: 100, different: 0, failed: 0, unreached: 0, beside: [] } as const;
  const read = (path: string, compared: number, more: Partial<ArrayValues> = {}): ArrayValues => ({
    ...whole,
    verdict: "same",
    path,
    compared,
    ...more,
  });
  const left = (results: readonly ArrayValues[], chunks: 100 | "all") =>
    costsLeft(costs, results, chunks).map(({ path }) => path);
  // Cancelled after the first array; then a sample, which found differences in one.
  expect(left([read("a", 400)], "all")).toEqual(["b", "c"]);
  const sample = [read("a", 100), read("b", 90, { verdict: "differ", different: 3, failed: 10 })];
  expect(left(sample, 100)).toEqual(["c"]);
  expect(left(sample, "all")).toEqual(["a", "b", "c"]);
  const done = [
    read("a", 400),
    read("b", 0, { failed: 400 }),
    read("c", 0, { uncompared: "type", candidates: 0, sameSource: 0 }),
  ];
  expect(left(done, "all")).toEqual([]);
});
