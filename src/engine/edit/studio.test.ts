import { describe, expect, it } from "vitest";
import type { OpenSource } from "#core/open-set.ts";
import { causeOf } from "#core/findings/cause.ts";
import { NO_LOCATIONS } from "#core/byte-source.ts";
import type { Diagnostic, EditAnswer, TableEdit, VersionRow, VersionRowsSpec } from "#core/studio.ts";
import { createEngine } from "../engine.ts";
import { applyTextEdits } from "./text-edits.ts";
import { explained } from "#core/findings/explain.ts";
import { zarrayWith } from "#core/testing/zarr-documents.ts";
import { EXAMPLE_TEXT as EXAMPLE } from "#core/testing/specification-example.ts";

const context = () => ({ signal: new AbortController().signal, report: () => undefined });
const ALL: VersionRowsSpec = { show: "all", text: "" };

const GRID = JSON.stringify(JSON.stringify(zarrayWith({})));

async function opened(text: string) {
  const engine = createEngine();
  const source: OpenSource = { kind: "text", text, name: "set.json" };
  const answer = await engine.call("set.open", { source, locations: NO_LOCATIONS }, context());
  if (answer.kind !== "set") throw new Error("no set");
  const base = answer.set.id;
  const edit = (text: string, edits: readonly TableEdit[] = []): Promise<EditAnswer> =>
    engine.call("edit.render", { set: base, text, edits }, context());
  const rows = async (set: number | undefined, spec = ALL): Promise<readonly VersionRow[]> =>
    (await engine.call("edit.versionRows", { set: set ?? -1, spec, from: 0, to: 500 }, context())).rows;
  const keys = async (set: number | undefined, spec = ALL) => (await rows(set, spec)).map(({ key }) => key);
  return { engine, base, edit, rows, keys };
}

const codes = (diagnostics: readonly Diagnostic[]) => diagnostics.map(({ code }) => code);

