import { describe, expect, it } from "vitest";
import type { NodeSummary } from "#core/open-set.ts";
import { treeAction, typeAhead } from "./TreeView.tsx";
import { ancestorsOf, buildTree, countMatches, matchingPaths, visibleRows } from "./tree.ts";

function node(path: string, kind: NodeSummary["kind"] = "array"): NodeSummary {
  return { kind, path, name: path === "" ? "/" : (path.split("/").at(-1) ?? "") };
}

const NODES = [
  node("", "group"),
  node("sst"),
  node("ocean", "group"),
  node("ocean/deep", "group"),
  node("ocean/deep/salt"),
  node("ocean/u"),
  node("__proto__"),
];
const TREE = buildTree(NODES);
const all = () => true;
const paths = (rows: ReturnType<typeof visibleRows>) => rows.map((row) => row.node.path);

describe("the tree", () => {
  it("lists parents before children with levels and places among siblings", () => {
    const rows = visibleRows(TREE, all);
    expect(paths(rows)).toEqual(["", "sst", "ocean", "ocean/deep", "ocean/deep/salt", "ocean/u", "__proto__"]);
    expect(rows.map((row) => row.level)).toEqual([1, 2, 2, 3, 4, 3, 2]);
    expect(rows[2]).toMatchObject({ position: 2, siblings: 3, expandable: true, expanded: true });
    expect(rows[1]).toMatchObject({ position: 1, siblings: 3, expandable: false, expanded: false });
  });

  it("hides what lies in a collapsed group", () => {
    expect(paths(visibleRows(TREE, (path) => path !== "ocean"))).toEqual(["", "sst", "ocean", "__proto__"]);
  });

  it("keeps orphans under their nearest ancestor, and nodes without any at the top", () => {
    const orphan = buildTree([node("", "group"), node("a/b/c")]);
    expect(visibleRows(orphan, all).map((row) => [row.node.path, row.level])).toEqual([
      ["", 1],
      ["a/b/c", 2],
    ]);
    const rootless = buildTree([node("a", "group"), node("a/b")]);
    expect(visibleRows(rootless, all).map((row) => row.level)).toEqual([1, 2]);
  });

  it("filters by path, in context, ignoring case", () => {
    const kept = matchingPaths(TREE, " SALT ");
    expect(paths(visibleRows(TREE, () => false, kept))).toEqual(["", "ocean", "ocean/deep", "ocean/deep/salt"]);
    expect(countMatches(TREE, "salt")).toBe(1);
    expect(countMatches(TREE, "ocean")).toBe(4);
    expect(visibleRows(TREE, all, matchingPaths(TREE, "nothing"))).toEqual([]);
  });

  it("survives a nesting of two thousand groups", () => {
    const deep: NodeSummary[] = [node("", "group")];
    for (let level = 0, path = "g"; level < 2000; level += 1, path += "/g") deep.push(node(path, "group"));
    expect(visibleRows(buildTree(deep), all)).toHaveLength(2001);
  });

  it("names ancestors nearest first", () => {
    expect(ancestorsOf("ocean/deep/salt", TREE.nodes)).toEqual(["ocean/deep", "ocean", ""]);
    expect(ancestorsOf("", TREE.nodes)).toEqual([]);
  });
});

describe("keys in the tree", () => {
  const rows = visibleRows(TREE, (path) => path !== "ocean/deep");
  const at = (path: string) => paths(rows).indexOf(path);

  it("moves by arrows, Home and End, and stops at both ends", () => {
    expect(treeAction("ArrowDown", rows, 0)).toEqual({ kind: "focus", index: 1 });
    expect(treeAction("ArrowUp", rows, 0)).toEqual({ kind: "focus", index: 0 });
    expect(treeAction("End", rows, 0)).toEqual({ kind: "focus", index: rows.length - 1 });
    expect(treeAction("ArrowDown", rows, rows.length - 1)).toEqual({ kind: "focus", index: rows.length - 1 });
  });

  it("opens with Right, then goes in; closes with Left, then goes out", () => {
    expect(treeAction("ArrowRight", rows, at("ocean/deep"))).toEqual({ kind: "expand", paths: ["ocean/deep"] });
    expect(treeAction("ArrowRight", rows, at("ocean"))).toEqual({ kind: "focus", index: at("ocean/deep") });
    expect(treeAction("ArrowRight", rows, at("sst"))).toBeUndefined();
    expect(treeAction("ArrowLeft", rows, at("ocean"))).toEqual({ kind: "collapse", path: "ocean" });
    expect(treeAction("ArrowLeft", rows, at("ocean/u"))).toEqual({ kind: "focus", index: at("ocean") });
  });

  it("expands all siblings with *, selects with Enter and Space", () => {
    expect(treeAction("*", rows, at("ocean/u"))).toEqual({ kind: "expand", paths: ["ocean/deep"] });
    expect(treeAction("Enter", rows, at("sst"))).toEqual({ kind: "select", path: "sst" });
    expect(treeAction(" ", rows, at("sst"))).toEqual({ kind: "select", path: "sst" });
    expect(treeAction("x", rows, 0)).toBeUndefined();
  });

  it("finds names by their first letters, around the end", () => {
    expect(typeAhead(rows, 0, "s")).toBe(at("sst"));
    expect(typeAhead(rows, at("sst"), "ss")).toBe(at("sst"));
    expect(typeAhead(rows, at("__proto__"), "o")).toBe(at("ocean"));
    expect(typeAhead(rows, 0, "zz")).toBeUndefined();
    expect(typeAhead(rows, at("sst"), "/")).toBeUndefined();
  });
});
