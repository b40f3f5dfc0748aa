/**
 * Failures of an operation, as plain tagged data. What is wrong with the user's file is a `Finding`; absence is
 * `undefined`; cancellation is an `AbortError` and is never shown as an error.
 */

import type { Finding } from "./finding.ts";

/** What an error says, field by field; every part is a full sentence or a bare value. */
export interface ErrorFields {
  /** Stable name, kebab-case: `http-status`, `range-not-honoured`, `codec-unknown`, … */
  readonly code: string;
  /** What was being done: "Reading the chunk sst/0.0.1". */
  readonly doing: string;
  /** Key, URL or path it was done to. */
  readonly where?: string;
  readonly expected?: string;
  readonly found?: string;
  /** What the user can do about it. */
  readonly advice?: string;
  /** The facts, where it was made from some. */
  readonly finding?: Finding;
}

/** The one error class that crosses layers. `cause` is kept for the console, the fields are shown. */
export class RefscopeError extends Error {
  readonly fields: ErrorFields;

  constructor(fields: ErrorFields, options?: { readonly cause?: unknown }) {
    super(errorSentence(fields), options);
    this.name = "RefscopeError";
    this.fields = fields;
  }

  /** What stopped, as facts. */
  get finding(): Finding | undefined {
    return this.fields.finding;
  }

  get code(): string {
    return this.fields.code;
  }
}

export function errorSentence(fields: ErrorFields): string {
  const bare = (text: string) => text.replace(/\.$/, "");
  const parts = [fields.where === undefined ? fields.doing : `${fields.doing} (${fields.where})`];
  if (fields.expected !== undefined) parts.push(`expected ${bare(fields.expected)}`);
  if (fields.found !== undefined) parts.push(`found ${bare(fields.found)}`);
  const sentence = `${parts.join(": ").replace(": found", ", found")}.`;
  return fields.advice === undefined ? sentence : `${sentence} ${fields.advice}`;
}

/** Any thrown value as fields; a foreign error keeps its message as what was found. */
export function toErrorFields(error: unknown, doing: string): ErrorFields {
  if (error instanceof RefscopeError) return error.fields;
  const found = error instanceof Error ? error.message : String(error);
  return { code: "unexpected", doing, found };
}

export function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === "AbortError";
}
