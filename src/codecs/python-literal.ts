/**
 * Lists, tuples, strings and whole numbers as Python writes them (`ast.literal_eval` reads them so): enough for data types
 * that codecs keep as text. Nothing is evaluated.
 */
import type { JsonValue } from "../core/json.ts";

const MAX_DEPTH = 32;

/** Tuples become lists. `undefined` where the text is nothing of that kind. */
export function parsePythonLiteral(text: string): JsonValue | undefined {
  const tokens = tokensOf(text);
  if (tokens === undefined) return undefined;
  const reading = { tokens, at: 0 };
  const value = parseValue(reading, 0);
  return reading.at === tokens.length ? value : undefined;
}

interface Reading {
  readonly tokens: readonly string[];
  at: number;
}

const TOKEN = /\s*(?:('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|-?\d+(?![\w.])|[[\](),])|$)/y;

function tokensOf(text: string): readonly string[] | undefined {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const match = TOKEN.exec(text);
    if (match === null) return undefined;
    if (match[1] !== undefined) tokens.push(match[1]);
  }
  return tokens;
}

function parseValue(reading: Reading, depth: number): JsonValue | undefined {
  const token = reading.tokens[reading.at++];
  if (token === undefined || depth > MAX_DEPTH) return undefined;
  if (token === "[" || token === "(") return parseItems(reading, token === "[" ? "]" : ")", depth + 1);
  if (token.startsWith("'") || token.startsWith('"')) return parseString(token.slice(1, -1));
  const number = Number(token);
  return Number.isSafeInteger(number) ? number : undefined;
}

/** `(x)` is `x`, `(x,)` a tuple. */
function parseItems(reading: Reading, end: string, depth: number): JsonValue | undefined {
  const items: JsonValue[] = [];
  let hasComma = false;
  while (reading.tokens[reading.at] !== end) {
    const item = parseValue(reading, depth);
    if (item === undefined) return undefined;
    items.push(item);
    if (reading.tokens[reading.at] === end) break;
    if (reading.tokens[reading.at++] !== ",") return undefined;
    hasComma = true;
  }
  reading.at += 1;
  return end === ")" && items.length === 1 && !hasComma ? items[0] : items;
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
  ["\\", "\\"],
  ["'", "'"],
  ['"', '"'],
]);

/** Of the escapes those that Python's `repr` writes. */
function parseString(text: string): string | undefined {
  let isSound = true;
  const plain = text.replaceAll(/\\(?:x([\da-f]{2})|u([\da-f]{4})|U([\da-f]{8})|(.))/gi, (...match: string[]) => {
    const code = match[1] ?? match[2] ?? match[3];
    const number = code === undefined ? undefined : Number.parseInt(code, 16);
    if (number !== undefined && number <= 0x10_ffff) return String.fromCodePoint(number);
    const escaped = ESCAPES.get(match[4] ?? "");
    if (escaped === undefined) isSound = false;
    return escaped ?? "";
  });
  return isSound ? plain : undefined;
}
