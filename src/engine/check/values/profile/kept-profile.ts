/** What is kept of the chunks of an array when a deep check is done: less than the rules need, unpacked, for plots. */
import { scale, type Scaling } from "../../../../core/cf.ts";
import type { CallContext } from "../../../../core/byte-source.ts";
import type { ArrayNode } from "../../../../core/hierarchy.ts";
import { startPace } from "../../../pace.ts";
import { distance } from "../file-blocks.ts";
import { scalingOfNode } from "../note-chunk.ts";
import { CHUNK_DECODED, slotOf, type ArrayFacts } from "../value-facts.ts";

type Column = Float64Array<ArrayBuffer>;

/** Columns with an entry for each chunk that was looked at; NaN where nothing is known. 65 bytes a chunk. */
export interface KeptProfile {
  readonly node: ArrayNode;
  readonly grid: readonly number[];
  readonly axis: number;
  /** Ascending. */
  readonly ordinals: Column;
  readonly files: Uint32Array<ArrayBuffer>;
  readonly states: Uint8Array<ArrayBuffer>;
  /** Chunks of the array that have a reference. */
  readonly of: number;
  readonly scaling: Scaling | undefined;
  readonly minimum: Column;
  readonly maximum: Column;
  readonly mean: Column;
  /** Elements, and those without a value. */
  readonly count: Column;
  readonly missing: Column;
  readonly spread: Float32Array<ArrayBuffer>;
  /** From the last layer of the chunk before. */
  readonly step: Float32Array<ArrayBuffer>;
  readonly rough: Float32Array<ArrayBuffer>;
  /** All values of a coordinate that was read whole. */
  readonly whole?: Column;
}

/** Elements of a coordinate that are kept. */
const MAX_WHOLE = 1_000_000;

export async function keptProfile(facts: ArrayFacts, context: CallContext): Promise<KeptProfile> {
  const { node, grid, axis, ordinals, files, states, of, columns, whole } = facts;
  const scaling = scalingOfNode(node);
  const factor = scaling?.scaleFactor ?? 1;
  const unpacked = (column: Column): Column =>
    scaling === undefined ? column : column.map((value) => scale(value, scaling));
  const [low, high] = [unpacked(columns.minimum), unpacked(columns.maximum)];
  return {
    node,
    grid,
    axis,
    ordinals,
    files,
    states,
    of,
    scaling,
    // A negative factor turns the ends round.
    minimum: factor < 0 ? high : low,
    maximum: factor < 0 ? low : high,
    mean: unpacked(columns.mean),
    count: columns.count,
    missing: columns.missing,
    spread: Float32Array.from(columns.spread, (value) => value * Math.abs(factor)),
    step: await stepsOf(facts, Math.abs(factor), context),
    rough: Float32Array.from(columns.rough),
    ...(whole === undefined || whole.length > MAX_WHOLE ? {} : { whole }),
  };
}

async function stepsOf(facts: ArrayFacts, factor: number, context: CallContext): Promise<Float32Array<ArrayBuffer>> {
  const { axis, grid, ordinals, states } = facts;
  const steps = new Float32Array(ordinals.length).fill(NaN);
  if (axis < 0) return steps;
  const stride = strideOf(grid, axis);
  const placeOf = placeAlong(facts);
  const pace = startPace(context, "Comparing chunks", ordinals.length);
  for (const [slot, ordinal] of ordinals.entries()) {
    if ((slot & 0xfff) === 0xfff) await pace.yieldIfDue(slot);
    if (states[slot] !== CHUNK_DECODED || placeOf(ordinal) === 0) continue;
    const before = slotOf(facts, ordinal - stride);
    if (before >= 0) steps[slot] = distance(facts, { last: before }, { first: slot }) * factor;
  }
  return steps;
}

export const strideOf = (grid: readonly number[], axis: number): number =>
  grid.slice(axis + 1).reduce((product, count) => product * count, 1);

/** From an ordinal to the chunk coordinate along the axis. */
export function placeAlong({ grid, axis }: Pick<KeptProfile, "grid" | "axis">): (ordinal: number) => number {
  const [stride, length] = [strideOf(grid, axis), grid[axis] ?? 1];
  return axis < 0 ? () => 0 : (ordinal) => Math.floor(ordinal / stride) % length;
}
