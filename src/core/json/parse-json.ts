/**
 * A lossless, ordered JSON reader (RFC 8259, with what Python's `json` adds) for metadata and template documents.
 *
 * No package does this: lossless-json and json-bigint build plain objects (order and `__proto__` lost), jsonc-parser and
 * Momoa keep positions but no integers beyond 2^53, refuse a bare NaN or accept all of JSON5 with it.
 */
import { attempt } from "../basics.ts";
import { cut } from "../words.ts";
import { type Code, type FactsOf, failure, RefscopeError, WHOLE_SET } from "../findings/finding.ts";
import { lineStarts, positionAmong } from "./json.ts";
import type { JsonMember, JsonNode, JsonObjectNode, JsonOddity, JsonPosition, JsonValue } from "./json.ts";

/** Deepest nesting that is read: deeper documents are an error, not a stack overflow. */
export const MAX_JSON_DEPTH = 512;
/** Longest integer, in digits: Python's own limit (`sys.int_info.default_max_str_digits`). */
const MAX_DIGITS = 4300;
/** Further oddities are not listed: a hostile text has one per character. */
const MAX_ODDITIES = 1000;
/** Characters of what is odd. */
const MAX_WRITTEN = 200;

export interface JsonTree {
  readonly root: JsonNode;
  readonly oddities: readonly JsonOddity[];
}

/**
 * Reads a whole JSON text.
 * @throws RefscopeError `json-invalid`, or `json-too-deep` beyond 512 levels; `jsonErrorPosition` gives the place
 */
export function parseJson(text: string) {
  const { root, oddities } = parseJsonTree(text);
  return { value: jsonValueOf(root), oddities };
}

/**
 * The same with the place of every value and the text of every number, for diagnostics in an editor. Throws the same.
 */
export function parseJsonTree(text: string): JsonTree {
  const scan = startScan(text);
  const root = readNode(scan);
  return { root, oddities: finishScan(scan) };
}

/**
 * Calls `visit` for each member of the object that a text is, without a tree of all of them. `skip` may read a member on
 * its own: given where it begins, it returns where it ends. Repeated keys are not noted. `undefined`: not an object.
 * Throws as `parseJson` does.
 */
export function eachJsonMember(
  text: string,
  skip: (from: number) => number | undefined,
  visit: (key: string, value: JsonValue) => void,
): readonly JsonOddity[] | undefined {
  const scan = startScan(text);
  if (text[scan.at] !== "{") return undefined;
  readItems(scan, "}", () => {
    const end = skip(scan.at);
    if (end !== undefined) {
      scan.at = end;
      return;
    }
    const { key, node } = readMember(scan);
    visit(key, jsonValueOf(node));
  });
  return finishScan(scan);
}

function startScan(text: string): Scan {
  const scan: Scan = { text, at: 0, depth: 0, oddities: [], lines: undefined };
  if (text.charCodeAt(0) === 0xfeff) {
    addOddity(scan, "byte-order-mark", 0, "\ufeff");
    scan.at = 1;
  }
  skipSpace(scan);
  return scan;
}

function finishScan(scan: Scan): readonly JsonOddity[] {
  skipSpace(scan);
  if (scan.at < scan.text.length) throw invalid(scan, "the end of the text");
  return scan.oddities;
}

/** The value of a tree: of repeated keys the last value, where the key was first written. */
export function jsonValueOf(node: JsonNode): JsonValue {
  if (node.kind === "array") return node.items.map(jsonValueOf);
  if (node.kind === "object") return new Map(node.members.map((member) => [member.key, jsonValueOf(member.node)]));
  return node.value;
}

/** Position at which the text stopped being JSON; `undefined` for errors of other code. */
export function jsonErrorPosition(error: unknown): JsonPosition | undefined {
  return error instanceof RefscopeError ? POSITIONS.get(error) : undefined;
}

interface Scan {
  readonly text: string;
  readonly oddities: JsonOddity[];
  at: number;
  depth: number;
  /** Offsets at which lines begin, made when first needed. */
  lines: readonly number[] | undefined;
}

const POSITIONS = new WeakMap<RefscopeError, JsonPosition>();
const LITERALS = new Map<string, null | boolean>([
  ["null", null],
  ["true", true],
  ["false", false],
]);
const NOT_FINITE = new Map([
  ["NaN", Number.NaN],
  ["Infinity", Number.POSITIVE_INFINITY],
  ["-Infinity", Number.NEGATIVE_INFINITY],
]);
const NUMBER = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?/y;
const WORD = /-?[A-Za-z_$][\w$]*/y;
const HEX4 = /^[0-9a-fA-F]{4}$/;
/** Characters after a backslash, with their meaning. */
export const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

function readNode(scan: Scan): JsonNode {
  const first = scan.text[scan.at];
  if (first === "{") return readNested(scan, readObject);
  if (first === "[") return readNested(scan, readArray);
  if (first === '"') {
    const start = scan.at;
    return { kind: "scalar", value: readString(scan), start, end: scan.at };
  }
  return readNumber(scan) ?? readWord(scan);
}

