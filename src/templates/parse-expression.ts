/** Expressions with Jinja2's precedence, loosest first: `if`, `or`, `and`, `not`, comparisons, `+ -`, `~`, `* / // %`,
 * `**`, signs, and tightest `|` and `is`. All binary operators group to the left, `**` too. */
import { argumentParts, NO_ARGUMENTS, parseArguments, parseCall, parseDottedName } from "./parse-arguments.ts";
import type { Cursor } from "./parse-cursor.ts";
import { parsePostfix, parsePrimary } from "./parse-operand.ts";
import type {
  BinaryOperator,
  CallArguments,
  Comparison,
  ComparisonOperator,
  Expression,
  FilterUse,
  Logical,
  TestUse,
  Unary,
} from "./tree.ts";

/** `a if b else c`, and everything tighter. */
export function parseExpression(cursor: Cursor): Expression {
  const { start } = cursor.current;
  let result = parseOr(cursor);
  while (cursor.takeWord("if")) {
    const test = parseOr(cursor);
    const otherwise = cursor.takeWord("else") ? cursor.within("prefixes", () => parseExpression(cursor)) : undefined;
    const parts = [result, test, otherwise];
    // oxlint-disable-next-line unicorn/no-thenable -- the tree's word; nothing awaits a node
    result = cursor.built({ kind: "conditional", test, then: result, otherwise, ...cursor.spanFrom(start) }, parts);
  }
  return result;
}

/** Where `if` has another meaning behind the expression. */
export function parseOr(cursor: Cursor): Expression {
  return parseLogical(cursor, "or", parseAnd);
}

const parseAnd = (cursor: Cursor): Expression => parseLogical(cursor, "and", parseNot);

function parseLogical(
  cursor: Cursor,
  operator: Logical["operator"],
  parseOperand: (cursor: Cursor) => Expression,
): Expression {
  const { start } = cursor.current;
  let left = parseOperand(cursor);
  while (cursor.takeWord(operator)) {
    const right = parseOperand(cursor);
    left = cursor.built({ kind: "logical", operator, left, right, ...cursor.spanFrom(start) }, [left, right]);
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
  return cursor.built({ kind: "unary", operator, operand, ...cursor.spanFrom(start) }, [operand]);
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
  const node: Comparison = { kind: "comparison", first, rest, ...cursor.spanFrom(start) };
  return cursor.built(node, [first, ...rest.map((part) => part.operand)]);
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
    left = cursor.built({ kind: "binary", operator, left, right, ...cursor.spanFrom(start) }, [left, right]);
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
  return cursor.built({ kind: "concatenation", parts, ...cursor.spanFrom(start) }, parts);
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
export function parseFilter(cursor: Cursor, operand: Expression | undefined, start: number): FilterUse {
  const name = parseDottedName(cursor);
  const given = cursor.isOperator("(") ? parseArguments(cursor) : NO_ARGUMENTS;
  const node: FilterUse = { kind: "filter", operand, ...name, arguments: given, ...cursor.spanFrom(start) };
  return cursor.built(node, [operand, ...argumentParts(given)]);
}

/** `| a | b(1)` of a block, perhaps none; at the first `|`. */
export function parseBlockFilters(cursor: Cursor): readonly FilterUse[] {
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
  cursor.built(test, [operand, ...argumentParts(given)]);
  if (!negated) return test;
  return cursor.built({ kind: "unary", operator: "not", operand: test, ...cursor.spanFrom(start) }, [test]);
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
  switch (token.kind) {
    case "name":
      return token.text !== "else" && token.text !== "or" && token.text !== "and";
    case "string":
    case "int":
    case "float":
      return true;
    case "operator":
      return token.text === "[" || token.text === "{";
    case "text":
    case "begin":
    case "close":
    case "end":
      return false;
  }
}
