/** Masks and flags: integers so small that only their lowest byte is used. Their entropy is too small to tell readings apart. */
import type { ChunkMetadata } from "../../../core/array-metadata.ts";
import type { Verdict } from "./compare.ts";

const GREATEST_FLAG = 16;
const LEAST_FLAGGED = 32;

/** Whether another shuffle leaves flags in the lowest bytes alone, where as declared they are spread over several. */
export function flagsTogether(
  { dataType }: ChunkMetadata,
  declared: Uint8Array,
  other: Uint8Array,
): Verdict | undefined {
  const { kind, itemSize, byteOrder } = dataType;
  if ((kind !== "int" && kind !== "uint") || itemSize < 2 || other.some((byte) => byte > GREATEST_FLAG))
    return undefined;
  const [before, after] = [usedPlaces(declared, itemSize), usedPlaces(other, itemSize)];
  const lowest = byteOrder === "big" ? itemSize - 1 : 0;
  const flagged = after[lowest] ?? 0;
  if (flagged < LEAST_FLAGGED || after.some((count, place) => place !== lowest && count > 0)) return undefined;
  const places = before.filter((count) => count > 0).length;
  if (places < 2) return undefined;
  return { evidence: { kind: "flags", greatest: GREATEST_FLAG, places }, weight: 0.6 };
}

/** For each byte of an element, in how many elements it is not 0. */
function usedPlaces(bytes: Uint8Array, size: number): readonly number[] {
  const counts = Array.from({ length: size }, () => 0);
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] !== 0) counts[at % size] = (counts[at % size] as number) + 1;
  }
  return counts;
}
