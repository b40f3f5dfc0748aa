/** Which bytes of some targets have references: by one pass over the columns, in the order of the bytes. */
import type { CallContext } from "../../../core/byte-source.ts";
import {
  FIRST_SPECIAL_TARGET,
  LENGTH_BIG,
  LENGTH_WHOLE,
  ORDINAL_STRAY,
  TARGET_NULL,
  type ReferenceTable,
} from "../../../core/table/reference-table.ts";
import { startPace } from "../../pace.ts";
import { eachBlock } from "../../table/array-index.ts";

export interface Claim {
  readonly row: number;
  readonly start: number;
  readonly end: number;
}

/** By start; those of keys that no reader asks for are left out, and that of the chunk which is looked at. */
export type Claims = readonly Claim[];

/** Targets with more are not searched: their gaps are too many to tell one from another. */
const MAX_CLAIMS = 100_000;

/** Of each target that is asked for by its URL; `undefined` where it has too many. */
export async function claimsOf(
  table: ReferenceTable,
  targets: readonly (string | null)[],
  ownRow: number,
  context: CallContext,
): Promise<ReadonlyMap<string | null, Claims | undefined>> {
  const ids = idsOf(table, targets);
  const found = new Map<string | null, Claim[]>(targets.map((target) => [target, []]));
  const pace = startPace(context, "Looking at what has references", table.rows);
  await eachBlock(table, pace, ({ target, ordinal, offset, length }, first, count) => {
    for (let i = 0; i < count; i += 1) {
      const list = found.get(ids.get(target[i] as number) as string | null);
      if (list === undefined || !ids.has(target[i] as number) || list.length > MAX_CLAIMS) continue;
      const [start, bytes, row] = [offset[i] as number, length[i] as number, first + i];
      if (row === ownRow || ordinal[i] === ORDINAL_STRAY || bytes === LENGTH_WHOLE || bytes === 0) continue;
      list.push({ row, start, end: start + (bytes === LENGTH_BIG ? (table.bigLengths.get(row) ?? bytes) : bytes) });
    }
  });
  return new Map(
    [...found].map(([target, list]) => [
      target,
      list.length > MAX_CLAIMS ? undefined : list.toSorted((a, b) => a.start - b.start || a.end - b.end),
    ]),
  );
}

const MAX_COMPARED = 200_000;

/** One URL may have several ids, written differently. */
function idsOf(table: ReferenceTable, targets: readonly (string | null)[]): ReadonlyMap<number, string | null> {
  const wanted = new Set(targets);
  const ids = new Map<number, string | null>(wanted.has(null) ? [[TARGET_NULL, null]] : []);
  const most = Math.min(table.targets.count, MAX_COMPARED, FIRST_SPECIAL_TARGET);
  for (let id = 0; id < most; id += 1) {
    const text = table.targets.text(id);
    if (wanted.has(text)) ids.set(id, text);
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