describe("a draft", () => {
  it("is the edited document's Version 0, key by key, with what made it", async () => {
    const { edit, rows } = await opened(EXAMPLE);
    const answer = await edit(EXAMPLE);
    expect(answer).toMatchObject({
      references: 9,
      changes: { added: 0, removed: 0, changed: 0 },
      parts: { templates: 2, gens: 1, refs: 4 },
      refused: undefined,
    });
    const all = await rows(answer.set?.id);
    expect(all.map(({ key, target, offset, length }) => [key, target, offset, length])).toEqual([
      ["key0", "data", undefined, 4],
      ["key1", "http://target_url", 10000, 100],
      ["key2", "http://server.domain/path", 10000, 100],
      ["key3", "http://text", 10000, 100],
      ...[0, 1, 2, 3, 4].map((i) => [`gen_key${i}`, `http://server.domain/path_${i}`, (i + 1) * 1000, 1000]),
    ]);
    expect(all[2]?.origin).toEqual({ kind: "refs", written: "http://{{u}}" });
    expect(all[5]?.origin).toEqual({ kind: "gen", gen: 0, variables: [{ name: "i", value: "1" }] });
  });

  it("counts what changed, and lists it", async () => {
    const { edit, keys, rows } = await opened(EXAMPLE);
    const text = EXAMPLE.replace('"stop": 5', '"stop": 7')
      .replace('"key0": "data",', "")
      .replace("target_url", "other");
    const { set, changes } = await edit(text);
    expect(changes).toEqual({ added: 2, removed: 1, changed: 1 });
    expect(await keys(set?.id, { show: "added", text: "" })).toEqual(["gen_key5", "gen_key6"]);
    const [changed] = await rows(set?.id, { show: "changed", text: "" });
    expect(changed).toMatchObject({ key: "key1", change: "changed", before: '["http://target_url", 10000, 100]' });
    expect(await rows(set?.id, { show: "removed", text: "" })).toMatchObject([{ key: "key0", change: "removed" }]);
    expect(await keys(set?.id, { show: "all", text: "path_3" })).toEqual(["gen_key3"]);
    // fsspec hands the same bytes to readers.
    for (const same of ['"\\u0064ata"', '"base64:ZGF0YQ=="'])
      expect((await edit(EXAMPLE.replace('"data"', same))).changes).toEqual({ added: 0, removed: 0, changed: 0 });
    expect((await edit(EXAMPLE.replace('"data"', '"Data"'))).changes).toMatchObject({ changed: 1 });
  });

  it("of a text that cannot be read is none, with the place of the fault", async () => {
    const { edit } = await opened(EXAMPLE);
    const text = EXAMPLE.replace('"stop": 5', '"stop": ');
    const answer = await edit(text);
    expect(answer.set).toBeUndefined();
    expect(answer.diagnostics).toMatchObject([
      { code: "json-invalid", place: { start: text.indexOf("}", text.indexOf("stop")) } },
    ]);
    expect((await edit("")).diagnostics).toEqual([]);
    expect((await edit("[1]")).set).toBeUndefined();
    expect((await edit('{"a": {"b": 1}}')).set).toBeDefined();
  });

  it("keeps the order of keys, metadata among the chunks, and knows which were made by gen", async () => {
    const text = `{"version":1,"templates":{"u":"x"},"gen":[{"key":"a/{{i}}","url":"{{u}}","dimensions":{"i":{"stop":4}}}],
      "refs":{"a/1":["{{u}}/old"],".zgroup":"{\\"zarr_format\\":2}","a/0":"inline","a/.zarray":${GRID},"b":["{{u}}"]}}`;
    const { edit, rows } = await opened(text);
    const { set } = await edit(text);
    const all = await rows(set?.id);
    expect(all.map(({ key, origin }) => `${key} ${origin.kind}`)).toEqual([
      "a/1 gen",
      ".zgroup metadata",
      "a/0 gen",
      "a/.zarray metadata",
      "b refs",
      "a/2 gen",
      "a/3 gen",
    ]);
    expect(all[0]).toMatchObject({ array: "a", coordinates: [1], target: "x", state: "whole" });
    expect(all[0]?.simple).toEqual({ kind: "other", value: '["x/old"]' });
    expect(all[5]?.simple).toEqual({ kind: "lost" });
  });

  it("leaves relative targets where they were", async () => {
    const file = (path: string, text: string) => ({ path, blob: new Blob([text]) });
    const engine = createEngine();
    const text = `{"version":1,"refs":{"a/.zarray":${GRID},"a/0":["wrong.bin",0,4]}}`;
    const files = [file("d/set.json", text), file("d/data.bin", "\u0001\0\0\0")];
    const answer = await engine.call(
      "set.open",
      { source: { kind: "files", files }, locations: NO_LOCATIONS },
      context(),
    );
    if (answer.kind !== "set") throw new Error("no set");
    const draft = await engine.call(
      "edit.render",
      { set: answer.set.id, text: text.replace("wrong", "data"), edits: [] },
      context(),
    );
    const reading = await engine.call(
      "chunk.read",
      { set: draft.set?.id ?? -1, array: "a", coordinates: [0] },
      context(),
    );
    expect(reading.outcome).toBe("ok");
  });

  it("does not fetch metadata again that were fetched", async () => {
    const asked: string[] = [];
    const fetch = (input: string | URL | Request) => {
      asked.push(String(input instanceof Request ? input.url : input));
      return Promise.resolve(new Response(JSON.parse(GRID) as string));
    };
    const engine = createEngine({ http: { fetch } });
    const text = (url: string, more: string) => `{"version":1,"refs":{"a/.zarray":["${url}"],"a/0":["x"]${more}}}`;
    const source: OpenSource = { kind: "text", text: text("https://host.example/one", ""), name: "set.json" };
    const answer = await engine.call("set.open", { source, locations: NO_LOCATIONS }, context());
    if (answer.kind !== "set") throw new Error("no set");
    const set = answer.set.id;
    await engine.call(
      "edit.render",
      { set, text: text("https://host.example/one", ',"a/1":["x"]'), edits: [] },
      context(),
    );
    await engine.call("edit.render", { set, text: text("https://host.example/two", ""), edits: [] }, context());
    const last = await engine.call(
      "edit.render",
      { set, text: text("https://host.example/two", ',"a/1":["x"]'), edits: [] },
      context(),
    );
    expect(asked).toEqual(["https://host.example/one", "https://host.example/two"]);
    expect(last.set?.arrays).toBe(1);
  });

  it("is not kept when the call was aborted", async () => {
    const { engine, base } = await opened(EXAMPLE);
    const controller = new AbortController();
    controller.abort();
    const call = engine.call(
      "edit.render",
      { set: base, text: EXAMPLE, edits: [] },
      { signal: controller.signal, report: () => undefined },
    );
    await expect(call).rejects.toMatchObject({ name: "AbortError" });
  });
});

