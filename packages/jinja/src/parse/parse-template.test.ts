/** Trees, spans and errors of the template parser. What is expected was seen in Jinja2 3.1.2 on CPython 3.11. */
import { describe, expect, it } from "vitest";
import { parseTemplate } from "./parse-template.ts";
import { TemplateError } from "../template-error.ts";
import type { AssignmentTarget, CallArguments, Expression, FilterUse, Parameter, Span, Statement } from "../tree.ts";
import { HOSTILE_LENGTH } from "../testing/hostile.ts";
import { processorTime } from "../testing/processor-time.ts";

/** An expression in prefix notation: `(+ 1 (~ n i))`. */
function brief(node: Expression | undefined): string {
  if (node === undefined) return "_";
  switch (node.kind) {
    case "literal":
      return briefLiteral(node.value);
    case "name":
      return node.name;
    case "tuple":
    case "list":
      return `(${[node.kind, ...node.items.map(brief)].join(" ")})`;
    case "dict":
      return `(${["dict", ...node.pairs.map((pair) => `${brief(pair.key)}:${brief(pair.value)}`)].join(" ")})`;
    case "unary":
      return `(${node.operator} ${brief(node.operand)})`;
    case "binary":
    case "logical":
      return `(${node.operator} ${brief(node.left)} ${brief(node.right)})`;
    case "concatenation":
      return `(~ ${node.parts.map(brief).join(" ")})`;
    case "comparison":
      return `(${[brief(node.first), ...node.rest.map((part) => `${part.operator} ${brief(part.operand)}`)].join(" ")})`;
    case "conditional":
      return `(if ${brief(node.test)} ${brief(node.then)} ${brief(node.otherwise)})`;
    case "attribute":
      return `(. ${brief(node.object)} ${node.name})`;
    case "item":
      return `([] ${brief(node.object)} ${brief(node.index)})`;
    case "slice":
      return `(: ${brief(node.from)} ${brief(node.to)} ${brief(node.step)})`;
    case "call":
      return `(call ${brief(node.callee)}${briefArguments(node.arguments)})`;
    case "filter":
      return `(| ${brief(node.operand)} ${node.name}${briefArguments(node.arguments)})`;
    case "test":
      return `(is ${brief(node.operand)} ${node.name}${briefArguments(node.arguments)})`;
  }
}

function briefLiteral(value: Extract<Expression, { kind: "literal" }>["value"]): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return value.type === "int" ? `${value.value}` : `${value.value}f`;
}

function briefArguments(given: CallArguments): string {
  const parts = [...given.positional.map(brief), ...given.named.map(({ name, value }) => `${name}=${brief(value)}`)];
  if (given.star !== undefined) parts.push(`*${brief(given.star)}`);
  if (given.doubleStar !== undefined) parts.push(`**${brief(given.doubleStar)}`);
  return parts.map((part) => ` ${part}`).join("");
}

function target(node: AssignmentTarget): string {
  if (node.kind === "name") return node.name;
  if (node.kind === "target-attribute") return `${node.object}.${node.name}`;
  return `(${node.items.map(target).join(" ")})`;
}

const filters = (list: readonly FilterUse[]) => list.map(brief).join("");
const parameters = (list: readonly Parameter[]) =>
  list.map(({ name, fallback }) => (fallback === undefined ? name : `${name}=${brief(fallback)}`)).join(" ");
const all = (body: readonly Statement[]): string => `[${body.map(statement).join(" ")}]`;

function statement(node: Statement): string {
  switch (node.kind) {
    case "text":
      return JSON.stringify(node.text);
    case "output":
      return `(out${node.expressions.map((one) => ` ${brief(one)}`).join("")})`;
    case "for": {
      const head = `for ${target(node.target)} in ${brief(node.iterable)} if ${brief(node.test)}`;
      return `(${head}${node.recursive ? " recursive" : ""} ${all(node.body)} else ${all(node.otherwise)})`;
    }
    case "if": {
      const branches = node.branches.map((branch) => `${brief(branch.test)} ${all(branch.body)}`).join(" elif ");
      return `(if ${branches} else ${all(node.otherwise)})`;
    }
    case "set":
      return `(set ${target(node.target)} ${brief(node.value)})`;
    case "set-block":
      return `(set ${target(node.target)} ${filters(node.filters)} ${all(node.body)})`;
    case "with":
      return `(with ${node.bindings.map((one) => `${target(one.target)}=${brief(one.value)} `).join("")}${all(node.body)})`;
    case "macro":
      return `(macro ${node.name} (${parameters(node.parameters)}) ${all(node.body)})`;
    case "call-block":
      return `(call (${parameters(node.parameters)}) ${brief(node.call)} ${all(node.body)})`;
    case "filter-block":
      return `(filter ${filters(node.filters)} ${all(node.body)})`;
    case "block":
      return `(block ${node.name}${node.scoped ? " scoped" : ""}${node.required ? " required" : ""} ${all(node.body)})`;
    case "autoescape":
      return `(autoescape ${brief(node.value)} ${all(node.body)})`;
    case "unsupported":
      return `(unsupported ${node.statement})`;
  }
}

