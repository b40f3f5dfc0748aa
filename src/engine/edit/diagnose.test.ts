import { describe, expect, it } from "vitest";
import { parseJsonTree } from "#core/json/parse-json.ts";
import type { Diagnostic } from "#core/studio.ts";
import { noteReaders, noteForm, noteOddities, unreadable } from "./draft.ts";
import { noteTemplates } from "./diagnose-templates.ts";
import { diagnosticLog, MAX_DIAGNOSTICS } from "./diagnostic-log.ts";
import { editedText } from "./edited-text.ts";
import { applyTextEdits } from "./text-edits.ts";
import { noteUndefined, UndefinedNames } from "./undefined-names.ts";

function diagnose(text: string): readonly Diagnostic[] {
  const { root, oddities } = parseJsonTree(text);
  const document = editedText(text, root);
  const log = diagnosticLog(text);
  noteOddities(log, text, oddities);
  noteForm(log, document);
  const names = root.kind === "object" ? noteTemplates(log, document) : new UndefinedNames();
  noteReaders(log, document, names);
  noteUndefined(log, names);
  return log.list();
}

/** Code of each finding, and the text that it underlines. */
const found = (text: string) => diagnose(text).map(({ code, place }) => [code, text.slice(place.start, place.end)]);
const codes = (text: string) => diagnose(text).map(({ code }) => code);

const GEN = '"key": "a/{{i}}", "url": "{{u}}", "dimensions": {"i": {"stop": 5}}';