describe("diagnostics of the result", () => {
  async function found(text: string) {
    const { edit } = await opened("{}");
    const { set, diagnostics, refused } = await edit(text);
    const list = diagnostics.filter(({ code }) => code !== "reader-drops-gen");
    return {
      refused,
      list: list.map(({ code, place }) => [code, text.slice(place.start, place.end)]),
      diagnostics,
      set,
    };
  }
  const gen = (members: string, refs = "{}") =>
    `{"version":1,"templates":{"u":"x"},"gen":[{"url":"{{u}}","dimensions":{"i":{"stop":4}},${members}}],"refs":${refs}}`;

  it("say which offset is not an integer, and for which values", async () => {
    const { diagnostics, refused, list } = await found(
      gen('"key":"k{{i}}","offset":"{{ 12 / (i + 1) }}","length":"1"'),
    );
    expect(list).toEqual([["not-an-integer", '"{{ 12 / (i + 1) }}"']]);
    expect(diagnostics.find(({ code }) => code === "not-an-integer")?.facts).toMatchObject({
      rendered: "12.0",
      variables: [{ name: "i", value: "0" }],
    });
    expect(refused?.facts["raises"]).toBe("ValueError");
  });

  it("say once what a misspelt template function breaks, wherever it is called", async () => {
    const call = "{{ff(c='x')}}";
    const gens = ["a", "b"].map((key) => `{"key":"${key}/{{i}}","url":"${call}","dimensions":{"i":{"stop":4}}}`);
    const refs = `{"k":["${call}"],"l":["${call}",0,10],"m":["${call}/y"]}`;
    const text = `{"version":1,"templates":{"f":"{{c}}/p"},"gen":[${gens.join(",")}],"refs":${refs}}`;
    const { set, diagnostics, refused } = await found(text);
    const about = diagnostics.filter(({ code }) => !code.startsWith("key-") && code !== "reader-drops-gen");
    expect(about).toMatchObject([
      { code: "name-undefined", count: 5, others: [{}, {}, {}, {}], fix: { title: "Change all 5 to “f”" } },
    ]);
    expect(about[0]?.facts).toMatchObject({ name: "ff", nearest: "f", raises: "UndefinedError" });
    const stopped = (set?.findings ?? []).filter(({ code }) => code === "set-refused" || code.endsWith("-fails"));
    expect(stopped.length).toBeGreaterThan(2);
    expect(about[0]?.covers).toEqual(expect.arrayContaining(stopped.map(causeOf)));
    expect(explained(refused!).message).toContain("'ff' is undefined");
  });

  it("keep what has another cause beside an undefined name", async () => {
    const { list } = await found(gen('"key":"k{{i}}{{nothing}}","offset":"{{ 1 / 0 }}","length":"1"'));
    expect(list.map(([code]) => code)).toEqual(["name-undefined", "gen-fails"]);
  });

  it("say where in the template fsspec raises", async () => {
    const { diagnostics, list } = await found(gen('"key":"a/\\u006b{{ 1 // (2 - i) }}"'));
    const [, place] = list.find(([code]) => code === "gen-fails") ?? [];
    expect(place).toBe("1 // (2 - i)");
    expect(list.filter(([code]) => code === "gen-fails")).toHaveLength(1);
    expect(diagnostics.find(({ code }) => code === "gen-fails")?.facts).toMatchObject({
      raises: "ZeroDivisionError",
      variables: [{ name: "i", value: "2" }],
    });
  });

  it("find colliding keys, negative offsets, and keys that fit no array", async () => {
    expect(codes((await found(gen('"key":"same"'))).diagnostics)).toContain("gen-collision");
    const negative = await found(gen('"key":"k{{i}}","offset":"{{ i - 1 }}","length":"1"'));
    expect(codes(negative.diagnostics)).toContain("reference-offset-negative");
    const outside = await found(gen('"key":"a/{{i + 5}}"', `{"a/.zarray":${GRID}}`));
    expect(codes(outside.diagnostics)).toContain("key-outside-grid");
    const absurd = await found(gen('"key":"k{{i}}","offset":"{{ 2**51 }}","length":"1"'));
    expect(codes(absurd.diagnostics)).toContain("offset-absurd");
  });

  it("find a document that holds several sets", async () => {
    const one = '{"version":1,"refs":{"a/0":["x",0,1]}}';
    const { diagnostics } = await found(`{"version":1,"u":${one},"v":${one}}`);
    expect(diagnostics.map(({ code, facts }) => [code, facts])).toContainEqual(["document-of-sets", { sets: 2 }]);
  });

  it("find a gen that is too large before anything is made", async () => {
    const { diagnostics } = await found(gen('"key":"k{{i}}"').replace('"stop":4', '"stop":100000000000'));
    expect(codes(diagnostics)).toContain("gen-too-large");
  });
});

