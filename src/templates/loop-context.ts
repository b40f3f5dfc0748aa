/** The variable `loop`, as jinja2.runtime.LoopContext: it looks ahead only when asked to. */
import type { Budget } from "./budget.ts";
import { equal, iterate, length } from "./python/index.ts";
import { TemplateError, typeError } from "./template-error.ts";
import { PyCallable, PyIterator, PyTuple, Undefined, type Arguments, type PyObject, type Value } from "./value.ts";

/** Renders the loop's body again, for `loop(…)` in recursive loops. `depth` counts from 0. */
export type Recurse = (iterable: Value, depth: number) => Value;

const NO_PREVIOUS = new Undefined("there is no previous item");
const NO_NEXT = new Undefined("there is no next item");

export class LoopContext implements PyObject {
  readonly kind = "object";
  readonly typeName = "jinja2.runtime.LoopContext";
  readonly #iterable: Value;
  readonly #recurse: Recurse | undefined;
  readonly #depth: number;
  readonly #budget: Budget;
  #iterator: Iterator<Value>;
  #index = -1;
  #length: number | undefined;
  #ahead: Value | undefined;
  #current: Value | undefined;
  #before: Value | undefined;
  #lastChanged: PyTuple | undefined;

  /** @throws TemplateError where the value cannot be walked */
  constructor(iterable: Value, budget: Budget, recurse?: Recurse, depth = 0) {
    this.#iterable = iterable;
    this.#iterator = iterate(iterable, budget)[Symbol.iterator]();
    this.#budget = budget;
    this.#recurse = recurse;
    this.#depth = depth;
  }

  /** The next item, undefined at the end. */
  next(): Value | undefined {
    const item = this.#peek();
    if (item === undefined) return undefined;
    this.#ahead = undefined;
    this.#index += 1;
    this.#before = this.#current;
    this.#current = item;
    return item;
  }

  readonly text = (): string => `<LoopContext ${this.#index + 1}/${this.#count()}>`;

  readonly call = (given: Arguments): Value => {
    if (this.#recurse === undefined) {
      throw typeError("The loop must have the 'recursive' marker to be called recursively.");
    }
    const [iterable] = given.positional;
    const named = given.named.get("iterable");
    if (given.positional.length + given.named.size !== 1 || (iterable ?? named) === undefined) {
      throw typeError("loop() takes exactly one argument");
    }
    return this.#recurse(iterable ?? named ?? null, this.#depth + 1);
  };

  readonly get = (name: string): Value | undefined => {
    switch (name) {
      case "index":
        return this.#index + 1;
      case "index0":
        return this.#index;
      case "length":
        return this.#count();
      case "revindex":
        return this.#count() - this.#index;
      case "revindex0":
        return this.#count() - this.#index - 1;
      case "first":
        return this.#index === 0;
      case "last":
        return this.#peek() === undefined;
      case "depth":
        return this.#depth + 1;
      case "depth0":
        return this.#depth;
      case "previtem":
        return orNothing(this.#index === 0 ? undefined : this.#before, NO_PREVIOUS);
      case "nextitem":
        return orNothing(this.#peek(), NO_NEXT);
      case "cycle":
        return new PyCallable(methodText("cycle"), this.#cycle);
      case "changed":
        return new PyCallable(methodText("changed"), this.#changed);
      default:
        return undefined;
    }
  };

  #peek(): Value | undefined {
    if (this.#ahead === undefined) {
      const step = this.#iterator.next();
      if (step.done !== true) this.#ahead = step.value;
    }
    return this.#ahead;
  }

  /** Without a length, all remaining items are taken out and handed on from a list. */
  #count(): number {
    if (this.#length !== undefined) return this.#length;
    const known = lengthOf(this.#iterable);
    if (known !== undefined) this.#length = known;
    else {
      const rest: Value[] = [];
      for (let step = this.#iterator.next(); step.done !== true; step = this.#iterator.next()) rest.push(step.value);
      this.#iterator = rest[Symbol.iterator]();
      this.#length = rest.length + this.#index + 1 + (this.#ahead === undefined ? 0 : 1);
    }
    return this.#length;
  }

  readonly #cycle = (given: Arguments): Value => {
    const { positional, named } = given;
    if (named.size > 0) throw typeError("LoopContext.cycle() takes no keyword arguments");
    const item = positional[this.#index % positional.length];
    if (item === undefined) throw typeError("no items for cycling given");
    return item;
  };

  readonly #changed = (given: Arguments): Value => {
    if (given.named.size > 0) throw typeError("LoopContext.changed() takes no keyword arguments");
    const value = new PyTuple(given.positional);
    if (this.#lastChanged !== undefined && equal(this.#lastChanged, value, this.#budget)) return false;
    this.#lastChanged = value;
    return true;
  };
}

/** None is a value too: only `undefined` is nothing. */
function orNothing(value: Value | undefined, nothing: Undefined): Value {
  return value === undefined ? nothing : value;
}

function methodText(name: string): string {
  return `<bound method LoopContext.${name} of <LoopContext>>`;
}

function lengthOf(value: Value): number | undefined {
  if (value instanceof PyIterator) return undefined;
  try {
    return length(value);
  } catch (error) {
    if (error instanceof TemplateError && error.python === "TypeError") return undefined;
    throw error;
  }
}
