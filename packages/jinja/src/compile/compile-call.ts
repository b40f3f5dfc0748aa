/** Calls, filters and tests: their arguments, and which function a name means. */
import { FILTERS } from "../filters/index.ts";
import { TESTS } from "../is-tests/index.ts";
import { assertionError, type Place } from "../program.ts";
import { quickBraces } from "../quick-format.ts";
import { attributeOrItem, callValue, iterate, typeName } from "../python/index.ts";
import { PYTHON_WORDS } from "../parse/parse-arguments.ts";
import type { Code, Filter, Frame, Test } from "../run.ts";
import { spanned } from "../spanned.ts";
import { TemplateError, typeError } from "../template-error.ts";
import type { Call, CallArguments, Expression, FilterUse, Span, TestUse } from "../tree.ts";
import { NO_NAMES, PyDict, type Arguments, type Value } from "../value.ts";

export type Give = (frame: Frame) => Arguments;

const NO_ARGUMENTS: Arguments = { positional: [], named: NO_NAMES };

/** `caller`: what a call block hands over beside the written arguments. */
export function compileCall(node: Call, place: Place, caller?: Code): Code {
  const quick = caller === undefined ? compileQuickFormat(node, place) : undefined;
  return quick ?? compileGeneralCall(node, place, caller);
}

/** `'{:02d}'.format(i)`, where the format is plain. */
function compileQuickFormat(node: Call, place: Place): Code | undefined {
  const { callee } = node;
  if (callee.kind !== "attribute" || callee.name !== "format" || node.arguments.named.length > 0) return undefined;
  const format = place.constants.valueOf(callee.object, place.autoescape);
  const quick = typeof format === "string" ? quickBraces(format) : undefined;
  if (quick === undefined || typeof format !== "string") return undefined;
  const give = compileArguments(node.arguments, place);
  return spanned(node, (frame) => {
    const given = give(frame);
    const { budget } = frame.run;
    const text = given.named.size === 0 ? quick(given.positional) : undefined;
    if (text === undefined) return callValue(attributeOrItem(format, "format", budget), given, budget);
    budget.characters(text.length);
    return text;
  });
}

function compileGeneralCall(node: Call, place: Place, caller?: Code): Code {
  const callee = place.expression(node.callee, place);
  const give = compileArguments(node.arguments, place, caller);
  return spanned(node, (frame) => callValue(callee(frame), give(frame), frame.run.budget));
}

function compileArguments(given: CallArguments, place: Place, caller?: Code): Give {
  const positional = given.positional.map((one) => place.expression(one, place));
  const named = given.named.map((one) => [one.name, place.expression(one.value, place)] as const);
  if (caller !== undefined) named.push(["caller", caller]);
  if (given.star !== undefined || given.doubleStar !== undefined) return compileStars(given, positional, named, place);
  if (named.length > 0) {
    return (frame) => ({
      positional: positional.map((one) => one(frame)),
      named: new Map(named.map(([name, value]) => [name, value(frame)])),
    });
  }
  const [only] = positional;
  if (only === undefined) return () => NO_ARGUMENTS;
  if (positional.length === 1) return (frame) => ({ positional: [only(frame)], named: NO_NAMES });
  return (frame) => ({ positional: positional.map((one) => one(frame)), named: NO_NAMES });
}

type Named = readonly (readonly [string, Code])[];

function compileStars(given: CallArguments, positional: readonly Code[], named: Named, place: Place): Give {
  const list = given.star === undefined ? undefined : place.expression(given.star, place);
  const dict = given.doubleStar === undefined ? undefined : place.expression(given.doubleStar, place);
  const overrides = named.some(([name]) => PYTHON_WORDS.has(name));
  return (frame) => {
    const values = positional.map((one) => one(frame));
    const names = new Map(named.map(([name, value]) => [name, value(frame)]));
    if (list !== undefined) for (const value of iterate(list(frame), frame.run.budget)) values.push(value);
    if (dict !== undefined) takeNames(dict(frame), names, overrides);
    return { positional: values, named: names };
  };
}

function takeNames(given: Value, names: Map<string, Value>, overrides: boolean): void {
  if (!(given instanceof PyDict)) throw typeError(`argument after ** must be a mapping, not ${typeName(given)}`);
  for (const { key, value } of given.entries()) {
    if (typeof key !== "string") throw typeError("keywords must be strings");
    if (!overrides && names.has(key)) throw typeError(`got multiple values for keyword argument '${key}'`);
    names.set(key, value);
  }
}

export function compileFilter(node: FilterUse, place: Place, operand?: Code): Code {
  const filter = FILTERS.get(node.name);
  if (filter === undefined && !place.soft) throw assertionError(`No filter named '${node.name}'.`, node.nameSpan);
  const value = operand ?? compileOperand(node.operand, node, place);
  return compileUse(filter ?? unknownUse("filter", node.name), value, node, place);
}

export function compileTest(node: TestUse, place: Place): Code {
  const test = TESTS.get(node.name);
  if (test === undefined && !place.soft) throw assertionError(`No test named '${node.name}'.`, node.nameSpan);
  if (node.name === "sameas" && isSameName(node)) return () => true;
  return compileUse(test ?? unknownUse("test", node.name), place.expression(node.operand, place), node, place);
}

/** `x is sameas x`, which needs no knowledge of addresses. */
function isSameName(node: TestUse): boolean {
  const [other] = node.arguments.positional;
  if (node.operand.kind !== "name" || other?.kind !== "name" || node.operand.name !== other.name) return false;
  return node.arguments.positional.length === 1 && node.arguments.named.length === 0;
}

function compileOperand(operand: Expression | undefined, span: Span, place: Place): Code {
  if (operand !== undefined) return place.expression(operand, place);
  throw new TemplateError("TemplateSyntaxError", "A filter needs a value before it.", span);
}

function compileUse(use: Filter | Test, operand: Code, node: FilterUse | TestUse, place: Place): Code {
  const give = compileArguments(node.arguments, place);
  return spanned(node, (frame) => use(frame.run, operand(frame), give(frame)));
}

function unknownUse(kind: "filter" | "test", name: string): () => never {
  return () => {
    throw new TemplateError("TemplateRuntimeError", `No ${kind} named '${name}' found.`);
  };
}
