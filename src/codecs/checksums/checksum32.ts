/**
 * Checksums of 4 bytes, little-endian, before or after the data: `crc32c` (Zarr v3 core) and those of numcodecs, of which
 * `fletcher32` is HDF5's filter.
 */
import * as sums from "./checksums.ts";
import { brief, integerMember, stringMember, badConfiguration, checksumMismatch, decodeFailed } from "../codec.ts";
import type { Bytes, CodecChecksum, Decoder } from "../codec.ts";
import { lookup3 } from "#core/lookup3.ts";

export const crc32c = placedChecksum("crc32c", "CRC-32C", sums.crc32c, "end");
export const crc32 = placedChecksum("crc32", "CRC-32", sums.crc32, "start");
export const adler32 = placedChecksum("adler32", "Adler-32", sums.adler32, "start");

export const fletcher32: Decoder = {
  prepare: () => ({
    label: "Fletcher-32 checksum, verified",
    decode: (input) => {
      if (input.length < 5)
        throw decodeFailed("fletcher32", "at least 1 byte and a checksum of 4", `${input.length} bytes`);
      return verified("fletcher32", sums.fletcher32, input, "end");
    },
  }),
};

export const jenkinsLookup3: Decoder = {
  prepare: (configuration) => {
    const id = "jenkins_lookup3";
    const initial = integerMember(id, configuration, "initval", { minimum: 0, maximum: 2 ** 32 - 1, otherwise: 0 });
    const prefix = configuration.get("prefix") ?? null;
    // numcodecs takes a Python `bytes` here, which JSON has no form for: it refuses all else.
    if (prefix !== null)
      throw badConfiguration(id, "prefix", "null, as numcodecs reads no prefix from JSON", brief(prefix));
    const decode = (input: Bytes) => verified(id, (data) => lookup3(data, initial), input, "end");
    return { label: "Jenkins lookup3 checksum, verified", decode };
  },
};

function placedChecksum(id: string, name: string, sum: CodecChecksum["sum"], place: CodecChecksum["place"]): Decoder {
  return {
    prepare: (configuration) => {
      const location = stringMember(id, configuration, "location") ?? place;
      if (location !== "start" && location !== "end") {
        throw badConfiguration(id, "location", '"start" or "end"', `"${location}"`);
      }
      return { label: `${name} checksum, verified`, decode: (input) => verified(id, sum, input, location) };
    },
  };
}

function verified(id: string, sum: CodecChecksum["sum"], input: Bytes, location: CodecChecksum["place"]): Bytes {
  const size = input.length - 4;
  if (size < 0) throw decodeFailed(id, "a checksum of 4 bytes", `${input.length} bytes`);
  const atStart = location === "start";
  const data = atStart ? input.subarray(4) : input.subarray(0, size);
  const stored = new DataView(input.buffer, input.byteOffset + (atStart ? 0 : size), 4).getUint32(0, true);
  const computed = sum(data);
  if (stored !== computed) throw checksumMismatch(id, stored, computed);
  return data;
}