function readNested(scan: Scan, read: (scan: Scan) => JsonNode): JsonNode {
  if (scan.depth === MAX_JSON_DEPTH) throw tooDeep(scan);
  scan.depth += 1;
  const node = read(scan);
  scan.depth -= 1;
  return node;
}

function readArray(scan: Scan): JsonNode {
  const start = scan.at;
  const items: JsonNode[] = [];
  readItems(scan, "]", () => items.push(readNode(scan)));
  return { kind: "array", items, start, end: scan.at };
}

function readObject(scan: Scan): JsonObjectNode {
  const start = scan.at;
  const members: JsonMember[] = [];
  const seen = new Set<string>();
  readItems(scan, "}", () => {
    const member = readMember(scan);
    if (seen.has(member.key)) addOddity(scan, "duplicate-key", member.keyStart, member.key);
    seen.add(member.key);
    members.push(member);
  });
  return { kind: "object", members, start, end: scan.at };
}

/** Items between brackets, commas between them; `scan.at` is at the opening bracket and ends after the closing one. */
function readItems(scan: Scan, close: "]" | "}", readItem: () => void): void {
  scan.at += 1;
  skipSpace(scan);
  let comma = -1;
  while (scan.text[scan.at] !== close) {
    readItem();
    skipSpace(scan);
    comma = -1;
    if (scan.text[scan.at] === close) break;
    if (scan.text[scan.at] !== ",") throw invalid(scan, `"," or "${close}"`);
    comma = scan.at;
    scan.at += 1;
    skipSpace(scan);
  }
  if (comma >= 0) addOddity(scan, "trailing-comma", comma, close);
  scan.at += 1;
}

function readMember(scan: Scan): JsonMember {
  const keyStart = scan.at;
  if (scan.text[keyStart] !== '"') throw invalid(scan, 'a key in double quotes or "}"');
  const key = readString(scan);
  const keyEnd = scan.at;
  skipSpace(scan);
  if (scan.text[scan.at] !== ":") throw invalid(scan, '":" after the key');
  scan.at += 1;
  skipSpace(scan);
  return { key, keyStart, keyEnd, node: readNode(scan) };
}

/** The string at `scan.at`, which is at its opening quote. Plain stretches are sliced, escapes handled one by one. */
function readString(scan: Scan): string {
  const { text } = scan;
  const opening = scan.at;
  const pieces: string[] = [];
  let from = opening + 1;
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      scan.at = at + 1;
      pieces.push(text.slice(from, at));
      return pieces.length === 1 ? (pieces[0] ?? "") : pieces.join("");
    }
    if (code < 0x20) throw invalid(moved(scan, at), "control characters in a string written as escapes (\\n, \\u0000)");
    if (code !== BACKSLASH) continue;
    pieces.push(text.slice(from, at), readEscape(scan, at));
    at += text[at + 1] === "u" ? 5 : 1;
    from = at + 1;
  }
  throw invalid(moved(scan, text.length), `the closing quote of the string that begins at offset ${opening}`);
}

function readEscape(scan: Scan, at: number): string {
  const letter = scan.text.charAt(at + 1);
  if (letter === "u") {
    const digits = scan.text.slice(at + 2, at + 6);
    if (HEX4.test(digits)) return String.fromCharCode(Number.parseInt(digits, 16));
    throw invalid(moved(scan, at), "four hexadecimal digits after \\u");
  }
  if (letter === '"' || letter === "\\" || letter === "/") return letter;
  const character = ESCAPES.get(letter);
  if (character === undefined)
    throw invalid(moved(scan, at), 'one of \\" \\\\ \\/ \\b \\f \\n \\r \\t \\u after a backslash');
  return character;
}

function readNumber(scan: Scan): JsonNode | undefined {
  const start = scan.at;
  NUMBER.lastIndex = start;
  const match = NUMBER.exec(scan.text);
  if (match === null) return undefined;
  const text = match[0];
  const end = start + text.length;
  // "01", "1.", "1a": the longest number ends early, and what follows belongs to it in the writer's mind.
  if (/[\w.+]/.test(scan.text.charAt(end))) throw invalid(scan, "a number as JSON writes it (1, -0.5, 1e10)");
  scan.at = end;
  const isInteger = match[1] === undefined && match[2] === undefined;
  return {
    kind: "number",
    value: isInteger ? integer(scan, start, text) : double(scan, start, text),
    text,
    start,
    end,
  };
}

function integer(scan: Scan, start: number, text: string): number | bigint {
  if (text.length > MAX_DIGITS) {
    throw invalid(
      moved(scan, start),
      `an integer of at most ${MAX_DIGITS} digits (Python's limit)`,
      `${text.length} digits`,
    );
  }
  const value = Number(text);
  // Python has no integer -0.
  if (value === 0) return 0;
  return Number.isSafeInteger(value) ? value : BigInt(text);
}

