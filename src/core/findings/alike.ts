/**
 * What is said of several arrays or groups in the very same words is one cause, told once: most often one tool made them all.
 * Findings stay one each for programs.
 */
import { groupedBy } from "../grouped.ts";
import type { SaidFinding } from "./explained.ts";

/** In the order of the first of each. `likenessOf`: the same for those that are told as one; `undefined` stands alone. */
export function together<One>(
  all: readonly One[],
  likenessOf: (one: One) => string | undefined,
): readonly (readonly [One, ...One[]])[] {
  return [...groupedBy(all, (one) => likenessOf(one) ?? Symbol("alone")).values()];
}

/** What one tool did to every array it wrote; counts differ, the remedy tells the kinds apart. */
export const OF_TOOL: ReadonlySet<string> = new Set(["values-misread", "key-wrong-rank"]);

/** Of findings about nodes as a whole: where chunks are named, each array has its own. */
export function likenessOf({ found, said, failing }: SaidFinding): string | undefined {
  const { place, extent, code } = found;
  // Where several hosts do not respond, that has one cause, and hardly in the dataset.
  if (code === "host-unreachable" && place.kind === "target") return code;
  if (OF_TOOL.has(code) && failing === undefined) return JSON.stringify([code, said.severity, said.title, said.remedy]);
  if (place.kind !== "node" || extent !== undefined || failing !== undefined) return undefined;
  return JSON.stringify([code, said.severity, said.title, said.message, said.remedy]);
}

/** How many causes there are, told as one where they are alike. */
export const causeCount = (findings: readonly SaidFinding[]): number => together(findings, likenessOf).length;
