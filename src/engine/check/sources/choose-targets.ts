/** Which targets are asked: all of them, or an even sample of stated size with at least one of every host. */
import type { CallContext } from "../../../core/byte-source.ts";
import type { SourcesCost } from "../../../core/target-probe.ts";
import { CONTENT_HEAD } from "../../../core/target-content.ts";
import { startPace, type Pace } from "../../pace.ts";
import type { EngineSet } from "../../engine-set.ts";
import type { SourcesRequest } from "./sources-request.ts";
import { targetText, type TargetRows } from "./target-rows.ts";

export interface ChosenTargets {
  /** Ids, ascending. */
  readonly ids: readonly number[];
  /** Targets that references name. */
  readonly of: number;
}

/** Hosts of which one target each is asked in any case. */
const MAX_HOSTS = 100;

export async function chooseTargets(
  set: EngineSet,
  rows: TargetRows,
  { limit, isHere }: Pick<SourcesRequest, "limit" | "isHere">,
  context: CallContext,
): Promise<ChosenTargets> {
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
 * Targets that are files at hand, and those that should be: relative paths of a set some of whose files are. Where none is,
 * the data are elsewhere, and nothing is known of them.
 */
async function filesAmong(set: EngineSet, rows: TargetRows, ids: readonly number[], pace: Pace): Promise<number[]> {
  let isAnyThere = false;
  const here: number[] = [];
  for (const [at, id] of ids.entries()) {
    const resolution = set.targets.resolve(targetText(set.index, rows, id));
    const isFile = resolution.kind === "file";
    isAnyThere ||= isFile && resolution.byName !== true;
    if (isFile || (resolution.kind === "unresolved" && resolution.finding.code === "target-relative")) here.push(id);
    if ((at & 0xff) === 0xff) await pace.yieldIfDue(at);
  }
  return isAnyThere ? here : [];
}

/** Of a request and its answer beside the body. */
const HEADER_BYTES = 1200;
const TAIL_BYTES = 16;

/** What asking them takes, before it is done. */
export function costOf(set: EngineSet, rows: TargetRows, { ids, of }: ChosenTargets): SourcesCost {
  const hosts = new Map<string, number>();
  let [requests, bytes] = [0, 0];
  for (const id of ids) {
    const host = set.targets.hostOf(targetText(set.index, rows, id));
    hosts.set(host, (hosts.get(host) ?? 0) + 1);
    if (!/^https?:/.test(host)) continue;
    const both = (rows.end[id] ?? 0) > TAIL_BYTES;
    requests += both ? 2 : 1;
    bytes += CONTENT_HEAD + (both ? TAIL_BYTES + HEADER_BYTES : 0) + HEADER_BYTES;
  }
  const sorted = [...hosts].toSorted(([, a], [, b]) => b - a).map(([host, targets]) => ({ host, targets }));
  return { targets: of, asked: ids.length, requests, bytes, hosts: sorted };
}
