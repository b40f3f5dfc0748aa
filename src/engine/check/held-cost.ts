/**
 * Estimated cost of reading source files' own metadata, besides checking them: the exact one is known only afterwards.
 */
import type { SourcesCost } from "#core/check/target-probe.ts";
import type { EngineSet } from "../engine-set.ts";

/**
 * Requests and bytes for a file: its size, the superblock, the tree of groups and the headers; measured on HDF5 files
 * of a few arrays.
 */
export const REQUESTS = 6;
const BYTES = 24_000;
/** Chunks that a node of a chunk index has, and bytes that each takes in it: half of its room is usually empty. */
const CHUNKS_OF_NODE = 48;
const BYTES_OF_CHUNK = 100;

export function heldCost({ table }: EngineSet, cost: SourcesCost, limit: number): SourcesCost {
  const remote = cost.hosts.reduce((sum, { host, targets }) => sum + (/^https?:/.test(host) ? targets : 0), 0);
  const files = Math.min(limit, remote);
  const chunks = (files * table.rows) / Math.max(1, cost.targets);
  return {
    ...cost,
    requests: cost.requests + REQUESTS * files + Math.ceil(chunks / CHUNKS_OF_NODE),
    bytes: cost.bytes + BYTES * files + BYTES_OF_CHUNK * Math.ceil(chunks),
    isAbout: true,
  };
}
