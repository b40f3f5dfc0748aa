/** The schema, asked through the JSON service that the editor has. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { referenceSetSchema } from "./schema.ts";
import { snippets, snippetText } from "./snippets.ts";

interface Document {
  positionAt(offset: number): unknown;
}

interface Service {
  configure(settings: unknown): void;
  parseJSONDocument(document: Document): unknown;
  doValidation(document: Document, json: unknown, settings: unknown): Promise<readonly { readonly message: string }[]>;
  doComplete(
    document: Document,
    position: unknown,
    json: unknown,
  ): Promise<{
    readonly items: readonly { readonly label: string; readonly textEdit: { readonly newText: string } }[];
  }>;
  doHover(
    document: Document,
    position: unknown,
    json: unknown,
  ): Promise<{ readonly contents: readonly string[] } | null>;
}

const packages = new URL("../../node_modules/monaco-editor/esm/external/", import.meta.url);
const load = async (path: string): Promise<Record<string, unknown>> =>
  (await import(new URL(path, packages).href)) as Record<string, unknown>;
const { getLanguageService } = (await load("vscode-json-languageservice/lib/esm/jsonLanguageService.js")) as {
  getLanguageService: (parameters: object) => Service;
};
const { TextDocument } = (await load("vscode-languageserver-textdocument/lib/esm/main.js")) as unknown as {
  TextDocument: { create: (uri: string, language: string, version: number, text: string) => Document };
};

const service = getLanguageService({});
service.configure({
  validate: true,
  schemas: [{ uri: "inmemory://schema/reference-set.json", fileMatch: ["*"], schema: referenceSetSchema() }],
});

const open = (text: string) => TextDocument.create("inmemory://document.json", "json", 1, text);

async function problems(text: string): Promise<string[]> {
  const document = open(text);
  const settings = { schemaValidation: "warning", schemaRequest: "ignore" };
  const found = await service.doValidation(document, service.parseJSONDocument(document), settings);
  return found.map(({ message }) => message);
}

async function completions(marked: string) {
  const document = open(marked.replace("▮", ""));
  const position = document.positionAt(marked.indexOf("▮"));
  const { items } = await service.doComplete(document, position, service.parseJSONDocument(document));
  return items.map(({ label, textEdit }) => ({ label, text: textEdit.newText }));
}

const labels = async (marked: string) => (await completions(marked)).map(({ label }) => label);

async function hover(marked: string): Promise<string> {
  const document = open(marked.replace("▮", ""));
  const position = document.positionAt(marked.indexOf("▮"));
  const hover = await service.doHover(document, position, service.parseJSONDocument(document));
  return (hover?.contents ?? []).join(" ").replaceAll("\\", "");
}

interface Recorded {
  readonly id: string;
  readonly spec: string;
  readonly refs?: unknown;
}

/** The placeholders of a snippet filled with what they suggest. */
function filled(snippet: string): string {
  return snippet.replaceAll(/\$\{\d+:((?:[^}\\]|\\.)*)\}/g, "$1").replaceAll("$0", "");
}

