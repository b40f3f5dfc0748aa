/** Codes of before that say what another one says: files that accept them, and those who look them up, still find it. */
import type { Code } from "./finding.ts";

const ALIASES: ReadonlyMap<string, Code> = new Map([
  ["json-nan", "json-not-finite"],
  ["json-bom", "json-byte-order-mark"],
  ["json-not-utf8", "not-utf-8"],
  ["duplicate-member", "json-duplicate-key"],
]);

/** The code as it is now. */
export const currentCode = (code: string): string => ALIASES.get(code) ?? code;
