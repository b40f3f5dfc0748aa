import { type FactsOf, targetAt } from "#core/findings/finding.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { GeneratedEntry, Version1Renderer } from "#core/table/version1.ts";
import { makeRenderer, type RenderOptions } from "./renderer.ts";
import { EXAMPLE } from "#core/testing/specification-example.ts";
import { processorTime } from "#core/testing/processor-time.ts";

function rendererOf(templates: unknown, gen: unknown, options?: RenderOptions): Version1Renderer {
  const text = (value: unknown): string | undefined => (value === undefined ? undefined : JSON.stringify(value));
  return makeRenderer({ templates: text(templates), gen: text(gen) }, options);
}

function entriesOf(renderer: Version1Renderer, from = 0): [number, GeneratedEntry][] {
  const entries: [number, GeneratedEntry][] = [];
  renderer.generate(from, (entry, ordinal) => {
    entries.push([ordinal, entry]);
    return true;
  });
  return entries;
}

const codes = (renderer: Version1Renderer): string[] => renderer.findings().map(({ code }) => code);

/** "ZeroDivisionError: division by zero" of each finding. */
const raised = (renderer: Version1Renderer) =>
  renderer.findings().map(({ facts }) => {
    const { raises, error } = facts as FactsOf<"gen-fails">;
    return `${raises}: ${error}`;
  });

describe("the specification's example", () => {
  const renderer = rendererOf(EXAMPLE.templates, EXAMPLE.gen);

  it("makes the entries printed in the specification", () => {
    expect(renderer.size).toBe(5);
    expect(entriesOf(renderer).map(([, entry]) => entry)).toEqual(
      [0, 1, 2, 3, 4].map((i) => ({
        key: `gen_key${i}`,
        url: `http://server.domain/path_${i}`,
        offset: (i + 1) * 1000,
        length: 1000,
      })),
    );
  });

  it("renders URLs of refs", () => {
    expect(renderer.url("http://{{u}}")).toEqual({ kind: "url", url: "http://server.domain/path" });
    expect(renderer.url("http://{{f(c='text')}}")).toEqual({ kind: "url", url: "http://text" });
    expect(renderer.url("{% if u %}")).toEqual({ kind: "url", url: "{% if u %}" });
    expect(renderer.findings()).toEqual([]);
  });

  it("stops where asked to and goes on from there", () => {
    const seen: number[] = [];
    expect(renderer.generate(1, (_, ordinal) => seen.push(ordinal) < 2)).toBe(false);
    expect(seen).toEqual([1, 2]);
    expect(entriesOf(renderer, 3).map(([ordinal, { key }]) => [ordinal, key])).toEqual([
      [3, "gen_key3"],
      [4, "gen_key4"],
    ]);
  });
});

describe("URLs without compiling", () => {
  const templates = { u: "a", é: "e", "1": "one", not: "n", True: "t", f: "{{c}}", b: "x\n" };
  const renderer = rendererOf(templates, undefined);

  it.each([
    ["{{u}}/{{ u }}/x", "a/a/x"],
    ["{{é}}{{1}}{{True}}{{none}}", "e1TrueNone"],
    ["{{u}}\n", "a"],
    ["{{b}}", "x\n"],
    ["{{u}}}}{", "a}}{"],
    ["{#{{u}}#}{{u}}", "a"],
    ["{{b}}\r\n{{u}}", "x\n\na"],
  ])("renders %j as Jinja2 does", (written, url) => {
    expect(renderer.url(written)).toEqual({ kind: "url", url });
  });

  it.each(["{{{u}}}", "{{not}}", "{{u", "{%{{u}}"])("refuses %j as Jinja2 does", (written) => {
    const rendered = renderer.url(written);
    expect(rendered.kind === "fault" && rendered.error).toMatch(/^TemplateSyntaxError: /);
  });

  it("refuses all where a template is named self", () => {
    expect(rendererOf({ u: "a", self: "b" }, undefined).url("{{u}}").kind).toBe("fault");
  });
});

