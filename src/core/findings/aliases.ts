/**
 * Codes of before that say what another one says: files that accept them, and those who look them up, still find it.
 */
import type { Code } from "./finding.ts";

const ALIASES: ReadonlyMap<string, Code> = new Map([
  ["json-nan", "json-not-finite"],
  ["json-bom", "json-byte-order-mark"],
  ["json-not-utf8", "not-utf-8"],
  ["duplicate-member", "json-duplicate-key"],
  ["level-axes", "convention-must"],
]);

/** The code as it is now. */
export const currentCode = (code: string): string => ALIASES.get(code) ?? code;

/** One fact by where it is met: asked of a server, looked for among files, or with no place to look for it. */
const SAME_FACT: readonly (readonly Code[])[] = [["target-gone", "target-missing", "target-relative"]];

/** The first of the codes that say the same fact: what accepts one of them accepts all. */
export const factOf = (code: string): string =>
  SAME_FACT.find((codes) => codes.some((one) => one === code))?.[0] ?? code;
