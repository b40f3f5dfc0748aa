/** Zstandard (RFC 8878). Written here because the WebAssembly builds at hand need `unsafe-eval`, or hang on bad data. */
import type { Codec } from "./codec.ts";
import { decodeFailed } from "./failure.ts";
import { decodeZstd } from "./zstd/frame.ts";

export const zstd: Codec = {
  id: "zstd",
  prepare: () => ({ label: "Zstandard", decode: (input, limit) => unzstd(input, limit) }),
};

function unzstd(input: Uint8Array<ArrayBuffer>, limit: number): Uint8Array<ArrayBuffer> {
  const result = decodeZstd("zstd", input, limit);
  // numcodecs refuses a frame of nothing as it does invalid data.
  if (result.length === 0)
    throw decodeFailed("zstd", "frames of at least 1 byte", `${input.length} bytes that hold none`);
  return result;
}
