import { describe, expect, it } from "vitest";
import type { AppState } from "../../store/state.ts";
import { pasteRule, transferredIn, transferredWords } from "./pasted.ts";

const state = (isDocument: boolean | undefined, view: AppState["view"], tasks: AppState["tasks"] = []) => ({
  set: isDocument === undefined ? undefined : ({ isDocument } as NonNullable<AppState["set"]>),
  view,
  tasks,
});
const opening = { id: 1, label: "Opening untitled.json", progress: undefined };

describe("a paste outside any field", () => {
  it("opens at once only where nothing is open or being opened", () => {
    expect(pasteRule(state(undefined, "overview"))).toBe("open");
    expect(pasteRule(state(undefined, "overview", [opening]))).toBe("ask");
    expect(pasteRule(state(true, "chunks"))).toBe("ask");
    expect(pasteRule(state(false, "edit"))).toBe("ask");
  });

  it("never leaves the studio", () => {
    expect(pasteRule(state(true, "edit"))).toBe("never");
    expect(pasteRule(state(true, "edit", [opening]))).toBe("never");
  });

  it("is named by what it is", () => {
    const pasted = (text: string) => {
      const getData = (type: string) => (type === "text/plain" ? text : "");
      const none = { items: [], files: [] } as unknown as Pick<DataTransfer, "items" | "files">;
      return transferredWords(transferredIn({ ...none, getData }, "https://here/"));
    };
    expect(pasted('{"é":1}')).toBe("a JSON document of 8 B");
    expect(pasted(" s3://bucket/refs.json\n")).toBe("the address s3://bucket/refs.json");
    expect(pasted("hello")).toBe("neither a URL nor JSON");
  });
});
