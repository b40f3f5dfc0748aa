/** Ranges that reach past the end of a target: one is a wrong reference, several are a target that was cut. */
import type { TargetProbe } from "../../../core/target-probe.ts";
import { cause, type Cause } from "./cause.ts";
import { knownSize } from "./judge-target.ts";
import type { RowFaults } from "./row-faults.ts";
import type { TargetRows } from "./target-rows.ts";

export function pastEndCauses(
  id: number,
  probe: TargetProbe,
  rows: TargetRows,
  { past, offsets }: Pick<RowFaults, "past" | "offsets">,
): readonly Cause[] {
  const size = knownSize(probe);
  const end = rows.end[id] ?? 0;
  if (size === undefined) {
    if (probe.lacks === undefined) return [];
    return [cause("range-past-end", { end, size }, String(id), { kind: "past", size: end - 1 })];
  }
  const number = past[id] ?? 0;
  if (number === 0) return [];
  const reach = { kind: "past", size } as const;
  const offset = offsets.get(id) ?? 0;
  if (number > 1) {
    const ranges = (rows.references[id] ?? 0) - (rows.whole[id] ?? 0);
    return [cause("target-too-short", { size, past: number, ranges, end }, "", reach)];
  }
  if (offset >= FAR * size) return [cause("offset-beyond-target", { offset, size }, String(id), reach)];
  return [cause("range-past-end", { end, size }, String(id), reach)];
}

/** No cut file, and no neighbouring chunk, explains an offset so far behind the end. */
const FAR = 2;
