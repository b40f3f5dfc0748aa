/**
 * The part of YAML in which `config.yaml` of format 1 is written (by serde's YAML writer): block mappings and sequences
 * by indentation, plain and quoted scalars, `{}`, `[]`, literal blocks, and a tag before a value, `!http …`, which
 * becomes a mapping of one member, `{http: …}`, as the same configuration has it in format 2. Anchors, flow collections
 * with members and several documents are refused by name, not guessed.
 */
import type { JsonValue } from "../../core/json.ts";
import { readQuoted, readScalar } from "./yaml-scalar.ts";

interface Line {
  readonly number: number;
  readonly indent: number;
  /** Without indentation and trailing spaces. */
  readonly text: string;
}

interface Scan {
  readonly lines: Line[];
  /** All lines as they are written, for literal blocks. */
  readonly source: readonly string[];
  readonly fault: Fault;
  at: number;
}

export type Fault = (expected: string, found: string) => Error;

const MAX_DEPTH = 32;
/** Longest line: what is longer was not written by the tool. */
const MAX_CHARACTERS = 65_536;

/** `fault` makes the error of what cannot be read. */
export function readYaml(text: string, fault: Fault): JsonValue {
  const source = text.split(/\r\n|\n/);
  const scan: Scan = { lines: significantLines(source, fault), source, fault, at: 0 };
  const first = scan.lines[0];
  if (first === undefined) return null;
  const value = readBlock(scan, first.indent, 0);
  const rest = scan.lines[scan.at];
  if (rest !== undefined) throw lineFault(scan, rest, `indentation by ${first.indent}`);
  return value;
}

function significantLines(source: readonly string[], fault: Fault): Line[] {
  const lines: Line[] = [];
  for (const [at, written] of source.entries()) {
    if (written.length > MAX_CHARACTERS) {
      throw fault(`lines of at most ${MAX_CHARACTERS} characters`, `${written.length} in line ${at + 1}`);
    }
    const text = written.trim();
    if (text === "" || text.startsWith("#")) continue;
    if (text === "---" && lines.length === 0) continue;
    const indent = written.length - written.trimStart().length;
    if (written.slice(0, indent).includes("\t")) throw fault("indentation by spaces", `a tab in line ${at + 1}`);
    lines.push({ number: at + 1, indent, text });
  }
  return lines;
}

function lineFault(scan: Scan, line: Line, expected: string): Error {
  return scan.fault(expected, `line ${line.number}: ${line.text.slice(0, 80)}`);
}

/** The value whose lines begin at the indentation `indent`. */
function readBlock(scan: Scan, indent: number, depth: number): JsonValue {
  const line = scan.lines[scan.at];
  if (line === undefined) return null;
  if (depth > MAX_DEPTH) throw lineFault(scan, line, `values at most ${MAX_DEPTH} deep`);
  if (line.text === "-" || line.text.startsWith("- ")) return readSequence(scan, indent, depth);
  if (splitKey(scan, line) !== undefined) return readMapping(scan, indent, depth);
  scan.at += 1;
  return readInline(scan, line, line.text, indent - 1, depth);
}

function readMapping(scan: Scan, indent: number, depth: number): JsonValue {
  const members = new Map<string, JsonValue>();
  for (let line = scan.lines[scan.at]; line !== undefined && line.indent >= indent; line = scan.lines[scan.at]) {
    const split = line.indent === indent ? splitKey(scan, line) : undefined;
    if (split === undefined) throw lineFault(scan, line, `"key: value", indented by ${indent}`);
    if (members.has(split.key)) throw lineFault(scan, line, "each key once");
    scan.at += 1;
    members.set(split.key, readInline(scan, line, split.rest, indent, depth));
  }
  return members;
}