describe("from a row to the text and back", () => {
  it("finds what made a key, and the first key that a place makes", async () => {
    const { engine, edit, keys } = await opened(EXAMPLE);
    const { set } = await edit(EXAMPLE);
    const id = set?.id ?? -1;
    for (const key of await keys(id)) {
      const place = await engine.call("edit.rowPlace", { set: id, text: EXAMPLE, key }, context());
      expect(place).toBeDefined();
      const own = await engine.call("edit.placeRow", { set: id, text: EXAMPLE, offset: place!.start }, context());
      expect(own).toBe(key.startsWith("gen_key") ? "gen_key0" : key);
      expect(await engine.call("edit.rowPlace", { set: id, text: EXAMPLE, key: own! }, context())).toEqual(place);
    }
    expect(await engine.call("edit.rowPlace", { set: id, text: EXAMPLE, key: "none" }, context())).toBeUndefined();
    expect(await engine.call("edit.placeRow", { set: id, text: EXAMPLE, offset: 3 }, context())).toBeUndefined();
    expect(await engine.call("edit.versionRowOf", { set: id, spec: ALL, key: "gen_key1" }, context())).toBe(5);
    expect(
      await engine.call(
        "edit.versionRowOf",
        { set: id, spec: { show: "added", text: "" }, key: "gen_key1" },
        context(),
      ),
    ).toBe(-1);
  });
});

describe("hovering over a template", () => {
  it("is the value for the row", async () => {
    const { engine, edit } = await opened(EXAMPLE);
    const { set } = await edit(EXAMPLE);
    const over = async (part: string, key?: string) =>
      await engine.call(
        "edit.hoverText",
        { set: set?.id ?? -1, text: EXAMPLE, offset: EXAMPLE.indexOf(part) + 1, key },
        context(),
      );
    expect((await over("(i + 1)", "gen_key2"))?.lines).toEqual([
      "i: dimension, 0 … 4, 5 values",
      "\t(i + 1) * 1000",
      "\t= 3000 → offset 3000 (int)",
      "for i = 2",
    ]);
    expect((await over("u}}_", "gen_key3"))?.lines).toContain('\t"http://server.domain/path_3"');
    expect((await over("f(c="))?.lines).toContain("f(c): function template");
    expect((await over('http://{{u}}"'))?.lines).toEqual(['\t"http://server.domain/path"']);
    expect(await over("target_url")).toBeUndefined();
  });
});

