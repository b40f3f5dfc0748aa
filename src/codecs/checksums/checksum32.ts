/** Checksums of 4 bytes, little-endian, before or after the data: `crc32c` (Zarr v3 core) and those of numcodecs. */
import { adler32 as adlerSum, crc32 as crcSum, crc32c as castagnoliSum } from "./checksums.ts";
import type { CodecChecksum, Decoder } from "../codec.ts";
import { stringMember } from "../configuration.ts";
import { badConfiguration, checksumMismatch, decodeFailed } from "../failure.ts";

export const crc32c = checksumDecoder("crc32c", "CRC-32C", castagnoliSum, "end");
export const crc32 = checksumDecoder("crc32", "CRC-32", crcSum, "start");
export const adler32 = checksumDecoder("adler32", "Adler-32", adlerSum, "start");

function checksumDecoder(id: string, name: string, sum: CodecChecksum["sum"], place: CodecChecksum["place"]): Decoder {
  return {
    prepare: (configuration) => {
      const location = stringMember(id, configuration, "location") ?? place;
      if (location !== "start" && location !== "end") {
        throw badConfiguration(id, "location", '"start" or "end"', `"${location}"`);
      }
      return { label: `${name} checksum, verified`, decode: (input) => verify(id, sum, input, location) };
    },
  };
}

function verify(
  id: string,
  sum: (bytes: Uint8Array) => number,
  input: Uint8Array<ArrayBuffer>,
  location: CodecChecksum["place"],
): Uint8Array<ArrayBuffer> {
  const size = input.length - 4;
  if (size < 0) throw decodeFailed(id, "a checksum of 4 bytes", `${input.length} bytes`);
  const atStart = location === "start";
  const data = atStart ? input.subarray(4) : input.subarray(0, size);
  const stored = new DataView(input.buffer, input.byteOffset + (atStart ? 0 : size), 4).getUint32(0, true);
  const computed = sum(data);
  if (stored !== computed) throw checksumMismatch(id, stored, computed);
  return data;
}
