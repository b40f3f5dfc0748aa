/** Messages of GRIB that the two codecs do not read, or do not read in full. */
import { decoding } from "../codec.ts";
import { about } from "../entry.ts";
import { counted } from "../../../words.ts";

const SHOWN = "Look at the sections of the message, which are shown, or read the chunk in Python.";

/** `order`: values are to be put in another order than they are stored in. */
type UnreadGrid = {
  readonly codec: string;
  readonly wanted: "latitudes" | "longitudes" | "order";
  /** "grid definition template 3.31, Albers equal area". */
  readonly found: string;
};

/** Where gribberish 1.7.0 does not give what the message has. */
type GribberishDiffers = {
  readonly codec: string;
  /** Of section 5. */
  readonly template: number;
  readonly problem: "constant" | "no-values" | "complex" | "groups" | "png" | "few-bits" | "template" | "earth";
  /** `others`: other numbers, or an error. */
  readonly gives: "zeros" | "others" | "error";
  /** Of a constant field. */
  readonly reference?: number;
};

const GRIBBERISH_GIVES = {
  zeros: "In Python gribberish 1.7.0 gives 0 everywhere, and no error.",
  others: "In Python gribberish 1.7.0 gives other numbers without an error, or stops with one.",
  error: "In Python gribberish 1.7.0 stops with an error, and gives none of the chunk's values.",
} as const;

function whyDifferent({ problem, template, reference = 0 }: GribberishDiffers): string {
  switch (problem) {
    case "constant":
      return `The values of this field have no bits: each that is there is the reference value, ${reference}, and is shown so. gribberish does not look at it, nor at a bit-map.`;
    case "no-values":
      return "The bit-map says that no point has a value, and all are shown as missing. gribberish does not look at the bit-map where there is nothing to spread over it.";
    case "complex":
      return "The values are in complex packing without differences (template 5.2). gribberish reads references and lengths of groups in the wrong byte order, and knows no missing values among packed ones.";
    case "groups":
      return `In this message widths or lengths of the groups have no bits: all are what section 5 says (template 5.${template}). gribberish takes them for 0.`;
    case "png":
      return "The values are a PNG picture, of which gribberish reads 16 bits a value: these have another number of bits.";
    case "few-bits":
      return "The values have at most 4 bits, in CCSDS compression of the usual kind; gribberish reads them as if it were of the restricted kind.";
    case "template":
      return `The values are in template 5.${template}, which gribberish does not know.`;
    case "earth":
      return "A flag that orders the values needs the grid, and this is a projection on an earth whose shape gribberish does not compute. The order does not depend on it, and values are shown as the flags ask.";
  }
}

const ECCODES_GRIDS =
  "latitude/longitude grids (templates 3.0, rotated 3.1), of regular Gaussian ones (3.40), and of Mercator, polar stereographic and Lambert conformal grids that go east and north (3.10, 3.20, 3.30)";
const GRIBBERISH_GRIDS =
  "latitude/longitude grids (template 3.0), and of Mercator, polar stereographic and Lambert conformal grids on a sphere or WGS 84 (3.10, 3.20, 3.30), as gribberish does";

const { warning } = about("values");
const ofSource = decoding("source");
const ofValues = decoding("source", { question: "values" });

export const GRIB = {
  "grib-bitmap-unsupported": ofValues.note<{ readonly codec: string; readonly indicator: number }>({
    title: "GRIB bitmap not in the message",
    explain: ({ indicator }) =>
      `Section 6 of the GRIB message should hold a bit-map (indicator 0) or say that there is none (255); it names bit-map ${indicator}, which the producing centre defines elsewhere.`,
    remedy: SHOWN,
    readers: "What eccodes and gribberish give for such a message is not known.",
  }),
  "grib-grid-unsupported": ofValues.note<UnreadGrid>({
    title: "Unsupported GRIB grid",
    explain: ({ codec, wanted, found }) =>
      wanted === "order"
        ? `Values are put in another order, as adjust_longitude_range and north_up ask, on grids of latitude/longitude, Mercator, polar stereographic and Lambert conformal (templates 3.0, 3.10, 3.20, 3.30); this is ${found}.`
        : `Refscope computes the ${wanted} of ${codec === "grib" ? ECCODES_GRIDS : GRIBBERISH_GRIDS}; this is ${found}.`,
    remedy: ({ wanted }) =>
      wanted === "order"
        ? "Without the two flags the values are read in the order in which they are stored."
        : "Read the values of the message, which do not depend on it; compute its coordinates in Python.",
    readers: ({ codec, wanted }) =>
      wanted === "order" || codec !== "grib"
        ? "gribberish refuses it as well."
        : "In Python the codec “grib” has eccodes compute coordinates, which knows more kinds of grid.",
  }),
  "gribberish-differs": warning<GribberishDiffers>({
    title: "gribberish returns different values",
    heading: ({ gives }) => (gives === "error" ? "gribberish cannot read this message" : undefined),
    explain: whyDifferent,
    remedy: "Read these messages with eccodes, or with a later gribberish that returns the same values.",
    readers: ({ gives }) => GRIBBERISH_GIVES[gives],
  }),
  "grib-not-a-message": ofSource.error<{ readonly codec: string; readonly size: number; readonly start: string }>({
    title: "Not a GRIB message",
    explain: ({ size, start }) =>
      `A GRIB message begins with the letters GRIB (47 52 49 42) and has its edition, 1 or 2, in byte 8; ${size === 0 ? "there are no bytes" : `the ${counted(size, "byte")} here are not a GRIB message: they begin with ${start}`}.`,
    remedy: "The reference points at other bytes, or its offset is wrong: look for the letters GRIB near it.",
    readers: "eccodes and gribberish raise as well.",
    action: "suggest-repairs",
  }),
  "grib-packing-unsupported": ofValues.note<{
    readonly codec: string;
    readonly edition: 1 | 2;
    /** "data representation template 5.50, spectral data, simple packing". */
    readonly found: string;
  }>({
    title: "Unsupported GRIB packing",
    explain: ({ edition, found }) =>
      edition === 1
        ? `In GRIB edition 1 only simple packing of grid points is read; this is ${found}.`
        : `Values in simple, complex, IEEE, JPEG 2000, PNG or CCSDS packing are read (templates 5.0, 5.2, 5.3, 5.4, 5.40, 5.41 and 5.42); this is ${found}.`,
    remedy: SHOWN,
    readers: "eccodes reads more packings, those of spectral data and of run lengths among them.",
  }),
};
