/** Differences between any two sets. */
import type { Finding } from "./findings/finding.ts";
import type { JsonChange } from "./json/json-changes.ts";

export interface Pair<T> {
  readonly a: T;
  readonly b: T;
}

/** How the references of one chunk differ: `content`: both inline; `form`: one inline, the other not. */
export const PLACES = ["same", "elsewhere", "content", "form", "onlyA", "onlyB", "unknown"] as const;
export type PlaceKind = (typeof PLACES)[number];

export interface SetDifferences {
  readonly nodes: readonly {
    readonly path: string;
    readonly node: "group" | "array" | "broken";
    readonly in: "a" | "b";
  }[];
  /** `count`: all of them, where not all are listed. */
  readonly metadata: readonly {
    readonly path: string;
    readonly count: number;
    readonly changes: readonly JsonChange[];
  }[];
  /** Those that both have. */
  readonly arrays: readonly ArrayPlaces[];
  /** Keys that are no chunk of any grid, in either. */
  readonly keys: KeyPlaces;
}

export interface KeyPlaces {
  readonly kinds: Readonly<Record<PlaceKind, number>>;
  readonly first: (Pair<string> & { readonly key: string; readonly kind: PlaceKind }) | undefined;
}

export interface ArrayPlaces {
  readonly path: string;
  readonly cells: number;
  /** Chunks of which either has a reference. */
  readonly kinds: Readonly<Record<PlaceKind, number>>;
  /** With both references as written. */
  readonly first: DifferingChunk | undefined;
  /** Their grids differ. */
  readonly uncompared: "grid" | undefined;
}

/** References as written; "" for none. */
export interface DifferingChunk extends Pair<string> {
  readonly coordinates: readonly number[];
  readonly kind: PlaceKind;
}

export interface ArrayValues {
  readonly path: string;
  /** Chunks of A: those that surely have the same bytes in B are not read. */
  readonly candidates: number;
  readonly sameSource: number;
  readonly compared: number;
  readonly different: number;
  readonly failed: number;
  /**
   * Upper bound at 95% confidence for the share of other chunks that differ, if a random sample shows no difference.
   */
  readonly boundAt95?: number;
  /** The first element that differs, with the keys and references of both. */
  readonly first?: {
    readonly element: readonly number[];
    readonly values: Pair<string>;
    readonly chunks: Pair<{ readonly key: string; readonly reference: string }>;
  };
  /** Error of the first chunk that could not be read, and the set in which it is. */
  readonly failure?: Finding;
  readonly failedIn?: "a" | "b";
  /** Their data types, or numbers of dimensions, differ. */
  readonly uncompared?: "type";
}

/** Cost of reading the values of an array. `bytes`: of the `sized` chunks whose stored sizes are known. */
export interface ValuesCost {
  readonly path: string;
  readonly candidates: number;
  /** Number of the others that may differ. */
  readonly rest: number;
  readonly bytes: number;
  readonly sized: number;
}
