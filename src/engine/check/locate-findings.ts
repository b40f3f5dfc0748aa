/** Findings on templates and gens with the array, and where there is one the chunk, that they break. */
import { coordinatesOf } from "../../core/chunk-grid.ts";
import type { Finding } from "../../core/findings/finding.ts";
import { type ChunkPlace, type Place } from "../../core/findings/place.ts";
import { isDocument, type DocumentSet, type EngineSet } from "../engine-set.ts";
import { blockOf, ordinalOfRow } from "../table/batch.ts";
import { genParts } from "./document-templates.ts";

/** Findings on URLs with templates that are looked for in the table. */
const MAX_LOOKED_FOR = 100;

export function locateFindings(set: EngineSet, findings: readonly Finding[]): readonly Finding[] {
  if (!isDocument(set) || set.document.version === 0) return findings;
  const arrays = new Map(genParts(set.document).map(({ index, array }) => [index, array]));
  const chunkOf = chunkFinder(set, findings);
  const located = (place: Place): Place => {
    if (place.kind === "gen") {
      const array = arrays.get(place.index);
      return array === undefined || !set.hierarchy.nodes.has(array) ? place : { ...place, array };
    }
    const chunk = place.kind === "target" && place.chunk === undefined ? chunkOf(place.target) : undefined;
    return place.kind === "target" && chunk !== undefined ? { ...place, chunk } : place;
  };
  return findings.map((found) => {
    const { place, places } = found;
    return { ...found, place: located(place), ...(places === undefined ? {} : { places: places.map(located) }) };
  });
}

/** The first chunk that is read from a URL as it is written, templates and all. */
function chunkFinder(
  { table }: DocumentSet,
  findings: readonly Finding[],
): (written: string) => ChunkPlace | undefined {
  const places = findings.flatMap(({ place, places: all = [place] }) => all);
  const urls = places.flatMap((place) =>
    place.kind === "target" && place.target.includes("{{") ? [place.target] : [],
  );
  const wanted = new Set(urls.slice(0, MAX_LOOKED_FOR));
  const rows = new Map<string, number>();
  if (wanted.size > 0) {
    for (const [row, { reason }] of table.bad) {
      const { place } = reason;
      if (place.kind === "target" && wanted.has(place.target) && !rows.has(place.target)) rows.set(place.target, row);
    }
    const ids = new Map<number, string>();
    for (let id = 0; id < table.targets.count; id += 1) {
      const written = table.targets.written(id);
      if (wanted.has(written) && !rows.has(written)) ids.set(id, written);
    }
    if (ids.size > 0) findRows(table, ids, rows);
  }
  return (written) => {
    const row = rows.get(written);
    return row === undefined ? undefined : chunkOfRow(table, row);
  };
}

function findRows(
  { blocks, rows: all }: DocumentSet["table"],
  ids: Map<number, string>,
  rows: Map<string, number>,
): void {
  for (const [at, { target }] of blocks.entries()) {
    const first = at * target.length;
    const count = Math.min(target.length, all - first);
    for (let i = 0; i < count; i += 1) {
      const written = ids.get(target[i] as number);
      if (written === undefined) continue;
      rows.set(written, first + i);
      ids.delete(target[i] as number);
      if (ids.size === 0) return;
    }
  }
}

function chunkOfRow(table: DocumentSet["table"], row: number): ChunkPlace | undefined {
  const { array } = blockOf(table, row);
  const slot = table.arrays[array[row & 0xffff] ?? -1];
  const ordinal = ordinalOfRow(table, row);
  if (slot?.grid === undefined || ordinal < 0) return undefined;
  return { kind: "chunk", array: slot.path, coordinates: coordinatesOf(slot.grid, ordinal) };
}
