/** Where a compressed stream ends, by what the stream itself says: for references that are too short or too long. */
import { inflate } from "../../../codecs/inflate.ts";
import { newOutput } from "../../../codecs/output.ts";

/**
 * Bytes of the stream at the beginning of `bytes`, checksums and trailers included; `undefined` where the codec does not
 * say, or there is no whole stream. `limit` is the most bytes it may decode to.
 */
export function streamEnd(codec: string, bytes: Uint8Array<ArrayBuffer>, limit: number): number | undefined {
  try {
    const end = ENDS.get(codec)?.(bytes, limit);
    return end === undefined || end > bytes.length || end <= 0 ? undefined : end;
  } catch {
    // Damaged, or none at all: the decoder itself says why, when it is tried.
    return undefined;
  }
}

type FindEnd = (bytes: Uint8Array<ArrayBuffer>, limit: number) => number | undefined;

const ENDS: ReadonlyMap<string, FindEnd> = new Map<string, FindEnd>([
  ["zlib", (bytes, limit) => inflate(bytes, 2, newOutput("zlib", limit, limit)) + 4],
  ["deflate", (bytes, limit) => inflate(bytes, 0, newOutput("deflate", limit, limit))],
  ["gzip", (bytes, limit) => inflate(bytes, gzipHeader(bytes), newOutput("gzip", limit, limit)) + 8],
  ["zstd", (bytes) => zstdEnd(bytes)],
  ["blosc", (bytes) => (bytes.length < 16 ? undefined : viewOf(bytes).getUint32(12, true))],
  ["lz4", (bytes, limit) => lz4End(bytes, limit)],
]);

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** RFC 1952 §2.3.1: after 10 bytes an extra field, a name and a comment, as the flags say. */
function gzipHeader(bytes: Uint8Array): number {
  const flags = bytes[3] ?? 0;
  let at = 10;
  if (flags & 4) at += 2 + (bytes[at] ?? 0) + 256 * (bytes[at + 1] ?? 0);
  for (const flag of [8, 16]) if (flags & flag) at = Math.max(at, bytes.indexOf(0, at)) + 1;
  return flags & 2 ? at + 2 : at;
}

/** RFC 8878 §3.1.1: the header, then blocks that say their size, then perhaps a checksum. */
function zstdEnd(bytes: Uint8Array): number | undefined {
  const descriptor = bytes[4] ?? 0;
  const isSingle = (descriptor & 32) !== 0;
  const dictionary = [0, 1, 2, 4][descriptor & 3] ?? 0;
  let at = 5 + (isSingle ? 0 : 1) + dictionary + ([isSingle ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0);
  while (at + 3 <= bytes.length) {
    const header = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16);
    const type = (header >> 1) & 3;
    if (type === 3) return undefined;
    at += 3 + (type === 1 ? 1 : header >> 3);
    if (header & 1) return at + (descriptor & 4 ? 4 : 0);
  }
  return undefined;
}

/** numcodecs' framing: the decoded size, then a block, which ends with the literals that fill it. */
function lz4End(bytes: Uint8Array, limit: number): number | undefined {
  if (bytes.length < 5) return undefined;
  const size = viewOf(bytes).getInt32(0, true);
  if (size <= 0 || size > limit) return undefined;
  let [at, decoded] = [4, 0];
  while (at < bytes.length) {
    const token = bytes[at++] as number;
    const literals = lengthAt(bytes, at, token >> 4);
    at = literals.at + literals.length;
    decoded += literals.length;
    if (decoded >= size) return decoded === size ? at : undefined;
    const match = lengthAt(bytes, at + 2, token & 15);
    ({ at } = match);
    decoded += match.length + 4;
  }
  return undefined;
}

function lengthAt(bytes: Uint8Array, from: number, nibble: number): { readonly at: number; readonly length: number } {
  let [at, length] = [from, nibble];
  let more = nibble === 15 ? 255 : 0;
  while (more === 255 && at < bytes.length) length += more = bytes[at++] as number;
  return { at, length };
}
