/** A set as a whole, once its references are counted. */
import { about } from "./entry.ts";
import type { Finding } from "../fact.ts";
import { count, counted, listed } from "../../words.ts";

/** A dimension, where the chunks meant are not spread over all of it: first and last chunk, of how many. */
export type DimensionSpan = {
  readonly dimension: string | number;
  readonly from: number;
  readonly to: number;
  readonly chunks: number;
};

/** What missing chunks read as: `fillValue` is JSON text. */
type MissingFill = {
  readonly fill: "value" | "null" | "unfit";
  readonly fillValue: string;
  readonly dtype: string;
};

type Missing =
  | ({ readonly missing: number; readonly chunks: number; readonly span: readonly DimensionSpan[] } & MissingFill)
  /** Summed over arrays, where there are too many to list each. */
  | { readonly missing: number; readonly arrays: number; readonly first: readonly string[] };

const spanText = ({ dimension, from, to, chunks }: DimensionSpan): string => {
  const where = typeof dimension === "number" ? `dimension ${dimension}` : dimension;
  return `chunk${from === to ? ` ${from}` : `s ${from} to ${to}`} of ${count(chunks)} along ${where}`;
};

function fillText({ fill, fillValue, dtype }: MissingFill): string {
  if (fill === "null") return "have no defined values, since fill_value is null";
  if (fill === "value") return `read as fill value ${fillValue}`;
  return `have no defined values, since fill_value ${fillValue} does not fit the type ${dtype}`;
}

const { error, warning, note } = about("references");

export const SET = {
  "set-refused": error<{ readonly raises: string; readonly cause: Finding }>({
    title: "fsspec rejects the dataset",
    explain: ({ raises }) =>
      `Python's reader (fsspec) rejects the dataset (${raises}). Refscope shows what it could render; no other reader does.`,
    remedy: "Correct the document.",
    readers: "fsspec opens nothing, nor do kerchunk and xarray, which read through it.",
    about: "document",
  }),
  "no-chunks": warning({
    title: "No chunk has a reference",
    explain: "The set has arrays but not one chunk reference: everything would read as the fill value.",
    remedy: "Look at the output of the tool that wrote it.",
    readers: "Python readers open it and show the fill value everywhere.",
  }),
  "no-arrays": warning({
    title: "The set has no arrays",
    explain: "The set has no arrays. Tools write such a set when they could not read any variable of the file.",
    remedy: "Look at the output of the tool that wrote it.",
    readers: "Python readers open it as an empty group.",
  }),
  "chunks-missing": note<Missing>({
    title: "Chunks without a reference",
    explain: (facts) => {
      if ("arrays" in facts) {
        const more = facts.arrays > facts.first.length ? ", …" : "";
        return `${counted(facts.arrays, "array")} have missing chunks, ${count(facts.missing)} in all: ${facts.first.join(", ")}${more}.`;
      }
      const { missing, chunks, span } = facts;
      const where = span.length === 0 ? "" : ` They lie within ${listed(span.map(spanText))}.`;
      return `${count(missing)} of ${counted(chunks, "chunk")} have no reference and ${fillText(facts)}.${where}`;
    },
    remedy: "If they should hold data, the writer lost them.",
    readers: "zarr-python silently reads them as the fill value.",
    question: "complete",
  }),
  "chunk-denied": error<{ readonly status: number }>({
    title: "Access to a chunk denied",
    explain: ({ status }) =>
      `The chunk, or status 404 where there is none, was expected, but the server answered ${status}. Servers that forbid listing also send this for what does not exist: whether the chunk is missing is not known.`,
    remedy: "Give credentials for this URL prefix in the locations.",
    readers: "zarr-python raises here: only what is not found reads as the fill value.",
    action: "locations",
  }),
  "reference-out-of-range": error<{ readonly member: "offset" | "length"; readonly value: number }>({
    title: "An offset or length that no file has",
    explain: ({ member, value }) => `The ${member} must be a whole number of bytes from 0 to 2^53 − 1; it is ${value}.`,
    readers: "Such a range cannot be read by any reader.",
  }),
};