const tree = (source: string): string => parseTemplate(source).body.map(statement).join(" ");

function expression(source: string): string {
  const [first] = parseTemplate(`{{ ${source} }}`).body;
  if (first?.kind !== "output") throw new Error("no output");
  return brief(first.expressions[0]);
}

function refusal(source: string): TemplateError {
  try {
    parseTemplate(source);
  } catch (error) {
    if (error instanceof TemplateError) return error;
    throw error;
  }
  throw new Error(`accepted: ${source.slice(0, 80)}`);
}

/** The exception and the source at its span. */
function refusedAt(source: string): string {
  const { python, span } = refusal(source);
  return `${python} at ${span === undefined ? "nowhere" : JSON.stringify(source.slice(span.start, span.end))}`;
}

describe("precedence", () => {
  it.each([
    ["a if b else c if d else e", "(if b a (if d c e))"],
    ["a if b", "(if b a _)"],
    ["a if b if c", "(if c (if b a _) _)"],
    ["a or b and not c", "(or a (and b (not c)))"],
    ["not a == b", "(not (a == b))"],
    ["a or b or c", "(or (or a b) c)"],
    ["a < b <= c != d", "(a < b <= c != d)"],
    ["a in b not in c", "(a in b not in c)"],
    ["a == b > c >= d", "(a == b > c >= d)"],
    ["1 + 2 ~ 3 + 4", "(+ (+ 1 (~ 2 3)) 4)"],
    ["a ~ b * c ~ d", "(~ a (* b c) d)"],
    ["a + b - c", "(- (+ a b) c)"],
    ["i * 10 // 4 % 3 / 2", "(/ (% (// (* i 10) 4) 3) 2)"],
    ["2 ** 3 ** 2", "(** (** 2 3) 2)"],
    ["-2 ** 2", "(** (- 2) 2)"],
    ["2 ** -1", "(** 2 (- 1))"],
    ["-+-a", "(- (+ (- a)))"],
    ["-a.b|f", "(| (- (. a b)) f)"],
    ["a + b|f", "(+ a (| b f))"],
    ["i + 1 is odd", "(+ i (is 1 odd))"],
    ["-1 is odd ** 2", "(** (is (- 1) odd) 2)"],
    ["not a is odd", "(not (is a odd))"],
    ["(a + b) * c", "(* (+ a b) c)"],
  ])("%s", (source, expected) => {
    expect(expression(source)).toBe(expected);
  });
});

