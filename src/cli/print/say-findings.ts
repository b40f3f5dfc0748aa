/** Findings on stderr, a line each, for commands that seldom have any: only then is the catalogue loaded. */
import type { Finding } from "#core/findings/finding.ts";
import { printable } from "./lines.ts";

/** Prints each after `before`; gives whether none of them is wrong or misleading. */
export async function sayFindings(findings: readonly Finding[], before = ""): Promise<boolean> {
  if (findings.length === 0) return true;
  const { areNotes, findingLine } = await import("./finding-lines.ts");
  for (const found of findings) console.error(printable(before + findingLine(found)));
  return areNotes(findings);
}

/** Sentence of an error, in one line. */
export async function sentenceOf(error: Finding): Promise<string> {
  const { explained } = await import("./explained.ts");
  const { explainedText } = await import("#core/findings/explained.ts");
  return explainedText(error, explained);
}
