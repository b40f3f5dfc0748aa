/** A whole set checked: its references, and where that was asked for its targets and its values. */
import type { CallContext } from "../../core/byte-source.ts";
import type { Checked, CheckPart } from "../../core/check.ts";
import { FindingLog } from "../../core/findings/finding-log.ts";
import type { Finding } from "../../core/findings/finding.ts";
import type { EngineSet } from "../engine-set.ts";
import type { ChunkDecoder } from "../many/chunk-decoder.ts";
import { checkReferences } from "./check-references.ts";
import { checkValues, type ValuesRequest } from "./values/check-values.ts";

export interface CheckedSet {
  readonly findings: readonly Finding[];
  readonly checked: Checked;
}

export interface CheckRequest {
  readonly decoder: ChunkDecoder;
  /** Chunks that are decoded, and their values compared; absent = none. */
  readonly deep?: Omit<ValuesRequest, "decoder">;
}

export async function checkSet(
  set: EngineSet,
  { decoder, deep }: CheckRequest,
  context: CallContext,
): Promise<CheckedSet> {
  const references = await checkReferences(set, context);
  const values = deep === undefined ? [] : [await checkValues(set, { ...deep, decoder }, context)];
  return together(set, [references, ...values]);
}

function together({ tally }: EngineSet, parts: readonly CheckPart[]): CheckedSet {
  const log = new FindingLog();
  for (const { findings } of parts) log.addAll(findings);
  const chunks = parts.findLast((part) => part.chunks !== undefined)?.chunks;
  const targets = parts.findLast((part) => part.targets !== undefined)?.targets;
  const of = tally.targetReferences.reduce((sum: number, references) => sum + Number(references > 0), 0);
  return {
    findings: log.list(),
    checked: {
      rules: parts.flatMap(({ rules }) => rules),
      chunks: chunks ?? { of: tally.present, decoded: 0, failed: 0 },
      targets: targets ?? { of, asked: 0, answered: 0 },
    },
  };
}
