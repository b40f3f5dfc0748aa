import { firstPlace } from "../basics.ts";
/**
 * JSON values without loss: integers beyond 2^53 as bigint, objects as Maps (user keys never become property names,
 * integer-like keys keep their place). `parse-json.ts` reads them, `json-write.ts` writes them.
 */
export type JsonObject = ReadonlyMap<string, JsonValue>;
export type JsonValue = null | boolean | number | bigint | string | readonly JsonValue[] | JsonObject;

/** A place in a text. `offset` counts UTF-16 code units from 0, `line` and `column` count from 1. */
export interface JsonPosition {
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

/**
 * Oddities that are read although they break RFC 8259 or lose something:
 * - `duplicate-key`: the last value counts and stands where the key was first written (as in Python)
 * - `not-finite`: NaN, Infinity or -Infinity (Python writes and reads these; other readers refuse them)
 * - `number-overflow`: a number too large for a double, read as infinite (as in Python)
 * - `trailing-comma`: a comma before a closing bracket (Python's `json` refuses it)
 * - `byte-order-mark`: U+FEFF before the document (Python's `json` refuses it in text, skips it in bytes)
 */
export interface JsonOddity {
  readonly code: "duplicate-key" | "not-finite" | "number-overflow" | "trailing-comma" | "byte-order-mark";
  readonly position: JsonPosition;
  /** The key, number or word; the closing bracket after a comma too many. */
  readonly written: string;
}

/** A value with its place in the text: `start` and `end` are offsets, `end` excluded. */
export type JsonNode = JsonScalarNode | JsonNumberNode | JsonArrayNode | JsonObjectNode;

interface JsonSpan {
  readonly start: number;
  readonly end: number;
}

export interface JsonScalarNode extends JsonSpan {
  readonly kind: "scalar";
  readonly value: null | boolean | string;
}

export interface JsonNumberNode extends JsonSpan {
  readonly kind: "number";
  readonly value: number | bigint;
  /** Number as written: `1.0`, `1e3`, `NaN`. */
  readonly text: string;
}

export interface JsonArrayNode extends JsonSpan {
  readonly kind: "array";
  readonly items: readonly JsonNode[];
}

export interface JsonObjectNode extends JsonSpan {
  readonly kind: "object";
  /** All members as written, those with a repeated key too. */
  readonly members: readonly JsonMember[];
}

export interface JsonMember {
  readonly key: string;
  readonly keyStart: number;
  readonly keyEnd: number;
  readonly node: JsonNode;
}

export const isJsonObject = (value: JsonValue | undefined): value is JsonObject => value instanceof Map;

/** "an object", "a number", …: what a value is, for sentences. */
export function describeJson(value: JsonValue | undefined): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (value instanceof Map) return "an object";
  if (typeof value === "bigint") return "an integer";
  return typeof value === "boolean" ? "a boolean" : `a ${typeof value}`;
}

/** A member of a tree that is an object; of a repeated key the last. */
export function memberOf(node: JsonNode | undefined, key: string): JsonNode | undefined {
  return node?.kind === "object" ? node.members.findLast((member) => member.key === key)?.node : undefined;
}

/**
 * All of them: of a repeated key the last value, where the key was first written. `undefined` for what is not an
 * object.
 */
export function membersOf(node: JsonNode | undefined): ReadonlyMap<string, JsonNode> | undefined {
  return node?.kind === "object" ? new Map(node.members.map((member) => [member.key, member.node])) : undefined;
}

/** Line and column of one offset; for many offsets of one text keep `lineStarts` and use `positionAmong`. */
export const positionIn = (text: string, offset: number): JsonPosition => positionAmong(lineStarts(text), offset);

/** Offsets at which the lines of a text begin. Lines end at LF, CR or CRLF, as editors count. */
export function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (const match of text.matchAll(/\r\n|\n|\r/g)) starts.push(match.index + match[0].length);
  return starts;
}

export function positionAmong(lines: readonly number[], offset: number): JsonPosition {
  const line = firstPlace(1, lines.length, (at) => (lines[at] ?? 0) <= offset);
  return { offset, line, column: offset - (lines[line - 1] ?? 0) + 1 };
}
