/** A finding is facts: a code, a place, what was found. What is said of it is the catalogue's. */
import type { Code, FactsOf } from "./catalogue/index.ts";
import type { Facts, Finding } from "./fact.ts";
import type { Place } from "./place.ts";

export type { Code, FactsOf } from "./catalogue/index.ts";
export type { Finding } from "./fact.ts";

/** `count`: how often it was met; `place` is the first. */
export function finding<C extends Code>(code: C, place: Place, facts: FactsOf<C>, count = 1): Finding {
  return { code, place, facts, count };
}

/** The same at a narrower place, for what knew only that it was about the set. */
export function placed(found: Finding, place: Place): Finding {
  return found.place.kind === "set" ? { ...found, place } : found;
}

/** What callers know more about a finding than the code that made it. */
export const withFacts = (found: Finding, more: Facts): Finding => ({ ...found, facts: { ...found.facts, ...more } });

/** The facts of a finding of this code; `undefined` for any other. */
export function factsOf<C extends Code>(found: Finding | undefined, code: C): FactsOf<C> | undefined {
  return found?.code === code ? (found.facts as FactsOf<C>) : undefined;
}
