/** Tells if fsspec opens a Version 1 document at all: it makes all references before it gives any. */
import { type Finding, finding, WHOLE_SET } from "#core/findings/finding.ts";
import { FSSPEC_STEPS, type FsspecStep } from "#core/table/version1.ts";

/**
 * The first that fsspec comes upon of what it raises on, which stands for all; absent where it reads the document. What
 * Python raises, and in which step, are facts given where it was found: Refscope's own limits and gaps have none.
 */
export function refusal(findings: readonly Finding[]): Finding | undefined {
  let first: { readonly order: number; readonly cause: Finding; readonly raises: string } | undefined;
  for (const cause of findings) {
    const raises = cause.facts["raises"];
    const order = FSSPEC_STEPS.indexOf(cause.facts["step"] as FsspecStep);
    if (typeof raises !== "string" || order < 0) continue;
    if (first === undefined || order < first.order) first = { order, cause, raises };
  }
  if (first === undefined) return undefined;
  const { cause, raises } = first;
  return finding("set-refused", WHOLE_SET, { raises, cause });
}
