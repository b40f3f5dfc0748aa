/** Every filter, with its arguments and errors. The expected values are Jinja2 3.1.2's own. */
import { describe, expect, it } from "vitest";
import { raises, rendered, type Row } from "../testing/rendering.ts";

const ROWS: readonly Row[] = [
  ["{{ -3|abs }}{{ -2.5|abs }}{{ true|abs }}", "32.51"],
  ["{{ s|abs }}", raises("TypeError")],
  ["{{ recs[0]|attr('k') }}|{{ s|attr('upper') is defined }}", "|True"],
  [
    "{{ l|batch(2)|list }}{{ l|batch(2, 0)|list }}{{ [1]|batch(2) }}",
    "[[3, 1], [2]][[3, 1], [2, 0]]<generator object do_batch at 0x..>",
  ],
  ["{{ 'éCOLE X'|capitalize }}", "École x"],
  ["{{ 'ab'|center(5) }}|", "  ab |"],
  ["{{ l|count }}{{ s|length }}{{ undef|length }}", "3110"],
  ["{{ undef|default(1) }}{{ ''|d('e', true) }}{{ no|default(2) }}{{ no|default(2, boolean=true) }}", "1eNone2"],
  [
    "{{ d|dictsort }}{{ d|dictsort(by='value') }}{{ d|dictsort(reverse=true) }}",
    "[('a', 1), ('b', 2)][('a', 1), ('b', 2)][('b', 2), ('a', 1)]",
  ],
  ["{{ d|dictsort(by='x') }}", raises("FilterArgumentError")],
  ["{{ '<&\"\\'>'|e }}{{ '<'|e|e }}{{ '<'|e|forceescape }}", "&lt;&amp;&#34;&#39;&gt;&lt;&amp;lt;"],
  [
    "{{ 999|filesizeformat }} {{ 1000|filesizeformat }} {{ 1234567|filesizeformat(true) }} {{ 1|filesizeformat }} {{ 1e30|filesizeformat }}",
    "999 Bytes 1.0 kB 1.2 MiB 1 Byte 1000000.0 YB",
  ],
  ["{{ l|first }}{{ []|first }}|{{ s|last }}{{ l|last }}", "3|d2"],
  ["{{ l|map('string')|last }}", raises("TypeError")],
  ["{{ '1.5'|float }}{{ 'x'|float }}{{ 'x'|float(2) }}{{ '1_0'|float }}", "1.50.0210.0"],
  ["{{ '%s-%s'|format(1, 2) }}{{ '%(a)s'|format(a=3) }}", "1-23"],
  ["{{ '%s'|format(1, a=2) }}", raises("FilterArgumentError")],
  [
    "{{ recs|groupby('k') }}",
    "[('x', [{'k': 'x', 'v': 2, 'ok': True}, {'k': 'x', 'v': 3, 'ok': True}]), ('Y', [{'k': 'Y', 'v': 1, 'ok': False}])]",
  ],
  ["{% for g in recs|groupby('k') %}{{ g.grouper }}{{ g.list|length }}{{ g[0] }}{% endfor %}", "x2xY1Y"],
  ["{{ recs|groupby('k', case_sensitive=true)|map('first')|list }}", "['Y', 'x']"],
  [
    "{{ 'a\\nb\\n\\nc'|indent }}|{{ 'a\\nb'|indent(2, true) }}|{{ 'a\\n\\nb'|indent('> ', blank=true) }}",
    "a\n    b\n\n    c|  a\n  b|a\n> \n> b",
  ],
  [
    "{{ '42'|int }}{{ ' 1_000 '|int }}{{ '3.9'|int }}{{ 'x'|int(7) }}{{ '0x1f'|int(0, 16) }}{{ '0b11'|int(base=0) }}{{ no|int }}",
    "421000373130",
  ],
  ["{{ '1e400'|int }}", raises("OverflowError")],
  ["{{ d|items|list }}{{ undef|items|list }}", "[('b', 2), ('a', 1)][]"],
  ["{{ l|items|list }}", raises("TypeError")],
  ["{{ l|join }}{{ l|join(', ') }}{{ recs|join('-', attribute='v') }}", "3123, 1, 22-1-3"],
  ["{{ 'abc'|list }}{{ d|list }}", "['a', 'b', 'c']['b', 'a']"],
  ["{{ recs|map(attribute='v')|list }}{{ recs|map(attribute='q', default='?')|list }}", "[2, 1, 3]['?', '?', '?']"],
  ["{{ l|map('multiply')|list }}", raises("TemplateRuntimeError")],
  ["{{ l|map()|list }}", raises("FilterArgumentError")],
  [
    "{{ ls|map('upper')|join }}{{ [1.25]|map('round', 1)|list }}{{ [3]|map('abs') }}",
    "BAC[1.2]<generator object sync_do_map at 0x..>",
  ],
  [
    "{{ l|max }}{{ ls|min }}{{ ls|min(case_sensitive=true) }}{{ []|max }}|{{ recs|max(attribute='v') }}",
    "3AA|{'k': 'x', 'v': 3, 'ok': True}",
  ],
  ["{{ d|pprint }}{{ 'x'|pprint }}", "{'a': 1, 'b': 2}'x'"],
  ["{{ [5]|random }}{{ []|random }}", "5"],
  ["{{ l|reject('gt', 1)|list }}{{ l|select('odd')|list }}{{ [0, 1]|select|list }}", "[1][3, 1][1]"],
  ["{{ l|select('nope')|list }}", raises("TemplateRuntimeError")],
  [
    "{{ recs|selectattr('ok')|map(attribute='v')|list }}{{ recs|rejectattr('v', 'gt', 1)|map(attribute='k')|list }}",
    "[2, 3]['Y']",
  ],
  ["{{ 'aaa'|replace('a', 'b', 2) }}{{ 1234|replace(2, 'x') }}", "bba1x34"],
  ["{{ 'abc'|reverse }}{{ l|reverse|list }}{{ l|reverse }}", "cba[2, 1, 3]<list_reverseiterator object at 0x..>"],
  [
    "{{ 2.5|round }}{{ 3.5|round }}{{ 2.675|round(2) }}{{ 1234|round(-2) }}{{ 2.1|round(method='ceil') }}{{ 2.19|round(1, 'floor') }}{{ 5|round }}{{ 0.5|round|int }}",
    "2.04.02.6712003.02.150",
  ],
  ["{{ 1|round(method='up') }}", raises("FilterArgumentError")],
  ["{{ l|slice(2)|list }}{{ l|slice(2, 'x')|list }}", "[[3, 1], [2]][[3, 1], [2, 'x']]"],
  [
    "{{ l|sort }}{{ ls|sort }}{{ ls|sort(case_sensitive=true) }}{{ l|sort(reverse=true) }}{{ recs|sort(attribute='k,v')|map(attribute='v')|list }}",
    "[1, 2, 3]['A', 'b', 'c']['A', 'b', 'c'][3, 2, 1][2, 3, 1]",
  ],
  ["{{ [1, 'a']|sort }}", raises("TypeError")],
  ["{{ 1|string ~ 2 }}", "12"],
  ["{{ '<b>a  b</b><!-- c --> &amp; &lt;'|striptags }}", "a b & <"],
  [
    "{{ l|sum }}{{ recs|sum(attribute='v') }}{{ [[1], [2]]|sum(start=[]) }}{{ [0.1, 0.2]|sum }}",
    "66[1, 2]0.30000000000000004",
  ],
  ["{{ ['a']|sum }}", raises("TypeError")],
  ["{{ 'hello wORLD foo-bar (x) it\\'s'|title }}", "Hello World Foo-Bar (X) It's"],
  ["{{ {'b': [1, 2.0, none, true], 'a': '<é>'}|tojson }}", '{"a": "\\u003c\\u00e9\\u003e", "b": [1, 2.0, null, true]}'],
  ["{{ [1, {'a': 2}]|tojson(indent=2) }}", '[\n  1,\n  {\n    "a": 2\n  }\n]'],
  ["{{ range(2)|tojson }}", raises("TypeError")],
  ["{{ ' a '|trim }}{{ 'xxaxx'|trim('x') }}", "aa"],
  [
    "{{ 'foo bar baz qux'|truncate(9) }}{{ 'foo bar baz qux'|truncate(9, true) }}{{ 'foo bar baz qux'|truncate(11) }}{{ 'foo bar baz qux'|truncate(11, false, '…', 0) }}",
    "foo...foo ba...foo bar baz quxfoo bar…",
  ],
  ["{{ s|truncate(2) }}", raises("AssertionError")],
  ["{{ ['a', 'A', 'b']|unique|list }}{{ ['a', 'A']|unique(true)|list }}", "['a', 'b']['a', 'A']"],
  [
    "{{ 'a b/ü?'|urlencode }}{{ {'a b': 'c/d'}|urlencode }}{{ [('x', 1)]|urlencode }}{{ 5|urlencode }}",
    "a%20b/%C3%BC%3Fa+b=c%2Fdx=15",
  ],
  ["{{ range|urlencode == range|string|urlencode }}", "True"],
  // Jinja2 joins constants as plain text when it compiles.
  ["{% autoescape true %}{{ '<' ~ ('>' | safe) }}{% endautoescape %}", "&lt;&gt;"],
  ["{% autoescape true %}{% set a = '<' %}{{ a ~ ('>' | safe) }}{% endautoescape %}", "&lt;>"],
  ["{{ 'a b_c d-e é'|wordcount }}", "5"],
  [
    "{{ 'the quick brown-fox jumps'|wordwrap(9) }}|{{ 'abcdefgh'|wordwrap(3) }}|{{ 'abcdefgh x'|wordwrap(3, false) }}|{{ 'a b c'|wordwrap(3, wrapstring='~') }}",
    "the quick\nbrown-fox\njumps|abc\ndef\ngh|abcdefgh\nx|a b~c",
  ],
  ["{{ {'a': 1, 'b': none, 'c': '<'}|xmlattr }}{{ {}|xmlattr }}", ' a="1" c="&lt;"'],
  ["{{ {'a b': 1}|xmlattr }}", raises("ValueError")],
  ["{{ 'a'|center(1, 2, 3) }}", raises("TypeError")],
  ["{{ 'a'|center(w=1) }}", raises("TypeError")],
  ["{{ s|upper(1) }}", raises("TypeError")],
  ["{{ 'a'|replace('b') }}", raises("TypeError")],
];

describe("filters", () => {
  it.each(ROWS)("%s", (template, expected) => {
    expect(rendered(template)).toEqual(expected);
  });
});
