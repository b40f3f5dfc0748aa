import { TemplateError } from "./template-error.ts";

/**
 * Python values as templates see them.
 *
 * - `None` is `null`, `bool` is boolean, `str` is a string (length and indexes count code points, as in Python).
 * - `int` is a number while it is a safe integer, and a bigint outside of that range **only** (`integer()` keeps this):
 *   so a number is always an `int`.
 * - `float` is a `PyFloat`, always: `1.0` is not `1`.
 *
 * Those that are objects here have the name of their type as Python gives it, `type(value).__name__`.
 */
export type Value =
  | null
  | boolean
  | number
  | bigint
  | string
  | PyFloat
  | PyList
  | PyTuple
  | PyDict
  | PyRange
  | PyView
  | PyIterator
  | PyCallable
  | PyObject
  | Markup
  | Undefined;

export type Integer = number | bigint;

/** An integer in its one form. */
export function integer(value: bigint): Integer {
  return value >= -9_007_199_254_740_991n && value <= 9_007_199_254_740_991n ? Number(value) : value;
}

export class PyFloat {
  readonly typeName = "float";
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

export class PyList {
  readonly typeName = "list";
  readonly items: Value[];

  constructor(items: Value[]) {
    this.items = items;
  }
}

export class PyTuple {
  readonly typeName = "tuple";
  readonly items: readonly Value[];

  constructor(items: readonly Value[]) {
    this.items = items;
  }
}

/** `range(start, stop, step)`; step is never 0. */
export class PyRange {
  readonly typeName = "range";
  readonly start: Integer;
  readonly stop: Integer;
  readonly step: Integer;

  constructor(start: Integer, stop: Integer, step: Integer) {
    this.start = start;
    this.stop = stop;
    this.step = step;
  }
}

/** `dict.keys()`, `.values()`, `.items()`: prints as `dict_items([…])`. */
export class PyView {
  readonly what: "keys" | "values" | "items";
  readonly dict: PyDict;

  constructor(what: "keys" | "values" | "items", dict: PyDict) {
    this.what = what;
    this.dict = dict;
  }

  get typeName(): string {
    return `dict_${this.what}`;
  }
}

/** What `map`, `select` and their kind give: used up by the first who walks it. `text` is how it prints. */
export class PyIterator {
  readonly typeName = "generator";
  readonly next: () => Value | typeof EXHAUSTED;
  readonly text: string;

  constructor(next: () => Value | typeof EXHAUSTED, text: string) {
    this.next = next;
    this.text = text;
  }
}

export const EXHAUSTED = Symbol("exhausted");

export interface Arguments {
  readonly positional: readonly Value[];
  readonly named: ReadonlyMap<string, Value>;
}

/** A function, macro, bound method or class (`dict`, `range`, `namespace`, …). `text` is how it prints. */
export class PyCallable {
  readonly text: string;
  readonly call: (given: Arguments) => Value;
  /** What `callable.name` may reach: a macro's `name`, `arguments`, … */
  readonly attributes: ReadonlyMap<string, Value>;

  constructor(text: string, call: (given: Arguments) => Value, attributes: ReadonlyMap<string, Value> = NO_NAMES) {
    this.text = text;
    this.call = call;
    this.attributes = attributes;
  }

  /** Recognised by its text. */
  get typeName(): string {
    if (this.text.startsWith("<class ")) return "type";
    if (this.text.startsWith("<built-in ")) return "builtin_function_or_method";
    if (this.text.startsWith("<Macro ")) return "Macro";
    return this.text.startsWith("<bound method ") ? "method" : "function";
  }
}

/** `loop`, `namespace`, `cycler`, `joiner`, groupby's pairs: `get` is its allow-list. */
export interface PyObject {
  readonly kind: "object";
  readonly typeName: string;
  /** How it prints. */
  readonly text: () => string;
  readonly get: (name: string) => Value | undefined;
  /** Only `namespace` has one: `{% set ns.x = … %}`. */
  readonly set?: (name: string, value: Value) => void;
  readonly call?: (given: Arguments) => Value;
  /** Where it can be walked or indexed like a tuple. */
  readonly items?: () => readonly Value[];
}

/** Text marked safe by `escape` or `safe`. */
export class Markup {
  readonly typeName = "Markup";
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A name, attribute or item that does not exist: prints as nothing, and most uses of it raise UndefinedError. */
export class Undefined {
  readonly typeName = "Undefined";
  /** What UndefinedError says: "'x' is undefined". */
  readonly message: string;
  /** Whether it represents an attribute the sandbox refuses: every use raises SecurityError. */
  readonly unsafe: boolean;

  constructor(message: string, unsafe = false) {
    this.message = message;
    this.unsafe = unsafe;
  }
}

/** No keyword arguments, or no attributes. */
export const NO_NAMES: ReadonlyMap<string, Value> = new Map();

/**
 * `dict`: keys are equal as in Python (`1 == 1.0 == True`), in order of first insertion. The key under which a value is
 * found is the first one given.
 */
export class PyDict {
  readonly typeName = "dict";
  readonly #entries = new Map<string, { readonly key: Value; value: Value }>();

  /** `id`: from `hashKey`, the same text for equal keys; unhashable keys raise TypeError there. */
  set(id: string, key: Value, value: Value): void {
    const known = this.#entries.get(id);
    if (known === undefined) this.#entries.set(id, { key, value });
    else known.value = value;
  }

  get(id: string): Value | undefined {
    return this.#entries.get(id)?.value;
  }

  delete(id: string): boolean {
    return this.#entries.delete(id);
  }

  get size(): number {
    return this.#entries.size;
  }

  entries(): Iterable<{ readonly key: Value; readonly value: Value }> {
    return this.#entries.values();
  }
}

// Names of types, as Python's error messages give them, and the error that using an undefined value raises.

/** `type(value).__name__`. */
export function typeName(value: Value): string {
  if (typeof value === "string") return "str";
  if (typeof value === "number" || typeof value === "bigint") return "int";
  if (typeof value === "boolean") return "bool";
  return value === null ? "NoneType" : value.typeName;
}

/** UndefinedError, or SecurityError for what the sandbox refuses: what most uses of an undefined value raise. */
export function undefinedError(value: Undefined): TemplateError {
  return new TemplateError(value.unsafe ? "SecurityError" : "UndefinedError", value.message);
}

/** Raises if one of the operands is undefined. */
export function refuseUndefined(...operands: readonly Value[]): void {
  for (const operand of operands) if (operand instanceof Undefined) throw undefinedError(operand);
}
