/** Which value a name has where. The expected values are Jinja2 3.1.2's own. */
import { describe, expect, it } from "vitest";
import { raises, rendered, type Row } from "./testing/rendering.ts";

const ROWS: readonly Row[] = [
  ["{{ x }}{% set x = 1 %}{{ x }}", "outer1"],
  ["{% for i in l %}{{ x }}{% endfor %}{% set x = 1 %}", ""],
  ["{% for i in l %}{% set x = i %}{% endfor %}{{ x }}", "outer"],
  ["{% for x in l %}{{ x }}{% endfor %}{{ x }}", "312outer"],
  ["{% if n %}{% set y = 1 %}{% endif %}{{ y }}", "1"],
  ["{% if no %}{% set x = 1 %}{% endif %}{{ x }}", "outer"],
  ["{% if no %}{% set x = 1 %}{% elif n %}{% set x = 2 %}{% else %}{% set x = 3 %}{% endif %}{{ x }}", "2"],
  ["{% with x = 1, y = x %}{{ x }}{{ y }}{% endwith %}{{ x }}", "1outerouter"],
  ["{% macro m(a) %}{{ a }}{{ x }}{% endmacro %}{% set x = 2 %}{{ m(1) }}", "12"],
  ["{% macro m(a, b=a) %}{{ a }}{{ b }}{% endmacro %}{{ m(1) }}{{ m(b=2) }}", "112"],
  ["{% macro m() %}{{ varargs }}{{ kwargs }}{% endmacro %}{{ m(1, k=2) }}", "(1,){'k': 2}"],
  ["{% macro m() %}{{ caller('z') }}{% endmacro %}{% call(q) m() %}[{{ q }}{{ x }}]{% endcall %}", "[zouter]"],
  ["{% macro m() %}{% endmacro %}{{ m(1) }}", raises("TypeError")],
  ["{% macro m(caller) %}{{ caller }}{% endmacro %}", raises("TemplateAssertionError")],
  ["{% set x %}a{{ n }}{% endset %}{{ x }}", "a3"],
  ["{% set x | upper | replace('A', 'o') %}a{% endset %}{{ x }}", "o"],
  ["{% set y | default(x) %}{% endset %}", raises("AssertionError")],
  ["{% set ns = namespace(t=0) %}{% for i in l %}{% set ns.t = ns.t + i %}{% endfor %}{{ ns.t }}", "6"],
  ["{% set x.y = 1 %}", raises("TemplateRuntimeError")],
  ["{% block b %}{{ x }}{% set x = 5 %}{{ x }}{% endblock %}{{ x }}", "outer5outer"],
  ["{% set x = 9 %}{% block b %}{{ x }}{% endblock %}", "9"],
  ["{% for i in l %}{% block b scoped %}{{ i }}{{ loop.index }}{% endblock %}{% endfor %}", "311223"],
  ["{% for i in l %}{% block b %}{{ i }}{% endblock %}{% endfor %}", ""],
  ["{% block b %}x{% endblock %}{{ self.b() }}{{ self.c is defined }}", "xxFalse"],
  ["{% block b required %}{% endblock %}", raises("TemplateRuntimeError")],
  ["{% block b %}{{ super() }}{% endblock %}", raises("UndefinedError")],
  ["{% block b %}{% endblock %}{% block b %}{% endblock %}", raises("TemplateAssertionError")],
  ["{% filter upper %}{{ x }}{% set x = 'in' %}{{ x }}{% endfilter %}{{ x }}", "OUTERINouter"],
  ["{% filter length %}abc{% endfilter %}", raises("TypeError")],
  [
    "{% autoescape true %}{{ '<' }}{{ '<'|safe }}{% set y %}<{% endset %}{{ y }}{% endautoescape %}{{ '<' }}",
    "&lt;<<<",
  ],
  ["{{ x }}{{ self }}", "outer<TemplateReference None>"],
  ["{% set loop = 1 %}{{ loop }}", "1"],
  ["{% for i in l %}{% set loop = 1 %}{% endfor %}", raises("TemplateAssertionError")],
  ["{% for a, b in [(1, 2)] %}{{ a }}{{ b }}{% endfor %}", "12"],
  ["{% for a, b in [1] %}{% endfor %}", raises("TypeError")],
  ["{% set a, b = 1, 2 %}{{ a }}{{ b }}", "12"],
  ["{% set (a, b), c = (1, 2), 3 %}{{ a }}{{ b }}{{ c }}", "123"],
  ["{% include 'a' %}", raises("TypeError")],
  ["{% if no %}{% include 'a' %}{% endif %}ok", "ok"],
  ["{{ range(3)|list }}{% set range = 1 %}", "[0, 1, 2]"],
];

describe("names and scopes", () => {
  it.each(ROWS)("%s", (template, expected) => {
    expect(rendered(template)).toEqual(expected);
  });
});
