import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isTest, sourceFiles } from "../../../../tools/import-graph.mjs";
import { describeCode } from "../code-list.ts";
import recorded from "../examples.json" with { type: "json" };
import { CATALOGUE, type Code } from "./index.ts";

const CODES = Object.keys(CATALOGUE) as readonly Code[];

describe("the catalogue", () => {
  it.each(CODES)("explains its example of %s", (code) => {
    const { title, example, remedy, readers } = describeCode(code) ?? expect.fail("no example");
    expect(code).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
    expect(title).toMatch(/^(?:[^a-z]|(?:fsspec(?:'s)?|gen|gribberish|record_size) ).*[^.]$/);
    for (const text of [example.message, readers, ...(remedy === undefined ? [] : [remedy])]) {
      expect(text).toMatch(/[.?!)”]$/);
      expect(text).not.toMatch(/undefined|\[object|\bnull null\b|NaN bytes| {2}|\.\.$/);
    }
  });

  it("has no example of a code that is not in it", () => {
    expect(Object.keys(recorded)).toEqual(CODES.toSorted());
  });

  it("has no code that is in no test", () => {
    const stories = sourceFiles({ folders: [join(import.meta.dirname, "../../../../e2e")], tests: true });
    const tests = [...sourceFiles({ tests: true }).filter(isTest), ...stories];
    const words = new Set(tests.flatMap((path) => readFileSync(path, "utf8").match(/[a-z0-9]+(?:-[a-z0-9]+)*/g) ?? []));
    expect(CODES.filter((code) => !words.has(code))).toEqual([]);
  });
});
