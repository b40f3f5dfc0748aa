/** Zstandard frames that compress nothing: readers take them as any. */
import { joinBytes } from "./bytes.ts";

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
  for (let from = 0; from === 0 || from < content.length; from += MAX_BLOCK) {
    const block = content.subarray(from, from + MAX_BLOCK);
    const blockHead = (block.length << 3) | Number(from + MAX_BLOCK >= content.length);
    parts.push(Uint8Array.of(blockHead, blockHead >> 8, blockHead >> 16), block);
  }
  return joinBytes(parts);
}
