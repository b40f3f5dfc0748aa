/** Every test. The expected values are Jinja2 3.1.2's own. */
import { describe, expect, it } from "vitest";
import { raises, rendered, type Row } from "../testing/rendering.ts";

const ROWS: readonly Row[] = [
  [
    "{{ 3 is odd }}{{ 4 is even }}{{ 9 is divisibleby 3 }}{{ n is defined }}{{ undef is undefined }}",
    "TrueTrueTrueTrueTrue",
  ],
  ["{{ 'upper' is filter }}{{ 'x' is filter }}{{ 'odd' is test }}", "TrueFalseTrue"],
  [
    "{{ no is none }}{{ true is boolean }}{{ 1 is boolean }}{{ false is false }}{{ 0 is false }}{{ true is true }}",
    "TrueTrueFalseTrueFalseTrue",
  ],
  [
    "{{ 1 is integer }}{{ true is integer }}{{ 1.0 is integer }}{{ 1.0 is float }}{{ true is number }}{{ 's' is number }}",
    "TrueFalseFalseTrueTrueFalse",
  ],
  [
    "{{ 'ab' is lower }}{{ 'AB' is upper }}{{ '' is lower }}{{ 's' is string }}{{ ('<'|e) is string }}",
    "TrueTrueFalseTrueTrue",
  ],
  [
    "{{ d is mapping }}{{ l is mapping }}{{ l is sequence }}{{ 's' is sequence }}{{ d is sequence }}{{ 1 is sequence }}{{ range(2) is sequence }}{{ d.items() is sequence }}{{ undef is sequence }}",
    "TrueFalseTrueTrueTrueFalseTrueFalseTrue",
  ],
  [
    "{{ l is iterable }}{{ 1 is iterable }}{{ undef is iterable }}{{ (l|map('abs')) is iterable }}",
    "TrueFalseTrueTrue",
  ],
  ["{{ range is callable }}{{ 1 is callable }}{{ undef is callable }}{{ s.upper is callable }}", "TrueFalseTrueTrue"],
  [
    "{{ no is sameas none }}{{ 1 is sameas 1 }}{{ 1 is sameas true }}{{ l is sameas l }}{{ [] is sameas [] }}",
    "TrueTrueFalseTrueFalse",
  ],
  ["{{ ('<'|e) is escaped }}{{ '<' is escaped }}", "TrueFalse"],
  ["{{ 1 is in l }}{{ 'e' is in s }}", "TrueTrue"],
  ["{{ 1 is in 5 }}", raises("TypeError")],
  [
    "{{ 1 is eq 1.0 }}{{ 1 is ne 2 }}{{ 1 is lt 2 }}{{ 2 is le 2 }}{{ 3 is gt 2 }}{{ 3 is ge 4 }}{{ 1 is equalto 1 }}{{ 1 is greaterthan 0 }}{{ 1 is lessthan 0 }}",
    "TrueTrueTrueTrueTrueFalseTrueTrueFalse",
  ],
  ["{{ 1 is lt 's' }}", raises("TypeError")],
  ["{{ 's' is odd }}", raises("TypeError")],
  ["{{ 1 is odd(2) }}", raises("TypeError")],
  ["{{ 1 is divisibleby }}", raises("TypeError")],
  ["{{ 1 is divisibleby 0 }}", raises("ZeroDivisionError")],
  ["{{ 5 is not odd }}", "False"],
  ["{{ [1] is filter }}", raises("TypeError")],
];

describe("tests", () => {
  it.each(ROWS)("%s", (template, expected) => {
    expect(rendered(template)).toEqual(expected);
  });
});