describe("problems", () => {
  test("none in any recorded document that fsspec reads", async () => {
    const file = new URL("../engine/render/fixtures/recorded-documents.json", import.meta.url);
    const { specs } = JSON.parse(readFileSync(file, "utf8")) as { specs: readonly Recorded[] };
    const read = specs.filter(({ refs }) => refs !== undefined);
    expect(read.length).toBeGreaterThan(200);
    const flagged: string[] = [];
    for (const { id, spec } of read) {
      const found = (await problems(spec)).filter((message) => message !== "Duplicate object key");
      // Python's NaN and Infinity are not JSON; the editor leaves those marks out.
      if (found.length > 0 && !/NaN|Infinity/.test(spec)) flagged.push(`${id}: ${found.join(" ")}`);
    }
    expect(flagged).toEqual([]);
  });

  test("some in recorded documents that fsspec refuses", async () => {
    expect(await problems('{"version": "1", "refs": {}}')).toEqual([expect.stringContaining("fsspec reads version 1")]);
    expect(await problems('{"version": 2}')).toHaveLength(1);
    expect(await problems('{"version": 1, "templates": {"u": 5}}')).toEqual([
      expect.stringContaining("must be a string"),
    ]);
    expect(await problems('{"version": 1, "gen": [{"key": "a", "url": "b"}]}')).toHaveLength(1);
    expect(await problems('{"version": 1, "gen": {"key": "a"}}')).toEqual(["gen must be a list of entries."]);
  });

  test("offset and length must be strings", async () => {
    const gen = (offset: string) =>
      `{"version": 1, "gen": [{"key": "a", "url": "b", "offset": ${offset}, "length": "1", "dimensions": {"i": {"stop": 2}}}]}`;
    expect(await problems(gen('"5"'))).toEqual([]);
    expect(await problems(gen("5"))).toEqual([expect.stringContaining("offset must be a string")]);
  });

  test("dimensions are ranges of whole numbers or lists", async () => {
    const gen = (dimension: string) =>
      problems(`{"version": 1, "gen": [{"key": "a", "url": "b", "dimensions": {"i": ${dimension}}}]}`);
    for (const fine of ['{"stop": 2}', '{"start": -1, "stop": 2, "step": -1}', '[1.5, "a", null, [1]]', "[]"]) {
      expect(await gen(fine), fine).toEqual([]);
    }
    for (const wrong of [
      "5",
      '"a"',
      "null",
      '{"start": 1}',
      '{"stop": 1.5}',
      '{"stop": "5"}',
      '{"stop": 5, "step": 0}',
    ]) {
      expect(await gen(wrong), wrong).toHaveLength(1);
    }
  });

  test("none in Version 0, whatever its keys and values", async () => {
    for (const text of [
      "{}",
      '{"version": null, "gen": 5, "templates": 1}',
      '{"gen": {"a": 1}, "refs": [1], "a": null, "b": {"offset": 1}}',
      '{".zgroup": {"zarr_format": 2}, "a/0": ["u", "1", "2"], "b": 5}',
    ]) {
      expect(await problems(text), text).toEqual([]);
    }
  });
});

describe("completion", () => {
  test("members, those that are there left out", async () => {
    expect(await labels("{▮}")).toEqual(["version", "templates", "gen", "refs"]);
    expect(await labels('{"version": 1, "refs": {}, "▮"}')).toEqual(["templates", "gen"]);
    expect(await labels('{"version": 1, "gen": [{"url": "", ▮}]}')).toEqual(["key", "offset", "length", "dimensions"]);
  });

  test("every skeleton is a document without problems", async () => {
    for (const { bodyText } of snippets.documents) {
      const text = filled(bodyText);
      expect(() => JSON.parse(text) as unknown, text).not.toThrow();
      expect(await problems(text), text).toEqual([]);
    }
    for (const { label, text } of await completions("{▮}")) {
      const document = `{"version": 1, ${label === "version" ? '"refs": {}' : filled(text)}}`;
      expect(() => JSON.parse(document) as unknown, document).not.toThrow();
      expect(await problems(document), document).toEqual([]);
    }
  });

  test("entries of gen, values of dimensions, references", async () => {
    expect(await labels('{"version": 1, "gen": [▮]}')).toEqual([
      "gen entry: ranges of bytes",
      "gen entry: whole targets",
    ]);
    expect(await labels('{"version": 1, "gen": [{"dimensions": {"i": ▮}}]}')).toContain("list of values");
    expect(await labels('{"version": 1, "refs": {"a": ▮}}')).toContain("[url, offset, length]");
    expect(await completions('{"▮"}')).toContainEqual({ label: "version", text: '"version": 1' });
  });
});

describe("hover", () => {
  test("describes members and fields, in Version 0 references", async () => {
    expect(await hover('{"ver▮sion": 1}')).toContain("Version of the reference set");
    expect(await hover('{"version": 1, "gen": [{"off▮set": "1", "dimensions": {}}]}')).toContain("Python's int()");
    expect(await hover('{"version": 1, "gen": [{"dimensions": {"i": {"st▮op": 1}}}]}')).toContain("excluded");
    expect(await hover('{"a▮": ["u"]}')).toContain("A reference");
  });
});

test("only $0 means something in a suggestion's text", () => {
  expect(snippetText("f($0)")).toBe("f($0)");
  expect(snippetText("a}$1\\n$0")).toBe(String.raw`a\}\$1\\n$0`);
});
