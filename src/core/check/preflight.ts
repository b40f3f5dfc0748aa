/** Result of holding data files together: are they one dataset, and if not, why; for the page and the terminal. */
import type { SourceArray } from "../source-file.ts";

/** error: not one dataset as it is. warning: one, if what is advised is done. info: nothing stands against it. */
export type BarrierSeverity = "error" | "warning" | "info";

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
  "left-out": "warning",
  "unread-in-python": "warning",
} as const satisfies Readonly<Record<string, BarrierSeverity>>;

export interface Barrier {
  readonly barrier: keyof typeof BARRIERS;
  readonly severity: BarrierSeverity;
  /** Those that are not as most of them. */
  readonly files: readonly string[];
  readonly variables: readonly string[];
  readonly message: string;
  readonly advice: string;
}

export interface VariableFacts extends Omit<SourceArray, "attributes" | "references" | "inline"> {
  /** Texts as they are, all else as JSON. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Decoded values of a coordinate. */
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
  /** Files in the order in which they are put together; those without any element last. */
  readonly files: readonly FileFacts[];
}

/** References do not hold it, or hold it in vain; it hinders nothing else. */
export const isLoss = ({ barrier }: Barrier): boolean => barrier === "left-out" || barrier === "unread-in-python";

/** Combining does itself what is advised of time units. */
export const stopsCombining = (one: Barrier): boolean =>
  one.severity !== "info" && one.barrier !== "time-units-differ" && !isLoss(one);

/** Part of the result that the page shows. */
export interface Together extends Omit<Preflight, "files"> {
  /** The choice that opens them so: nothing is read again. */
  readonly choice: string;
  /** The choice that examines them again, along the dimension that is put behind it: of the files, or a new one. */
  readonly again: string;
  /** "" where variables go side by side. */
  readonly dimensions: readonly string[];
  readonly table: FactTable;
}

/** Files × facts, the files in the order in which they are put together. */
export interface FactTable {
  /** "chunks 1 × 90 × 180": what all files have. */
  readonly alike: readonly string[];
  readonly columns: readonly string[];
  /** Columns for which there is no room. */
  readonly left: number;
  readonly rows: readonly { readonly name: string; readonly cells: readonly FactCell[] }[];
}

/** The severity is that of the barrier that is about it. */
export type FactCell = readonly [text: string, severity?: BarrierSeverity | undefined];
