/** Findings about other readers: by rules (`core/readers/rules.ts`), or from running them. */
import type { RuleFacts } from "#core/readers/verdict.ts";
import { evidenceWords, readerName, ruleWords } from "#core/readers/rule-words.ts";
import { readerOf, ruleOf } from "#core/readers/rules.ts";
import { about } from "./entry.ts";
import { count, counted, listed, quoted } from "#core/words.ts";
import type { Finding } from "../fact.ts";

/** Version and source of a fact about a reader. */
function knownFrom({ reader, rule }: RuleFacts): string {
  const made = readerOf(reader);
  const version = made === undefined ? "" : ` of ${made.version}, ${made.date}`;
  const evidence = ruleOf(rule)?.evidence.map(evidenceWords) ?? [];
  return `By a rule${version}; the reader was not run on this dataset. Evidence: ${listed(evidence)}.`;
}

const remedyOf = ({ rule }: RuleFacts): string | undefined => ruleOf(rule)?.remedy;

/** Name of a reader that was run. */
type Run = { readonly reader: string };

const ranIt = ({ reader }: Run): string => `${readerOf(reader)?.version ?? reader} was run on this chunk.`;

const { error, note } = about("references", { question: "readers" });
const run = about("values", { question: "readers" });

const byRule = { explain: ruleWords, remedy: remedyOf, readers: knownFrom };

export const READERS = {
  "reader-cannot-read": error<RuleFacts>("Reader fails", { ...byRule }),
  "reader-loses": error<RuleFacts>("Reader silently drops references", { ...byRule }),
  "reader-misreads": error<RuleFacts>("Reader silently returns wrong values", { ...byRule }),
  "reader-depends": note<RuleFacts>("Result depends on more than the dataset", { ...byRule }),
  "reader-follows": note<RuleFacts>("Effect of a problem reported separately", { ...byRule }),
  "reader-not-known": note<{ reader: string; format: string; isUnseen?: true }>("No verdict on this reader", {
    explain: ({ reader, format, isUnseen }) =>
      isUnseen === true
        ? `Refscope saw no array of the dataset, so it does not know what ${readerName(reader)} makes of it.`
        : `Refscope has no rules for how ${readerName(reader)} handles ${format}.`,
    remedy: "Try it.",
    readers: "Unknown.",
  }),
  "reader-values-differ": run.error<
    Run & {
      differing: number;
      of: number;
      first: readonly number[];
      ours: string;
      theirs: string;
    }
  >("Reader returns different values", {
    readers: ranIt,
    explain: ({ reader, differing, of, first, ours, theirs }) =>
      `${readerName(reader)} and Python return different values for ${count(differing)} of ${counted(of, "element")}. At [${first.join(", ")}] of the chunk Python returns ${quoted(ours, 60)}, ${readerName(reader)} ${quoted(theirs, 60)}.`,
    remedy: "Use another reader for this array, or store it so that both return the same values.",
  }),
  "reader-fails": run.error<Run & { error: string }>("Reader fails on a chunk", {
    readers: ranIt,
    explain: ({ reader, error }) => `Python reads this chunk; ${readerName(reader)} fails on it: ${quoted(error)}.`,
    remedy: "Use another reader for this array, or store it so that both can read it.",
  }),
  "reader-makes-up": run.error<Run & { first: string; of: number; cause: Finding }>(
    "Reader returns values for an unreadable chunk",
    {
      readers: ranIt,
      explain: ({ reader, first, of }) =>
        `${readerName(reader)} reads this chunk without an error and returns ${counted(of, "element")}, the first ${quoted(first, 60)}. Refscope and Python fail to read it.`,
    },
  ),
};
