/** Where a finding is: the narrowest place that its finder knows. */
import { shownTarget } from "../words/shown-target.ts";

export type Place =
  | { readonly kind: "set" }
  /** A group or an array; `pointer`: a member of its metadata (RFC 6901). */
  | { readonly kind: "node"; readonly path: string; readonly pointer?: string }
  | ChunkPlace
  | { readonly kind: "key"; readonly key: string }
  /** A URL or path that is read: a target, a document, an object of a store. `chunk`: the one for which it was read. */
  | { readonly kind: "target"; readonly target: string; readonly range?: ByteSpan; readonly chunk?: ChunkPlace }
  /** Characters `[start, end)` of the document's text; `line` counts from 1. */
  | { readonly kind: "text"; readonly start: number; readonly end: number; readonly line: number }
  /** `array`: what its keys are of, where that is known. */
  | { readonly kind: "gen"; readonly index: number; readonly field?: GenField; readonly array?: string }
  /** `entry`: the ordinal of an inner chunk in the shard's index. */
  | { readonly kind: "shard"; readonly array: string; readonly shard: readonly number[]; readonly entry?: number }
  | { readonly kind: "snapshot"; readonly id: string };

export interface ChunkPlace {
  readonly kind: "chunk";
  readonly array: string;
  readonly coordinates: readonly number[];
}

/** Bytes `[offset, offset + length)`. */
export interface ByteSpan {
  readonly offset: number;
  readonly length: number;
}

export type GenField = "key" | "url" | "offset" | "length" | "dimensions";

/** Where nothing narrower is known: the set, or what is being done to it. Callers who know more use `placed`. */
export const WHOLE_SET: Place = { kind: "set" };

export const nodeAt = (path: string, pointer?: string): Place =>
  pointer === undefined ? { kind: "node", path } : { kind: "node", path, pointer };

export const chunkAt = (array: string, coordinates: readonly number[]): ChunkPlace => ({
  kind: "chunk",
  array,
  coordinates,
});

export const keyAt = (key: string): Place => ({ kind: "key", key });

export const targetAt = (target: string, range?: ByteSpan): Place =>
  range === undefined ? { kind: "target", target } : { kind: "target", target, range };

/** The chunk that a place is, or for which its target was read. */
export function chunkIn(place: Place): ChunkPlace | undefined {
  if (place.kind === "target") return place.chunk;
  return place.kind === "chunk" ? place : undefined;
}

/** The array or group that a place lies in, where it says so; for the key of a metadata document, its node. */
export function nodeOf(place: Place): string | undefined {
  if (place.kind === "node") return place.path;
  if (place.kind === "key")
    return METADATA_KEY.test(place.key) ? place.key.slice(0, Math.max(0, place.key.lastIndexOf("/"))) : undefined;
  if (place.kind === "target") return place.chunk?.array;
  if (place.kind === "gen") return place.array;
  return place.kind === "chunk" || place.kind === "shard" ? place.array : undefined;
}

const METADATA_KEY = /(?:^|\/)(?:\.zarray|\.zattrs|\.zgroup|zarr\.json)$/s;

/** The place in a few words, as lists show it: `sst 0.0.1`, `/`, a key, a URL, `line 12`. */
export function placeText(place: Place): string {
  switch (place.kind) {
    case "set":
      return "the whole set";
    case "node":
      return `${place.path === "" ? "/" : place.path}${place.pointer === undefined ? "" : ` ${place.pointer}`}`;
    case "chunk":
      return chunkText(place.array, place.coordinates);
    case "key":
      return place.key;
    case "target":
      return shownTarget(place.target);
    case "text":
      return `line ${place.line}`;
    case "gen":
      return `gen[${place.index}]${place.field === undefined ? "" : `.${place.field}`}`;
    case "shard": {
      const entry = place.entry === undefined ? "" : `, entry ${place.entry}`;
      return `shard ${chunkText(place.array, place.shard)}${entry}`;
    }
    case "snapshot":
      return `snapshot ${place.id}`;
  }
}

/** `sst 0.0.1`; of an array without dimensions only its name. */
function chunkText(array: string, coordinates: readonly number[]): string {
  const name = array === "" ? "/" : array;
  return coordinates.length === 0 ? name : `${name} ${coordinates.join(".")}`;
}
