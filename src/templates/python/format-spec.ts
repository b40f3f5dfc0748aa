/** `format(value, spec)`: Python's "Format Specification Mini-Language". */
import type { Budget } from "../budget.ts";
import { TemplateError, typeError, valueError } from "../template-error.ts";
import { type Integer, PyFloat, type Value } from "../value.ts";
import { codePointLength, textStart } from "./code-points.ts";
import { floatText, styledFloat } from "./float-text.ts";
import { digitsOf } from "./integer-digits.ts";
import { asInteger, asText, doubleOf, intFromText } from "./numbers.ts";
import { quote } from "./quote.ts";
import { padding } from "./sequences.ts";
import { str } from "./text.ts";
import { typeName } from "./type-name.ts";

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

/** `sign` and `0x`, then the digits: padding with `=` goes between them. */
interface Field {
  readonly prefix: string;
  readonly body: string;
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

function readEnd(
  rest: string,
  spec: string,
  typeOf: string,
): { readonly precision: number | undefined; readonly type: string } {
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
function alignField({ prefix, body }: Field, spec: Spec, otherwise: "<" | ">", budget: Budget): string {
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
