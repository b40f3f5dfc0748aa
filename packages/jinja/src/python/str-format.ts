/**
 * `str.format` as Jinja2's sandbox runs it: through `string.Formatter`, which differs from the method itself in small
 * things (`{.a}` is not a numbered field, for one).
 */
import { type Budget, TemplateError, typeError, valueError } from "../template-error.ts";
import { type Integer, PyFloat, typeName, type Value } from "../value.ts";
import { floatText, styledFloat } from "./float-text.ts";
import { digitsOf } from "./integer-digits.ts";
import { asInteger, asText, decimalValue, doubleOf, integerText, intFromText } from "./numbers.ts";
import { quote } from "./repr-text.ts";
import { padding } from "./sequences.ts";
import { ascii, codePointLength, repr, str, textStart } from "./text.ts";

export type FieldStep =
  | { readonly kind: "attribute"; readonly name: string }
  | { readonly kind: "item"; readonly key: string | Integer };

/** The attribute or item of an object in a field like `{a.b[c]}`. */
type Resolve = (object: Value, step: FieldStep) => Value;

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

// A format spec read into its parts, and the alignment that all types share.

interface Spec {
  readonly fill: string;
  /** Empty where the type decides. */
  readonly align: "" | "<" | ">" | "=" | "^";
  readonly sign: "" | "+" | "-" | " ";
  /** The flag `z`. */
  readonly noNegativeZero: boolean;
  readonly alternate: boolean;
  /** In characters; 0 for none. */
  readonly width: number;
  readonly grouping: "" | "," | "_";
  readonly precision: number | undefined;
  readonly type: string;
}

