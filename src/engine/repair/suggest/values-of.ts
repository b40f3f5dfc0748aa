/** What the values of a decoded chunk are judged by. */
import type { ChunkMetadata } from "../../../core/metadata/array-metadata.ts";
import { moreOrderly, looksTurned, type Verdict } from "./compare.ts";
import { unitReport, unitsOf } from "./order.ts";
import { planeEntropy, type PlaneEntropy } from "./planes.ts";

/** Elements of a row, as they lie in memory. */
export function rowLength({ chunks, order }: ChunkMetadata): number {
  return (order === "F" ? chunks[0] : chunks.at(-1)) ?? 1;
}

export function entropyAs(metadata: ChunkMetadata, bytes: Uint8Array): PlaneEntropy | undefined {
  const { itemSize, byteOrder } = metadata.dataType;
  return planeEntropy(bytes, { width: itemSize, row: rowLength(metadata), big: byteOrder === "big" });
}

/** Whether `other`, of bytes taken with other metadata, is more like numbers in some field, and less in none. */
export function ordersBetter(
  declared: { readonly metadata: ChunkMetadata; readonly bytes: Uint8Array },
  other: { readonly metadata: ChunkMetadata; readonly bytes: Uint8Array },
): Verdict | undefined {
  const stride = declared.metadata.dataType.itemSize;
  const others = unitsOf(other.metadata.dataType);
  let best: Verdict | undefined;
  for (const [at, unit] of unitsOf(declared.metadata.dataType).entries()) {
    const counterpart = others[at];
    if (counterpart === undefined) return undefined;
    const [one, two] = [unitReport(declared.bytes, unit, stride), unitReport(other.bytes, counterpart, stride)];
    const isWorse = moreOrderly(unit.kind, unit.size, two, one) !== undefined;
    if (isWorse) return undefined;
    const verdict = moreOrderly(unit.kind, unit.size, one, two);
    if (verdict !== undefined && verdict.weight > (best?.weight ?? 0)) best = verdict;
  }
  return best;
}

/** Whether the values look put together from the wrong bytes. */
export function isTurned(metadata: ChunkMetadata, bytes: Uint8Array): boolean {
  const stride = metadata.dataType.itemSize;
  return unitsOf(metadata.dataType).some((unit) => looksTurned(unit.kind, unitReport(bytes, unit, stride), unit.size));
}

/** Share of the floats that are NaN or infinite; 0 for other types. */
export function notFinite({ dataType }: ChunkMetadata, bytes: Uint8Array): number {
  const size = dataType.itemSize;
  if (dataType.kind !== "float" || (size !== 4 && size !== 8)) return 0;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const little = dataType.byteOrder !== "big";
  const count = Math.min(MAX_COUNTED, Math.floor(bytes.length / size));
  let found = 0;
  for (let at = 0; at < count; at++) {
    const value = size === 4 ? view.getFloat32(at * 4, little) : view.getFloat64(at * 8, little);
    if (!Number.isFinite(value)) found += 1;
  }
  return count === 0 ? 0 : found / count;
}

const MAX_COUNTED = 65_536;
