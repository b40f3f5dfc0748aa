/** Findings of severity error: what fsspec raises on, where and with which values. */
import { cut } from "#core/words.ts";
import { type FactsOf, finding, type Finding, keyAt, targetAt, WHOLE_SET } from "#core/findings/finding.ts";
import type { GenOrigin } from "#core/table/version1.ts";
import { raisedBy, type Raised } from "./raised.ts";

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