const SPEC =
  /^(?:(?<fill>[^])(?=[<>=^]))?(?<align>[<>=^]?)(?<sign>[+\- ]?)(?<z>z?)(?<alternate>#?)(?<zero>0?)(?<width>\p{Nd}*)(?<comma>,?)(?<underscore>_?)(?<rest>[^]*)$/u;

/** `typeOf`: the name of the value's type, for messages. */
function readSpec(spec: string, typeOf: string): Spec {
  const groups = SPEC.exec(spec)?.groups ?? {};
  const isZero = groups["zero"] === "0" && groups["fill"] === undefined;
  const grouping = groupingOf(groups["comma"] ?? "", groups["underscore"] ?? "", groups["rest"] ?? "");
  const { precision, type } = readEnd(groups["rest"] ?? "", spec, typeOf);
  if (grouping !== "") checkGrouping(grouping, type);
  const align = (groups["align"] ?? "") as Spec["align"];
  return {
    fill: groups["fill"] ?? (isZero ? "0" : " "),
    align: align === "" && isZero && typeOf !== "str" ? "=" : align,
    sign: (groups["sign"] ?? "") as Spec["sign"],
    noNegativeZero: groups["z"] === "z",
    alternate: groups["alternate"] === "#",
    width: sizeFrom(groups["width"] ?? ""),
    grouping,
    precision,
    type,
  };
}

function groupingOf(comma: string, underscore: string, rest: string): Spec["grouping"] {
  if (comma !== "" && underscore !== "") throw valueError("Cannot specify both ',' and '_'.");
  if (comma !== "" && rest.startsWith(",")) throw valueError("Cannot specify ',' with ','.");
  if (underscore !== "" && rest.startsWith(",")) throw valueError("Cannot specify both ',' and '_'.");
  return comma !== "" ? "," : underscore !== "" ? "_" : "";
}

function readEnd(rest: string, spec: string, typeOf: string) {
  let precision: number | undefined;
  let type = rest;
  if (rest.startsWith(".")) {
    const digits = /^\.(\p{Nd}*)/u.exec(rest)?.[1] ?? "";
    if (digits === "") throw valueError("Format specifier missing precision");
    precision = sizeFrom(digits);
    type = rest.slice(1 + digits.length);
  }
  if (codePointLength(type) > 1)
    throw valueError(`Invalid format specifier ${quote(spec)} for object of type '${typeOf}'`);
  return { precision, type };
}

function sizeFrom(digits: string): number {
  if (digits === "") return 0;
  const size = Number(intFromText(digits));
  if (size > Number.MAX_SAFE_INTEGER) throw valueError("Too many decimal digits in format string");
  return size;
}

function checkGrouping(grouping: "," | "_", type: string): void {
  if ("defgEGF%".includes(type)) return;
  if (grouping === "_" && "boxX".includes(type)) return;
  throw valueError(`Cannot specify '${grouping}' with '${type}'.`);
}

/** The field in its width, filled on the side the spec asks for. */
function alignField(
  { prefix, body }: { readonly prefix: string; readonly body: string },
  spec: Spec,
  otherwise: "<" | ">",
  budget: Budget,
): string {
  const text = prefix + body;
  const pad = padding(text, spec.width, spec.fill, budget);
  budget.characters(text.length);
  if (pad === "") return text;
  switch (spec.align === "" ? otherwise : spec.align) {
    case "<":
      return text + pad;
    case ">":
      return pad + text;
    case "=":
      return prefix + pad + body;
    case "^": {
      const left = spec.fill.length * Math.floor(pad.length / spec.fill.length / 2);
      return pad.slice(0, left) + text + pad.slice(left);
    }
  }
}

/** ValueError for a spec that does not fit the type, TypeError for types that take none. */
export function formatValue(value: Value, spec: string, budget: Budget): string {
  if (spec === "") return str(value, budget);
  const text = asText(value);
  if (text !== undefined) return formatText(text, readSpec(spec, "str"), budget);
  const whole = asInteger(value);
  if (whole !== undefined) return formatInteger(whole, readSpec(spec, typeName(value)), budget);
  if (value instanceof PyFloat) return formatFloat(value.value, readSpec(spec, "float"), budget);
  throw typeError(`unsupported format string passed to ${typeName(value)}.__format__`);
}

function formatText(text: string, spec: Spec, budget: Budget): string {
  checkTextSpec(spec);
  const cut = spec.precision === undefined ? text : textStart(text, spec.precision, budget);
  return alignField({ prefix: "", body: cut }, spec, "<", budget);
}

function checkTextSpec(spec: Spec): void {
  if (spec.type !== "" && spec.type !== "s") {
    throw valueError(`Unknown format code '${spec.type}' for object of type 'str'`);
  }
  if (spec.sign === " ") throw valueError("Space not allowed in string format specifier");
  if (spec.sign !== "") throw valueError("Sign not allowed in string format specifier");
  if (spec.noNegativeZero) throw valueError("Negative zero coercion (z) not allowed in string format specifier");
  if (spec.alternate) throw valueError("Alternate form (#) not allowed in string format specifier");
  if (spec.align === "=") throw valueError("'=' alignment not allowed in string format specifier");
  if (spec.grouping !== "") throw valueError(`Cannot specify '${spec.grouping}' with 's'.`);
}

// Numbers in the format mini-language.

const BASES: ReadonlyMap<string, 2 | 8 | 10 | 16> = new Map([
  ["", 10],
  ["d", 10],
  ["n", 10],
  ["b", 2],
  ["o", 8],
  ["x", 16],
  ["X", 16],
]);

/** An int or bool. */
function formatInteger(value: Integer, spec: Spec, budget: Budget): string {
  if (spec.type !== "" && "eEfFgG%".includes(spec.type)) return formatFloat(doubleOf(value), spec, budget);
  const base = BASES.get(spec.type);
  if (base === undefined && spec.type !== "c") {
    throw valueError(`Unknown format code '${spec.type}' for object of type 'int'`);
  }
  if (spec.precision !== undefined) throw valueError("Precision not allowed in integer format specifier");
  if (spec.noNegativeZero) throw valueError("Negative zero coercion (z) not allowed in format specifier with integer");
  if (base === undefined) return alignField({ prefix: "", body: characterOf(value, spec) }, spec, ">", budget);
  const mark = spec.alternate && base !== 10 ? `0${spec.type}` : "";
  const digits = digitsOf(value, base, budget);
  const body = spec.type === "X" ? digits.toUpperCase() : digits;
  return numberField(signOf(value < 0, spec) + mark, { whole: body, rest: "" }, spec, base === 10 ? 3 : 4, budget);
}

function characterOf(value: Integer, spec: Spec): string {
  if (spec.sign !== "") throw valueError("Sign not allowed with integer format specifier 'c'");
  if (spec.alternate) throw valueError("Alternate form (#) not allowed with integer format specifier 'c'");
  if (typeof value === "bigint") throw new TemplateError("OverflowError", "Python int too large to convert to C long");
  if (value < 0 || value > 0x10ffff) throw new TemplateError("OverflowError", "%c arg not in range(0x110000)");
  return String.fromCodePoint(value);
}

const signOf = (isNegative: boolean, { sign }: Spec): string => (isNegative ? "-" : sign === "-" ? "" : sign);

function formatFloat(value: number, spec: Spec, budget: Budget): string {
  if (spec.type !== "" && !"eEfFgGn%".includes(spec.type)) {
    throw valueError(`Unknown format code '${spec.type}' for object of type 'float'`);
  }
  if ((spec.precision ?? 0) > 0x7fff_ffff) throw valueError("precision too big");
  budget.characters((spec.precision ?? 6) + 320);
  const text = floatBody(Math.abs(value), spec);
  let isNegative = value < 0 || Object.is(value, -0);
  if (spec.noNegativeZero && !/[1-9n]/i.test(text.replace(/e.*$/i, ""))) isNegative = false;
  const whole = /^\d*/.exec(text)?.[0] ?? "";
  return numberField(signOf(isNegative, spec), { whole, rest: text.slice(whole.length) }, spec, 3, budget);
}

function floatBody(size: number, { type, precision, alternate }: Spec): string {
  if (type === "" && precision === undefined) return alternate ? withPoint(floatText(size)) : floatText(size);
  const isPercent = type === "%";
  const letter = type === "" ? "short" : type === "n" ? "g" : isPercent ? "f" : type.toLowerCase();
  const number = isPercent ? size * 100 : size;
  const text = styledFloat(number, {
    letter: letter as "e" | "f" | "g" | "short",
    precision: precision ?? 6,
    alternate,
  });
  if (isPercent) return `${text}%`;
  return "EFG".includes(type) && type !== "" ? text.toUpperCase() : text;
}

/** The flag `#` without precision: an exponent gets a point before it. */
const withPoint = (text: string): string => (/^\d+e/.test(text) ? text.replace("e", ".e") : text);

/** Digits with their separators; zeros that fill the width by `=` are grouped too. */
function numberField(
  prefix: string,
  { whole, rest }: { readonly whole: string; readonly rest: string },
  spec: Spec,
  group: 3 | 4,
  budget: Budget,
): string {
  if (spec.grouping === "") return alignField({ prefix, body: whole + rest }, spec, ">", budget);
  const isFilled = spec.fill === "0" && spec.align === "=";
  const least = isFilled ? spec.width - prefix.length - rest.length : 0;
  budget.characters(Math.max(whole.length, least) * 2);
  return alignField({ prefix, body: grouped(whole, spec.grouping, group, least) + rest }, spec, ">", budget);
}

/** `least`: how many characters, zeros put before, the text must have. */
function grouped(digits: string, separator: string, group: number, least: number): string {
  if (digits === "") return "";
  let missing = digits;
  const groups = Math.ceil(digits.length / group);
  if (digits.length + groups - 1 < least) {
    let count = least - Math.floor(least / (group + 1));
    if (count + Math.floor((count - 1) / group) < least) count += 1;
    missing = digits.padStart(count, "0");
  }
  const first = missing.length % group || group;
  const parts = [missing.slice(0, first)];
  for (let i = first; i < missing.length; i += group) parts.push(missing.slice(i, i + group));
  return parts.join(separator);
}
