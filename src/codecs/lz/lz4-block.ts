/** The LZ4 block format (lz4_Block_format.md). */
import { copyMatch, decodeFailed } from "../codec.ts";

/** Decodes all of `input` into exactly all of `target`. Throws `decode-failed`. */
export function decodeLz4Block(codec: string, input: Uint8Array, target: Uint8Array): void {
  let at = 0;
  let to = 0;
  while (at < input.length) {
    const token = input[at++] as number;
    let literals = token >> 4;
    if (literals === 15) {
      let more = 255;
      while (more === 255 && at < input.length) literals += more = input[at++] as number;
    }
    if (at + literals > input.length) throw corrupt(codec, "literals inside the stored bytes", at);
    if (to + literals > target.length) throw tooLong(codec, target);
    if (literals > 32) target.set(input.subarray(at, at + literals), to);
    else for (let i = 0; i < literals; i++) target[to + i] = input[at + i] as number;
    at += literals;
    to += literals;
    if (at === input.length) break;
    const distance = (input[at] as number) | ((input[at + 1] ?? 0) << 8);
    at += 2;
    if (distance === 0 || distance > to) throw corrupt(codec, "a match inside what was decoded", at);
    let length = (token & 15) + 4;
    if (length === 19) {
      let more = 255;
      while (more === 255 && at < input.length) length += more = input[at++] as number;
    }
    if (to + length > target.length) throw tooLong(codec, target);
    copyMatch(target, to, distance, length);
    to += length;
  }
  if (to !== target.length) {
    throw decodeFailed(codec, `${target.length} bytes, as the header says`, `${to} bytes of LZ4 data`);
  }
}

/**
 * A length that goes on in bytes of 255 and one below, and the place after it; without end where the block ends first.
 */
export function lengthFrom(block: Uint8Array, from: number, length: number): [length: number, at: number] {
  let [sum, at] = [length, from];
  for (;;) {
    const more = block[at++];
    if (more === undefined) return [Number.POSITIVE_INFINITY, at];
    sum += more;
    if (more < 255) return [sum, at];
  }
}

export function corrupt(codec: string, expected: string, at: number): Error {
  return decodeFailed(codec, expected, `LZ4 data that break this at byte ${at}`);
}

function tooLong(codec: string, target: Uint8Array): Error {
  return decodeFailed(codec, `${target.length} bytes, as the header says`, "LZ4 data of more bytes");
}
