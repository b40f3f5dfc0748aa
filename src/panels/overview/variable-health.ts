/** What is known of a variable's chunks, in one line with a sign. */
import type { NodeSummary } from "../../core/open-set.ts";
import { countOf, formatCount } from "../../widgets/number-format.ts";

export type HealthSign = "ok" | "partly" | "bad" | "unknown";

export interface VariableHealth {
  readonly sign: HealthSign;
  /** "4 of 54 failed" */
  readonly text: string;
  /** What else there is to say: "20 missing". */
  readonly more: string | undefined;
}

interface Outcomes {
  /** References that cannot be read. */
  readonly bad: number;
  readonly ok: number;
  readonly failed: number;
}

/** The worst first: failed chunks, missing ones, what is not known, what was read. */
export function variableHealth(
  { cells = 0, present = 0, unknown = 0 }: Pick<NodeSummary, "cells" | "present" | "unknown">,
  { bad, ok, failed }: Outcomes,
): VariableHealth {
  const all = formatCount(cells);
  const missing = Math.max(0, cells - present - unknown - bad);
  const missingText = missing > 0 ? `${formatCount(missing)} missing` : undefined;
  if (failed > 0) return { sign: "bad", text: `${formatCount(failed)} of ${all} failed`, more: missingText };
  if (bad > 0) return { sign: "bad", text: countOf(bad, "bad reference"), more: missingText };
  if (unknown > 0) {
    const known = `${formatCount(cells - unknown)} of ${all} known`;
    return { sign: "unknown", text: known, more: missingText };
  }
  if (missing > 0) return { sign: "partly", text: `${formatCount(present)} of ${all} there`, more: missingText };
  if (ok >= cells && cells > 0) return { sign: "ok", text: `${all} of ${all} read`, more: undefined };
  const chunks = cells === 1 ? "1 chunk" : `${all} chunks`;
  return { sign: "unknown", text: ok > 0 ? `${formatCount(ok)} of ${all} read` : chunks, more: undefined };
}
