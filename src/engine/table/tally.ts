/** Counts over a whole set, a group or an array: by array, by state and by target. One pass over the columns. */
import type { CallContext } from "#core/byte-source.ts";
import { cellCount } from "#core/metadata/chunk-grid.ts";
import type { HostSummary, Overview, StateCounts } from "#core/open-set.ts";
import {
  ARRAY_NONE,
  type ColumnBlock,
  FIRST_SPECIAL_TARGET,
  LENGTH_BIG,
  ORDINAL_STRAY,
  type ReferenceTable,
  TARGET_NULL,
} from "#core/table/reference-table.ts";
import { STATE_CODE, STATES } from "#core/table/reference.ts";
import { eachBlock } from "./array-index.ts";
import { lengthOf, stateCodeOf } from "./batch.ts";
import type { ArrayPages } from "./array-pages.ts";
import { type Pace, startPace } from "../pace.ts";
import { arraysWithin, type TableIndex } from "./table-index.ts";

export interface ArrayTally {
  /** Every reference of the array, strays included, by its state; `missing` is the cells without a reference. */
  readonly states: StateCounts;
  /** References: rows of the table. */
  readonly references: number;
  /** Ranges, virtual chunks, inline values as written, and native objects where known. */
  readonly bytes: number;
  /** Cells of the grid, and how many have a reference that is not bad. */
  readonly cells: number;
  readonly present: number;
  /** References whose key fits no grid. */
  readonly strays: number;
}

export interface TableTally extends ArrayTally {
  /** Counts by path, in the order of the table. */
  readonly arrays: ReadonlyMap<string, ArrayTally>;
  /** Counts by target id; those of equal URLs at the first. */
  readonly targetReferences: Float64Array;
  readonly targetBytes: Float64Array;
  /** References whose URL is null. */
  readonly nullTarget: { readonly references: number; readonly bytes: number };
}

/** Distinct targets that references name; the dictionary may have more, from references that cannot be read. */
export const targetCount = ({ targetReferences }: Pick<TableTally, "targetReferences">): number =>
  targetReferences.reduce((sum: number, references) => sum + Number(references > 0), 0);

/** `path` is an array's, a group's or `""` for the whole set (with the strays of no array). */
export async function tally(index: TableIndex, path: string, context: CallContext): Promise<TableTally> {
  const { table } = index;
  const within = arraysWithin(index, path);
  const sums = newSums(table);
  const pace = startPace(context, "Counting references", table.rows);
  await eachBlock(table, pace, (block, first, count) => addBlock(sums, table, within, block, first, count));
  const arrays = new Map<string, ArrayTally>();
  for (const [id, { path: at }] of table.arrays.entries()) {
    if (within[id] === 1) arrays.set(at, withPages(arrayTally(sums, table, id), index.paged.get(id)));
  }
  const { targetReferences, targetBytes, nullTarget } = sums;
  await index.firstTargets.update(pace);
  for (const numbers of [targetReferences, targetBytes]) index.firstTargets.sum(numbers);
  const all = [...arrays.values(), arrayTally(sums, table, table.arrays.length)];
  return { ...sumOf(all), arrays, targetReferences, targetBytes, nullTarget };
}

/** Before anything was counted: of no cell anything is known. */
export function uncounted({ table }: TableIndex): TableTally {
  const none = stateCounts([]);
  const arrays = new Map(
    table.arrays.map(({ path, grid }): [string, ArrayTally] => {
      const cells = grid === undefined ? 0 : cellCount(grid);
      return [path, { states: { ...none, unknown: cells }, references: 0, bytes: 0, cells, present: 0, strays: 0 }];
    }),
  );
  const targets = { targetReferences: new Float64Array(0), targetBytes: new Float64Array(0) };
  return { ...sumOf([...arrays.values()]), arrays, ...targets, nullTarget: { references: 0, bytes: 0 } };
}

type Sums = ReturnType<typeof newSums>;

/** One slot per array, and one more for strays of no array. */
function newSums(table: ReferenceTable) {
  const slots = table.arrays.length + 1;
  return {
    /** One number per state for each slot. */
    states: new Float64Array(slots * STATES.length),
    bytes: new Float64Array(slots),
    strays: new Float64Array(slots),
    badStrays: new Float64Array(slots),
    targetReferences: new Float64Array(table.targets.count),
    targetBytes: new Float64Array(table.targets.count),
    nullTarget: { references: 0, bytes: 0 },
  };
}

