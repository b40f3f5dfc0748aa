/** Keys and values of references, before any source is read, and from the reference of a chunk to its bytes. */
import { about, type Refusing } from "./entry.ts";
import type { Finding } from "../fact.ts";
import { count, counted, quoted } from "#core/words.ts";

const FAILS_WHEN_READ = "fsspec keeps the reference, and fails when it reads the chunk.";
const OURS = "This is Refscope's own limit: fsspec reads as much as fits in memory.";
const NEVER_ASKED = "zarr-python never requests such a key, so the reference has no effect.";
const CORRECT_KEY = "Correct the key or the metadata. No reader of the array uses this reference now.";
const CORRECT_VALUE = "Correct the reference, or rewrite the dataset with the tool that made it.";

/** `written`: the number as written in the document. */
type Size = { readonly written: string };

const { error, warning, note, graded } = about("references");
const ours = about("references", { readers: OURS });
const unusable = about("references", { readers: FAILS_WHEN_READ });

/** Entry for a wrong offset, length or end. */
const size = (title: string, what: string, expected: string, more = "") =>
  unusable.error<Size>(title, {
    explain: ({ written }) => `Expected the ${what} to be ${expected}; found ${written}.${more}`,
    remedy: CORRECT_VALUE,
  });

const NO_FLOAT = " Python's reader fails on a floating-point number.";
const NOTHING_ELSE = " Python's reader fails on anything else.";
const NO_FILE = " No file is that large.";

/** `grid`: the array's, where it is known. */
type StrayFacts = { readonly grid?: readonly number[] | undefined };

const gridText = (grid: readonly number[]): string =>
  grid.length === 0 ? "no dimensions" : `${grid.join(" × ")} chunks`;

/** A key that fits no chunk of an array. */
const stray = (title: string, explain: string) =>
  warning<StrayFacts>(title, {
    explain: ({ grid }) => `${explain}${grid === undefined ? "" : ` The grid has ${gridText(grid)}.`}`,
    remedy: CORRECT_KEY,
    readers: NEVER_ASKED,
  });

const REFUSALS: Readonly<Record<RefusedProblem, (written: string) => string>> = {
  "null-url": () => "a reference has null as its URL, which cannot be searched for templates",
  "no-first-item": (written) => `the value ${written} has no first item that could be a URL`,
  "empty-list": () => "an empty list has no first item that could be a URL",
  "first-item-not-text": (written) => `the first item of the list, ${written}, is not text that could hold “{{”`,
  "two-items": () => "expected a list of one or three items, found two",
};

type RefusedProblem = "null-url" | "no-first-item" | "empty-list" | "first-item-not-text" | "two-items";

/** `cause`: what is wrong with it. */
type BadReference = { readonly cause: Finding; readonly format: string };

/** `grid`: how many there are along each dimension. */
type OutsideGrid = {
  readonly of: "chunk" | "shard";
  readonly coordinates: readonly number[];
  readonly grid: readonly number[];
};

