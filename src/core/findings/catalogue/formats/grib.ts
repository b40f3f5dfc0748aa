/** GRIB messages that the two codecs do not read, or not fully. */
import { decoding } from "../codec.ts";
import { about } from "../entry.ts";
import { counted } from "#core/words.ts";
import { sentenceOf, type ToldBy } from "#core/words/sentences.ts";

const SHOWN = "Inspect the sections of the message, or read the chunk in Python.";

/** `order`: values are to be reordered. */
type UnreadGrid = {
  readonly codec: string;
  readonly wanted: "latitudes" | "longitudes" | "order";
  /** "grid definition template 3.31, Albers equal area". */
  readonly found: string;
};

/**
 * `template`: of section 5; `reference`: of a constant field; `gives`: zeros, other numbers (or an error), or an
 * error.
 */
type Message = { codec: string; template: number; gives: keyof typeof GRIBBERISH_GIVES; reference?: number };

const GRIBBERISH_GIVES = {
  zeros: "In Python gribberish 1.7.0 returns 0 everywhere, without an error.",
  others: "In Python gribberish 1.7.0 returns other numbers without an error, or raises.",
  error: "In Python gribberish 1.7.0 raises, and returns none of the chunk's values.",
} as const;

/** Cases in which gribberish 1.7.0 returns other values than the message has. */
const DIFFERENCES = {
  constant: ({ reference = 0 }: Message) =>
    `The values of this field have no bits: each existing value is the reference value, ${reference}. gribberish ignores this value, and any bitmap.`,
  "no-values":
    "The bitmap says that no point has a value, so Refscope shows all as missing. gribberish ignores the bitmap if there are no values.",
  complex:
    "The values are in complex packing without differences (template 5.2). gribberish reads references and lengths of groups in the wrong byte order, and does not support missing values among packed ones.",
  groups: ({ template }: Message) =>
    `In this message widths or lengths of the groups have no bits: all have the value in section 5 (template 5.${template}). gribberish reads them as 0.`,
  png: "The values are a PNG image. gribberish reads 16 bits per value; these have a different number of bits.",
  "few-bits":
    "The values have at most 4 bits, in ordinary CCSDS compression; gribberish reads them as restricted CCSDS.",
  template: ({ template }: Message) => `The values are in template 5.${template}, which gribberish does not know.`,
  earth:
    "A flag that orders the values needs the grid, and this projection uses an earth shape that gribberish does not compute. The order does not depend on it, so Refscope orders the values by the flags.",
};

const ECCODES_GRIDS =
  "latitude/longitude grids (templates 3.0, rotated 3.1), of regular Gaussian ones (3.40), and of Mercator, polar stereographic and Lambert conformal grids that go east and north (3.10, 3.20, 3.30)";
const GRIBBERISH_GRIDS =
  "latitude/longitude grids (template 3.0), and of Mercator, polar stereographic and Lambert conformal grids on a sphere or WGS 84 (3.10, 3.20, 3.30), as gribberish does";

const ECCODES_VALUES = {
  "missing-number":
    "which is eccodes' number for missing values. The message marks missing values otherwise, so Refscope shows 9999.",
  "alternating-rows":
    "Every second row of the message is stored in the opposite direction (scanning mode, bit 4). Refscope turns these rows.",
};

const { warning } = about("values");
const source = decoding("source");
const values = decoding("source", { question: "values" });

export const GRIB = {
  "grib-bitmap-unsupported": values.note<{ codec: string; indicator: number }>("GRIB bitmap not in the message", {
    explain: ({ indicator }) =>
      `Expected section 6 of the GRIB message to hold a bitmap (indicator 0) or none (255); found bitmap ${indicator}, which the producing centre defines elsewhere.`,
    remedy: SHOWN,
    readers: "It is not known what eccodes and gribberish return for such a message.",
  }),
  "grib-codec-differs": warning<{ codec: string; values: number } & ToldBy<typeof ECCODES_VALUES>>(
    "Readers with eccodes return different values",
    {
      explain: (facts) =>
        facts.problem === "missing-number"
          ? `${counted(facts.values, "value")} of the message ${facts.values === 1 ? "is" : "are"} 9999, ${ECCODES_VALUES[facts.problem]}`
          : ECCODES_VALUES[facts.problem],
      remedy: "Read the file itself with cfgrib.",
      readers: ({ codec, problem }) => {
        if (problem === "alternating-rows")
          return `The codec “${codec}” returns rows as they are stored, but coordinates in one direction; cfgrib turns the rows.`;
        return codec === "grib"
          ? "kerchunk's codec “grib” returns NaN for 9999; cfgrib and gribberish return 9999."
          : "gribscan's references have 9999 as their fill value, so xarray masks it; cfgrib and gribberish return 9999.";
      },
    },
  ),
  "grib-grid-unsupported": values.note<UnreadGrid>("Unsupported GRIB grid", {
    explain: ({ codec, wanted, found }) =>
      wanted === "order"
        ? `Refscope reorders values for adjust_longitude_range and north_up on latitude/longitude, Mercator, polar stereographic and Lambert conformal grids (templates 3.0, 3.10, 3.20, 3.30); this is ${found}.`
        : `Refscope computes the ${wanted} of ${codec === "grib" ? ECCODES_GRIDS : GRIBBERISH_GRIDS}; this is ${found}.`,
    remedy: ({ wanted }) =>
      wanted === "order"
        ? "Leave out the two flags to read the values in stored order."
        : "Read the values of the message, which do not depend on it; compute its coordinates in Python.",
    readers: ({ codec, wanted }) =>
      wanted === "order" || codec !== "grib"
        ? "gribberish also refuses it."
        : "In Python the codec “grib” computes coordinates with eccodes, which knows more kinds of grid.",
  }),
  "gribberish-differs": warning<Message & ToldBy<typeof DIFFERENCES>>("gribberish returns different values", {
    heading: ({ gives }) => (gives === "error" ? "gribberish cannot read this message" : undefined),
    explain: sentenceOf(DIFFERENCES, "problem"),
    remedy: "Read these messages with eccodes, or with a later gribberish that returns the same values.",
    readers: ({ gives }) => GRIBBERISH_GIVES[gives],
  }),
  "grib-not-a-message": source.error<{ codec: string; size: number; start: string }>("Not a GRIB message", {
    explain: ({ size, start }) =>
      `Expected a GRIB message, which begins with the letters GRIB (47 52 49 42) and has its edition, 1 or 2, in byte 8; found ${size === 0 ? "no bytes" : `${counted(size, "byte")} that begin with ${start}`}.`,
    remedy: "Look for the letters GRIB near the offset: the reference points to other bytes, or its offset is wrong.",
    readers: "eccodes and gribberish also raise.",
    action: "suggest-repairs",
  }),
  "grib-packing-unsupported": values.note<{
    codec: string;
    edition: 1 | 2;
    /** "data representation template 5.50, spectral data, simple packing". */
    found: string;
  }>("Unsupported GRIB packing", {
    explain: ({ edition, found }) =>
      edition === 1
        ? `In GRIB edition 1 Refscope reads only simple packing of grid points; this is ${found}.`
        : `Refscope reads simple, complex, IEEE, JPEG 2000, PNG and CCSDS packing (templates 5.0, 5.2, 5.3, 5.4, 5.40, 5.41 and 5.42); this is ${found}.`,
    remedy: SHOWN,
    readers: "eccodes reads more packings, including those of spectral data and run lengths.",
  }),
};