function addBlock(
  sums: Sums,
  table: ReferenceTable,
  within: Uint8Array,
  block: ColumnBlock,
  first: number,
  count: number,
): void {
  const { states, bytes, targetReferences, targetBytes } = sums;
  const { array, ordinal, target, length } = block;
  for (let i = 0; i < count; i += 1) {
    const id = array[i] as number;
    if (within[id] === 0) continue;
    const slot = id === ARRAY_NONE ? table.arrays.length : id;
    const to = target[i] as number;
    const raw = length[i] as number;
    const state = stateCodeOf(to, raw);
    const size = raw < LENGTH_BIG && to < FIRST_SPECIAL_TARGET ? raw : Math.max(0, lengthOf(table, first + i, to, raw));
    (states[slot * STATES.length + state] as number) += 1;
    (bytes[slot] as number) += size;
    if (to < FIRST_SPECIAL_TARGET) {
      (targetReferences[to] as number) += 1;
      (targetBytes[to] as number) += size;
    } else if (to === TARGET_NULL) {
      sums.nullTarget.references += 1;
      sums.nullTarget.bytes += size;
    }
    if (ordinal[i] === ORDINAL_STRAY) addStray(sums, slot, state);
  }
}

function addStray(sums: Sums, slot: number, state: number): void {
  (sums.strays[slot] as number) += 1;
  if (state === STATE_CODE.bad) (sums.badStrays[slot] as number) += 1;
}

function arrayTally(sums: Sums, table: ReferenceTable, slot: number): ArrayTally {
  const grid = table.arrays[slot]?.grid;
  const cells = grid === undefined ? 0 : cellCount(grid);
  const counted = sums.states.slice(slot * STATES.length, (slot + 1) * STATES.length);
  if (table.arrays[slot]?.virtual === true) {
    counted[STATE_CODE.virtual] = counted[STATE_CODE.range] ?? 0;
    counted[STATE_CODE.range] = 0;
  }
  const references = counted.reduce((sum, count) => sum + count, 0);
  const strays = sums.strays[slot] ?? 0;
  const bad = (counted[STATE_CODE.bad] ?? 0) - (sums.badStrays[slot] ?? 0);
  const states = { ...stateCounts(counted), missing: Math.max(0, cells - (references - strays)) };
  return { states, references, bytes: sums.bytes[slot] ?? 0, cells, present: references - strays - bad, strays };
}

/** Cells whose page is not here are not missing. */
function withPages(tally: ArrayTally, pages: ArrayPages | undefined): ArrayTally {
  if (pages === undefined) return tally;
  const { unknownCells, failedCells } = pages;
  const { missing, bad } = tally.states;
  const known = Math.max(0, missing - unknownCells - failedCells);
  return { ...tally, states: { ...tally.states, missing: known, unknown: unknownCells, bad: bad + failedCells } };
}

/** From counts in the order of `STATES`. */
export function stateCounts(counts: ArrayLike<number>): StateCounts {
  const of = (state: keyof StateCounts): number => counts[STATE_CODE[state]] ?? 0;
  return {
    missing: of("missing"),
    inline: of("inline"),
    whole: of("whole"),
    range: of("range"),
    virtual: of("virtual"),
    native: of("native"),
    bad: of("bad"),
    unknown: of("unknown"),
  };
}

function sumOf(tallies: readonly ArrayTally[]): ArrayTally {
  const sum = (of: (one: ArrayTally) => number): number =>
    Math.min(
      Number.MAX_SAFE_INTEGER,
      tallies.reduce((total, one) => total + of(one), 0),
    );
  return {
    states: stateCounts(STATES.map((state) => sum((one) => one.states[state]))),
    references: sum((one) => one.references),
    bytes: sum((one) => one.bytes),
    cells: sum((one) => one.cells),
    present: sum((one) => one.present),
    strays: sum((one) => one.strays),
  };
}

/**
 * Targets by where they are, most references first. `hostOf` says where a target is (`https://bucket.s3.amazonaws.com`,
 * `relative`); it is asked once a target that has references, and once with `null` where a URL is null.
 */
