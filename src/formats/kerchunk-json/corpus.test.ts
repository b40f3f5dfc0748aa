/** Every Kerchunk JSON file of the corpus, key by key against JSON.parse. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { corpus, corpusFiles } from "#core/testing/corpus.ts";
import { plainRows, readText, type PlainReference } from "./testing.ts";
import type { KerchunkDocument } from "./interpret.ts";
import { inlineOfText } from "./inline.ts";

type Plain = Record<string, unknown>;
const isObject = (value: unknown): value is Plain =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function lenientParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return JSON.parse(
      text.replace(/"(?:[^"\\]|\\.)*"|\bNaN\b|,(?=\s*[}\]])/g, (m) => (m[0] === '"' ? m : m === "," ? "" : "null")),
    );
  }
}

/** The references that a plain JSON reader sees. */
function expectedOf(set: Plain): Map<string, unknown> {
  const refs = "version" in set ? (set["refs"] as Plain) : set;
  return new Map(Object.entries(refs));
}

function compare(document: KerchunkDocument, expected: Map<string, unknown>): void {
  expect(document.keys).toBe(expected.size);
  for (const [key, value] of plainRows(document.table))
    expect({ key, value }).toEqual({ key, value: plain(expected.get(key)) });
  for (const { key, value } of document.metadata) {
    const written = expected.get(key);
    if (value.kind === "inline") {
      const text = new TextDecoder().decode(value.bytes);
      if (isObject(written)) expect(lenientParse(text)).toEqual(written);
      else expect(value.bytes).toEqual(inlineOfText(written as string).bytes);
    } else if (value.kind === "whole") expect([value.target]).toEqual(written);
    else if (value.kind === "range") expect([value.target, value.offset, value.length]).toEqual(written);
    else throw new Error(`${key} is ${JSON.stringify(value)}`);
  }
}

const plain = (value: unknown): PlainReference => (isObject(value) ? JSON.stringify(value) : (value as PlainReference));

describe(corpus.title, () => {
  const files = corpusFiles().filter((path) => /\.json(?:\.gz)?$/.test(path));
  let sets = 0;
  test.each(files)("%s", async (path) => {
    const raw = readFileSync(join(corpus.folder, path));
    const bytes = path.endsWith(".gz") ? gunzipSync(raw) : raw;
    for (const scanner of ["js", "wasm"] as const) {
      let read;
      try {
        read = await readText(new Uint8Array(bytes), { scanner }, 100_003);
      } catch (error) {
        // JSON.parse must refuse the same documents.
        expect(() => JSON.parse(bytes.toString()) as unknown).toThrow();
        expect(String(error)).toMatch(/json-|RefscopeError/);
        continue;
      }
      if (read.kind === "other") {
        const value = bytes.length === 0 ? undefined : lenientParse(bytes.toString());
        const isSet = isObject(value) && (isObject(value["refs"]) || ".zgroup" in value);
        expect(isSet).toBe(false);
        continue;
      }
      const value = lenientParse(bytes.toString());
      if (read.kind === "set") {
        compare(read.document, expectedOf(value as Plain));
        sets += 1;
        continue;
      }
      const inner = Array.isArray(value) ? value : Object.values(value as Plain);
      expect(read.choices).toHaveLength(inner.length);
      for (const index of [0, inner.length - 1]) {
        const choice = read.choices[index]?.id ?? "";
        const chosen = await readText(new Uint8Array(bytes), { scanner, choice });
        if (chosen.kind !== "set") throw new Error(JSON.stringify(chosen));
        compare(chosen.document, expectedOf(inner[index] as Plain));
      }
    }
  });
  test("many were sets", () => expect(sets).toBeGreaterThan(corpus.isWhole ? 150 : 15));
});
