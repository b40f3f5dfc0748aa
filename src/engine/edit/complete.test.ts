import { describe, expect, it } from "vitest";
import { FILTER_NAMES, GLOBAL_NAMES } from "@refscope/jinja";
import { complete, WORD_TESTS } from "./operations.ts";
import { FILTER_DOCS, GLOBAL_DOCS, TEST_DOCS } from "@refscope/jinja/editing";

const HEAD = '{"version": 1, "templates": {"u": "server.domain/path", "f": "{{c}}/{{ d }}"}, ';

/** The text without "^", and suggestions where it stood. */
function at(marked: string) {
  const text = marked.replace("^", "");
  const suggestions = complete(text, marked.indexOf("^"));
  return { text, suggestions, labels: suggestions.map(({ label }) => label) };
}

describe("suggestions", () => {
  it("are the dimensions of the gen, the templates and what Jinja2 has", () => {
    const { suggestions } = at(
      `${HEAD}"gen": [{"key": "a/{{^}}", "dimensions": {"i": {"stop": 5}, "n": ["x", 2]}}, {"dimensions": {"other": []}}]}`,
    );
    expect(suggestions.slice(0, 4)).toMatchObject([
      { label: "i", kind: "dimension", detail: "0 … 4, 5 values" },
      { label: "n", kind: "dimension", detail: '2 values: "x", 2' },
      { label: "u", kind: "template", detail: "server.domain/path" },
      { label: "f", kind: "function", insert: "f(c=$0, d=)" },
    ]);
    expect(suggestions.map(({ label }) => label)).toContain("range");
    expect(suggestions.map(({ label }) => label)).not.toContain("other");
  });

  it("replace the word that is there, also among escapes", () => {
    const { text, suggestions } = at(`${HEAD}"refs": {"k": ["a\\"\\u007b{ na^me }}", 0, 1]}}`);
    const [first] = suggestions;
    expect(text.slice(first?.start, first?.end)).toBe("name");
  });

  it("are filters after |, tests after is, methods after a dot, nothing in quotes and outside of tags", () => {
    const url = (inside: string) => at(`${HEAD}"refs": {"k": ["${inside}"]}}`).labels;
    expect(url("{{ u|^ }}")).toEqual(FILTER_NAMES);
    expect(url("{{ u is ^ }}")).toEqual(WORD_TESTS);
    expect(url("{{ u.^ }}")).toContain("zfill");
    expect(url("{{ 'x^' }}")).toEqual([]);
    expect(url("x^{{ u }}")).toEqual([]);
    expect(url("{{ u }}^")).toEqual([]);
    expect(url("{^{ u }}")).toEqual([]);
  });

  it("come while the document cannot be parsed", () => {
    expect(at(`${HEAD}"gen": [{"dimensions": {"i": {"stop": 3}}, "key": "{{ ^`).labels.slice(0, 2)).toEqual(["i", "u"]);
    expect(at(`${HEAD}"gen": [{"key": "{{ ^\n"url": 5 "dimensions": {"i": {"stop": 3}}}]`).labels.slice(0, 2)).toEqual([
      "i",
      "u",
    ]);
  });

  it("leave out what a function template cannot see", () => {
    expect(at(HEAD.replace("{{c}}", "{{^c}}")).labels).toEqual(GLOBAL_NAMES);
  });

  it("come neither in keys nor in inline values nor in Version 0", () => {
    expect(at(`${HEAD}"refs": {"{{ ^ }}": ["x"]}}`).labels).toEqual([]);
    expect(at(`${HEAD}"refs": {"k": "{{ ^ }}"}}`).labels).toEqual([]);
    expect(at('{"k": ["{{ ^ }}"]}').labels).toEqual([]);
  });
});

it("every filter, test and global has a line of documentation", () => {
  expect(FILTER_NAMES.filter((name) => !FILTER_DOCS.has(name))).toEqual([]);
  expect(WORD_TESTS.filter((name) => !TEST_DOCS.has(name))).toEqual([]);
  expect(GLOBAL_NAMES.filter((name) => !GLOBAL_DOCS.has(name))).toEqual([]);
});
