/** For tests: files damaged at random, the same ones every time. */

export interface Random {
  /** A whole number in [0, below). */
  below(below: number): number;
}

/** Mulberry32. */
export function randomFrom(seed: number): Random {
  let state = seed;
  return {
    below(below) {
      state = (state + 0x6d2b79f5) | 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
    },
  };
}

const WORDS = [0, 1, 4, 8, 0x7f, 0xff, 0xffff, 0x10000, 0x7fff_ffff, 0x8000_0000, 0xffff_fff0, 0xffff_ffff];

/** A copy with one to four errors: bits, bytes, words of special values, pieces moved, the end cut off. */
export function damaged(bytes: Uint8Array, random: Random): Uint8Array {
  let copy = Uint8Array.from(bytes);
  for (let fault = random.below(4); fault >= 0; fault -= 1) copy = withFault(copy, random);
  return copy;
}

function withFault(bytes: Uint8Array<ArrayBuffer>, random: Random): Uint8Array<ArrayBuffer> {
  const at = random.below(Math.max(1, bytes.length));
  const view = new DataView(bytes.buffer);
  const kind = random.below(8);
  if (kind === 0) bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8));
  else if (kind === 1) bytes[at] = random.below(256);
  else if (kind === 2) return bytes.slice(0, at);
  else if (kind === 3) bytes.copyWithin(at, random.below(bytes.length), random.below(bytes.length));
  else if (bytes.length >= 4) {
    const word = Math.min(bytes.length - 4, kind < 6 ? at & ~3 : at);
    const value = kind === 7 ? view.getUint32(word, true) + random.below(65) - 32 : WORDS[random.below(WORDS.length)]!;
    view.setUint32(word, value >>> 0, true);
  }
  return bytes;
}
