/** Expressions become closures: no tree is walked and no name looked up while a template renders. */
import { compileCall, compileFilter, compileTest } from "./compile-call.ts";
import { isScalar, literalValue } from "../constant.ts";
import { dictValue } from "../json-value.ts";
import { joined } from "../markup.ts";
import { BINARY, COMPARISON, UNARY, type BinaryOperation, isNegative, negativePower } from "../operations.ts";
import { quickPercent } from "../quick-format.ts";
import { lineOf, softPlace, type Place } from "../program.ts";
import { attributeOrItem, getSlice, itemOrAttribute, truth } from "../python/index.ts";
import type { Code } from "../run.ts";
import { isOnlyRead, readSlot } from "./compile-scope.ts";
import { variableOf } from "../scope.ts";
import { spanned } from "../spanned.ts";
import { TemplateError, valueError, withSpan } from "../template-error.ts";
import type {
  Attribute,
  Binary,
  Comparison,
  Concatenation,
  Conditional,
  DictLiteral,
  Expression,
  Item,
  Logical,
  Name,
  Slice,
  Span,
  Unary,
} from "../tree.ts";
import { PyFloat, PyList, PyTuple, Undefined, type Value } from "../value.ts";

/** @throws TemplateError for what Jinja2 refuses when it compiles: unknown filters and tests, repeated keywords */
export function compileExpression(node: Expression, place: Place): Code {
  if (isFoldable(node)) {
    place.constants.checkDicts(node);
    const value = place.constants.valueOf(node, place.autoescape);
    if (value !== undefined && isScalar(value)) return constantCode(value, node);
  }
  switch (node.kind) {
    case "literal":
      return constantCode(literalValue(node.value), node);
    case "name":
      return compileName(node, place);
    case "tuple": {
      const items = node.items.map((item) => compileExpression(item, place));
      return (frame) => new PyTuple(items.map((item) => item(frame)));
    }
    case "list": {
      const items = node.items.map((item) => compileExpression(item, place));
      return (frame) => new PyList(items.map((item) => item(frame)));
    }
    case "dict":
      return compileDict(node, place);
    case "unary":
      return compileUnary(node, place);
    case "binary":
      return compileBinary(node, place);
    case "logical":
      return compileLogical(node, place);
    case "concatenation":
      return compileConcatenation(node, place);
    case "comparison":
      return compileComparison(node, place);
    case "conditional":
      return compileConditional(node, place);
    case "attribute":
      return compileAttribute(node, place);
    case "item":
      return compileItem(node, place);
    case "call":
      return compileCall(node, place);
    case "filter":
      return compileFilter(node, place);
    case "test":
      return compileTest(node, place);
    case "slice":
      throw new TemplateError("TemplateSyntaxError", "A slice can stand only alone between brackets.", node);
  }
}

/** Those that Jinja2 hands to its optimizer; of literals it keeps the parts. */
function isFoldable(node: Expression): boolean {
  return !["literal", "name", "tuple", "list", "dict", "call", "slice"].includes(node.kind);
}

/** Jinja2 writes constants into Python source, where an infinite one is an unknown name and a very long one an error. */
function constantCode(value: Value, node: Span): Code {
  if (value instanceof PyFloat && !Number.isFinite(value.value)) {
    return () => {
      throw new TemplateError("NameError", "Jinja2 cannot use an infinite constant in an expression.", node);
    };
  }
  if (typeof value === "bigint" && (value < 0n ? -value : value) >= LONGEST) {
    throw withSpan(valueError("A constant integer has more than 4,300 digits."), node);
  }
  return () => value;
}

const LONGEST = 10n ** 4300n;

function compileName(node: Name, place: Place): Code {
  const { name } = node;
  const variable = variableOf(place.symbols, name, node);
  const load = place.symbols.findLoad(variable);
  const missing = new Undefined(`'${name}' is undefined`);
  if (load?.kind === "resolve") place.program.use(name, node);
  if (load?.kind === "resolve" && isOnlyRead(variable, place)) {
    const number = place.program.numberOf(name);
    return (frame) => {
      const value = frame.outside[number];
      return value === undefined ? missing : value;
    };
  }
  const read = readSlot(variable, place);
  return (frame) => {
    const value = read(frame);
    return value === undefined ? missing : value;
  };
}

