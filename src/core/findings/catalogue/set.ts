/** A set as a whole, once its references are counted. */
import { chunkAt, nodeAt, WHOLE_SET } from "../place.ts";
import { entry } from "./entry.ts";
import type { Finding, NoFacts } from "../fact.ts";
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

export const SET = {
  "set-refused": entry<{ readonly raises: string; readonly cause: Finding }>({
    title: "fsspec rejects the dataset",
    severity: "error",
    explain: ({ raises }) =>
      `Python's reader (fsspec) rejects the dataset (${raises}). Refscope shows what it could render; no other reader does.`,
    remedy: "Correct the document.",
    readers: "fsspec opens nothing, nor do kerchunk and xarray, which read through it.",
    about: "document",
    example: {
      place: WHOLE_SET,
      facts: {
        raises: "ValueError",
        cause: { code: "version-unknown", place: WHOLE_SET, facts: { version: "2", raises: "ValueError" }, count: 1 },
      },
    },
  }),
  "no-chunks": entry<NoFacts>({
    title: "No chunk has a reference",
    severity: "warning",
    explain: () => "The set has arrays but not one chunk reference: everything would read as the fill value.",
    remedy: "Look at the output of the tool that wrote it.",
    readers: "Python readers open it and show the fill value everywhere.",
    about: "references",
    example: { place: WHOLE_SET, facts: {} },
  }),
  "no-arrays": entry<NoFacts>({
    title: "The set has no arrays",
    severity: "warning",
    explain: () => "The set has no arrays. Tools write such a set when they could not read any variable of the file.",
    remedy: "Look at the output of the tool that wrote it.",
    readers: "Python readers open it as an empty group.",
    about: "references",
    example: { place: WHOLE_SET, facts: {} },
  }),
  "chunks-missing": entry<Missing>({
    title: "Chunks without a reference",
    severity: "info",
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
    about: "references",
    question: "complete",
    example: {
      place: nodeAt("sst"),
      facts: {
        missing: 6,
        chunks: 48,
        span: [{ dimension: "time", from: 3, to: 4, chunks: 12 }],
        fill: "value",
        fillValue: "-32768",
        dtype: "<i2",
      },
    },
  }),
  "chunk-denied": entry<{ readonly status: number }>({
    title: "Access to a chunk denied",
    severity: "error",
    explain: ({ status }) =>
      `The chunk, or status 404 where there is none, was expected, but the server answered ${status}. Servers that forbid listing also send this for what does not exist: whether the chunk is missing is not known.`,
    remedy: "Give credentials for this URL prefix in the locations.",
    readers: "zarr-python raises here: only what is not found reads as the fill value.",
    about: "references",
    action: "locations",
    example: { place: chunkAt("sst", [0, 0]), facts: { status: 403 } },
  }),
  "reference-out-of-range": entry<{ readonly member: "offset" | "length"; readonly value: number }>({
    title: "An offset or length that no file has",
    severity: "error",
    explain: ({ member, value }) => `The ${member} must be a whole number of bytes from 0 to 2^53 − 1; it is ${value}.`,
    readers: "Such a range cannot be read by any reader.",
    about: "references",
    example: { place: WHOLE_SET, facts: { member: "offset", value: -1 } },
  }),
};