export const REFERENCE = {
  "reference-malformed": unusable.error<{ expected: string; found: string }>("Malformed reference", {
    explain: ({ expected, found }) => `Expected ${expected}; found ${found}.`,
    remedy: CORRECT_VALUE,
  }),
  "reference-offset-negative": size("Negative offset", "offset", "0 or more"),
  "reference-length-negative": size("Negative length", "length", "0 or more"),
  "reference-offset-fractional": size("Offset is not an integer", "offset", "an integer", NO_FLOAT),
  "reference-length-fractional": size("Length is not an integer", "length", "an integer", NO_FLOAT),
  "reference-offset-not-a-number": size("Offset is not a number", "offset", "an integer", NOTHING_ELSE),
  "reference-length-not-a-number": size("Length is not a number", "length", "an integer", NOTHING_ELSE),
  "reference-offset-too-large": size("Offset too large for any file", "offset", "at most 2^53 − 1", NO_FILE),
  "reference-length-too-large": size("Length too large for any file", "length", "at most 2^53 − 1", NO_FILE),
  "reference-end-too-large": size("End too large for any file", "end", "at most 2^53 − 1", NO_FILE),
  "reference-not-kept": unusable.error("One of many malformed references", {
    explain:
      "There are too many malformed references to keep the reason for each; the one for this reference was not kept.",
    remedy: "The dataset's problems say what is wrong with the first of them.",
  }),
  "inline-bad-base64": error<Refusing>("Inline value is not base64", {
    explain:
      "The text after “base64:” is not base64. Python's decoder rejects it, and with it a whole Version 1 document.",
    remedy: "Rewrite the bytes as base64, with padding.",
    readers: "fsspec raises when it opens a Version 1 document, and when it reads the key of a Version 0 document.",
  }),
  "inline-non-ascii": warning("Non-ASCII inline text", {
    explain:
      "The inline text has non-ASCII characters. Refscope reads them as UTF-8, as Python's reader does. In files by LINDI each character means one byte instead.",
    remedy: "Write such bytes as base64.",
    readers: "fsspec reads UTF-8; LINDI's own reader reads each character as one byte.",
  }),
  "reference-refused": error<
    Refusing & {
      problem: RefusedProblem;
      /** Cut. */
      written: string;
    }
  >("Value breaks template rendering", {
    explain: ({ problem, written, raises }) => `${raises}: ${REFUSALS[problem](written)}.`,
    remedy: "Correct the value, or write the document without templates.",
    readers:
      "If a document has templates, fsspec looks for them in every value. It raises, and opens nothing of the dataset.",
  }),
  "duplicate-key": warning("Duplicate key", {
    explain: "The key occurs more than once; the last value counts, as in Python.",
    remedy: "Remove the earlier reference. If another chunk was meant, correct its key.",
    readers: "Python and JavaScript keep the last value at the place of the first.",
  }),
  "key-outside-grid": stray(
    "Key outside the chunk grid",
    "The chunk's coordinates are outside the chunk grid in the array's metadata.",
  ),
  "key-wrong-rank": stray(
    "Wrong number of coordinates in the key",
    "The key has more or fewer chunk coordinates than the array has dimensions.",
  ),
  "key-without-array": stray(
    "Chunk without an array",
    "The key looks like a chunk, but the dataset has no readable metadata for its array.",
  ),
  "key-not-a-chunk": stray(
    "Stray key",
    "The key is neither a metadata document nor a chunk key; no reader requests it.",
  ),
  "offset-absurd": warning<{ written: string }>("Offset beyond 1 PB", {
    explain: ({ written }) => `The offset is ${written}. This is beyond 1 PB, larger than any file.`,
    remedy: "Check how the offset is computed.",
    readers: "fsspec requests the range, and the server refuses it.",
  }),
  "set-empty": warning("Dataset has no references", {
    explain: "The dataset has no references at all.",
    readers: "fsspec opens it; zarr-python finds nothing in it.",
    about: "document",
  }),
  "reference-not-json": error<{ value: string; cause: Finding | undefined }>("Value is not JSON", {
    explain: ({ value }) => `The reference cannot be set to ${quoted(value, 60)}, which is not JSON.`,
    remedy: 'Write ["url", offset, length], ["url"] or a text in quotes.',
    readers: "Nothing was changed: no reader is affected.",
  }),
  "too-many-stray-keys": ours.error<{ strays: number; limit: number }>("Too many stray keys", {
    explain: ({ strays, limit }) =>
      `${counted(strays, "key")} ${strays === 1 ? "matches" : "match"} no chunk of an array; Refscope keeps at most ${count(limit)}.`,
    remedy: "Most likely an array's metadata (.zarray) is missing from the dataset.",
  }),
  "too-many-malformed-references": ours.error<{ limit: number }>("Too many malformed references", {
    explain: ({ limit }) =>
      `The dataset has more than ${count(limit)} malformed references, the most that Refscope keeps.`,
    remedy: "This is probably not a reference file: its values should be text or lists [url, offset, length].",
  }),
  "too-many-repeated-keys": ours.error<{ limit: number }>("Too many repeated keys", {
    explain: ({ limit }) => `More than ${count(limit)} keys are duplicated, the most that Refscope resolves.`,
    remedy: "Rewrite the document with each key once: only the last value of a key counts.",
  }),
  "too-many-arrays": ours.error<{ limit: number }>("Too many arrays", {
    explain: ({ limit }) => `The dataset has more than ${count(limit)} arrays, the most that Refscope lists.`,
    remedy: "Split the dataset by group, and open its parts one by one.",
  }),
  "too-much-metadata": error<{ limit: number }>("Too much metadata", {
    explain: ({ limit }) => `The dataset's metadata has more than ${limit >> 20} MiB, the most that Refscope keeps.`,
    remedy: "This is probably not a reference file. If it is, split it by group.",
    readers: OURS,
    about: "metadata",
  }),
  "chunk-not-generated": graded<{
    /** A reference stands in the document, which another may replace. */
    written: boolean;
  }>("Reference may come from an unrendered gen", {
    severity: ({ written }) => (written ? "warning" : "error"),
    explain: ({ written }) =>
      written
        ? "Some references of the document's “gen” were not generated, and this key may be one of them. If so, a generated reference replaces the one shown here."
        : "The chunk has no reference. Some references of the document's “gen” were not generated, and this may be one of them.",
    remedy: "See the dataset's problems for the reason that gen was not fully rendered.",
    readers: "fsspec renders gen completely, or rejects the dataset.",
  }),
  "outside-grid": error<OutsideGrid>("No such chunk", {
    explain: ({ of, coordinates, grid }) => {
      if (grid.length === 0)
        return `The array is a scalar and has one ${of}; [${coordinates.join(", ")}] was requested.`;
      return `The array has a grid of ${grid.join(" × ")} ${of}s; [${coordinates.join(", ")}] ${coordinates.length === grid.length ? "is outside it" : `has ${counted(coordinates.length, "coordinate")}`}.`;
    },
    readers: "Readers are not affected.",
    final: true,
  }),
  "reference-bad": error<BadReference>("Invalid reference", {
    // The file that holds the reference may be what cannot be read.
    heading: ({ cause }) => (cause.place.kind === "target" ? "Reference could not be fetched" : undefined),
    explain: "The chunk's reference cannot be used.",
    remedy: ({ format }) => {
      if (format === "icechunk") return undefined; // The reason says what to do.
      if (format === "kerchunk-json") return "Correct it in the reference file.";
      return "Rewrite it with the tool that made the store.";
    },
    readers: "Python's reader fails on this chunk too.",
  }),
  "target-matched-by-name": note<{ file: string; targets?: number }>("Source file matched by name only", {
    explain: ({ file, targets = 1 }) =>
      targets === 1
        ? `The source as written is not among the files you provided. Refscope used ${quoted(file)}, which has the same name.`
        : `${counted(targets, "source")} as written are not among the files you provided. Refscope used files of the same names, such as ${quoted(file)}.`,
    readers: "Python's readers use the source as it is written.",
    about: "source",
  }),
};
