import { describe, expect, it } from "vitest";
import type { NodeSummary, SetSummary } from "../core/open-set.ts";
import type { ViewName } from "../store/views.ts";
import { shownView, tabsBeside } from "./views.ts";

const node = (kind: NodeSummary["kind"], path: string) => ({ kind, path, name: path }) as NodeSummary;
const SET = { nodes: [node("group", ""), node("array", "a"), node("group", "g"), node("broken", "b")] };
const ONE_ARRAY = { nodes: [node("array", "")] };

const tabs = (set: { readonly nodes: readonly NodeSummary[] }, view: ViewName, path: string, hasTree = false) => {
  const shown = set as unknown as SetSummary;
  return tabsBeside(shownView(view, shown), shown, path, hasTree).map(({ id }) => id);
};

describe("views beside each other", () => {
  it("are those of the set at its root, whatever is selected while one of them is shown", () => {
    expect(tabs(SET, "overview", "")).toEqual(expect.arrayContaining(["overview", "check", "metadata"]));
    expect(tabs(SET, "overview", "")).not.toContain("data");
    expect(tabs(SET, "check", "a")).toEqual(tabs(SET, "overview", ""));
  });

  it("are those of an array, a group, or a node that cannot be understood", () => {
    expect(tabs(SET, "data", "a")).toEqual(expect.arrayContaining(["data", "metadata"]));
    expect(tabs(SET, "data", "a")).not.toContain("overview");
    expect(tabs(SET, "metadata", "g")).toEqual(expect.arrayContaining(["overview", "metadata"]));
    expect(tabs(SET, "metadata", "g")).not.toContain("check");
    expect(tabs(SET, "metadata", "b")).not.toContain("data");
  });

  it("are both where the set is one array", () => {
    expect(tabs(ONE_ARRAY, "overview", "")).toEqual(expect.arrayContaining(["overview", "check", "data"]));
  });

  it("leave out what stands above the tree", () => {
    expect(tabs(SET, "overview", "", true)).toEqual(["overview", "chunks", "metadata"]);
    expect(tabs(SET, "check", "a", true)).toEqual(["check"]);
    expect(tabs(ONE_ARRAY, "data", "", true)).toEqual(expect.arrayContaining(["overview", "data"]));
  });

  it("always hold the one that is shown", () => {
    expect(tabs(SET, "data", "g")).toContain("data");
  });
});
