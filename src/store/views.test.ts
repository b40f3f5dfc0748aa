import { describe, expect, it } from "vitest";
import type { NodeSummary } from "../core/open-set.ts";
import { viewInLink, viewOfNode } from "./views.ts";

const node = (kind: NodeSummary["kind"], path = "a") => ({ kind, path, name: path }) as NodeSummary;

describe("the view of what is selected", () => {
  it("is the array's last one where a view of the set was shown", () => {
    expect(viewOfNode(node("array"), "overview", "data")).toBe("data");
    expect(viewOfNode(node("array"), "check", "chunks")).toBe("chunks");
    expect(viewOfNode(node("array"), "history", "chunks")).toBe("chunks");
  });

  it("stays where it is about arrays already", () => {
    expect(viewOfNode(node("array"), "chunks", "data")).toBe("chunks");
    expect(viewOfNode(node("array"), "metadata", "data")).toBe("metadata");
    expect(viewOfNode(node("group"), "chunks", "data")).toBe("chunks");
  });

  it("is the overview of a group, and the metadata of what has none that can be understood", () => {
    expect(viewOfNode(node("group"), "data", "data")).toBe("overview");
    expect(viewOfNode(node("group"), "check", "data")).toBe("overview");
    expect(viewOfNode(node("broken"), "data", "data")).toBe("metadata");
  });

  it("never leaves the studio by itself", () => {
    expect(viewOfNode(node("array"), "edit", "data")).toBe("edit");
  });
});

describe("the view that a link means", () => {
  it("begins with the data of an array, with the overview of all else", () => {
    expect(viewInLink(node("array"), undefined)).toBe("data");
    expect(viewInLink(node("group"), undefined)).toBe("overview");
    expect(viewInLink(undefined, undefined)).toBe("overview");
  });

  it("shows what an array is, where a link of before asks for its overview", () => {
    expect(viewInLink(node("array"), "overview")).toBe("metadata");
    expect(viewInLink(node("array", ""), "overview")).toBe("overview");
    expect(viewInLink(node("array"), "chunks")).toBe("chunks");
  });
});
