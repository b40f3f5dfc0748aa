/** A dataset as a whole, once its references are counted. */
import { type Refusal, saidWords } from "./network.ts";
import { fillNumber } from "./value-phrases.ts";
import { about } from "./entry.ts";
import type { Finding } from "../fact.ts";
import { count, counted, listed } from "#core/words.ts";

/** A dimension, where the chunks meant are not spread over all of it: first and last chunk, of how many. */
export type DimensionSpan = {
  readonly dimension: string | number;
  readonly from: number;
  readonly to: number;
  readonly chunks: number;
};

/** Value that missing chunks read as: `fillValue` is JSON text. */
type MissingFill = {
  readonly fill: "value" | "null" | "unfit";
  readonly fillValue: string;
  readonly dtype: string;
};

type Missing = Empty &
  (
    | ({ readonly missing: number; readonly chunks: number; readonly span: readonly DimensionSpan[] } & MissingFill)
    /** Summed over arrays, where there are too many to list each. */
    | { readonly missing: number; readonly arrays: number; readonly first: readonly string[] }
  );

const spanText = ({ dimension, from, to, chunks }: DimensionSpan): string => {
  const where = typeof dimension === "number" ? `dimension ${dimension}` : dimension;
  return `chunk${from === to ? ` ${from}` : `s ${from}–${to}`} of ${count(chunks)} along ${where}`;
};

function fillText({ fill, fillValue, dtype, missing }: MissingFill & { readonly missing: number }): string {
  const [has, reads] = missing === 1 ? ["has", "reads"] : ["have", "read"];
  if (fill === "null") return `${has} no defined values, because fill_value is null`;
  if (fill === "value")
    return `${reads} as the fill value ${fillNumber(fillValue, dtype === "<f4" || dtype === ">f4" || dtype === "float32")}`;
  return `${has} no defined values, because fill_value ${fillValue} does not match the type ${dtype}`;
}

const { error, graded, note } = about("references");

/** A file may be made before its data are written; references are made of what is there. */
type Empty = { readonly isFile?: boolean };
const ofEmpty = ({ isFile = false }: Empty) => (isFile ? "info" : "error");

export const SET = {
  "set-refused": error<{ raises: string; cause: Finding }>("fsspec rejects the dataset", {
    explain: ({ raises }) =>
      `Python's reader (fsspec) rejects the dataset (${raises}). Refscope shows what it could render; no other reader does.`,
    remedy: "Correct the document.",
    readers: "fsspec opens nothing. Neither do kerchunk and xarray, which read through it.",
    about: "document",
  }),
  "no-chunks": graded<Empty>("No chunk has a reference", {
    severity: ofEmpty,
    elements: () => Infinity,
    explain: "The dataset has arrays but no chunk references, so everything would read as the fill value.",
    remedy: "Check the output of the tool that wrote it.",
    readers: "Python's readers open it and return the fill value everywhere.",
  }),
  "no-arrays": graded<Empty>("Dataset has no arrays", {
    severity: ofEmpty,
    explain: "The dataset has no arrays. Tools write such a dataset when they cannot read any variable of the file.",
    remedy: "Check the output of the tool that wrote it.",
    readers: "Python's readers open it as an empty group.",
  }),
  "chunks-missing": note<Missing>("Chunks without a reference", {
    heading: ({ isFile = false }) => (isFile ? "Chunks never written" : undefined),
    explain: (facts) => {
      if ("arrays" in facts) {
        const more = facts.arrays > facts.first.length ? ", …" : "";
        return `${counted(facts.arrays, "array")} have ${facts.isFile === true ? "unwritten" : "missing"} chunks, ${count(facts.missing)} in total: ${facts.first.join(", ")}${more}.`;
      }
      const { missing, chunks, span } = facts;
      const places = missing === 1 ? "It is" : "They are within";
      const where = span.length === 0 ? "" : ` ${places} ${listed(span.map(spanText))}.`;
      const which = `${count(missing)} of ${counted(chunks, "chunk")}`;
      const has = facts.isFile === true ? (missing === 1 ? "was never written" : "were never written") : "";
      return `${which} ${has || (missing === 1 ? "has no reference" : "have no reference")} and ${fillText(facts)}.${where}`;
    },
    remedy: ({ isFile = false }) =>
      isFile
        ? "This is usual where a file is allocated ahead of its data. If they should hold data, compare the file with its source."
        : "If they should hold data, the writer lost them.",
    readers: ({ isFile = false }) =>
      `${isFile ? "Readers" : "zarr-python"} silently ${isFile ? "read" : "reads"} them as the fill value.`,
    question: "complete",
  }),
  "chunk-denied": error<Refusal>("Access to a chunk denied", {
    explain: ({ status, ...facts }) =>
      `Expected the chunk, or status 404 if there is none; the server returned ${status}.${saidWords(facts)} Servers that forbid listing also send this for missing objects, so it is not known whether the chunk is missing.`,
    remedy: "Add credentials for this URL prefix in Locations.",
    readers: "zarr-python raises: only chunks that are not found read as the fill value.",
    action: "locations",
  }),
  "reference-out-of-range": error<{ member: "offset" | "length"; value: number }>("Impossible offset or length", {
    explain: ({ member, value }) => `Expected the ${member} to be an integer from 0 to 2^53 − 1; found ${value}.`,
    readers: "No reader can read such a range.",
  }),
};
