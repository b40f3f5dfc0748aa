/** What other readers make of a set: by rules (`core/readers/rules.ts`), or by having run them. */
import type { RuleFacts } from "../../readers/rule-facts.ts";
import { evidenceWords, readerName, ruleWords } from "../../readers/rule-words.ts";
import { readerOf, ruleOf } from "../../readers/rules.ts";
import { about } from "./entry.ts";
import { count, counted, listed, quoted } from "../../words.ts";
import type { Finding } from "../fact.ts";

export type ReaderFacts = RuleFacts;

/** By which version, and from where it is known. */
function knownFrom({ reader, rule }: ReaderFacts): string {
  const made = readerOf(reader);
  const version = made === undefined ? "" : ` of ${made.version}, ${made.date}`;
  const evidence = ruleOf(rule)?.evidence.map(evidenceWords) ?? [];
  return `A rule${version}; it was not run on this set. Evidence: ${listed(evidence)}.`;
}

const remedyOf = ({ rule }: ReaderFacts): string | undefined => ruleOf(rule)?.remedy;

/** What was read by the reader itself, beside ours. */
type Run = { readonly reader: string };

const ranIt = ({ reader }: Run): string => `${readerOf(reader)?.version ?? reader} was run on this chunk.`;

const { error, note } = about("references", { question: "readers" });
const run = about("values", { question: "readers" });

const byRule = { explain: ruleWords, remedy: remedyOf, readers: knownFrom };

export const READERS = {
  "reader-cannot-read": error<ReaderFacts>({ title: "The reader fails on it", ...byRule }),
  "reader-loses": error<ReaderFacts>({ title: "The reader silently drops references", ...byRule }),
  "reader-misreads": error<ReaderFacts>({ title: "The reader silently returns wrong values", ...byRule }),
  "reader-depends": note<ReaderFacts>({ title: "The result depends on more than the dataset", ...byRule }),
  "reader-follows": note<ReaderFacts>({ title: "Effect of a problem reported separately", ...byRule }),
  "reader-not-known": note<{ readonly reader: string; readonly format: string }>({
    title: "No rules for this reader and format",
    explain: ({ reader, format }) => `Refscope has no rules for how ${readerName(reader)} handles ${format}.`,
    remedy: "Try it.",
    readers: "Unknown.",
  }),
  "reader-values-differ": run.error<
    Run & {
      readonly differing: number;
      readonly of: number;
      readonly first: readonly number[];
      readonly ours: string;
      readonly theirs: string;
    }
  >({
    title: "The reader gives other values",
    readers: ranIt,
    explain: ({ reader, differing, of, first, ours, theirs }) =>
      `${readerName(reader)} gives other values than Python for ${count(differing)} of ${counted(of, "element")}: the first, at [${first.join(", ")}] of the chunk, is ${quoted(ours, 60)} to Python and ${quoted(theirs, 60)} to ${readerName(reader)}.`,
    remedy: "Use another reader for this array, or store it in a way that both read alike.",
  }),
  "reader-fails": run.error<Run & { readonly error: string }>({
    title: "The reader fails on a chunk",
    readers: ranIt,
    explain: ({ reader, error }) =>
      `Python reads this chunk; ${readerName(reader)} fails on it and says ${quoted(error)}.`,
    remedy: "Use another reader for this array, or store it in a way that both read.",
  }),
  "reader-makes-up": run.error<Run & { readonly first: string; readonly of: number; readonly cause: Finding }>({
    title: "The reader returns values for an unreadable chunk",
    readers: ranIt,
    explain: ({ reader, first, of }) =>
      `${readerName(reader)} reads this chunk without an error and gives ${counted(of, "element")}, the first ${quoted(first, 60)}; here, as in Python, reading it fails.`,
  }),
};
