/**
 * The members of a manifest's text, one at a time: no tree of a million entries is ever built, keys become no property
 * names, their order and repetition survive. Entries in the usual spelling are read by one expression, all others as JSON
 * of their own.
 */
import { RefscopeError } from "../../core/errors.ts";
import { failure } from "../../core/findings/failure.ts";
import { WHOLE_SET } from "../../core/findings/place.ts";
import { lineStarts, positionAmong } from "../../core/json-position.ts";
import type { JsonOddity, JsonValue } from "../../core/json.ts";
import { jsonErrorAt, jsonErrorPosition, jsonValueOf, parseJsonTree } from "../../core/parse-json.ts";

export interface MemberVisitor {
  /** `{"path": …, "offset": …, "length": …}` and nothing else; both integers are safe. */
  range(key: string, path: string, offset: number, length: number): void;
  other(key: string, value: JsonValue): void;
}

/** A string without escapes, and an integer that cannot be unsafe. */
const TEXT = String.raw`"([ !#-\[\]-\uffff]*)"`;
const BYTES = String.raw`(0|[1-9]\d{0,14})`;
const USUAL = new RegExp(
  [TEXT, ":", "\\{", '"path"', ":", TEXT, ",", '"offset"', ":", BYTES, ",", '"length"', ":", BYTES, "\\}"].join(
    String.raw`[ \t\n\r]*`,
  ),
  "y",
);
const SPACE = /[ \t\n\r]*/y;
const SCALAR_END = /[,}\]\s]/g;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN = new Set([0x5b, 0x7b]);
const CLOSE = new Set([0x5d, 0x7d]);
const CLOSE_OBJECT = 0x7d;

const MAX_ODDITIES = 1000;

interface Scan {
  readonly text: string;
  readonly oddities: JsonOddity[];
  at: number;
  lines: readonly number[] | undefined;
}

/**
 * Calls the visitor for each member of the object that the text is.
 * @returns what is odd about the text, but for repeated keys of the manifest itself
 * @throws RefscopeError `json-invalid`, `json-too-deep`, or `chunk-manifest-not-an-object`
 */
export function eachMember(text: string, visitor: MemberVisitor): readonly JsonOddity[] {
  const scan: Scan = { text, oddities: [], at: 0, lines: undefined };
  if (text.charCodeAt(0) === 0xfeff) {
    scan.at = 1;
    note(scan, "byte-order-mark", 0, "\ufeff");
  }
  skipSpace(scan);
  if (text[scan.at] !== "{") {
    throw failure("chunk-manifest-not-an-object", WHOLE_SET, { found: text.slice(scan.at, scan.at + 20) });
  }
  scan.at += 1;
  skipSpace(scan);
  let comma = -1;
  while (codeAt(scan) !== CLOSE_OBJECT) {
    readMember(scan, visitor);
    skipSpace(scan);
    comma = -1;
    if (codeAt(scan) === CLOSE_OBJECT) break;
    if (codeAt(scan) !== COMMA) throw invalidAt(scan, '"," or "}"');
    comma = scan.at;
    scan.at += 1;
    skipSpace(scan);
  }
  if (comma >= 0) note(scan, "trailing-comma", comma, "}");
  scan.at += 1;
  skipSpace(scan);
  if (scan.at < text.length) throw invalidAt(scan, "the end of the text");
  return scan.oddities;
}

function readMember(scan: Scan, visitor: MemberVisitor): void {
  USUAL.lastIndex = scan.at;
  const usual = USUAL.exec(scan.text);
  if (usual !== null) {
    scan.at = USUAL.lastIndex;
    visitor.range(usual[1] ?? "", usual[2] ?? "", Number(usual[3]), Number(usual[4]));
    return;
  }
  if (codeAt(scan) !== QUOTE) throw invalidAt(scan, 'a key in double quotes or "}"');
  const key = readValue(scan);
  if (typeof key !== "string") throw invalidAt(scan, "a key");
  skipSpace(scan);
  if (codeAt(scan) !== COLON) throw invalidAt(scan, '":" after the key');
  scan.at += 1;
  skipSpace(scan);
  visitor.other(key, readValue(scan));
}

/** The JSON value at `scan.at`, which comes to stand after it. */
function readValue(scan: Scan): JsonValue {
  const from = scan.at;
  const to = endOfValue(scan.text, from);
  scan.at = to;
  const { root, oddities } = within(scan, from, () => parseJsonTree(scan.text.slice(from, to)));
  for (const { code, position, written } of oddities) note(scan, code, from + position.offset, written);
  return jsonValueOf(root);
}

/** Where the value ends, if it is one: brackets are counted, not matched. What is not JSON is left to the reader to refuse. */
function endOfValue(text: string, from: number): number {
  const first = text.charCodeAt(from);
  if (first === QUOTE) return endOfString(text, from);
  if (!OPEN.has(first)) {
    SCALAR_END.lastIndex = from;
    const end = SCALAR_END.exec(text)?.index ?? text.length;
    // At least one character, so that its reader says what it found.
    return Math.min(text.length, Math.max(end, from + 1));
  }
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at) - 1;
    else if (OPEN.has(code)) depth += 1;
    else if (CLOSE.has(code)) depth -= 1;
    if (depth === 0) return at + 1;
  }
  return text.length;
}

/** After the closing quote of the string that begins at `from`; the text's end where there is none. */
function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code === BACKSLASH) at += 1;
  }
  return text.length;
}

/** Errors of a part, with the place in the whole text. */
function within<T>(scan: Scan, from: number, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const position = jsonErrorPosition(error);
    if (position === undefined || !(error instanceof RefscopeError)) throw error;
    throw jsonErrorAt(error, positionOf(scan, from + position.offset));
  }
}

function skipSpace(scan: Scan): void {
  SPACE.lastIndex = scan.at;
  SPACE.exec(scan.text);
  scan.at = SPACE.lastIndex;
}

function codeAt(scan: Scan): number {
  return scan.text.charCodeAt(scan.at);
}

function note(scan: Scan, code: JsonOddity["code"], offset: number, written: string): void {
  if (scan.oddities.length >= MAX_ODDITIES) return;
  scan.oddities.push({ code, position: positionOf(scan, offset), written });
}

function positionOf(scan: Scan, offset: number) {
  scan.lines ??= lineStarts(scan.text);
  return positionAmong(scan.lines, offset);
}

function invalidAt(scan: Scan, expected: string): RefscopeError {
  const rest = scan.text.slice(scan.at, scan.at + 20);
  const found = rest === "" ? "the end of the text" : JSON.stringify(rest);
  const { line, column } = positionOf(scan, scan.at);
  return failure("json-invalid", WHOLE_SET, { expected, found, line, column });
}
