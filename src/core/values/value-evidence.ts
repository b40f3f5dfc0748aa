/** Properties of the values that show a fault found by comparing them: for the plot that goes with it. */
import type { Code } from "../findings/catalogue/index.ts";

/** Lanes drawn below minimum, maximum and mean. */
export type EvidenceLane = "step" | "missing" | "spread" | "rough";

export type ValueEvidence =
  | { readonly kind: "chunks"; readonly lane?: EvidenceLane }
  /** The values of a coordinate; `step`: from each to the next. */
  | { readonly kind: "coordinate"; readonly lane?: "step" | "missing" };

/** Turned, shifted or exchanged values have the same ends: the step from the chunk before shows them. */
const EVIDENCE: Partial<Readonly<Record<Code, ValueEvidence>>> = {
  "values-misread": { kind: "chunks", lane: "rough" },
  "values-of-other-type": { kind: "chunks", lane: "rough" },
  "values-of-other-order": { kind: "chunks", lane: "rough" },
  "values-are-text": { kind: "chunks", lane: "rough" },
  "chunk-shifted": { kind: "chunks", lane: "step" },
  "rows-turned": { kind: "chunks", lane: "step" },
  "step-repeated": { kind: "chunks", lane: "step" },
  "steps-shifted": { kind: "chunks", lane: "step" },
  "chunks-swapped": { kind: "chunks", lane: "step" },
  "files-swapped": { kind: "chunks", lane: "step" },
  "sources-out-of-order": { kind: "chunks", lane: "step" },
  "file-ends-inside-chunk": { kind: "chunks", lane: "missing" },
  "file-date-differs": { kind: "chunks", lane: "step" },
  "steps-read-otherwise": { kind: "chunks", lane: "step" },
  "packing-changes": { kind: "chunks", lane: "step" },
  "chunk-all-missing": { kind: "chunks", lane: "missing" },
  "chunk-zeroed": { kind: "chunks", lane: "spread" },
  "chunks-lost": { kind: "chunks" },
  "chunk-constant": { kind: "chunks", lane: "spread" },
  "chunk-unlike-others": { kind: "chunks", lane: "rough" },
  "fill-undeclared": { kind: "chunks" },
  "fill-masks-values": { kind: "chunks", lane: "missing" },
  "value-wild": { kind: "chunks" },
  "values-outside-valid-range": { kind: "chunks" },
  "coordinate-missing-values": { kind: "coordinate", lane: "missing" },
  "coordinate-restarts": { kind: "coordinate", lane: "step" },
  "coordinate-unit-changes": { kind: "coordinate", lane: "step" },
  "coordinate-files-unordered": { kind: "coordinate", lane: "step" },
  "coordinate-repeated": { kind: "coordinate", lane: "step" },
  "coordinate-unordered": { kind: "coordinate", lane: "step" },
  "coordinate-gap": { kind: "coordinate", lane: "step" },
  "file-repeated": { kind: "coordinate", lane: "step" },
};

const BY_CODE: ReadonlyMap<string, ValueEvidence> = new Map(Object.entries(EVIDENCE));

/** `undefined` for what is not seen in values. Of what is known from names already, values are further evidence. */
export const valueEvidence = (code: string): ValueEvidence | undefined => BY_CODE.get(code);
