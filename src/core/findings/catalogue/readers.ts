/** What other readers make of a set: by rules (`core/readers/rules.ts`), or by having run them. */
import { readerOf, ruleOf, type Evidence, type ReaderRule } from "../../readers/rules.ts";
import { chunkAt, nodeAt, WHOLE_SET } from "../place.ts";
import { entry } from "./entry.ts";
import { count, counted, listed, quoted } from "./phrases.ts";
import type { Finding } from "../fact.ts";

/** `reader` and `rule` by their ids. Of `unit`, `concerned` of `of` are concerned. */
export type ReaderFacts = {
  readonly reader: string;
  readonly rule: string;
  readonly concerned: number;
  readonly of: number;
  readonly unit: string;
  readonly first: string | undefined;
  readonly arrays: readonly string[];
  /** What the reader says itself. */
  readonly error: string | undefined;
};

const MAX_ARRAYS = 5;

const nameOf = (id: string): string => readerOf(id)?.name ?? id;

function explainRule(facts: ReaderFacts): string {
  const rule = ruleOf(facts.rule);
  const does = rule?.does ?? "differs in a way that this version has no words for.";
  const when = rule?.when === undefined ? "" : ` It matters ${rule.when}.`;
  return [`${nameOf(facts.reader)} ${does}${when}`, extentOf(facts)].filter((part) => part !== "").join(" ");
}

function extentOf({ concerned, of, unit, first, arrays, error }: ReaderFacts): string {
  if (unit === "set") return error === undefined ? "" : `It says: ${quoted(error)}.`;
  const names = arrays.slice(0, MAX_ARRAYS).map((path) => path || "/");
  const more = arrays.length > names.length ? counted(arrays.length - names.length, "more array") : undefined;
  const where = names.length === 0 ? "" : ` of ${listed(more === undefined ? names : [...names, more])}`;
  const example = names.length > 0 || first === undefined ? "" : `, the first ${quoted(first)}`;
  const share = of > concerned ? `${count(concerned)} of ${counted(of, unit)}` : counted(concerned, unit);
  return `This concerns ${share}${where}${example}.`;
}

/** By which version, and from where it is known. */
function knownFrom({ reader, rule }: ReaderFacts): string {
  const made = readerOf(reader);
  const version = made === undefined ? "" : ` of ${made.version}, ${made.date}`;
  const evidence = ruleOf(rule)?.evidence.map(evidenceText) ?? [];
  return `A rule${version}; it was not run on this set. Evidence: ${listed(evidence)}.`;
}

function evidenceText(evidence: Evidence): string {
  switch (evidence.kind) {
    case "test":
      return `a test that runs it (${evidence.file})`;
    case "measured":
      return `measured (${evidence.what})`;
    case "source":
      return `its source (${evidence.what})`;
    case "issue":
      return evidence.name;
    case "documentation":
      return evidence.url;
  }
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
  explain: explainRule,
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
    title: "The reader loses references and says nothing",
    severity: "error",
    example: exampleOf("gen-dropped", "fsspec", {}),
  }),
  "reader-misreads": entry<ReaderFacts>({
    ...BY_RULE,
    title: "The reader gives wrong values and says nothing",
    severity: "error",
    example: exampleOf("zarrita-shuffle", "zarrita", { unit: "chunk", arrays: ["sst", "ice"] }),
  }),
  "reader-depends": entry<ReaderFacts>({
    ...BY_RULE,
    title: "What the reader gives depends on more than the set",
    severity: "info",
    example: exampleOf("zarrita-crc32c", "zarrita", { unit: "chunk", arrays: ["sst"] }),
  }),
  "reader-not-known": entry<{ readonly reader: string; readonly format: string }>({
    title: "Nothing is known of this reader and such a set",
    severity: "info",
    explain: ({ reader, format }) => `No fact is known of what ${nameOf(reader)} makes of ${format}.`,
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
      `${nameOf(reader)} gives other values than Python for ${count(differing)} of ${counted(of, "element")}: the first, at [${first.join(", ")}] of the chunk, is ${quoted(ours, 60)} to Python and ${quoted(theirs, 60)} to ${nameOf(reader)}.`,
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
    explain: ({ reader, error }) => `Python reads this chunk; ${nameOf(reader)} fails on it and says ${quoted(error)}.`,
    remedy: "Use another reader for this array, or store it in a way that both read.",
    example: {
      place: chunkAt("sst", [0, 0]),
      facts: { reader: "zarrita", error: "Error: Unknown codec: fletcher32" },
    },
  }),
  "reader-makes-up": entry<Run & { readonly first: string; readonly of: number; readonly cause: Finding }>({
    ...RUN,
    title: "The reader gives values where there are none",
    severity: "error",
    explain: ({ reader, first, of }) =>
      `${nameOf(reader)} reads this chunk without an error and gives ${counted(of, "element")}, the first ${quoted(first, 60)}; here, as in Python, reading it fails.`,
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
