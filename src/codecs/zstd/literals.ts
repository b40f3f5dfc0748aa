/** The literals section of a compressed block (RFC 8878 §3.1.1.3.1). */
import { corrupt } from "./corrupt.ts";
import { decodeStream, readHuffmanTable, type HuffmanTable } from "./huffman.ts";

export interface Literals {
  readonly bytes: Uint8Array;
  /** Position after the section. */
  readonly end: number;
  /** The code in force for later blocks. */
  readonly table: HuffmanTable | undefined;
}

const MOST_BYTES = 128 * 1024;

/** `block`: the bytes of the block alone. `table`: the code of the block before. */
export function readLiterals(codec: string, block: Uint8Array, table: HuffmanTable | undefined): Literals {
  const kind = (block[0] ?? 0) & 3;
  const format = ((block[0] ?? 0) >> 2) & 3;
  if (kind < 2) return plainLiterals(codec, block, kind, format, table);
  const width = format < 2 ? 10 : format === 2 ? 14 : 18;
  const start = format < 2 ? 3 : format === 2 ? 4 : 5;
  const header = littleEndian(block, start);
  const size = Math.floor(header / 16) % 2 ** width;
  const stored = Math.floor(header / 2 ** (4 + width)) % 2 ** width;
  const end = start + stored;
  if (size > MOST_BYTES || end > block.length || size === 0) {
    throw corrupt(codec, "literals inside their block", `${size} literals from ${stored} bytes`);
  }
  const read = kind === 2 ? readHuffmanTable(codec, block.subarray(0, end), start) : undefined;
  const inForce = read?.table ?? table;
  if (inForce === undefined)
    throw corrupt(codec, "a code for literals", "a block that repeats one, and none before it");
  const bytes = new Uint8Array(size);
  const from = read?.end ?? start;
  if (format === 0) decodeStream(codec, inForce, block, { from, to: end }, bytes, { at: 0, end: size });
  else decodeFour(codec, inForce, block, { from, to: end }, bytes);
  return { bytes, end, table: inForce };
}

/** As they are (kind 0), or one byte repeated (kind 1). */
function plainLiterals(
  codec: string,
  block: Uint8Array,
  kind: number,
  format: number,
  table: HuffmanTable | undefined,
): Literals {
  const start = format === 1 ? 2 : format === 3 ? 3 : 1;
  const size = littleEndian(block, start) >> (format === 1 || format === 3 ? 4 : 3);
  const end = start + (kind === 0 ? size : 1);
  if (size > MOST_BYTES || end > block.length) throw corrupt(codec, "literals inside their block", `${size} literals`);
  const bytes = kind === 0 ? block.subarray(start, end) : new Uint8Array(size).fill(block[start] as number);
  return { bytes, end, table };
}

function decodeFour(
  codec: string,
  table: HuffmanTable,
  block: Uint8Array,
  streams: { readonly from: number; readonly to: number },
  bytes: Uint8Array,
): void {
  const jumps = block.subarray(streams.from, streams.from + 6);
  const share = Math.floor((bytes.length + 3) / 4);
  let from = streams.from + 6;
  for (let i = 0; i < 4; i++) {
    const to = i === 3 ? streams.to : from + littleEndian(jumps.subarray(2 * i), 2);
    const part = { at: i * share, end: i === 3 ? bytes.length : (i + 1) * share };
    if (to > streams.to || part.at > part.end || part.end > bytes.length) {
      throw corrupt(codec, "four streams of literals inside their block", "streams that overlap or pass its end");
    }
    decodeStream(codec, table, block, { from, to }, bytes, part);
    from = to;
  }
}

function littleEndian(bytes: Uint8Array, count: number): number {
  let value = 0;
  for (let i = 0; i < count; i++) value += (bytes[i] ?? 0) * 2 ** (8 * i);
  return value;
}
