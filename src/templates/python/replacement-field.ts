/** The braces of a format string: literal text and replacement fields, as CPython's parser takes them apart. */
import { valueError } from "../template-error.ts";

export interface Replacement {
  /** Text before the field; doubled braces are one. */
  readonly literal: string;
  readonly field: ReplacementField | undefined;
}

export interface ReplacementField {
  readonly name: string;
  /** The character after `!`. */
  readonly conversion: string | undefined;
  /** May hold fields itself. */
  readonly spec: string;
}

/** ValueError where braces do not match. */
export function* readReplacements(format: string): Iterable<Replacement> {
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
  const nameEnd = endOfName(format, at);
  const name = format.slice(at, nameEnd);
  const mark = format[nameEnd];
  if (mark === "}") return { field: { name, conversion: undefined, spec: "" }, end: nameEnd + 1 };
  if (mark === undefined) throw valueError("expected '}' before end of string");
  if (mark === ":") return withSpec(format, name, undefined, nameEnd + 1);
  const code = format.codePointAt(nameEnd + 1);
  if (code === undefined) throw valueError("end of string while looking for conversion specifier");
  const conversion = String.fromCodePoint(code);
  const after = nameEnd + 1 + conversion.length;
  const follows = format[after];
  if (follows === undefined) throw valueError("unmatched '{' in format spec");
  if (follows === "}") return { field: { name, conversion, spec: "" }, end: after + 1 };
  if (follows !== ":") throw valueError("expected ':' after conversion specifier");
  return withSpec(format, name, conversion, after + 1);
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

function withSpec(
  format: string,
  name: string,
  conversion: string | undefined,
  from: number,
): { readonly field: ReplacementField; readonly end: number } {
  let depth = 1;
  for (let at = from; at < format.length; at += 1) {
    if (format[at] === "{") depth += 1;
    else if (format[at] === "}") depth -= 1;
    if (depth === 0) return { field: { name, conversion, spec: format.slice(from, at) }, end: at + 1 };
  }
  throw valueError("unmatched '{' in format spec");
}
