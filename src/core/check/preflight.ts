/** Whether data files are one dataset, and what stands against it: what page and terminal show of it. */
import type { SourceArray } from "../source-file.ts";

/** error: not one dataset as it is. warning: one, if what is advised is done. info: nothing stands against it. */
type Severity = "error" | "warning" | "info";

export const BARRIERS = {
  "chunk-shape-differs": "error",
  "partial-chunk-inside": "error",
  "codec-differs": "error",
  "codec-level-differs": "info",
  "dtype-differs": "error",
  "fill-differs": "error",
  "packing-differs": "error",
  "time-units-differ": "warning",
  "calendar-differs": "error",
  "order-of-files": "info",
  "coordinate-overlap": "error",
  "coordinate-duplicate": "error",
  "coordinate-interleaved": "error",
  "coordinate-descending": "warning",
  "coordinate-unsorted": "error",
  "coordinate-gap": "info",
  "coordinate-nan": "error",
  "coordinate-from-name-fails": "error",
  "identical-coordinate-differs": "error",
  "shape-differs": "error",
  "variable-missing": "warning",
  "dims-differ": "error",
  /** A warning where units differ. */
  "attributes-differ": "info",
  "empty-file": "warning",
  "file-damaged": "error",
} as const satisfies Readonly<Record<string, Severity>>;

export interface Barrier {
  readonly barrier: keyof typeof BARRIERS;
  readonly severity: Severity;
  /** Those that are not as most of them. */
  readonly files: readonly string[];
  readonly variables: readonly string[];
  readonly message: string;
  readonly advice: string;
}

export interface VariableFacts extends Omit<SourceArray, "attributes" | "references" | "inline"> {
  /** Texts as they are, all else as JSON. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Of a coordinate; decoded. */
  readonly values?: { readonly first: string; readonly last: string; readonly order: CoordinateOrder };
}

export type CoordinateOrder = "ascending" | "descending" | "none";

export interface FileFacts {
  readonly name: string;
  /** "NetCDF-4, superblock 2". */
  readonly format: string;
  readonly variables: readonly VariableFacts[];
}

export interface Preflight {
  readonly verdict: "yes" | "no" | "if";
  /** Along a dimension that they have; along a new one; or variables of several files side by side. */
  readonly how: "concatenate" | "stack" | "merge";
  readonly along?: string;
  readonly barriers: readonly Barrier[];
  /** Variables too large to be held against each other. */
  readonly notCompared: readonly string[];
  /** In the order in which they are put together; those without any element last. */
  readonly files: readonly FileFacts[];
}
