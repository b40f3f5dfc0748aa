/** The .xz container (xz-file-format 1.2.1): header, blocks with their checks, index, footer. */
import { hexBytes } from "../../core/hex-bytes.ts";
import { crc32 } from "../checksums.ts";
import type { Output } from "../output.ts";
import { checkBytes, checkOf } from "./checks.ts";
import { decodeChain } from "./filters.ts";
import { cutOff, invalid, invalidChecksum } from "./streams.ts";
import { readBlockHeader, readSize, type Cursor } from "./xz-header.ts";

const MAGIC = [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0];
const HEADER_BYTES = 12;

/** What the index must say of a block. */
interface BlockSizes {
  readonly unpadded: number;
  readonly decoded: number;
}

/** Appends the stream at `from`; returns the position after it. */
export function readXz(input: Uint8Array, from: number, output: Output): number {
  const flags = readHeader(input, from, output);
  const blocks: BlockSizes[] = [];
  let at = from + HEADER_BYTES;
  for (;;) {
    const size = input[at];
    if (size === undefined) throw cutOff(output.codec, input, output.length);
    if (size === 0) break;
    at = readBlock(input, at, flags, output, blocks);
  }
  const end = readIndex(input, at, blocks, output);
  readFooter(input, end, { flags, indexBytes: end - at }, output);
  return end + HEADER_BYTES;
}

/** Returns the id of the check. */
function readHeader(input: Uint8Array, from: number, output: Output): number {
  const header = input.subarray(from, from + HEADER_BYTES);
  if (header.length < HEADER_BYTES) throw cutOff(output.codec, input, output.length);
  if (!MAGIC.every((byte, at) => header[at] === byte)) {
    const found = `${hexBytes(header.subarray(0, 6))} at byte ${from}`;
    throw invalid(output.codec, "an .xz stream, which begins fd 37 7a 58 5a 00", found);
  }
  checkCrc(header.subarray(6, 8), input, from + 8, output);
  const [reserved = 0, check = 0] = header.subarray(6);
  if (reserved === 0 && check < 16) return check;
  throw invalid(output.codec, "stream flags 00 00 to 00 0f", hexBytes(header.subarray(6, 8)));
}

function checkCrc(bytes: Uint8Array, input: Uint8Array, at: number, output: Output): void {
  const stored = new DataView(input.buffer, input.byteOffset + at, 4).getUint32(0, true);
  const computed = crc32(bytes);
  const text = (value: number) => `0x${value.toString(16).padStart(8, "0")}`;
  if (stored !== computed) throw invalidChecksum(output.codec, text(stored), text(computed));
}

/** Returns the position after the block; notes its sizes. */
function readBlock(input: Uint8Array, from: number, check: number, output: Output, blocks: BlockSizes[]): number {
  const headerBytes = ((input[from] as number) + 1) * 4;
  const start = from + headerBytes;
  if (start > input.length) throw cutOff(output.codec, input, output.length);
  checkCrc(input.subarray(from, start - 4), input, start - 4, output);
  const header = readBlockHeader(input.subarray(from, start - 4), output.codec);
  const before = output.length;
  const end = decodeChain(input, start, header.chain, output);
  compareSizes(output, "stored", header.stored, end - start);
  compareSizes(output, "decoded", header.decoded, output.length - before);
  const padded = start + Math.ceil((end - start) / 4) * 4;
  expectZeros(input, end, padded, output);
  const size = checkBytes(check);
  if (padded + size > input.length) throw cutOff(output.codec, input, output.length);
  const stored = hexBytes(input.subarray(padded, padded + size));
  const kind = checkOf(check);
  const computed = kind === undefined ? stored : hexBytes(kind.compute(output.bytes.subarray(before, output.length)));
  if (stored !== computed) throw invalidChecksum(output.codec, `${kind?.name ?? "check"} ${stored}`, computed);
  blocks.push({ unpadded: headerBytes + (end - start) + size, decoded: output.length - before });
  return padded + size;
}

function compareSizes(output: Output, what: string, said: number | undefined, found: number): void {
  if (said === undefined || said === found) return;
  throw invalid(output.codec, `a block of ${said} ${what} bytes, as its header says`, `${found} bytes`);
}

function expectZeros(input: Uint8Array, from: number, to: number, output: Output): void {
  for (let at = from; at < to; at++) {
    const byte = input[at];
    if (byte === undefined) throw cutOff(output.codec, input, output.length);
    if (byte !== 0) throw invalid(output.codec, "padding of zeros", `${byte} at byte ${at}`);
  }
}

/** Returns the position after the index, which begins at `from`. */
function readIndex(input: Uint8Array, from: number, blocks: readonly BlockSizes[], output: Output): number {
  const cursor: Cursor = { bytes: input, at: from + 1 };
  const next = () => readSize(cursor, output.codec, () => cutOff(output.codec, input, output.length));
  const count = next();
  if (count !== blocks.length) throw invalid(output.codec, `an index of ${blocks.length} blocks`, String(count));
  for (const { unpadded, decoded } of blocks) {
    if (next() === unpadded && next() === decoded) continue;
    throw invalid(output.codec, "an index with the sizes of the blocks", "an index with others");
  }
  const end = from + Math.ceil((cursor.at - from) / 4) * 4;
  expectZeros(input, cursor.at, end, output);
  if (end + 4 > input.length) throw cutOff(output.codec, input, output.length);
  checkCrc(input.subarray(from, end), input, end, output);
  return end + 4;
}

function readFooter(
  input: Uint8Array,
  from: number,
  { flags, indexBytes }: { readonly flags: number; readonly indexBytes: number },
  output: Output,
): void {
  const footer = input.subarray(from, from + HEADER_BYTES);
  if (footer.length < HEADER_BYTES) throw cutOff(output.codec, input, output.length);
  if (footer[10] !== 0x59 || footer[11] !== 0x5a) {
    throw invalid(output.codec, "a footer that ends 59 5a", hexBytes(footer.subarray(10)));
  }
  checkCrc(footer.subarray(4, 10), input, from, output);
  const size = (new DataView(input.buffer, input.byteOffset + from + 4, 4).getUint32(0, true) + 1) * 4;
  if (size === indexBytes && footer[8] === 0 && footer[9] === flags) return;
  throw invalid(output.codec, "a footer with the header's flags and the index's size", hexBytes(footer));
}
