/** Loops and the variable loop. The expected values are Jinja2 3.1.2's own. */
import { describe, expect, it } from "vitest";
import { raises, rendered, type Row } from "../testing/rendering.ts";

const ROWS: readonly Row[] = [
  [
    "{% for i in l %}{{ loop.index }}{{ loop.index0 }}{{ loop.revindex }}{{ loop.revindex0 }}{{ loop.first }}{{ loop.last }}{{ loop.length }} {% endfor %}",
    "1032TrueFalse3 2121FalseFalse3 3210FalseTrue3 ",
  ],
  ["{% for i in l %}{{ loop.previtem }}<{{ i }}>{{ loop.nextitem }} {% endfor %}", "<3>1 3<1>2 1<2> "],
  ["{% for i in [1, 1, 2] %}{{ loop.changed(i) }}{{ loop.cycle('a', 'b') }} {% endfor %}", "Truea Falseb Truea "],
  ["{% for i in [none, 1] %}{{ loop.nextitem }}{{ loop.previtem }}{% endfor %}", "1None"],
  ["{% for i in [] %}x{% else %}none{% endfor %}", "none"],
  ["{% for i in l if i > 1 %}{{ loop.index }}{{ i }}{{ loop.length }} {% else %}none{% endfor %}", "132 222 "],
  ["{% for i in l if loop.index > 1 %}{% endfor %}", raises("UndefinedError")],
  [
    "{% for i in [[1, [2]], [3]] recursive %}{{ loop.depth }}{% if i is iterable %}({{ loop(i) }}){% else %}{{ i }}{% endif %}{% endfor %}",
    "1(212(32))1(23)",
  ],
  ["{% for i in l recursive %}{% if i == x %}{% endif %}{{ i }}{% else %}none{% endfor %}", "312"],
  ["{% for i in l %}{{ loop(i) }}{% endfor %}", raises("TypeError")],
  ["{% for i in l %}{{ loop.cycle() }}{% endfor %}", raises("TypeError")],
  ["{% for i in l %}{% for j in 'ab' %}{{ loop.index }}{% endfor %}{{ loop.index }} {% endfor %}", "121 122 123 "],
  ["{% for k, v in d.items() %}{{ k }}{{ v }}{% endfor %}", "b2a1"],
  ["{% for k in d %}{{ k }}{% endfor %}", "ba"],
  ["{% for c in 'é😀' %}[{{ c }}]{% endfor %}", "[é][😀]"],
  ["{% for i in n %}{% endfor %}", raises("TypeError")],
  ["{% for i in undefined_name %}x{% else %}e{% endfor %}", "e"],
  ["{{ loop }}|{{ loop is defined }}", "|False"],
  ["{% for i in l %}{{ loop }}{% endfor %}", "<LoopContext 1/3><LoopContext 2/3><LoopContext 3/3>"],
  ["{% for i in l %}{{ loop.foo }}{% endfor %}", ""],
  ["{% for i in l|map('string') %}{{ loop.length }}{{ i }}{% endfor %}", "333132"],
];

describe("loops", () => {
  it.each(ROWS)("%s", (template, expected) => {
    expect(rendered(template)).toEqual(expected);
  });
});
