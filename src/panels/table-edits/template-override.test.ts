import { describe, expect, it } from "vitest";
import { templateOverride, templatesIn } from "./TableEditsDialog.tsx";

function applied(text: string, name: string, value: string): unknown {
  const [edit] = templateOverride(text, name, value) ?? [];
  if (edit === undefined) return undefined;
  return JSON.parse(text.slice(0, edit.start) + edit.text + text.slice(edit.end)) as unknown;
}

describe("overriding a template", () => {
  it("replaces the text that is there", () => {
    const text = '{"version": 1, "templates": {"u": "a", "v": "b"}, "refs": {}}';
    expect(applied(text, "u", 'c"\n')).toEqual({ version: 1, templates: { u: 'c"\n', v: "b" }, refs: {} });
  });

  it("adds a template to those there are, to none, and to a document without any", () => {
    expect(applied('{"templates": {"u": "a"}}', "v", "b")).toEqual({ templates: { v: "b", u: "a" } });
    expect(applied('{"templates": {}}', "v", "b")).toEqual({ templates: { v: "b" } });
    expect(applied('{"version": 1}', "v", "b")).toEqual({ templates: { v: "b" }, version: 1 });
    expect(applied("{}", "v", "b")).toEqual({ templates: { v: "b" } });
  });

  it("does nothing to what is not a document", () => {
    expect(templateOverride("[1]", "v", "b")).toBeUndefined();
    expect(templateOverride("{", "v", "b")).toBeUndefined();
  });

  it("lists the templates; of a repeated member the last counts", () => {
    expect(templatesIn('{"templates": {"x": "0"}, "templates": {"u": "a", "n": 1}}')).toEqual([
      { name: "u", value: "a" },
    ]);
    expect(templatesIn("")).toEqual([]);
  });
});
