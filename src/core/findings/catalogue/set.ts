/** A set as a whole, once its references are counted. */
import { nodeAt, WHOLE_SET } from "../place.ts";
import { entry, type NoFacts } from "./entry.ts";
import { count, counted, listed } from "./phrases.ts";

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
  /** In so many arrays that they are not told apart. */
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
  "no-chunks": entry<NoFacts>({
    title: "Not one chunk has a reference",
    severity: "warning",
    explain: () => "The set has arrays but not one chunk reference: everything would read as fill value.",
    remedy: "Look at the output of the tool that wrote it.",
    readers: "Python readers open it and show fill values everywhere.",
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
    readers: "zarr-python reads them as fill value, without a word.",
    about: "references",
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
};
