/** Numbers in the format mini-language. */
import type { Budget } from "../budget.ts";
import { TemplateError, valueError } from "../template-error.ts";
import type { Integer } from "../value.ts";
import { floatText, styledFloat } from "./float-text.ts";
import { alignField, type Spec } from "./format-field.ts";
import { digitsOf } from "./integer-digits.ts";
import { doubleOf } from "./numbers.ts";

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
export function formatInteger(value: Integer, spec: Spec, budget: Budget): string {
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

export function formatFloat(value: number, spec: Spec, budget: Budget): string {
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
function withPoint(text: string): string {
  return /^\d+e/.test(text) ? text.replace("e", ".e") : text;
}

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
