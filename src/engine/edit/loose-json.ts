/**
 * Reads JSON that is being typed: whatever is there becomes a tree with places, nothing is refused. Of sound JSON it
 * gives the same tree as `parseJsonTree`. Completion and hover work on it while the text cannot be parsed.
 */
import type { JsonMember, JsonNode } from "../../core/json.ts";
import { decodeRaw, stringEnd } from "./string-text.ts";

const MAX_DEPTH = 400;
const WORD = /[^\s,:{}[\]"]+/y;
const INTEGER = /^-?(?:0|[1-9]\d*)$/;

interface Scan {
  readonly text: string;
  at: number;
  depth: number;
}

/** Never throws. What is missing is a `null` of no width. */
export function looseTree(text: string): JsonNode {
  const scan: Scan = { text, at: text.charCodeAt(0) === 0xfeff ? 1 : 0, depth: 0 };
  skipSpace(scan);
  return readValue(scan);
}

function readValue(scan: Scan): JsonNode {
  const { text, at } = scan;
  const first = text[at];
  if (first === '"') return readString(scan);
  const nested = first === "{" ? readObject : first === "[" ? readArray : undefined;
  if (nested === undefined) return readWord(scan);
  if (scan.depth >= MAX_DEPTH) return skipRest(scan);
  scan.depth += 1;
  const node = nested(scan);
  scan.depth -= 1;
  return node;
}

function skipRest(scan: Scan): JsonNode {
  const start = scan.at;
  scan.at = scan.text.length;
  return { kind: "scalar", value: null, start, end: scan.at };
}

function readString(scan: Scan): JsonNode & { readonly value: string } {
  const start = scan.at;
  const { end, contentEnd } = stringEnd(scan.text, start);
  scan.at = end;
  return { kind: "scalar", value: decodeRaw(scan.text.slice(start + 1, contentEnd)), start, end };
}

function readObject(scan: Scan): JsonNode {
  const { text } = scan;
  const start = scan.at;
  const members: JsonMember[] = [];
  scan.at += 1;
  for (;;) {
    skipSpace(scan);
    const next = text[scan.at];
    if (next === undefined || next === "]") break;
    if (next === "}") {
      scan.at += 1;
      break;
    }
    if (next === '"') members.push(readMember(scan));
    else scan.at += 1;
  }
  return { kind: "object", members, start, end: scan.at };
}

function readMember(scan: Scan): JsonMember {
  const { value: key, start: keyStart, end: keyEnd } = readString(scan);
  skipSpace(scan);
  if (scan.text[scan.at] !== ":") return { key, keyStart, keyEnd, node: nothing(keyEnd) };
  scan.at += 1;
  const after = scan.at;
  skipSpace(scan);
  const next = scan.text[scan.at];
  const missing = next === undefined || next === "}" || next === "]" || next === ",";
  return { key, keyStart, keyEnd, node: missing ? nothing(after) : readValue(scan) };
}

function readArray(scan: Scan): JsonNode {
  const { text } = scan;
  const start = scan.at;
  const items: JsonNode[] = [];
  scan.at += 1;
  for (;;) {
    skipSpace(scan);
    const next = text[scan.at];
    if (next === undefined || next === "}") break;
    if (next === "]") {
      scan.at += 1;
      break;
    }
    if (next === "," || next === ":") scan.at += 1;
    else items.push(readValue(scan));
  }
  return { kind: "array", items, start, end: scan.at };
}

const nothing = (at: number): JsonNode => ({ kind: "scalar", value: null, start: at, end: at });

function readWord(scan: Scan): JsonNode {
  const start = scan.at;
  WORD.lastIndex = start;
  const word = WORD.exec(scan.text)?.[0] ?? "";
  scan.at = start + Math.max(1, word.length);
  const end = Math.min(scan.at, scan.text.length);
  if (word === "true" || word === "false") return { kind: "scalar", value: word === "true", start, end };
  const number = numberOf(word);
  if (word === "" || number === undefined) return { kind: "scalar", value: null, start, end };
  return { kind: "number", value: number, text: word, start, end };
}

function numberOf(word: string): number | bigint | undefined {
  if (!INTEGER.test(word)) {
    const value = /^-?\d|^-?Infinity$|^NaN$/.test(word) ? Number(word) : Number.NaN;
    return Number.isNaN(value) && word !== "NaN" ? undefined : value;
  }
  const value = Number(word);
  if (value === 0) return 0;
  return Number.isSafeInteger(value) || word.length > 4300 ? value : BigInt(word);
}

function skipSpace(scan: Scan): void {
  const { text } = scan;
  for (;;) {
    const code = text.charCodeAt(scan.at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
    scan.at += 1;
  }
}
