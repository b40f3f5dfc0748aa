/** The tests of Jinja2 3.1 (`value is odd`), by name. */
import { bound, isOneOf, positionalOnly } from "../compile/bind-arguments.ts";
import { COMPARISON } from "../operations.ts";
import { asText, callMethod, contains, equal, hashKey, iterate, length, modulo, str, truth } from "../python/index.ts";
import type { Run, Test } from "../run.ts";
import { unsupported } from "../template-error.ts";
import type { ComparisonOperator } from "../tree.ts";
import { Markup, PyCallable, PyDict, PyFloat, PyIterator, PyView, Undefined, type Value } from "../value.ts";

/** A test without arguments. */
const plain = (name: string, check: (value: Value, run: Run) => boolean): Test =>
  bound(`test_${name}()`, (run, value) => check(value, run));

/** Python's comparison functions: their names, their signs, and what else Jinja2 calls them. */
const OPERATORS: readonly (readonly [name: string, sign: ComparisonOperator, ...others: string[]])[] = [
  ["eq", "==", "equalto"],
  ["ne", "!="],
  ["lt", "<", "lessthan"],
  ["le", "<="],
  ["gt", ">", "greaterthan"],
  ["ge", ">="],
];

function operator(name: string, sign: ComparisonOperator): Test {
  const check = COMPARISON[sign];
  return (run, value, given) => check(value, positionalOnly(name, 1, 1, given)[0] ?? null, run.budget);
}

function remainder(value: Value, divisor: Value, expected: number, run: Run): boolean {
  return equal(modulo(value, divisor, run.budget), expected, run.budget);
}

function hasCase(method: "islower" | "isupper"): (value: Value, run: Run) => boolean {
  return (value, run) => truth(callMethod(str(value, run.budget), method, [], run.budget));
}

const isNumber = (value: Value): boolean => typeof value === "boolean" || isInteger(value) || value instanceof PyFloat;

const isInteger = (value: Value): boolean => typeof value === "number" || typeof value === "bigint";

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

function isNamed(uses: "filters" | "tests"): (value: Value, run: Run) => boolean {
  return (value, run) => {
    hashKey(value, run.budget);
    const name = asText(value);
    return name !== undefined && run[uses].has(name);
  };
}

/** `a is b` in Python. Of equal texts and numbers only the smallest are surely one object. */
function isIdentical(value: Value, other: Value): boolean {
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

const PLAIN: Readonly<Record<string, (value: Value, run: Run) => boolean>> = {
  odd: (value, run) => remainder(value, 2, 1, run),
  even: (value, run) => remainder(value, 2, 0, run),
  defined: (value) => !(value instanceof Undefined),
  undefined: (value) => value instanceof Undefined,
  filter: isNamed("filters"),
  test: isNamed("tests"),
  none: (value) => value === null,
  boolean: (value) => typeof value === "boolean",
  false: (value) => value === false,
  true: (value) => value === true,
  integer: isInteger,
  float: (value) => value instanceof PyFloat,
  lower: hasCase("islower"),
  upper: hasCase("isupper"),
  string: (value) => asText(value) !== undefined,
  mapping: (value) => value instanceof PyDict,
  number: isNumber,
  sequence: isSequence,
  iterable: isIterable,
  escaped: (value) => value instanceof Markup,
};

export const TESTS: ReadonlyMap<string, Test> = new Map<string, Test>([
  ...Object.entries(PLAIN).map(([name, check]) => [name, plain(name, check)] as const),
  ...OPERATORS.flatMap((names) => names.map((one) => [one, operator(names[0], names[1])] as const)),
  ["divisibleby", bound("test_divisibleby(num)", (run, value, [divisor = null]) => remainder(value, divisor, 0, run))],
  ["sameas", bound("test_sameas(other)", (_, value, [other = null]) => isIdentical(value, other))],
  ["in", bound("test_in(seq)", (run, value, [seq = null]) => contains(value, seq, run.budget))],
  [
    "callable",
    (_run, value, given) => {
      positionalOnly("callable", 0, 0, given);
      return isCallable(value);
    },
  ],
]);
