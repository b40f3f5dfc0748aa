/** Runs the rules over decoded chunks: those that are certain first, each leaving out what is explained already. */
import type { Finding } from "../../../core/findings/finding.ts";
import { FindingLog } from "../../../core/findings/finding-log.ts";
import type { RuleCoverage } from "../../../core/open-set.ts";
import { boundarySteps } from "./rules/boundary-steps.ts";
import { coordinates } from "./rules/coordinates.ts";
import { emptyChunks } from "./rules/empty-chunks.ts";
import { fillValues } from "./rules/fill-values.ts";
import { misread } from "./rules/misread.ts";
import { otherOrder } from "./rules/other-order.ts";
import { otherType } from "./rules/other-type.ts";
import { shardIndexes } from "./rules/shard-indexes.ts";
import { shiftedRows } from "./rules/shifted-rows.ts";
import { swappedFiles } from "./rules/swapped-files.ts";
import { textForData } from "./rules/text-for-data.ts";
import { turnedRows } from "./rules/turned-rows.ts";
import { unlikeOthers } from "./rules/unlike-others.ts";
import { validRange } from "./rules/valid-range.ts";
import { wildValues } from "./rules/wild-values.ts";
import { CHUNK_DECODED } from "./value-facts.ts";
import type { Claims, ValueRule, ValuesView } from "./value-rule.ts";

export const VALUE_RULES: readonly ValueRule[] = [
  shardIndexes,
  textForData,
  misread,
  otherType,
  otherOrder,
  shiftedRows,
  coordinates,
  emptyChunks,
  fillValues,
  wildValues,
  turnedRows,
  swappedFiles,
  boundarySteps,
  unlikeOthers,
  validRange,
];

export interface Compared {
  readonly findings: readonly Finding[];
  readonly rules: readonly RuleCoverage[];
}

export async function compareValues(
  view: ValuesView,
  claims: Claims,
  rules: readonly ValueRule[] = VALUE_RULES,
): Promise<Compared> {
  const log = new FindingLog();
  const chunks = view.facts.reduce((sum, { states }) => sum + states.length, 0);
  const decoded = view.facts.reduce((sum, { states }) => sum + states.filter((one) => one === CHUNK_DECODED).length, 0);
  for (const rule of rules) {
    view.context.signal.throwIfAborted();
    await rule.run(view, claims, (found) => log.add(found));
  }
  const coverage = rules.map(
    ({ id }) => ({ rule: id, unit: "chunks", of: chunks, lookedAt: decoded, sampled: 0 }) as const,
  );
  return { findings: log.list(), rules: coverage };
}
