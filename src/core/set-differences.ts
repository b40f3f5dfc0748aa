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
  readonly first: DifferingKey | undefined;
  /** The first of those that differ. */
  readonly listed: readonly DifferingKey[];
}

export interface DifferingKey extends Pair<string> {
  readonly key: string;
  readonly kind: PlaceKind;
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

/** Values as xarray decodes them, in the units of A; or the numbers that are stored. */
export type ValuesMode = "cf" | "stored";

/**
 * Numbers are the same that differ by at most absolute + relative × |B|. `from`: what asks for it: the user, half the
 * larger step of packing, rounding (of other floats, or by converting units), or nothing.
 */
export interface Tolerance {
  readonly absolute: number;
  readonly relative: number;
  readonly from: "given" | "packing" | "rounding" | "none";
}

/** Share of two values by which rounding in 64 bits may lead past a tolerance. */
const SLACK = 2 ** -48;

/** The most by which numbers may differ and be the same, for the verdict and the map alike. */
export const mostApart = ({ absolute, relative }: Tolerance, a: number, b: number): number => {
  const size = Math.abs(b);
  return absolute + relative > 0 ? absolute + relative * size + SLACK * (Math.abs(a) + size) : 0;
};

/** Differences beside the values: `position`: coordinates do not fit each other; `lacking`: a chunk is in one set only. */
export const BESIDE = [
  "units",
  "packing",
  "order",
  "position",
  "extent",
  "lacking",
  "type",
  "chunks",
  "attributes",
] as const;
export type Beside = (typeof BESIDE)[number];

/** Index in B of an element of A along one dimension: offset + step × its index in A, in the dimension `of` of B. */
export interface PairedDimension {
  readonly of: number;
  readonly offset: number;
  readonly step: 1 | -1;
}

/** How two arrays are laid onto each other. A number of B is `scale` × it + `shift` in the units of A. */
export interface ArrayPair {
  readonly dimensions: readonly PairedDimension[];
  readonly scale: number;
  readonly shift: number;
  readonly units: string | undefined;
  readonly tolerance: Tolerance;
  readonly beside: readonly Beside[];
  readonly uncompared?: Uncompared;
}

/** Their data types or dimensions, or their units, cannot be compared. */
export type Uncompared = "type" | "units";

/** `part`: no difference was found, but some of it could not be read. */
export type ValuesVerdict = "same" | "within" | "differ" | "part" | "uncompared";

/** A number, a date, a text; null where it is missing. */
export type ComparedValue = number | string | null;

export interface ElementDifferences {
  /** Elements that were read in both, or are the same by their references. */
  readonly compared: number;
  /** Beyond the tolerance, and missing in one only. */
  readonly differing: number;
  readonly within: number;
  /** Missing in this one only. */
  readonly missing: Pair<number>;
  /** A − B, of all that were read and are missing in neither; of dates in the unit in which A counts. */
  readonly mean?: number;
  readonly largest?: {
    readonly difference: number;
    readonly element: readonly number[];
    /** Place by coordinates. */
    readonly place: string;
    readonly values: Pair<ComparedValue>;
  };
  /** The first and last that differ along each dimension, and in words. */
  readonly where?: readonly { readonly from: number; readonly to: number; readonly text: string }[];
  /** Positions along the first dimension at which some differ, as runs; `of` so many. */
  readonly steps?: {
    readonly count: number;
    readonly of: number;
    readonly runs: readonly (readonly [number, number])[];
  };
}

export interface ArrayValues {
  readonly path: string;
  readonly verdict: ValuesVerdict;
  /** Chunks of A: those that surely have the same bytes in B are not read. */
  readonly candidates: number;
  readonly sameSource: number;
  readonly compared: number;
  readonly different: number;
  readonly failed: number;
  /** Chunks among these that are out of reach. */
  readonly unreached: number;
  /** Units of A. */
  readonly units?: string;
  readonly tolerance?: Tolerance;
  readonly beside: readonly Beside[];
  readonly elements?: ElementDifferences;
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
  readonly uncompared?: Uncompared;
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
