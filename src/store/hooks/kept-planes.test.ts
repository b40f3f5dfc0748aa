import { describe, expect, it } from "vitest";
import type { ChunkLook, PlaneValues } from "#core/plane/plane-values.ts";
import { keptPlanes } from "./use-plane-values.ts";

const plane = (count: number, ...looks: readonly ChunkLook[]): PlaneValues =>
  ({ values: new Float64Array(count), looks }) as unknown as PlaneValues;

describe("slices that are kept", () => {
  it("are those of which every chunk was read or is missing", () => {
    const kept = keptPlanes();
    const whole = plane(4, "read", "missing");
    kept.keep("whole", whole);
    kept.keep("failed", plane(4, "read", "failed"));
    kept.keep("begun", plane(4, "read", "unread"));
    expect(kept.get("whole")).toBe(whole);
    expect(kept.get("failed")).toBeUndefined();
    expect(kept.get("begun")).toBeUndefined();
  });

  it("stay within their bytes, the oldest going first", () => {
    const kept = keptPlanes(100);
    for (const name of ["a", "b", "c", "b", "d"]) kept.keep(name, plane(5, "read"));
    expect(["a", "b", "c", "d"].filter((name) => kept.get(name) !== undefined)).toEqual(["b", "d"]);
    kept.keep("large", plane(10, "read"));
    expect(kept.get("large")).toBeUndefined();
  });
});
