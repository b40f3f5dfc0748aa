/** What is in the parentheses of calls, filters and tests. */
import type { Cursor } from "./parse-cursor.ts";
import type { Call, CallArguments, Expression, Span } from "../tree.ts";

type NamedArgument = CallArguments["named"][number];

export const NO_ARGUMENTS: CallArguments = { positional: [], named: [], star: undefined, doubleStar: undefined };

/** At `(`. Order: positional, then named and `*list`, at last `**dict`. */
export function parseArguments(cursor: Cursor): CallArguments {
  return cursor.within("brackets", () => {
    cursor.expectOperator("(");
    const given = collectArguments(cursor);
    cursor.expectOperator(")");
    refuseRepeated(cursor, given.named);
    return given;
  });
}

interface Collected {
  readonly positional: Expression[];
  readonly named: NamedArgument[];
  star: Expression | undefined;
  doubleStar: Expression | undefined;
}

function collectArguments(cursor: Cursor): CallArguments {
  const given: Collected = { positional: [], named: [], star: undefined, doubleStar: undefined };
  let first = true;
  while (!cursor.isOperator(")")) {
    if (!first) {
      cursor.expectOperator(",");
      if (cursor.isOperator(")")) break;
    }
    first = false;
    collectArgument(cursor, given);
  }
  return given;
}

function collectArgument(cursor: Cursor, given: Collected): void {
  const token = cursor.current;
  if (given.doubleStar !== undefined) throw cursor.fail('Nothing may follow the "**" argument of a call.');
  if (cursor.isOperator("*")) {
    if (given.star !== undefined) throw cursor.fail('A call may have only one "*" argument.');
    cursor.advance();
    given.star = cursor.parseExpression();
  } else if (cursor.takeOperator("**")) {
    given.doubleStar = cursor.parseExpression();
  } else if (token.kind === "name" && isAssign(cursor)) {
    cursor.advance();
    cursor.advance();
    const nameSpan = { start: token.start, end: token.end };
    given.named.push({ name: token.text, nameSpan, value: cursor.parseExpression() });
  } else {
    if (given.star !== undefined || given.named.length > 0) {
      throw cursor.fail('An argument without a name stands behind one with a name or "*"; put it before them.');
    }
    given.positional.push(cursor.parseExpression());
  }
}

function isAssign(cursor: Cursor): boolean {
  const next = cursor.look();
  return next.kind === "operator" && next.text === "=";
}

/** Python refuses to compile `f(a=1, a=2)`. Where one name is a word of Python's, Jinja2 hands over a dict instead. */
function refuseRepeated(cursor: Cursor, named: readonly NamedArgument[]): void {
  const seen = new Set<string>();
  let repeated: NamedArgument | undefined;
  for (const argument of named) {
    if (PYTHON_WORDS.has(argument.name)) return;
    if (seen.has(argument.name)) repeated ??= argument;
    seen.add(argument.name);
  }
  if (repeated !== undefined) throw cursor.fail(`The argument "${repeated.name}" is given twice.`, repeated.nameSpan);
}

/** Reserved words of Python: a call that has one as a keyword gets its keywords as a dict. */
export const PYTHON_WORDS: ReadonlySet<string> = new Set(
  (
    "False None True and as assert async await break class continue def del elif else except finally for from global " +
    "if import in is lambda nonlocal not or pass raise return try while with yield"
  ).split(" "),
);

/** At `(`, after `callee`, which begins at `start` (with its parentheses). */
export function parseCall(cursor: Cursor, callee: Expression, start: number): Call {
  const given = parseArguments(cursor);
  return cursor.built<Call>({ kind: "call", callee, arguments: given, ...cursor.spanFrom(start) });
}

/** `name` or `name.name`, as filters and tests are called. */
export function parseDottedName(cursor: Cursor): { readonly name: string; readonly nameSpan: Span } {
  const first = cursor.expectName();
  const words = [first.text];
  while (cursor.takeOperator(".")) words.push(cursor.expectName().text);
  return { name: words.join("."), nameSpan: cursor.spanFrom(first.start) };
}
