/** Rows of targets for a list, and the detail of a single one. */
import type { CallContext } from "#core/byte-source.ts";
import type { SourceDetail, SourceRow } from "#core/check/sources.ts";
import { emptyRanges, type OfTarget, totalsOf } from "./claims-of-target.ts";
import { arraysOfTarget, bytesOf, referencesOf, type SourceIndex, sourceText } from "./source-index.ts";
import type { TargetReport } from "#core/check/target-probe.ts";
import { knownSize } from "../check/sources/judge-target.ts";
import { oncePer } from "../kept.ts";
import type { Session } from "../sessions.ts";

/** Arrays that are said of a row of the list, and of a target alone. */
const IN_LIST = 3;
const ALONE = 200;

/** `first`: position of the first in the list. */
export async function rowsOf(
  sources: SourceIndex,
  places: Uint32Array,
  first: number,
  asked: AskedTargets,
  context: CallContext,
): Promise<readonly SourceRow[]> {
  const rows: SourceRow[] = [];
  for (const [at, place] of places.entries()) {
    const fields = await fieldsOf(sources, place, IN_LIST, context);
    rows.push({ index: first + at, ...fields, ...askedOf(asked.get(fields.target)) });
  }
  return rows;
}

export async function detailOf(
  { sources, claims, size, place }: OfTarget & { readonly place: number },
  report: TargetReport | undefined,
  context: CallContext,
): Promise<SourceDetail> {
  return {
    ...(await fieldsOf(sources, place, ALONE, context)),
    ...askedOf(report),
    ...(size === undefined ? {} : { size }),
    ...totalsOf(claims, size),
    ranges: claims.count,
    empty: emptyRanges(sources, place, claims),
  };
}

const askedOf = (report: TargetReport | undefined) => (report === undefined ? {} : { asked: report });

async function fieldsOf(sources: SourceIndex, place: number, most: number, context: CallContext) {
  const arrays = await arraysOfTarget(sources, place, context);
  return {
    target: place < sources.named ? sourceText(sources, place) : null,
    references: referencesOf(sources, place),
    whole: sources.whole[place] as number,
    bytes: bytesOf(sources, place),
    end: sources.end[place] as number,
    arrays: arrays.slice(0, most),
    arrayCount: arrays.length,
  };
}

// Reports of checked targets, by target.

export type AskedTargets = ReadonlyMap<string | null, TargetReport>;

const NO_REPORTS: readonly TargetReport[] = [];
const byTarget = oncePer(
  (reports: readonly TargetReport[]): AskedTargets => new Map(reports.map((report) => [report.target, report])),
);

export const askedTargets = ({ checks }: Session): AskedTargets => byTarget(checks.sources?.reports ?? NO_REPORTS);

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
