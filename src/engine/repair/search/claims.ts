/** Which bytes of some targets have references, in the order of the bytes. */
import type { CallContext } from "#core/byte-source.ts";
import { ordinalOfRow } from "#engine/table/batch.ts";
import type { TableIndex } from "#engine/table/table-index.ts";
import { claimsOfTarget, targetRanges, type TargetRanges } from "#engine/table/target-ranges.ts";

export interface Claim {
  readonly row: number;
  readonly start: number;
  readonly end: number;
}

/** Claims by start, without keys that no reader asks for, and without the chunk under repair. */
export type Claims = readonly Claim[];

/** Targets with more are not searched: their gaps are too many to tell one from another. */
const MAX_CLAIMS = 100_000;

/** Claims of each target that is requested by its URL; `undefined` if it has too many. */
export async function claimsOf(
  index: TableIndex,
  targets: readonly (string | null)[],
  ownRow: number,
  context: CallContext,
): Promise<ReadonlyMap<string | null, Claims | undefined>> {
  const ranges = await targetRanges(index, context);
  const ids = idsOf(ranges, targets);
  return new Map(targets.map((target) => [target, claimsAt(ranges, ids.get(target), ownRow)]));
}

function claimsAt(ranges: TargetRanges, id: number | undefined, ownRow: number): Claims | undefined {
  if (id === undefined) return [];
  const { table } = ranges.index;
  const { count, rows, from, to } = claimsOfTarget(ranges, id);
  if (count > MAX_CLAIMS) return undefined;
  return [...rows].flatMap((row, at) => {
    if (row === ownRow || ordinalOfRow(table, row) < 0) return [];
    return [{ row, start: from[at] as number, end: to[at] as number }];
  });
}

const MAX_COMPARED = 200_000;

function idsOf(
  { index, nullId }: TargetRanges,
  targets: readonly (string | null)[],
): ReadonlyMap<string | null, number> {
  const wanted = new Set(targets);
  const ids = new Map<string | null, number>([[null, nullId]]);
  for (let id = 0; id < Math.min(nullId, MAX_COMPARED); id += 1) {
    const text = index.table.targets.text(id);
    if (wanted.has(text) && !ids.has(text)) ids.set(text, index.firstTargets.of(id));
  }
  return ids;
}

/** The first claim on a byte of `[start, end)`. */
export function claimOn(claims: Claims, start: number, end: number): Claim | undefined {
  return claims.find((one) => one.start < end && one.end > start);
}

export interface Gap {
  readonly start: number;
  readonly end: number;
  /** The claims that end where it begins and begin where it ends. */
  readonly before?: Claim;
  readonly after?: Claim;
}

/** Bytes between claims, from the first to the last, and behind it up to `size` where that is known. */
export function gapsIn(claims: Claims, size: number | undefined): readonly Gap[] {
  const gaps: Gap[] = [];
  let last: Claim | undefined;
  for (const one of claims) {
    const start = last?.end ?? 0;
    if (one.start > start) gaps.push({ start, end: one.start, ...(last && { before: last }), after: one });
    if (last === undefined || one.end > last.end) last = one;
  }
  const end = last?.end ?? 0;
  if (size !== undefined && size > end) gaps.push({ start: end, end: size, ...(last && { before: last }) });
  return gaps;
}
