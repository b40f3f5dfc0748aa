/** Which arrays refer to a target, and which part of each: the box of their chunks. */
import type { CallContext } from "../../core/byte-source.ts";
import { ARRAY_NONE } from "../../core/table/reference-table.ts";
import type { SourceArray } from "../../core/check/sources.ts";
import { startPace } from "../pace.ts";
import { blockOf, ordinalOfRow } from "../table/batch.ts";
import { OrdinalBox } from "../table/ordinal-box.ts";
import { keptLast } from "../kept.ts";
import { rowsOfPlace, type SourceIndex } from "./source-index.ts";

const MAX_KEPT = 2000;

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
  const found = new Map<number, { readonly array: number; references: number; readonly box: OrdinalBox }>();
  const pace = startPace(context, "Looking where chunks lie", rows.length);
  for (const [at, row] of rows.entries()) {
    const array = blockOf(table, row).array[row & 0xffff] as number;
    const grid = table.arrays[array]?.grid;
    const one = found.get(array) ?? { array, references: 0, box: new OrdinalBox(grid ?? []) };
    found.set(array, one);
    one.references += 1;
    const ordinal = ordinalOfRow(table, row);
    if (ordinal >= 0 && grid !== undefined) one.box.add(ordinal);
    if ((at & LOOK) === LOOK) await pace.yieldIfDue(at);
  }
  return [...found.values()]
    .toSorted((a, b) => b.references - a.references || a.array - b.array)
    .map(({ array, references, box }) => {
      const { chunks, from, to } = box.extent("");
      const path = array === ARRAY_NONE ? "" : (table.arrays[array]?.path ?? "");
      return { array: path, references, ...(chunks === 0 ? {} : { box: { from, to } }) };
    });
}
