import { describe, expect, it } from "vitest";
import { type DocumentOptions, renderDocument } from "./document-version1.ts";
import { simpleRenderer } from "./simple.ts";

/** References as text, or what is raised. */
function outcome(text: string, options?: DocumentOptions): string {
  const rendered = renderDocument(text, options);
  if (rendered.kind === "error") return `${rendered.python}: ${rendered.message}`;
  return [...rendered.refs()].map(([key, json]) => `${key}=${json}`).join(" ");
}

const codes = (text: string, options?: DocumentOptions): string[] =>
  renderDocument(text, options).findings.map(({ code }) => code);

describe("versions", () => {
  it.each([
    ['{"version": 1, "refs": {"a": "b"}}', 'a="b"'],
    ['{"version": 1.0, "refs": {"a": "b"}}', 'a="b"'],
    ['{"version": true, "refs": {"a": "b"}}', 'a="b"'],
    ['{"version": null, "refs": {"a": "b"}}', 'version=null refs="{\\"a\\": \\"b\\"}"'],
    ['{"a": ["{{u}}", 1e3, 2]}', 'a=["{{u}}", 1000.0, 2]'],
    ["{}", ""],
    ['{"version": 2}', "ValueError: Unknown reference spec version: 2"],
    ['{"version": "1"}', "ValueError: Unknown reference spec version: 1"],
    ["[]", "AttributeError: 'list' object has no attribute 'get'"],
  ])("reads %s", (text, expected) => {
    expect(outcome(text)).toBe(expected);
  });

  it("refuses what Python's json refuses", () => {
    expect(outcome('{"a": 1,}')).toMatch(/^JSONDecodeError: .*line 1, column 8/);
    expect(outcome("\ufeff{}")).toMatch(/^JSONDecodeError: /);
    expect(outcome("{'a': 1}")).toMatch(/^JSONDecodeError: /);
    expect(outcome("[".repeat(100_000))).toMatch(/^RecursionError: /);
  });
});

describe("values of refs", () => {
  const refs = (value: string, templates = '{"u": "a"}'): string =>
    outcome(`{"version": 1, "templates": ${templates}, "refs": {"k": ${value}}}`);

  it.each([
    ['["{{u}}"]', '["a"]'],
    ['["{{u}}", 1, 2, 3]', '["a", 1, 2]'],
    ['{"x": [1.0, NaN, "é/\\u007f"]}', '"{\\"x\\": [1.0, NaN, \\"\\\\u00e9/\\\\u007f\\"]}"'],
    ['"{{u}}"', '"{{u}}"'],
    ['"base64:aG=k="', '"base64:aG=k="'],
    ['[["a"], 1, 2]', '[["a"], 1, 2]'],
    ['["u", 9007199254740993, -0.0]', '["u", 9007199254740993, -0.0]'],
  ])("keeps %s as %s", (value, expected) => {
    expect(refs(value)).toBe(`k=${expected}`);
  });

  it.each([
    ["[]", "IndexError: list index out of range"],
    ['["u", 1]', "IndexError: list index out of range"],
    ["5", "TypeError: 'int' object is not subscriptable"],
    ["[null, 1, 2]", "TypeError: argument of type 'NoneType' is not iterable"],
    ['[["{{"], 1, 2]', "TypeError: unhashable type: 'list'"],
    ['"base64:a"', "binascii.Error: Invalid base64-encoded string: number of data characters (1) cannot be"],
    ['"base64:aGk"', "binascii.Error: Incorrect padding"],
    ['"base64:é"', "ValueError: string argument should contain only ASCII characters"],
  ])("raises on %s", (value, expected) => {
    expect(refs(value)).toContain(expected);
  });

  it("keeps all lists as they are without templates", () => {
    for (const value of ["[]", '["u", 1]', "[null, 1, 2]", '["{{u}}"]']) expect(refs(value, "{}")).toBe(`k=${value}`);
  });

  it("names the key on which it stops", () => {
    const [finding] = renderDocument(
      '{"version": 1, "templates": {"u": "a"}, "refs": {"x/0": ["{{ u / 2 }}"]}}',
    ).findings;
    expect(finding).toMatchObject({ code: "reference-fails", place: { kind: "key", key: "x/0" } });
    expect(finding?.facts).toMatchObject({ raises: "TypeError", url: "{{ u / 2 }}" });
  });
});

