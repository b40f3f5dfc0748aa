/** Which entries of a scope were read. They are few compared with the rest, so a pass over all visits only them. */
import type { CallContext } from "#core/byte-source.ts";
import type { KeptReading, ReadingResult } from "#core/table/reference.ts";
import { entryOf, lowerBound, rowOf } from "./array-index.ts";
import type { Batch } from "./batch.ts";
import type { Scope, TableIndex } from "./table-index.ts";

/** Results of reading chunks so far: by array path, then by ordinal. Absent chunks were not tried. */
export type ReadingResults = ReadonlyMap<string, ReadonlyMap<number, KeptReading>>;

export interface Readings {
  readonly results: ReadingResults;
  /** Rises with every reading. */
  readonly version: number;
}

export const NO_READINGS: Readings = { results: new Map(), version: 0 };

/** Ascending; twice the entry, and 1 more where reading it failed. */
export type ReadEntries = Float64Array<ArrayBuffer>;

export async function readEntries(
  index: TableIndex,
  scope: Scope,
  results: ReadingResults,
  context: CallContext,
): Promise<ReadEntries> {
  const found: number[] = [];
  for (const [path, known] of results) {
    const entryAt = await finder(index, scope, path, context);
    for (const [ordinal, { result }] of known) {
      const entry = entryAt(ordinal);
      if (entry >= 0) found.push(entry * 2 + Number(result === "failed"));
    }
  }
  return Float64Array.from(found).sort();
}

/** Finds the entry of a chunk of an array; -1 where the scope does not list it. */
async function finder(
  index: TableIndex,
  scope: Scope,
  path: string,
  context: CallContext,
): Promise<(ordinal: number) => number> {
  const id = index.arrayIds.get(path);
  const { array, rows } = scope;
  if (array !== undefined) return array.id === id ? (ordinal) => entryOf(array.index, ordinal) : () => -1;
  const isBelow = scope.path === "" || path.startsWith(`${scope.path}/`);
  if (id === undefined || !isBelow) return () => -1;
  const of = await index.arrayIndex(id, context);
  return (ordinal) => {
    const row = rowOf(of, ordinal);
    if (row < 0 || rows === undefined) return row;
    const entry = lowerBound(rows, row + 1);
    return rows[entry] === row + 1 ? entry : -1;
  };
}

/** For a pass over all entries of the scope in their order: those of each batch that were read. */
export function readInBatches(read: ReadEntries) {
  let at = 0;
  return ({ size, entries }: Batch, visit: (i: number, failed: boolean) => void): void => {
    const first = entries[0] ?? 0;
    while (at < read.length && (read[at] as number) < (first + size) * 2) {
      const code = read[at] as number;
      visit(Math.floor(code / 2) - first, code % 2 === 1);
      at += 1;
    }
  };
}

/** Sets `bit` in `fails` for the rows of the batch whose reading gave none of what is wanted. */
export function resultMarker(read: ReadEntries, wanted: readonly ReadingResult[], bit: number) {
  const eachRead = readInBatches(read);
  const others = wanted.includes("not tried") ? 0 : bit;
  const [ok, failed] = (["ok", "failed"] as const).map((result) => (wanted.includes(result) ? 0 : bit));
  return (batch: Batch, fails: Uint8Array): void => {
    if (others !== 0) for (let i = 0; i < batch.size; i += 1) (fails[i] as number) |= bit;
    eachRead(batch, (i, isFailed) => {
      fails[i] = ((fails[i] as number) & ~bit) | ((isFailed ? failed : ok) ?? 0);
    });
  };
}
