import { expect, it } from "vitest";
import type { ArrayPair } from "../set-differences.ts";
import { collectPlane, type PlaneValues } from "./plane-values.ts";
import { type CutPlane, laidLook, laidPlane, planeDifference } from "./plane-difference.ts";

const pair: ArrayPair = {
  dimensions: [
    { of: 0, offset: 0, step: 1 },
    { of: 2, offset: 2, step: -1 },
    { of: 1, offset: 1, step: 1 },
  ],
  scale: 1,
  shift: 273,
  units: "K",
  tolerance: { absolute: 0.5, relative: 0, from: "given" },
  beside: ["order"],
};

/** Three rows of two chunks. */
function plane(columns: number, values: readonly number[], failed = false): PlaneValues {
  const collector = collectPlane({ rows: 3, columns }, { down: 1, across: 1 }, 1);
  const place = { top: 0, left: 0, rows: 3, columns };
  if (!failed) collector.put(0, { ...place, kind: "values", values: Float64Array.from(values) });
  else collector.put(0, { ...place, kind: "missing" });
  return collector.look();
}
const cut = (values: PlaneValues): CutPlane => ({
  values,
  chunks: { rows: 1, columns: 1 },
  side: { down: 3, across: values.columns },
});

it("lays a plane of B onto one of A by names and coordinates", () => {
  const found = laidPlane({ row: 1, column: 2, at: [4, 0, 0] }, pair, [5, 3, 3]);
  expect(found?.plane).toEqual({ row: 2, column: 1, at: [4, 0, 0] });
  expect(found?.laid).toMatchObject({ down: { offset: 2, step: -1 }, across: { offset: 1, step: 1 } });
  expect(laidPlane({ row: 1, column: 2, at: [5, 0, 0] }, pair, [5, 3, 3])).toBeUndefined();
});

it("subtracts where both have values, and what lies within the tolerance is 0", () => {
  const { laid } = laidPlane({ row: 1, column: 2, at: [0, 0, 0] }, pair, [5, 3, 3]) ?? {};
  if (laid === undefined) throw new Error("not laid");
  const a = cut(plane(2, [275, 276, 277, NaN, 279, 280]));
  const b = cut(plane(3, [0, 5.5, 7, 0, 4, 5, 0, 2.25, 9]));
  const found = planeDifference(a, b, laid);
  expect([...(found?.b.values ?? [])]).toEqual([275.25, 282, 277, 278, 278.5, 280]);
  expect([...(found?.difference.values ?? [])]).toEqual([0, -6, 0, NaN, 0, 0]);
  expect(found?.difference).toMatchObject({ minimum: -6, maximum: 0, looks: ["read"] });
  const gone = planeDifference(a, cut(plane(3, [], true)), laid);
  expect(gone?.b.looks).toEqual(["missing"]);
  expect(gone?.difference).toMatchObject({ looks: ["missing"], minimum: undefined });
});

it("does not subtract other elements than those in the same places", () => {
  const a = cut({ ...plane(2, [1, 2, 3, 4, 5, 6]), steps: { down: 2, across: 1 } });
  const b = cut({ ...plane(2, [1, 2, 3, 4, 5, 6]), steps: { down: 2, across: 1 } });
  const laid = { ...pair, down: { offset: 0, step: 1 }, across: { offset: 0, step: 1 } } as const;
  expect(planeDifference(a, b, laid)?.b.values).toHaveLength(6);
  expect(planeDifference(a, b, { ...laid, down: { offset: 5, step: -1 } })).toBeUndefined();
});

it("is another plane with another tolerance, so that it is drawn anew", () => {
  const [a, b] = [cut(plane(2, [1, 2, 3, 4, 5, 6])), cut(plane(2, [1, 2, 3, 4, 5, 7]))];
  const side = { offset: 0, step: 1 } as const;
  const [one, other] = [0.5, 2].map((absolute) =>
    planeDifference(a, b, { scale: 1, shift: 0, tolerance: { ...pair.tolerance, absolute }, down: side, across: side }),
  );
  expect([one, other].map((found) => found?.difference.values[5])).toEqual([-1, 0]);
  expect(one?.difference.version).not.toBe(other?.difference.version);
  expect(one?.difference.squares).not.toEqual(other?.difference.squares);
});

it("tells a chunk of B from its neighbours where A has one chunk for several", () => {
  const a = cut(plane(4, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]));
  const laid = { ...pair, down: { offset: 0, step: 1 }, across: { offset: 3, step: -1 } } as const;
  const b = { ...a, chunks: { rows: 2, columns: 2 }, side: { down: 2, across: 2 } };
  const withLooks = (...looks: PlaneValues["looks"]) => ({ ...b, values: { ...a.values, looks } });
  const lacking = withLooks("missing", "read", "read", "read");
  expect([0, 1, 2, 3].map((column) => laidLook(lacking, laid, [1, 1], [column, column]))).toEqual([
    "read",
    "read",
    "missing",
    "missing",
  ]);
  expect(laidLook(lacking, laid, [2, 2], [3, 3])).toBe("read");
  expect(laidLook(lacking, laid, [0, 0], [4, 4])).toBe("missing");
  expect(planeDifference(a, lacking, laid)?.b.looks).toEqual(["missing"]);
  expect(planeDifference(a, withLooks("read", "read", "failed", "missing"), laid)?.difference.looks).toEqual([
    "failed",
  ]);
  expect(planeDifference(a, withLooks("read", "read", "read", "read"), laid)?.b.looks).toEqual(["read"]);
  // Two columns of A's chunk lie in the array, and they meet the last of B's chunks.
  const narrow = { ...cut(plane(2, [1, 2, 3, 4, 5, 6])), side: { down: 3, across: 4 } };
  expect(planeDifference(narrow, withLooks("failed", "read", "failed", "read"), laid)?.b.looks).toEqual(["read"]);
});
