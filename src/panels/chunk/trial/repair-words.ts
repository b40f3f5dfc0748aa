/** Words for the trial of a repair on a sample of chunks. */
import { byKind } from "#core/by-kind.ts";
import type { Explain } from "#core/findings/explained.ts";
import type { ChunkVerdict, ReadAgain, ReadOutcome, RepairCheck } from "#core/repair-offer.ts";
import { countOf, formatCount } from "#widgets/number-format.ts";

const WORDS: readonly (readonly [ChunkVerdict, string])[] = [
  ["better", "better"],
  ["worse", "worse"],
  ["undecided", "with different values, undecided"],
  ["same", "the same"],
  ["failing", "still failing"],
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
  const tried = `Tested on ${formatCount(chunks.length)} of ${countOf(of, "chunk")}`;
  if (stopped === undefined) return tried;
  return `${tried}, up to the limit of ${stopped === "bytes" ? "64 MiB" : "20 seconds"} was reached`;
}

export function againWords({ read, wrong }: ReadAgain): string {
  if (wrong.length === 0)
    return `Read again: ${read === 1 ? "the chunk decodes" : `all ${formatCount(read)} chunks of the sample give the values that were tried`}.`;
  return `Read again: ${formatCount(wrong.length)} of ${countOf(read, "chunk")} do not read as expected.`;
}

/** Why a repair is not offered for the whole array. */
export function refusedWords({ chunks, refused }: RepairCheck): string {
  const count = (verdict: ChunkVerdict) => chunks.filter((one) => one.verdict === verdict).length;
  const better = formatCount(count("better"));
  if (refused === "worse") return `Not offered for the array: ${better} better, ${formatCount(count("worse"))} worse.`;
  if (refused === "none-better") return "Not offered for the array: no chunk of the sample reads better this way.";
  return `Not offered for the array: ${better} better, and ${formatCount(count("undecided"))} with different values that may be wrong. If you know they are right, make the change in Edit.`;
}

/** "reads, 271.2 to 303.9"; or what stopped it. */
export function outcomeWords(outcome: ReadOutcome, explain: Explain | undefined): string {
  return byKind(outcome, {
    failed: ({ error }) => `fails: ${explain?.(error).message.replace(/\.$/, "") ?? error.code}`,
    missing: "has no reference",
    "no-values": "gives no values",
    reads: ({ range }) => (range === undefined ? "reads" : `reads, ${range.join(" to ")}`),
  });
}

/** The same of a chunk that was read again and is not as foreseen. */
export function wrongWords(outcome: ReadOutcome, explain: Explain | undefined): string {
  const words = outcomeWords(outcome, explain);
  return outcome.kind === "reads" ? `${words}: different values from when it was tested` : words;
}
