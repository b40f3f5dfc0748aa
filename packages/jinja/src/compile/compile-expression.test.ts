/** Expressions, where Jinja2 has rules of its own. The expected values are Jinja2 3.1.2's own. */
import { describe, expect, it } from "vitest";
import { raises, rendered, type Row } from "../testing/rendering.ts";

const ROWS: readonly Row[] = [
  ["{{ 5[1:2] }}", ""],
  ["{{ n[1:2] }}", raises("TypeError")],
  ["{{ true or 1|nofilter }}", "True"],
  ["{{ n or 1|nofilter }}", raises("TemplateAssertionError")],
  ["{{ 1 if n else 2|nofilter }}", "1"],
  ["{% if no %}{{ 1|nofilter }}{% endif %}", ""],
  ["{% if no %}{{ 1 is notest }}{% else %}{{ 1 is notest }}{% endif %}", raises("TemplateRuntimeError")],
  ["{{ 1e999 }}", "inf"],
  ["{{ 1e999 + n }}", raises("NameError")],
  ["{{ {[]: 1} }}", raises("TypeError")],
  ["{% if no %}{{ {[]: 1}.x }}{% endif %}", raises("TypeError")],
  ["{{ s|center(width=3, width=5) }}", raises("TemplateSyntaxError")],
  ["{{ 1 if no }}|", "|"],
  ["{{ (1 if no).x }}", raises("UndefinedError")],
  ["{{ [1 if no] }}", "[Undefined]"],
  ["{{ dict(q=1, **d) }}", "{'q': 1, 'b': 2, 'a': 1}"],
  ["{{ dict(a=1, **d) }}", raises("TypeError")],
  ["{{ dict(**d) }}", "{'b': 2, 'a': 1}"],
  ["{{ dict(*[[(1, 2)]]) }}", "{1: 2}"],
  ["{{ d.b }}{{ d['b'] }}{{ d.items }}", "22<built-in method items of dict object at 0x..>"],
  ["{{ l.0 }}{{ l[-1] }}{{ l[5] }}|", "32|"],
  ["{{ ''.__class__ }}|", "|"],
  ["{{ ''.__class__.mro }}", raises("SecurityError")],
  ["{{ 1 < n < 5 < 4 }}", "False"],
  ["{{ 'e' in s and 'z' not in s }}", "True"],
  ["{{ '%03d' % n }}{{ '%d/%s' % (n, s) }}{{ '%5s|' % s }}{{ '%03d' % -5 }}", "0033/Hello WorldHello World|-05"],
  ["{{ '%d' % s }}", raises("TypeError")],
  ["{{ '%d' % true }}{{ '%s' % no }}", "1None"],
  ["{{ '{:02d}/{}'.format(n, s) }}{{ '{}'.format(f) }}{{ '{:03d}'.format(-5) }}", "03/Hello World2.5-05"],
  ["{{ '{} {}'.format(n) }}", raises("IndexError")],
  ["{{ '{:03d}'.format(s) }}", raises("ValueError")],
  ["{{ 7 // 2 }}{{ -7 // 2 }}{{ 7 % -3 }}{{ -7 % 3 }}{{ 0 * -n }}", "3-4-220"],
  ["{{ -2 ** no|int }},{{ -2.5 ** (n - 1) }},{{ (1 - 3) ** (n - 1) ** n }}", "-1,-6.25,-64"],
  ["{{ -1.5 ** 0.5 }}", raises("Unsupported")],
  ["{{ -2 ** 2 }},{{ (0 - n) ** 2 }},{{ (n - 5) ** (n - 1) }}", "4,9,4"],
  ["{{ s.split(none, 1) }}{{ 'a b'.rsplit(none, 1) }}", "['Hello', 'World']['a', 'b']"],
  ["{{ 'a b c'.split(none, 1) }}{{ '12'.rsplit(none, 1) }}", "['a', 'b c']['12']"],
  ["{{ n // 0 }}", raises("ZeroDivisionError")],
  ["{{ 9007199254740991 + n }}{{ 9007199254740991 * n }}", "900719925474099427021597764222973"],
  ["{{ n ~ f ~ no ~ true }}", "32.5NoneTrue"],
  ["{{ range(100001) }}", raises("OverflowError")],
  ["{{ range(0, 10, n)|list }}{{ range(n).stop }}", "[0, 3, 6, 9]3"],
  ["{{ cycler() }}", raises("RuntimeError")],
  ["{{ cycler(1, 'b').items }}", "(1, 'b')"],
  ["{{ lipsum }}", "<function generate_lorem_ipsum at 0x..>"],
];

describe("expressions", () => {
  it.each(ROWS)("%s", (template, expected) => {
    expect(rendered(template)).toEqual(expected);
  });
});
