/** The tests of Jinja2 3.1 (`value is odd`), by name. */
import { bindArguments, isOneOf, positionalOnly } from "../compile/bind-arguments.ts";
import {
  contains,
  equal,
  getAttribute,
  compare,
  hashKey,
  iterate,
  length,
  modulo,
  callValue,
  str,
  truth,
  type Order,
} from "../python/index.ts";
import type { Run, Test } from "../run.ts";
import { unsupported } from "../template-error.ts";
import { Markup, PyCallable, PyDict, PyFloat, PyIterator, PyView, Undefined, type Value } from "../value.ts";

/** A test without arguments. */
function plain(name: string, check: (value: Value, run: Run) => boolean): Test {
  return (run, value, given) => {
    bindArguments(`test_${name}`, [], 0, given);
    return check(value, run);
  };
}

/** One of Python's comparison functions. */
function operator(name: string, check: (left: Value, right: Value, run: Run) => boolean): Test {
  return (run, value, given) => check(value, positionalOnly(name, 1, 1, given)[0] ?? null, run);
}

function order(name: string, sign: Order): Test {
  return operator(name, (left, right, run) => compare(sign, left, right, run.budget));
}

const isEqual = operator("eq", (left, right, run) => equal(left, right, run.budget));
const isUnequal = operator("ne", (left, right, run) => !equal(left, right, run.budget));
const isLess = order("lt", "<");
const isLessOrEqual = order("le", "<=");
const isGreater = order("gt", ">");
const isGreaterOrEqual = order("ge", ">=");

function remainder(value: Value, divisor: Value, expected: number, run: Run): boolean {
  return equal(modulo(value, divisor, run.budget), expected, run.budget);
}

function hasCase(method: "islower" | "isupper"): (value: Value, run: Run) => boolean {
  return (value, run) => {
    const found = getAttribute(str(value, run.budget), method, run.budget) ?? null;
    return truth(callValue(found, { positional: [], named: new Map() }, run.budget));
  };
}

function isNumber(value: Value): boolean {
  return typeof value === "boolean" || isInteger(value) || value instanceof PyFloat;
}

function isInteger(value: Value): boolean {
  return typeof value === "number" || typeof value === "bigint";
}

function isCallable(value: Value): boolean {
  if (value instanceof PyCallable || value instanceof Undefined) return true;
  return typeof value === "object" && value !== null && "kind" in value && value.call !== undefined;
}

/** Whether `iter(value)` succeeds; nothing is walked. */
function isIterable(value: Value, run: Run): boolean {
  if (value instanceof PyIterator) return true;
  try {
    iterate(value, run.budget)[Symbol.iterator]();
    return true;
  } catch (error) {
    if (isOneOf(error, "TypeError")) return false;
    throw error;
  }
}

/** It has a length and can be indexed. */
function isSequence(value: Value): boolean {
  if (value instanceof PyView) return false;
  // Counting the characters of a long text takes time.
  if (typeof value === "string" || value instanceof Markup) return true;
  try {
    length(value);
    // `hasattr(undefined, "__getitem__")` holds as well.
    return true;
  } catch {
    return false;
  }
}

function isNamed(uses: (run: Run) => ReadonlyMap<string, unknown>): (value: Value, run: Run) => boolean {
  return (value, run) => {
    hashKey(value, run.budget);
    const name = value instanceof Markup ? value.text : value;
    return typeof name === "string" && uses(run).has(name);
  };
}

/** `a is b` in Python. Of equal texts and numbers only the smallest are surely one object. */
function isSame(value: Value, other: Value): boolean {
  if (typeof value === "object" && value !== null) {
    if (value instanceof PyFloat || value instanceof Markup) return value === other || refuseUnknown(value, other);
    return value === other;
  }
  if (value !== other) return false;
  if (typeof value === "number" && value >= -5 && value <= 256) return true;
  if (typeof value === "string" && (value === "" || /^[\0-\u00ff]$/.test(value))) return true;
  return typeof value === "boolean" || value === null || refuseUnknown(value, other);
}

function refuseUnknown(value: Value, other: Value): boolean {
  const isAlike =
    value instanceof PyFloat
      ? other instanceof PyFloat && Object.is(value.value, other.value)
      : !(value instanceof Markup) || (other instanceof Markup && other.text === value.text);
  if (isAlike) throw unsupported("sameas for equal texts or numbers, which depends on their addresses,");
  return false;
}

export const TESTS: ReadonlyMap<string, Test> = new Map([
  ["odd", plain("odd", (value, run) => remainder(value, 2, 1, run))],
  ["even", plain("even", (value, run) => remainder(value, 2, 0, run))],
  [
    "divisibleby",
    (run, value, given) => {
      const [divisor = null] = bindArguments("test_divisibleby", ["num"], 1, given);
      return remainder(value, divisor, 0, run);
    },
  ],
  ["defined", plain("defined", (value) => !(value instanceof Undefined))],
  ["undefined", plain("undefined", (value) => value instanceof Undefined)],
  [
    "filter",
    plain(
      "filter",
      isNamed((run) => run.filters),
    ),
  ],
  [
    "test",
    plain(
      "test",
      isNamed((run) => run.tests),
    ),
  ],
  ["none", plain("none", (value) => value === null)],
  ["boolean", plain("boolean", (value) => typeof value === "boolean")],
  ["false", plain("false", (value) => value === false)],
  ["true", plain("true", (value) => value === true)],
  ["integer", plain("integer", isInteger)],
  ["float", plain("float", (value) => value instanceof PyFloat)],
  ["lower", plain("lower", hasCase("islower"))],
  ["upper", plain("upper", hasCase("isupper"))],
  ["string", plain("string", (value) => typeof value === "string" || value instanceof Markup)],
  ["mapping", plain("mapping", (value) => value instanceof PyDict)],
  ["number", plain("number", isNumber)],
  ["sequence", plain("sequence", isSequence)],
  ["iterable", plain("iterable", isIterable)],
  [
    "callable",
    (_run, value, given) => {
      positionalOnly("callable", 0, 0, given);
      return isCallable(value);
    },
  ],
  [
    "sameas",
    (_run, value, given) => {
      const [other = null] = bindArguments("test_sameas", ["other"], 1, given);
      return isSame(value, other);
    },
  ],
  ["escaped", plain("escaped", (value) => value instanceof Markup)],
  [
    "in",
    (run, value, given) => {
      const [container = null] = bindArguments("test_in", ["seq"], 1, given);
      return contains(value, container, run.budget);
    },
  ],
  ["==", isEqual],
  ["eq", isEqual],
  ["equalto", isEqual],
  ["!=", isUnequal],
  ["ne", isUnequal],
  [">", isGreater],
  ["gt", isGreater],
  ["greaterthan", isGreater],
  ["ge", isGreaterOrEqual],
  [">=", isGreaterOrEqual],
  ["<", isLess],
  ["lt", isLess],
  ["lessthan", isLess],
  ["<=", isLessOrEqual],
  ["le", isLessOrEqual],
]);
