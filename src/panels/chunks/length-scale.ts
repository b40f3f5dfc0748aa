/** The scale that the map's colours, the table's bars and the strip of a shard share. */
import { useMemo } from "react";
import type { ChunkLengths, NodeSummary, SetSummary } from "../../core/open-set.ts";
import { useEngine } from "../../store/react.tsx";

export interface LengthScale {
  readonly minimum: number;
  /** Where the scale ends: a few far longer chunks would make all others look alike. */
  readonly maximum: number;
  readonly longest: number;
}

/** `undefined` while no length is known. */
export function useLengthScale(set: SetSummary, node: NodeSummary): LengthScale | undefined {
  const overview = useEngine("set.overview", { set: set.id, path: node.path }).data;
  const lengths = overview?.path === node.path ? overview.lengths : undefined;
  const inline = overview?.states.inline ?? 0;
  // Inline values are not among the lengths, unless there are no others.
  return useMemo(() => lengths && lengthScale(inline > 0 ? { ...lengths, minimum: 0 } : lengths), [lengths, inline]);
}

export function lengthScale({ minimum, usual, maximum: longest }: ChunkLengths): LengthScale {
  return { minimum, maximum: Math.min(longest, Math.round(1.25 * usual)), longest };
}

/** Share from 0 to 1. Square root: most chunks are short, a few long. */
export function lengthShare(length: number, { minimum, maximum }: Pick<LengthScale, "minimum" | "maximum">): number {
  if (maximum <= minimum) return 1;
  return Math.sqrt(Math.max(0, Math.min(1, (length - minimum) / (maximum - minimum))));
}
