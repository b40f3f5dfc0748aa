/** numcodecs `fletcher32`: HDF5's checksum filter, 4 bytes (little-endian) after the data. */
import { fletcher32 as checksum } from "./checksums.ts";
import type { Decoder } from "../codec.ts";
import { checksumMismatch, decodeFailed } from "../failure.ts";

export const fletcher32: Decoder = {
  prepare: () => ({ label: "Fletcher-32 checksum, verified", decode: verify }),
};

function verify(input: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const size = input.length - 4;
  if (size < 1) throw decodeFailed("fletcher32", "at least 1 byte and a checksum of 4", `${input.length} bytes`);
  const data = input.subarray(0, size);
  const stored = new DataView(input.buffer, input.byteOffset + size, 4).getUint32(0, true);
  const computed = checksum(data);
  if (stored !== computed) throw checksumMismatch("fletcher32", stored, computed);
  return data;
}
