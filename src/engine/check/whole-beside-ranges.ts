/** A chunk that is a whole file of which other chunks are parts: its offset and length were lost. */
import type { CallContext } from "../../core/byte-source.ts";
import type { Finding } from "../../core/findings/finding.ts";
import { FIRST_SPECIAL_TARGET, LENGTH_WHOLE, ORDINAL_STRAY, ORDINAL_WIDE } from "../../core/table/reference-table.ts";
import { startPace } from "../pace.ts";
import { eachBlock, wideOrdinal } from "../table/array-index.ts";
import type { TargetRanges } from "../table/target-ranges.ts";
import { ChunkPlaces } from "./chunk-places.ts";
import type { RangeRows } from "./range-rows.ts";
import type { SetView } from "./rule.ts";
import { commonSize } from "./stored-size.ts";

interface Wholes {
  readonly places: ChunkPlaces;
  readonly target: number;
  readonly parts: number;
  /** Where the last of the parts ends. */
  readonly end: number;
}

export async function wholeBesideRanges(
  view: SetView,
  rows: RangeRows,
  ranges: TargetRanges,
  sink: (found: Finding) => void,
  context: CallContext,
): Promise<void> {
  const { table, arrayIds, firstTargets } = view.index;
  if (view.counts.states.whole === 0) return;
  const nodes = new Map(view.arrays.map((node) => [arrayIds.get(node.path) ?? -1, node]));
  const endOf = endsOf(rows, ranges);
  const found = new Map<number, Wholes>();
  const pace = startPace(context, "Looking for whole files", table.rows);
  await eachBlock(table, pace, ({ array, ordinal, target, length }, first, count) => {
    for (let i = 0; i < count; i += 1) {
      const to = target[i] as number;
      if (length[i] !== LENGTH_WHOLE || to >= FIRST_SPECIAL_TARGET || ordinal[i] === ORDINAL_STRAY) continue;
      const own = firstTargets.of(to);
      const parts = (ranges.ends[own] as number) - (ranges.starts[own] as number);
      const id = array[i] as number;
      const node = nodes.get(id);
      if (parts === 0 || node === undefined) continue;
      const known = found.get(id) ?? { places: new ChunkPlaces(node), target: own, parts, end: endOf(own) };
      found.set(id, known);
      known.places.add(ordinal[i] === ORDINAL_WIDE ? wideOrdinal(table, first + i) : (ordinal[i] as number));
    }
  });
  for (const [id, { places, target, parts, end }] of found) {
    const metadata = nodes.get(id)?.metadata;
    const size = metadata && commonSize(metadata);
    const stored = size === undefined || size.compressor !== undefined ? undefined : size.plain + size.checksums;
    // An uncompressed file may be one chunk here, and several there.
    const isPossible = stored !== undefined && stored >= end;
    sink(places.finding("whole-beside-ranges", { target: table.targets.text(target), parts, end, stored, isPossible }));
  }
}

/** Where the last range of a target ends; asked once for each. */
function endsOf(rows: RangeRows, { starts, ends }: TargetRanges): (target: number) => number {
  const known = new Map<number, number>();
  return (target) => {
    let end = known.get(target) ?? 0;
    if (end > 0) return end;
    for (let at = starts[target] as number; at < (ends[target] as number); at += 1)
      end = Math.max(end, rows.offsetOf(at) + rows.lengthOf(at));
    known.set(target, end);
    return end;
  };
}
