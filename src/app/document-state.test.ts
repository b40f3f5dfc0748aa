import { describe, expect, it } from "vitest";
import type { SetSummary } from "../core/open-set.ts";
import { titleOf } from "./use-shell.ts";

const set = { name: "ocean.v1.json" } as SetSummary;

describe("the document's title", () => {
  it("names what is looked at, narrowest first", () => {
    expect(titleOf({ set: undefined, node: "", chunk: undefined })).toBe("Refscope");
    expect(titleOf({ set, node: "", chunk: undefined })).toBe("ocean.v1.json · Refscope");
    expect(titleOf({ set, node: "sst", chunk: [2, 0, 1] })).toBe("sst / 2.0.1 · ocean.v1.json · Refscope");
  });
});
