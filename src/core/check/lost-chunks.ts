/** Which chunks cannot be read, as far as errors name them: a chunk counts once, however many causes it has. */
import { groupedBy } from "../grouped.ts";
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

/** Of the chunks of the array that loses most by it; 0 where it names none. */
export function shareOf({ found, failing }: SaidFinding, cellsOf: (array: string) => number | undefined): number {
  const [place = found.place] = failing ?? [];
  const narrowed: Reaching = failing === undefined ? found : { place, places: failing };
  const shares = reachOf(narrowed).map(({ array, chunks }) => chunks / Math.max(1, cellsOf(array) ?? Infinity));
  const keys = (narrowed.places ?? [narrowed.place]).flatMap((one) => (one.kind === "key" ? [one.key] : []));
  const byArray = groupedBy(keys, (key) => arrayAbove(key, cellsOf));
  const keyed = [...byArray].map(([array, own]) => own.length / Math.max(1, cellsOf(array) ?? Infinity));
  return Math.min(1, Math.max(0, ...shares, ...keyed));
}

/** The deepest array that a key lies below: its chunks may be written with `/`. Where there is none, what the key says. */
export function arrayAbove(key: string, known: (path: string) => unknown): string {
  for (let end = key.lastIndexOf("/"); end > 0; end = key.lastIndexOf("/", end - 1)) {
    const path = key.slice(0, end);
    if (known(path) !== undefined) return path;
  }
  return key.slice(0, Math.max(0, key.lastIndexOf("/")));
}

interface Reach {
  readonly array: string;
  readonly chunks: number;
  /** Of those that are named. */
  readonly names: readonly string[];
}

type Reaching = Pick<Finding, "place" | "places"> & { readonly extent?: Finding["extent"] };

/** How far a finding reaches in chunks, by array. */
function reachOf({ place, places = [place], extent }: Reaching): readonly Reach[] {
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
