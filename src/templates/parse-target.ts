/** What is assigned to, and the parameters of macros. */
import type { Cursor, NameToken } from "./parse-cursor.ts";
import { parsePrimary, parseTuple } from "./parse-operand.ts";
import type { AssignmentTarget, Expression, Parameter } from "./tree.ts";

/** A name, or a tuple of targets with or without parentheses. */
export function parseTarget(cursor: Cursor): AssignmentTarget {
  return asTarget(
    cursor,
    parseTuple(cursor, () => parsePrimary(cursor)),
  );
}

/** Also `namespace.attribute`. */
export function parseSetTarget(cursor: Cursor): AssignmentTarget {
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

const CONSTANTS: ReadonlySet<string> = new Set(["true", "false", "none", "True", "False", "None"]);

/** The name of a macro, parameter or import. */
export function parseNewName(cursor: Cursor): NameToken {
  const token = cursor.expectName();
  if (CONSTANTS.has(token.text)) throw cursor.fail(`"${token.text}" is a constant and cannot be assigned to.`, token);
  return token;
}

/** `(a, b=1)` */
export function parseParameters(cursor: Cursor): readonly Parameter[] {
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
