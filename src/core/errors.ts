/**
 * Failures of an operation, as plain data. What is wrong with the user's file is a `Finding`; absence is `undefined`;
 * cancellation is an `AbortError` and is never shown as an error.
 */
import type { Finding } from "./findings/fact.ts";
import { placeText } from "./findings/place.ts";

/** The one error class that crosses layers. `cause` is kept for the console; what is shown of the finding is the catalogue's. */
export class RefscopeError extends Error {
  readonly finding: Finding;

  constructor(finding: Finding, options?: { readonly cause?: unknown }) {
    super(consoleText(finding), options);
    this.name = "RefscopeError";
    this.finding = finding;
  }

  get code(): string {
    return this.finding.code;
  }
}

/** For consoles and logs. */
function consoleText({ code, place, facts }: Finding): string {
  const written = JSON.stringify(facts, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value));
  return `${code} (${placeText(place)}): ${written.slice(0, 500)}`;
}

export const isAbort = (error: unknown): boolean => error instanceof Error && error.name === "AbortError";
