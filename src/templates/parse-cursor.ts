/** Where the parser stands: the current token, one token of lookahead, and what is open around it. */
import { Lexer } from "./lexer.ts";
import { describeToken, type Token } from "./lexer-token.ts";
import { TemplateError } from "./template-error.ts";
import type { Expression, Span } from "./tree.ts";

export type NameToken = Extract<Token, { kind: "name" }>;

/** A block whose end has not come yet. */
export interface OpenBlock {
  /** The word behind `{%`. */
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

  /** Takes the new `node`, built of `parts`. RecursionError where it is too high a tree, as `1+1+1+…` can be. */
  built<T extends Expression>(node: T, parts: readonly (Expression | undefined)[]): T {
    let highest = 0;
    for (const part of parts) {
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
