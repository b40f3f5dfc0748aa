/** What `check` prints for programs. Findings name their place by the names that a store has for it. */
import type { Checked, Verdict } from "../core/check.ts";
import { chunkKey } from "../core/chunk-grid.ts";
import { explained } from "../core/findings/explain.ts";
import type { Severity } from "../core/findings/catalogue/entry.ts";
import type { Finding } from "../core/findings/finding.ts";
import { nodeOf, type ChunkPlace, type Place } from "../core/findings/place.ts";
import type { Hierarchy } from "../core/hierarchy.ts";

/** Of many chunks the first. */
const MAX_CHUNKS = 100;

export interface CheckFinding {
  readonly code: string;
  readonly severity: Severity;
  readonly array?: string;
  readonly key?: string;
  readonly target?: string;
  /** Keys of chunks; coordinates of inner chunks of shards, which have no keys. */
  readonly chunks?: readonly (string | readonly number[])[];
  /** Chunk coordinates of the box that holds them, both ends included. */
  readonly span?: { readonly from: readonly number[]; readonly to: readonly number[] };
  readonly message: string;
  readonly advice?: string;
  readonly count: number;
  /** In a few words: the same for all findings of one kind. */
  readonly cause: string;
}

export interface CheckReport {
  readonly verdict: Verdict;
  readonly findings: readonly CheckFinding[];
  readonly checked: Checked;
}

/** `hierarchy`: how keys of arrays are written. */
export function checkFinding(found: Finding, hierarchy: Hierarchy | undefined): CheckFinding {
  const { severity, title, message, remedy } = explained(found);
  const { place, places = [place], extent, count, code } = found;
  const chunk = chunkOf(place);
  const array = nodeOf(place) ?? onlyArray(found, hierarchy);
  const chunks = uniqueChunks(places, hierarchy);
  const keys = places.flatMap((one) => (one.kind === "key" ? [one.key] : []));
  const all = [...chunks, ...keys].slice(0, MAX_CHUNKS);
  const box = extent?.arrays.find((one) => one.array === array);
  const name = chunk === undefined ? undefined : nameOf(chunk, hierarchy);
  const key = place.kind === "key" ? place.key : name;
  return {
    code,
    severity,
    ...(array === undefined ? {} : { array }),
    ...(typeof key === "string" ? { key } : {}),
    ...(place.kind === "target" ? { target: place.target } : {}),
    ...(all.length === 0 ? {} : { chunks: all }),
    ...(box === undefined ? {} : { span: { from: box.from, to: box.to } }),
    message,
    ...(remedy === undefined ? {} : { advice: remedy }),
    count,
    cause: title,
  };
}

function onlyArray({ place, extent }: Finding, hierarchy: Hierarchy | undefined): string | undefined {
  if (place.kind === "key" && place.key.includes("/")) return arrayAbove(place.key, hierarchy);
  return extent?.arrays.length === 1 && extent.moreArrays === 0 ? extent.arrays[0]?.array : undefined;
}

/** The deepest array that a key lies below: its chunks may be written with `/`. Where there is none, what the key says. */
function arrayAbove(key: string, hierarchy: Hierarchy | undefined): string {
  for (let end = key.lastIndexOf("/"); end > 0; end = key.lastIndexOf("/", end - 1)) {
    const path = key.slice(0, end);
    if (hierarchy?.nodes.get(path)?.kind === "array") return path;
  }
  return key.slice(0, key.lastIndexOf("/"));
}

function uniqueChunks(
  places: readonly Place[],
  hierarchy: Hierarchy | undefined,
): readonly (string | readonly number[])[] {
  const names = places.flatMap((one) => chunkOf(one) ?? []).map((one) => nameOf(one, hierarchy));
  return [...new Map(names.map((name) => [String(name), name])).values()];
}

type NamedChunk = ChunkPlace & { readonly isShard?: true };

function chunkOf(place: Place): NamedChunk | undefined {
  if (place.kind === "chunk") return place;
  if (place.kind === "target") return place.chunk;
  if (place.kind !== "shard") return undefined;
  return { kind: "chunk", array: place.array, coordinates: place.shard, isShard: true };
}

/** The store's key of a chunk or shard (`sst/0.0.1`, `sst/c/0/0/1`), coordinates of an inner chunk. */
function nameOf(
  { array, coordinates, isShard }: NamedChunk,
  hierarchy: Hierarchy | undefined,
): string | readonly number[] {
  const node = hierarchy?.nodes.get(array);
  if (node?.kind !== "array") return chunkKey(array, coordinates, ".");
  const { sharding, separator } = node.metadata;
  if (sharding === undefined) return chunkKey(array, coordinates, separator);
  return isShard === true ? chunkKey(array, coordinates, sharding.separator) : coordinates;
}
