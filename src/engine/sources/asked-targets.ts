/** What asking targets gave, by target. */
import type { TargetReport } from "../../core/check/target-probe.ts";
import { knownSize } from "../check/sources/judge-target.ts";
import { oncePer } from "../kept.ts";
import type { Session } from "../sessions.ts";

export type AskedTargets = ReadonlyMap<string | null, TargetReport>;

const NOTHING: readonly TargetReport[] = [];
const byTarget = oncePer(
  (reports: readonly TargetReport[]): AskedTargets => new Map(reports.map((report) => [report.target, report])),
);

export const askedTargets = ({ checks }: Session): AskedTargets => byTarget(checks.sources?.reports ?? NOTHING);

/** Bytes of the target; `undefined` where it was not asked, is not there, or something else is in its place. */
export function sizeOf(report: TargetReport | undefined): number | undefined {
  const { probe } = report ?? {};
  if (probe === undefined || probe.failure !== undefined) return undefined;
  // 416: it ends before the bytes that were asked for, and says where.
  if ((probe.status ?? 200) >= 400 && probe.status !== 416) return undefined;
  const kind = probe.content?.kind ?? "data";
  if (kind === "web-page" || kind === "error-document" || kind === "lfs-pointer") return undefined;
  return knownSize(probe);
}
