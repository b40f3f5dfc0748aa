import { describe, expect, it } from "vitest";
import { explained } from "../explain.ts";
import { CATALOGUE, entryOf, type Code } from "./index.ts";

const CODES = Object.keys(CATALOGUE) as readonly Code[];

describe("the catalogue", () => {
  it.each(CODES)("explains its example of %s", (code) => {
    const { place, facts } = entryOf(code)?.example ?? expect.fail("no entry");
    const { title, message, remedy, readers } = explained({ code, place, facts, count: 1 });
    expect(code).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
    expect(title).toMatch(/^[^a-z].*[^.]$/);
    for (const text of [message, readers, ...(remedy === undefined ? [] : [remedy])]) {
      expect(text).toMatch(/[.?!)”]$/);
      expect(text).not.toMatch(/undefined|\[object|\bnull null\b|NaN bytes| {2}|\.\.$/);
    }
  });
});
