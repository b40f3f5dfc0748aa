import { type Budget, TemplateError, typeError, unsupported } from "../template-error.ts";
import {
  type Arguments,
  integer,
  type Integer,
  Markup,
  NO_NAMES,
  PyCallable,
  PyDict,
  PyFloat,
  PyIterator,
  PyRange,
  PyView,
  refuseUndefined,
  typeName,
  Undefined,
  undefinedError,
  type Value,
} from "../value.ts";
import { callValue } from "./call.ts";
import { floatPower } from "./double.ts";
import {
  addIntegers,
  divideIntegers,
  floorDivideIntegers,
  moduloIntegers,
  multiplyIntegers,
  powerIntegers,
  subtractIntegers,
} from "./integers.ts";
import { getItem } from "./items.ts";
import { viewAttribute } from "./methods/dict-methods.ts";
import { getMethod } from "./methods/get-method.ts";
import { floatAttribute, integerAttribute } from "./methods/number-methods.ts";
import { rangeAttribute } from "./methods/sequence-methods.ts";
import { asInteger, asText, doubleOf } from "./numbers.ts";
import { percentFormat } from "./percent-format.ts";
import { quote } from "./repr-text.ts";
import { concatenate, isObject, repeat } from "./sequences.ts";
import { type FieldStep, strFormat } from "./str-format.ts";
import { repr } from "./text.ts";

/** Python's values: what the evaluator, the filters and the tests are made of. */

export { callValue } from "./call.ts";
export { codePointLength, codePointSlice, isPlain } from "./text.ts";
export { compare, contains, equal, truth, type Order } from "./hash-key.ts";
export { escapeText } from "./text.ts";
export { floatText, halfEven, timesPowerOfTen } from "./float-text.ts";
export { formatValue } from "./str-format.ts";
export { hashKey } from "./hash-key.ts";
export { getItem, getSlice } from "./items.ts";
export { iterate, length, lengthOf, listOf, rangeLength } from "./iterate.ts";
export { updateDict } from "./methods/dict-methods.ts";
export { getMethod } from "./methods/get-method.ts";
export {
  asInteger,
  asText,
  definedIndex,
  floatFromText,
  indexOf,
  intFromText,
  SPACES,
  toFloat,
  toInt,
} from "./numbers.ts";
export { percentFormat } from "./percent-format.ts";
export { quote } from "./repr-text.ts";
export { tupleItems } from "./sequences.ts";
export { sortedBy } from "./sort.ts";
export { strFormat, type FieldStep } from "./str-format.ts";
export { ascii, repr, str } from "./text.ts";
export { typeName, undefinedError } from "../value.ts";

// Python's arithmetic operators on any values. Two safe integers take a short way, since offsets and keys of millions
// of references are computed here.

