/** Messages of GRIB that the two codecs do not read, or do not read in full. */
import { chunkAt } from "../place.ts";
import { decoding } from "./codec.ts";
import { counted } from "./phrases.ts";

const SHOWN = "Look at the sections of the message, which are shown, or read the chunk in Python.";

/** `order`: values are to be put in another order than they are stored in. */
type UnreadGrid = {
  readonly codec: string;
  readonly wanted: "latitudes" | "longitudes" | "order";
  /** "template 3.40, Gaussian latitude/longitude". */
  readonly found: string;
};

const T2M = chunkAt("t2m", [0, 0]);

export const GRIB = {
  "grib-bitmap-unsupported": decoding<{ readonly codec: string; readonly indicator: number }>({
    title: "A bit-map that is not in the message",
    severity: "error",
    explain: ({ indicator }) =>
      `Section 6 of the GRIB message should hold a bit-map (indicator 0) or say that there is none (255); it names bit-map ${indicator}, which the producing centre defines elsewhere.`,
    remedy: SHOWN,
    readers: "What eccodes and gribberish give for such a message is not known.",
    about: "source",
    example: { place: T2M, facts: { codec: "grib", indicator: 3 } },
  }),
  "grib-grid-unsupported": decoding<UnreadGrid>({
    title: "A grid that is not computed",
    severity: "error",
    explain: ({ wanted, found }) =>
      wanted === "order"
        ? `Values are put in another order, as adjust_longitude_range and north_up ask, on grids of latitude/longitude, Mercator, polar stereographic and Lambert conformal (templates 3.0, 3.10, 3.20, 3.30); this is ${found}.`
        : `Refscope computes the ${wanted} of regular latitude/longitude grids, template 3.0, with rows all in one direction; this is ${found}.`,
    remedy: ({ wanted }) =>
      wanted === "order"
        ? "Without the two flags the values are read in the order in which they are stored."
        : "Read the values of the message, which do not depend on it; compute its coordinates in Python.",
    readers: ({ wanted }) =>
      wanted === "order"
        ? "gribberish refuses it as well."
        : "In Python the codec “grib” has eccodes compute coordinates, which knows more kinds of grid; gribberish knows some more as well.",
    about: "source",
    example: {
      place: T2M,
      facts: {
        codec: "grib",
        wanted: "latitudes",
        found: "grid definition template 3.40, Gaussian latitude/longitude",
      },
    },
  }),
  "grib-not-a-message": decoding<{ readonly codec: string; readonly size: number; readonly start: string }>({
    title: "Not a GRIB message",
    severity: "error",
    explain: ({ size, start }) =>
      `A GRIB message begins with the letters GRIB (47 52 49 42) and has its edition, 1 or 2, in byte 8; ${size === 0 ? "there are no bytes" : `the ${counted(size, "byte")} here are not a GRIB message: they begin with ${start}`}.`,
    remedy: "The reference points at other bytes, or its offset is wrong: look for the letters GRIB near it.",
    readers: "eccodes and gribberish raise as well.",
    about: "source",
    action: "suggest-repairs",
    example: { place: T2M, facts: { codec: "grib", size: 768, start: "89 48 44 46 0d 0a 1a 0a" } },
  }),
  "grib-packing-unsupported": decoding<{
    readonly codec: string;
    readonly edition: 1 | 2;
    /** "data representation template 5.40, grid point data, JPEG 2000 code stream". */
    readonly found: string;
  }>({
    title: "A GRIB packing that is not read",
    severity: "error",
    explain: ({ edition, found }) =>
      edition === 1
        ? `In GRIB edition 1 only simple packing of grid points is read; this is ${found}.`
        : `Values in simple, complex, IEEE, PNG or CCSDS packing are read (templates 5.0, 5.2, 5.3, 5.4, 5.41 and 5.42); this is ${found}.`,
    remedy: SHOWN,
    readers: "eccodes reads more packings, JPEG 2000 among them, as far as it was built with their libraries.",
    about: "source",
    example: {
      place: T2M,
      facts: {
        codec: "grib",
        edition: 2,
        found: "data representation template 5.40, grid point data, JPEG 2000 code stream",
      },
    },
  }),
};