describe("dimensions", () => {
  const keys = (dimensions: unknown): string[] =>
    entriesOf(rendererOf(undefined, [{ key: "{{i}}", url: "u", dimensions }])).map(([, { key }]) => key);

  it("takes any JSON value from lists", () => {
    expect(keys({ i: [1, "a", true, null, 2.5, [1, { a: 1 }]] })).toEqual([
      "1",
      "a",
      "True",
      "None",
      "2.5",
      "[1, {'a': 1}]",
    ]);
  });

  it("counts up and down", () => {
    expect(keys({ i: { start: 5, stop: 0, step: -2 } })).toEqual(["5", "3", "1"]);
    expect(keys({ i: { start: 0, stop: 7, step: 3 } })).toEqual(["0", "3", "6"]);
    expect(keys({ i: { start: 5, stop: 0 } })).toEqual([]);
  });

  it("makes one entry of none", () => {
    expect(keys({})).toEqual([""]);
    expect(keys({ i: { stop: 2 }, j: [] })).toEqual([]);
  });

  it("is exact beyond 2^53", () => {
    const gen = `[{"key": "{{i}}", "url": "u", "offset": "{{i}}", "length": "-1", "dimensions": {"i": {"start": 9007199254740992, "stop": 9007199254740994}}}]`;
    const entries = entriesOf(makeRenderer({ templates: undefined, gen }));
    expect(entries.map(([, { key }]) => key)).toEqual(["9007199254740992", "9007199254740993"]);
    expect(entries.map(([, { offset }]) => offset)).toEqual([9007199254740992n, 9007199254740993n]);
    expect(entries[0]?.[1].length).toBe(-1);
  });

  it.each([
    [{ i: { start: 1 } }, "KeyError: 'stop'"],
    [{ i: { stop: 3, step: 0 } }, "ValueError: range() arg 3 must not be zero"],
    [{ i: { stop: "3" } }, "TypeError: 'str' object cannot be interpreted as an integer"],
    [{ i: { stop: 1.5 } }, "TypeError: 'float' object cannot be interpreted as an integer"],
    [{ i: 3 }, "AttributeError: 'int' object has no attribute 'get'"],
    [null, "AttributeError: 'NoneType' object has no attribute 'items'"],
  ])("refuses %j as Python does", (dimensions, message) => {
    const renderer = rendererOf(undefined, [{ key: "k", url: "u", dimensions }]);
    expect(codes(renderer)).toEqual(["gen-fails"]);
    expect(raised(renderer)).toEqual([message]);
  });
});

describe("faults", () => {
  it("ends the gen that fails and goes on with the next, whose ordinals are kept", () => {
    const failing = { key: "a{{i}}", url: "{{ 1 // (2 - i) }}", dimensions: { i: { stop: 5 } } };
    const renderer = rendererOf(undefined, [failing, { key: "b", url: "u", dimensions: {} }]);
    expect(entriesOf(renderer).map(([ordinal, { key }]) => [ordinal, key])).toEqual([
      [0, "a0"],
      [1, "a1"],
      [5, "b"],
    ]);
    expect(entriesOf(renderer, 3)).toHaveLength(1);
    expect(codes(renderer)).toEqual(["gen-fails"]);
    expect(renderer.findings()[0]).toMatchObject({
      place: { kind: "gen", index: 0 },
      facts: { raises: "ZeroDivisionError", variables: [{ name: "i", value: "2" }] },
    });
  });

  it.each([
    [{ offset: "1" }, "ValueError: Both 'offset' and 'length' are required"],
    [{ offset: "{{ i / 2 }}", length: "1" }, "ValueError: invalid literal for int() with base 10: '0.0'"],
    [{ offset: 1, length: 2 }, "TypeError: Can't compile non template nodes"],
    [{ key: undefined }, "KeyError: 'key'"],
    [{ dimensions: { i: [1], self: [1] } }, "TypeError: Template.render() got multiple values for argument 'self'"],
    [{ dimensions: { u: [1] } }, "TypeError: jinja2.environment.Template.render() got multiple values for keyword"],
    [{ url: "{{ '" }, "TemplateSyntaxError: "],
  ])("refuses %j as fsspec does", (member, message) => {
    const gen = [{ key: "k{{i}}", url: "u", dimensions: { i: { stop: 2 } }, ...member }];
    const renderer = rendererOf({ u: "a" }, gen);
    expect(entriesOf(renderer)).toEqual([]);
    expect(raised(renderer)).toEqual([expect.stringContaining(message)]);
  });

  it("reports each URL that fails once", () => {
    const renderer = rendererOf({ u: "a" }, undefined);
    expect(renderer.url("{{ u.x.y }}")).toMatchObject({
      kind: "fault",
      error: expect.stringMatching(/^UndefinedError: /) as string,
    });
    renderer.url("{{ u.x.y }}");
    expect(renderer.findings()).toHaveLength(1);
    expect(renderer.findings()[0]).toMatchObject({ code: "url-fails", place: targetAt("{{ u.x.y }}") });
  });

  it("keeps the templates that are sound", () => {
    const renderer = rendererOf({ u: "a", n: 5 }, undefined);
    expect(renderer.url("{{u}}")).toEqual({ kind: "url", url: "a" });
    expect(codes(renderer)).toEqual(["template-fails"]);
  });

  it.each(["null", "[]", "5", '"x"', "[nonsense"])("never throws for templates %s", (templates) => {
    const renderer = makeRenderer({ templates, gen: templates });
    expect(renderer.hasTemplates).toBe(false);
    expect(entriesOf(renderer)).toEqual([]);
    expect(codes(renderer)).toContain("template-fails");
  });
});

