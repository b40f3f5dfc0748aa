/** Errors that fsspec raises while it makes references of a document: Python's exception class and its message. */
import { type FactsOf, type Finding, RefscopeError } from "#core/findings/finding.ts";
import { TemplateError } from "@refscope/jinja";

export interface Raised {
  /**
   * Python's exception class. `Unsupported`: legal there and not built here. `Budget`: Python would go on, for longer
   * or larger than Refscope lets it.
   */
  readonly python: string;
  /** A quotation: Python's own words, as Python writes them. Ours only of Refscope's own limits. */
  readonly message: string;
}

/** An error in the document outside its templates' language. The message is Python's own, quoted (`Raised`). */
export class FsspecError extends Error {
  readonly python: string;

  constructor(python: string, message: string) {
    super(message);
    this.name = "FsspecError";
    this.python = python;
  }
}

/** The same for whatever was thrown while rendering; errors that are not of the document are thrown on. */
export function raisedBy(error: unknown): Raised {
  if (error instanceof TemplateError || error instanceof FsspecError) {
    return { python: error.python, message: error.message };
  }
  if (error instanceof RefscopeError) {
    const python = error.code === "json-too-deep" ? "RecursionError" : "JSONDecodeError";
    return { python, message: jsonFault(error.finding) };
  }
  // The engine's own limits: its stack, and the longest string.
  if (error instanceof RangeError && /call stack/i.test(error.message)) {
    return { python: "RecursionError", message: "Rendering is nested too deep." };
  }
  if (error instanceof RangeError)
    return { python: "Budget", message: "Rendering was stopped: a text or table grew too large." };
  throw error;
}

/** End of a message of Python's JSON module. */
function jsonFault({ facts }: Finding): string {
  const { line = 1, column = 1, expected } = facts as Partial<FactsOf<"json-invalid">>;
  const where = `line ${line} column ${column}`;
  return expected === undefined ? where : `Expecting ${expected}: ${where}`;
}

/** "ZeroDivisionError: division by zero", as Python's last line of a traceback. */
export const raisedText = ({ python, message }: Raised): string => `${python}: ${message}`;
