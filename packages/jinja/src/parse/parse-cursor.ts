/** Where the parser stands: the current token, one token of lookahead, and what is open around it. */
import { TemplateError, unsupported, withSpan } from "../template-error.ts";
import type { Expression, Span } from "../tree.ts";
import { childrenOf } from "../walk.ts";
import { type LexerSource, readSource, skipSpace, stripEnd } from "./lexer-source.ts";
import { decodeString } from "./lexer-string.ts";
import { describeToken, type Token } from "./lexer-token.ts";

// Numbers as Jinja2's lexer reads them: the longest that fits, whatever follows. `007` is two.

const DIGITS = String.raw`\p{Nd}(?:_?\p{Nd})*`;
/** `1e3`, `1.5e-3`, `1_0.5` */
const FLOAT = new RegExp(String.raw`(?<!\.)${DIGITS}(?:(?:\.${DIGITS})?e[+-]?${DIGITS}|\.${DIGITS})`, "iuy");
/** `0b1`, `0o7`, `0x1f`, `1_000`, `00` */
const INTEGER = /0b(?:_?[01])+|0o(?:_?[0-7])+|0x(?:_?[\p{Nd}a-f])+|[1-9](?:_?\p{Nd})*|0(?:_?0)*/iuy;

/** What a sticky expression finds at `at`. */
function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

/** Digits of an `int` in decimal that Python reads at most (`sys.get_int_max_str_digits()`). */
const MAX_DIGITS = 4300;

/** The value of an `int` as written. ValueError for more than 4,300 decimal digits, as in Python. */
function integerValue(written: string, span: Span): bigint {
  const digits = written.replaceAll("_", "");
  if (FOREIGN.test(digits)) throw withSpan(unsupported("An integer with digits other than 0 to 9"), span);
  if (digits.length > MAX_DIGITS && /^\d+$/.test(digits)) {
    throw new TemplateError(
      "ValueError",
      `An integer has ${digits.length.toLocaleString("en")} digits; Python reads at most 4,300.`,
      span,
    );
  }
  return BigInt(digits);
}

/** The double nearest to a `float` as written. */
function floatValue(written: string, span: Span): number {
  if (FOREIGN.test(written)) {
    throw new TemplateError(
      "TemplateSyntaxError",
      "A number with a fraction or exponent has digits other than 0 to 9.",
      span,
    );
  }
  return Number(written.replaceAll("_", ""));
}

const FOREIGN = /[^\0-\x7f]/;

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

class Lexer {
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

