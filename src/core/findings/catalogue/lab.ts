/** Trials of a chunk with other settings, and applying them. */
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
      return `Refscope can edit only Kerchunk JSON documents; this dataset is ${facts.format}.`;
    case "no-metadata":
      return `The dataset has no ${facts.document} of this array to change.`;
    case "generated":
      if (facts.made === "document") return "Only documents in refs can be edited this way; gen makes this one.";
      return `Only references in refs can be edited this way; gen makes ${facts.references === 1 ? "this one" : `${count(facts.references)} of them`}.`;
    case "codecs-of-chunk":
      return "For a single chunk, only offset and length can be changed. Codecs and byte order belong to the array.";
    case "inner-chunk":
      return "Only chunks with their own references can be moved. The shard's index places this inner chunk.";
    case "locked":
      return "The document cannot be edited right now.";
    case "no-range":
      return `Only a reference [url, offset, length] can be moved; ${facts.reference === "missing" ? "there is none" : `this one is of another kind (${facts.reference})`}.`;
    case "impossible-ranges":
      return `Moving all ranges of the array would make ${count(facts.impossible)} of ${count(facts.ranges)} begin before byte 0 or have no bytes.`;
  }
}

function remedyNotEditable(facts: NotEditable): string | undefined {
  switch (facts.problem) {
    case "not-a-document":
      return "Make the change with the tool that wrote the dataset.";
    case "no-metadata":
      return undefined;
    case "generated":
      return facts.made === "document"
        ? "Change that gen in the editor."
        : "Change the offset or length of that gen in the editor.";
    case "codecs-of-chunk":
      return "If all the array's chunks are stored this way, apply the change to the array. Zarr metadata cannot express it for only some: store these chunks again, encoded like the others, inline or in their own file.";
    case "inner-chunk":
      return "Correct the shard's reference, or rewrite the shard.";
    case "locked":
      return "The reason is given above.";
    case "no-range":
      return "Write the reference by hand in the editor.";
    case "impossible-ranges":
      return "Move single chunks instead.";
  }
}

/** The range of a trial, and by how much it was moved. */
type TrialRange = {
  readonly problem: "fraction" | "before-start" | "no-bytes" | "past-end";
  readonly offset: number;
  readonly length: number;
  readonly shift: number;
  readonly lengthen: number;
};

const RANGE_PROBLEMS: Readonly<Record<TrialRange["problem"], (facts: TrialRange) => string>> = {
  fraction: ({ shift, lengthen }) =>
    `Expected whole numbers of bytes for shift and length; found ${shift} and ${lengthen}.`,
  "before-start": ({ offset }) => `Expected the range to begin at byte 0 or later; it would begin at ${offset}.`,
  "no-bytes": ({ length }) => `Expected a range of at least 1 byte; it would have ${length}.`,
  "past-end": ({ offset }) => `The reference has no range, and there are no bytes from byte ${offset} on.`,
};

const { error } = about("page", { readers: ABOUT_TRIAL });
const references = about("references", { readers: ABOUT_TRIAL });

export const LAB = {
  "not-editable": error<NotEditable>("Change cannot be applied", {
    explain: explainNotEditable,
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
  "trial-range": references.error<TrialRange>("Impossible range", {
    explain: (facts) => RANGE_PROBLEMS[facts.problem](facts),
    remedy: "Reduce the shift or the added length.",
  }),
};
