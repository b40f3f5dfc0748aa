/**
 * Cuts a template into tokens, one at a time, after Jinja2's lexer with its default settings (`{{`, `{%`, `{#`; neither
 * `trim_blocks` nor `lstrip_blocks`). What the parser never asks for is never read, so an early error costs nothing.
 */
import { findNumber, floatValue, integerValue } from "./lexer-number.ts";
import { type LexerSource, readSource, skipSpace, stripEnd } from "./lexer-source.ts";
import { decodeString } from "./lexer-string.ts";
import type { Token } from "./lexer-token.ts";
import { TemplateError } from "./template-error.ts";
import type { Span } from "./tree.ts";

const CLOSING: ReadonlyMap<string, string> = new Map([
  ["(", ")"],
  ["[", "]"],
  ["{", "}"],
]);

const LONG_OPERATORS: ReadonlySet<string> = new Set(["//", "**", "==", "!=", ">=", "<="]);
const SHORT_OPERATORS = "+-/*%~[](){}><=.:|,;";

/** What Jinja2 takes for a name; whether it is one is looked at afterwards, as in Jinja2. */
const WORD = /[\p{L}\p{N}\p{XID_Continue}]+/uy;
const IDENTIFIER = /^[\p{XID_Start}_]\p{XID_Continue}*$/u;

export class Lexer {
  readonly #source: LexerSource;
  readonly #text: string;
  #at = 0;
  /** The tag we are in. */
  #tag: "{{" | "{%" | undefined;
  /** Brackets still to be closed in this tag, innermost last. */
  readonly #brackets: string[] = [];

  constructor(template: string) {
    this.#source = readSource(template);
    this.#text = this.#source.text;
  }

  /** The next token; at the end of the template the token "end", again and again. */
  next(): Token {
    return this.#tag === undefined ? this.#nextOutside() : this.#nextInside(this.#tag);
  }

  #span(start: number, end: number): Span {
    return { start: this.#source.original(start), end: this.#source.original(end) };
  }

  #fail(message: string, start: number, end: number): TemplateError {
    return new TemplateError("TemplateSyntaxError", message, this.#span(start, end));
  }

  #end(): Token {
    return { kind: "end", ...this.#span(this.#text.length, this.#text.length) };
  }

