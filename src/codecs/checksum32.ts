/** Checksums of 4 bytes, little-endian, before or after the data: `crc32c` (Zarr v3 core) and those of numcodecs. */
import { adler32 as adlerSum, crc32 as crcSum, crc32c as castagnoliSum } from "./checksums.ts";
import type { Codec, CodecChecksum } from "./codec.ts";
import { stringMember } from "./configuration.ts";
import { badConfiguration, checksumMismatch, decodeFailed } from "./failure.ts";

export const crc32c = checksumCodec("crc32c", ["crc32c", "numcodecs.crc32c"], {
  name: "CRC-32C",
  place: "end",
  sum: castagnoliSum,
});
export const crc32 = checksumCodec("crc32", ["numcodecs.crc32"], { name: "CRC-32", place: "start", sum: crcSum });
export const adler32 = checksumCodec("adler32", ["numcodecs.adler32", "adler32"], {
  name: "Adler-32",
  place: "start",
  sum: adlerSum,
});

function checksumCodec(id: string, v3: readonly string[], checksum: CodecChecksum): Codec {
  const { name, place, sum } = checksum;
  return {
    id,
    names: { v3 },
    kind: "bytes-bytes",
    words: `Verifies the checksum ${name} and takes it off.`,
    checksum,
    insertable: "{}",
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
