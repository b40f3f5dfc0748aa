/** Zstandard (RFC 8878), by Facebook's decoder in WebAssembly. */
import type { Codec } from "./codec.ts";
import { decodeFailed } from "./failure.ts";
import { finish, newOutput } from "./output.ts";
import { readyZstd, refuseLarger } from "./zstd-frames.ts";

export const zstd: Codec = {
  id: "zstd",
  prepare: () => ({ label: "Zstandard", decode: (input, limit) => unzstd(input, limit) }),
};

async function unzstd(input: Uint8Array<ArrayBuffer>, limit: number): Promise<Uint8Array<ArrayBuffer>> {
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
