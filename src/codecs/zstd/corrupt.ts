import { decodeFailed } from "../failure.ts";

/** `codec` is `zstd`, or `blosc` where a block of a Blosc frame is zstd. */
export function corrupt(codec: string, expected: string, found: string): Error {
  return decodeFailed(codec, `zstd data with ${expected}`, found);
}
