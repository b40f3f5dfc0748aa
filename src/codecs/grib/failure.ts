/** The errors that reading a GRIB message ends in. */
import { hexBytes } from "#core/bytes.ts";
import { failure, type RefscopeError, WHOLE_SET } from "#core/findings/finding.ts";
import { decodeFailed } from "../codec.ts";
import { sectionName } from "./tables.ts";

export function damaged(codec: string, section: number, expected: string, found: string): RefscopeError {
  return decodeFailed(codec, expected, found, sectionName(section));
}

export function notAMessage(codec: string, bytes: Uint8Array): RefscopeError {
  const start = hexBytes(bytes.subarray(0, 8));
  return failure("grib-not-a-message", WHOLE_SET, { codec, size: bytes.length, start });
}

/** `found`: "data representation template 5.50, spectral data, simple packing". */
export function packingUnsupported(codec: string, edition: 1 | 2, found: string): RefscopeError {
  return failure("grib-packing-unsupported", WHOLE_SET, { codec, edition, found });
}

export function gridUnsupported(codec: string, wanted: "latitudes" | "longitudes" | "order", found: string) {
  return failure("grib-grid-unsupported", WHOLE_SET, { codec, wanted, found });
}
