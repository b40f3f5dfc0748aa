/**
 * The words of one line of a reference set's JSON, with the template language inside its strings. A line is enough: JSON
 * strings end with their line. Columns count UTF-16 units from 0.
 */
import { tagWords, type TagWord } from "./tag-words.ts";

export type WordKind =
  | "white"
  | "bracket"
  | "comma"
  | "key"
  | "string"
  | "escape"
  | "number"
  | "constant"
  | "comment"
  | "wrong"
  | TagWord;

/** A word begins at `start` and ends where the next one begins. */
export interface LineWord {
  readonly start: number;
  readonly kind: WordKind;
}

/** Place of a column in its line. `tag`: between the marks of `{{ }}`, `{% %}` or `{# #}`. */
export type LinePlace =
  | { readonly kind: "json" }
  /** A string: `written` is the text before it, without white space ("" at the line's beginning). */
  | { readonly kind: "string"; readonly key: boolean; readonly before: string; readonly start: number }
  | { readonly kind: "tag"; readonly mark: string };

const WORD =
  /(\s+)|([[\]{}])|([,:])|(-?[0-9][0-9.eE+-]*)|((?:true|false|null|NaN|-?Infinity)\b)|(\/\/.*|\/\*.*?(?:\*\/|$))/y;
const GROUPS: readonly WordKind[] = ["white", "bracket", "comma", "number", "constant", "comment"];

/** Words of a line, first to last, without gaps. Never throws; what is not JSON is `wrong`. */
export function wordsOfLine(line: string): readonly LineWord[] {
  const words: LineWord[] = [];
  let at = 0;
  while (at < line.length) {
    if (line.charCodeAt(at) === QUOTE) {
      at = pushString(line, at, words);
      continue;
    }
    WORD.lastIndex = at;
    const match = WORD.exec(line);
    const group = match === null ? -1 : match.slice(1).findIndex((text) => text !== undefined);
    words.push({ start: at, kind: GROUPS[group] ?? "wrong" });
    at += match === null ? 1 : match[0].length;
  }
  return words;
}

/**
 * Finds the place of a column, between the units `column - 1` and `column`. Cheap on long lines: only its own string is
 * read.
 */
export function placeInLine(line: string, column: number): LinePlace {
  for (let start = line.indexOf('"'); start !== -1 && start < column;) {
    const end = stringEnd(line, start);
    if (column <= end) return placeInString(line, start, end, column);
    start = line.indexOf('"', end + 1);
  }
  return { kind: "json" };
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Column of the quote that ends the string which begins at `start`; the line's length where none does. */
export function stringEnd(line: string, start: number): number {
  for (let at = start + 1; at < line.length; at += 1) {
    const code = line.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at += 1;
  }
  return line.length;
}

function pushString(line: string, start: number, words: LineWord[]): number {
  const end = stringEnd(line, start);
  const next = Math.min(end + 1, line.length);
  if (isKey(line, end)) {
    words.push({ start, kind: "key" });
    return next;
  }
  words.push({ start, kind: "string" });
  pushText(line, start + 1, end, words);
  if (end < line.length && words.at(-1)?.kind !== "string") words.push({ start: end, kind: "string" });
  return next;
}

/** The inside of a string value: text, escapes and tags. */
function pushText(line: string, from: number, end: number, words: LineWord[]): void {
  let at = from;
  let text = true;
  while (at < end) {
    const tag = isTag(line, at, end);
    const escape = line.charCodeAt(at) === BACKSLASH;
    if (!tag && !escape && !text) words.push({ start: at, kind: "string" });
    text = !tag && !escape;
    if (tag) {
      at = tagWords(line, at, end, words);
    } else if (escape) {
      words.push({ start: at, kind: "escape" });
      at = Math.min(at + (line.charAt(at + 1) === "u" ? 6 : 2), end);
    } else {
      at += 1;
    }
  }
}

const BRACE = 0x7b;
const isTag = (line: string, at: number, end: number) =>
  line.charCodeAt(at) === BRACE && at + 1 < end && "{%#".includes(line.charAt(at + 1));

function isKey(line: string, end: number): boolean {
  let at = end + 1;
  while (line.charAt(at) === " " || line.charAt(at) === "\t") at += 1;
  return line.charAt(at) === ":";
}

function placeInString(line: string, start: number, end: number, column: number): LinePlace {
  const key = isKey(line, end);
  const inside = key ? undefined : tagAt(line, start, end, column);
  if (inside !== undefined) return { kind: "tag", mark: inside };
  return { kind: "string", key, before: line.slice(0, start).trimEnd().slice(-1), start };
}

function tagAt(line: string, start: number, end: number, column: number): string | undefined {
  const words: LineWord[] = [];
  pushText(line, start + 1, end, words);
  let mark: string | undefined;
  for (const word of words) {
    if (word.kind === "tag.open" && word.start + 2 <= column) mark = line.slice(word.start, word.start + 2);
    if (word.kind === "tag.close" && word.start < column) mark = undefined;
  }
  return mark;
}
