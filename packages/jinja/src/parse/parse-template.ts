/** From a template's text to its tree, after the grammar of Jinja2 3.1 without extensions. */
import { TemplateError } from "../template-error.ts";
import type {
  AssignmentTarget,
  BinaryOperator,
  CallArguments,
  Comparison,
  ComparisonOperator,
  Expression,
  FilterUse,
  Logical,
  Parameter,
  Statement,
  TemplateTree,
  TestUse,
  Unary,
  Unsupported,
} from "../tree.ts";
import { isBlank } from "./lexer-source.ts";
import { NO_ARGUMENTS, parseArguments, parseCall, parseDottedName } from "./parse-arguments.ts";
import { Cursor, type NameToken, type OpenBlock } from "./parse-cursor.ts";
import { CONSTANTS, parsePostfix, parsePrimary, parseTuple } from "./parse-operand.ts";

// Expressions with Jinja2's precedence, loosest first: `if`, `or`, `and`, `not`, comparisons, `+ -`, `~`, `* / // %`,
// `**`, signs, and tightest `|` and `is`. All binary operators group to the left, `**` too.

/** `a if b else c`, and everything tighter. */
function parseExpression(cursor: Cursor): Expression {
  const { start } = cursor.current;
  let result = parseOr(cursor);
  while (cursor.takeWord("if")) {
    const test = parseOr(cursor);
    const otherwise = cursor.takeWord("else") ? cursor.within("prefixes", () => parseExpression(cursor)) : undefined;
    // oxlint-disable-next-line unicorn/no-thenable -- the tree's word; nothing awaits a node
    result = cursor.built({ kind: "conditional", test, then: result, otherwise, ...cursor.spanFrom(start) });
  }
  return result;
}

/** Where `if` has another meaning behind the expression. */
const parseOr = (cursor: Cursor): Expression => parseLogical(cursor, "or", parseAnd);

const parseAnd = (cursor: Cursor): Expression => parseLogical(cursor, "and", parseNot);

function parseLogical(cursor: Cursor, operator: Logical["operator"], parseOperand: (cursor: Cursor) => Expression) {
  const { start } = cursor.current;
  let left = parseOperand(cursor);
  while (cursor.takeWord(operator)) {
    const right = parseOperand(cursor);
    left = cursor.built({ kind: "logical", operator, left, right, ...cursor.spanFrom(start) });
  }
  return left;
}

function parseNot(cursor: Cursor): Expression {
  const { start } = cursor.current;
  if (!cursor.takeWord("not")) return parseComparison(cursor);
  return unary(cursor, "not", start, () => parseNot(cursor));
}

function unary(cursor: Cursor, operator: Unary["operator"], start: number, parse: () => Expression): Expression {
  const operand = cursor.within("prefixes", parse);
  return cursor.built({ kind: "unary", operator, operand, ...cursor.spanFrom(start) });
}

function parseComparison(cursor: Cursor): Expression {
  const { start } = cursor.current;
  const first = parseSum(cursor);
  const rest: { operator: ComparisonOperator; operand: Expression }[] = [];
  for (;;) {
    const operator = takeComparison(cursor);
    if (operator === undefined) break;
    rest.push({ operator, operand: parseSum(cursor) });
  }
  if (rest.length === 0) return first;
  return cursor.built<Comparison>({ kind: "comparison", first, rest, ...cursor.spanFrom(start) });
}

const COMPARISONS = ["==", "!=", "<", "<=", ">", ">="] as const;

function takeComparison(cursor: Cursor): ComparisonOperator | undefined {
  const token = cursor.current;
  if (token.kind === "operator") {
    const operator = COMPARISONS.find((one) => one === token.text);
    if (operator !== undefined) cursor.advance();
    return operator;
  }
  if (cursor.takeWord("in")) return "in";
  if (!cursor.isWord("not")) return undefined;
  const next = cursor.look();
  if (next.kind !== "name" || next.text !== "in") return undefined;
  cursor.advance();
  cursor.advance();
  return "not in";
}

