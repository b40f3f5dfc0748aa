/** Whole files: the header of 39 bytes, then Zstandard frames. */
import { type FileType, headerBytes } from "../header.ts";
import { plainFrame } from "#core/plain-frame.ts";
import { joinBytes } from "#core/bytes.ts";

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
  return joinBytes(parts);
}
