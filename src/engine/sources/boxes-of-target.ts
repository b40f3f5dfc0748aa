/** Which arrays refer to a target, and which part of each: the box of their chunks. */
import type { CallContext } from "../../core/byte-source.ts";
import { ARRAY_NONE } from "../../core/table/reference-table.ts";
import type { SourceArray } from "../../core/check/sources.ts";
import { startPace } from "../pace.ts";
import { blockOf, ordinalOfRow } from "../table/batch.ts";
import { keptLast } from "../kept.ts";
import { rowsOfPlace, type SourceIndex } from "./source-index.ts";

const MAX_KEPT = 2000;

interface Box {
  readonly array: number;
  references: number;
  readonly from: number[];
  readonly to: number[];
  isEmpty: boolean;
}

/** Those with most references first; strays of no array are of none. */
export function arraysOfTarget(
  sources: SourceIndex,
  place: number,
  context: CallContext,
): Promise<readonly SourceArray[]> {
  return keptLast(sources.kept.boxes, place, MAX_KEPT, () => boxesOf(sources, place, context));
}

const LOOK = 0xffff;

async function boxesOf(sources: SourceIndex, place: number, context: CallContext): Promise<readonly SourceArray[]> {
  const { table } = sources.index;
  const rows = rowsOfPlace(sources, place);
  const boxes = new Map<number, Box>();
  const pace = startPace(context, "Looking where chunks lie", rows.length);
  for (const [at, row] of rows.entries()) {
    const array = blockOf(table, row).array[row & 0xffff] as number;
    const box = boxes.get(array) ?? { array, references: 0, from: [], to: [], isEmpty: true };
    boxes.set(array, box);
    box.references += 1;
    const ordinal = ordinalOfRow(table, row);
    const grid = table.arrays[array]?.grid;
    if (ordinal >= 0 && grid !== undefined) addOrdinal(box, grid, ordinal);
    if ((at & LOOK) === LOOK) await pace.yieldIfDue(at);
  }
  return [...boxes.values()]
    .toSorted((a, b) => b.references - a.references || a.array - b.array)
    .map(({ array, references, from, to, isEmpty }) => ({
      array: array === ARRAY_NONE ? "" : (table.arrays[array]?.path ?? ""),
      references,
      ...(isEmpty ? {} : { box: { from, to } }),
    }));
}

/** Without lists of coordinates: there may be millions. */
function addOrdinal(box: Box, grid: readonly number[], ordinal: number): void {
  let rest = ordinal;
  for (let dimension = grid.length - 1; dimension >= 0; dimension -= 1) {
    const count = grid[dimension] as number;
    const at = rest % count;
    rest = (rest - at) / count;
    if (box.isEmpty || at < (box.from[dimension] as number)) box.from[dimension] = at;
    if (box.isEmpty || at > (box.to[dimension] as number)) box.to[dimension] = at;
  }
  box.isEmpty = false;
}