describe("limits", () => {
  const dimensions = { i: { stop: 1000 }, j: { stop: 1000 }, k: { stop: 1000 } };

  it("counts before it makes anything", () => {
    const renderer = rendererOf(undefined, [{ key: "k", url: "u", dimensions }]);
    expect(renderer.size).toBe(1e9);
    expect(entriesOf(renderer)).toEqual([]);
    expect(renderer.findings()[0]?.facts).toMatchObject({ references: 1_000_000_000n, limit: 10_000_000 });
    expect(codes(renderer)).toEqual(["gen-too-large"]);
  });

  it("has a limit that can be moved", () => {
    const gen = [{ key: "k{{i}}", url: "u", dimensions: { i: { stop: 4 } } }];
    expect(entriesOf(rendererOf(undefined, gen, { most: 4 }))).toHaveLength(4);
    expect(entriesOf(rendererOf(undefined, gen, { most: 3 }))).toHaveLength(0);
  });

  it("ends where the text grows too large, the second time too", () => {
    const gen = [{ key: "k{{i}}", url: "{{ 'x' * 100 }}", dimensions: { i: { stop: 100 } } }];
    const renderer = rendererOf(undefined, [...gen, ...gen], { maxCharacters: 1000 });
    expect(entriesOf(renderer)).toHaveLength(9);
    expect(entriesOf(renderer)).toHaveLength(9);
    expect(codes(renderer)).toEqual(["gen-too-much-text"]);
  });

  it("ends a hostile entry at once", () => {
    const renderer = rendererOf(undefined, [{ key: "k", url: "{{ 'a' * 10 ** 10 }}", dimensions: { i: { stop: 9 } } }]);
    const started = processorTime();
    expect(entriesOf(renderer)).toEqual([]);
    expect(processorTime() - started).toBeLessThan(5000);
    expect(renderer.findings()[0]?.facts).toMatchObject({ raises: undefined, limit: "budget" });
  });
});

describe("notes", () => {
  const notes = (renderer: Version1Renderer) => {
    entriesOf(renderer);
    return renderer.findings().map(({ code, place, facts }) => ({ code, place, facts }));
  };

  it("names undefined names and the nearest known one", () => {
    const renderer = rendererOf({ server: "a" }, [{ key: "{{ii}}", url: "{{sever}}", dimensions: { i: [1] } }]);
    expect(notes(renderer)).toEqual([
      {
        code: "name-undefined",
        place: { kind: "gen", index: 0, field: "key" },
        facts: { name: "ii", known: ["i", "server"], nearest: "i" },
      },
      {
        code: "name-undefined",
        place: { kind: "gen", index: 0, field: "url" },
        facts: { name: "sever", known: ["i", "server"], nearest: "server" },
      },
    ]);
  });

  it("takes no name of Jinja2's for undefined", () => {
    const gen = [
      {
        key: "{{ range(3) | join }}{{ self }}",
        url: "{% for a in range(i) %}{{ a }}{% endfor %}",
        dimensions: { i: [1] },
      },
    ];
    expect(notes(rendererOf(undefined, gen))).toEqual([]);
  });

  it("notes functions that are printed, and what they do not see", () => {
    const renderer = rendererOf({ u: "a", v: "{{u}}/b" }, undefined);
    expect(renderer.url("{{v}}")).toEqual({
      kind: "url",
      url: "<function ReferenceFileSystem._process_templates.<locals>.<lambda> at 0x..>",
    });
    expect(renderer.url("{{v()}}")).toEqual({ kind: "url", url: "/b" });
    expect(renderer.url("{{v(u=u)}}")).toEqual({ kind: "url", url: "a/b" });
    expect(codes(renderer)).toEqual(["function-not-called", "argument-missing"]);
  });
});

