/** The raw Snappy format (google/snappy, format_description.txt). */
import { unsignedAt } from "#core/bytes.ts";
import { copyMatch, decodeFailed, type Decoder, decodeTooLarge } from "../codec.ts";

/** Decodes all of `input` into exactly all of `target`. `codec` is for errors. Throws `decode-failed`. */
export function decodeSnappy(input: Uint8Array, target: Uint8Array, codec = "blosc"): void {
  const corrupt = (at: number) =>
    decodeFailed(codec, "literals and matches inside their block", `Snappy data that break this at byte ${at}`);
  const { length: expected, end } = snappyLength(input, codec);
  if (expected !== target.length) {
    throw decodeFailed(codec, `a Snappy block of ${target.length} bytes`, `${expected} bytes`);
  }
  let at = end;
  let to = 0;
  while (at < input.length) {
    const tag = input[at++] as number;
    const kind = tag & 3;
    if (kind === 0) {
      const extra = Math.max(0, (tag >> 2) - 59);
      const length = 1 + (extra === 0 ? tag >> 2 : unsignedAt(input, at, extra));
      at += extra;
      if (at + length > input.length || to + length > target.length) throw corrupt(at);
      target.set(input.subarray(at, at + length), to);
      at += length;
      to += length;
      continue;
    }
    const length = kind === 1 ? ((tag >> 2) & 7) + 4 : (tag >> 2) + 1;
    const extra = kind === 3 ? 4 : kind;
    const distance = unsignedAt(input, at, extra) + (kind === 1 ? (tag >> 5) * 256 : 0);
    at += extra;
    if (distance === 0 || distance > to || to + length > target.length) throw corrupt(at);
    copyMatch(target, to, distance, length);
    to += length;
  }
  if (to !== target.length) throw decodeFailed(codec, `a block of ${target.length} bytes`, `${to} bytes`);
}

/** The decoded length that Snappy data begin with, and the position after it. Throws `decode-failed`. */
function snappyLength(input: Uint8Array, codec: string): { readonly length: number; readonly end: number } {
  let length = 0;
  for (let at = 0; at < Math.min(5, input.length); at++) {
    const byte = input[at] as number;
    length += (byte & 127) * 2 ** (7 * at);
    if (byte < 128) return { length, end: at + 1 };
  }
  throw decodeFailed(codec, "a length of at most 5 bytes before Snappy data", "none");
}

/** Snappy as imagecodecs reads it: one block (google/snappy, format_description.txt). */
const ID = "imagecodecs_snappy";
/** Three bytes copy 64 at most. */
const MOST_A_BYTE = 64;

export const imagecodecsSnappy: Decoder = {
  prepare: () => ({ label: "Snappy", decode: unsnappy }),
};

function unsnappy(input: Uint8Array<ArrayBuffer>, limit: number): Uint8Array<ArrayBuffer> {
  const { length } = snappyLength(input, ID);
  if (length > limit) throw decodeTooLarge(ID, limit, `${length} bytes, as the data says`);
  if (length > input.length * MOST_A_BYTE) {
    throw decodeFailed(ID, `${length} bytes`, `${input.length} stored bytes, too few`);
  }
  const target = new Uint8Array(length);
  decodeSnappy(input, target, ID);
  return target;
}