describe("operands", () => {
  it.each([
    ["true, True, false, False, none, None", "(tuple true true false false null null)"],
    ["null", "null"],
    ["in", "in"],
    ["é_1", "é_1"],
    ["()", "(tuple)"],
    ["(a)", "a"],
    ["(a,)", "(tuple a)"],
    ["(a, b if c else d,)", "(tuple a (if c b d))"],
    ["a, b", "(tuple a b)"],
    ["a,", "(tuple a)"],
    ["[]", "(list)"],
    ["[a, (b), [c],]", "(list a b (list c))"],
    ["{}", "(dict)"],
    ["{'a': {'b': 1}}", '(dict "a":(dict "b":1))'],
    ["{a if b else c: d,}", "(dict (if b a c):d)"],
    ["a.b.c", "(. (. a b) c)"],
    ["a.0.1", "([] ([] a 0) 1)"],
    ["a.1_0", "([] a 10)"],
    ["5.x", "(. 5 x)"],
    ["1.e5", "(. 1 e5)"],
    ["a[b][c, d]", "([] ([] a b) (tuple c d))"],
    ["a[]", "([] a (tuple))"],
    ["a[:]", "([] a (: _ _ _))"],
    ["a[1:]", "([] a (: 1 _ _))"],
    ["a[:2]", "([] a (: _ 2 _))"],
    ["a[::3]", "([] a (: _ _ 3))"],
    ["a[1:2:3]", "([] a (: 1 2 3))"],
    ["a[1::]", "([] a (: 1 _ _))"],
    ["f()", "(call f)"],
    ["f(a)(b).c(d)", "(call (. (call (call f a) b) c) d)"],
    ["f(a, b=1, *c, d=2, **e,)", "(call f a b=1 d=2 *c **e)"],
    ["f(*a)", "(call f *a)"],
    ["f(class=1, class=2)", "(call f class=1 class=2)"],
    ["a|f|g(1, x=2)", "(| (| a f) g 1 x=2)"],
    ["a|f . g", "(| a f.g)"],
    ["a|f(1)(2)", "(call (| a f 1) 2)"],
    ["a is odd", "(is a odd)"],
    ["a is not odd", "(not (is a odd))"],
    ["a is divisibleby 3", "(is a divisibleby 3)"],
    ["a is divisibleby(3)", "(is a divisibleby 3)"],
    ["a is in [1, 2]", "(is a in (list 1 2))"],
    ["a is not in b.c[0]", "(not (is a in ([] (. b c) 0)))"],
    ["a is eq -1", "(- (is a eq) 1)"],
    ["a is eq b|f", "(| (is a eq b) f)"],
    ["a is odd and b", "(and (is a odd) b)"],
    ["a is odd or b", "(or (is a odd) b)"],
    ["b if a is odd else c", "(if (is a odd) b c)"],
    ["a is eq {'b': 1}", '(is a eq (dict "b":1))'],
  ])("%s", (source, expected) => {
    expect(expression(source)).toBe(expected);
  });
});

describe("numbers", () => {
  it.each([
    ["0", "0"],
    ["000_0", "0"],
    ["1_000", "1000"],
    ["0x1F", "31"],
    ["0X_ff_ff", "65535"],
    ["0b1_01", "5"],
    ["0O17", "15"],
    ["123456789012345678901234567890", "123456789012345678901234567890"],
    ["1.0", "1f"],
    ["007.5", "7.5f"],
    ["1e3", "1000f"],
    ["1E+3", "1000f"],
    ["1.5e-3", "0.0015f"],
    ["1_0.2_5e1_0", "102500000000f"],
    ["1e400", "Infinityf"],
    ["9007199254740993.0", "9007199254740992f"],
    [`0x${"f".repeat(5000)} is odd`, `(is ${(1n << 20_000n) - 1n} odd)`],
  ])("%s", (source, expected) => {
    expect(expression(source)).toBe(expected);
  });

  it.each(["007", "5.", "1__0", "1_", "0b2", "0x", "1e", ".5", "1.5_e3"])("refuses %s", (source) => {
    expect(refusal(`{{ ${source} }}`).python).toBe("TemplateSyntaxError");
  });

  it("refuses integers Python would not read, and digits it does not build", () => {
    expect(expression("9".repeat(4300))).toBe("9".repeat(4300));
    expect(refusal(`{{ ${"9".repeat(4301)} }}`).python).toBe("ValueError");
    expect(refusedAt("{{ 1٢ }}")).toBe('Unsupported at "1٢"');
    expect(refusedAt("{{ ١.٢ }}")).toBe('TemplateSyntaxError at "١.٢"');
  });
});

