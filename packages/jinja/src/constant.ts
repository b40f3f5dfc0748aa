/**
 * Constant expressions, computed once when the template is compiled, as Jinja2's optimizer does (`as_const` in
 * jinja2/nodes.py). It is more than speed: what `false and …` leaves out is never looked at, so an unknown filter there is
 * no error; and a constant's slice out of place is undefined instead of an error.
 */
import { dictValue } from "./json-value.ts";
import { FILTERS } from "./filters/index.ts";
import { TESTS } from "./is-tests/index.ts";
import { joined } from "./markup.ts";
import { BINARY, COMPARISON, UNARY } from "./operations.ts";
import { attributeOrItem, getSlice, hashKey, itemOrAttribute, iterate, truth } from "./python/index.ts";
import type { Run } from "./run.ts";
import { Budget, TemplateError } from "./template-error.ts";
import type { ByKind, CallArguments, Expression, FilterUse, Item, TestUse } from "./tree.ts";
import { integer, Markup, PyFloat, PyList, PyTuple, Undefined, type Arguments, type Value } from "./value.ts";
import { childrenOf } from "./walk.ts";

/** Why an expression is not a constant. */
class NotConstant extends Error {}

interface Folding {
  readonly known: Map<Expression, Value | undefined>;
  readonly run: Run;
}

/** Filters that need the running template, which no constant has. */
const NEVER = new Set(["map", "select", "reject", "selectattr", "rejectattr", "random"]);

/** Computes constants; one for a template, since it remembers. */
export class Constants {
  readonly #checked = new Set<Expression>();
  readonly #plain = folding(false);
  readonly #escaping = folding(true);

  /** The value of an expression that needs nothing from outside; undefined where it does, or where computing it fails. */
  valueOf(node: Expression, autoescape: boolean): Value | undefined {
    return constantOf(node, autoescape ? this.#escaping : this.#plain);
  }

  /** @throws TemplateError for a constant dict, anywhere inside, whose keys cannot be keys: even one never evaluated */
  checkDicts(node: Expression): void {
    if (this.#checked.has(node)) return;
    this.#checked.add(node);
    for (const child of childrenOf(node)) if (child !== undefined) this.checkDicts(child);
    if (node.kind !== "dict") return;
    for (const pair of node.pairs) {
      const key = this.valueOf(pair.key, false);
      if (key === undefined || this.valueOf(pair.value, false) === undefined) return;
      hashKey(key, new Budget());
    }
  }
}

function folding(autoescape: boolean): Folding {
  return { known: new Map(), run: { budget: new Budget(), autoescape, filters: FILTERS, tests: TESTS } };
}

/** Whether a constant may be kept: mutable values are made again each time. */
export function isScalar(value: Value): boolean {
  if (value instanceof PyTuple) return value.items.every(isScalar);
  return value === null || typeof value !== "object" || value instanceof PyFloat || value instanceof Markup;
}

function constantOf(node: Expression, fold: Folding): Value | undefined {
  if (fold.known.has(node)) return fold.known.get(node);
  let value: Value | undefined;
  try {
    value = compute(node, fold);
  } catch (error) {
    if (!(error instanceof NotConstant || error instanceof TemplateError)) throw error;
  }
  fold.known.set(node, value);
  return value;
}

function constant(node: Expression, fold: Folding): Value {
  const value = constantOf(node, fold);
  if (value === undefined) throw new NotConstant();
  return value;
}

function compute(node: Expression, fold: Folding): Value {
  // Little may be spent before rendering begins; what costs more is done then, at the render's expense.
  fold.run.budget.reset();
  fold.run.budget.spend(fold.run.budget.mostSteps - 20_000);
  fold.run.budget.characters(fold.run.budget.mostCharacters - 20_000);
  return computeNode(node, fold);
}

function computeNode(node: Expression, fold: Folding): Value {
  const of = (one: Expression): Value => constant(one, fold);
  return (VALUES[node.kind] as (node: Expression, of: Part, fold: Folding) => Value)(node, of, fold);
}

/** The value of a part; throws `NotConstant` where it has none. */
type Part = (node: Expression) => Value;

const notConstant = (): never => {
  throw new NotConstant();
};

const VALUES: ByKind<Expression, [of: Part, fold: Folding], Value> = {
  literal: (node) => literalValue(node.value),
  tuple: (node, of) => new PyTuple(node.items.map(of)),
  list: (node, of) => new PyList(node.items.map(of)),
  dict(node, of, { run }) {
    const pairs = node.pairs.map((pair): [Value, Value] => [of(pair.key), of(pair.value)]);
    return dictValue(pairs, run.budget);
  },
  unary: ({ operator, operand }, of, { run }) =>
    operator === "not" ? !truth(of(operand)) : UNARY[operator](of(operand), run.budget),
  binary: (node, of, { run }) => BINARY[node.operator](of(node.left), of(node.right), run.budget),
  logical(node, of) {
    const left = of(node.left);
    return truth(left) === (node.operator === "and") ? of(node.right) : left;
  },
  // `Concat.as_const` joins plain text: what was marked safe is escaped again when it is written out.
  concatenation: (node, of, { run }) => joined(node.parts.map(of), false, run.budget),
  comparison(node, of, { run }) {
    let left = of(node.first);
    for (const step of node.rest) {
      const right = of(step.operand);
      if (!COMPARISON[step.operator](left, right, run.budget)) return false;
      left = right;
    }
    return true;
  },
  conditional: ({ test, then, otherwise }, of) =>
    truth(of(test)) ? of(then) : otherwise === undefined ? notConstant() : of(otherwise),
  attribute: (node, of, { run }) => attributeOrItem(of(node.object), node.name, run.budget),
  item: (node, _, fold) => computeItem(node, fold),
  filter: (node, _, fold) => computeUse(node, fold),
  test: (node, _, fold) => computeUse(node, fold),
  name: notConstant,
  slice: notConstant,
  call: notConstant,
};

function computeItem(node: Item, fold: Folding): Value {
  const object = constant(node.object, fold);
  const { index } = node;
  if (index.kind === "tuple" && index.items.some((item) => item.kind === "slice")) return new Undefined("no such item");
  if (index.kind !== "slice") return itemOrAttribute(object, constant(index, fold), fold.run.budget);
  const bounds = [index.from, index.to, index.step].map((one) => (one === undefined ? null : constant(one, fold)));
  try {
    return getSlice(object, bounds[0] ?? null, bounds[1] ?? null, bounds[2] ?? null, fold.run.budget);
  } catch (error) {
    if (error instanceof TemplateError && error.python === "TypeError") return new Undefined("no such slice");
    throw error;
  }
}

function computeUse(node: FilterUse | TestUse, fold: Folding): Value {
  const use = (node.kind === "test" ? TESTS : FILTERS).get(node.name);
  if (node.operand === undefined || use === undefined || NEVER.has(node.name)) throw new NotConstant();
  const given = constantArguments(node.arguments, fold);
  return use(fold.run, constant(node.operand, fold), given);
}

function constantArguments(given: CallArguments, fold: Folding): Arguments {
  const positional = given.positional.map((one) => constant(one, fold));
  const named = new Map(given.named.map((one) => [one.name, constant(one.value, fold)]));
  if (given.star !== undefined) positional.push(...iterate(constant(given.star, fold), fold.run.budget));
  if (given.doubleStar !== undefined) throw new NotConstant();
  return { positional, named };
}

export function literalValue(value: (Expression & { kind: "literal" })["value"]): Value {
  if (value === null || typeof value !== "object") return value;
  return value.type === "int" ? integer(value.value) : new PyFloat(value.value);
}
