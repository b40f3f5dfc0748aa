/**
 * Attributes and items as Jinja2's sandbox gives them: `object.name` is an attribute, else an item; `object[key]` an
 * item, else an attribute; else an Undefined. No attribute is reached that is not named here or in `methods/`.
 */
import type { Budget } from "../budget.ts";
import { TemplateError, typeError, unsupported } from "../template-error.ts";
import {
  PyCallable,
  PyDict,
  PyIterator,
  PyFloat,
  PyRange,
  PyView,
  Undefined,
  type Arguments,
  type Value,
} from "../value.ts";
import { isPythonInternal } from "./internal-names.ts";
import { getItem } from "./items.ts";
import { viewAttribute } from "./methods/dict-methods.ts";
import { getMethod } from "./methods/get-method.ts";
import { floatAttribute, integerAttribute } from "./methods/number-methods.ts";
import { rangeAttribute } from "./methods/sequence-methods.ts";
import { asInteger, asText } from "./numbers.ts";
import { quote } from "./quote.ts";
import { isObject } from "./sequences.ts";
import { strFormat, type FieldStep } from "./str-format.ts";
import { repr } from "./text.ts";
import { typeName, undefinedError } from "./type-name.ts";

/** Names that the sandbox never resolves (jinja2.sandbox, `is_safe_attribute`). */
export const isUnsafeAttribute = (name: string): boolean => name.startsWith("_");

/**
 * `getattr(object, name)`; undefined where there is no such attribute, an unsafe Undefined where there is one that the
 * sandbox refuses. UndefinedError for an undefined object, unless the name begins with two underscores.
 */
export function getAttribute(object: Value, name: string, budget: Budget): Value | undefined {
  budget.spend(1);
  if (object instanceof Undefined) {
    if (isPythonInternal("Undefined", name)) return unsafe(object, name);
    if (name.startsWith("__")) return undefined;
    throw undefinedError(object);
  }
  if (isUnsafeAttribute(name)) return isPythonInternal(typeName(object), name) ? unsafe(object, name) : undefined;
  if (typeof object === "string" && (name === "format" || name === "format_map"))
    return safeFormat(object, name, budget);
  const found = isObject(object) ? object.get(name) : plainAttribute(object, name, budget);
  return found === undefined ? getMethod(object, name, budget) : found;
}

/** What is not a method of the type. */
function plainAttribute(object: Value, name: string, budget: Budget): Value | undefined {
  if (object instanceof PyCallable) return callableAttribute(object, name, budget);
  if (object instanceof PyIterator) return iteratorAttribute(object, name);
  if (object instanceof PyFloat) return floatAttribute(object, name);
  if (object instanceof PyRange) return rangeAttribute(object, name);
  if (object instanceof PyView) return viewAttribute(object, name);
  const whole = asInteger(object);
  return whole === undefined ? undefined : integerAttribute(whole, name);
}

function callableAttribute(callable: PyCallable, name: string, budget: Budget): Value | undefined {
  const known = callable.attributes.get(name);
  if (known !== undefined || !callable.text.startsWith("<class ")) return known;
  if (name === "mro") return unsafe(callable, name);
  if (callable.text === "<class 'dict'>" && getMethod(new PyDict(), name, budget) !== undefined) {
    throw unsupported(`The method ${name} of the class dict`);
  }
  return undefined;
}

/** The attributes of a generator. */
function iteratorAttribute(iterator: PyIterator, name: string): Value | undefined {
  if (name === "gi_frame" || name === "gi_code") return unsafe(iterator, name);
  if (/^(?:close|send|throw|gi_running|gi_suspended|gi_yieldfrom)$/.test(name)) {
    throw unsupported(`The attribute ${name} of a generator`);
  }
  return undefined;
}

function unsafe(object: Value, name: string): Undefined {
  return new Undefined(`access to attribute ${quote(name)} of '${typeName(object)}' object is unsafe.`, true);
}

/** Jinja2's `object.name`: the attribute, else the item, else an Undefined. */
export function attributeOrItem(object: Value, name: string, budget: Budget): Value {
  const found = getAttribute(object, name, budget);
  if (found !== undefined) return found;
  const item = getItem(object, name, budget);
  return item === undefined ? missing(object, name, budget) : item;
}

/** Jinja2's `object[key]`: the item, else, for a text key, the attribute, else an Undefined. */
export function itemOrAttribute(object: Value, key: Value, budget: Budget): Value {
  const item = getItem(object, key, budget);
  if (item !== undefined) return item;
  const name = asText(key);
  const found = name === undefined ? undefined : getAttribute(object, name, budget);
  return found === undefined ? missing(object, key, budget) : found;
}

function missing(object: Value, key: Value, budget: Budget): Undefined {
  const what = object === null ? "None" : `${typeName(object)} object`;
  const name = asText(key);
  return new Undefined(
    name === undefined
      ? `${what} has no element ${repr(key, budget)}`
      : `${quote(what)} has no attribute ${quote(name)}`,
  );
}

/** `str.format` and `str.format_map` as the sandbox wraps them: fields resolve as templates do. */
function safeFormat(format: string, name: "format" | "format_map", budget: Budget): PyCallable {
  const resolve = (object: Value, step: FieldStep): Value =>
    step.kind === "attribute" ? attributeOrItem(object, step.name, budget) : itemOrAttribute(object, step.key, budget);
  return new PyCallable(`<function str.${name} at 0x..>`, (given) => {
    if (name === "format") return strFormat(format, given.positional, (key) => given.named.get(key), resolve, budget);
    const mapping = onlyArgument(given);
    return strFormat(format, [], (key) => mappedValue(mapping, key, budget), resolve, budget);
  });
}

function onlyArgument({ positional, named }: Arguments): Value {
  if (named.size > 0) throw typeError("format_map() takes no keyword arguments");
  const [mapping] = positional;
  if (mapping === undefined || positional.length !== 1) {
    throw typeError(`format_map() takes exactly one argument (${positional.length} given)`);
  }
  return mapping;
}

function mappedValue(mapping: Value, key: string, budget: Budget): Value | undefined {
  const value = getItem(mapping, key, budget);
  if (value === undefined && !(mapping instanceof PyDict)) {
    throw new TemplateError("TypeError", `'${typeName(mapping)}' object has no item ${quote(key)}`);
  }
  return value;
}