const SUMS = ["+", "-"] as const;
const PRODUCTS = ["*", "/", "//", "%"] as const;
const POWERS = ["**"] as const;

/** A chain of `operators`, grouped to the left. */
function parseBinary(
  cursor: Cursor,
  operators: readonly BinaryOperator[],
  parseOperand: (cursor: Cursor) => Expression,
): Expression {
  const { start } = cursor.current;
  let left = parseOperand(cursor);
  for (;;) {
    const token = cursor.current;
    const operator = token.kind === "operator" ? operators.find((one) => one === token.text) : undefined;
    if (operator === undefined) return left;
    cursor.advance();
    const right = parseOperand(cursor);
    left = cursor.built({ kind: "binary", operator, left, right, ...cursor.spanFrom(start) });
  }
}

const parseSum = (cursor: Cursor): Expression => parseBinary(cursor, SUMS, parseConcatenation);
const parseProduct = (cursor: Cursor): Expression => parseBinary(cursor, PRODUCTS, parsePower);
const parsePower = (cursor: Cursor): Expression => parseBinary(cursor, POWERS, parseUnary);

function parseConcatenation(cursor: Cursor): Expression {
  const { start } = cursor.current;
  const first = parseProduct(cursor);
  if (!cursor.isOperator("~")) return first;
  const parts = [first];
  while (cursor.takeOperator("~")) parts.push(parseProduct(cursor));
  return cursor.built({ kind: "concatenation", parts, ...cursor.spanFrom(start) });
}

/** Filters and tests work on the number with its sign: `-1|abs` is `(-1)|abs`. */
function parseUnary(cursor: Cursor): Expression {
  const { start } = cursor.current;
  return parseFiltersAndTests(cursor, parseSigned(cursor), start);
}

function parseSigned(cursor: Cursor): Expression {
  const { start } = cursor.current;
  const sign = cursor.isOperator("-") ? "-" : cursor.isOperator("+") ? "+" : undefined;
  if (sign === undefined) return parsePostfix(cursor, parsePrimary(cursor), start);
  cursor.advance();
  return unary(cursor, sign, start, () => parseSigned(cursor));
}

function parseFiltersAndTests(cursor: Cursor, operand: Expression, start: number): Expression {
  let result = operand;
  for (;;) {
    if (cursor.takeOperator("|")) result = parseFilter(cursor, result, start);
    else if (cursor.takeWord("is")) result = parseTest(cursor, result, start);
    else if (cursor.isOperator("(")) result = parseCall(cursor, result, start);
    else return result;
  }
}

/** Behind `|`. `operand`: undefined where the filter works on a block's text. */
function parseFilter(cursor: Cursor, operand: Expression | undefined, start: number): FilterUse {
  const name = parseDottedName(cursor);
  const given = cursor.isOperator("(") ? parseArguments(cursor) : NO_ARGUMENTS;
  return cursor.built<FilterUse>({ kind: "filter", operand, ...name, arguments: given, ...cursor.spanFrom(start) });
}

/** `| a | b(1)` of a block, perhaps none; at the first `|`. */
function parseBlockFilters(cursor: Cursor): readonly FilterUse[] {
  const filters: FilterUse[] = [];
  while (cursor.takeOperator("|")) filters.push(parseFilter(cursor, undefined, cursor.current.start));
  return filters;
}

/** Behind `is`. */
function parseTest(cursor: Cursor, operand: Expression, start: number): Expression {
  const negated = cursor.takeWord("not");
  const name = parseDottedName(cursor);
  const given = parseTestArguments(cursor);
  const test: TestUse = { kind: "test", operand, ...name, arguments: given, ...cursor.spanFrom(start) };
  cursor.built(test);
  if (!negated) return test;
  return cursor.built({ kind: "unary", operator: "not", operand: test, ...cursor.spanFrom(start) });
}

/** In parentheses, or one operand without: `is divisibleby 3`. */
function parseTestArguments(cursor: Cursor): CallArguments {
  if (cursor.isOperator("(")) return parseArguments(cursor);
  if (cursor.isWord("is")) throw cursor.fail('Tests cannot follow each other with "is"; join them with "and".');
  if (!beginsTestArgument(cursor)) return NO_ARGUMENTS;
  const { start } = cursor.current;
  const argument = parsePostfix(cursor, parsePrimary(cursor), start);
  return { ...NO_ARGUMENTS, positional: [argument] };
}

