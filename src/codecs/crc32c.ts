/** `crc32c` (Zarr v3 core codec; numcodecs' of the same name): a CRC-32C, 4 bytes little-endian, after the data. */
import { crc32c as checksum } from "./checksums.ts";
import type { Codec } from "./codec.ts";
import { stringMember } from "./configuration.ts";
import { badConfiguration, checksumMismatch, decodeFailed } from "./failure.ts";

export const crc32c: Codec = {
  id: "crc32c",
  prepare: (configuration) => {
    const location = stringMember("crc32c", configuration, "location") ?? "end";
    if (location !== "start" && location !== "end") {
      throw badConfiguration("crc32c", "location", '"start" or "end"', `"${location}"`);
    }
    return { label: "CRC-32C checksum, verified", decode: (input) => verify(input, location) };
  },
};

function verify(input: Uint8Array<ArrayBuffer>, location: "start" | "end"): Uint8Array<ArrayBuffer> {
  const size = input.length - 4;
  if (size < 0) throw decodeFailed("crc32c", "a checksum of 4 bytes", `${input.length} bytes`);
  const atStart = location === "start";
  const data = atStart ? input.subarray(4) : input.subarray(0, size);
  const stored = new DataView(input.buffer, input.byteOffset + (atStart ? 0 : size), 4).getUint32(0, true);
  const computed = checksum(data);
  if (stored !== computed) throw checksumMismatch("crc32c", stored, computed);
  return data;
}
