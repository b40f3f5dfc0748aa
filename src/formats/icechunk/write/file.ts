/** Whole files: the header of 39 bytes, then Zstandard frames. */
import { type FileType, headerBytes } from "../header.ts";
import { joined } from "./flat-builder.ts";

/** One Zstandard frame. Without a compressor the frames compress nothing, which readers take as well. */
export type CompressFrame = (content: Uint8Array) => Promise<Uint8Array> | Uint8Array;

/** Each piece becomes a frame: readers read all of them, and no more than a piece is held twice. */
export async function icechunkFile(
  type: FileType,
  pieces: Iterable<Uint8Array>,
  compress: CompressFrame = plainFrame,
): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [headerBytes(type)];
  for (const piece of pieces) parts.push(await compress(piece));
  return joined(parts);
}

const MAGIC = [0x28, 0xb5, 0x2f, 0xfd];
/** A single segment with its size in four bytes. */
const DESCRIPTOR = 0xa0;
const MAX_BLOCK = 128 * 1024;

/** A frame of raw blocks (RFC 8878). */
export function plainFrame(content: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = new Uint8Array(9);
  head.set([...MAGIC, DESCRIPTOR]);
  new DataView(head.buffer).setUint32(5, content.length, true);
  const parts: Uint8Array[] = [head];
  for (let at = 0; at === 0 || at < content.length; at += MAX_BLOCK) {
    const block = content.subarray(at, at + MAX_BLOCK);
    const blockHead = (block.length << 3) | Number(at + MAX_BLOCK >= content.length);
    parts.push(Uint8Array.of(blockHead, blockHead >> 8, blockHead >> 16), block);
  }
  return joined(parts);
}
