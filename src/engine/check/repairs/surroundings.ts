/** What lies around a chunk in its targets, as `weigh` asks for it. */
import { ordinalOf } from "../../../core/chunk-grid.ts";
import { once } from "../../../core/once.ts";
import { keyOfRow } from "../../edit/document-index.ts";
import type { EngineSet } from "../../engine-set.ts";
import { rowOf } from "../../table/array-index.ts";
import type { Claims } from "./claims.ts";
import { nearestIn, rangeOfRow, targetOfRow, type GridPlace, type NearChunk } from "./grid-place.ts";
import type { AlikePlace, EvenOffset, Surroundings } from "./weigh.ts";

export interface BesideChunk extends NearChunk {
  readonly target: string | null;
}

/** Chunks one and two steps along the first dimension that are in other targets. */
export function chunksBeside(set: EngineSet, { grid, index, row }: GridPlace, coordinates: readonly number[]) {
  const own = targetOfRow(set.table, row);
  return [-1, 1, -2, 2].flatMap((step): readonly BesideChunk[] => {
    const at = coordinates.with(0, (coordinates[0] ?? 0) + step);
    const ordinal = coordinates.length === 0 ? undefined : ordinalOf(grid, at);
    const other = ordinal === undefined ? -1 : rowOf(index, ordinal);
    const target = other < 0 ? undefined : targetOfRow(set.table, other);
    const found = target === undefined || target === own ? undefined : rangeOfRow(set, other);
    return found === undefined || target === undefined ? [] : [{ ...found, target }];
  });
}

interface Known extends Pick<Surroundings, "own" | "claims" | "isOwnUnread" | "nearNames"> {
  readonly place: GridPlace;
  readonly beside: readonly BesideChunk[];
}

export function surroundingsOf(set: EngineSet, known: Known): Surroundings {
  const { place, claims, beside } = known;
  const near = byTarget((target) => {
    const before = nearestIn(set, place, target, -1);
    const after = nearestIn(set, place, target, 1);
    return { ...(before && { before }), ...(after && { after }) };
  });
  return {
    ...known,
    votes: place.targets,
    near,
    alike: byTarget((target) => alikeIn(target, claims, beside)),
    evenOffsets: byTarget((target) => evenOffsets(set, place, target)),
    keyOf: (row) => keyOfRow(set, row),
  };
}

function byTarget<T>(make: (target: string | null) => T): (target: string | null) => T {
  const made = new Map<string | null, () => T>();
  return (target) => {
    const one = made.get(target) ?? once(() => make(target));
    made.set(target, one);
    return one();
  };
}

const LEAST_ALIKE = 2;

/**
 * Chunks in other targets that begin at one offset, all of them; of a single one only where most of what begins in its
 * target begins at the same offset in the other.
 */
function alikeIn(
  target: string | null,
  claims: ReadonlyMap<string | null, Claims | undefined>,
  beside: readonly BesideChunk[],
): readonly AlikePlace[] {
  const others = beside.filter((one) => one.target !== target);
  const [first] = others;
  if (first === undefined || others.some(({ start }) => start !== first.start)) return [];
  const starts = new Set(claims.get(target)?.map(({ start }) => start));
  const shared = (claims.get(first.target) ?? []).filter(({ start }) => starts.has(start)).length;
  const isAlike =
    new Set(others.map((one) => one.target)).size >= LEAST_ALIKE ||
    (shared >= LEAST_ALIKE && shared * 2 >= starts.size);
  return isAlike ? [{ offset: first.start, row: first.row, target: first.target }] : [];
}

/** Records: chunks that follow each other at one distance, twice at least, say where those beside them begin. */
function evenOffsets(set: EngineSet, { index, ordinal }: GridPlace, target: string | null): readonly EvenOffset[] {
  const startOf = (at: number) => {
    const row = at < 0 || at >= index.cells ? -1 : rowOf(index, at);
    return row < 0 || targetOfRow(set.table, row) !== target ? undefined : rangeOfRow(set, row)?.start;
  };
  const starts = [-3, -2, -1, 1, 2, 3].map((step) => ({ step, start: startOf(ordinal + step) }));
  const known = starts.flatMap(({ step, start }) => (start === undefined ? [] : [{ step, start }]));
  const distances = known.flatMap((one, at) => {
    const next = known[at + 1];
    return next === undefined ? [] : [{ step: (next.start - one.start) / (next.step - one.step), from: one }];
  });
  const [first] = distances;
  const isEven = distances.length >= LEAST_EVEN && distances.every(({ step }) => step === first?.step);
  if (first === undefined || !isEven || first.step <= 0) return [];
  const offset = first.from.start - first.from.step * first.step;
  return Number.isSafeInteger(offset) && offset >= 0 ? [{ offset, step: first.step }] : [];
}

const LEAST_EVEN = 2;
