/** The errors that reading a GRIB message ends in. Each says which section, what was expected there and what was found. */
import { RefscopeError } from "../../core/errors.ts";
import { decodeFailed } from "../failure.ts";
import { sectionName } from "./tables.ts";

/** As `decode-failed`, with the section in words. */
export function damaged(codec: string, section: number, expected: string, found: string): RefscopeError {
  return decodeFailed(codec, `in ${sectionName(section)}: ${expected}`, found);
}

/** Code `grib-not-a-message`. */
export function notAMessage(codec: string, bytes: Uint8Array): RefscopeError {
  return new RefscopeError({
    code: "grib-not-a-message",
    doing: `Decoding with “${codec}”`,
    expected: "a GRIB message, which begins with the letters GRIB (47 52 49 42) and its edition, 1 or 2, in byte 8",
    found:
      bytes.length === 0 ? "no bytes" : `${bytes.length} bytes, not a GRIB message: they begin with ${first(bytes)}`,
    advice: "The reference points at other bytes, or its offset is wrong: look for the letters GRIB near it.",
  });
}

/** Code `grib-packing-unsupported`. `where`: "data representation template 5.40, grid point data, JPEG 2000 code stream". */
export function packingUnsupported(codec: string, where: string, advice: string): RefscopeError {
  return new RefscopeError({
    code: "grib-packing-unsupported",
    doing: `Decoding with “${codec}”`,
    expected: "values in simple, complex, IEEE or PNG packing (templates 5.0, 5.2, 5.3, 5.4 and 5.41)",
    found: where,
    advice,
  });
}

/** Code `grib-grid-unsupported`. */
export function gridUnsupported(codec: string, where: string, what: string): RefscopeError {
  return new RefscopeError({
    code: "grib-grid-unsupported",
    doing: `Decoding with “${codec}”`,
    expected: `a grid whose ${what} Refscope computes: regular latitude/longitude, template 3.0, rows all in one direction`,
    found: where,
    advice: "The values of the message can be read; its coordinates are not computed for such a grid.",
  });
}

/** Code `grib-grid-unsupported`, where values are to be put in another order. */
export function orientationUnsupported(codec: string, where: string): RefscopeError {
  return new RefscopeError({
    code: "grib-grid-unsupported",
    doing: `Decoding with “${codec}”`,
    expected:
      "a grid that gribberish computes, as adjust_longitude_range or north_up is set: latitude/longitude, Mercator, polar stereographic or Lambert conformal (templates 3.0, 3.10, 3.20, 3.30)",
    found: where,
    advice: "gribberish refuses it too. Without the two flags the values are read in the order they are stored.",
  });
}

function first(bytes: Uint8Array): string {
  return [...bytes.subarray(0, 8)].map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
}
