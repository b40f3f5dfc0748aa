/** What is said of a target in a list, and what when it is looked at alone. */
import type { CallContext } from "../../core/byte-source.ts";
import type { SourceDetail, SourceRow } from "../../core/check/sources.ts";
import type { TargetReport } from "../../core/check/target-probe.ts";
import type { AskedTargets } from "./asked-targets.ts";
import { arraysOfTarget } from "./boxes-of-target.ts";
import { emptyRanges, type OfTarget, totalsOf } from "./claims-of-target.ts";
import { bytesOf, referencesOf, sourceText, type SourceIndex } from "./source-index.ts";

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