function beginsTestArgument(cursor: Cursor): boolean {
  const token = cursor.current;
  if (token.kind === "name") return token.text !== "else" && token.text !== "or" && token.text !== "and";
  if (token.kind === "operator") return token.text === "[" || token.text === "{";
  return token.kind === "string" || token.kind === "int" || token.kind === "float";
}

/**
 * The tree of `source`. Spans are offsets into `source` as given.
 *
 * Throws TemplateError with its span: TemplateSyntaxError where Jinja2 (or Python, compiling what Jinja2 makes of it)
 * refuses the template, TemplateAssertionError for imports of `_names`, ValueError for integers of more than 4,300
 * digits, RecursionError where things lie too deep in each other, Unsupported for string escapes not built here.
 */
export function parseTemplate(source: string): TemplateTree {
  const cursor = new Cursor(source, parseExpression);
  return { source, body: parseStatements(cursor, []) };
}

// What is assigned to, and the parameters of macros.

/** A name, or a tuple of targets with or without parentheses. */
function parseTarget(cursor: Cursor): AssignmentTarget {
  return asTarget(
    cursor,
    parseTuple(cursor, () => parsePrimary(cursor)),
  );
}

/** Also `namespace.attribute`. */
function parseSetTarget(cursor: Cursor): AssignmentTarget {
  const next = cursor.look();
  if (next.kind !== "operator" || next.text !== ".") return parseTarget(cursor);
  const object = cursor.expectName();
  cursor.advance();
  const name = cursor.expectName();
  return { kind: "target-attribute", object: object.text, name: name.text, ...cursor.spanFrom(object.start) };
}

function asTarget(cursor: Cursor, expression: Expression): AssignmentTarget {
  if (expression.kind === "name") return expression;
  const { start, end } = expression;
  if (expression.kind === "tuple") {
    return { kind: "target-tuple", items: expression.items.map((item) => asTarget(cursor, item)), start, end };
  }
  throw cursor.fail("Only names, and tuples of names, can be assigned to.", expression);
}

/** The name of a macro, parameter or import. */
function parseNewName(cursor: Cursor): NameToken {
  const token = cursor.expectName();
  if (CONSTANTS.has(token.text)) throw cursor.fail(`"${token.text}" is a constant and cannot be assigned to.`, token);
  return token;
}

/** `(a, b=1)` */
function parseParameters(cursor: Cursor): readonly Parameter[] {
  cursor.expectOperator("(");
  const parameters: Parameter[] = [];
  const names = new Set<string>();
  while (!cursor.isOperator(")")) {
    if (parameters.length > 0) cursor.expectOperator(",");
    const token = parseNewName(cursor);
    if (names.has(token.text)) throw cursor.fail(`Two parameters are named "${token.text}".`, token);
    names.add(token.text);
    parameters.push(parseParameter(cursor, token, parameters.at(-1)));
  }
  cursor.advance();
  return parameters;
}

function parseParameter(cursor: Cursor, token: NameToken, before: Parameter | undefined): Parameter {
  const name = token.text;
  const fallback = cursor.takeOperator("=") ? cursor.parseExpression() : undefined;
  if (fallback === undefined && before?.fallback !== undefined) {
    throw cursor.fail(`The parameter "${name}" needs a default, as the one before it has one.`, token);
  }
  return { name, fallback, ...cursor.spanFrom(token.start) };
}

// `include`, `extends`, `import` and `from`: read in full, so that what is wrong for Jinja2 is wrong here. None can
// work in a template without a loader, which is all that readers of references have.

/** `tag`: the statement's name, already taken. `start`: of its `{%`. */
function parseImport(cursor: Cursor, tag: NameToken, start: number): Unsupported {
  cursor.parseExpression();
  if (tag.text === "include") parseIncludeOptions(cursor);
  if (tag.text === "import") parseImportName(cursor);
  if (tag.text === "from") parseImportedNames(cursor);
  cursor.expectClose();
  return { kind: "unsupported", statement: tag.text, ...cursor.spanFrom(start) };
}

