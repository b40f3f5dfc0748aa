/**
 * The references in manifests: `openManifest` and `readChunkColumns` give those of one array in one manifest,
 * `referenceAt` one of them. An array may have several manifests; of two that hold the same chunk the first in the
 * snapshot's order counts.
 */
export { bytePoolWriter, type BytePool, type BytePoolWriter, type PlainPool } from "./byte-pool.ts";
export { ENTRY_NATIVE, ORDINAL_OUTSIDE, readChunkColumns, type ChunkColumns } from "./chunk-columns.ts";
export {
  checksumAt,
  checksumOf,
  isLocation,
  kindOf,
  locationOf,
  rangeAt,
  referenceAt,
  type Checksum,
  type ChunkReference,
} from "./chunk-reference.ts";
export { openManifest, type Manifest } from "./manifest.ts";
export { packedTexts } from "./packed-pool.ts";
export { settledPool } from "./settled-pool.ts";
export { poolShelf, type PoolShelf } from "./pool-shelf.ts";
