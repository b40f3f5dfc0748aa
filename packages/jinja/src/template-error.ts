/** Why a template cannot be read or rendered: the exception Python would raise, in its class name and our words. */
import type { Span } from "./tree.ts";

/**
 * The Python exception class that Jinja2 or the interpreter raises here. `Unsupported` is ours: legal in Jinja2, not
 * built here. `Budget` is ours: Python would go on, for longer or larger than Refscope lets it.
 */
export type PythonError =
  | "TemplateSyntaxError"
  | "TemplateAssertionError"
  | "TemplateRuntimeError"
  | "UndefinedError"
  | "SecurityError"
  | "FilterArgumentError"
  | "TypeError"
  | "ValueError"
  | "KeyError"
  | "IndexError"
  | "AttributeError"
  | "AssertionError"
  | "NameError"
  | "RuntimeError"
  | "ZeroDivisionError"
  | "OverflowError"
  | "RecursionError"
  | "UnicodeError"
  | "MemoryError"
  | "Unsupported"
  | "Budget";

export class TemplateError extends Error {
  readonly python: PythonError;
  /** Place in the template's source; put there by the first caller that knows it (`withSpan`). */
  readonly span: Span | undefined;

  /** `message`: one sentence without the class name. */
  constructor(python: PythonError, message: string, span?: Span) {
    super(message);
    this.name = "TemplateError";
    this.python = python;
    this.span = span;
  }
}

/** The same error with its place, where it has none yet. */
export function withSpan(error: unknown, span: Span): unknown {
  if (!(error instanceof TemplateError) || error.span !== undefined) return error;
  return new TemplateError(error.python, error.message, { start: span.start, end: span.end });
}

export const typeError = (message: string): TemplateError => new TemplateError("TypeError", message);
export const valueError = (message: string): TemplateError => new TemplateError("ValueError", message);
export const unsupported = (what: string): TemplateError =>
  new TemplateError("Unsupported", `${what} is legal in Jinja2 and not supported here.`);

// What rendering may cost, so that `range(10**9)` or a runaway macro ends in an error within a fraction of a second.

/** One render's allowance. Reset it to use it again: gen entries render millions of times. */
export class Budget {
  readonly mostSteps: number;
  readonly mostCharacters: number;
  readonly mostDepth: number;
  #steps = 0;
  #characters = 0;
  #depth = 0;

  constructor({ steps = 2_000_000, characters = 4_000_000, depth = 120 } = {}) {
    this.mostSteps = steps;
    this.mostCharacters = characters;
    this.mostDepth = depth;
  }

  reset(): void {
    this.#steps = 0;
    this.#characters = 0;
    this.#depth = 0;
  }

  /** Before doing work of `steps` units: an element made or visited, a loop's turn, a call. */
  spend(steps: number): void {
    this.#steps += steps;
    if (this.#steps > this.mostSteps) throw overspent(`${this.mostSteps.toLocaleString("en")} steps`);
  }

  /** Before making a text of that many characters, intermediate ones too. Call it before allocating. */
  characters(count: number): void {
    this.#characters += count;
    if (this.#characters > this.mostCharacters)
      throw overspent(`${this.mostCharacters.toLocaleString("en")} characters`);
  }

  /** Before making an integer of that many bits. */
  bits(count: number): void {
    if (count > 1_000_000) throw overspent("1,000,000 bits for one integer");
    if (count > 4_000) this.spend(Math.ceil(count / 64));
  }

  /** Around a macro call, a recursive loop, a nested container printed. */
  enter(): void {
    this.#depth += 1;
    if (this.#depth > this.mostDepth) {
      throw new TemplateError("RecursionError", `Calls are nested more than ${this.mostDepth} deep.`);
    }
  }

  leave(): void {
    this.#depth -= 1;
  }

  /** Does what lies one deeper. */
  within<Result>(work: () => Result): Result {
    this.enter();
    try {
      return work();
    } finally {
      this.leave();
    }
  }
}

function overspent(limit: string): TemplateError {
  return new TemplateError("Budget", `Rendering was stopped: one template may use at most ${limit}.`);
}
