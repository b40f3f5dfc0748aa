/** Zstandard (RFC 8878), by Facebook's decoder in WebAssembly. */
import { decodeFailed, type Decoder, finish, newOutput } from "../codec.ts";
import { readyZstd, refuseLarger } from "./zstd-frames.ts";

/** A bit of a frame's descriptor (RFC 8878 §3.1.1.1.1). */
const HAS_CHECKSUM = 4;

export const zstd: Decoder = {
  streamEnd: frameEnd,
  prepare: () => ({ label: "Zstandard", decode: (input, limit) => unzstd(input, limit) }),
};

/** All frames. Throws `decode-failed`, `decode-too-large`, `checksum-mismatch`, `decompress-unavailable`. */
export async function unzstd(input: Uint8Array<ArrayBuffer>, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const decodeFrames = await readyZstd();
  refuseLarger("zstd", input, limit);
  const output = newOutput("zstd", limit, 0);
  decodeFrames(input, output);
  // numcodecs refuses a frame of nothing as it does invalid data.
  if (output.length === 0) {
    throw decodeFailed("zstd", "frames of at least 1 byte", `${input.length} bytes that hold none`);
  }
  return finish(output);
}

/** End of the first frame (RFC 8878 §3.1.1): the header, then blocks that say their size, then perhaps a checksum. */
function frameEnd(bytes: Uint8Array): number | undefined {
  const descriptor = bytes[4] ?? 0;
  const isSingle = (descriptor & 32) !== 0;
  const dictionary = [0, 1, 2, 4][descriptor & 3] ?? 0;
  let at = 5 + (isSingle ? 0 : 1) + dictionary + ([isSingle ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0);
  while (at + 3 <= bytes.length) {
    const header = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16);
    const type = (header >> 1) & 3;
    if (type === 3) return undefined;
    at += 3 + (type === 1 ? 1 : header >> 3);
    if (header & 1) return at + (descriptor & HAS_CHECKSUM ? 4 : 0);
  }
  return undefined;
}
