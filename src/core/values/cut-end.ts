/** Values whose zero bytes at the end were cut off, as writers of text do: padded with zeros they are whole. */
import type { ArrayMetadata } from "../metadata/array-metadata.ts";
import { cellCount, encodedShape, insideShape } from "../metadata/chunk-grid.ts";
import type { DataType } from "../metadata/data-type.ts";

export const isCharacters = ({ kind }: DataType): boolean => kind === "bytes" || kind === "unicode";

/**
 * True for a short value whose missing bytes can only be zeros if its beginning is right: text that does not end with a
 * zero, or numbers of which the last one is incomplete. An incomplete list of whole numbers may lack any numbers, and a
 * chunk at an edge may lack what lies outside of the array.
 */
export function isCutAtEnd(metadata: ArrayMetadata, coordinates: readonly number[], bytes: Uint8Array): boolean {
  const { dataType: type, shape, chunks } = metadata;
  const last = bytes.at(-1);
  const whole = encodedShape(chunks, coordinates);
  const inside = insideShape(shape, chunks, coordinates);
  const isClipped = inside.some((length, axis) => axis > 0 && length < (whole[axis] ?? 0));
  if (isClipped && bytes.length === cellCount(inside) * type.itemSize) return false;
  if (isCharacters(type)) return last !== 0;
  return type.itemSize > 1 && last !== undefined && last !== 0 && bytes.length % type.itemSize !== 0;
}