describe("other readers", () => {
  it("fsspec's default mode refuses the specification's example, and says on which key", async () => {
    const { engine, edit, rows } = await opened(EXAMPLE);
    const { set } = await edit(EXAMPLE);
    const readers = await engine.call("edit.readers", { set: set?.id ?? -1 }, context());
    expect(readers.simple.outcome.kind).toBe("refuses");
    expect(readers.simple.first).toBe("key3");
    expect(readers.javascript.outcome.kind).toBe("unknown");
    const differing = await rows(set?.id, { show: "differ", text: "" });
    expect(differing.map(({ simple }) => simple.kind)).toEqual(["raises", ...Array.from({ length: 5 }, () => "lost")]);
  });

  it("a set without templates is portable once JavaScript has answered alike", async () => {
    const { engine, base } = await opened(
      '{".zgroup":"{\\"zarr_format\\":2}","a/0":["x",0,1],"a/1":["x"],"b":"base64:AAA="}',
    );
    const document = await engine.call("edit.javascriptDocument", { set: base }, context());
    if (!("bytes" in document)) throw new Error(document.unavailable);
    const refs = Object.entries(JSON.parse(new TextDecoder().decode(document.bytes)) as Record<string, unknown>);
    const bytes = new TextEncoder().encode(JSON.stringify({ refs }));
    expect((await engine.call("edit.javascriptAnswer", { set: base, answer: { bytes } }, context())).portable).toBe(
      true,
    );
  });

  it("JavaScript's values are shown where they are others, lost or too many", async () => {
    const { engine, edit, rows } = await opened(EXAMPLE);
    const { set } = await edit(EXAMPLE);
    const id = set?.id ?? -1;
    const range = (url: string, offset: unknown) => [url, offset, 1000];
    const refs = [
      ["key0", "data"],
      ["key1", ["http://target_url", 10000, 100]],
      ["key2", ["http://server.domain/path", 10000, 100]],
      ["key3", ["http://[object]", 10000, 100]],
      ["gen_key0", range("http://server.domain/path_0", 1000)],
      ["gen_key1", range("http://server.domain/path_1", { $: "NaN" })],
      ["__proto__", "x"],
    ];
    const bytes = new TextEncoder().encode(JSON.stringify({ refs }));
    const { javascript } = await engine.call("edit.javascriptAnswer", { set: id, answer: { bytes } }, context());
    expect(javascript).toEqual({ outcome: { kind: "differs", other: 2, lost: 3, extra: 1 }, first: "key3" });
    const all = await rows(id);
    expect(all[3]?.javascript).toEqual({ kind: "other", value: '["http://[object]", 10000, 100]' });
    expect(all[5]?.javascript).toEqual({ kind: "other", value: '["http://server.domain/path_1", NaN, 1000]' });
    expect(all[6]?.javascript).toEqual({ kind: "lost" });
  });

  it("untrusted answers are refused as unknown", async () => {
    const { engine, base } = await opened(EXAMPLE);
    for (const text of ["", "null", "{}", '{"refs":5}', '{"refs":[[1,2]]}', '{"refs":{"length":1}}']) {
      const { javascript } = await engine.call(
        "edit.javascriptAnswer",
        { set: base, answer: { bytes: new TextEncoder().encode(text) } },
        context(),
      );
      expect(javascript.outcome.kind).toBe("unknown");
    }
    const error = new TextEncoder().encode('{"error":{"name":"TypeError","message":"no"}}');
    const { javascript } = await engine.call(
      "edit.javascriptAnswer",
      { set: base, answer: { bytes: error } },
      context(),
    );
    expect(javascript.outcome).toEqual({ kind: "refuses", error: "TypeError: no" });
  });
});

describe("what is exported", () => {
  it("opens again as the same set, flattened or as typed", async () => {
    const { engine, edit, rows } = await opened("{}");
    const document = EXAMPLE.replace('"key0": "data"', `"gen_key/.zarray": ${GRID}`).replace(
      "gen_key{{i}}",
      "gen_key/{{i}}",
    );
    const { set } = await edit(document);
    const shown = (list: readonly VersionRow[]) =>
      list.map(({ key, target, offset, length }) => [key, target, offset, length]);
    const expected = shown(await rows(set?.id));
    for (const form of ["version0", "version1-flat", "version1"] as const) {
      const request = { set: set?.id ?? -1, text: document, form, compression: "gzip" } as const;
      const { blob, name, references } = await engine.call("write.export", request, context());
      if (form !== "version1") expect(references).toBe(9);
      const source: OpenSource = { kind: "files", files: [{ path: name, blob: blob ?? new Blob() }] };
      const again = await engine.call("set.open", { source, locations: NO_LOCATIONS }, context());
      if (again.kind !== "set") throw new Error("no set");
      expect(shown(await rows(again.set.id))).toEqual(expected);
    }
  });
});

describe("text edits through the engine", () => {
  it("give the draft that the table edit means", async () => {
    const { engine, edit, rows } = await opened(EXAMPLE);
    const edits = await engine.call(
      "edit.textEdits",
      { text: EXAMPLE, edit: { kind: "set-reference", key: "key1", value: '["n", 1, 2]' } },
      context(),
    );
    const { set } = await edit(applyTextEdits(EXAMPLE, edits));
    expect((await rows(set?.id))[1]).toMatchObject({ key: "key1", target: "n", offset: 1, length: 2 });
    await expect(
      engine.call(
        "edit.textEdits",
        { text: EXAMPLE, edit: { kind: "set-reference", key: "k", value: "[1," } },
        context(),
      ),
    ).rejects.toMatchObject({ code: "reference-not-json" });
  });
});
