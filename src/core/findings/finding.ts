/** A finding is facts: a code, a place, what was found. What is said of it is the catalogue's. */
import type { Code, FactsOf } from "./catalogue/index.ts";
import { type Facts, type Finding, type Place, placeText, WHOLE_SET } from "./fact.ts";
import { groupedBy } from "../basics.ts";
import type { SaidFinding } from "./explained.ts";

export type { Code, FactsOf } from "./catalogue/index.ts";
export * from "./fact.ts";

/** `count`: how often it was met; `place` is the first. */
export function finding<C extends Code>(code: C, place: Place, facts: FactsOf<C>, count = 1): Finding {
  return { code, place, facts, count };
}

/** The same at a narrower place, for what knew only that it was about the set. */
export function placed(found: Finding, place: Place): Finding {
  return found.place.kind === "set" ? { ...found, place } : found;
}

/** Adds facts that callers know beyond the code that made the finding. */
export const withFacts = (found: Finding, more: Facts): Finding => ({ ...found, facts: { ...found.facts, ...more } });

/** The facts of a finding of this code; `undefined` for any other. */
export function factsOf<C extends Code>(found: Finding | undefined, code: C): FactsOf<C> | undefined {
  return found?.code === code ? (found.facts as FactsOf<C>) : undefined;
}

// An error is a finding that stopped something.

/** To be thrown. `place`: where, as narrowly as the thrower knows; callers who know more use `failedAt`. */
export function failure<C extends Code>(
  code: C,
  place: Place,
  facts: FactsOf<C>,
  options?: { readonly cause?: unknown },
): RefscopeError {
  return new RefscopeError(finding(code, place, facts), options);
}

/** The same error at a narrower place, where its thrower knew none. */
export function failedAt(error: RefscopeError, place: Place): RefscopeError {
  return new RefscopeError(placed(error.finding, place), { cause: error });
}

/** Any thrown value as a finding; a foreign error keeps its message. `doing`: "Reading the chunk sst 0.0.1". */
export function findingOfError(error: unknown, doing = "Reading"): Finding {
  if (error instanceof RefscopeError) return error.finding;
  return finding("unexpected", WHOLE_SET, { doing, message: error instanceof Error ? error.message : String(error) });
}

/** Metadata that are not read are why there is no array. */
export const leavesArraysUnread = ({ code }: Pick<Finding, "code">): boolean =>
  code === "metadata-broken" || code === "zarr-v3-draft";

/** The finding is about what an expectations file asks for. */
export const isOfExpectation = ({ code }: Pick<Finding, "code">): boolean => code.startsWith("expected-");

/** The finding is about the spelling of a JSON text. */
export const isOfSpelling = ({ code }: Pick<Finding, "code">): boolean => code.startsWith("json-");

/** The facts of an error of this code; `undefined` for any other. */
export function factsOfFailure<C extends Code>(error: unknown, code: C): FactsOf<C> | undefined {
  return error instanceof RefscopeError ? factsOf(error.finding, code) : undefined;
}

// Failures of an operation, as plain data. What is wrong with the user's file is a `Finding`; absence is `undefined`;
// cancellation is an `AbortError` and is never shown as an error.

/**
 * The one error class that crosses layers. `cause` is kept for the console; what is shown of the finding is the
 * catalogue's.
 */
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

/** For `catch`: what `instead` makes of an error that is a finding; others are thrown on. */
export function ofFinding<I>(instead: (error: RefscopeError) => I): (error: unknown) => I {
  return (error) => {
    if (error instanceof RefscopeError) return instead(error);
    throw error;
  };
}

/** The result of `work`, or what `instead` makes of an error that is a finding; others are thrown on. */
export function unlessFinding<T, I = undefined>(work: () => T, instead?: (error: RefscopeError) => I): T | I {
  try {
    return work();
  } catch (error) {
    if (error instanceof RefscopeError) return instead?.(error) as I;
    throw error;
  }
}

/** For consoles and logs. */
function consoleText({ code, place, facts }: Finding): string {
  const written = JSON.stringify(facts, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value));
  return `${code} (${placeText(place)}): ${written.slice(0, 500)}`;
}

export const isAbort = (error: unknown): boolean => error instanceof Error && error.name === "AbortError";

// Joins findings about several arrays or groups with the very same words into one cause: most often one tool made them
// all. Programs still get one finding each.

/** Groups in the order of the first of each. `likenessOf`: equal for findings to join; `undefined` stands alone. */
export function together<One>(
  all: readonly One[],
  likenessOf: (one: One) => string | undefined,
): readonly (readonly [One, ...One[]])[] {
  return [...groupedBy(all, (one) => likenessOf(one) ?? Symbol("alone")).values()];
}

/** Codes of mistakes that one tool makes in every array it writes; counts differ, the remedy tells the kinds apart. */
export const OF_TOOL: ReadonlySet<string> = new Set(["values-misread", "key-wrong-rank"]);

/** Likeness of findings about whole nodes: if they name chunks, each array keeps its own. */
export function likenessOf({ found, said, failing }: SaidFinding): string | undefined {
  const { place, extent, code } = found;
  // Several silent hosts have one cause, and it is hardly in the dataset.
  if (code === "host-unreachable" && place.kind === "target") return code;
  if (OF_TOOL.has(code) && failing === undefined) return JSON.stringify([code, said.severity, said.title, said.remedy]);
  if (place.kind !== "node" || extent !== undefined || failing !== undefined) return undefined;
  return JSON.stringify([code, said.severity, said.title, said.message, said.remedy]);
}

/** How many causes there are, told as one where they are alike. */
export const causeCount = (findings: readonly SaidFinding[]): number => together(findings, likenessOf).length;
