import { describe, expect, it } from "vitest";
import type { Finding } from "../../core/finding.ts";
import { nodesByPath } from "./chunk-of-key.ts";
import { placeOfFinding } from "./finding-place.ts";

const NODES = nodesByPath([
  { kind: "group", path: "", name: "/" },
  { kind: "array", path: "sst", name: "sst", grid: [2, 2] },
]);
const place = (part: Partial<Finding>) =>
  placeOfFinding({ code: "some-code", severity: "error", message: "", ...part }, NODES);

describe("where a finding leads", () => {
  it("goes to the chunk, the array's manifest or its metadata", () => {
    expect(place({ key: "sst/1.1" })).toEqual({ kind: "chunk", array: "sst", coordinates: [1, 1] });
    expect(place({ key: "sst/7.7" })).toEqual({ kind: "node", path: "sst", view: "manifest", key: "sst/7.7" });
    expect(place({ key: "sst/.zarray" })).toEqual({ kind: "node", path: "sst", view: "metadata" });
    expect(place({ array: "sst", code: "chunks-missing" })).toEqual({ kind: "node", path: "sst", view: "manifest" });
    expect(place({ array: "sst", code: "fill-value-odd" })).toEqual({ kind: "node", path: "sst", view: "metadata" });
  });

  it("goes to the locations where those mend it, else to the set", () => {
    expect(place({ code: "target-null" })).toEqual({ kind: "locations" });
    expect(place({})).toEqual({ kind: "set" });
    expect(place({ array: "gone" })).toEqual({ kind: "set" });
  });
});