describe("strings", () => {
  it.each([
    [`'a' "b"'c'`, "abc"],
    [`'"'`, '"'],
    [String.raw`'\'\"\\'`, `'"\\`],
    [String.raw`'\a\b\f\n\r\t\v'`, "\u0007\b\f\n\r\t\v"],
    [String.raw`'\x41\u00e9\U0001f600'`, "Aé😀"],
    [String.raw`'\0\101\777\1011\8'`, "\0A\u01ffA1\\8"],
    [String.raw`'\q\d'`, "\\q\\d"],
    ["'a\\\nb'", "ab"],
    ["'a\\\r\nb'", "ab"],
    ["'a\r\nb\rc'", "a\nb\nc"],
    ["'é😀'", "é😀"],
    ["'\\é\\€\\😀'", String.raw`\xe9\u20ac\U0001f600`],
    [String.raw`'\ud83d'`, "\ud83d"],
    ["'{{ }} %}'", "{{ }} %}"],
  ])("%j", (source, expected) => {
    expect(expression(source)).toBe(JSON.stringify(expected));
  });

  it.each([
    String.raw`'\x4'`,
    String.raw`'\u12'`,
    String.raw`'\U00110000'`,
    String.raw`'\N'`,
    String.raw`'\N{}'`,
    "'\\xé'",
  ])("refuses %s", (source) => {
    expect(refusedAt(`{{ ${source} }}`)).toBe(`TemplateSyntaxError at ${JSON.stringify(source)}`);
  });

  it("names the escapes it does not build", () => {
    const named = String.raw`'\N{BULLET}'`;
    expect(refusedAt(`{{ ${named} }}`)).toBe(`Unsupported at ${JSON.stringify(named)}`);
    expect(refusal(`{{ ${named} }}`).message).toContain(String.raw`\N{BULLET}`);
    expect(refusal(String.raw`{{ '\ud83d\ude00' }}`).python).toBe("Unsupported");
    expect(refusal(String.raw`{{ '\ud83d' '\ude00' }}`).python).toBe("Unsupported");
  });
});

describe("text, comments, raw blocks and whitespace", () => {
  it.each([
    ["", ""],
    ["a { b }} %} #}", '"a { b }} %} #}"'],
    ["a\n", '"a"'],
    ["a\n\n", '"a\\n"'],
    ["a\r\nb\rc\r\n", '"a\\nb\\nc"'],
    ["{{ a }}\n", "(out a)"],
    [" {{- a -}} \n b", '(out a) "b"'],
    [" {{+ a }} ", '" " (out a) " "'],
    ["{{-1}}", "(out 1)"],
    ["{{ -1 }}", "(out (- 1))"],
    ["a \n {%- if b -%} \n c {%- endif %} d", '"a" (if b ["c"] else []) " d"'],
    [" {%+ if b +%} {% endif %}", '" " (if b [" "] else [])'],
    ["a\x1c\x85\xa0\u2028{{- b }}", '"a" (out b)'],
    ["a\ufeff{{- b }}", '"a\ufeff" (out b)'],
    ["a {# {{ b }} #} c", '"a " " c"'],
    ["a {#- b -#} c", '"a" "c"'],
    ["a {#+ b +#} c", '"a " " c"'],
    ["{#-#}-#}a", '"-#}a"'],
    ["a{#", '"a"'],
    ["a{% raw %}{{ b }}{% if %}{% endraw %}c", '"a" "{{ b }}{% if %}" "c"'],
    ["a {%- raw -%} b {%- endraw -%} c", '"a" "b" "c"'],
    ["{%\nraw\n%} b {%\nendraw\n+%} c", '" b " " c"'],
    ["{% raw %}{% endraw x %}{% raw %}{% endraw %}", '"{% endraw x %}{% raw %}"'],
    ["a{% raw %}", '"a"'],
    ["{{ {'a': {'b': 1}}}}", '(out (dict "a":(dict "b":1)))'],
    ["{{ {1:1}|f -}} }}", '(out (| (dict 1:1) f)) "}}"'],
    ["{{\r\na\r\n}}", "(out a)"],
  ])("%j", (source, expected) => {
    expect(tree(source)).toBe(expected);
  });

  it.each([
    ["a{# b", "{#"],
    ["a{% raw %} b", "{% raw %}"],
    ["{% raw +%}{% endraw %}", "raw"],
    ["{{ a +}}", "}}"],
    ["{{ 'a }}", "'"],
    ["{{ a ! b }}", "!"],
    ["{{ 😀 }}", "😀"],
    ["{{ a² }}", "a²"],
    ["{{ (a] }}", "]"],
    ["{{ a) }}", ")"],
    ["{{ (a }}", "}"],
    ["{{ a", ""],
    ["{{", ""],
  ])("refuses %j at %j", (source, at) => {
    expect(refusedAt(source)).toBe(`TemplateSyntaxError at ${JSON.stringify(at)}`);
  });
});

