/** What a compiled template offers, and that no template runs for long. */
import { describe, expect, it } from "vitest";
import { compileTemplate, evaluateOutput } from "./compile.ts";
import { Budget, TemplateError } from "../template-error.ts";
import { PyCallable, type Value } from "../value.ts";
import { hostileBudget } from "../testing/hostile.ts";
import { processorTime } from "../testing/processor-time.ts";

const NONE: ReadonlyMap<string, Value> = new Map();

function errorOf(work: () => unknown): TemplateError {
  try {
    work();
  } catch (error) {
    if (error instanceof TemplateError) return error;
    throw error;
  }
  throw new Error("Nothing was raised.");
}

function errorOfTemplate(source: string): TemplateError {
  return errorOf(() => compileTemplate(source).render(NONE, new Budget()));
}

describe("a compiled template", () => {
  it("gives the text of a template without tags, and only of those", () => {
    expect(compileTemplate("a\nb\n").constant).toBe("a\nb");
    expect(compileTemplate("").constant).toBe("");
    expect(compileTemplate("a{{ 1 }}").constant).toBeUndefined();
    expect(compileTemplate("a{% set x = 1 %}").constant).toBeUndefined();
  });

  it("gives the names it takes from outside, with their places", () => {
    const source = "{{ u }}{% set a = u + b %}{{ a }}{% for i in range(n) %}{{ i }}{{ c }}{% endfor %}";
    const { names } = compileTemplate(source);
    expect([...names.keys()].sort()).toEqual(["b", "c", "n", "range", "u"]);
    const places = (names.get("u") ?? []).map(({ start, end }) => [start, source.slice(start, end)]);
    expect(places).toEqual([
      [3, "u"],
      [18, "u"],
    ]);
  });

  it("reads variables before globals, and None is a value", () => {
    const variables = new Map<string, Value>([
      ["range", "mine"],
      ["dict", null],
    ]);
    expect(compileTemplate("{{ range }} {{ dict }}").render(variables, new Budget())).toBe("mine None");
  });

  it("cannot be given a variable named self, as in Python", () => {
    const variables = new Map<string, Value>([["self", 1]]);
    expect(errorOf(() => compileTemplate("a").render(variables, new Budget())).python).toBe("TypeError");
    expect(errorOf(() => compileTemplate("a").bind(["self"], NONE, new Budget())([1])).python).toBe("TypeError");
  });

  it("evaluates one output by itself", () => {
    const template = compileTemplate("a{{ x + 1 }}{{ y }}");
    const outputs = template.tree.body.filter((one) => one.kind === "output");
    const texts = outputs.map((node) => evaluateOutput(template, node, new Map([["x", 2]]), new Budget()));
    expect(texts).toEqual(["3", ""]);
  });
});

describe("a bound template", () => {
  it("takes values by place, the rest by name, and gives the same as render", () => {
    const sources = [
      "{{u}}_{{i}}",
      "{{(i + 1) * 1000}}",
      "{% if i %}{{ u }}{% endif %}{{ j }}",
      "{{ '%02d' % i }}{{ j }}",
      "c",
    ];
    for (const source of sources) {
      const template = compileTemplate(source);
      const bound = template.bind(["i", "j", "unused"], new Map([["u", "U"]]), new Budget());
      for (const i of [0, 1, 12, -3]) {
        const named = new Map<string, Value>([
          ["u", "U"],
          ["i", i],
          ["j", "J"],
        ]);
        expect(bound([i, "J", 0])).toBe(template.render(named, new Budget()));
      }
    }
  });

  it("resets the budget before each render, also after one that failed", () => {
    const bound = compileTemplate("{{ 'a' * i }}").bind(["i"], NONE, new Budget({ characters: 200 }));
    expect(bound([60])).toHaveLength(60);
    expect(errorOf(() => bound([101])).python).toBe("Budget");
    expect(bound([30])).toHaveLength(30);
  });

  it("can be called while it renders", () => {
    const again = new PyCallable("again", () => bound([new PyCallable("end", () => "end"), "inner"]));
    const bound = compileTemplate("{{ f() }}:{{ name }}").bind(["f", "name"], NONE, new Budget());
    expect(bound([again, "outer"])).toBe("end:inner:outer");
  });
});

describe("errors", () => {
  it.each([
    ["a{{ 1 + 'x' }}", "1 + 'x'"],
    ["{{ n }}{{ x.y.z }}", "x.y"],
    ["{{ 'a'|nope }}", "nope"],
    ["{{ 1 is nope }}", "nope"],
    ["{% for i in 5 %}{% endfor %}", "5"],
    ["{{ [1, 2 // 0] }}", "2 // 0"],
    ["{% include 'x' %}", "{% include 'x' %}"],
    ["{{ 'x'|round }}", "'x'|round"],
    ["{{ f(a=1, a=2) }}", "a"],
  ])("of %s stand at %s", (source, place) => {
    const { span } = errorOfTemplate(source);
    expect(span === undefined ? undefined : source.slice(span.start, span.end).trim()).toContain(place);
  });
});

describe("hostile templates", () => {
  const HUGE = ["'a' * 10**9", "range(10**9)|list", "[0] * 10**9", "'%999999999d' % 1", "'{:999999999}'.format(1)"];
  const LONG = [
    "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}",
    "{% macro m() %}{{ m() }}{{ m() }}{% endmacro %}{{ m() }}",
    "{% for x in [1] recursive %}{{ loop([1]) }}{% endfor %}",
    "{% block a %}{{ self.a() }}{% endblock %}",
    "{% set l = [1] %}{% for x in l %}{{ l.append(x) }}{% endfor %}",
    "{% set ns = namespace(s='a') %}{% for i in range(90) %}{% set ns.s = ns.s ~ ns.s %}{% endfor %}",
    "{% set ns = namespace(s=[1]) %}{% for i in range(9999) %}{% set ns.s = [ns.s] %}{% endfor %}{{ ns.s }}",
    "{{ ('a' * 1000000)|wordwrap(1)|wordwrap(1)|wordwrap(1) }}",
    "{{ [1]|slice(10**9)|list }}",
    "{{ {'a': ['a' * 1000000] * 1000}|tojson }}",
    "{{ ('é' * 1000000)|urlencode }}",
    "{{ lipsum(n=10**9) }}",
    "{{ 2 ** (10 ** 8) }}",
    "{% set a = '😀' * 10000 %}{% for i in range(100000) %}{% set b = a|length %}{% endfor %}",
    "{% set ns = namespace(a=[1], b=[1]) %}{% for i in range(60) %}{% set ns.a = [ns.a, ns.a] %}{% set ns.b = [ns.b, ns.b] %}{% endfor %}{{ [ns.a, ns.b]|sort }}",
  ];

  it.each([...HUGE.map((expression) => `{{ ${expression} }}`), ...LONG])("%s ends in an error, soon", (source) => {
    const start = processorTime();
    const { python } = errorOf(() => compileTemplate(source).render(NONE, hostileBudget()));
    expect(["Budget", "RecursionError", "OverflowError", "Unsupported", "MemoryError"]).toContain(python);
    expect(processorTime() - start).toBeLessThan(5000);
  });
});
