import { describe, expect, it } from "vitest";
import type { NodeSummary } from "#core/open-set.ts";
import { groupHealth, nodeHealth } from "./tree.ts";

const node: NodeSummary = { kind: "array", path: "sst", name: "sst", cells: 54, present: 54 };

describe("the mark of an array", () => {
  it("says first what failed, then what is missing", () => {
    expect(nodeHealth({ ...node, present: 50 }, { path: "sst", ok: 40, failed: 4 })).toEqual({
      kind: "failed",
      text: "4",
      sentence: "4 chunks failed of 44 read.",
    });
    const sparse = { ...node, cells: 25, present: 5 };
    expect(nodeHealth(sparse, undefined)).toMatchObject({ kind: "missing", text: "5 / 25" });
  });

  it("tells nothing read, some and all of it apart", () => {
    expect(nodeHealth(node, undefined)).toMatchObject({ kind: "unread" });
    expect(nodeHealth(node, { path: "sst", ok: 3, failed: 0 })).toMatchObject({ kind: "partly" });
    expect(nodeHealth(node, { path: "sst", ok: 54, failed: 0 })).toMatchObject({ kind: "read" });
  });

  it("never calls missing what is not known yet, and has a share where numbers are long", () => {
    expect(nodeHealth({ ...node, present: 0, unknown: 54 }, undefined)).toMatchObject({ kind: "unread" });
    const large = { ...node, cells: 2_000_000, present: 1_000_000 };
    expect(nodeHealth(large, undefined)).toMatchObject({ kind: "missing", text: expect.stringContaining("%") });
  });

  it("is calm about what is set aside, not about what is more", () => {
    const accepted = { count: 2, failing: new Map([["sst", 4]]), lacking: new Set(["sst"]) };
    const failing = (failed: number) => ({ path: "sst", ok: 10, failed });
    expect(nodeHealth({ ...node, present: 14 }, failing(4), accepted)).toEqual({
      kind: "read",
      sentence: "Every chunk was read, and all 4 failures are accepted.",
    });
    expect(nodeHealth({ ...node, present: 20 }, failing(4), accepted)).toMatchObject({ kind: "partly" });
    expect(nodeHealth({ ...node, present: 14 }, failing(5), accepted)).toEqual({
      kind: "failed",
      text: "1",
      sentence: "5 chunks failed of 15 read; 4 of them are accepted.",
    });
  });

  it("is nothing for an array without chunks, and for a group in which nothing failed", () => {
    expect(nodeHealth({ ...node, cells: 0, present: 0 }, undefined)).toBeUndefined();
    expect(groupHealth(0)).toBeUndefined();
    expect(groupHealth(2)).toMatchObject({ kind: "failed", text: "2" });
  });
});
