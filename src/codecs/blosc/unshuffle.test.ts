import fc from "fast-check";
import { expect, it } from "vitest";
import { unshuffleBits, unshuffleBytes } from "./unshuffle.ts";

/** The definitions, element by element. */
function shuffleBytes(bytes: Uint8Array, size: number): Uint8Array {
  const count = Math.floor(bytes.length / size);
  return bytes.map((byte, at) => (at < count * size ? bytes[(at % count) * size + Math.floor(at / count)]! : byte));
}

function shuffleBits(bytes: Uint8Array, size: number): Uint8Array {
  const count = Math.floor(bytes.length / size);
  if (count % 8 !== 0) return bytes.slice();
  const result = bytes.slice().fill(0, 0, count * size);
  for (let bit = 0; bit < count * size * 8; bit++) {
    const [row, element] = [Math.floor(bit / count), bit % count];
    const value = (bytes[element * size + (row >> 3)]! >> (row & 7)) & 1;
    result[bit >> 3]! |= value << (bit & 7);
  }
  return result;
}

const input = fc.uint8Array({ maxLength: 600 });
const size = fc.integer({ min: 1, max: 20 });

it("unshuffle undoes shuffle", () => {
  fc.assert(
    fc.property(input, size, (bytes, elementSize) => {
      const target = new Uint8Array(bytes.length);
      unshuffleBytes(shuffleBytes(bytes, elementSize), elementSize, target);
      expect(target).toEqual(bytes);
    }),
  );
});

it("bit unshuffle undoes bit shuffle", () => {
  fc.assert(
    fc.property(input, size, (bytes, elementSize) => {
      const target = new Uint8Array(bytes.length);
      unshuffleBits(shuffleBits(bytes, elementSize), elementSize, target);
      expect(target).toEqual(bytes);
    }),
  );
});
