import { describe, expect, it } from "vitest";
import type { CommitChanges } from "#core/repository.ts";
import { touches } from "./commit-pictures.ts";

const log = (part: Partial<CommitChanges>): CommitChanges => ({
  snapshot: "A",
  isUntold: false,
  arrays: [],
  nodes: [],
  ...part,
});
const chunks = (path?: string) => ({ count: 1, isNew: false, ...(path === undefined ? {} : { path }) });

describe("a commit has its parent's picture", () => {
  it("where its log names other arrays alone", () => {
    expect(touches(log({ arrays: [chunks("sea/ice")] }), "sea/sst")).toBe(false);
    expect(touches(log({ nodes: [{ kind: "updated", node: "group", path: "sea" }] }), "sea/sst")).toBe(false);
    expect(touches(log({ nodes: [{ kind: "moved", node: "array", path: "ice", before: "i" }] }), "sst")).toBe(false);
  });

  it("but not where the array, or a group above it, may be another", () => {
    expect(touches(log({ arrays: [chunks("sea/sst")] }), "sea/sst")).toBe(true);
    expect(touches(log({ nodes: [{ kind: "updated", node: "array", path: "sst" }] }), "sst")).toBe(true);
    expect(touches(log({ nodes: [{ kind: "removed", node: "group", path: "sea" }] }), "sea/sst")).toBe(true);
    expect(touches(log({ nodes: [{ kind: "moved", node: "group", path: "air", before: "sea" }] }), "sea/sst")).toBe(
      true,
    );
  });

  it("nor where nothing tells", () => {
    expect(touches(undefined, "sst")).toBe(true);
    expect(touches("failed", "sst")).toBe(true);
    expect(touches(log({ isUntold: true }), "sst")).toBe(true);
    expect(touches(log({ arrays: [chunks()] }), "sst")).toBe(true);
  });
});
