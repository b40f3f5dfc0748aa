/**
 * Statements of one fact, and how two of them differ: the facts of findings of `engine/check/witness`. Every fact of a
 * dataset is stated more than once; what is stated once has nothing to be compared with.
 */

/** Place where a fact is stated. `name`: of the array, attribute or file. */
export type StatementSource = {
  readonly kind:
    | "values"
    | "bounds"
    | "attribute"
    | "steps"
    | "sum"
    | "messages"
    | "file"
    | "file-name"
    | "convention"
    | "sibling"
    | "level"
    | "data";
  readonly name: string;
};

/** The smallest change that makes one statement the other. */
export type StatedChange =
  | { readonly kind: "one"; readonly position: number; readonly by: number }
  | { readonly kind: "swapped"; readonly positions: readonly number[] }
  | { readonly kind: "reversed" }
  | { readonly kind: "permuted" }
  | { readonly kind: "sign" }
  /** The first is later, or larger, by so many units of it; by so many of its cells or steps; of a time, in words. */
  | {
      readonly kind: "shifted";
      readonly by: number;
      readonly cells?: number;
      readonly time?: { readonly amount: number; readonly unit: string };
    }
  /** `units`: the unit that is said, and the one that is meant. */
  | { readonly kind: "times"; readonly factor: number; readonly units?: readonly string[] }
  /** The bytes of negative numbers are meant without a sign. */
  | { readonly kind: "unsigned" }
  /** Values beyond the range of the type came in at its other end. */
  | { readonly kind: "wrapped"; readonly range: number; readonly places: number }
  /** The number has no reference, and reads as the fill value. */
  | { readonly kind: "left-out" }
  /** Another array has what this one should have. */
  | { readonly kind: "exchanged"; readonly with: string }
  /** The numbers of a transform are in the order of GDAL. */
  | { readonly kind: "gdal" }
  /** Elements at which features end, and at which times go back. */
  | { readonly kind: "restarts" }
  /** Another unit fits the values: one of these. */
  | { readonly kind: "units"; readonly said: string; readonly meant: readonly string[] }
  | { readonly kind: "moved"; readonly steps: number };

/** Subjects of statements: the places of elements, the bounds of cells, … */
export type Quantity =
  | "place"
  | "bounds"
  | "step"
  | "calendar"
  | "pixel"
  | "crs"
  | "level"
  | "units"
  | "count"
  | "flags"
  | "range";

/** A statement as it is told. */
export type StatementSide = { readonly source: StatementSource; readonly value: string };

/** `a` stands alone if others agree with `b`; of two nobody knows. `right`: all values by `b`, if they are few. */
export type Disagreement = {
  readonly quantity: Quantity;
  readonly array: string;
  readonly a: StatementSide;
  readonly b: StatementSide;
  readonly position: number;
  readonly differ: number;
  readonly of: number;
  readonly agree: readonly StatementSource[];
  readonly change: StatedChange | undefined;
  readonly right: readonly string[];
  readonly unit: string | undefined;
  readonly drawn?: Drawn | undefined;
};

/** Numbers of both statements for a picture: places along one axis, or first pixels on a plane. */
export type Drawn =
  | {
      readonly kind: "places";
      /** A few positions, and those of them at which the statements differ. */
      readonly positions: readonly number[];
      readonly differ: readonly number[];
      readonly a: DrawnPlaces;
      readonly b: DrawnPlaces;
    }
  | { readonly kind: "pixels"; readonly a: DrawnPixel; readonly b: DrawnPixel };

/** An entry a position. `within`: of ranges, the numbers are their middles. */
export type DrawnPlaces = {
  readonly numbers: readonly number[];
  readonly within: readonly number[];
  readonly texts: readonly string[];
};

/** Centre, and the steps to the next pixel. */
export type DrawnPixel = readonly [x: number, y: number, dx: number, dy: number];

/** One fact, and who states it: all agree. With one source there was nothing to compare. */
export interface Compared {
  readonly quantity: Quantity;
  /** Path of the array or group. */
  readonly subject: string;
  readonly sources: readonly StatementSource[];
  readonly agrees: boolean;
}
