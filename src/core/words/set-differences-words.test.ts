import { expect, it } from "vitest";
import type { ArrayPlaces, ArrayValues, SetDifferences, Tolerance } from "../set-differences.ts";
import {
  amount,
  besidesWords,
  placesWords,
  toleranceWords,
  valuesAnswer,
  valuesTitle,
  verdictOf,
} from "./set-differences-words.ts";

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

it("names no place of an array without dimensions", () => {
  const largest = { difference: -24, element: [], values: { a: 0, b: 24 } };
  const at = (place: string): ArrayValues => ({
    ...EMPTY,
    verdict: "differ",
    units: "hours",
    elements: { compared: 1, differing: 1, within: 0, missing: { a: 0, b: 0 }, largest: { ...largest, place } },
  });
  expect(valuesAnswer(at(""))).toContain("; largest 24 hours");
  expect(valuesTitle([at("")], 1)).toMatch(/, by up to 24 hours$/);
  expect(valuesTitle([at("45°N")], 1)).toMatch(/, by up to 24 hours at 45°N$/);
});

it("says in one sentence what differs, and of how much", () => {
  const arrays = [array("a", { same: 1000, elsewhere: 2, onlyB: 1 }), array("b", { same: 197 })];
  expect(verdict({ arrays })).toBe("3 of 1,200 references differ.");
  const nodes = [
    { path: "g", node: "group", in: "a" },
    { path: "g/x", node: "array", in: "b" },
  ] as const;
  const metadata = [{ path: "a", count: 1, changes: [] }];
  expect(verdict({ arrays, nodes, metadata })).toBe(
    "Metadata of 1 array and 3 of 1,200 references differ. Only in one of the two: 1 group and 1 array.",
  );
  expect(verdict({ nodes, arrays: [array("a", { same: 3 })] })).toBe("Only in one of the two: 1 group and 1 array.");
  expect(verdict({ arrays: [array("a", { elsewhere: 61 })], metadata })).toBe(
    "Metadata of 1 array and all 61 references differ.",
  );
});

it("tells keys that fit no grid", () => {
  const keys = { kinds: { ...NONE, same: 1, onlyA: 2 }, first: undefined, listed: [] };
  expect(verdict({ arrays: [array("a", { same: 3 })], keys })).toBe("2 of 3 keys outside the grids differ.");
  const one = { ...keys, kinds: { ...NONE, onlyA: 1 } };
  expect(verdict({ arrays: [array("a", { elsewhere: 3 })], keys: one })).toBe(
    "All 3 references and 1 key outside the grids differ.",
  );
  expect(verdict({ keys: one })).toBe("1 key outside the grids differs.");
});

it("calls the same what was compared alone", () => {
  expect(verdict({ arrays: [array("a", { same: 3 })] })).toBe("The same: 1 array, 3 references.");
  expect(verdict({ arrays: [array("a", { same: 3, unknown: 1 }), array("b", {}, "grid")] })).toBe(
    "No difference found in what could be compared: 2 arrays, 4 references. Not compared: 1 chunk and the chunks of 1 array.",
  );
  expect(verdict({ nodes: [{ path: "x", node: "array", in: "a" }] })).toBe("The two have no array in common.");
});

it("says of values what was read, and what was not", () => {
  const of = (part: Partial<ArrayValues>) => valuesAnswer({ ...EMPTY, ...part });
  expect(of({ sameSource: 9 })).toBe("9 chunks identical by reference");
  expect(of({ compared: 1 })).toBe("no difference (1 chunk)");
  expect(of({ failed: 1, sameSource: 15, verdict: "part" })).toBe(
    "15 chunks identical by reference; 1 chunk unreadable",
  );
  expect(of({ failed: 5, unreached: 3, verdict: "part" })).toBe("2 chunks unreadable; 3 chunks out of reach");
  expect(of({ uncompared: "units" })).toContain("their units cannot be converted");
  expect(of({ candidates: 0 })).toBe("no chunks");
  expect(of({ candidates: 109, sameSource: 9, compared: 10, boundAt95: 0.2589 })).toContain(
    "with 95% confidence at most 25.89% of 100 chunks differ",
  );
  const largest = { difference: -3.2, element: [0], place: "45°N 30°W", values: { a: 1, b: 4.2 } };
  const elements = { compared: 5200, differing: 312, within: 0, missing: { a: 0, b: 2 }, largest };
  expect(of({ verdict: "differ", compared: 54, different: 3, units: "K", elements })).toBe(
    "differs in 312 of 5,200 values (3 of 54 chunks); 2 missing only in B; largest 3.2 K at 45°N 30°W",
  );
});

it("answers for all arrays in one sentence, and says what else differs without places of references", () => {
  const largest = { difference: -3.2, element: [0], place: "45°N", values: { a: 1, b: 4.2 } };
  const elements = { compared: 5200, differing: 312, within: 0, missing: { a: 0, b: 0 }, largest };
  const sst = { ...EMPTY, path: "sst", units: "K", verdict: "differ", elements } as const;
  const same = { ...EMPTY, path: "lat" };
  expect(valuesTitle([sst, same], 2)).toBe("sst differs in 312 of 5,200 values, by up to 3.2 K at 45°N");
  expect(valuesTitle([sst, { ...sst, path: "ice" }], 2)).toBe("sst and ice differ");
  expect(valuesTitle([same], 2)).toBeUndefined();
  expect(valuesTitle([same], 1)).toBe("All values are the same");
  expect(valuesTitle([{ ...same, beside: ["extent"] }], 1)).toBe("All values are the same where both reach");
  const packed = { absolute: 0.005, relative: 0, from: "packing" } as const;
  expect(valuesTitle([{ ...sst, verdict: "within", tolerance: packed }, same], 2)).toBe(
    "sst is the same within 0.005 K (half a packing step)",
  );
  expect(valuesTitle([same, { ...EMPTY, verdict: "part" }], 2)).toBe(
    "No difference found; 1 array not compared in full",
  );
  const arrays = [array("lat", { same: 1 }), array("sst", { elsewhere: 54 })];
  const plain = { nodes: [], metadata: [], arrays, keys: { kinds: NONE, first: undefined, listed: [] } };
  expect(besidesWords(plain, [sst, same])).toBe("The same: lat. ");
  expect(besidesWords({ ...plain, metadata: [{ path: "sst", count: 1, changes: [] }] }, [same])).toBe(
    "Metadata of 1 array differ.",
  );
  expect(placesWords(plain)).toBe("54 of 55 references moved or changed");
});

it("says which tolerance was used", () => {
  const of = (absolute: number, relative: number, from: Tolerance["from"]) =>
    toleranceWords({ tolerance: { absolute, relative, from }, units: "degC" });
  expect(of(0.005, 2 ** -48, "packing")).toBe("0.005 °C (half a packing step)");
  expect(of(0.1, 0.01, "given")).toBe("0.1 °C + 0.01 of the value");
  expect([of(0, 0, "given"), of(0, 0, "none"), of(1, 1, "rounding")]).toEqual(["0", "0", "rounding"]);
  expect(amount(0.5, "days since 2000-01-01", true)).toBe("+0.5 days");
});