describe("gen", () => {
  const gen = (url: string, count: number): string =>
    `{"key": "k{{i}}", "url": "${url}", "dimensions": {"i": {"stop": ${count}}}}`;

  it("replaces values in place and puts new keys at the end", () => {
    const text = `{"version": 1, "gen": [${gen("a{{i}}", 3)}, ${gen("b", 2)}], "refs": {"k1": "x", "k9": "y"}}`;
    expect(outcome(text)).toBe('k1=["b"] k9="y" k0=["b"] k2=["a2"]');
    expect(outcome(text, { simple: true })).toBe('k1="x" k9="y"');
    expect(codes(text, { simple: true })).toEqual(["gen-dropped"]);
  });

  it("gives the same references again", () => {
    const rendered = renderDocument(
      `{"version": 1, "templates": {"l": []}, "gen": [${gen("{{ l.append(i) or l }}", 3)}]}`,
    );
    if (rendered.kind === "error") throw new Error(rendered.message);
    const expected = [
      ["k0", '["[0]"]'],
      ["k1", '["[0, 1]"]'],
      ["k2", '["[0, 1, 2]"]'],
    ];
    expect([...rendered.refs()]).toEqual(expected);
    expect([...rendered.refs()]).toEqual(expected);
  });

  it("stops for size, text and time", () => {
    const text = `{"version": 1, "gen": [${gen("{{i}}", 1_000_000)}]}`;
    expect(outcome(text, { most: 999_999 })).toMatch(/^Budget: The gens make 1,000,000 references/);
    expect(outcome(text, { maxCharacters: 1000 })).toMatch(/^Budget: .*1,000 characters/);
    expect(outcome(text, { maxMilliseconds: 5 })).toBe("Budget: Rendering was stopped after 5 ms.");
  });

  it.each(["null", "5", "true"])("raises TypeError on %s, but not by default", (value) => {
    const text = `{"version": 1, "gen": ${value}}`;
    expect(outcome(text)).toMatch(/^TypeError: '\w+' object is not iterable$/);
    expect(outcome(text, { simple: true })).toBe("");
  });
});

describe("overrides", () => {
  const overrides = new Map([["u", "other"]]);

  it("replace templates and add some", () => {
    expect(outcome('{"version": 1, "templates": {"u": "a"}, "refs": {"k": ["{{u}}"]}}', { overrides })).toBe(
      'k=["other"]',
    );
    expect(outcome('{"version": 1, "refs": {"k": ["{{u}}"]}}', { overrides })).toBe('k=["other"]');
    expect(outcome('{"version": 1, "templates": null}', { overrides })).toContain("has no attribute 'update'");
  });

  it("mean nothing to Version 0, which is said", () => {
    expect(outcome('{"k": ["{{u}}"]}', { overrides })).toBe('k=["{{u}}"]');
    expect(codes('{"k": ["{{u}}"]}', { overrides })).toEqual(["overrides-ignored"]);
  });
});

describe("fsspec's default mode", () => {
  const templates = JSON.stringify({ u: "srv", f: "{{c}}", l: ["x"], d: { a: "y" } });
  const renderer = simpleRenderer({ templates, gen: undefined });

  it.each([
    ["{{u}}/x", "srv/x"],
    ["{{u!r}}{{u:>5}}", "'srv'  srv"],
    ["{{l[0]}}{{d[a]}}", "xy"],
    ["{{u.upper}}", "<built-in method upper of str object at 0x..>"],
    ["{{u.__class__}}", "<class 'str'>"],
    ["{{f}}", "<function ReferenceFileSystem._process_templates.<locals>.<lambda> at 0x..>"],
    ["{u}", "{u}"],
  ])("formats %s", (written, expected) => {
    expect(renderer.url(written)).toEqual({ kind: "url", url: expected });
  });

  it.each([
    ["{{ u }}", "KeyError: ' u '"],
    ["{{f(c='x')}}", `KeyError: "f(c='x')"`],
    ["{{u.nope}}", "AttributeError: 'str' object has no attribute 'nope'"],
    ["{{u[x]}}", "TypeError: string indices must be integers, not 'str'"],
    ["{{u[9]}}", "IndexError: string index out of range"],
    ["{{d[b]}}", "KeyError: 'b'"],
    ["{{f[0]}}", "TypeError: 'function' object is not subscriptable"],
    ["{{u", "ValueError: expected '}' before end of string"],
  ])("raises on %s", (written, error) => {
    expect(renderer.url(written)).toMatchObject({ kind: "fault", error });
  });

  it("refuses to guess what only an interpreter knows", () => {
    expect(renderer.url("{{f.__globals__}}")).toMatchObject({
      kind: "fault",
      error: expect.stringMatching(/^Unsupported: /) as string,
    });
  });
});
