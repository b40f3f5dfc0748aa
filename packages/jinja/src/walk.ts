/** Walking the names of a tree in the order of Jinja2's node fields, on which some of its scoping rules depend. */
import type { AssignmentTarget, ByKind, CallArguments, Expression, Name, Parameter, Statement } from "./tree.ts";

/** How a name occurs: read, assigned to, or declared as a macro's parameter. */
export type NameUse = "load" | "store" | "parameter";
export type SeeName = (name: string, use: NameUse) => void;

/** Calls `see` for every name that the expression reads. */
export function walkExpression(node: Expression | undefined, see: (name: Name) => void): void {
  if (node === undefined) return;
  if (node.kind === "name") {
    see(node);
    return;
  }
  for (const child of childrenOf(node)) walkExpression(child, see);
}

/** The parts of an expression; absent ones as `undefined`. */
export function childrenOf(node: Expression): readonly (Expression | undefined)[] {
  return (CHILDREN[node.kind] as (node: Expression) => readonly (Expression | undefined)[])(node);
}

const CHILDREN: ByKind<Expression, [], readonly (Expression | undefined)[]> = {
  literal: () => [],
  name: () => [],
  tuple: (node) => node.items,
  list: (node) => node.items,
  dict: (node) => node.pairs.flatMap((pair) => [pair.key, pair.value]),
  unary: (node) => [node.operand],
  binary: (node) => [node.left, node.right],
  logical: (node) => [node.left, node.right],
  concatenation: (node) => node.parts,
  comparison: (node) => [node.first, ...node.rest.map((step) => step.operand)],
  conditional: (node) => [node.test, node.then, node.otherwise],
  attribute: (node) => [node.object],
  item: (node) => [node.object, node.index],
  slice: (node) => [node.from, node.to, node.step],
  call: (node) => [node.callee, ...argumentsOf(node.arguments)],
  filter: (node) => [node.operand, ...argumentsOf(node.arguments)],
  test: (node) => [node.operand, ...argumentsOf(node.arguments)],
};

function argumentsOf(given: CallArguments): (Expression | undefined)[] {
  return [...given.positional, ...given.named.map((one) => one.value), given.star, given.doubleStar];
}

/** Calls `see` for every name in the statements, all nested ones too; `intoBlocks`: those of `{% block %}` as well. */
export function walkStatements(statements: readonly Statement[], see: SeeName, intoBlocks: boolean): void {
  for (const statement of statements) walkStatement(statement, see, intoBlocks);
}

function walkStatement(node: Statement, see: SeeName, intoBlocks: boolean): void {
  const load = (name: Name): void => see(name.name, "load");
  const body = (statements: readonly Statement[]): void => walkStatements(statements, see, intoBlocks);
  const expressions = (list: readonly (Expression | undefined)[]): void => {
    for (const one of list) walkExpression(one, load);
  };
  switch (node.kind) {
    case "text":
    case "unsupported":
      return;
    case "output":
      return expressions(node.expressions);
    case "for":
      walkTarget(node.target, see);
      expressions([node.iterable]);
      body(node.body);
      body(node.otherwise);
      return expressions([node.test]);
    case "if":
      for (const branch of node.branches) {
        expressions([branch.test]);
        body(branch.body);
      }
      return body(node.otherwise);
    case "set":
      walkTarget(node.target, see);
      return expressions([node.value]);
    case "set-block":
      walkTarget(node.target, see);
      expressions(node.filters);
      return body(node.body);
    case "with":
      for (const binding of node.bindings) walkTarget(binding.target, see);
      expressions(node.bindings.map((binding) => binding.value));
      return body(node.body);
    case "macro":
      walkParameters(node.parameters, see);
      return body(node.body);
    case "call-block":
      expressions([node.call]);
      walkParameters(node.parameters, see);
      return body(node.body);
    case "filter-block":
      body(node.body);
      return expressions(node.filters);
    case "block":
      return intoBlocks ? body(node.body) : undefined;
    case "autoescape":
      expressions([node.value]);
      return body(node.body);
  }
}

export function walkTarget(target: AssignmentTarget, see: SeeName): void {
  if (target.kind === "name") see(target.name, "store");
  else if (target.kind === "target-tuple") for (const item of target.items) walkTarget(item, see);
}

function walkParameters(parameters: readonly Parameter[], see: SeeName): void {
  for (const parameter of parameters) see(parameter.name, "parameter");
  for (const parameter of parameters) walkExpression(parameter.fallback, (name) => see(name.name, "load"));
}

/**
 * Which of `names` the statements read before they are assigned anywhere (in reading order, at any depth): Jinja2 asks
 * so whether a body needs `loop`, `caller`, `kwargs`, `varargs`, `self`.
 */
export function readBeforeStored(statements: readonly Statement[], names: readonly string[]): ReadonlySet<string> {
  const watched = new Set(names);
  const found = new Set<string>();
  walkStatements(
    statements,
    (name, use) => {
      if (use !== "load") watched.delete(name);
      else if (watched.has(name)) found.add(name);
    },
    false,
  );
  return found;
}

/** Every statement inside, the nested ones too. */
export function* everyStatement(statements: readonly Statement[]): Generator<Statement> {
  for (const statement of statements) {
    yield statement;
    if (statement.kind === "if") {
      for (const branch of statement.branches) yield* everyStatement(branch.body);
      yield* everyStatement(statement.otherwise);
    } else if (statement.kind === "for") {
      yield* everyStatement(statement.body);
      yield* everyStatement(statement.otherwise);
    } else if ("body" in statement) yield* everyStatement(statement.body);
  }
}