export function hostsOf(
  index: TableIndex,
  counts: Pick<TableTally, "targetReferences" | "targetBytes" | "nullTarget">,
  hostOf: (target: string | null) => string,
): readonly HostSummary[] {
  const hosts = new Map<string, HostSummary>();
  const add = (host: string, targets: number, references: number, bytes: number): void => {
    const known = hosts.get(host) ?? { host, targets: 0, references: 0, bytes: 0 };
    hosts.set(host, {
      host,
      targets: known.targets + targets,
      references: known.references + references,
      bytes: known.bytes + bytes,
    });
  };
  for (const [id, references] of counts.targetReferences.entries()) {
    if (references > 0) add(hostOf(index.table.targets.text(id)), 1, references, counts.targetBytes[id] ?? 0);
  }
  const { nullTarget } = counts;
  if (nullTarget.references > 0) add(hostOf(null), 1, nullTarget.references, nullTarget.bytes);
  return [...hosts.values()].sort((a, b) => b.references - a.references || (a.host < b.host ? -1 : 1));
}

// Shortest, median, usual and longest reference of a scope, exactly, without sorting: by counting 16 bits at a time.

/** Bytes. The median of an even number of lengths is the lower of the two in the middle. `undefined`: none has one. */
export async function rangeLengths(
  index: TableIndex,
  path: string,
  context: CallContext,
): Promise<Overview["lengths"]> {
  const stored = await lengthsOf(index, path, context, [STATE_CODE.range, STATE_CODE.native]);
  return stored ?? lengthsOf(index, path, context, [STATE_CODE.inline]);
}

async function lengthsOf(index: TableIndex, path: string, context: CallContext, states: readonly number[]) {
  const { table } = index;
  const within = arraysWithin(index, path);
  const pace = startPace(context, "Measuring references", table.rows * 2);
  const high = new Float64Array(65_536);
  const long: number[] = [];
  let count = 0;
  let minimum = Infinity;
  let maximum = 0;
  await eachLength(table, within, states, pace, (bytes) => {
    count += 1;
    if (bytes < minimum) minimum = bytes;
    if (bytes > maximum) maximum = bytes;
    if (bytes < LENGTH_BIG) (high[bytes >>> 16] as number) += 1;
    else long.push(bytes);
  });
  if (count === 0) return undefined;
  const [middle, ninth] = [(count - 1) >>> 1, Math.ceil((count - 1) * 0.9)].map((place) => bucketOf(high, place));
  const lows = [new Float64Array(65_536), new Float64Array(65_536)] as const;
  const [inMiddle, inNinth] = [middle?.[0] ?? -1, ninth?.[0] ?? -1];
  // If both percentiles fall into one bucket, count it once.
  if (Math.max(inMiddle, inNinth) >= 0)
    await eachLength(table, within, states, pace, (bytes) => {
      const bucket = bytes < LENGTH_BIG ? bytes >>> 16 : -2;
      if (bucket === inMiddle) (lows[0][bytes & 0xffff] as number) += 1;
      else if (bucket === inNinth) (lows[1][bytes & 0xffff] as number) += 1;
    });
  const lengthIn = ([bucket, rest]: ReturnType<typeof bucketOf> = [undefined, 0]) =>
    bucket === undefined
      ? (long.sort((a, b) => a - b)[rest] ?? maximum)
      : bucket * 65_536 + (bucketOf(bucket === inMiddle ? lows[0] : lows[1], rest)[0] ?? 0);
  return { minimum, median: lengthIn(middle), usual: lengthIn(ninth), maximum };
}

/** The bucket that the n-th value is in, and how many of that bucket come before it. */
function bucketOf(counts: Float64Array, nth: number): readonly [number | undefined, number] {
  let rest = nth;
  for (const [bucket, count] of counts.entries()) {
    if (rest < count) return [bucket, rest];
    rest -= count;
  }
  return [undefined, rest];
}

async function eachLength(
  table: ReferenceTable,
  within: Uint8Array,
  states: readonly number[],
  pace: Pace,
  visit: (bytes: number) => void,
): Promise<void> {
  await eachBlock(table, pace, ({ array, target, length }, first, count) => {
    for (let i = 0; i < count; i += 1) {
      if (within[array[i] as number] === 0) continue;
      const to = target[i] as number;
      const raw = length[i] as number;
      if (!states.includes(stateCodeOf(to, raw))) continue;
      const bytes = raw < LENGTH_BIG ? raw : lengthOf(table, first + i, to, raw);
      if (bytes >= 0) visit(bytes);
    }
  });
}
