/** `{% … %}`: statements and their bodies. */
import { isBlank } from "./lexer-source.ts";
import type { Cursor, NameToken } from "./parse-cursor.ts";
import { parseBlockFilters, parseFilter, parseOr } from "./parse-expression.ts";
import { parseImport } from "./parse-import.ts";
import { parseTuple } from "./parse-operand.ts";
import { parseNewName, parseParameters, parseSetTarget, parseTarget } from "./parse-target.ts";
import { unclosedBlock, unknownTag } from "./parse-tag-errors.ts";
import type {
  AssignmentTarget,
  Autoescape,
  Block,
  CallBlock,
  Expression,
  FilterBlock,
  For,
  If,
  Macro,
  Output,
  SetBlock,
  SetStatement,
  Statement,
  With,
} from "./tree.ts";

/** Behind the statement's name (`tag`); `start` is where its `{%` begins. Takes everything up to its last `%}`. */
type StatementParser = (cursor: Cursor, tag: NameToken, start: number) => Statement;

const STATEMENTS: ReadonlyMap<string, StatementParser> = new Map<string, StatementParser>([
  ["for", parseFor],
  ["if", parseIf],
  ["set", parseSet],
  ["with", parseWith],
  ["macro", parseMacro],
  ["call", parseCallBlock],
  ["filter", parseFilterBlock],
  ["block", parseBlock],
  ["autoescape", parseAutoescape],
  ["print", parsePrint],
  ["include", parseImport],
  ["extends", parseImport],
  ["import", parseImport],
  ["from", parseImport],
]);

/** Up to the end of the template, or to a tag that begins with one of `endWords`, which is then the current token. */
export function parseStatements(cursor: Cursor, endWords: readonly string[]): readonly Statement[] {
  const body: Statement[] = [];
  for (;;) {
    const token = cursor.current;
    if (token.kind === "end") return body;
    if (token.kind === "begin" && token.text === "{%") {
      cursor.advance();
      if (cursor.isOneOf(endWords)) return body;
      body.push(cursor.within("statements", () => parseStatement(cursor, token.start)));
    } else {
      body.push(parseOutput(cursor));
    }
  }
}

/** Text or `{{ … }}`. */
function parseOutput(cursor: Cursor): Statement {
  const token = cursor.advance();
  if (token.kind === "text") return { kind: "text", text: token.text, start: token.start, end: token.end };
  const expression = parseAnyTuple(cursor);
  cursor.expectClose();
  return { kind: "output", expressions: [expression], ...cursor.spanFrom(token.start) };
}

function parseStatement(cursor: Cursor, start: number): Statement {
  const tag = cursor.current;
  if (tag.kind !== "name") throw cursor.unexpected("the name of a statement");
  const parse = STATEMENTS.get(tag.text);
  if (parse === undefined) throw unknownTag(cursor, tag);
  cursor.advance();
  return parse(cursor, tag, start);
}

const parseAnyTuple = (cursor: Cursor): Expression => parseTuple(cursor, () => cursor.parseExpression());

/** The rest of the opening tag (`:` may end it) and the body; one of `endWords` is then the current token. */
function parseBody(cursor: Cursor, tag: NameToken, endWords: readonly string[]): readonly Statement[] {
  cursor.takeOperator(":");
  cursor.expectClose();
  cursor.openBlocks.push({ tag, endWords });
  const body = parseStatements(cursor, endWords);
  if (cursor.current.kind === "end") throw unclosedBlock(cursor);
  cursor.openBlocks.pop();
  return body;
}

/** A body that only `endWord` ends, and that word. */
function parseWholeBody(cursor: Cursor, tag: NameToken, endWord: string): readonly Statement[] {
  const body = parseBody(cursor, tag, [endWord]);
  cursor.advance();
  return body;
}

/** The statement's last `%}`, and its span. */
function finish(cursor: Cursor, start: number): { readonly start: number; readonly end: number } {
  cursor.expectClose();
  return cursor.spanFrom(start);
}

function parseFor(cursor: Cursor, tag: NameToken, start: number): For {
  const target = parseTarget(cursor);
  cursor.expectWord("in");
  const iterable = parseTuple(cursor, () => parseOr(cursor));
  const test = cursor.takeWord("if") ? cursor.parseExpression() : undefined;
  const recursive = cursor.takeWord("recursive");
  const parseTurn = () => cursor.within("loops", () => parseBody(cursor, tag, ["endfor", "else"]));
  const body = recursive ? cursor.withinFunction(parseTurn) : parseTurn();
  const otherwise = parseElse(cursor, tag, "endfor");
  return { kind: "for", target, iterable, test, recursive, body, otherwise, ...finish(cursor, start) };
}

