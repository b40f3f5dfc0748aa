/** Findings of severity error: what fsspec raises on, where and with which values. */
import { cut } from "#core/words.ts";
import { finding, keyAt, targetAt, WHOLE_SET, RefscopeError } from "#core/findings/finding.ts";
import type { FactsOf, Finding } from "#core/findings/finding.ts";
import type { GenOrigin } from "#core/table/version1.ts";
import { TemplateError } from "@refscope/jinja";

const MAX_SHOWN = 200;

/** Python's exception as facts; none where Python would go on and Refscope does not. */
export const raisedFacts = (thrown: unknown): FactsOf<"url-fails"> => factsOf(raisedBy(thrown));

export function factsOf({ python, message: error }: Raised): FactsOf<"url-fails"> {
  if (python === "Budget") return { raises: undefined, limit: "budget", error };
  if (python === "Unsupported") return { raises: undefined, limit: "unsupported", error };
  return { raises: python, limit: undefined, error };
}

export function templateFails(error: unknown, name: string | undefined): Finding {
  const facts = { member: "templates", name: name && cut(name, MAX_SHOWN) } as const;
  return finding("template-fails", WHOLE_SET, { ...facts, ...raisedFacts(error), step: "templates" });
}

export function urlFails(error: unknown, written: string): Finding {
  return finding("url-fails", targetAt(written), { ...raisedFacts(error), step: "urls" });
}

export function gensFail(error: unknown): Finding {
  return finding("gen-fails", WHOLE_SET, { ...raisedFacts(error), variables: [], member: "gen", step: "gen" });
}

export function genFails(error: unknown, { gen: index, variables: all }: GenOrigin): Finding {
  const variables = all.map(({ name, value }) => ({ name, value: cut(value, MAX_SHOWN) }));
  return finding("gen-fails", { kind: "gen", index }, { ...raisedFacts(error), variables, step: "gen" });
}

/** A reference of `refs` that fsspec raises on. */
export function referenceFails(error: unknown, key: string, written: string | undefined): Finding {
  return finding("reference-fails", keyAt(key), { ...raisedFacts(error), url: written && cut(written, MAX_SHOWN) });
}

export const genTooLarge = (references: bigint, limit: number): Finding =>
  finding("gen-too-large", WHOLE_SET, { member: "gen", references, limit });

export const genTooMuchText = (made: number, limit: number): Finding =>
  finding("gen-too-much-text", WHOLE_SET, { member: "gen", made, limit });

/** Errors that fsspec raises while it makes references of a document: Python's exception class and its message. */
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