describe("statements", () => {
  it.each([
    ["{% for a in b %}c{% endfor %}", '(for a in b if _ ["c"] else [])'],
    [
      "{% for a, (b, c) in d, e if f recursive: %}g{% else: %}h{% endfor %}",
      '(for (a (b c)) in (tuple d e) if f recursive ["g"] else ["h"])',
    ],
    ["{% for (a) in b if c if d else e %}{% endfor %}", "(for a in b if (if d c e) [] else [])"],
    ["{% for () in a %}{% endfor %}", "(for () in a if _ [] else [])"],
    ["{% for a in b, recursive %}{% endfor %}", "(for a in (tuple b recursive) if _ [] else [])"],
    ["{% if a %}b{% elif c, d %}e{% else %}f{% endif %}", '(if a ["b"] elif (tuple c d) ["e"] else ["f"])'],
    ["{% set a = b if c else d %}", "(set a (if c b d))"],
    ["{% set a, b = 1, 2 %}", "(set (a b) (tuple 1 2))"],
    ["{% set ns.a = 1 %}", "(set ns.a 1)"],
    ["{% set a %}b{% endset %}", '(set a  ["b"])'],
    ["{% set ns.a | f | g(1) %}b{% endset %}", '(set ns.a (| _ f)(| _ g 1) ["b"])'],
    ["{% with %}a{% endwith %}", '(with ["a"])'],
    ["{% with a = 1, (b, c) = 2 %}{% endwith %}", "(with a=1 (b c)=2 [])"],
    ["{% macro f(a, b=1, c=a) %}d{% endmacro %}", '(macro f (a b=1 c=a) ["d"])'],
    ["{% call f(1) %}a{% endcall %}", '(call () (call f 1) ["a"])'],
    ["{% call(a, b=2) f.g() %}{% endcall %}", "(call (a b=2) (call (. f g)) [])"],
    ["{% filter f|g(1) %}a{% endfilter %}", '(filter (| _ f)(| _ g 1) ["a"])'],
    ["{% block a %}b{% endblock a %}", '(block a ["b"])'],
    ["{% block a scoped required %} {# b #}{% endblock %}", '(block a scoped required [" "])'],
    ["{% autoescape true %}a{% endautoescape %}", '(autoescape true ["a"])'],
    ["{% print a, b if c %}", "(out a (if c b _))"],
    ["{% print %}", "(out)"],
    ["{% include a ignore missing without context %}", "(unsupported include)"],
    ["{% include ['a', 'b'] with context %}", "(unsupported include)"],
    ["{% extends 'a' %}", "(unsupported extends)"],
    ["{% import 'a' as b with context %}", "(unsupported import)"],
    ["{% from 'a' import b, c as d, with context %}", "(unsupported from)"],
    ["{% from 'a' import with, e %}", "(unsupported from)"],
  ])("%s", (source, expected) => {
    expect(tree(source)).toBe(expected);
  });
});

