/**
 * Icechunk repositories, formats 1, 2 and 2.1, read-only. `openRepository` gives branches, tags and configuration;
 * `findRef` the snapshot that a text means; `fetchSnapshot` its nodes with their `zarr.json` and the manifests of each
 * array; `resolveLocation` where a virtual chunk is. Objects and Zstandard are handed in (`types.ts`). Not exported here,
 * since who only opens a repository need not fetch it: the references in manifests (`references.ts`), and what looks back
 * at older snapshots and logs (`history.ts`).
 */
export { configurationOf, type Configuration, type VirtualContainer } from "./configuration.ts";
export type { EntryOf, HistoryEntry } from "./history.ts";
export { isObjectId, objectId } from "./object-id.ts";
export { chunkPath, manifestPath, snapshotPath, transactionPath } from "./paths.ts";
export { findRef, openRepository, type FoundRef, type Repository } from "./repository.ts";
export { fetchSnapshot, readSnapshot, type Snapshot, type SnapshotNode } from "./snapshot.ts";
export { isWithin, type ArrayNodeData, type Extents, type ManifestRef } from "./snapshot-node.ts";
export type { MovedNode, TransactionLog, UpdatedChunks } from "./transaction-log.ts";
export type { Exact, IcechunkObjects, IcechunkZstd } from "./types.ts";
export { objectPlace, resolveLocation, type ObjectPlace } from "./virtual-location.ts";
