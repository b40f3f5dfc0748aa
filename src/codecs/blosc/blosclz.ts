/** BloscLZ, Blosc's own fast compressor (c-blosc's blosclz.c, formats of versions 1 and 2). */
import { decodeFailed } from "../failure.ts";
import { copyMatch } from "../output.ts";

const NEAR = 8191;

/** Decodes all of `input` into exactly all of `target`. Throws `decode-failed`. */
export function decodeBloscLz(input: Uint8Array, target: Uint8Array): void {
  let at = 0;
  let to = 0;
  // The upper bits of the first byte say nothing: data begin with literals.
  let control = (input[at++] ?? 0) & 31;
  for (;;) {
    if (control < 32) {
      const length = control + 1;
      if (at + length > input.length || to + length > target.length) throw corrupt(at);
      target.set(input.subarray(at, at + length), to);
      at += length;
      to += length;
    } else {
      let length = (control >> 5) + 2;
      if (length === 9) {
        let more = 255;
        while (more === 255 && at < input.length) length += more = input[at++] as number;
      }
      const low = input[at++] ?? 0;
      let distance = ((control & 31) << 8) + low + 1;
      if (low === 255 && (control & 31) === 31) {
        distance = ((input[at] ?? 0) << 8) + (input[at + 1] ?? 0) + NEAR + 1;
        at += 2;
      }
      if (at > input.length || distance > to || to + length > target.length) throw corrupt(at);
      copyMatch(target, to, distance, length);
      to += length;
    }
    if (at >= input.length) break;
    control = input[at++] as number;
  }
  if (to !== target.length) throw decodeFailed("blosc", `a block of ${target.length} bytes`, `${to} bytes`);
}

function corrupt(at: number): Error {
  return decodeFailed("blosc", "literals and matches inside their block", `BloscLZ data that break this at byte ${at}`);
}
