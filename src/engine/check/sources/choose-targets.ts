/**
 * Which targets are asked, and what asking them costs: all of them, or an even sample with at least one of every host.
 */
import type { CallContext } from "#core/byte-source.ts";
import { CONTENT_HEAD } from "#core/check/target-content.ts";
import type { SourcesCost } from "#core/check/target-probe.ts";
import type { EngineSet } from "#engine/engine-set.ts";
import { type Pace, startPace } from "#engine/pace.ts";
import { targetRows, type TargetRows, targetText } from "./target-rows.ts";

/** How targets are to be asked. */
export interface SourcesRequest {
  /** Targets that are asked at most. */
  readonly limit: number;
  /** Only what no request is needed for: files, and relative paths that no file has. */
  readonly isHere?: true;
  /** Sent as `Origin` where a program may: what CORS allows pages from there is then judged. */
  readonly origin?: string | undefined;
  /** When the references were written, in milliseconds; absent = as the set's own address says. */
  readonly written?: number | undefined;
}

/** Targets that are asked where nothing else is said. */
export const DEFAULT_TARGETS = 2000;

/** Source files whose own index is read where nothing else is said. */
export const MOST_HELD = 64;

/** Hosts of which one target each is asked in any case. */
const MAX_HOSTS = 100;

/** Their ids, ascending, and how many targets references name. */
export async function chooseTargets(
  set: EngineSet,
  rows: TargetRows,
  { limit, isHere }: Pick<SourcesRequest, "limit" | "isHere">,
  context: CallContext,
) {
  let used: number[] = [];
  const pace = startPace(context, "Choosing targets", rows.references.length);
  for (const [id, references] of rows.references.entries()) if (references > 0) used.push(id);
  const of = used.length;
  if (isHere === true) used = await filesAmong(set, rows, used, pace);
  if (used.length <= limit) return { ids: used, of };
  const chosen = new Set<number>();
  const hosts = new Set<string>();
  for (const [at, id] of used.entries()) {
    if (hosts.size >= Math.min(MAX_HOSTS, limit)) break;
    const host = set.targets.hostOf(targetText(set.index, rows, id));
    if (!hosts.has(host)) chosen.add(id);
    hosts.add(host);
    if ((at & 0xff) === 0xff) await pace.yieldIfDue(at);
  }
  // The first and the last among them: ends of an axis.
  for (let at = 0; chosen.size < limit && at < limit; at += 1)
    chosen.add(used[limit === 1 ? 0 : Math.round((at * (used.length - 1)) / (limit - 1))] ?? 0);
  return { ids: [...chosen].toSorted((a, b) => a - b), of };
}

/**
 * Targets that are files at hand, and those that should be: asking a disk is free. What lies outside of what was given
 * is not read.
 */
async function filesAmong(set: EngineSet, rows: TargetRows, ids: readonly number[], pace: Pace): Promise<number[]> {
  const here: number[] = [];
  for (const [at, id] of ids.entries()) {
    if (isHere(set.targets, targetText(set.index, rows, id))) here.push(id);
    if ((at & 0xff) === 0xff) await pace.yieldIfDue(at);
  }
  return here;
}

function isHere(targets: EngineSet["targets"], target: string | null): boolean {
  const { files } = targets;
  const resolution = targets.resolve(target);
  if (resolution.kind !== "unresolved") return resolution.kind === "file";
  const { code } = resolution.finding;
  if (target === null || (code !== "target-relative" && code !== "target-is-local")) return false;
  return files?.outside?.(target) !== "something";
}

/** Bytes of a request and its answer beside the body. */
const HEADER_BYTES = 1200;
const TAIL_BYTES = 16;

const REST_BYTES = 1024;

/** Cost of `checkSources`, before it is done. */
export async function sourcesCost(
  set: EngineSet,
  request: Pick<SourcesRequest, "limit">,
  context: CallContext,
): Promise<SourcesCost> {
  const rows = await targetRows(set.index, context);
  const { ids, of } = await chooseTargets(set, rows, request, context);
  const hosts = new Map<string, number>();
  let [requests, bytes, metadata, files] = [0, 0, 0, 0];
  for (const id of ids) {
    const host = set.targets.hostOf(targetText(set.index, rows, id));
    hosts.set(host, (hosts.get(host) ?? 0) + 1);
    if (!/^https?:/.test(host)) continue;
    const end = rows.end[id] ?? 0;
    const both = end > TAIL_BYTES;
    // Metadata are at most the file, which goes on a little after what references reach.
    metadata += (files += 1) > MOST_HELD ? 0 : Math.min(BYTES, end === 0 ? BYTES : end + REST_BYTES);
    requests += both ? 2 : 1;
    bytes += CONTENT_HEAD + (both ? TAIL_BYTES + HEADER_BYTES : 0) + HEADER_BYTES;
  }
  const sorted = [...hosts].toSorted(([, a], [, b]) => b - a).map(([host, targets]) => ({ host, targets }));
  return { targets: of, asked: ids.length, requests, bytes, metadata, hosts: sorted };
}

// Reading source files' own metadata besides: the exact cost is known only afterwards.

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
    bytes: cost.bytes + cost.metadata + BYTES_OF_CHUNK * Math.ceil(chunks),
    isAbout: true,
  };
}
