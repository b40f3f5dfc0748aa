/** Neighbours of a chunk in its target: the references that end before it, and those that begin after it. */
import {
  BLOCK_ROWS,
  FIRST_SPECIAL_TARGET,
  LENGTH_BIG,
  LENGTH_WHOLE,
  TARGET_NULL,
  type ReferenceTable,
} from "#core/table/reference-table.ts";
import { columnsAt } from "#engine/table/batch.ts";

export interface Neighbour {
  /** Range in the target, in bytes. */
  readonly start: number;
  readonly end: number;
  /** True if another reference lies directly next to it on its far side, so that its place is certain. */
  readonly isSettled: boolean;
}

/** The reference that begins last before the chunk, and the one that begins first after it. */
export interface Neighbours {
  readonly before?: Neighbour | undefined;
  readonly after?: Neighbour | undefined;
  /** Starts of references near the chunk: the bytes there are theirs. */
  readonly starts?: ReadonlySet<number>;
}

export interface OwnRange {
  readonly row: number;
  readonly offset: number;
  readonly length: number;
}

/** References to the same target beside the chunk; nothing where the row is not a range. One pass over the table. */
export function neighboursOf(table: ReferenceTable, own: OwnRange): Neighbours {
  const { target } = columnsAt(table, own.row);
  if (target >= FIRST_SPECIAL_TARGET && target !== TARGET_NULL) return {};
  const near = nearRows(table, own, sameTargets(table, target));
  const ends = new Set(near.map(({ end }) => end));
  const starts = new Set(near.map(({ start }) => start));
  const before = near.filter(({ start }) => start < own.offset).reduce(laterOf, undefined);
  const after = near.filter(({ start }) => start > own.offset).reduce(earlierOf, undefined);
  return {
    before: before && { ...before, isSettled: ends.has(before.start) },
    after: after && { ...after, isSettled: starts.has(after.end) },
    starts,
  };
}

interface Near {
  readonly start: number;
  readonly end: number;
}

const laterOf = (best: Near | undefined, one: Near) => (best === undefined || one.start > best.start ? one : best);
const earlierOf = (best: Near | undefined, one: Near) => (best === undefined || one.start < best.start ? one : best);

const MAX_COMPARED_TARGETS = 10_000;

/** Ids of the target: one URL may be in the dictionary more than once, written differently. */
function sameTargets(table: ReferenceTable, target: number): ReadonlySet<number> {
  const ids = new Set([target]);
  if (target >= FIRST_SPECIAL_TARGET || table.targets.count > MAX_COMPARED_TARGETS) return ids;
  const text = table.targets.text(target);
  for (let id = 0; id < table.targets.count; id++) if (table.targets.text(id) === text) ids.add(id);
  return ids;
}

/** Maximum of rows kept: the nearest lie within as many lengths of the chunk. */
const REACH = 4;
const LEAST_REACH = 1 << 20;
const MAX_NEAR = 10_000;

function nearRows(table: ReferenceTable, own: OwnRange, targets: ReadonlySet<number>): readonly Near[] {
  const reach = Math.max(LEAST_REACH, own.length * REACH);
  const found: Near[] = [];
  for (const [at, block] of table.blocks.entries()) {
    const rows = Math.min(BLOCK_ROWS, table.rows - at * BLOCK_ROWS);
    for (let i = 0; i < rows && found.length < MAX_NEAR; i++) {
      if (!targets.has(block.target[i] as number)) continue;
      const row = at * BLOCK_ROWS + i;
      const start = block.offset[i] as number;
      if (row === own.row || Math.abs(start - own.offset) > reach) continue;
      const length = block.length[i] as number;
      if (length === LENGTH_WHOLE) continue;
      const bytes = length === LENGTH_BIG ? (table.bigLengths.get(row) ?? length) : length;
      found.push({ start, end: start + bytes });
    }
  }
  return found;
}
