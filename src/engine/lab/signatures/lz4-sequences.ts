/** Walks an LZ4 block without decoding it (LZ4 Block Format Description). */

/** So many good sequences in a row are not a coincidence, even where the block is then cut off. */
const SURE = 64;
const LEAST_MATCH = 4;

/** Whether the bytes are one block that gives `size` bytes, or the first part of such a block. */
export function isLz4Block(bytes: Uint8Array, size: number): boolean {
  const walk = { at: 0, out: 0 };
  for (let sequences = 0; ; sequences += 1) {
    const step = takeSequence(bytes, walk);
    if (step === "end") return walk.out === size;
    if (step === "cut") return sequences >= SURE && walk.out <= size;
    if (step === "bad" || walk.out > size) return false;
  }
}

interface Walk {
  at: number;
  /** Bytes that a decoder would have written. */
  out: number;
}

type Step = "more" | "end" | "cut" | "bad";

function takeSequence(bytes: Uint8Array, walk: Walk): Step {
  const token = bytes[walk.at];
  if (token === undefined) return "cut";
  walk.at += 1;
  const literals = takeLength(bytes, walk, token >> 4);
  if (literals === undefined || walk.at + literals > bytes.length) return "cut";
  walk.at += literals;
  walk.out += literals;
  // The last sequence has literals only.
  if (walk.at === bytes.length) return "end";
  if (walk.at + 2 > bytes.length) return "cut";
  const distance = (bytes[walk.at] as number) | ((bytes[walk.at + 1] as number) << 8);
  walk.at += 2;
  if (distance === 0 || distance > walk.out) return "bad";
  const match = takeLength(bytes, walk, token & 15);
  if (match === undefined) return "cut";
  walk.out += match + LEAST_MATCH;
  return "more";
}

function takeLength(bytes: Uint8Array, walk: Walk, nibble: number): number | undefined {
  if (nibble < 15) return nibble;
  let length = 15;
  for (;;) {
    const byte = bytes[walk.at];
    if (byte === undefined) return undefined;
    walk.at += 1;
    length += byte;
    if (byte < 255) return length;
  }
}
