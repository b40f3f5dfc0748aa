/** A Blosc buffer (c-blosc, README_CHUNK_FORMAT.rst), or a Blosc2 chunk. */
import type { Signature } from "../../../core/check/lab.ts";
import { factsOf, lengthFact, viewOf, type Recognise } from "./signature.ts";

const HEADER = 16;
/** Blosc2 only. */
const MAX_HEADER = 32;
const MAX_MISSING = 65_536;
const INNER = ["BloscLZ", "LZ4", "Snappy", "zlib", "zstd"];
const VERSIONS: ReadonlySet<number> = new Set([1, 2]);
const VERSIONS_2: ReadonlySet<number> = new Set([3, 4, 5]);
const RESERVED = 8;
const BYTE_SHUFFLE = 1;
const COPIED = 2;
const BIT_SHUFFLE = 4;

export const blosc: Recognise = (bytes) => {
  if (bytes.length < HEADER) return undefined;
  const [version = 0, innerVersion = 0, flags = 0, typeSize = 0] = bytes;
  const view = viewOf(bytes);
  const [size, block, stored] = [view.getUint32(4, true), view.getUint32(8, true), view.getUint32(12, true)];
  const isPlausible =
    typeSize > 0 && block <= Math.max(size, 1) && (size === 0 || block > 0) && isStoredSize(stored, size, bytes.length);
  const isTwo = VERSIONS_2.has(version) && (flags & BYTE_SHUFFLE) !== 0 && (flags & BIT_SHUFFLE) !== 0;
  if (!isPlausible || !(isTwo || (VERSIONS.has(version) && innerVersion === 1 && (flags & RESERVED) === 0))) {
    return undefined;
  }
  const inner = INNER[flags >> 5];
  if (inner === undefined) return undefined;
  return isTwo ? two(bytes, { size, typeSize }) : one(bytes, { flags, typeSize, size, block, stored, inner });
};

/** Blosc never gives more than the bytes and a header; a reference is not much shorter than what it means. */
function isStoredSize(stored: number, size: number, length: number): boolean {
  return stored >= HEADER && stored <= size + MAX_HEADER && stored <= length + MAX_MISSING;
}

interface Header {
  readonly flags: number;
  readonly typeSize: number;
  readonly size: number;
  readonly block: number;
  readonly stored: number;
  readonly inner: string;
}

function one(bytes: Uint8Array, { flags, typeSize, size, block, stored, inner }: Header): Signature {
  const shuffle = shuffleName(flags);
  const isCopied = (flags & COPIED) !== 0;
  const facts = factsOf({
    "Format version": String(bytes[0]),
    "Codec inside": isCopied ? `${inner}, but the bytes are stored as they are` : inner,
    Shuffle: shuffle,
    "Element size": `${typeSize} bytes`,
    "Size when decoded": `${size} bytes`,
    "Block size": `${block} bytes`,
    "Size as stored": lengthFact(stored, bytes.length),
  });
  return { name: "blosc", label: `Blosc, ${inner}, ${shuffle}, ${typeSize}-byte elements`, facts };
}

function shuffleName(flags: number): string {
  if ((flags & BIT_SHUFFLE) !== 0) return "bit shuffle";
  return (flags & BYTE_SHUFFLE) === 0 ? "no shuffle" : "byte shuffle";
}

function two(bytes: Uint8Array, { size, typeSize }: Pick<Header, "size" | "typeSize">): Signature {
  const facts = factsOf({
    "Format version": String(bytes[0]),
    "Element size": `${typeSize} bytes`,
    "Size when decoded": `${size} bytes`,
  });
  return { name: "blosc2", label: `Blosc2, ${typeSize}-byte elements`, facts };
}
