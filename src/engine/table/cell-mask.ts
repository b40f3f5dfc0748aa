/**
 * Asks many cells of one grid the same question about their chunk coordinates. A question is up to 32 alternatives, a
 * bit each; a coordinate leaves the bits of the alternatives it agrees with, and a cell matches where a bit is left
 * after all its coordinates. The bits of a coordinate are looked up; neighbouring short dimensions share one look-up.
 */

export interface CellMask {
  readonly axes: readonly MaskAxis[];
}

interface MaskAxis {
  readonly size: number;
  /** Absent where the budget does not allow a table. */
  readonly table: Uint32Array | undefined;
  readonly bitsOf: (at: number) => number;
}

/** How many coordinates may still be tabled; shared by the masks of one question, so that many grids stay bounded. */
export interface TableBudget {
  left: number;
}

export const newTableBudget = (): TableBudget => ({ left: 1 << 22 });

/** Neighbours are folded into one axis up to this many cells: the table stays in the processor's cache. */
const LONGEST_FOLDED = 1 << 14;

/** `bitsOf` gives the bits that a coordinate along a dimension leaves. */
export function cellMask(
  grid: readonly number[],
  budget: TableBudget,
  bitsOf: (dimension: number, coordinate: number) => number,
): CellMask {
  const axes: MaskAxis[] = [];
  for (const [dimension, size] of grid.entries()) {
    const axis = tabled({ size, table: undefined, bitsOf: (at) => bitsOf(dimension, at) }, budget);
    const before = axes.at(-1);
    if (before !== undefined && before.size * size <= LONGEST_FOLDED) axes.splice(-1, 1, folded(before, axis, budget));
    else axes.push(axis);
  }
  return { axes };
}

/** Sets `bit` in `fails[i]` for each ordinal from position `from` to `to` (excluded) that does not match. */
export function markMismatches(
  mask: CellMask,
  ordinals: Float64Array,
  from: number,
  to: number,
  fails: Uint8Array,
  bit: number,
): void {
  const inner = mask.axes.at(-1);
  if (inner?.table === undefined) {
    for (let i = from; i < to; i += 1) if (!maskMatches(mask, ordinals[i] as number)) (fails[i] as number) |= bit;
    return;
  }
  const { size, table } = inner;
  const outer = { axes: mask.axes.slice(0, -1) };
  // Most cells follow the one before along the innermost axis: the others are asked about when they change.
  for (let i = from; i < to;) {
    let ordinal = ordinals[i] as number;
    const before = Math.floor(ordinal / size);
    const bits = bitsOf(outer, before);
    let at = ordinal - before * size;
    do {
      if ((bits & (table[at] as number)) === 0) (fails[i] as number) |= bit;
      at += 1;
      i += 1;
      ordinal += 1;
    } while (i < to && at < size && ordinals[i] === ordinal);
  }
}

/** Whether the cell with that ordinal (C order) matches. Every cell of a grid without dimensions does. */
export const maskMatches = (mask: CellMask, ordinal: number): boolean => bitsOf(mask, ordinal) !== 0;

/** The alternatives that all coordinates of a cell agree with. */
function bitsOf({ axes }: CellMask, ordinal: number): number {
  let rest = ordinal;
  let bits = 0xffff_ffff;
  for (let at = axes.length - 1; at >= 0; at -= 1) {
    const axis = axes[at] as MaskAxis;
    const before = at === 0 ? 0 : Math.floor(rest / axis.size);
    bits &= bitsAt(axis, rest - before * axis.size);
    if (bits === 0) return 0;
    rest = before;
  }
  return bits;
}

const bitsAt = ({ table, bitsOf }: MaskAxis, at: number): number =>
  table === undefined ? bitsOf(at) : (table[at] as number);

function tabled(axis: MaskAxis, budget: TableBudget): MaskAxis {
  if (axis.size > budget.left) return axis;
  budget.left -= axis.size;
  const table = new Uint32Array(axis.size);
  for (let at = 0; at < axis.size; at += 1) table[at] = axis.bitsOf(at);
  return { ...axis, table };
}

function folded(outer: MaskAxis, inner: MaskAxis, budget: TableBudget): MaskAxis {
  const size = outer.size * inner.size;
  const bitsOf = (at: number): number => {
    const before = Math.floor(at / inner.size);
    return bitsAt(outer, before) & bitsAt(inner, at - before * inner.size);
  };
  return tabled({ size, table: undefined, bitsOf }, budget);
}
