/** Result of holding data files together: are they one dataset, and if not, why; for the page and the terminal. */
import type { Severity } from "../findings/catalogue/entry.ts";
import type { Explain } from "../findings/explained.ts";
import type { Finding } from "../findings/fact.ts";
import type { SourceArray } from "../source-file.ts";

/** error: not one dataset as it is. warning: one, if what is advised is done. info: nothing stands against it. */
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
  "identical-variable-differs": "error",
  "shape-differs": "error",
  "variable-missing": "warning",
  "dims-differ": "error",
  /** A warning where units differ. */
  "attributes-differ": "info",
  "empty-file": "warning",
  "file-damaged": "error",
  "left-out": "warning",
  "unread-in-python": "warning",
} as const satisfies Readonly<Record<string, Severity>>;

export type BarrierCode = keyof typeof BARRIERS;

export const barrierSeverity = ({ code, facts }: Pick<Finding, "code" | "facts">): Severity =>
  facts["member"] === undefined ? BARRIERS[code as BarrierCode] : "warning";

/** Facts of every barrier: the files that are not as most of them, and the variables in which they are not. */
export type BarrierFacts = { readonly files: readonly string[]; readonly variables: readonly string[] };

export const barrierFacts = ({ facts }: Finding): BarrierFacts => facts as BarrierFacts;

/** A finding of pre-flight as `--json` lists it. */
export interface Barrier {
  readonly barrier: string;
  readonly severity: Severity;
  readonly files: readonly string[];
  readonly variables: readonly string[];
  readonly message: string;
  readonly advice: string;
}

export function barrierOf(found: Finding, explain: Explain): Barrier {
  const { severity, message, remedy: advice = "" } = explain(found);
  const { files, variables } = barrierFacts(found);
  return { barrier: found.code, severity, files, variables, message, advice };
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
  /** The worst first. */
  readonly findings: readonly Finding[];
  /** Variables too large to be held against each other. */
  readonly notCompared: readonly string[];
  /** Files in the order in which they are put together; those without any element last. */
  readonly files: readonly FileFacts[];
}

/** Variables or groups by name: all but those that are dropped, or only some with what describes them. */
export interface Chosen {
  readonly only?: readonly string[] | undefined;
  readonly drop?: readonly string[] | undefined;
}

/** `along`: a dimension of the files, or a new one; absent = the one along which they differ. */
export interface Asked extends Chosen {
  readonly along?: string | undefined;
  /** Number of a group of `Together`: only its files. */
  readonly group?: number | undefined;
  /** True for only the files that nothing stops. */
  readonly fit?: boolean | undefined;
}

export const worstFirst = (findings: readonly Finding[]): readonly Finding[] =>
  (["error", "warning", "info"] as const).flatMap((severity) =>
    findings.filter((one) => barrierSeverity(one) === severity),
  );

export function verdictOf(findings: readonly Finding[]): Preflight["verdict"] {
  const severities = new Set(findings.map(barrierSeverity));
  return severities.has("error") ? "no" : severities.has("warning") ? "if" : "yes";
}

/** References do not hold it, or hold it in vain; it hinders nothing else. */
export const isLoss = ({ code }: Pick<Finding, "code">): boolean => code === "left-out" || code === "unread-in-python";

/** Combining does itself what is advised of time units. */
export const stopsCombining = (one: Finding): boolean =>
  barrierSeverity(one) !== "info" && one.code !== "time-units-differ" && !isLoss(one);

/**
 * True if a person may decide to combine the files all the same: values that would be read at wrong places stay
 * refused.
 */
export const mayBeAccepted = (one: Finding): boolean =>
  barrierSeverity(one) !== "error" && one.code !== "variable-missing";

/** Part of the result that the page shows. */
export interface Together extends Omit<Preflight, "files"> {
  /** The choice that opens them so: nothing is read again. */
  readonly choice: string;
  /** The choice that examines them again, with an `Asked` as JSON put behind it. */
  readonly again: string;
  readonly asked: Asked;
  /** Number of files that were examined. */
  readonly count: number;
  /** All files, by kind: variables that are stored alike. The largest first; empty where there is one kind. */
  readonly groups: readonly { readonly name: string; readonly count: number }[];
  /** Choice that opens the most files that fit, and those left out by their barrier; absent where nothing stops all. */
  readonly fit?: {
    readonly choice: string;
    readonly count: number;
    readonly left: readonly { readonly barrier: Finding; readonly files: readonly string[] }[];
  };
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

/** The severity is that of the finding that is about it. */
export type FactCell = readonly [text: string, severity?: Severity | undefined];
