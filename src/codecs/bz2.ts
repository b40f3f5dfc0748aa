/** bzip2 (the format of bzip2 1.0.8): numcodecs' `bz2`. The decoder is loaded when first needed. */
import type { Decoder } from "./codec.ts";
import { finish, newOutput } from "./output.ts";

export const bz2: Decoder = {
  prepare: () => ({ label: "bzip2", decode: unbz2 }),
};

/** As Python's `bz2.decompress`: no bytes at all decode to none, checksums are verified. */
async function unbz2(input: Uint8Array<ArrayBuffer>, limit: number): Promise<Uint8Array<ArrayBuffer>> {
  const { decodeBz2 } = await import("./bz2/stream.ts");
  const output = newOutput("bz2", limit, input.length * 4);
  decodeBz2(input, output);
  return finish(output);
}
