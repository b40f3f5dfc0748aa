/** Chunks that cannot be read for what was found of their targets: a bounded list of them. */
import type { CheckPart } from "../../../core/check/check.ts";
import { ordinalOf } from "../../../core/metadata/chunk-grid.ts";
import type { Finding } from "../../../core/findings/finding.ts";
import { chunkIn, type ChunkPlace } from "../../../core/findings/place.ts";
import type { EngineSet } from "../../engine-set.ts";

/** Chunks of all arrays together. */
const MAX_CHUNKS = 500_000;

export function unreadableChunks() {
  const chunks = new Map<string, Set<number>>();
  let count = 0;
  const add = (array: string, ordinal: number): void => {
    if (ordinal < 0 || count >= MAX_CHUNKS) return;
    count += 1;
    const known = chunks.get(array);
    if (known === undefined) chunks.set(array, new Set([ordinal]));
    else known.add(ordinal);
  };
  return {
    add,
    /** Those that findings name; gives them back. */
    addAll(set: EngineSet, findings: readonly Finding[]): readonly Finding[] {
      for (const one of findings) {
        for (const chunk of chunksOf(one)) add(chunk.array, ordinalIn(set, chunk));
      }
      return findings;
    },
    all: (): NonNullable<CheckPart["unreadable"]> => chunks,
  };
}

const chunksOf = ({ place, places = [place] }: Finding): readonly ChunkPlace[] =>
  places.flatMap((one) => chunkIn(one) ?? []);

function ordinalIn({ table, index }: EngineSet, { array, coordinates }: ChunkPlace): number {
  const grid = table.arrays[index.arrayIds.get(array) ?? -1]?.grid;
  return grid === undefined ? -1 : (ordinalOf(grid, coordinates) ?? -1);
}

/** Whether all that a finding names are chunks that cannot be read for a cause that is known. */
export function isExplained(set: EngineSet, unreadable: CheckPart["unreadable"], found: Finding): boolean {
  const chunks = chunksOf(found);
  if (unreadable === undefined || chunks.length === 0 || chunks.length < (found.places?.length ?? 1)) return false;
  return chunks.every((chunk) => unreadable.get(chunk.array)?.has(ordinalIn(set, chunk)) === true);
}