function parseIncludeOptions(cursor: Cursor): void {
  if (cursor.isWord("ignore") && isNext(cursor, "missing")) takeTwo(cursor);
  takeContext(cursor);
}

function parseImportName(cursor: Cursor): void {
  cursor.expectWord("as");
  parseNewName(cursor);
  takeContext(cursor);
}

function parseImportedNames(cursor: Cursor): void {
  cursor.expectWord("import");
  for (let first = true; ; first = false) {
    if (!first) cursor.expectOperator(",");
    if (takeContext(cursor)) return;
    parseImportedName(cursor);
    if (takeContext(cursor) || !cursor.isOperator(",")) return;
  }
}

function parseImportedName(cursor: Cursor): void {
  const token = parseNewName(cursor);
  if (token.text.startsWith("_")) {
    const { start, end } = token;
    const message = `"${token.text}" cannot be imported, as it begins with an underscore.`;
    throw new TemplateError("TemplateAssertionError", message, { start, end });
  }
  if (cursor.takeWord("as")) parseNewName(cursor);
}

/** `with context`, `without context` */
function takeContext(cursor: Cursor): boolean {
  const found = cursor.isOneOf(["with", "without"]) && isNext(cursor, "context");
  if (found) takeTwo(cursor);
  return found;
}

function takeTwo(cursor: Cursor): void {
  cursor.advance();
  cursor.advance();
}

function isNext(cursor: Cursor, word: string): boolean {
  const next = cursor.look();
  return next.kind === "name" && next.text === word;
}

/** Behind the statement's name (`tag`); `start` is where its `{%` begins. Takes everything up to its last `%}`. */
type StatementParser = (cursor: Cursor, tag: NameToken, start: number) => Statement;

