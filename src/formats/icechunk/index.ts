/**
 * Icechunk repositories, formats 1, 2 and 2.1, read-only. `openRepository` tells branches, tags and configuration;
 * `findRef` the snapshot that a text means; `fetchSnapshot` its nodes with their `zarr.json` and the manifests of each
 * array; `openManifest` and `readChunkColumns` the references of one array in one manifest; `referenceAt` one of them;
 * `resolveLocation` where a virtual chunk is. An array may have several manifests; of two that hold the same chunk the
 * first in the snapshot's order counts. Objects and Zstandard are handed in (`types.ts`).
 */
export {
  checksumAt,
  kindOf,
  locationOf,
  rangeAt,
  referenceAt,
  type Checksum,
  type ChunkReference,
} from "./chunk-reference.ts";
export { ORDINAL_OUTSIDE, readChunkColumns, type ChunkColumns } from "./chunk-columns.ts";
export { compareByLogs, type SnapshotComparison } from "./compare.ts";
export { configurationOf, type Configuration, type VirtualContainer } from "./configuration.ts";
export {
  fetchSnapshot,
  fetchTransactionLog,
  readHistory,
  readOlderUpdates,
  type History,
  type HistoryEntry,
} from "./history.ts";
export { openManifest, type ArrayManifest, type Manifest } from "./manifest.ts";
export { INITIAL_SNAPSHOT } from "./object-id.ts";
export { branchPath, chunkPath, manifestPath, REPO_PATH, snapshotPath, tagPath, transactionPath } from "./paths.ts";
export { findRef, openRepository, type FoundRef, type Repository } from "./repository.ts";
export type { RepoInfo, SnapshotInfo } from "./repo-info.ts";
export { readSnapshot, type Snapshot, type SnapshotNode } from "./snapshot.ts";
export { isWithin, type ArrayNodeData, type Extents, type ManifestRef } from "./snapshot-node.ts";
export { readTransactionLog, updatedChunk, type TransactionLog } from "./transaction-log.ts";
export type { DecompressFrame, DecompressZstd, Exact, IcechunkObjects, IcechunkZstd } from "./types.ts";
export type { RepositoryStatus, RepositoryUpdate } from "./updates.ts";
export { resolveLocation, type ResolvedLocation } from "./virtual-location.ts";