describe("what Jinja2 refuses, at its place", () => {
  it.each([
    ["{{ }}", "}}"],
    ["{{ a b }}", "b"],
    ["{{ a. }}", "}}"],
    ["{{ a.'b' }}", "'b'"],
    ["{{ a[1, ] }}", "]"],
    ["{{ a[1:2, 3] }}", "1:2"],
    ["{{ a == }}", "}}"],
    ["{{ not }}", "}}"],
    ["{{ a is odd is even }}", "is"],
    ["{{ a is }}", "}}"],
    ["{{ a| }}", "}}"],
    ["{{ [,] }}", ","],
    ["{{ {a} }}", "}"],
    ["{{ f(a=1, b) }}", "b"],
    ["{{ f(*a, b) }}", "b"],
    ["{{ f(*a, *b) }}", "*"],
    ["{{ f(**a, b=1) }}", "b"],
    ["{{ f(**a, **b) }}", "**"],
    ["{{ f(,) }}", ","],
    ["{{ f(a=1, a=2) }}", "a"],
    ["{% %}", "%}"],
    ["{% 1 %}", "1"],
    ["{% if a if b else c %}{% endif %}", "if"],
    ["{% if a %}{% else %}{% elif b %}{% endif %}", "elif"],
    ["{% for in b %}{% endfor %}", "b"],
    ["{% for a, in b %}{% endfor %}", "b"],
    ["{% for a.b in c %}{% endfor %}", "."],
    ["{% for (a.b) in c %}{% endfor %}", "a.b"],
    ["{% for [a] in c %}{% endfor %}", "[a]"],
    ["{% set true = 1 %}", "true"],
    ["{% set a, = 1 %}", "="],
    ["{% set ns.a, b = 1 %}", ","],
    ["{% with a, b = 1, 2 %}{% endwith %}", "2"],
    ["{% macro none() %}{% endmacro %}", "none"],
    ["{% macro f(a=1, b) %}{% endmacro %}", "b"],
    ["{% macro f(a, a) %}{% endmacro %}", "a"],
    ["{% macro f(a,) %}{% endmacro %}", ")"],
    ["{% call f %}{% endcall %}", "f"],
    ["{% call f()|g %}{% endcall %}", "f()|g"],
    ["{% call f(caller=1) %}{% endcall %}", "caller"],
    ["{% block a-b %}{% endblock %}", "-"],
    ["{% block a %}{% endblock b %}", "b"],
    ["{% block a required %}b{% endblock %}", "a"],
    ["{% print a, %}", "%}"],
    ["{% import 'a' %}", "%}"],
    ["{% from 'a' import b, %}", "%}"],
    ["{% from 'a' import true %}", "true"],
    ["{% endfor %}", "endfor"],
    ["{% do a %}", "do"],
    ["{% for a in b %}{% break %}{% endfor %}", "break"],
    ["{% for a in b %}{% if c %}{% endfor %}", "endfor"],
    ["{% for a in b %}", "for"],
    ["{% set a %}", "set"],
  ])("%s at %j", (source, at) => {
    expect(refusedAt(source)).toBe(`TemplateSyntaxError at ${JSON.stringify(at)}`);
  });

  it("refuses imports of names with an underscore by another class", () => {
    expect(refusedAt("{% from 'a' import _b %}")).toBe('TemplateAssertionError at "_b"');
  });

  it("says what was found, what is expected and what to do", () => {
    expect(refusal("{{ f(a }}").message).toBe('Found "}" where ")" is expected.');
    expect(refusal("{{ [a b] }}").message).toBe('Expected "," and found "b".');
    expect(refusal("{% for a in b %}{% if c %}{% endfor %}").message).toBe(
      'Found "endfor" while the block "if" inside of it is open; close that first. It waits for "elif" or "else" or "endif".',
    );
    expect(refusal("{% if a %}").message).toBe(
      'The template ends and the block "if" is not closed. It waits for "elif" or "else" or "endif".',
    );
    expect(refusal("{% trans %}").message).toBe(
      'Encountered the unknown tag "trans". It belongs to an extension of Jinja2 that is not switched on.',
    );
  });
});

/** Every node with its text in the source. */
function spansOf(source: string): readonly string[] {
  const found: string[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    const { kind, start, end, nameSpan } = value as { kind?: string; nameSpan?: Span } & Partial<Span>;
    if (start !== undefined && kind !== undefined) found.push(`${kind} ${source.slice(start, end)}`);
    if (nameSpan !== undefined) found.push(`name-span ${source.slice(nameSpan.start, nameSpan.end)}`);
    for (const part of Object.values(value)) visit(part);
  };
  visit(parseTemplate(source).body);
  return found;
}

describe("spans", () => {
  it("of expressions begin and end with their brackets", () => {
    expect(spansOf("a {{- (b + 1).c[0](d=(e,))|f . g(2) }}")).toStrictEqual([
      "text a",
      "output {{- (b + 1).c[0](d=(e,))|f . g(2) }}",
      "filter (b + 1).c[0](d=(e,))|f . g(2)",
      "name-span f . g",
      "call (b + 1).c[0](d=(e,))",
      "item (b + 1).c[0]",
      "attribute (b + 1).c",
      "name-span c",
      "binary b + 1",
      "name b",
      "literal 1",
      "literal 0",
      "name-span d",
      "tuple (e,)",
      "name e",
      "literal 2",
    ]);
  });

  it("of statements reach from the first brace to the last", () => {
    expect(spansOf("\n{%- for a, b in c -%}\n d {%- endfor -%} e")).toStrictEqual([
      "for {%- for a, b in c -%}\n d {%- endfor -%}",
      "target-tuple a, b",
      "name a",
      "name b",
      "name c",
      "text d",
      "text e",
    ]);
  });

  it("count in the source as written, whatever its newlines", () => {
    expect(spansOf("\r\na\r\n\r{{ b ~\r\n 'c\r\n' }}\r\nd\r\n")).toStrictEqual([
      "text \r\na\r\n\r",
      "output {{ b ~\r\n 'c\r\n' }}",
      "concatenation b ~\r\n 'c\r\n'",
      "name b",
      "literal 'c\r\n'",
      "text \r\nd",
    ]);
    expect(refusedAt("\r\n\r\n{{ a\r\n b }}")).toBe('TemplateSyntaxError at "b"');
  });

  it("count UTF-16 code units", () => {
    expect(spansOf("😀{{ '😀' ~ é }}")).toContain("name é");
  });
});