/** Up to the end of the template, or to a tag that begins with one of `endWords`, which is then the current token. */
function parseStatements(cursor: Cursor, endWords: readonly string[]): readonly Statement[] {
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

/** At `else`, or at `endWord`, which is taken. */
function parseElse(cursor: Cursor, tag: NameToken, endWord: string): readonly Statement[] {
  const otherwise = cursor.takeWord("else") ? parseBody(cursor, tag, [endWord]) : [];
  cursor.advance();
  return otherwise;
}

const STATEMENTS: ReadonlyMap<string, StatementParser> = new Map(
  Object.entries<StatementParser>({
    for(cursor, tag, start) {
      const target = parseTarget(cursor);
      cursor.expectWord("in");
      const iterable = parseTuple(cursor, () => parseOr(cursor));
      const test = cursor.takeWord("if") ? cursor.parseExpression() : undefined;
      const recursive = cursor.takeWord("recursive");
      const parseTurn = () => cursor.within("loops", () => parseBody(cursor, tag, ["endfor", "else"]));
      const body = recursive ? cursor.withinFunction(parseTurn) : parseTurn();
      const otherwise = parseElse(cursor, tag, "endfor");
      return { kind: "for", target, iterable, test, recursive, body, otherwise, ...finish(cursor, start) };
    },
    if(cursor, tag, start) {
      const branches: { test: Expression; body: readonly Statement[] }[] = [];
      do {
        const test = parseTuple(cursor, () => parseOr(cursor));
        branches.push({ test, body: parseBody(cursor, tag, ["elif", "else", "endif"]) });
      } while (cursor.takeWord("elif"));
      const otherwise = parseElse(cursor, tag, "endif");
      return { kind: "if", branches, otherwise, ...finish(cursor, start) };
    },
    set(cursor, tag, start) {
      const target = parseSetTarget(cursor);
      if (cursor.takeOperator("=")) {
        const value = parseAnyTuple(cursor);
        return { kind: "set", target, value, ...finish(cursor, start) };
      }
      const filters = parseBlockFilters(cursor);
      const body = parseWholeBody(cursor, tag, "endset");
      return { kind: "set-block", target, filters, body, ...finish(cursor, start) };
    },
    with(cursor, tag, start) {
      const bindings: { target: AssignmentTarget; value: Expression }[] = [];
      while (cursor.current.kind !== "close") {
        if (bindings.length > 0) cursor.expectOperator(",");
        const target = parseTarget(cursor);
        cursor.expectOperator("=");
        bindings.push({ target, value: cursor.parseExpression() });
      }
      const body = parseWholeBody(cursor, tag, "endwith");
      return { kind: "with", bindings, body, ...finish(cursor, start) };
    },
    macro(cursor, tag, start) {
      const name = parseNewName(cursor).text;
      const parameters = parseParameters(cursor);
      const body = cursor.withinFunction(() => parseWholeBody(cursor, tag, "endmacro"));
      return { kind: "macro", name, parameters, body, ...finish(cursor, start) };
    },
    call(cursor, tag, start) {
      const parameters = cursor.isOperator("(") ? parseParameters(cursor) : [];
      const call = cursor.parseExpression();
      if (call.kind !== "call") throw cursor.fail('A "call" block needs the call of a macro.', call);
      const caller = call.arguments.named.find((argument) => argument.name === "caller");
      if (caller !== undefined) {
        throw cursor.fail('The argument "caller" is the block itself here and cannot be given.', caller.nameSpan);
      }
      const body = cursor.withinFunction(() => parseWholeBody(cursor, tag, "endcall"));
      return { kind: "call-block", parameters, call, body, ...finish(cursor, start) };
    },
    filter(cursor, tag, start) {
      const first = parseFilter(cursor, undefined, cursor.current.start);
      const filters = [first, ...parseBlockFilters(cursor)];
      const body = parseWholeBody(cursor, tag, "endfilter");
      return { kind: "filter-block", filters, body, ...finish(cursor, start) };
    },
    block(cursor, tag, start) {
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
    },
    autoescape(cursor, tag, start) {
      const value = cursor.parseExpression();
      const body = parseWholeBody(cursor, tag, "endautoescape");
      return { kind: "autoescape", value, body, ...finish(cursor, start) };
    },
    print(cursor, _tag, start) {
      const expressions: Expression[] = [];
      while (cursor.current.kind !== "close") {
        if (expressions.length > 0) cursor.expectOperator(",");
        expressions.push(cursor.parseExpression());
      }
      return { kind: "output", expressions, ...finish(cursor, start) };
    },
    include: parseImport,
    extends: parseImport,
    import: parseImport,
    from: parseImport,
  }),
);

// What to say where the tags of a template do not fit together.

/** Tags of Jinja2's extensions; readers of references switch none on. */
const EXTENSION_TAGS: ReadonlySet<string> = new Set(["do", "break", "continue", "trans", "debug"]);

function unknownTag(cursor: Cursor, tag: NameToken): TemplateError {
  const open = cursor.openBlocks.at(-1);
  const ends = cursor.openBlocks.some((block) => block.endWords.includes(tag.text));
  if (open !== undefined && ends) {
    const message = `Found "${tag.text}" while the block "${open.tag.text}" inside of it is open; close that first.`;
    return cursor.fail(`${message} ${wanted(open)}`, tag);
  }
  const parts = [`Encountered the unknown tag "${tag.text}".`];
  if (EXTENSION_TAGS.has(tag.text)) parts.push("It belongs to an extension of Jinja2 that is not switched on.");
  if (open !== undefined) parts.push(wanted(open));
  return cursor.fail(parts.join(" "), tag);
}

/** At the end of the template, with a block open. The place is the tag that opened it. */
function unclosedBlock(cursor: Cursor): TemplateError {
  const open = cursor.openBlocks.at(-1);
  if (open === undefined) return cursor.fail("The template ends too early.");
  return cursor.fail(`The template ends and the block "${open.tag.text}" is not closed. ${wanted(open)}`, open.tag);
}

function wanted(open: OpenBlock): string {
  const words = open.endWords.map((word) => `"${word}"`).join(" or ");
  return `It waits for ${words}.`;
}
