/** What operators work on: names, constants, brackets, and what is attached to them with `.`, `[…]` and `(…)`. */
import { refuseJoinedSurrogates } from "./lexer-string.ts";
import { describeToken } from "./lexer-token.ts";
import { parseCall } from "./parse-arguments.ts";
import type { Cursor } from "./parse-cursor.ts";
import type { DictLiteral, Expression, Item, Literal, NumberLiteral, Slice, Span, TupleLiteral } from "../tree.ts";

export const CONSTANTS: ReadonlyMap<string, Literal["value"]> = new Map([
  ["true", true],
  ["True", true],
  ["false", false],
  ["False", false],
  ["none", null],
  ["None", null],
]);

/** A name, constant or bracket. Words of the language are names where an operand is expected, as in Jinja2. */
export function parsePrimary(cursor: Cursor): Expression {
  const token = cursor.current;
  if (token.kind === "name") {
    cursor.advance();
    return nameOrConstant(token.text, token.start, token.end);
  }
  if (token.kind === "string") return parseStrings(cursor);
  if (token.kind === "int") return numberLiteral(cursor, { type: "int", value: token.value });
  if (token.kind === "float") return numberLiteral(cursor, { type: "float", value: token.value });
  if (cursor.isOperator("(")) return parseParentheses(cursor);
  if (cursor.isOperator("[")) return parseList(cursor);
  if (cursor.isOperator("{")) return parseDict(cursor);
  throw cursor.fail(`Expected a value and found ${describeToken(token)}.`);
}

function nameOrConstant(text: string, start: number, end: number): Expression {
  const value = CONSTANTS.get(text);
  return value === undefined ? { kind: "name", name: text, start, end } : { kind: "literal", value, start, end };
}

function numberLiteral(cursor: Cursor, value: NumberLiteral): Literal {
  const { start, end } = cursor.advance();
  return { kind: "literal", value, start, end };
}

/** Strings that follow each other are one. */
function parseStrings(cursor: Cursor): Literal {
  const { start } = cursor.current;
  const parts: string[] = [];
  for (let token = cursor.current; token.kind === "string"; token = cursor.current) {
    refuseJoinedSurrogates(parts.at(-1) ?? "", token.text, token);
    parts.push(token.text);
    cursor.advance();
  }
  return { kind: "literal", value: parts.join(""), ...cursor.spanFrom(start) };
}

/** `(a)` is `a`; `()`, `(a,)` and `(a, b)` are tuples, whose span has the parentheses. */
function parseParentheses(cursor: Cursor): Expression {
  return cursor.within("brackets", () => {
    const { start } = cursor.advance();
    const inner = parseItems(cursor, () => cursor.parseExpression());
    cursor.expectOperator(")");
    if (!Array.isArray(inner)) return inner;
    return cursor.built<TupleLiteral>({ kind: "tuple", items: inner, ...cursor.spanFrom(start) });
  });
}

/** A tuple without parentheses around it, or the one expression that stands alone. */
export function parseTuple(cursor: Cursor, parseItem: () => Expression): Expression {
  const { start } = cursor.current;
  const inner = parseItems(cursor, parseItem);
  if (!Array.isArray(inner)) return inner;
  if (inner.length === 0) throw cursor.unexpected("an expression");
  return cursor.built<TupleLiteral>({ kind: "tuple", items: inner, ...cursor.spanFrom(start) });
}

/**
 * An expression where there is no comma, a list where there is one or where there is nothing. Only `)` and the end of the
 * tag may follow the last comma: Jinja2 means to allow `in` and `recursive` as well, but does not.
 */
function parseItems(cursor: Cursor, parseItem: () => Expression): Expression | Expression[] {
  const items: Expression[] = [];
  while (cursor.current.kind !== "close" && !cursor.isOperator(")")) {
    const item = parseItem();
    if (items.length === 0 && !cursor.isOperator(",")) return item;
    items.push(item);
    if (!cursor.takeOperator(",")) break;
  }
  return items;
}

