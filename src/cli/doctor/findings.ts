/** Findings of an examination, the same as those of a check, and the parts that are as they should be. */
import type { TargetProbe } from "#core/check/target-probe.ts";
import { failure, finding, type Finding, targetAt } from "#core/findings/finding.ts";
import { judgeTarget } from "#engine/check/sources/judge-target.ts";
import type { Examination } from "./examine.ts";

export function findingsOf({ url, origin, connection, probe, trace, missing }: Examination): readonly Finding[] {
  const place = targetAt(url);
  const { failed } = connection;
  if (failed !== undefined) return [failure("host-unreachable", place, { reason: failed.reason }).finding];
  if (probe === undefined) return [];
  const outline = { end: 0, isFile: false, mayBeGzip: true, near: undefined, written: undefined, origin };
  const causes = judgeTarget(probe, outline);
  const found = causes.map(({ code, facts }): Finding => ({ code, place, facts, count: 1 }));
  if (found.some(({ code }) => code === "cors-absent")) return found;
  // A page stops at the first redirect that does not let it on.
  const barrier = trace?.hops.find(({ location, headers }) => location !== undefined && !letsIn(headers, origin));
  if (barrier !== undefined) {
    const allowed = barrier.headers.get("Access-Control-Allow-Origin") ?? undefined;
    return [...found, finding("cors-absent", targetAt(barrier.url), { allowed, origin, redirect: barrier.status })];
  }
  const hidden = hiddenHeaders(probe);
  const isHidden = missing !== undefined && isGone(missing.status) && !letsIn(missing.headers, origin);
  return [
    ...found,
    ...(isHidden
      ? [finding("cors-absent-on-missing", place, { status: missing.status, origin, isAskedFor: true })]
      : []),
    ...(hidden.length === 0 ? [] : [finding("cors-headers-hidden", place, { headers: hidden })]),
  ];
}

const isGone = (status: number): boolean => status === 404 || status === 410;

export function letsIn(headers: Headers, origin: string): boolean {
  const allowed = headers.get("Access-Control-Allow-Origin");
  return allowed === "*" || allowed === origin;
}

/** Headers that a page needs to read to check sizes and changes. */
const WANTED = ["content-range", "etag"];

function hiddenHeaders({ cors, status }: TargetProbe): readonly string[] {
  if (cors?.allowOrigin === undefined || (status !== 200 && status !== 206)) return [];
  return cors.exposed.includes("*") ? [] : WANTED.filter((name) => !cors.exposed.includes(name));
}
