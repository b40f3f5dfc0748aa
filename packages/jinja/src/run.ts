/** What exists while a template renders. */
import type { Budget } from "./template-error.ts";
import type { FunctionScope } from "./scope.ts";
import type { Arguments, Value } from "./value.ts";

/** State of one render that filters and tests see too. */
export interface Run {
  readonly budget: Budget;
  /** Whether output is escaped at this moment: only inside `{% autoescape true %}`. */
  autoescape: boolean;
  /** By name, for filters that apply others (`map`, `select`). */
  readonly filters: ReadonlyMap<string, Filter>;
  readonly tests: ReadonlyMap<string, Test>;
}

/** `value | filter(given)` */
export type Filter = (run: Run, value: Value, given: Arguments) => Value;
/** `value is test(given)` */
export type Test = (run: Run, value: Value, given: Arguments) => boolean;

/** Where names are found that no scope of the template defines. */
export class Context {
  readonly run: Run;
  /** Values given from outside, by the template's own numbers for their names; undefined where not given. */
  readonly outside: readonly (Value | undefined)[];
  /** What the template assigns at its top level, which blocks see. */
  readonly exported = new Map<string, Value>();
  /** What a scoped block sees of the place it is in. */
  readonly #around: ReadonlyMap<string, Value> | undefined;

  constructor(run: Run, outside: readonly (Value | undefined)[], around?: ReadonlyMap<string, Value>) {
    this.run = run;
    this.outside = outside;
    this.#around = around;
  }

  resolve(name: string, index: number): Value | undefined {
    if (this.exported.size > 0) {
      const own = this.exported.get(name);
      if (own !== undefined) return own;
    }
    const around = this.#around?.get(name);
    return around === undefined ? this.outside[index] : around;
  }

  /** The same with further names, for a scoped block. */
  derived(names: ReadonlyMap<string, Value>): Context {
    const around = new Map([...(this.#around ?? []), ...this.exported, ...names]);
    return new Context(this.run, this.outside, around);
  }
}

/** One call of a function: the template, a block, a macro, a recursive loop. */
export class Frame {
  readonly slots: (Value | undefined)[];
  readonly parent: Frame | undefined;
  readonly context: Context;
  readonly run: Run;
  readonly outside: readonly (Value | undefined)[];
  /** What was printed so far, into whatever buffer is open. */
  out = "";

  constructor(scope: FunctionScope, context: Context, parent: Frame | undefined) {
    this.slots = Array.from({ length: scope.size }, () => undefined);
    this.parent = parent;
    this.context = context;
    this.run = context.run;
    this.outside = context.outside;
  }
}

/** A compiled expression. */
export type Code = (frame: Frame) => Value;
/** A compiled statement. */
export type Act = (frame: Frame) => void;