  #nextOutside(): Token {
    while (this.#at < this.#text.length) {
      const from = this.#at;
      const tag = findTag(this.#text, from);
      const strips = this.#text.charAt(tag + 2) === "-";
      const end = strips ? stripEnd(this.#text, from, tag) : tag;
      this.#at = tag;
      if (end > from) return this.#textToken(from, end);
      const token = this.#openTag();
      if (token !== undefined) return token;
    }
    return this.#end();
  }

  #textToken(from: number, to: number): Token {
    return { kind: "text", text: this.#text.slice(from, to), ...this.#span(from, to) };
  }

  /** At a tag, or at the end. Undefined where what opens here gives no token. */
  #openTag(): Token | undefined {
    const begin = this.#text.slice(this.#at, this.#at + 2);
    if (begin === "{#") return this.#skipComment();
    if (begin === "{%") {
      const raw = rawBegin(this.#text, this.#at);
      if (raw !== undefined) return this.#rawBlock(raw);
    }
    if (begin !== "{{" && begin !== "{%") return undefined;
    const start = this.#at;
    const sign = this.#text.charAt(start + 2);
    this.#at = start + (sign === "-" || sign === "+" ? 3 : 2);
    this.#tag = begin;
    return { kind: "begin", text: begin, ...this.#span(start, this.#at) };
  }

  #skipComment(): undefined {
    const start = this.#at;
    const sign = this.#text.charAt(start + 2);
    const from = start + (sign === "-" || sign === "+" ? 3 : 2);
    const end = this.#text.indexOf("#}", from);
    if (end < 0) {
      // Jinja2 notices only where something follows.
      if (from < this.#text.length)
        throw this.#fail('A comment is opened here and not closed by "#}".', start, start + 2);
      this.#at = this.#text.length;
      return;
    }
    const strips = end > from && this.#text.charAt(end - 1) === "-";
    this.#at = strips ? skipSpace(this.#text, end + 2) : end + 2;
  }

  /** `from`: behind `{% raw %}`. */
  #rawBlock(from: number): Token | undefined {
    const start = this.#at;
    const raw = findRawEnd(this.#text, from);
    if (raw === undefined) {
      if (from < this.#text.length) {
        throw this.#fail('A raw block is opened here and not closed by "{% endraw %}".', start, from);
      }
      this.#at = this.#text.length;
      return undefined;
    }
    this.#at = raw.next;
    return raw.end > from ? this.#textToken(from, raw.end) : undefined;
  }

  #nextInside(tag: "{{" | "{%"): Token {
    this.#at = skipSpace(this.#text, this.#at);
    const start = this.#at;
    if (start >= this.#text.length) return this.#end();
    const close = this.#brackets.length === 0 ? this.#closeTag(tag) : undefined;
    return close ?? this.#number(start) ?? this.#word(start) ?? this.#string(start) ?? this.#operator(start);
  }

  /** `}}`, `-}}`, `%}`, `-%}`, `+%}`; a plus before `}}` is an operator. */
  #closeTag(tag: "{{" | "{%"): Token | undefined {
    const start = this.#at;
    const text = tag === "{{" ? "}}" : "%}";
    const sign = this.#text.charAt(start);
    const braces = sign === "-" || (sign === "+" && text === "%}") ? start + 1 : start;
    if (!this.#text.startsWith(text, braces)) return undefined;
    const end = braces + 2;
    this.#at = sign === "-" ? skipSpace(this.#text, end) : end;
    this.#tag = undefined;
    return { kind: "close", text, ...this.#span(start, end) };
  }

  #number(start: number): Token | undefined {
    const shape = findNumber(this.#text, start);
    if (shape === undefined) return undefined;
    this.#at = shape.end;
    const written = this.#text.slice(start, shape.end);
    const span = this.#span(start, shape.end);
    if (shape.type === "int") return { kind: "int", value: integerValue(written, span), ...span };
    return { kind: "float", value: floatValue(written, span), ...span };
  }

  #word(start: number): Token | undefined {
    WORD.lastIndex = start;
    const word = WORD.exec(this.#text)?.[0];
    if (word === undefined) return undefined;
    this.#at = start + word.length;
    if (!IDENTIFIER.test(word)) throw this.#fail(`"${shorten(word)}" is neither a name nor a number.`, start, this.#at);
    return { kind: "name", text: word, ...this.#span(start, this.#at) };
  }

  #string(start: number): Token | undefined {
    const quote = this.#text.charAt(start);
    if (quote !== "'" && quote !== '"') return undefined;
    const end = stringEnd(this.#text, start, quote);
    if (end === undefined) throw this.#fail(`A text is opened by ${quote} and not closed.`, start, start + 1);
    this.#at = end;
    const span = this.#span(start, end);
    return { kind: "string", text: decodeString(this.#text.slice(start + 1, end - 1), span), ...span };
  }

  #operator(start: number): Token {
    const long = this.#text.slice(start, start + 2);
    const text = LONG_OPERATORS.has(long) ? long : this.#text.charAt(start);
    if (text.length === 1 && !SHORT_OPERATORS.includes(text)) throw this.#unexpected(start);
    this.#at = start + text.length;
    const closing = CLOSING.get(text);
    if (closing !== undefined) this.#brackets.push(closing);
    else if (text === ")" || text === "]" || text === "}") this.#closeBracket(text, start);
    return { kind: "operator", text, ...this.#span(start, this.#at) };
  }

  #closeBracket(text: string, start: number): void {
    const expected = this.#brackets.pop();
    if (expected === text) return;
    const wanted = expected === undefined ? "no bracket is open" : `"${expected}" is expected`;
    throw this.#fail(`Found "${text}" where ${wanted}.`, start, start + 1);
  }

  #unexpected(start: number): TemplateError {
    const code = this.#text.codePointAt(start) ?? 0;
    const character = String.fromCodePoint(code);
    const number = code.toString(16).toUpperCase().padStart(4, "0");
    return this.#fail(
      `The character "${character}" (U+${number}) has no meaning here.`,
      start,
      start + character.length,
    );
  }
}

/** The next `{{`, `{%` or `{#`, or the end. */
function findTag(text: string, from: number): number {
  for (let at = text.indexOf("{", from); at >= 0; at = text.indexOf("{", at + 1)) {
    const next = text.charAt(at + 1);
    if (next === "{" || next === "%" || next === "#") return at;
  }
  return text.length;
}

/** Where `{% word` ends that stands at `at`, with any whitespace behind it; undefined where something else stands. */
function tagWord(text: string, at: number, word: string): number | undefined {
  const sign = text.charAt(at + 2);
  const from = skipSpace(text, at + (sign === "-" || sign === "+" ? 3 : 2));
  return text.startsWith(word, from) ? skipSpace(text, from + word.length) : undefined;
}

/** Behind the `{% raw %}` that stands at `at`. `+%}` does not close it, as in Jinja2. */
function rawBegin(text: string, at: number): number | undefined {
  const end = tagWord(text, at, "raw");
  if (end === undefined) return undefined;
  if (text.startsWith("-%}", end)) return skipSpace(text, end + 3);
  return text.startsWith("%}", end) ? end + 2 : undefined;
}

interface RawEnd {
  /** Where the raw text ends. */
  readonly end: number;
  /** Where to go on behind `{% endraw %}`. */
  readonly next: number;
}

function findRawEnd(text: string, from: number): RawEnd | undefined {
  for (let at = text.indexOf("{%", from); at >= 0; at = text.indexOf("{%", at + 2)) {
    const close = tagWord(text, at, "endraw");
    if (close === undefined) continue;
    const sign = text.charAt(close);
    const braces = sign === "-" || sign === "+" ? close + 1 : close;
    if (!text.startsWith("%}", braces)) continue;
    const next = sign === "-" ? skipSpace(text, braces + 2) : braces + 2;
    return { end: text.charAt(at + 2) === "-" ? stripEnd(text, from, at) : at, next };
  }
  return undefined;
}

/** Behind the closing quote; undefined where there is none. */
function stringEnd(text: string, start: number, quote: string): number | undefined {
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === quote) return at + 1;
    if (character === "\\") at += 1;
  }
  return undefined;
}

const shorten = (word: string): string => (word.length > 40 ? `${word.slice(0, 40)}…` : word);
