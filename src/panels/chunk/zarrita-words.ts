/** What came of reading a chunk by zarrita too, in words. */
import type { NotRun, ReaderComparison } from "../../core/readers/comparison.ts";
import { countOf, formatCount } from "../../widgets/number-format.ts";

/** What it amounts to, in a few words. */
export function comparisonTitle(found: ReaderComparison): string {
  switch (found.kind) {
    case "same":
      return found.of === 1 ? "The same value" : `The same ${countOf(found.of, "value")}`;
    case "differs":
      return `${formatCount(found.count)} of ${countOf(found.of, "value")} ${found.count === 1 ? "differs" : "differ"}`;
    case "error":
      return found.ours === undefined ? "zarrita fails, Python does not" : "zarrita fails, too";
    case "made-up":
      return "zarrita gives values where there are none";
    case "not-run":
      return "Not compared";
  }
}

export type ComparisonTone = "ok" | "bad" | "quiet";

export function comparisonTone(found: ReaderComparison): ComparisonTone {
  if (found.kind === "same") return "ok";
  return found.kind === "not-run" || (found.kind === "error" && found.ours !== undefined) ? "quiet" : "bad";
}

/** Why zarrita cannot be asked: a sentence. */
export function notRunWords(why: NotRun): string {
  switch (why) {
    case "format":
      return "zarrita cannot be asked: it has stores for Kerchunk JSON and for Zarr, and none for this format.";
    case "shards":
      return "zarrita cannot be asked: references to inner chunks of shards cannot be handed to it.";
    case "too-large":
      return "zarrita was not asked: decoded, this chunk is larger than the 256 MiB up to which chunks are compared.";
    case "timeout":
      return "zarrita was stopped: it did not answer within 30 s.";
    case "no-values":
      return "There is nothing to compare: the chunk is missing, and its fill value is not defined.";
    case "ended":
      return "The worker in which zarrita runs died, or could not be started.";
  }
}

/** `[0, 3]`; of an array without dimensions its one element. */
export const elementWords = (at: readonly number[]): string =>
  at.length === 0 ? "its one element" : `element [${at.join(", ")}]`;
