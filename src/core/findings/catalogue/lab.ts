/** Reading a chunk other than as declared, and making such a reading last. */
import { about } from "./entry.ts";
import type { Finding } from "../fact.ts";
import { count, counted, quoted } from "../../words.ts";

const ABOUT_TRIAL = "Readers are not affected: nothing was changed.";

type NotEditable =
  | { readonly problem: "not-a-document"; readonly format: string }
  | { readonly problem: "no-metadata"; readonly document: string }
  | { readonly problem: "generated"; readonly made: "document" | "references"; readonly references: number }
  | { readonly problem: "codecs-of-chunk" | "inner-chunk" | "locked" }
  /** `reference`: of which kind it is, or `missing`. */
  | { readonly problem: "no-range"; readonly reference: string }
  | { readonly problem: "impossible-ranges"; readonly impossible: number; readonly ranges: number };

function explainNotEditable(facts: NotEditable): string {
  switch (facts.problem) {
    case "not-a-document":
      return `Only Kerchunk JSON documents can be edited here; this set is ${facts.format}.`;
    case "no-metadata":
      return `The set has no ${facts.document} of this array that could be changed.`;
    case "generated":
      if (facts.made === "document") return "Only documents in refs can be edited this way; this one is made by gen.";
      return `Only references in refs can be edited this way; gen makes ${facts.references === 1 ? "this one" : `${count(facts.references)} of them`}.`;
    case "codecs-of-chunk":
      return "Only the offset and the length of a single chunk can be changed: codecs and byte order are the array's.";
    case "inner-chunk":
      return "Only chunks with references of their own can be moved; this one is an inner chunk of a shard, which the shard's index places.";
    case "locked":
      return "The document cannot be edited right now.";
    case "no-range":
      return `Only a reference [url, offset, length] can be moved; ${facts.reference === "missing" ? "there is none" : `this one is of another kind (${facts.reference})`}.`;
    case "impossible-ranges":
      return `All ranges of the array would be moved, but ${count(facts.impossible)} of ${count(facts.ranges)} would begin before byte 0 or have no bytes.`;
  }
}

function remedyNotEditable(facts: NotEditable): string | undefined {
  switch (facts.problem) {
    case "not-a-document":
      return "Write the change with the tool that made the set.";
    case "no-metadata":
      return undefined;
    case "generated":
      return facts.made === "document"
        ? "Change that gen in the editor."
        : "Change offset or length of that gen in the editor.";
    case "codecs-of-chunk":
      return "Apply it to the array if all its chunks are stored this way; where only some are, Zarr metadata cannot express it: store the chunk's bytes again, encoded as the others are, inline or in a file of their own.";
    case "inner-chunk":
      return "Correct the reference of the shard, or write the shard again.";
    case "locked":
      return "The reason is given above.";
    case "no-range":
      return "Write the reference by hand in the editor.";
    case "impossible-ranges":
      return "Move single chunks instead.";
  }
}

/** The range that a trial asks for, and by how much it was moved. */
type TrialRange = {
  readonly problem: "fraction" | "before-start" | "no-bytes" | "past-end";
  readonly offset: number;
  readonly length: number;
  readonly shift: number;
  readonly lengthen: number;
};

const RANGE_PROBLEMS: Readonly<Record<TrialRange["problem"], (facts: TrialRange) => string>> = {
  fraction: ({ shift, lengthen }) =>
    `A range is moved and lengthened by whole numbers of bytes; ${shift} and ${lengthen} were asked for.`,
  "before-start": ({ offset }) => `A range begins at byte 0 or later; this one would begin at ${offset}.`,
  "no-bytes": ({ length }) => `A range has at least 1 byte; this one would have ${length}.`,
  "past-end": ({ offset }) => `The reference has no range, and no bytes are left of it from byte ${offset} on.`,
};

const { error } = about("page");
const ofReferences = about("references");

export const LAB = {
  "not-editable": error<NotEditable>({
    title: "Change cannot be applied",
    explain: explainNotEditable,
    remedy: remedyNotEditable,
    readers: ABOUT_TRIAL,
    about: "document",
  }),
  "trial-cancelled": error({
    title: "The trial was cancelled",
    explain: "Reading the chunk with the changed settings was cancelled.",
    remedy: "Change the trial, or reset it, to read again.",
    readers: ABOUT_TRIAL,
  }),
  "trial-configuration": error<{
    readonly codec: string;
    /** "a list", where the text is JSON. */
    readonly found: string | undefined;
    readonly cause?: Finding;
  }>({
    title: "Invalid codec configuration",
    explain: ({ codec, found }) =>
      `The configuration of ${quoted(codec)} should be a JSON object, such as {"elementsize": 4}; it is ${found ?? "not JSON"}.`,
    remedy: "Correct the configuration of this step.",
    readers: ABOUT_TRIAL,
  }),
  "trial-cut": ofReferences.note<{ readonly size: number }>({
    title: "Trial range shortened",
    explain: ({ size }) =>
      `The reference has no range: nothing is known to lie behind its ${counted(size, "byte")}, and the trial's range was cut there.`,
    readers: ABOUT_TRIAL,
  }),
  "trial-range": ofReferences.error<TrialRange>({
    title: "An impossible range",
    explain: (facts) => RANGE_PROBLEMS[facts.problem](facts),
    remedy: "Shift and lengthen it by less.",
    readers: ABOUT_TRIAL,
  }),
};
