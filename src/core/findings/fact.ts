/** A finding as data: nothing in it is a sentence. */
import type { ChunkPlace, Place } from "./place.ts";

/** What was found: numbers, names, texts as they stand in the file; or the finding that led to this one. */
export type Fact =
  string | number | bigint | boolean | null | undefined | readonly Fact[] | { readonly [name: string]: Fact } | Finding;

export type Facts = { readonly [name: string]: Fact };

/** Where the code alone says all. */
export type NoFacts = { readonly [name in never]: Fact };

/** What is noticed about a set, a reference or a target. What is said of it is the catalogue's. */
export interface Finding {
  /** Stable, kebab-case: tests, links and `data-code` use it. */
  readonly code: string;
  readonly place: Place;
  readonly facts: Facts;
  /** How often it was met; `place` is the first. */
  readonly count: number;
  /** Where one cause was met several times: the first places, and how far it reaches. */
  readonly places?: readonly Place[];
  readonly extent?: Extent;
  /** What else shows it, where one fault shows in two ways: reading its chunks. */
  readonly evidence?: Evidence;
}

export interface Evidence {
  readonly found: Finding;
  /** Where both were met. */
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

/** Of reading from a host where nobody answers: whether it was asked for this. `undefined`: the host is there, or not known. */
export const silentHost = ({ facts }: Finding): "tried" | "untried" | undefined => {
  const { silentHost } = facts;
  return silentHost === "tried" || silentHost === "untried" ? silentHost : undefined;
};

export function isFinding(fact: unknown): fact is Finding {
  return typeof fact === "object" && fact !== null && "code" in fact && "place" in fact && "facts" in fact;
}
