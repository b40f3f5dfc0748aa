import { describe, expect, it } from "vitest";
import type { PlaneCost } from "#core/plane/plane.ts";
import { holds, leaveFor } from "./shown-array.ts";

const COST: PlaneCost = {
  chunks: 9,
  missing: 0,
  kept: 0,
  unknown: 0,
  requests: 9,
  bytes: 10,
  ofUnknownLength: 0,
  targets: 1,
};
const slice = (at: number, row = 1) => ({ row, column: 2, at: [at, 0, 0] });

describe("leave to read a slice", () => {
  it("is given where it is free, and never before the cost is known", () => {
    expect(leaveFor(COST, undefined, slice(0))).toEqual({ kind: "granted", every: 1 });
    expect(leaveFor(undefined, undefined, slice(0))).toEqual({ kind: "asking" });
    const cost = { ...COST, requests: 1000 };
    expect(leaveFor(cost, undefined, slice(0))).toEqual({ kind: "costly", cost, slice: slice(0) });
  });

  it("holds for the slice whose cost was said, and for those after it only where that was wished for", () => {
    const paid = { every: 2, slice: slice(0), onward: false };
    expect(leaveFor(undefined, paid, slice(0))).toEqual({ kind: "granted", every: 2 });
    expect([holds(paid, slice(4)), holds({ ...paid, onward: true }, slice(4))]).toEqual([false, true]);
    expect(holds({ ...paid, onward: true }, slice(0, 0))).toBe(false);
  });
});