  /** `from`: after `{% raw %}`. */
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
    const float = matchAt(FLOAT, this.#text, start);
    const written = float ?? matchAt(INTEGER, this.#text, start);
    if (written === undefined) return undefined;
    this.#at = start + written.length;
    const span = this.#span(start, this.#at);
    if (float === undefined) return { kind: "int", value: integerValue(written, span), ...span };
    return { kind: "float", value: floatValue(written, span), ...span };
  }

  #word(start: number): Token | undefined {
    const word = matchAt(WORD, this.#text, start);
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

/** Where `{% word` ends at `at`, with any whitespace after it; undefined where something else is there. */
function tagWord(text: string, at: number, word: string): number | undefined {
  const sign = text.charAt(at + 2);
  const from = skipSpace(text, at + (sign === "-" || sign === "+" ? 3 : 2));
  return text.startsWith(word, from) ? skipSpace(text, from + word.length) : undefined;
}

/** After the `{% raw %}` at `at`. `+%}` does not close it, as in Jinja2. */
function rawBegin(text: string, at: number): number | undefined {
  const end = tagWord(text, at, "raw");
  if (end === undefined) return undefined;
  if (text.startsWith("-%}", end)) return skipSpace(text, end + 3);
  return text.startsWith("%}", end) ? end + 2 : undefined;
}

function findRawEnd(text: string, from: number) {
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

export type NameToken = Extract<Token, { kind: "name" }>;

/** A block whose end has not come yet. */
export interface OpenBlock {
  /** The word after `{%`. */
  readonly tag: NameToken;
  /** The words of which one is to come. */
  readonly endWords: readonly string[];
}

/**
 * How deep things may lie in each other. About what CPython 3.11 stands, measured: 75 brackets (the parser's recursion),
 * 197 prefixes or operators (nested parentheses of the compiled code), 98 statements (its indentation), 20 loops.
 */
const MAX_DEPTH = { brackets: 75, prefixes: 197, operations: 197, statements: 98, loops: 20 };

export type Nesting = "brackets" | "prefixes" | "statements" | "loops";

export class Cursor {
  readonly openBlocks: OpenBlock[] = [];
  readonly #lexer: Lexer;
  readonly #parseExpression: (cursor: Cursor) => Expression;
  #current: Token;
  #ahead: Token | undefined;
  #previousEnd = 0;
  readonly #nested: Record<Nesting, number> = { brackets: 0, prefixes: 0, statements: 0, loops: 0 };
  readonly #heights = new WeakMap<Expression, number>();

  /** `parseExpression`: handed in because operands contain expressions, which contain operands. */
  constructor(source: string, parseExpression: (cursor: Cursor) => Expression) {
    this.#lexer = new Lexer(source);
    this.#parseExpression = parseExpression;
    this.#current = this.#lexer.next();
  }

  get current(): Token {
    return this.#current;
  }

  /** Any expression, a conditional one too. */
  parseExpression(): Expression {
    return this.#parseExpression(this);
  }

  /** Gives the current token and goes on to the next. */
  advance(): Token {
    const token = this.#current;
    this.#previousEnd = token.end;
    this.#current = this.#ahead ?? this.#lexer.next();
    this.#ahead = undefined;
    return token;
  }

  /** The token after the current one. */
  look(): Token {
    this.#ahead ??= this.#lexer.next();
    return this.#ahead;
  }

  isOperator(text: string): boolean {
    return this.#current.kind === "operator" && this.#current.text === text;
  }

  isWord(text: string): boolean {
    return this.#current.kind === "name" && this.#current.text === text;
  }

  isOneOf(words: readonly string[]): boolean {
    return this.#current.kind === "name" && words.includes(this.#current.text);
  }

  takeOperator(text: string): boolean {
    const found = this.isOperator(text);
    if (found) this.advance();
    return found;
  }

  takeWord(text: string): boolean {
    const found = this.isWord(text);
    if (found) this.advance();
    return found;
  }

  expectOperator(text: string): void {
    if (!this.takeOperator(text)) throw this.unexpected(`"${text}"`);
  }

  expectWord(text: string): void {
    if (!this.takeWord(text)) throw this.unexpected(`"${text}"`);
  }

  expectName(): NameToken {
    const token = this.#current;
    if (token.kind !== "name") throw this.unexpected("a name");
    this.advance();
    return token;
  }

  /** `}}` or `%}`. */
  expectClose(): void {
    const tag = this.#current;
    if (tag.kind !== "close") throw this.unexpected("the end of the tag");
    this.advance();
  }

  /** From `start` to the end of the last token taken. */
  spanFrom(start: number): Span {
    return { start, end: this.#previousEnd };
  }

  /** TemplateSyntaxError at `span`, by default the current token. `message`: whole sentences. */
  fail(message: string, span: Span = this.#current): TemplateError {
    return new TemplateError("TemplateSyntaxError", message, { start: span.start, end: span.end });
  }

  unexpected(expected: string): TemplateError {
    return this.fail(`Expected ${expected} and found ${describeToken(this.#current)}.`);
  }

  /** Parses what lies one deeper. RecursionError where that is too deep. */
  within<T>(nesting: Nesting, parse: () => T): T {
    this.#nested[nesting] += 1;
    if (this.#nested[nesting] > MAX_DEPTH[nesting]) throw tooDeep(nesting, MAX_DEPTH[nesting], this.#current);
    const result = parse();
    this.#nested[nesting] -= 1;
    return result;
  }

  /** Parses the body of what Python compiles to a function of its own: loops are counted afresh. */
  withinFunction<T>(parse: () => T): T {
    const outer = this.#nested.loops;
    this.#nested.loops = 0;
    const result = parse();
    this.#nested.loops = outer;
    return result;
  }

  /** Takes the new `node`. RecursionError where it is too high a tree, as `1+1+1+…` can be. */
  built<T extends Expression>(node: T): T {
    let highest = 0;
    for (const part of childrenOf(node)) {
      if (part !== undefined) highest = Math.max(highest, this.#heights.get(part) ?? 0);
    }
    if (highest >= MAX_DEPTH.operations) throw tooDeep("operations", MAX_DEPTH.operations, node);
    this.#heights.set(node, highest + 1);
    return node;
  }
}

function tooDeep(nesting: keyof typeof MAX_DEPTH, limit: number, { start, end }: Span): TemplateError {
  const message = `More than ${limit} ${nesting} lie in each other here; Python gives up at about that depth too.`;
  return new TemplateError("RecursionError", message, { start, end });
}
