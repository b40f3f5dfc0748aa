/**
 * Files of Icechunk repositories, format 2, from plain data (Icechunk's specification; what the official reader demands was
 * tried field by field). Every function gives the bytes of one file; where they go, and in which order, is its caller's.
 */
export { type CompressFrame } from "./file.ts";
export { type WrittenColumns, writeManifests } from "./manifest.ts";
export { FIRST_SNAPSHOT, firstFiles, newRepo } from "./new-repository.ts";
export { microseconds, type WrittenRepo, writeRepoInfo } from "./repo.ts";
export { type ManifestFile, type WrittenNode, writeSnapshot, writeTransactionLog } from "./snapshot.ts";
export { newId } from "../object-id.ts";
