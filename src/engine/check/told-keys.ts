/** Keys of which something was found when the set was opened, so that its consequences are not told besides. */
import { chunkKey } from "../../core/metadata/chunk-grid.ts";
import type { Code } from "../../core/findings/finding.ts";
import type { ChunkPlace } from "../../core/findings/place.ts";
import type { SetView } from "./rule.ts";

/** The first of each finding: those that are kept. */
export function toldKeys({ set }: SetView, code: Code): ReadonlySet<string> {
  const places = set.findings.flatMap((found) => (found.code === code ? (found.places ?? [found.place]) : []));
  return new Set(places.flatMap((place) => (place.kind === "key" ? [place.key] : [])));
}

export function keyOfChunk({ hierarchy }: SetView, { array, coordinates }: ChunkPlace): string {
  const node = hierarchy.nodes.get(array);
  return chunkKey(array, coordinates, node?.kind === "array" ? node.metadata.separator : ".");
}
