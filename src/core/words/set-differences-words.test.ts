import { expect, it } from "vitest";
import type { ArrayPlaces, ArrayValues, SetDifferences } from "../set-differences.ts";
import { valuesParts, verdictOf } from "./set-differences-words.ts";

const NONE = { same: 0, elsewhere: 0, content: 0, form: 0, onlyA: 0, onlyB: 0, unknown: 0 };
const array = (path: string, kinds: Partial<typeof NONE>, uncompared?: "grid"): ArrayPlaces => ({
  path,
  cells: 9,
  kinds: { ...NONE, ...kinds },
  first: undefined,
  uncompared,
});
const EMPTY: ArrayValues = {
  path: "a",
  verdict: "same",
  candidates: 9,
  sameSource: 0,
  compared: 0,
  different: 0,
  failed: 0,
  unreached: 0,
  beside: [],
};
const verdict = (part: Partial<SetDifferences>) =>
  verdictOf({ nodes: [], metadata: [], arrays: [], keys: { kinds: NONE, first: undefined, listed: [] }, ...part });

it("says in one sentence what differs, and of how much", () => {
  const arrays = [array("a", { same: 1000, elsewhere: 2, onlyB: 1 }), array("b", { same: 197 })];
  expect(verdict({ arrays })).toBe("Different: 3 of 1,200 references in 1 of 2 arrays.");
  const nodes = [
    { path: "g", node: "group", in: "a" },
    { path: "g/x", node: "array", in: "b" },
  ] as const;
  const metadata = [{ path: "a", count: 1, changes: [] }];
  expect(verdict({ arrays, nodes, metadata })).toBe(
    "Different: 1 group and 1 array in only one of the two, the metadata of 1 group or array, 3 of 1,200 references in 1 of 2 arrays.",
  );
});

it("tells keys that fit no grid", () => {
  const keys = { kinds: { ...NONE, same: 1, onlyA: 2 }, first: undefined, listed: [] };
  expect(verdict({ arrays: [array("a", { same: 3 })], keys })).toBe("Different: 2 of 3 keys outside of all grids.");
});

it("calls the same what was compared alone", () => {
  expect(verdict({ arrays: [array("a", { same: 3 })] })).toBe("The same: 1 array, 3 references.");
  expect(verdict({ arrays: [array("a", { same: 3, unknown: 1 }), array("b", {}, "grid")] })).toBe(
    "No difference found in what could be compared: 2 arrays, 4 references. Not compared: 1 chunk and the chunks of 1 array.",
  );
  expect(verdict({ nodes: [{ path: "x", node: "array", in: "a" }] })).toBe("The two have no array in common.");
});

it("says of values what was read, and what was not", () => {
  const of = (part: Partial<ArrayValues>) => valuesParts({ ...EMPTY, ...part }).join(", ");
  expect(of({ sameSource: 9 })).toBe("9 chunks are the same by their references");
  expect(of({ compared: 7, different: 2, failed: 1, sameSource: 1 })).toBe(
    "2 of 7 chunks differ, 1 chunk could not be read, 1 chunk is the same by its reference",
  );
  expect(of({ candidates: 0 })).toBe("no chunks");
  expect(of({ candidates: 109, sameSource: 9, compared: 10, boundAt95: 0.2589 })).toContain(
    "with 95% confidence at most 25.89% of 100 do",
  );
});