describe("function templates", () => {
  const renderer = rendererOf({ u: "a", f: "{{c}}-{{u}}", s: "fixed" }, undefined);

  it.each([
    ["{{ f(c=1) }}", "1-"],
    ["{{ f('{{ 1 + 1 }}') }}", "2"],
    ["{{ f(temp='{{ c }}!', c=u) }}", "a!"],
    ["{{ f('') }}|", "|"],
  ])("renders %s", (written, url) => {
    expect(renderer.url(written)).toEqual({ kind: "url", url });
  });

  it.each(["{{ f(1) }}", "{{ f('a', 'b') }}", "{{ f('a', temp='b') }}", "{{ f(self=1) }}", "{{ s() }}"])(
    "raises TypeError for %s",
    (written) => {
      const rendered = renderer.url(written);
      expect(rendered.kind === "fault" && rendered.error).toMatch(/^TypeError: /);
    },
  );

  it("ends where functions call themselves for ever", () => {
    const loop = rendererOf({ f: "{{ f(f=f) }}{{ f(f=f) }}" }, undefined).url("{{ f(f=f) }}");
    expect(loop.kind === "fault" && loop.error).toMatch(/^RecursionError: /);
  });
});

it("renders again what templates changed themselves", () => {
  const gen = [{ key: "{{ l.append(i) or l }}", url: "{{ l | length }}", dimensions: { i: { stop: 2 } } }];
  const entries = entriesOf(rendererOf({ l: [] }, gen));
  expect(entries.map(([, { key, url }]) => [key, url])).toEqual([
    ["[0]", "1"],
    ["[0, 1]", "2"],
  ]);
});

describe("laws", () => {
  const range = fc.record({
    start: fc.integer({ min: -4, max: 4 }),
    stop: fc.integer({ min: -4, max: 5 }),
    step: fc.constantFrom(1, 2, 3, -1, -2),
  });
  const dimension = fc.oneof(range, fc.array(fc.integer({ min: -9, max: 99 }), { maxLength: 4 }));
  const gens = fc.array(fc.record({ a: dimension, b: dimension, c: dimension }), { maxLength: 3 });

  it("equals nested loops", () => {
    fc.assert(
      fc.property(gens, (list) => {
        const expected = list.flatMap((dimensions, gen) => loops(dimensions).map((values) => brute(gen, values)));
        const made = entriesOf(rendererOf({ u: "s3://b" }, list.map(genOf)));
        expect(made.map(([, entry]) => entry)).toEqual(expected);
        expect(made.map(([ordinal]) => ordinal)).toEqual(expected.map((_, ordinal) => ordinal));
      }),
    );
  });

  it("finds from an ordinal what the entry was made of, in any order", () => {
    fc.assert(
      fc.property(gens, fc.integer({ min: 0, max: 200 }), (list, asked) => {
        const renderer = rendererOf({ u: "s3://b" }, list.map(genOf));
        fc.pre(asked < renderer.size);
        const { gen, variables } = renderer.origin(asked);
        const values = variables.map(({ value }) => Number(value));
        const [found] = entriesOf(renderer, asked);
        expect(found).toEqual([asked, brute(gen, values)]);
        expect(variables.map(({ name }) => name)).toEqual(["a", "b", "c"]);
      }),
    );
    expect(() => rendererOf(undefined, undefined).origin(0)).toThrow(RangeError);
  });

  type Dimensions = Record<"a" | "b" | "c", { start: number; stop: number; step: number } | number[]>;

  const genOf = (dimensions: Dimensions, gen: number): unknown => ({
    key: `g${gen}/{{a}}.{{b}}.{{ '%03d' % c }}`,
    url: "{{u}}/{{ a }}/{{ b // 3 }}",
    offset: "{{ (b * 7 + a) % 11 }}",
    length: "{{ c * 4096 }}",
    dimensions,
  });

  function brute(gen: number, [a = 0, b = 0, c = 0]: readonly number[]): GeneratedEntry {
    const padded = c < 0 ? `-${String(-c).padStart(2, "0")}` : String(c).padStart(3, "0");
    const offset = (((b * 7 + a) % 11) + 11) % 11;
    return {
      key: `g${gen}/${a}.${b}.${padded}`,
      url: `s3://b/${a}/${Math.floor(b / 3)}`,
      offset,
      length: c * 4096 + 0,
    };
  }

  function loops({ a, b, c }: Dimensions): number[][] {
    const all: number[][] = [];
    for (const x of valuesOf(a)) for (const y of valuesOf(b)) for (const z of valuesOf(c)) all.push([x, y, z]);
    return all;
  }

  function valuesOf(dimension: Dimensions["a"]): number[] {
    if (Array.isArray(dimension)) return dimension;
    const { start, stop, step } = dimension;
    const values: number[] = [];
    for (let value = start; step > 0 ? value < stop : value > stop; value += step) values.push(value);
    return values;
  }
});
