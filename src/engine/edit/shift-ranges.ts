/** The edit `shift-ranges`: which keys it means, and where a range comes to lie. */
import type { TableEdit } from "../../core/studio.ts";

export type ShiftRanges = Extract<TableEdit, { kind: "shift-ranges" }>;

/** Names of chunks, whatever the separator (Zarr v2 §"Chunks", Zarr v3 §"Chunk key encoding"). */
const CHUNK_NAME = /^(?:c(?:[./]\d+)*|\d+(?:[./]\d+)*)$/;

/** Whether a key is that of a chunk of the array at `path`. Arrays have no nodes below them that it could be instead. */
export function isChunkOf(key: string, path: string): boolean {
  const prefix = path === "" ? "" : `${path}/`;
  return key.startsWith(prefix) && CHUNK_NAME.test(key.slice(prefix.length));
}

/** `undefined` where the range stays as it is: it would begin before 0 or have no bytes, or is not a range of whole bytes. */
export function shiftedRange(
  offset: number,
  length: number,
  { shift, lengthen }: Pick<ShiftRanges, "shift" | "lengthen">,
): { readonly offset: number; readonly length: number } | undefined {
  const moved = { offset: offset + shift, length: length + lengthen };
  const numbers = [offset, length, shift, lengthen, moved.offset + moved.length];
  if (!numbers.every((number) => Number.isSafeInteger(number))) return undefined;
  return offset < 0 || moved.offset < 0 || moved.length <= 0 ? undefined : moved;
}