describe("limits", () => {
  const nest = (open: string, count: number, close: string, inner = "a") =>
    open.repeat(count) + inner + close.repeat(count);

  it.each([
    ["brackets", (count: number) => `{{ ${nest("(", count, ")")} }}`, 75],
    ["lists", (count: number) => `{{ ${nest("[", count, "]")} }}`, 75],
    ["signs", (count: number) => `{{ ${"-".repeat(count)}a }}`, 197],
    ["operators", (count: number) => `{{ a${"+a".repeat(count)} }}`, 197],
    ["attributes", (count: number) => `{{ a${".a".repeat(count)} }}`, 197],
    ["filters", (count: number) => `{{ a${"|f".repeat(count)} }}`, 197],
    ["conditions", (count: number) => `{{ a${" if a else a".repeat(count)} }}`, 197],
    ["statements", (count: number) => nest("{% if a %}", count, "{% endif %}"), 98],
    ["loops", (count: number) => nest("{% for a in b %}", count, "{% endfor %}"), 20],
  ])("of nested %s", (_what, source, most) => {
    expect(() => parseTemplate(source(most))).not.toThrow();
    expect(refusal(source(most + 1)).python).toBe("RecursionError");
  });

  it("count loops afresh where Python makes a function", () => {
    const loops = (inner: string) => nest("{% for a in b %}", 15, "{% endfor %}", inner);
    expect(() => parseTemplate(loops(`{% macro f() %}${loops("")}{% endmacro %}`))).not.toThrow();
    expect(() => parseTemplate(loops(`{% for a in b recursive %}${loops("")}{% endfor %}`))).not.toThrow();
    expect(refusal(loops(`{% with %}${loops("")}{% endwith %}`)).python).toBe("RecursionError");
  });

  it("do not hold back what is long and flat", () => {
    expect(expression(`a${"~a".repeat(5000)}`)).toHaveLength(4 + 2 * 5001 - 1);
    expect(() => parseTemplate(`{% if a %}${"{% elif a %}".repeat(5000)}{% endif %}`)).not.toThrow();
  });

  it.each([
    "{",
    "{{ '",
    "((((",
    "{{ (((",
    "{{ ",
    "{% raw %}",
    "{% raw %}{% ",
    "{#",
    " ",
    "{{-",
    "\r\n",
    "{{a}}\r\n",
    "{% if a %}",
    "{{ a ~ 'b' }}",
  ])("a long text of %j is read or refused in linear time", (part) => {
    const source = part.repeat(Math.ceil(HOSTILE_LENGTH / part.length));
    const begun = processorTime();
    let python: string | undefined;
    try {
      parseTemplate(source);
    } catch (error) {
      python = error instanceof TemplateError ? error.python : `not ours: ${String(error)}`;
    }
    expect([undefined, "TemplateSyntaxError", "RecursionError"]).toContain(python);
    // Well above what it takes (some 300 ms), far below what anything quadratic would.
    expect(processorTime() - begun).toBeLessThan(10_000);
  });

  it.each(["1", "1_", "\\x41'", "a,", "a<"])("long tokens and lists of %j too", (part) => {
    const source = `{{ ${part.endsWith("'") ? `'${part.slice(0, -1).repeat(HOSTILE_LENGTH / 5)}'` : `[${part.repeat(HOSTILE_LENGTH / 5)}1]`} }}`;
    const begun = processorTime();
    try {
      parseTemplate(source);
    } catch (error) {
      expect(error).toBeInstanceOf(TemplateError);
    }
    expect(processorTime() - begun).toBeLessThan(10_000);
  });
});
