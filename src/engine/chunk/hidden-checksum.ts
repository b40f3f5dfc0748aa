/** A checksum of a shard's index that the metadata do not name: the index then is taken from another place, or stays unverified. */
import type { ShardLayout } from "../../core/array-metadata.ts";
import type { ByteRange, CallContext } from "../../core/byte-source.ts";
import type { ShardMap } from "../../core/shard-map.ts";
import { crc32c } from "../../codecs/checksums.ts";

const CHECKSUM_BYTES = 4;

type Read = (range: ByteRange, context: CallContext) => Promise<{ readonly bytes: Uint8Array }>;

const isVerified = ({ indexCodecs }: ShardLayout): boolean => indexCodecs.some(({ id }) => id !== "bytes");

/** Whether the gaps in a shard let one expect it: right behind an index at the start, and as long as a checksum. */
export function mayHideChecksum(map: Pick<ShardMap, "gaps" | "index" | "bytesDead">, layout: ShardLayout): boolean {
  if (isVerified(layout) || layout.indexLocation === "end") return false;
  const end = map.index.offset + map.index.length;
  for (let gap = 0; gap < map.gaps.length; gap += 2)
    if (map.gaps[gap] === end && map.gaps[gap + 1] === end + CHECKSUM_BYTES) return true;
  return false;
}

/** Whether such a checksum stands behind the index, and fits it: asks for the index with the bytes beside it. */
export async function hidesChecksum(
  { size, read }: { readonly size: number; readonly read: Read },
  { length }: ByteRange,
  layout: ShardLayout,
  context: CallContext,
): Promise<boolean> {
  if (isVerified(layout) || size < length + CHECKSUM_BYTES) return false;
  const offset = layout.indexLocation === "start" ? 0 : size - length - CHECKSUM_BYTES;
  const { bytes } = await read({ offset, length: length + CHECKSUM_BYTES }, context);
  if (bytes.length !== length + CHECKSUM_BYTES) return false;
  const stored = new DataView(bytes.buffer, bytes.byteOffset + length, CHECKSUM_BYTES).getUint32(0, true);
  return crc32c(bytes.subarray(0, length)) === stored;
}