/** With a comma between each and the next, perhaps one after the last. */
function parseUntil<T>(cursor: Cursor, close: "]" | "}", parseItem: () => T): readonly T[] {
  const items: T[] = [];
  while (!cursor.isOperator(close)) {
    if (items.length > 0) cursor.expectOperator(",");
    if (!cursor.isOperator(close)) items.push(parseItem());
  }
  cursor.advance();
  return items;
}

function parseList(cursor: Cursor): Expression {
  return cursor.within("brackets", () => {
    const { start } = cursor.advance();
    const items = parseUntil(cursor, "]", () => cursor.parseExpression());
    return cursor.built({ kind: "list", items, ...cursor.spanFrom(start) });
  });
}

function parseDict(cursor: Cursor): Expression {
  return cursor.within("brackets", () => {
    const { start } = cursor.advance();
    const pairs = parseUntil(cursor, "}", () => {
      const key = cursor.parseExpression();
      cursor.expectOperator(":");
      return { key, value: cursor.parseExpression() };
    });
    return cursor.built<DictLiteral>({ kind: "dict", pairs, ...cursor.spanFrom(start) });
  });
}

/** What is attached to `node`, which begins at `start`. */
export function parsePostfix(cursor: Cursor, node: Expression, start: number): Expression {
  let result = node;
  for (;;) {
    if (cursor.isOperator(".")) result = parseDot(cursor, result, start);
    else if (cursor.isOperator("[")) result = parseBrackets(cursor, result, start);
    else if (cursor.isOperator("(")) result = parseCall(cursor, result, start);
    else return result;
  }
}

/** `.name`, or `.0`, which is `[0]`. */
function parseDot(cursor: Cursor, object: Expression, start: number): Expression {
  cursor.advance();
  const token = cursor.current;
  if (token.kind === "name") {
    cursor.advance();
    const nameSpan = { start: token.start, end: token.end };
    return cursor.built({ kind: "attribute", object, name: token.text, nameSpan, ...cursor.spanFrom(start) });
  }
  if (token.kind !== "int") throw cursor.unexpected('a name or a whole number behind "."');
  const index = numberLiteral(cursor, { type: "int", value: token.value });
  return cursor.built({ kind: "item", object, index, ...cursor.spanFrom(start) });
}

function parseBrackets(cursor: Cursor, object: Expression, start: number): Expression {
  return cursor.within("brackets", () => {
    const open = cursor.advance().start;
    const indexes: Expression[] = [];
    while (!cursor.isOperator("]")) {
      if (indexes.length > 0) cursor.expectOperator(",");
      indexes.push(parseIndex(cursor));
    }
    cursor.advance();
    const index = asIndex(cursor, indexes, cursor.spanFrom(open));
    return cursor.built<Item>({ kind: "item", object, index, ...cursor.spanFrom(start) });
  });
}

/** One index, or a tuple of several or none. Python compiles no slice in a tuple. */
function asIndex(cursor: Cursor, indexes: readonly Expression[], span: Span): Expression {
  const [only] = indexes;
  if (only !== undefined && indexes.length === 1) return only;
  const slice = indexes.find((index) => index.kind === "slice");
  if (slice !== undefined) throw cursor.fail("A slice must stand alone in its brackets.", slice);
  return cursor.built<TupleLiteral>({ kind: "tuple", items: indexes, ...span });
}

/** An expression, or a slice `from:to:step` in which all are optional. */
function parseIndex(cursor: Cursor): Expression {
  const { start } = cursor.current;
  const from = cursor.isOperator(":") ? undefined : cursor.parseExpression();
  if (from !== undefined && !cursor.isOperator(":")) return from;
  cursor.advance();
  const to = cursor.isOperator(":") ? undefined : parseBound(cursor);
  const step = cursor.takeOperator(":") ? parseBound(cursor) : undefined;
  return cursor.built<Slice>({ kind: "slice", from, to, step, ...cursor.spanFrom(start) });
}

function parseBound(cursor: Cursor): Expression | undefined {
  return cursor.isOperator("]") || cursor.isOperator(",") ? undefined : cursor.parseExpression();
}
