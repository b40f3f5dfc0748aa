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
