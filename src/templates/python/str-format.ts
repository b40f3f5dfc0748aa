/**
 * `str.format` as Jinja2's sandbox runs it: through `string.Formatter`, which differs from the method itself in small
 * things (`{.a}` is not a numbered field, for one).
 */
import type { Budget } from "../budget.ts";
import { TemplateError, valueError } from "../template-error.ts";
import type { Integer, Value } from "../value.ts";
import { formatValue } from "./format-spec.ts";
import { decimalValue, integerText } from "./numbers.ts";
import { quote } from "./quote.ts";
import { ascii, repr, str } from "./text.ts";

export type FieldStep =
  { readonly kind: "attribute"; readonly name: string } | { readonly kind: "item"; readonly key: string | Integer };

/** The attribute or item of an object in a field like `{a.b[c]}`. */
export type Resolve = (object: Value, step: FieldStep) => Value;

interface Sources {
  readonly positional: readonly Value[];
  readonly named: (key: string) => Value | undefined;
  readonly resolve: Resolve;
  readonly budget: Budget;
  /** The number the next `{}` takes; undefined once a field has a number of its own. */
  automatic: number | undefined;
}

/** `named`: a keyword's value; undefined makes KeyError. IndexError for missing positions, ValueError for bad fields. */
export function strFormat(
  format: string,
  positional: readonly Value[],
  named: (key: string) => Value | undefined,
  resolve: Resolve,
  budget: Budget,
): string {
  return formatted(format, { positional, named, resolve, budget, automatic: 0 }, 2);
}

function formatted(format: string, sources: Sources, depth: number): string {
  if (depth < 0) throw valueError("Max string recursion exceeded");
  const { budget } = sources;
  let result = "";
  for (const piece of readReplacements(format)) {
    budget.spend(1);
    budget.characters(piece.literal.length);
    result += piece.literal;
    if (piece.field === undefined) continue;
    const { name, conversion, spec } = piece.field;
    const object = converted(fieldValue(numberedName(name, sources), sources), conversion, budget);
    const text = formatValue(object, formatted(spec, sources, depth - 1), budget);
    budget.characters(text.length);
    result += text;
  }
  return result;
}

const DIGITS = /^[\p{Nd}²³¹⁰⁴-⁹₀-₉]+$/u;

function numberedName(name: string, sources: Sources): string {
  const mixed = (): TemplateError =>
    valueError("cannot switch from manual field specification to automatic field numbering");
  if (name === "") {
    if (sources.automatic === undefined) throw mixed();
    sources.automatic += 1;
    return String(sources.automatic - 1);
  }
  if (DIGITS.test(name)) {
    if (sources.automatic !== undefined && sources.automatic > 0) throw mixed();
    sources.automatic = undefined;
  }
  return name;
}

