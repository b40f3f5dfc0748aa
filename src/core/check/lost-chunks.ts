/** Which chunks cannot be read, as far as errors name them: a chunk counts once, however many causes it has. */
import type { ArrayExtent, Finding } from "../findings/fact.ts";
import { chunkIn } from "../findings/place.ts";
import type { SaidFinding } from "../findings/explained.ts";

/** Chunks by array. */
export function lostChunks(findings: readonly SaidFinding[]): ReadonlyMap<string, number> {
  const named = new Map<string, Set<string>>();
  const unnamed = new Map<string, number>();
  for (const { found, said, failing } of findings) {
    if (said.severity !== "error") continue;
    if (failing !== undefined) {
      for (const { array, coordinates } of failing)
        named.set(array, (named.get(array) ?? new Set()).add(coordinates.join(".")));
      continue;
    }
    for (const { array, chunks, names } of reachOf(found)) {
      const known = named.get(array) ?? new Set();
      named.set(array, known);
      for (const name of names) known.add(name);
      unnamed.set(array, (unnamed.get(array) ?? 0) + Math.max(0, chunks - names.length));
    }
  }
  return new Map([...named].map(([array, names]) => [array, names.size + (unnamed.get(array) ?? 0)]));
}

interface Reach {
  readonly array: string;
  readonly chunks: number;
  /** Of those that are named. */
  readonly names: readonly string[];
}

/** How far a finding reaches in chunks, by array. */
function reachOf({ place, places = [place], extent }: Finding): readonly Reach[] {
  const names = new Map<string, Set<string>>();
  for (const one of places) {
    const chunk = chunkIn(one);
    if (chunk === undefined) continue;
    names.set(chunk.array, (names.get(chunk.array) ?? new Set()).add(chunk.coordinates.join(".")));
  }
  const counted = new Map((extent?.arrays ?? []).map(({ array, chunks }: ArrayExtent) => [array, chunks]));
  const arrays = new Set([...names.keys(), ...counted.keys()]);
  return [...arrays].map((array) => {
    const known = [...(names.get(array) ?? [])];
    return { array, chunks: counted.get(array) ?? known.length, names: known };
  });
}
