/**
 * Origin of each row of a table: `refs`, or an entry of `gen`. Nothing is stored for each row: generated rows follow
 * the written ones in the order of generation, so one number for each gap gives them all, and the effect of removing
 * repeated keys is stored once.
 */
import { firstPlace } from "#core/basics.ts";
import { newRow, type Removal, valueRowBefore } from "./document.ts";

export interface RowOrigins {
  /** Rows before this one have keys in `refs`, rows from it on keys that only `gen` makes. */
  readonly refsRows: number;
  /** Ordinal of the entry of `gen` that made the row's value; `undefined` where the value is in `refs`. */
  genOrdinal(row: number): number | undefined;
}

/** Rows as `gen` made them, before repeated keys were removed. */
export interface GenRows {
  readonly firstRow: number;
  /** Runs without a gap: where each begins, rows and ordinals, both ascending. */
  readonly rows: readonly number[];
  readonly ordinals: readonly number[];
}

export function rowOrigins(gen: GenRows | undefined, removals: readonly Removal[], rows: number): RowOrigins {
  if (gen === undefined) return { refsRows: rows, genOrdinal: () => undefined };
  return {
    refsRows: removals.reduce((row, { removed }) => newRow(removed, row), gen.firstRow),
    genOrdinal(row) {
      const made = removals.reduceRight((now, removal) => valueRowBefore(removal, now), row);
      return made < gen.firstRow ? undefined : ordinalOf(gen, made);
    },
  };
}

function ordinalOf({ rows, ordinals }: GenRows, row: number): number {
  const run = firstPlace(0, rows.length, (at) => (rows[at] ?? 0) <= row) - 1;
  return (ordinals[run] ?? 0) + row - (rows[run] ?? 0);
}
