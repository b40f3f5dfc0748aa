/** The stream's edges: pieces of any size, output that fills the decoder's buffer exactly. */
import { expect, it } from "vitest";
import type { Pieces } from "./byte-stream.ts";
import { unzstd } from "./decompress.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** A frame (RFC 8878 §3.1.1) of `count` blocks that repeat the byte 7, 128 KiB each. */
function runs(count: number): Bytes {
  const blocks = Array.from({ length: count }, (_, i) => [i === count - 1 ? 3 : 2, 0, 0x10, 7]);
  return Uint8Array.from([0x28, 0xb5, 0x2f, 0xfd, 0, 0x58, ...blocks.flat()]);
}

function inPieces(bytes: Bytes, size: number): Pieces {
  let at = 0;
  return {
    next: async () => (at < bytes.length ? bytes.slice(at, (at += size)) : undefined),
    close: async () => undefined,
  };
}

async function lengthOf(pieces: Pieces): Promise<number> {
  let total = 0;
  for (let piece = await pieces.next(); piece !== undefined; piece = await pieces.next()) total += piece.byteLength;
  return total;
}

// The decoder's buffer holds 1 MiB: eight blocks fill it to the last byte.
it.each([1, 7, 8, 9, 16])("a frame of %i times 128 KiB comes out whole, whatever the pieces", async (count) => {
  for (const size of [1, 5, 1000]) {
    expect(await lengthOf(await unzstd(inPieces(runs(count), size)))).toBe(count * 2 ** 17);
  }
});

it("frames that fill the buffer follow each other, and one that is cut off fails", async () => {
  const two = Uint8Array.from([...runs(8), ...runs(8)]);
  expect(await lengthOf(await unzstd(inPieces(two, 3)))).toBe(2 ** 21);
  await expect(lengthOf(await unzstd(inPieces(two.slice(0, -1), 3)))).rejects.toThrow("in the middle of a frame");
});

it("empty pieces mean nothing", async () => {
  const pieces = [runs(8), new Uint8Array(0), runs(1), new Uint8Array(0)];
  const source = { next: async () => pieces.shift(), close: async () => undefined };
  expect(await lengthOf(await unzstd(source))).toBe(9 * 2 ** 17);
});
