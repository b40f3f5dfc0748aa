/** How values run through an array, from what a deep check keeps of each chunk: for a plot, a bin a place. */
import type { TimeView } from "../cf/cf-time.ts";

/** A file along the axis: it begins at this bin. */
export interface ProfileFile {
  readonly name: string;
  readonly bin: number;
}

/** An entry a bin; NaN where nothing is known. Values as the CF view has them. */
export interface ProfileColumns {
  readonly minimum: Float64Array<ArrayBuffer>;
  readonly maximum: Float64Array<ArrayBuffer>;
  readonly mean: Float64Array<ArrayBuffer>;
  /** Standard deviation within a chunk: the least of the bin. */
  readonly spread: Float64Array<ArrayBuffer>;
  /** Share of elements without a value, from 0 to 1. */
  readonly missing: Float64Array<ArrayBuffer>;
  /** Median difference between a chunk's first layer and the last one of the chunk before: the greatest of the bin. */
  readonly step: Float64Array<ArrayBuffer>;
  /** How much neighbouring elements differ, as a share of the spread; 1.1 is noise. The greatest of the bin. */
  readonly rough: Float64Array<ArrayBuffer>;
  /** Chunks that were decoded, and that failed. */
  readonly read: Float64Array<ArrayBuffer>;
  readonly failed: Float64Array<ArrayBuffer>;
}

export interface ValueProfile {
  /** Places of which a bin holds some: of chunks along the axis, or of elements of a coordinate. */
  readonly kind: "chunks" | "elements";
  readonly array: string;
  /** Along which dimension; -1 where there is but one chunk. */
  readonly axis: number;
  /** Places there are along it. */
  readonly length: number;
  /** The first place that is shown, and how many a bin holds. */
  readonly first: number;
  readonly perBin: number;
  readonly bins: number;
  readonly columns: ProfileColumns;
  /** Chunks of one place in the other dimensions alone. */
  readonly isLine: boolean;
  /** Files along the axis, where each has its own part of it; of too many none. */
  readonly files: readonly ProfileFile[];
  readonly fileCount: number;
  /** Coordinates along the axis, a text a bin; absent if they would need another request. */
  readonly places?: readonly string[];
  /** Valid range by the attributes. */
  readonly valid?: { readonly minimum?: number; readonly maximum?: number };
  readonly units?: string;
  /** Time view, if the values count time. */
  readonly time?: TimeView;
}

/** An array of which something is kept, in a few numbers. */
export interface ProfiledArray {
  readonly array: string;
  /** Chunks that have a reference, and of these decoded and failed ones. */
  readonly of: number;
  readonly read: number;
  readonly failed: number;
  /** NaN where no chunk has a value. */
  readonly minimum: number;
  readonly maximum: number;
  readonly mean: number;
  /** Share of elements without a value. */
  readonly missing: number;
  readonly units?: string;
  readonly time?: TimeView;
}
