import { describe, expect, it } from "vitest";
import { tagAt, writingAt } from "./editing.ts";

describe("tags", () => {
  it.each([
    ["http://{{ u|", "filter", ""],
    ["{{ u }}/{{ na^me }}", "name", "name"],
    ["{{ x is od^", "test", "od"],
    ["{{ x is not ^", "test", ""],
    ["{{ '%d'.fo^ }}", "method", "fo"],
    ["{{ 'a^b' }}", "text", "ab"],
    ["{% if i^ %}", "name", "i"],
    ["{{ {'a': {'b': i^}} }}", "name", "i"],
  ])("%s", (marked, what, word) => {
    const index = marked.includes("^") ? marked.indexOf("^") : marked.length;
    const source = marked.replace("^", "");
    const tag = tagAt(source, index);
    expect(tag).toBeDefined();
    expect(writingAt(source, tag!, index)).toMatchObject({ what, word });
  });

  it.each(["a^b {{ x }}", "{{ x }}^", "{# {{ ^ #}", "{{ x }} ^ {{ y }}"])("none at %s", (marked) => {
    expect(tagAt(marked.replace("^", ""), marked.indexOf("^"))).toBeUndefined();
  });
});
