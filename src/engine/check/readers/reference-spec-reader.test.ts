/**
 * Tests of templates in the installed reference-spec-reader: alone, as zarrita uses it, and with nunjucks, as in its
 * README.
 */
import nunjucks from "nunjucks";
import { parse } from "reference-spec-reader";
import { describe, expect, it } from "vitest";

const U = "https://h/f?a=1&b=2";

/** The value of one key, of a document with one template and one gen over `i` from 5 on. */
function made(template: string, render?: (template: string, context: object) => string): unknown {
  const gen = [{ key: "k{{i}}", url: "{{u}}", offset: template, length: "1", dimensions: { i: [5] } }];
  const document = { version: 1, templates: { u: U }, gen, refs: {} };
  return (parse as (document: unknown, render?: unknown) => Map<string, unknown>)(document, render).get("k5");
}

function url(template: string, render?: (template: string, context: object) => string): unknown {
  const document = { version: 1, templates: { u: U }, refs: { k: [template, 0, 1] } };
  return (parse as (document: unknown, render?: unknown) => Map<string, unknown>)(document, render).get("k");
}

const byNunjucks = (template: string, context: object) => nunjucks.renderString(template, context);

describe("reference-spec-reader alone", () => {
  it("renders names and arithmetic", () => {
    expect(url("{{ u }}")).toEqual([U, 0, 1]);
    expect(made("{{ i * 10 }}")).toEqual([U, 50, 1]);
  });

  it("throws on names that are not defined, and on what goes beyond arithmetic", () => {
    expect(() => url("{{ uu }}/f")).toThrow();
    expect(() => made("{{ '%03d' % i }}")).toThrow();
    expect(() => made("{{ i // 2 }}")).toThrow();
  });

  it("makes code of templates: the constructor of functions is called", () => {
    const before = globalThis.Function;
    let calls = 0;
    globalThis.Function = new Proxy(before, {
      apply: (target, self, args) => ((calls += 1), Reflect.apply(target, self, args) as unknown),
      construct: (target, args) => ((calls += 1), Reflect.construct(target, args) as object),
    });
    try {
      made("{{ i * 10 }}");
    } finally {
      globalThis.Function = before;
    }
    expect(calls).toBeGreaterThan(0);
  });

  it("runs through the first dimension fastest, so that another of two entries for one key wins", () => {
    const gen = [{ key: "k", url: "{{a}}{{b}}", dimensions: { a: [0, 1], b: [0, 1] } }];
    const urls: unknown[] = [];
    const document = { version: 1, gen: [{ ...gen[0], key: "k{{a}}{{b}}" }], refs: {} };
    urls.push(...(parse as unknown as (document: unknown) => Map<string, unknown>)(document).keys());
    // fsspec: k00, k01, k10, k11.
    expect(urls).toEqual(["k00", "k10", "k01", "k11"]);
  });
});

describe("with nunjucks, as its README has it", () => {
  it("escapes & in addresses", () => {
    expect(url("{{ u }}", byNunjucks)).toEqual(["https://h/f?a=1&amp;b=2", 0, 1]);
  });

  it("computes otherwise than Jinja2", () => {
    // Jinja2: 10, 005 and 9007199254740994.
    expect(made("{{ 7 * 3 // 2 }}", byNunjucks)).toEqual([expect.anything(), 7, 1]);
    expect(made("{{ '%03d' % i }}", byNunjucks)).toEqual([expect.anything(), NaN, 1]);
    expect(made("{{ 9007199254740993 + 1 }}", byNunjucks)).toEqual([expect.anything(), 9007199254740992, 1]);
  });

  it("knows no methods of Python", () => {
    expect(() => made("{{ (i|string).zfill(3) }}", byNunjucks)).toThrow();
  });
});
