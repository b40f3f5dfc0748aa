/** Whether targets are still what a format recorded of them: times and ETags, by chunk. */
import type { CallContext, RequestReport } from "../../../core/byte-source.ts";
import type { Finding } from "../../../core/findings/finding.ts";
import { startPace } from "../../pace.ts";
import { eachBlock } from "../../table/array-index.ts";
import { ordinalOfRow } from "../../table/batch.ts";
import type { EngineSet } from "../../engine-set.ts";
import { chunkOfRow } from "./cause-findings.ts";
import { targetIdOf, type TargetRows } from "./target-rows.ts";

/** Rows whose recorded checksums are compared, of all targets together. */
const MAX_COMPARED = 200_000;
/** Of each target, unless there are very many; then as few as that. */
const [ENOUGH, LEAST] = [16, 2] as const;
/** Targets that are very many. */
const MANY = 20_000;

export interface RecordedRows {
  /** Some rows of the target at this place among those chosen. */
  of(at: number): Uint32Array;
}

/** The first rows of each target; `undefined` where nothing was recorded of any. */
export async function recordedRows(
  { index, table, targetFindings, recordsTargets }: EngineSet,
  { nullId, references }: TargetRows,
  ids: readonly number[],
  context: CallContext,
): Promise<RecordedRows | undefined> {
  if (targetFindings === undefined || recordsTargets?.() === false) return undefined;
  const each = Math.max(ids.length > MANY ? LEAST : ENOUGH, Math.floor(MAX_COMPARED / Math.max(1, ids.length)));
  const starts = new Uint32Array(ids.length + 1);
  const places = new Int32Array(references.length).fill(-1);
  for (const [at, id] of ids.entries()) {
    places[id] = at;
    starts[at + 1] = (starts[at] as number) + Math.min(each, references[id] ?? 0);
  }
  const rows = new Uint32Array(starts.at(-1) ?? 0);
  const used = starts.slice(0, -1);
  const pace = startPace(context, "Choosing references to compare", table.rows);
  await eachBlock(table, pace, ({ target }, first, count) => {
    for (let i = 0; i < count; i += 1) {
      const id = targetIdOf(index, target[i] as number, nullId);
      const at = id < 0 ? -1 : (places[id] as number);
      if (at < 0 || (used[at] as number) >= (starts[at + 1] as number)) continue;
      rows[used[at] as number] = first + i;
      (used[at] as number) += 1;
    }
  });
  return { of: (at) => rows.subarray(starts[at], used[at]) };
}

export async function compareRecorded(
  { targetFindings, table }: EngineSet,
  rows: Uint32Array,
  target: string,
  request: RequestReport,
): Promise<readonly Finding[]> {
  const found: Finding[] = [];
  if (targetFindings === undefined) return found;
  for (const row of rows) {
    const chunk = chunkOfRow(table, row);
    if (chunk === undefined) continue;
    const all = await targetFindings(chunk.array, ordinalOfRow(table, row), request);
    found.push(...all.map((one) => ({ ...one, place: { kind: "target", target, chunk } as const })));
  }
  return found;
}
