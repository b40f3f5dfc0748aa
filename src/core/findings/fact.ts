/** A finding as data: nothing in it is a sentence. */
import { shownTarget } from "../words.ts";

/** A fact: a number, name, or text as it stands in the file; or the finding that led to this one. */
export type Fact =
  | string
  | number
  | bigint
  | boolean
  | null
  | undefined
  | readonly Fact[]
  | { readonly [name: string]: Fact }
  | Finding;

export type Facts = { readonly [name: string]: Fact };

/** Facts of a code that says everything by itself. */
export type NoFacts = { readonly [name in never]: Fact };

/** A finding about a set, a reference or a target. The catalogue has the prose. */
export interface Finding {
  /** Stable, kebab-case: tests, links and `data-code` use it. */
  readonly code: string;
  readonly place: Place;
  readonly facts: Facts;
  /** How often it was met; `place` is the first. */
  readonly count: number;
  /** First places and extent, if one cause occurs several times. */
  readonly places?: readonly Place[];
  readonly extent?: Extent;
  /** Second symptom of the same fault, seen when its chunks were read. */
  readonly evidence?: Evidence;
}

export interface Evidence {
  readonly found: Finding;
  /** Chunks that show both. */
  readonly chunks: readonly ChunkPlace[];
}

/** How far a cause reaches in chunks: exact counts, and per array the box that holds them. */
export interface Extent {
  readonly arrays: readonly ArrayExtent[];
  /** Arrays beyond those listed. */
  readonly moreArrays: number;
}

export interface ArrayExtent {
  readonly array: string;
  readonly chunks: number;
  /** First and last chunk coordinate of each dimension. */
  readonly from: readonly number[];
  readonly to: readonly number[];
}

/**
 * State of a finding about a host that does not answer: it was tried for this request or not. `undefined`: the host
 * answers, or is not known.
 */
export const silentHost = ({ facts }: Finding): "tried" | "untried" | undefined => {
  const { silentHost } = facts;
  return silentHost === "tried" || silentHost === "untried" ? silentHost : undefined;
};

export function isFinding(fact: unknown): fact is Finding {
  return typeof fact === "object" && fact !== null && "code" in fact && "place" in fact && "facts" in fact;
}

// Place of a finding: the narrowest that its finder knows.

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

/** Place of findings with nothing narrower: the set, or the operation on it. Callers who know more use `placed`. */
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
