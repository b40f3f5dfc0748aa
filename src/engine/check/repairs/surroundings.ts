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

/** Targets are laid out alike where most of what begins in the one begins at the same offset in the other. */
function alikeIn(
  target: string | null,
  claims: ReadonlyMap<string | null, Claims | undefined>,
  beside: readonly BesideChunk[],
): readonly AlikePlace[] {
  const starts = new Set(claims.get(target)?.map(({ start }) => start));
  return beside.flatMap((one): readonly AlikePlace[] => {
    const others = one.target === target ? [] : (claims.get(one.target) ?? []);
    const shared = others.filter(({ start }) => starts.has(start)).length;
    if (shared < LEAST_ALIKE || shared * 2 < starts.size) return [];
    return [{ offset: one.start, row: one.row, target: one.target }];
  });
}

/** Records: the chunks before and behind it, or the two before, say where it begins. */
function evenOffsets(set: EngineSet, { index, ordinal }: GridPlace, target: string | null): readonly EvenOffset[] {
  const startOf = (at: number) => {
    const row = at < 0 || at >= index.cells ? -1 : rowOf(index, at);
    return row < 0 || targetOfRow(set.table, row) !== target ? undefined : rangeOfRow(set, row)?.start;
  };
  const [before2, before, after, after2] = [-2, -1, 1, 2].map((step) => startOf(ordinal + step));
  const even = (from: number | undefined, to: number | undefined, steps: number, at: number): readonly EvenOffset[] => {
    if (from === undefined || to === undefined || to <= from) return [];
    const step = (to - from) / steps;
    return Number.isInteger(step) && from + at * step >= 0 ? [{ offset: from + at * step, step }] : [];
  };
  const inside = even(before, after, 2, 1);
  return inside.length > 0 ? inside : [...even(before2, before, 1, 2), ...even(after, after2, 1, -1)];
}

