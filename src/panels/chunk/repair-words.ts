/** What trying a repair on a sample of chunks gave, in words. */
import type { ChunkVerdict, ReadAgain, RepairCheck } from "../../core/lab.ts";
import { countOf, formatCount } from "../../widgets/number-format.ts";

const WORDS: readonly (readonly [ChunkVerdict, string])[] = [
  ["better", "better"],
  ["worse", "worse"],
  ["undecided", "with other values, undecided"],
  ["same", "the same"],
  ["failing", "failing as before"],
  ["unread", "not read"],
];

/** "1 better, 53 worse". */
export function verdictWords({ chunks }: RepairCheck): string {
  return WORDS.flatMap(([verdict, words]) => {
    const count = chunks.filter((one) => one.verdict === verdict).length;
    return count === 0 ? [] : [`${formatCount(count)} ${words}`];
  }).join(", ");
}

/** "Tried on 54 of 54 chunks"; why on no more where it was ended. */
export function sampleWords({ chunks, of, stopped }: RepairCheck): string {
  const tried = `Tried on ${formatCount(chunks.length)} of ${countOf(of, "chunk")}`;
  if (stopped === undefined) return tried;
  return `${tried}, then the limit of ${stopped === "bytes" ? "64 MiB" : "20 seconds"} was reached`;
}

export function againWords({ read, wrong }: ReadAgain): string {
  if (wrong.length === 0)
    return `Read again: ${read === 1 ? "the chunk decodes" : `all ${formatCount(read)} chunks of the sample give the values that were tried`}.`;
  return `Read again: ${formatCount(wrong.length)} of ${countOf(read, "chunk")} do not read as they should.`;
}
