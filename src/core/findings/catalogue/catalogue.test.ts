import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isTest, sourceFiles } from "../../../../tools/import-graph.mjs";
import { explained } from "../explain.ts";
import { CATALOGUE, entryOf, type Code } from "./index.ts";

const CODES = Object.keys(CATALOGUE) as readonly Code[];

describe("the catalogue", () => {
  it.each(CODES)("explains its example of %s", (code) => {
    const { place, facts } = entryOf(code)?.example ?? expect.fail("no entry");
    const { title, message, remedy, readers } = explained({ code, place, facts, count: 1 });
    expect(code).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
    expect(title).toMatch(/^(?:[^a-z]|(?:fsspec|gen|gribberish|record_size) ).*[^.]$/);
    for (const text of [message, readers, ...(remedy === undefined ? [] : [remedy])]) {
      expect(text).toMatch(/[.?!)”]$/);
      expect(text).not.toMatch(/undefined|\[object|\bnull null\b|NaN bytes| {2}|\.\.$/);
    }
  });

  it("has no code that is in no test", () => {
    const stories = sourceFiles({ folder: join(import.meta.dirname, "../../../../e2e"), tests: true });
    const tests = [...sourceFiles({ tests: true }).filter(isTest), ...stories];
    const words = new Set(tests.flatMap((path) => readFileSync(path, "utf8").match(/[a-z0-9]+(?:-[a-z0-9]+)*/g) ?? []));
    expect(CODES.filter((code) => !words.has(code))).toEqual([]);
  });
});
