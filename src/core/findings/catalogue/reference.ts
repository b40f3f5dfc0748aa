/** Keys and values of references: what is written in a set, before any target is read. */
import { about, type Refusing } from "./entry.ts";
import type { Finding } from "../fact.ts";
import { count, counted, quoted } from "../../words.ts";

const FAILS_WHEN_READ = "fsspec keeps the reference, and fails when its chunk is read.";
const OURS = "This is Refscope's own limit: fsspec reads on if memory suffices.";
const NEVER_ASKED = "zarr-python never asks for such a key: the reference is effectively absent.";
const CORRECT_KEY = "Correct the key or the metadata. No reader of the array uses this reference now.";
const CORRECT_VALUE = "Correct the reference, or write the set again with the tool that made it.";

/** `written`: the number as written in the document. */
type Size = { readonly written: string };

const { error, warning } = about("references");
const ours = about("references", { readers: OURS });
const failsWhenRead = about("references", { readers: FAILS_WHEN_READ });

/** What is wrong with an offset or a length, the same for both. */
const size = (title: string, explain: (written: string) => string) =>
  failsWhenRead.error<Size>({
    title,
    explain: (facts) => explain(facts.written),
    remedy: CORRECT_VALUE,
  });

const negative = (what: string) => (written: string) => `The ${what} is ${written}; it must not be negative.`;
const fractional = (what: string) => (written: string) =>
  `The ${what} is ${written}; it must be an integer, and Python's reader fails on a floating-point number.`;
const notANumber = (what: string) => (written: string) =>
  `The ${what} is ${written}; it must be an integer, and Python's reader fails on anything else.`;
const tooLarge = (what: string) => (written: string) =>
  `The ${what} is ${written}, which is beyond 2^53 − 1: no file is that large.`;

/** `grid`: the array's, where it is known. */
type StrayFacts = { readonly grid?: readonly number[] | undefined };

const gridText = (grid: readonly number[]): string =>
  grid.length === 0 ? "no dimensions" : `${grid.join(" × ")} chunks`;

/** A key that fits no chunk of an array. */
const stray = (title: string, explain: string) =>
  warning<StrayFacts>({
    title,
    explain: ({ grid }) => `${explain}${grid === undefined ? "" : ` The grid has ${gridText(grid)}.`}`,
    remedy: CORRECT_KEY,
    readers: NEVER_ASKED,
  });

const REFUSALS: Readonly<Record<RefusedProblem, (written: string) => string>> = {
  "null-url": () => "a reference has null for a URL, which cannot be searched for templates",
  "no-first-item": (written) => `the value ${written} has no first item that could be a URL`,
  "empty-list": () => "an empty list has no first item that could be a URL",
  "first-item-not-text": (written) => `the first item of the list, ${written}, is not text that could hold “{{”`,
  "two-items": () => "the list has two items, where one or three are expected",
};

type RefusedProblem = "null-url" | "no-first-item" | "empty-list" | "first-item-not-text" | "two-items";

