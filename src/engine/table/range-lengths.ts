/** Shortest, median, usual and longest reference of a scope, exactly, without sorting: by counting 16 bits at a time. */
import type { CallContext } from "../../core/byte-source.ts";
import type { Overview } from "../../core/open-set.ts";
import { LENGTH_BIG, type ReferenceTable } from "../../core/table/reference-table.ts";
import { STATE_CODE } from "../../core/table/reference.ts";
import { eachBlock } from "./array-index.ts";
import { lengthOf, stateCodeOf } from "./batch.ts";
import { startPace, type Pace } from "../pace.ts";
import { arraysWithin } from "./scope.ts";
import type { TableIndex } from "./table-index.ts";

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
  // What both are of is counted once, for the first.
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
