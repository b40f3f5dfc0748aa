/** LZ4: its own frame format, the framing of numcodecs, that of HDF5's filter 32004. */
import { beginsWith, factsOf, type Recognise, viewOf } from "./signature.ts";

/** LZ4 Frame Format Description, version 1.6.4. */
export const lz4Frame: Recognise = (bytes) => {
  if (beginsWith(bytes, [0x02, 0x21, 0x4c, 0x18])) return { name: "lz4", label: "LZ4, legacy frame", facts: [] };
  if (!beginsWith(bytes, [0x04, 0x22, 0x4d, 0x18]) || bytes.length < 7) return undefined;
  const flags = bytes[4] ?? 0;
  const hasSize = (flags & 8) !== 0 && bytes.length >= 14;
  const facts = factsOf({
    Blocks: (flags & 0x20) === 0 ? "depend on each other" : "independent",
    "Content size": hasSize ? `${viewOf(bytes).getBigUint64(6, true)} bytes` : "not said",
    Checksum: (flags & 4) === 0 ? "none" : "of the content",
  });
  return { name: "lz4", label: "LZ4 frame (no codec of Zarr writes it)", facts };
};

const SIZE_BYTES = 4;
/** The most bytes that an LZ4 block gives for each of its own. */
const MAX_RATIO = 255;

/** 4 bytes of size, little-endian, then one block (numcodecs, lz4.pyx). There is no magic: the whole block must fit. */
export const lz4Numcodecs: Recognise = (bytes) => {
  if (bytes.length < SIZE_BYTES + 2) return undefined;
  const size = viewOf(bytes).getUint32(0, true);
  if (size === 0 || size > bytes.length * MAX_RATIO) return undefined;
  if (!isLz4Block(bytes.subarray(SIZE_BYTES), size)) return undefined;
  const facts = factsOf({ Framing: "of numcodecs: size, then one block", "Size when decoded": `${size} bytes` });
  return { name: "lz4", label: `LZ4 as numcodecs frames it, ${size} bytes when decoded`, facts };
};

const HEADER = 12;

/** 8 bytes of size and 4 of block size, big-endian, then blocks after their sizes (HDF5 filter 32004). */
export const lz4Hdf5: Recognise = (bytes) => {
  if (bytes.length < HEADER + 4) return undefined;
  const view = viewOf(bytes);
  const [size, block] = [view.getBigUint64(0), view.getUint32(8)];
  if (size === 0n || block === 0 || size > BigInt(bytes.length * MAX_RATIO)) return undefined;
  if (!areBlocks(bytes, Math.ceil(Number(size) / block), block)) return undefined;
  const facts = factsOf({
    Framing: "of HDF5's filter 32004: size, block size, blocks",
    "Size when decoded": `${size} bytes`,
    "Block size": `${block} bytes`,
  });
  return { name: "lz4-hdf5", label: `LZ4 as HDF5 frames it, ${size} bytes when decoded`, facts };
};

/** All blocks are there, none longer than it is when decoded. (One that does not shrink is stored as it is.) */
function areBlocks(bytes: Uint8Array, count: number, block: number): boolean {
  const view = viewOf(bytes);
  let at = HEADER;
  for (let index = 0; index < count; index += 1) {
    if (at + 4 > bytes.length) return false;
    const stored = view.getUint32(at);
    if (stored === 0 || stored > block) return false;
    at += 4 + stored;
  }
  return at === bytes.length;
}

// Walks an LZ4 block without decoding it (LZ4 Block Format Description).

/** So many good sequences in a row are not a coincidence, even where the block is then cut off. */
const SURE = 64;
const LEAST_MATCH = 4;

/** Whether the bytes are one block that gives `size` bytes, or the first part of such a block. */
function isLz4Block(bytes: Uint8Array, size: number): boolean {
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
