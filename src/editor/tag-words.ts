/**
 * The words between the marks of a template tag, read where it stands: in a JSON string, escapes and all. For colours
 * and completion only; what a template means is the engine's business.
 */
export type TagWord =
  | "tag.open"
  | "tag.close"
  | "tag.white"
  | "tag.name"
  | "tag.keyword"
  | "tag.number"
  | "tag.text"
  | "tag.filter"
  | "tag.operator"
  | "tag.note";

interface Words {
  push(word: { readonly start: number; readonly kind: TagWord }): void;
}

/** One unit of the string's text: a character, or an escape for one. */
interface Unit {
  readonly char: string;
  readonly next: number;
}

interface Reader {
  readonly line: string;
  readonly end: number;
  readonly words: Words;
  /** The mark that ends the tag. */
  readonly closing: string;
  at: number;
  depth: number;
  /** The word before, white space left out. */
  last: string;
}

const CLOSING: Readonly<Record<string, string>> = { "{": "}}", "%": "%}", "#": "#}" };
const KEYWORDS = new Set(
  "and or not in is if else elif endif for endfor recursive set endset macro endmacro call endcall filter endfilter raw endraw with endwith print true false none True False None".split(
    " ",
  ),
);

/**
 * Adds the words of the tag that begins at `start` and gives the column after it: `end`, where the string ends, if
 * nothing closes it.
 */
export function tagWords(line: string, start: number, end: number, words: Words): number {
  words.push({ start, kind: "tag.open" });
  const closing = CLOSING[line.charAt(start + 1)] ?? "}}";
  if (closing === "#}") return noteWords(line, start + 2, end, words);
  const reader: Reader = { line, end, words, closing, at: start + 2, depth: 0, last: line.slice(start, start + 2) };
  if (reader.at < end && /[-+]/.test(line.charAt(reader.at))) reader.at += 1;
  while (reader.at < end) if (step(reader)) return reader.at;
  return end;
}

function noteWords(line: string, from: number, end: number, words: Words): number {
  const close = line.indexOf("#}", from);
  if (from < end && close !== from) words.push({ start: from, kind: "tag.note" });
  if (close === -1 || close + 2 > end) return end;
  words.push({ start: close, kind: "tag.close" });
  return close + 2;
}

function unitAt(line: string, at: number, end: number): Unit {
  const char = line.charAt(at);
  if (char !== "\\") return { char, next: at + 1 };
  const escaped = line.charAt(at + 1);
  if (escaped === "u") {
    const code = Number.parseInt(line.slice(at + 2, at + 6), 16);
    return { char: Number.isNaN(code) ? "?" : String.fromCharCode(code), next: Math.min(at + 6, end) };
  }
  return { char: "nrtbf".includes(escaped) ? " " : escaped, next: Math.min(at + 2, end) };
}

/** Reads one word; true after the mark that closes the tag. */
function step(reader: Reader): boolean {
  const { line, end, at } = reader;
  const closed = closeAt(reader);
  if (closed !== undefined) {
    reader.words.push({ start: at, kind: "tag.close" });
    reader.at = closed;
    return true;
  }
  const unit = unitAt(line, at, end);
  if (/\s/.test(unit.char)) readWhile(reader, "tag.white", /\s/);
  else if (unit.char === "'" || unit.char === '"') readText(reader, unit);
  else if (/[0-9]/.test(unit.char)) readWhile(reader, "tag.number", /[0-9._a-zA-Z]/);
  else if (/[\p{L}_]/u.test(unit.char)) readName(reader);
  else readOperator(reader, unit);
  return false;
}

/** Column after the closing mark, if one stands here. Inside of brackets `}}` closes dicts. */
function closeAt({ line, at, end, closing, depth }: Reader): number | undefined {
  if (depth > 0) return undefined;
  const from = /[-+]/.test(line.charAt(at)) ? at + 1 : at;
  return line.startsWith(closing, from) && from + 2 <= end ? from + 2 : undefined;
}

function readWhile(reader: Reader, kind: TagWord, pattern: RegExp): void {
  reader.words.push({ start: reader.at, kind });
  const text = unitsWhile(reader, pattern);
  if (kind !== "tag.white") reader.last = text;
}

function unitsWhile(reader: Reader, pattern: RegExp): string {
  let text = "";
  while (reader.at < reader.end) {
    const unit = unitAt(reader.line, reader.at, reader.end);
    if (!pattern.test(unit.char)) break;
    text += unit.char;
    reader.at = unit.next;
  }
  return text;
}

function readText(reader: Reader, quote: Unit): void {
  const { line, end } = reader;
  reader.words.push({ start: reader.at, kind: "tag.text" });
  reader.at = quote.next;
  while (reader.at < end) {
    const unit = unitAt(line, reader.at, end);
    reader.at = unit.next;
    if (unit.char === "\\" && reader.at < end) reader.at = unitAt(line, reader.at, end).next;
    else if (unit.char === quote.char) break;
  }
  reader.last = quote.char;
}

function readName(reader: Reader): void {
  const before = reader.last;
  const start = reader.at;
  const name = unitsWhile(reader, /[\p{L}\p{N}_]/u);
  reader.words.push({ start, kind: nameKind(before, name) });
  // `is not odd`: what follows is still a test.
  reader.last = before === "is" && name === "not" ? "is" : name;
}

function nameKind(before: string, name: string): TagWord {
  if (before === "{%") return "tag.keyword";
  if (before === ".") return "tag.name";
  if (KEYWORDS.has(name)) return "tag.keyword";
  return before === "|" || before === "is" ? "tag.filter" : "tag.name";
}

function readOperator(reader: Reader, unit: Unit): void {
  reader.words.push({ start: reader.at, kind: "tag.operator" });
  if ("([{".includes(unit.char)) reader.depth += 1;
  if (")]}".includes(unit.char)) reader.depth = Math.max(0, reader.depth - 1);
  reader.last = unit.char;
  reader.at = unit.next;
}
