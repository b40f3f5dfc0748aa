/** What other readers make of a set: by rules (`core/readers/rules.ts`), or by having run them. */
import type { RuleFacts } from "../../readers/rule-facts.ts";
import { evidenceWords, readerName, ruleWords } from "../../readers/rule-words.ts";
import { readerOf, ruleOf, type ReaderRule } from "../../readers/rules.ts";
import { chunkAt, nodeAt, WHOLE_SET } from "../place.ts";
import { entry } from "./entry.ts";
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

const exampleOf = (rule: ReaderRule["id"], reader: string, more: Partial<ReaderFacts>) => ({
  place: WHOLE_SET,
  facts: {
    reader,
    rule,
    concerned: 5,
    of: 120,
    unit: "reference",
    first: undefined,
    arrays: [],
    error: undefined,
    ...more,
  },
});

const BY_RULE = {
  explain: ruleWords,
  remedy: remedyOf,
  readers: knownFrom,
  about: "references",
  question: "readers",
} as const;

/** What was read by the reader itself, beside ours. */
type Run = { readonly reader: string };

const ranIt = ({ reader }: Run): string => `${readerOf(reader)?.version ?? reader} was run on this chunk.`;

const RUN = { readers: ranIt, about: "values", question: "readers" } as const;

export const READERS = {
  "reader-cannot-read": entry<ReaderFacts>({
    ...BY_RULE,
    title: "The reader fails on it",
    severity: "error",
    example: exampleOf("zarrita-whole-file", "zarrita", { first: "https://data.example/a.tif" }),
  }),
  "reader-loses": entry<ReaderFacts>({
    ...BY_RULE,
    title: "The reader silently drops references",
    severity: "error",
    example: exampleOf("gen-dropped", "fsspec", {}),
  }),
  "reader-misreads": entry<ReaderFacts>({
    ...BY_RULE,
    title: "The reader silently returns wrong values",
    severity: "error",
    example: exampleOf("zarrita-shuffle", "zarrita", { unit: "chunk", arrays: ["sst", "ice"] }),
  }),
  "reader-depends": entry<ReaderFacts>({
    ...BY_RULE,
    title: "The result depends on more than the dataset",
    severity: "info",
    example: exampleOf("zarrita-crc32c", "zarrita", { unit: "chunk", arrays: ["sst"] }),
  }),
  "reader-follows": entry<ReaderFacts>({
    ...BY_RULE,
    title: "Effect of a problem reported separately",
    severity: "info",
    example: exampleOf("zarrita-not-found", "zarrita", { unit: "chunk", arrays: ["sst"] }),
  }),
  "reader-not-known": entry<{ readonly reader: string; readonly format: string }>({
    title: "No rules for this reader and format",
    severity: "info",
    explain: ({ reader, format }) => `Refscope has no rules for how ${readerName(reader)} handles ${format}.`,
    remedy: "Try it.",
    readers: "Unknown.",
    about: "references",
    question: "readers",
    example: { place: WHOLE_SET, facts: { reader: "titiler", format: "an Icechunk repository" } },
  }),
  "reader-values-differ": entry<
    Run & {
      readonly differing: number;
      readonly of: number;
      readonly first: readonly number[];
      readonly ours: string;
      readonly theirs: string;
    }
  >({
    ...RUN,
    title: "The reader gives other values",
    severity: "error",
    explain: ({ reader, differing, of, first, ours, theirs }) =>
      `${readerName(reader)} gives other values than Python for ${count(differing)} of ${counted(of, "element")}: the first, at [${first.join(", ")}] of the chunk, is ${quoted(ours, 60)} to Python and ${quoted(theirs, 60)} to ${readerName(reader)}.`,
    remedy: "Use another reader for this array, or store it in a way that both read alike.",
    example: {
      place: chunkAt("sst", [0, 0]),
      facts: { reader: "zarrita", differing: 12, of: 48, first: [0, 3], ours: "271", theirs: "0" },
    },
  }),
  "reader-fails": entry<Run & { readonly error: string }>({
    ...RUN,
    title: "The reader fails on a chunk",
    severity: "error",
    explain: ({ reader, error }) =>
      `Python reads this chunk; ${readerName(reader)} fails on it and says ${quoted(error)}.`,
    remedy: "Use another reader for this array, or store it in a way that both read.",
    example: {
      place: chunkAt("sst", [0, 0]),
      facts: { reader: "zarrita", error: "Error: Unknown codec: fletcher32" },
    },
  }),
  "reader-makes-up": entry<Run & { readonly first: string; readonly of: number; readonly cause: Finding }>({
    ...RUN,
    title: "The reader returns values for an unreadable chunk",
    severity: "error",
    explain: ({ reader, first, of }) =>
      `${readerName(reader)} reads this chunk without an error and gives ${counted(of, "element")}, the first ${quoted(first, 60)}; here, as in Python, reading it fails.`,
    example: {
      place: chunkAt("sst", [0, 0]),
      facts: {
        reader: "zarrita",
        first: "0",
        of: 48,
        cause: { code: "icechunk-no-checksum", place: nodeAt("sst"), facts: {}, count: 1 },
      },
    },
  }),
};