function double(scan: Scan, start: number, text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value)) addOddity(scan, "number-overflow", start, text);
  return value;
}

function readWord(scan: Scan): JsonNode {
  const start = scan.at;
  WORD.lastIndex = start;
  const text = WORD.exec(scan.text)?.[0] ?? "";
  const literal = LITERALS.get(text);
  const number = NOT_FINITE.get(text);
  if (literal === undefined && number === undefined) throw invalid(scan, "a JSON value");
  scan.at += text.length;
  if (literal !== undefined) return { kind: "scalar", value: literal, start, end: scan.at };
  addOddity(scan, "not-finite", start, text);
  return { kind: "number", value: number ?? Number.NaN, text, start, end: scan.at };
}

function skipSpace(scan: Scan): void {
  const { text } = scan;
  let at = scan.at;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) break;
    at += 1;
  }
  scan.at = at;
}

function moved(scan: Scan, at: number): Scan {
  scan.at = at;
  return scan;
}

function addOddity(scan: Scan, code: JsonOddity["code"], offset: number, written: string): void {
  if (scan.oddities.length >= MAX_ODDITIES) return;
  scan.oddities.push({ code, position: positionOf(scan, offset), written: cut(written, MAX_WRITTEN) });
}

function invalid(scan: Scan, expected: string, found = foundAt(scan.text, scan.at)): RefscopeError {
  const { line, column } = positionOf(scan, scan.at);
  return errorAt(scan, "json-invalid", { expected, found, line, column });
}

function tooDeep(scan: Scan): RefscopeError {
  const { line, column } = positionOf(scan, scan.at);
  return errorAt(scan, "json-too-deep", { limit: MAX_JSON_DEPTH, line, column });
}

function errorAt<C extends Code>(scan: Scan, code: C, facts: FactsOf<C>): RefscopeError {
  const error = failure(code, WHOLE_SET, facts);
  POSITIONS.set(error, positionOf(scan, scan.at));
  return error;
}

function foundAt(text: string, at: number): string {
  if (at >= text.length) return "the end of the text";
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  if (character === "'") return "a single quote (JSON strings stand in double quotes)";
  if (character < " " || character === "\u007f") {
    return `the control character U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
  }
  return `"${/^[\w.+-]{1,40}/.exec(text.slice(at, at + 40))?.[0] ?? character}"`;
}

function positionOf(scan: Scan, offset: number): JsonPosition {
  scan.lines ??= lineStarts(scan.text);
  return positionAmong(scan.lines, offset);
}

/** The value of JSON text; `undefined` where it is none. */
export const parsed = (text: string): JsonValue | undefined => attempt(() => parseJson(text).value);

// Writes JSON values so that `parseJson` (and Python's `json.loads`) gives the same value back.

/**
 * JSON text of a value: bigint exact, members in their order, NaN and the infinities bare as Python writes them.
 * Without `indent` on one line, with it as `JSON.stringify` lays it out. A number that a reader would take for an integer
 * beyond 2^53 keeps its `.0`, and so does -0: they are doubles.
 */
export const writeJson = (value: JsonValue, indent = 0): string => write(value, indent, "\n");

/** The same of a tree, in which every number stands as it was written: `10.0` is not `10` to Python. */
export function writeJsonNode(node: JsonNode): string {
  if (node.kind === "number") return node.text;
  if (node.kind === "scalar") return writeJson(node.value);
  if (node.kind === "array") return `[${node.items.map(writeJsonNode).join(",")}]`;
  const members = new Map(node.members.map((member) => [member.key, member.node]));
  return `{${Array.from(members, ([key, value]) => `${JSON.stringify(key)}:${writeJsonNode(value)}`).join(",")}}`;
}

function write(value: JsonValue, indent: number, newline: string): string {
  if (typeof value === "number") return writeNumber(value);
  if (typeof value === "string") return JSON.stringify(value);
  if (value === null || typeof value === "boolean" || typeof value === "bigint") return String(value);
  const inner = newline + " ".repeat(indent);
  if (!(value instanceof Map)) {
    const items = (value as readonly JsonValue[]).map((item) => write(item, indent, inner));
    return enclose("[", items, "]", indent, newline);
  }
  const colon = indent > 0 ? ": " : ":";
  const members = [...(value as ReadonlyMap<string, JsonValue>)].map(
    ([key, member]) => JSON.stringify(key) + colon + write(member, indent, inner),
  );
  return enclose("{", members, "}", indent, newline);
}

function enclose(open: string, items: readonly string[], close: string, indent: number, newline: string): string {
  if (items.length === 0 || indent === 0) return open + items.join(",") + close;
  const inner = newline + " ".repeat(indent);
  return open + inner + items.join(`,${inner}`) + newline + close;
}

function writeNumber(value: number): string {
  const text = Object.is(value, -0) ? "-0" : String(value);
  const readsAsInteger = /^-?\d+$/.test(text);
  return readsAsInteger && (Object.is(value, -0) || !Number.isSafeInteger(value)) ? `${text}.0` : text;
}