describe("diagnostics of the text", () => {
  it("none for a sound document", () => {
    expect(found('{".zgroup": "{}", "a/0": ["x", 0, 1]}')).toEqual([]);
    expect(found('{"version": 1, "templates": {"u": "x"}, "refs": {"a/0": ["{{u}}/y", 0, 1]}}')).toEqual([]);
  });

  it("place a fault of the JSON, and say what an empty text needs", () => {
    const [fault] = unreadable(
      '{"a": [1,,2]}',
      catchError(() => parseJsonTree('{"a": [1,,2]}')),
    );
    expect(fault).toMatchObject({ code: "json-invalid", place: { kind: "text", start: 9, line: 1 } });
    expect(
      unreadable(
        "",
        catchError(() => parseJsonTree("")),
      ),
    ).toEqual([]);
  });

  it("name what is undefined at its span, among escapes too, and fix it", () => {
    const text = '{"version":1,"templates":{"server":"x"},"refs":{"k":["\\u0061\\/{{ sever }}\\n{{ server }}"]}}';
    const first = diagnose(text).find(({ code }) => code === "name-undefined");
    expect(first).toMatchObject({ code: "name-undefined", facts: { name: "sever", nearest: "server" } });
    expect(text.slice(first?.place.start, first?.place.end)).toBe("sever");
    expect(codes(applyTextEdits(text, first?.fix?.edits ?? []))).not.toContain("name-undefined");
  });

  it("know dimensions, globals and what a template binds itself", () => {
    const field = (key: string) =>
      `{"version":1,"templates":{},"gen":[{"key":"${key}","url":"","dimensions":{"i":[1]}}]}`;
    expect(codes(field("{{ i }}{{ range(3)|list }}{% for x in [1] %}{{ x }}{{ loop.index }}{% endfor %}"))).toEqual([
      "reader-drops-gen",
    ]);
    expect(found(field("{{ j }}"))).toContainEqual(["name-undefined", "j"]);
  });

  it("know what calls give to a function template", () => {
    const document = (call: string) => `{"version":1,"templates":{"f":"{{c}}/{{d}}"},"refs":{"k":["{{ ${call} }}"]}}`;
    expect(found(document("f(c='x')")).filter(([code]) => code === "name-undefined")).toEqual([
      ["name-undefined", "d"],
    ]);
    expect(codes(document("f(c='x', d=1)"))).not.toContain("name-undefined");
  });

  it("find templates that are used nowhere", () => {
    const text = '{"version":1,"templates":{"u":"x","v":"y"},"refs":{"k":["{{u}}"]}}';
    expect(found(text)).toEqual([["template-unused", '"v"']]);
    const within = '{"version":1,"templates":{"base":"x","u":"{{base}}/y"},"refs":{"k":["{{u()}}"]}}';
    const unused = diagnose(within).find(({ code }) => code === "template-unused");
    expect(unused?.facts).toEqual({ name: "base", inside: "u" });
  });

  it("place faults of the language, and unknown filters with the nearest", () => {
    const text = (url: string) => `{"version":1,"templates":{"u":"x"},"refs":{"k":["\\/${url}"]}}`;
    expect(codes(text("{{ u + }}"))).toContain("template-syntax");
    const wrong = text("{{ u | uper }}");
    const filter = diagnose(wrong).find(({ code }) => code === "filter-unknown");
    expect(filter).toMatchObject({ facts: { raises: "TemplateAssertionError", nearest: "upper" } });
    expect(codes(applyTextEdits(wrong, filter?.fix?.edits ?? []))).not.toContain("filter-unknown");
  });

  it("find what a gen lacks", () => {
    const gen = (members: string) => found(`{"version":1,"templates":{"u":"x"},"gen":[{${members}}],"refs":{}}`);
    const only = (members: string) => gen(members).filter(([code]) => code !== "reader-drops-gen");
    expect(only(GEN)).toEqual([]);
    expect(only(`${GEN}, "offset": "1"`)).toEqual([["gen-missing-field", '"offset"']]);
    expect(only(`${GEN}, "length": "1"`)).toEqual([["gen-missing-field", '"length"']]);
    expect(only('"url": "{{u}}", "dimensions": {}')).toEqual([["gen-missing-field", "{"]]);
    expect(only(`${GEN}, "offset": 10, "length": "1"`)).toEqual([["gen-field-not-text", "10"]]);
    expect(only(GEN.replace('"i"', '"u"').replace("{{i}}", ""))).toEqual([["dimension-shadows-template", '"u"']]);
  });

  it("warn of members that fsspec never sees", () => {
    const text = `{"version":1,"templates":{"u":"x"},"gen":[{${GEN.replace('"stop": 5', '"stop": 5, "stepp": 2')}, "ofset": "1", "note": ""}],"refs":{}}`;
    const unknown = diagnose(text).filter(({ code }) => code === "gen-unknown-member");
    expect(
      unknown.map(({ place, facts }) => [text.slice(place.start, place.end), facts?.["nearest"], facts?.["dimension"]]),
    ).toEqual([
      ['"stepp"', "step", "i"],
      ['"ofset"', "offset", undefined],
      ['"note"', undefined, undefined],
    ]);
    expect(applyTextEdits(text, unknown[0]?.fix?.edits ?? [])).toContain('"stop": 5, "step": 2');
  });

  it("name what is undefined once, and fix all its places", () => {
    const text = '{"version":1,"templates":{"server":"x"},"refs":{"k":["{{sever}}/1"],"l":["{{sever}}/2", 0, 1]}}';
    const list = diagnose(text);
    expect(list).toMatchObject([{ code: "name-undefined", count: 2, others: [{}] }]);
    expect(applyTextEdits(text, list[0]?.fix?.edits ?? [])).toBe(text.replaceAll("sever}", "server}"));
  });

  it("find what fsspec's default mode drops and refuses", () => {
    const text = `{"version":1,"templates":{"u":"x","f":"{{c}}"},"gen":[{${GEN}}],"refs":{"a":["{{u}}"],"b":["{{f(c='text')}}"],"c":["{{ u }}"]}}`;
    expect(found(text)).toEqual([
      ["reader-drops-gen", '"gen"'],
      ["reader-refuses", "\"{{f(c='text')}}\""],
      ["reader-refuses", '"{{ u }}"'],
    ]);
  });

  it("find unknown versions, and refs without one", () => {
    expect(found('{"version":"1","refs":{}}')).toEqual([["version-unknown", '"1"']]);
    expect(codes('{"version":1.0,"refs":{}}')).toEqual([]);
    const text = '{"refs":{"a":["x"]}}';
    const [missing] = diagnose(text);
    expect(missing?.code).toBe("version-missing");
    expect(codes(applyTextEdits(text, missing?.fix?.edits ?? []))).toEqual([]);
  });

  it("find repeated keys and what is not JSON", () => {
    expect(found('{"a":["x"],"a":["y"],"b":[NaN],}')).toEqual([
      ["duplicate-key", '"a"'],
      ["json-not-finite", "NaN"],
      ["json-trailing-comma", ","],
    ]);
  });

  it("find members of the wrong kind, and say which kind they are", () => {
    expect(codes("[1]")).toEqual(["document-not-object"]);
    const text = '{"version":1,"templates":[],"gen":{},"refs":[]}';
    const about = diagnose(text).map(({ code, place, facts }) => [
      code,
      text.slice(place.start, place.end),
      facts?.["found"],
    ]);
    expect(about).toEqual([
      ["templates-malformed", "[]", "an array"],
      ["gen-malformed", "{}", "an object"],
      ["refs-malformed", "[]", "an array"],
    ]);
  });

  it("find numbers beyond what floating-point numbers hold", () => {
    expect(found('{"a":["x",1e999,1]}')).toEqual([["json-number-overflow", "1e999"]]);
  });

  it("find unknown tests, and what is not built here", () => {
    const text = (url: string) => `{"version":1,"templates":{"u":"x"},"refs":{"k":["${url}"]}}`;
    expect(codes(text("{{ u is uper }}"))).toContain("test-unknown");
    expect(codes(text("{{ 1٣ }}"))).toContain("template-unsupported");
  });

  it("stop at a number and count the rest", () => {
    const urls = Array.from({ length: 500 }, (_, at) => `"k${at}":["{{x${at}}}"]`).join(",");
    const all = diagnose(`{"version":1,"templates":{"u":"x"},"refs":{${urls}}}`);
    expect(all).toHaveLength(MAX_DIAGNOSTICS);
    expect(all.at(-1)).toMatchObject({ code: "more-diagnostics" });
  });
});

function catchError(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
}
