/** What is between the quotes of a string, as Python's "unicode-escape" codec reads it. */
import { TemplateError, unsupported, withSpan } from "../template-error.ts";
import type { Span } from "../tree.ts";

/** What follows the backslash, and the character it represents. A newline after a backslash vanishes. */
const SHORT: ReadonlyMap<string, string> = new Map([
  ["\n", ""],
  ["\\", "\\"],
  ["'", "'"],
  ['"', '"'],
  ["a", "\u0007"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["v", "\v"],
]);

const HEX_LENGTH: ReadonlyMap<string, number> = new Map([
  ["x", 2],
  ["u", 4],
  ["U", 8],
]);

interface Piece {
  readonly text: string;
  /** Where to go on reading. */
  readonly next: number;
}

/**
 * `body.encode("ascii", "backslashreplace").decode("unicode-escape")`, as Jinja2 does it. TemplateSyntaxError where an
 * escape is cut short or names no character; Unsupported for `\N{…}`.
 *
 * @param span of the string, for errors
 */
export function decodeString(body: string, span: Span): string {
  let at = body.indexOf("\\");
  if (at < 0) return body;
  const pieces: string[] = [body.slice(0, at)];
  let last = body.slice(0, at);
  while (at >= 0) {
    const piece = decodeEscape(body, at + 1, span);
    // A pair of escaped surrogates is two characters for Python and would be one here.
    refuseJoinedSurrogates(last, piece.text, span);
    const next = body.indexOf("\\", piece.next);
    const plain = body.slice(piece.next, next < 0 ? body.length : next);
    pieces.push(piece.text, plain);
    if (plain !== "") last = plain;
    else if (piece.text !== "") last = piece.text;
    at = next;
  }
  return pieces.join("");
}

/** Unsupported where `left` ends with half a surrogate pair and `right` begins with the other half. */
export function refuseJoinedSurrogates(left: string, right: string, span: Span): void {
  const high = left.charCodeAt(left.length - 1);
  const low = right.charCodeAt(0);
  if (high >= 0xd800 && high <= 0xdbff && low >= 0xdc00 && low <= 0xdfff) {
    throw withSpan(unsupported("A string with a surrogate pair written as two escapes"), span);
  }
}

/** `at`: behind the backslash. */
function decodeEscape(body: string, at: number, span: Span): Piece {
  const letter = body.charAt(at);
  const short = SHORT.get(letter);
  if (short !== undefined) return { text: short, next: at + 1 };
  const length = HEX_LENGTH.get(letter);
  if (length !== undefined) return decodeHex(body, at, length, span);
  if (letter >= "0" && letter <= "7") return decodeOctal(body, at);
  if (letter === "N") throw namedEscape(body, at, span);
  if (letter > "\u007f") return decodeForeign(body, at);
  return { text: `\\${letter}`, next: at + 1 };
}

function decodeHex(body: string, at: number, length: number, span: Span): Piece {
  const digits = body.slice(at + 1, at + 1 + length);
  if (digits.length < length || !/^[0-9a-fA-F]+$/.test(digits)) {
    const escape = `\\${body.charAt(at)}`;
    throw new TemplateError(
      "TemplateSyntaxError",
      `A string has the escape ${escape} without the ${length} hexadecimal digits it needs; write \\\\ for a backslash.`,
      span,
    );
  }
  const code = Number.parseInt(digits, 16);
  if (code > 0x10ffff) {
    throw new TemplateError("TemplateSyntaxError", `The escape \\U${digits} in a string names no character.`, span);
  }
  return { text: String.fromCodePoint(code), next: at + 1 + length };
}

function decodeOctal(body: string, at: number): Piece {
  let end = at + 1;
  while (end < at + 3 && body.charAt(end) >= "0" && body.charAt(end) <= "7") end += 1;
  return { text: String.fromCharCode(Number.parseInt(body.slice(at, end), 8)), next: end };
}

/**
 * A backslash before a character outside of ASCII: Jinja2 has turned that character into an escape of its own, so that
 * the two backslashes make one, and the rest of the escape stays as text.
 */
function decodeForeign(body: string, at: number): Piece {
  const code = body.codePointAt(at) ?? 0;
  const hex = code.toString(16);
  const next = at + (code > 0xffff ? 2 : 1);
  if (code <= 0xff) return { text: `\\x${hex}`, next };
  return { text: code > 0xffff ? `\\U${hex.padStart(8, "0")}` : `\\u${hex.padStart(4, "0")}`, next };
}

function namedEscape(body: string, at: number, span: Span): unknown {
  const end = body.indexOf("}", at);
  if (body.charAt(at + 1) !== "{" || end <= at + 2) {
    return new TemplateError("TemplateSyntaxError", "A string has the escape \\N without a name in braces.", span);
  }
  return withSpan(unsupported(`The escape \\${body.slice(at, end + 1)} in a string`), span);
}
