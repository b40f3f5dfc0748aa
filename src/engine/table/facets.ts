/** How many rows a filter's other choices would give: counts by state and by target, made while filtering. */
import type { Facets, TargetSummary } from "#core/open-set.ts";
import { FIRST_SPECIAL_TARGET, type ReferenceTable } from "#core/table/reference-table.ts";
import { STATES } from "#core/table/reference.ts";
import type { Batch } from "./batch.ts";
import { readInBatches, type ReadEntries } from "./read-entries.ts";
import type { TableIndex } from "./table-index.ts";
import { stateCounts, targetCount } from "./tally.ts";

const MAX_TARGETS = 200;

/** Bits of a row's failings; a row without any is in the view. */
export const FAILS_STATE = 1;
export const FAILS_TARGET = 2;
export const FAILS_OTHER = 4;
export const FAILS_RESULT = 8;

export type FacetCounter = ReturnType<typeof facetCounter>;

export function facetCounter({ table, firstTargets }: TableIndex, read: ReadEntries) {
  const states = new Float64Array(STATES.length);
  const references = new Float64Array(table.targets.count);
  const bytes = new Float64Array(table.targets.count);
  const results = { ok: 0, failed: 0, "not tried": 0 };
  const eachRead = readInBatches(read);
  return {
    /** `fails` holds the failings of each row of the batch. */
    count(batch: Batch, fails: Uint8Array): void {
      countStates(batch, fails, states);
      countTargets(batch, fails, references, bytes);
      results["not tried"] += countWithout(batch, fails, FAILS_RESULT);
      if (table.strays.length > 0) results["not tried"] -= straysWithout(batch, fails, FAILS_RESULT);
      eachRead(batch, (i, failed) => {
        if (((fails[i] as number) & ~FAILS_RESULT) !== 0) return;
        results["not tried"] -= 1;
        results[failed ? "failed" : "ok"] += 1;
      });
    },
    /** Once, when all are counted. */
    facets(): Facets {
      for (const numbers of [references, bytes]) firstTargets.sum(numbers);
      return {
        states: stateCounts(states),
        results,
        targets: topTargets(table, references, bytes, MAX_TARGETS),
        targetCount: targetCount({ targetReferences: references }),
      };
    },
  };
}

/** Rows that would pass but for this bit. */
function countWithout({ size }: Batch, fails: Uint8Array, bit: number): number {
  let count = 0;
  for (let i = 0; i < size; i += 1) count += Number(((fails[i] as number) & ~bit) === 0);
  return count;
}

function straysWithout({ size, ordinal }: Batch, fails: Uint8Array, bit: number): number {
  let count = 0;
  for (let i = 0; i < size; i += 1) count += Number((ordinal[i] as number) < 0 && ((fails[i] as number) & ~bit) === 0);
  return count;
}

/** Most rows of a batch have one state: it is counted apart, since each count waits for the one before in memory. */
function countStates({ size, state }: Batch, fails: Uint8Array, counts: Float64Array): void {
  const here = new Int32Array(8);
  const [common, others] = [state[0] as number, ~FAILS_STATE];
  let ofCommon = 0;
  for (let i = 0; i < size; i += 1) {
    if (((fails[i] as number) & others) !== 0) continue;
    if (state[i] === common) ofCommon += 1;
    else (here[state[i] as number] as number) += 1;
  }
  (here[common] as number) += ofCommon;
  for (let code = 0; code < counts.length; code += 1) (counts[code] as number) += here[code] as number;
}

/** Rows that follow each other mostly point into the same target: their sum is added once. */
function countTargets(batch: Batch, fails: Uint8Array, references: Float64Array, bytes: Float64Array): void {
  const { size, target, length } = batch;
  let from = 0;
  while (from < size) {
    const id = target[from] as number;
    let rows = 0;
    let sum = 0;
    let i = from;
    for (; i < size && target[i] === id; i += 1) {
      if (((fails[i] as number) & ~FAILS_TARGET) !== 0) continue;
      rows += 1;
      sum += Math.max(0, length[i] as number);
    }
    if (id < FIRST_SPECIAL_TARGET) {
      (references[id] as number) += rows;
      (bytes[id] as number) += sum;
    }
    from = i;
  }
}

/** The targets with most references, at most `limit`; of equally many those met first in the document. */
export function topTargets(
  table: ReferenceTable,
  references: Float64Array,
  bytes: Float64Array,
  limit: number,
): readonly TargetSummary[] {
  const top: number[] = [];
  const countOf = (id: number | undefined): number => (id === undefined ? 0 : (references[id] ?? 0));
  for (const [id, count] of references.entries()) {
    if (count === 0 || (top.length >= limit && count <= countOf(top.at(-1)))) continue;
    let at = top.length;
    while (at > 0 && countOf(top[at - 1]) < count) at -= 1;
    top.splice(at, 0, id);
    if (top.length > limit) top.pop();
  }
  return top.map((id) => ({ id, url: table.targets.text(id), references: countOf(id), bytes: bytes[id] ?? 0 }));
}
