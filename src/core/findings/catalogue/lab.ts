/** Trials of a chunk with other settings, and applying them. */
import { about } from "./entry.ts";
import type { Finding } from "../fact.ts";
import { count, counted, quoted } from "#core/words.ts";
import { sentenceOf, type ToldBy } from "#core/words/sentences.ts";

const ABOUT_TRIAL = "Readers are not affected: nothing was changed.";

const NOT_EDITABLE = {
  "not-a-document": ({ format }: { format: string }) =>
    `Refscope can edit only Kerchunk JSON documents; this dataset is ${format}.`,
  "no-metadata": ({ document }: { document: string }) => `The dataset has no ${document} of this array to change.`,
  generated: ({ made, references }: { made: "document" | "references"; references: number }) =>
    made === "document"
      ? "Only documents in refs can be edited this way; gen makes this one."
      : `Only references in refs can be edited this way; gen makes ${references === 1 ? "this one" : `${count(references)} of them`}.`,
  "codecs-of-chunk":
    "For a single chunk, only offset and length can be changed. Codecs and byte order belong to the array.",
  "inner-chunk": "Only chunks with their own references can be moved. The shard's index places this inner chunk.",
  locked: "The document cannot be edited right now.",
  /** `reference`: of which kind it is, or `missing`. */
  "no-range": ({ reference }: { reference: string }) =>
    `Only a reference [url, offset, length] can be moved; ${reference === "missing" ? "there is none" : `this one is of another kind (${reference})`}.`,
  "impossible-ranges": ({ impossible, ranges }: { impossible: number; ranges: number }) =>
    `Moving all ranges of the array would make ${count(impossible)} of ${count(ranges)} begin before byte 0 or have no bytes.`,
};

type NotEditable = ToldBy<typeof NOT_EDITABLE>;

const NOT_EDITABLE_REMEDIES: Readonly<Record<Exclude<NotEditable["problem"], "generated">, string | undefined>> = {
  "not-a-document": "Make the change with the tool that wrote the dataset.",
  "no-metadata": undefined,
  "codecs-of-chunk":
    "If all the array's chunks are stored this way, apply the change to the array. Zarr metadata cannot express it for only some: store these chunks again, encoded like the others, inline or in their own file.",
  "inner-chunk": "Correct the shard's reference, or rewrite the shard.",
  locked: "The reason is given above.",
  "no-range": "Write the reference by hand in the editor.",
  "impossible-ranges": "Move single chunks instead.",
};

function remedyNotEditable(facts: NotEditable): string | undefined {
  if (facts.problem !== "generated") return NOT_EDITABLE_REMEDIES[facts.problem];
  return facts.made === "document"
    ? "Change that gen in the editor."
    : "Change the offset or length of that gen in the editor.";
}

/** The range of a trial, and by how much it was moved. */
type Trial = { offset: number; length: number; shift: number; lengthen: number };

const RANGE_PROBLEMS = {
  fraction: ({ shift, lengthen }: Trial) =>
    `Expected whole numbers of bytes for shift and length; found ${shift} and ${lengthen}.`,
  "before-start": ({ offset }: Trial) => `Expected the range to begin at byte 0 or later; it would begin at ${offset}.`,
  "no-bytes": ({ length }: Trial) => `Expected a range of at least 1 byte; it would have ${length}.`,
  "past-end": ({ offset }: Trial) => `The reference has no range, and there are no bytes from byte ${offset} on.`,
};

const { error } = about("page", { readers: ABOUT_TRIAL });
const references = about("references", { readers: ABOUT_TRIAL });

export const LAB = {
  "not-editable": error<NotEditable>("Change cannot be applied", {
    explain: sentenceOf(NOT_EDITABLE, "problem"),
    remedy: remedyNotEditable,

    about: "document",
  }),
  "trial-cancelled": error("Trial cancelled", {
    explain: "You cancelled the trial of the changed settings.",
    remedy: "To read again, change or reset the trial.",
  }),
  "trial-configuration": error<{
    codec: string;
    /** "a list", where the text is JSON. */
    found: string | undefined;
    cause?: Finding;
  }>("Invalid codec configuration", {
    explain: ({ codec, found }) =>
      `${quoted(codec)}: expected the configuration to be a JSON object, such as {"elementsize": 4}; found ${found ?? "text that is not JSON"}.`,
    remedy: "Correct the configuration of this step.",
  }),
  "trial-cut": references.note<{ size: number }>("Trial range shortened", {
    explain: ({ size }) =>
      `The reference has no range, and no bytes are known after its ${counted(size, "byte")}. The trial's range ends there.`,
  }),
  "trial-range": references.error<ToldBy<typeof RANGE_PROBLEMS>>("Impossible range", {
    explain: sentenceOf(RANGE_PROBLEMS, "problem"),
    remedy: "Reduce the shift or the added length.",
  }),
};