/** At `else`, or at `endWord`, which is taken. */
function parseElse(cursor: Cursor, tag: NameToken, endWord: string): readonly Statement[] {
  const otherwise = cursor.takeWord("else") ? parseBody(cursor, tag, [endWord]) : [];
  cursor.advance();
  return otherwise;
}

function parseIf(cursor: Cursor, tag: NameToken, start: number): If {
  const branches: { test: Expression; body: readonly Statement[] }[] = [];
  do {
    const test = parseTuple(cursor, () => parseOr(cursor));
    branches.push({ test, body: parseBody(cursor, tag, ["elif", "else", "endif"]) });
  } while (cursor.takeWord("elif"));
  const otherwise = parseElse(cursor, tag, "endif");
  return { kind: "if", branches, otherwise, ...finish(cursor, start) };
}

function parseSet(cursor: Cursor, tag: NameToken, start: number): SetStatement | SetBlock {
  const target = parseSetTarget(cursor);
  if (cursor.takeOperator("=")) {
    const value = parseAnyTuple(cursor);
    return { kind: "set", target, value, ...finish(cursor, start) };
  }
  const filters = parseBlockFilters(cursor);
  const body = parseWholeBody(cursor, tag, "endset");
  return { kind: "set-block", target, filters, body, ...finish(cursor, start) };
}

function parseWith(cursor: Cursor, tag: NameToken, start: number): With {
  const bindings: { target: AssignmentTarget; value: Expression }[] = [];
  while (cursor.current.kind !== "close") {
    if (bindings.length > 0) cursor.expectOperator(",");
    const target = parseTarget(cursor);
    cursor.expectOperator("=");
    bindings.push({ target, value: cursor.parseExpression() });
  }
  const body = parseWholeBody(cursor, tag, "endwith");
  return { kind: "with", bindings, body, ...finish(cursor, start) };
}

function parseMacro(cursor: Cursor, tag: NameToken, start: number): Macro {
  const name = parseNewName(cursor).text;
  const parameters = parseParameters(cursor);
  const body = cursor.withinFunction(() => parseWholeBody(cursor, tag, "endmacro"));
  return { kind: "macro", name, parameters, body, ...finish(cursor, start) };
}

function parseCallBlock(cursor: Cursor, tag: NameToken, start: number): CallBlock {
  const parameters = cursor.isOperator("(") ? parseParameters(cursor) : [];
  const call = cursor.parseExpression();
  if (call.kind !== "call") throw cursor.fail('A "call" block needs the call of a macro.', call);
  const caller = call.arguments.named.find((argument) => argument.name === "caller");
  if (caller !== undefined) {
    throw cursor.fail('The argument "caller" is the block itself here and cannot be given.', caller.nameSpan);
  }
  const body = cursor.withinFunction(() => parseWholeBody(cursor, tag, "endcall"));
  return { kind: "call-block", parameters, call, body, ...finish(cursor, start) };
}

function parseFilterBlock(cursor: Cursor, tag: NameToken, start: number): FilterBlock {
  const first = parseFilter(cursor, undefined, cursor.current.start);
  const filters = [first, ...parseBlockFilters(cursor)];
  const body = parseWholeBody(cursor, tag, "endfilter");
  return { kind: "filter-block", filters, body, ...finish(cursor, start) };
}

function parseBlock(cursor: Cursor, tag: NameToken, start: number): Block {
  const name = cursor.expectName();
  const scoped = cursor.takeWord("scoped");
  const required = cursor.takeWord("required");
  if (cursor.isOperator("-")) throw cursor.fail("The name of a block cannot have a hyphen; use an underscore.");
  const body = cursor.withinFunction(() => parseWholeBody(cursor, tag, "endblock"));
  if (required && !body.every((part) => part.kind === "text" && isBlank(part.text))) {
    throw cursor.fail("A required block may hold only whitespace and comments.", name);
  }
  cursor.takeWord(name.text);
  return { kind: "block", name: name.text, scoped, required, body, ...finish(cursor, start) };
}

function parseAutoescape(cursor: Cursor, tag: NameToken, start: number): Autoescape {
  const value = cursor.parseExpression();
  const body = parseWholeBody(cursor, tag, "endautoescape");
  return { kind: "autoescape", value, body, ...finish(cursor, start) };
}

function parsePrint(cursor: Cursor, _tag: NameToken, start: number): Output {
  const expressions: Expression[] = [];
  while (cursor.current.kind !== "close") {
    if (expressions.length > 0) cursor.expectOperator(",");
    expressions.push(cursor.parseExpression());
  }
  return { kind: "output", expressions, ...finish(cursor, start) };
}
