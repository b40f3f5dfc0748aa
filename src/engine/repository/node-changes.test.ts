import { describe, expect, it } from "vitest";
import { nodeChanges } from "./compare-logs.ts";
import type { SideNode, SnapshotSide } from "./snapshot-side.ts";

const side = (documents: Readonly<Record<string, string>>): SnapshotSide => {
  const nodes = Object.entries(documents).map(([path, text]): [string, SideNode] => [
    path,
    { kind: "group", id: path, path, metadata: new TextEncoder().encode(text) },
  ]);
  return { id: "S", nodes: new Map(nodes) };
};

describe("metadata that changed", () => {
  it("are listed member by member, with the values before and after", () => {
    const from = side({ sst: '{"shape":[4],"attributes":{"units":"K","note":"old"}}', ice: "{}" });
    const to = side({ sst: '{"shape":[8],"attributes":{"units":"K","title":"new"}}', ice: "{}" });
    expect(nodeChanges(from, to)).toEqual([
      {
        kind: "updated",
        node: "group",
        path: "sst",
        members: {
          count: 3,
          changes: [
            { path: "shape[0]", before: "4", after: "8" },
            { path: "attributes.note", before: '"old"' },
            { path: "attributes.title", after: '"new"' },
          ],
        },
      },
    ]);
  });

  it("are counted where they are many, and cut where they are long", () => {
    const attributes = Object.fromEntries(Array.from({ length: 70 }, (_, at) => [`a${at}`, "x".repeat(1000)]));
    const [change] = nodeChanges(side({ a: "{}" }), side({ a: JSON.stringify(attributes) }));
    expect([change?.members?.count, change?.members?.changes.length]).toEqual([70, 50]);
    expect(change?.members?.changes[0]?.after?.length).toBe(301);
  });

  it("are none where a log names the node and they are the same in the end, or cannot be read", () => {
    const logged = { updated: new Set(["a"]), firstPaths: new Map<string, string>() };
    expect(nodeChanges(side({ a: "{}" }), side({ a: "{}" }), logged)).toEqual([
      { kind: "updated", node: "group", path: "a", members: { changes: [], count: 0 } },
    ]);
    expect(nodeChanges(side({ a: "{" }), side({ a: "{}" }))).toEqual([{ kind: "updated", node: "group", path: "a" }]);
  });
});