export const REFERENCE = {
  "reference-malformed": failsWhenRead.error<{ readonly expected: string; readonly found: string }>({
    title: "The value is not a reference",
    explain: ({ expected, found }) => `The value is ${found}; ${expected} is expected.`,
    remedy: CORRECT_VALUE,
  }),
  "reference-offset-negative": size("The offset is negative", negative("offset")),
  "reference-length-negative": size("The length is negative", negative("length")),
  "reference-offset-fractional": size("The offset is not an integer", fractional("offset")),
  "reference-length-fractional": size("The length is not an integer", fractional("length")),
  "reference-offset-not-a-number": size("The offset is not a number", notANumber("offset")),
  "reference-length-not-a-number": size("The length is not a number", notANumber("length")),
  "reference-offset-too-large": size("The offset is beyond any file", tooLarge("offset")),
  "reference-length-too-large": size("The length is beyond any file", tooLarge("length")),
  "reference-end-too-large": size("The end is beyond any file", tooLarge("end")),
  "reference-not-kept": failsWhenRead.error({
    title: "One of many malformed references",
    explain: "More references are malformed than are kept one by one; the reason for this one was not kept.",
    remedy: "The findings of the set say what is wrong with the first of them.",
  }),
  "inline-bad-base64": error<Refusing>({
    title: "An inline value is not base64",
    explain: "The text after “base64:” is not base64: Python's decoder refuses it, and with it a whole Version 1 set.",
    remedy: "Write the bytes in base64 again, with its padding.",
    readers: "fsspec raises when it opens a Version 1 set, and when it reads the key of a Version 0 set.",
  }),
  "inline-non-ascii": warning({
    title: "Inline text beyond ASCII",
    explain:
      "The inline text has characters beyond ASCII. They are read as UTF-8, as Python's reader does; in files by LINDI each character means one byte instead.",
    remedy: "Write such bytes in base64.",
    readers: "fsspec reads UTF-8; LINDI's own reader takes each character for one byte.",
  }),
  "reference-refused": error<
    Refusing & {
      readonly problem: RefusedProblem;
      /** Cut. */
      readonly written: string;
    }
  >({
    title: "Value breaks template rendering",
    explain: ({ problem, written, raises }) => `${raises}: ${REFUSALS[problem](written)}.`,
    remedy: "Correct the value, or write the set without templates.",
    readers: "fsspec looks for templates in every value once there are any: it raises, and opens nothing of the set.",
  }),
  "duplicate-key": warning({
    title: "Duplicate key",
    explain: "The key is written more than once; the last value counts, as in Python.",
    remedy: "Remove the earlier reference, or correct its key if another chunk was meant.",
    readers: "Python and JavaScript keep the last value at the place of the first.",
  }),
  "key-outside-grid": stray(
    "A key lies outside the grid",
    "The chunk's coordinates lie outside the chunk grid that the array's metadata give.",
  ),
  "key-wrong-rank": stray(
    "The key has the wrong number of coordinates",
    "The key has more or fewer chunk coordinates than the array has dimensions.",
  ),
  "key-without-array": stray(
    "A chunk without an array",
    "The key looks like a chunk, but the set has no readable metadata for its array.",
  ),
  "key-not-a-chunk": stray(
    "The key is not a chunk's",
    "The key is neither a metadata document nor a chunk key; no reader asks for it.",
  ),
  "offset-absurd": warning<{ readonly written: string }>({
    title: "The offset is beyond 1 PB",
    explain: ({ written }) => `The offset is ${written}, beyond 1 PB, larger than any file.`,
    remedy: "Check how the offset is computed.",
    readers: "fsspec asks for the range, and the server refuses it.",
  }),
  "set-empty": warning({
    title: "The set has no references",
    explain: "The reference set has no references at all.",
    readers: "fsspec opens it; zarr-python finds nothing in it.",
    about: "document",
  }),
  "reference-not-json": error<{ readonly value: string; readonly cause: Finding | undefined }>({
    title: "The value is not JSON",
    explain: ({ value }) => `The reference cannot be set to ${quoted(value, 60)}, which is not JSON.`,
    remedy: 'Write ["url", offset, length], ["url"] or a text in quotes.',
    readers: "Nothing was changed: no reader is affected.",
  }),
  "too-many-stray-keys": ours.error<{ readonly strays: number; readonly limit: number }>({
    title: "Too many stray keys",
    explain: ({ strays, limit }) =>
      `${counted(strays, "key")} belong to no chunk of an array; at most ${count(limit)} are kept.`,
    remedy: "Most likely the metadata (.zarray) of an array are missing from the set.",
  }),
  "too-many-malformed-references": ours.error<{ readonly limit: number }>({
    title: "Too many malformed references",
    explain: ({ limit }) => `The set has more than ${count(limit)} malformed references, the most that are kept.`,
    remedy: "This is probably not a reference set: its values should be texts or lists [url, offset, length].",
  }),
  "too-many-repeated-keys": ours.error<{ readonly limit: number }>({
    title: "Too many repeated keys",
    explain: ({ limit }) => `More than ${count(limit)} keys are written more than once, the most that can be resolved.`,
    remedy: "Write the document again with each key once: only the last value of a key counts.",
  }),
  "too-many-arrays": ours.error<{ readonly limit: number }>({
    title: "Too many arrays",
    explain: ({ limit }) => `The set has more than ${count(limit)} arrays, the most that can be listed.`,
    remedy: "Split the set by group, and open its parts one by one.",
  }),
  "too-much-metadata": error<{ readonly limit: number }>({
    title: "Too much metadata",
    explain: ({ limit }) =>
      `The metadata documents of the set have more than ${limit >> 20} MiB, the most that are kept.`,
    remedy: "Such a file is probably not a reference set; if it is, split it by group.",
    readers: OURS,
    about: "metadata",
  }),
};