export function add(a: Value, b: Value, budget: Budget): Value {
  if (typeof a === "number" && typeof b === "number") {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  const sum = numeric(a, b, budget, addIntegers, (x, y) => x + y);
  return sum ?? refused(a, b) ?? concatenate(a, b, budget) ?? unfit("+", a, b);
}

export function subtract(a: Value, b: Value, budget: Budget): Value {
  if (typeof a === "number" && typeof b === "number") {
    const difference = a - b;
    if (Number.isSafeInteger(difference)) return difference;
  }
  const result = numeric(a, b, budget, subtractIntegers, (x, y) => x - y);
  if (result !== undefined) return result;
  refuseUndefined(a, b);
  if (isSetLike(a) || isSetLike(b)) throw unsupported("A set (the difference of a dictionary's keys or items)");
  return unfit("-", a, b);
}

const isSetLike = (value: Value): boolean => value instanceof PyView && value.what !== "values";

export function multiply(a: Value, b: Value, budget: Budget): Value {
  if (typeof a === "number" && typeof b === "number") {
    const product = a * b;
    if (Number.isSafeInteger(product)) return product + 0;
  }
  const product = numeric(a, b, budget, multiplyIntegers, (x, y) => x * y);
  return product ?? refused(a, b) ?? repeat(a, b, budget) ?? unfit("*", a, b);
}

export function divide(a: Value, b: Value, budget: Budget): Value {
  return numeric(a, b, budget, divideIntegers, divideFloats) ?? refused(a, b) ?? unfit("/", a, b);
}

function divideFloats(a: number, b: number): number {
  if (b === 0) throw new TemplateError("ZeroDivisionError", "float division by zero");
  return a / b;
}

export function floorDivide(a: Value, b: Value, budget: Budget): Value {
  if (typeof a === "number" && typeof b === "number" && b !== 0) {
    const whole = a - safeModulo(a, b);
    if (Number.isSafeInteger(whole)) return whole / b + 0;
  }
  return numeric(a, b, budget, floorDivideIntegers, floorDivideFloats) ?? refused(a, b) ?? unfit("//", a, b);
}

export function modulo(a: Value, b: Value, budget: Budget): Value {
  if (typeof a === "number" && typeof b === "number" && b !== 0) return safeModulo(a, b) + 0;
  if (typeof a === "string") return percentFormat(a, b, budget);
  if (a instanceof Markup) throw unsupported("The operator % on text that is marked safe");
  return numeric(a, b, budget, moduloIntegers, moduloFloats) ?? refused(a, b) ?? unfit("%", a, b);
}

/** What a power that may end in a float is worth: it is computed in many digits. */
const FLOAT_POWER_STEPS = 100;

export function power(a: Value, b: Value, budget: Budget): Value {
  if (typeof a !== "number" || typeof b !== "number" || b < 0) budget.spend(FLOAT_POWER_STEPS);
  return numeric(a, b, budget, powerIntegers, floatPower) ?? refused(a, b) ?? unfit("** or pow()", a, b);
}

export function negate(a: Value, _budget: Budget): Value {
  if (typeof a === "number") return 0 - a;
  if (a instanceof PyFloat) return new PyFloat(-a.value);
  const whole = asInteger(a);
  return whole === undefined ? unfitUnary("-", a) : integer(-BigInt(whole));
}

export function positive(a: Value, _budget: Budget): Value {
  if (a instanceof PyFloat) return a;
  return asInteger(a) ?? unfitUnary("+", a);
}

function safeModulo(a: number, b: number): number {
  const rest = a % b;
  return rest !== 0 && rest < 0 !== b < 0 ? rest + b : rest;
}

/** The rest has the sign of `b`, a zero too. */
function moduloFloats(a: number, b: number): number {
  if (b === 0) throw new TemplateError("ZeroDivisionError", "float modulo");
  const rest = a % b;
  if (rest === 0) return b < 0 ? -0 : 0;
  return rest < 0 !== b < 0 ? rest + b : rest;
}

/** The quotient whose rest `moduloFloats` gives: not always the floor of `a / b`. */
function floorDivideFloats(a: number, b: number): number {
  if (b === 0) throw new TemplateError("ZeroDivisionError", "float floor division by zero");
  const rest = a % b;
  let quotient = (a - rest) / b;
  if (rest !== 0 && rest < 0 !== b < 0) quotient -= 1;
  if (quotient === 0) return a / b < 0 || Object.is(a / b, -0) ? -0 : 0;
  const floor = Math.floor(quotient);
  return quotient - floor > 0.5 ? floor + 1 : floor;
}

/** Two integers, or floats and integers; undefined where one is neither. */
function numeric(
  a: Value,
  b: Value,
  budget: Budget,
  ofIntegers: (a: Integer, b: Integer, budget: Budget) => Value,
  ofFloats: (a: number, b: number) => number,
): Value | undefined {
  const x = a instanceof PyFloat ? a : asInteger(a);
  const y = b instanceof PyFloat ? b : asInteger(b);
  if (x === undefined || y === undefined) return undefined;
  if (!(x instanceof PyFloat) && !(y instanceof PyFloat)) return ofIntegers(x, y, budget);
  return new PyFloat(ofFloats(doubleFrom(x), doubleFrom(y)));
}

const doubleFrom = (value: PyFloat | Integer): number => (value instanceof PyFloat ? value.value : doubleOf(value));

function refused(a: Value, b: Value): undefined {
  refuseUndefined(a, b);
  return undefined;
}

function unfit(operator: string, a: Value, b: Value): never {
  throw typeError(`unsupported operand type(s) for ${operator}: '${typeName(a)}' and '${typeName(b)}'`);
}

function unfitUnary(operator: string, a: Value): never {
  if (a instanceof Undefined) throw undefinedError(a);
  throw typeError(`bad operand type for unary ${operator}: '${typeName(a)}'`);
}

/** `object.name(*positional)` */
export function callMethod(object: Value, name: string, positional: readonly Value[], budget: Budget): Value {
  const method = getAttribute(object, name, budget);
  if (method === undefined) {
    throw new TemplateError("AttributeError", `'${typeName(object)}' object has no attribute '${name}'`);
  }
  return callValue(method, { positional, named: NO_NAMES }, budget);
}

// Attributes and items as Jinja2's sandbox gives them: `object.name` is an attribute, else an item; `object[key]` an
// item, else an attribute; else an Undefined. No attribute is reached that is not named here or in `methods/`.

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
  if (name.startsWith("_")) return isPythonInternal(typeName(object), name) ? unsafe(object, name) : undefined;
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

/**
 * Names with underscores that Python's own types have. The sandbox refuses them, where they exist: where they do not,
 * `dict.__proto__` may still be an ordinary key.
 */
const EVERY_OBJECT = named(
  `class delattr dir doc eq format ge getattribute getstate gt hash init init_subclass le lt ne new reduce reduce_ex repr
  setattr sizeof str subclasshook`,
);

const SEQUENCE = "add contains getitem iter len mul rmul";
const NUMBER = `abs add bool ceil divmod float floor floordiv getnewargs int mod mul neg pos pow radd rdivmod rfloordiv
  rmod rmul round rpow rsub rtruediv sub truediv trunc`;
const INTEGER = `${NUMBER} and index invert lshift or rand rlshift ror rrshift rshift rxor xor`;
const FUNCTION = "call module name qualname";
const SET = "and contains iter len or rand reversed ror rsub rxor sub xor";

const OF_TYPE: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["str", named(`${SEQUENCE} getnewargs mod rmod`)],
  ["int", named(INTEGER)],
  ["bool", named(INTEGER)],
  ["float", named(`${NUMBER} getformat`)],
  ["list", named(`${SEQUENCE} class_getitem delitem iadd imul reversed setitem`)],
  ["tuple", named(`${SEQUENCE} class_getitem getnewargs`)],
  ["dict", named("class_getitem contains delitem getitem ior iter len or reversed ror setitem")],
  ["range", named("bool contains getitem iter len reversed")],
  ["dict_keys", named(SET)],
  ["dict_items", named(SET)],
  ["dict_values", named("iter len reversed")],
  ["NoneType", named("bool")],
  ["function", named(`${FUNCTION} annotations builtins closure code defaults dict get globals kwdefaults`)],
  ["builtin_function_or_method", named(`${FUNCTION} self text_signature`)],
  ["generator", named("del iter name next qualname")],
  // The class that templates mostly meet is `dict`, whose own names count as well.
  [
    "type",
    named(
      `${FUNCTION} annotations base bases basicsize dict dictoffset flags instancecheck itemsize mro or prepare ror
      subclasscheck subclasses text_signature weakrefoffset class_getitem contains delitem getitem ior iter len reversed
      setitem`,
    ),
  ],
  [
    "Undefined",
    withMembers(
      "_fail_with_undefined_error _undefined_exception _undefined_hint _undefined_message _undefined_name _undefined_obj",
      `add aiter bool call complex div float floordiv getattr getitem int iter len mod module mul neg pos pow radd rdiv
      rfloordiv rmod rmul rpow rsub rtruediv slots sub truediv`,
    ),
  ],
]);

function withMembers(members: string, words: string): ReadonlySet<string> {
  return new Set([...members.split(" "), ...named(words)]);
}

function named(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/).map((word) => `__${word}__`));
}

/** Whether an object of the type has an internal attribute of this name. Of types not listed, everything is internal. */
function isPythonInternal(typeName: string, name: string): boolean {
  return EVERY_OBJECT.has(name) || (OF_TYPE.get(typeName)?.has(name) ?? name.startsWith("_"));
}