function fieldValue(name: string, { positional, named, resolve, budget }: Sources): Value {
  const start = /^[^.[]*/.exec(name)?.[0] ?? "";
  const first = keyFrom(start);
  let object = typeof first === "string" ? byName(named, first) : byPosition(positional, first, budget);
  for (const step of readSteps(name, start.length)) {
    budget.spend(1);
    object = resolve(object, step);
  }
  return object;
}

function byName(named: Sources["named"], key: string): Value {
  const value = named(key);
  if (value === undefined) throw new TemplateError("KeyError", quote(key));
  return value;
}

function byPosition(positional: readonly Value[], index: Integer, budget: Budget): Value {
  const value = positional[Number(index)];
  if (value !== undefined) return value;
  throw new TemplateError("IndexError", `Replacement index ${integerText(index, budget)} out of range`);
}

/** A whole number in digits of any script, or the text itself. */
function keyFrom(text: string): string | Integer {
  if (!/^\p{Nd}+$/u.test(text)) return text;
  let value = 0;
  for (const digit of text) value = value * 10 + decimalValue(digit.codePointAt(0) ?? 0);
  if (value > Number.MAX_SAFE_INTEGER) throw valueError("Too many decimal digits in format string");
  return value;
}

function* readSteps(name: string, start: number): Iterable<FieldStep> {
  let at = start;
  while (at < name.length) {
    const mark = name[at];
    if (mark !== "." && mark !== "[") throw valueError("Only '.' or '[' may follow ']' in format field specifier");
    const end = mark === "." ? endOfAttribute(name, at + 1) : name.indexOf("]", at + 1);
    if (end < 0) throw valueError("Missing ']' in format string");
    const part = name.slice(at + 1, end);
    if (part === "") throw valueError("Empty attribute in format string");
    yield mark === "." ? { kind: "attribute", name: part } : { kind: "item", key: keyFrom(part) };
    at = mark === "." ? end : end + 1;
  }
}

function endOfAttribute(name: string, from: number): number {
  let end = from;
  while (end < name.length && name[end] !== "." && name[end] !== "[") end += 1;
  return end;
}

function converted(value: Value, conversion: string | undefined, budget: Budget): Value {
  switch (conversion) {
    case undefined:
      return value;
    case "s":
      return str(value, budget);
    case "r":
      return repr(value, budget);
    case "a":
      return ascii(value, budget);
    default:
      throw valueError(`Unknown conversion specifier ${conversion}`);
  }
}

// The braces of a format string: literal text and replacement fields, as CPython's parser takes them apart.

interface Replacement {
  /** Text before the field; doubled braces are one. */
  readonly literal: string;
  readonly field: ReplacementField | undefined;
}

interface ReplacementField {
  readonly name: string;
  /** The character after `!`. */
  readonly conversion: string | undefined;
  /** May hold fields itself. */
  readonly spec: string;
}

/** ValueError where braces do not match. */
function* readReplacements(format: string): Iterable<Replacement> {
  let at = 0;
  while (at < format.length) {
    const brace = nextBrace(format, at);
    if (brace === format.length) {
      yield { literal: format.slice(at), field: undefined };
      return;
    }
    const isDoubled = format[brace + 1] === format[brace];
    if (isDoubled) {
      yield { literal: format.slice(at, brace + 1), field: undefined };
      at = brace + 2;
      continue;
    }
    if (format[brace] === "}") throw valueError("Single '}' encountered in format string");
    if (brace + 1 === format.length) throw valueError("Single '{' encountered in format string");
    const { field, end } = readField(format, brace + 1);
    yield { literal: format.slice(at, brace), field };
    at = end;
  }
}

function nextBrace(format: string, from: number): number {
  let at = from;
  while (at < format.length && format[at] !== "{" && format[at] !== "}") at += 1;
  return at;
}

/** `at`: after the opening brace. */
function readField(format: string, at: number): { readonly field: ReplacementField; readonly end: number } {
  let next = endOfName(format, at);
  const name = format.slice(at, next);
  let conversion: string | undefined;
  if (format[next] === undefined) throw valueError("expected '}' before end of string");
  if (format[next] === "!") {
    const code = format.codePointAt(next + 1);
    if (code === undefined) throw valueError("end of string while looking for conversion specifier");
    conversion = String.fromCodePoint(code);
    next += 1 + conversion.length;
    if (format[next] === undefined) throw valueError("unmatched '{' in format spec");
    if (format[next] !== "}" && format[next] !== ":") throw valueError("expected ':' after conversion specifier");
  }
  const end = format[next] === "}" ? next : endOfSpec(format, next + 1);
  return { field: { name, conversion, spec: format.slice(next + 1, end) }, end: end + 1 };
}

/** Brackets hide the other marks. */
function endOfName(format: string, from: number): number {
  let inBrackets = false;
  for (let at = from; at < format.length; at += 1) {
    const character = format[at];
    if (character === "[") inBrackets = true;
    else if (character === "]") inBrackets = false;
    else if (!inBrackets && character === "{") throw valueError("unexpected '{' in field name");
    else if (!inBrackets && (character === "}" || character === ":" || character === "!")) return at;
  }
  return format.length;
}

/** Where the brace is that closes the field. */
function endOfSpec(format: string, from: number): number {
  let depth = 1;
  for (let at = from; at < format.length; at += 1) {
    if (format[at] === "{") depth += 1;
    else if (format[at] === "}") depth -= 1;
    if (depth === 0) return at;
  }
  throw valueError("unmatched '{' in format spec");
}