/** Key and what follows its colon; `undefined` where the line is no member of a mapping. */
function splitKey(scan: Scan, { text }: Line): { readonly key: string; readonly rest: string } | undefined {
  const quote = text.charAt(0);
  const isQuoted = quote === '"' || quote === "'";
  const end = isQuoted ? closingQuote(text, quote) + 1 : colonAfter(text, 0);
  if (isQuoted ? end === 0 || !/^ *:(?: |$)/.test(text.slice(end, end + 80)) : end < 0) return undefined;
  const colon = isQuoted ? text.indexOf(":", end) : end;
  const rest = text.slice(colon + 1).trimStart();
  if (isQuoted) return { key: readQuoted(text.slice(0, end), scan.fault), rest };
  if (/^[#&*!|>%@`[\]{},]|^[?-](?: |$)/.test(text)) return undefined;
  return { key: text.slice(0, colon).trimEnd(), rest };
}

/** Place of the quote that ends the text, -1 where none does. Two single quotes stand for one. */
function closingQuote(text: string, quote: string): number {
  for (let at = 1; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === "\\" && quote === '"') at += 1;
    else if (character === quote) {
      if (quote === '"' || text.charAt(at + 1) !== quote) return at;
      at += 1;
    }
  }
  return -1;
}

/** Place of the first colon before a space or the line's end, -1 where none is, or a comment comes before. */
function colonAfter(text: string, from: number): number {
  const inside = text.indexOf(": ", from);
  const colon = inside >= 0 ? inside : text.endsWith(":") ? text.length - 1 : -1;
  const comment = text.indexOf(" #", from);
  return comment >= 0 && comment < colon ? -1 : colon;
}

function readSequence(scan: Scan, indent: number, depth: number): JsonValue {
  const items: JsonValue[] = [];
  for (let line = scan.lines[scan.at]; line?.indent === indent; line = scan.lines[scan.at]) {
    if (line.text !== "-" && !line.text.startsWith("- ")) break;
    const rest = line.text.slice(1).trimStart();
    if (rest === "") {
      scan.at += 1;
      items.push(readInline(scan, line, "", indent, depth));
      continue;
    }
    // "- key: value" and "- - x": what follows the dash stands at its own column.
    const own = { ...line, indent: indent + line.text.length - rest.length, text: rest };
    scan.lines[scan.at] = own;
    items.push(readBlock(scan, own.indent, depth + 1));
  }
  return items;
}

/** What follows "key:" or "-" in its line, or the block below it. `indent` is that of the line. */
function readInline(scan: Scan, line: Line, text: string, indent: number, depth: number): JsonValue {
  if (depth > MAX_DEPTH) throw lineFault(scan, line, `values at most ${MAX_DEPTH} deep`);
  const tag = /^!(\w+)(?: +|$)/.exec(text);
  if (tag !== null) {
    const value = readInline(scan, line, text.slice(tag[0].length), indent, depth + 1);
    return new Map([[snakeCase(tag[1] ?? ""), value]]);
  }
  if (text === "" || text.startsWith("#")) return readBelow(scan, indent, depth);
  if (text.startsWith("|")) return readLiteral(scan, line, text, indent);
  if (text === "{}") return new Map();
  if (text === "[]") return [];
  if (/^[[{&*!>%@`?]/.test(text)) throw lineFault(scan, line, "YAML without flow collections, anchors and folded text");
  return readScalar(text, (expected, found) => scan.fault(expected, `${found} in line ${line.number}`));
}

/** The block below a key; sequences may stand at the key's own indentation. */
function readBelow(scan: Scan, indent: number, depth: number): JsonValue {
  const next = scan.lines[scan.at];
  if (next === undefined || next.indent < indent) return null;
  const isSequence = next.text === "-" || next.text.startsWith("- ");
  if (next.indent === indent && !isSequence) return null;
  return readBlock(scan, next.indent, depth + 1);
}

/** Names of variants in configurations of Icechunk 0.x: `S3Compatible` is `s3_compatible` since 1.0. */
function snakeCase(name: string): string {
  return name.replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}

function readLiteral(scan: Scan, line: Line, text: string, indent: number): string {
  if (text !== "|" && text !== "|-" && text !== "|+") throw lineFault(scan, line, "a literal block by | or |-");
  const lines: string[] = [];
  let at = line.number;
  let inner = 0;
  for (; at < scan.source.length; at += 1) {
    const written = scan.source[at] ?? "";
    const own = written.length - written.trimStart().length;
    if (written.trim() !== "" && own <= indent) break;
    if (inner === 0 && written.trim() !== "") inner = own;
    lines.push(written.slice(inner));
  }
  while (scan.at < scan.lines.length && (scan.lines[scan.at]?.number ?? 0) <= at) scan.at += 1;
  const content = lines.join("\n").replace(/\n+$/, "");
  return text === "|-" ? content : `${content}\n`;
}