function compileDict(node: DictLiteral, place: Place): Code {
  const pairs = node.pairs.map(
    (pair) => [compileExpression(pair.key, place), compileExpression(pair.value, place)] as const,
  );
  return spanned(node, (frame) => {
    const values = pairs.map(([key, value]) => [key(frame), value(frame)] as const);
    return dictValue(values, frame.run.budget);
  });
}

function compileUnary(node: Unary, place: Place): Code {
  const operand = compileExpression(node.operand, place);
  if (node.operator === "not") return (frame) => !truth(operand(frame));
  const operation = UNARY[node.operator];
  return spanned(node, (frame) => operation(operand(frame), frame.run.budget));
}

/** `'%03d' % i`, where the format is plain. */
function compilePercent(node: Binary, general: BinaryOperation, place: Place): BinaryOperation {
  const format = node.operator === "%" ? place.constants.valueOf(node.left, place.autoescape) : undefined;
  const quick = typeof format === "string" ? quickPercent(format) : undefined;
  if (quick === undefined) return general;
  return (left, right, budget) => {
    const text = quick(right);
    if (text === undefined) return general(left, right, budget);
    budget.characters(text.length);
    return text;
  };
}

/** Jinja2 itself computes the power of two constants. */
function powerOf({ left, right }: Binary, { constants, autoescape }: Place): BinaryOperation {
  const isWritten =
    isNegative(constants.valueOf(left, autoescape)) && constants.valueOf(right, autoescape) === undefined;
  return isWritten ? negativePower : BINARY["**"];
}

function compileBinary(node: Binary, place: Place): Code {
  const left = compileExpression(node.left, place);
  const right = compileExpression(node.right, place);
  const operation = node.operator === "**" ? powerOf(node, place) : compilePercent(node, BINARY[node.operator], place);
  return spanned(node, (frame) => operation(left(frame), right(frame), frame.run.budget));
}

function compileLogical(node: Logical, place: Place): Code {
  const left = compileExpression(node.left, place);
  const right = compileExpression(node.right, place);
  const isAnd = node.operator === "and";
  return (frame) => {
    const value = left(frame);
    return truth(value) === isAnd ? right(frame) : value;
  };
}

function compileConcatenation(node: Concatenation, place: Place): Code {
  const parts = node.parts.map((part) => compileExpression(part, place));
  const { autoescape } = place;
  return spanned(node, (frame) =>
    joined(
      parts.map((part) => part(frame)),
      autoescape,
      frame.run.budget,
    ),
  );
}

function compileComparison(node: Comparison, place: Place): Code {
  const first = compileExpression(node.first, place);
  const steps = node.rest.map((step) => ({
    compare: COMPARISON[step.operator],
    operand: compileExpression(step.operand, place),
  }));
  return spanned(node, (frame) => {
    let left = first(frame);
    for (const step of steps) {
      const right = step.operand(frame);
      if (!step.compare(left, right, frame.run.budget)) return false;
      left = right;
    }
    return true;
  });
}

function compileConditional(node: Conditional, place: Place): Code {
  const soft = softPlace(place);
  const test = compileExpression(node.test, soft);
  const then = compileExpression(node.then, soft);
  if (node.otherwise !== undefined) {
    const otherwise = compileExpression(node.otherwise, soft);
    return (frame) => (truth(test(frame)) ? then(frame) : otherwise(frame));
  }
  const line = lineOf(place.program.source, node.start);
  const nothing = new Undefined(
    `the inline if-expression on line ${line} evaluated to false and no else section was defined.`,
  );
  return (frame) => (truth(test(frame)) ? then(frame) : nothing);
}

function compileAttribute(node: Attribute, place: Place): Code {
  const object = compileExpression(node.object, place);
  const { name } = node;
  return spanned(node, (frame) => attributeOrItem(object(frame), name, frame.run.budget));
}

function compileItem(node: Item, place: Place): Code {
  const object = compileExpression(node.object, place);
  if (node.index.kind === "slice") return compileSlice(node, node.index, object, place);
  const index = compileExpression(node.index, place);
  return spanned(node, (frame) => itemOrAttribute(object(frame), index(frame), frame.run.budget));
}

function compileSlice(node: Item, index: Slice, object: Code, place: Place): Code {
  const bound = (one: Expression | undefined): Code => (one === undefined ? () => null : compileExpression(one, place));
  const from = bound(index.from);
  const to = bound(index.to);
  const step = bound(index.step);
  return spanned(node, (frame) => getSlice(object(frame), from(frame), to(frame), step(frame), frame.run.budget));
}
