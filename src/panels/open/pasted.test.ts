import { describe, expect, it } from "vitest";
import type { AppState } from "#store/state.ts";
import { ownerFileIn } from "#store/take-owner-file.ts";
import { pastedBlob, pasteRule, transferredIn, transferredWords } from "./WindowDrop.tsx";

const state = (isDocument: boolean | undefined, view: AppState["view"], tasks: AppState["tasks"] = []) => ({
  set: isDocument === undefined ? undefined : ({ isDocument } as NonNullable<AppState["set"]>),
  view,
  tasks,
});
const transferred = (text: string) => {
  const getData = (type: string) => (type === "text/plain" ? text : "");
  const none = { items: [], files: [] } as unknown as Pick<DataTransfer, "items" | "files">;
  return transferredIn({ ...none, getData }, "https://here/");
};
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
    const pasted = (text: string) => transferredWords(transferred(text));
    expect(pasted('{"é":1}')).toBe("a JSON document of 8 B");
    expect(pasted(" s3://bucket/refs.json\n")).toBe("the address s3://bucket/refs.json");
    expect(pasted("hello")).toBe("neither a URL nor JSON");
  });

  it("may be a file of the owner where it is a text or a file alone", async () => {
    const [one, two] = [new File(["1"], "a.json"), new File(["2"], "b.json")];
    expect(await pastedBlob(transferred('{"refscope": "acceptance"}'))?.text()).toBe('{"refscope": "acceptance"}');
    expect(pastedBlob({ kind: "files", dropped: [one] })).toBe(one);
    expect(pastedBlob({ kind: "files", dropped: [one, two] })).toBeUndefined();
    expect(pastedBlob(transferred("s3://bucket/refs.json"))).toBeUndefined();
  });

  it("is the owner's where it says so at its beginning, and is not too large", async () => {
    const kind = (text: string) => ownerFileIn(new Blob([text]));
    expect(await kind('{ "refscope": "expectation", "arrays": {} }')).toBe("expectation");
    expect(await kind('{"refscope":"acceptance","accepted":[]}')).toBe("acceptance");
    expect(await kind('{"version": 1, "refs": {}}')).toBeUndefined();
    expect(await kind(`{"refscope":"acceptance"${" ".repeat(4_000_000)}}`)).toBeUndefined();
  });
});
