/** Events that the engine sends unasked. */
import type { NodeSummary, SetSummary } from "./open-set.ts";

export type EngineEvent =
  | { readonly kind: "grown"; readonly set: number; readonly growth: SetGrowth }
  /** A chunk was read: its result and findings can be asked for. */
  | { readonly kind: "read"; readonly set: number };

/** Members of a set's summary that may change while it is open, and of its nodes those that did. */
export interface SetGrowth extends Omit<Partial<SetSummary>, "nodes"> {
  readonly revision: number;
  readonly nodes: readonly NodeSummary[];
}

/** New parts of a summary of the same set; nodes are compared by content. All of it, if none was sent before. */
export function growthOf(before: SetSummary | undefined, after: SetSummary): SetGrowth {
  if (before === undefined) return after;
  const known = new Map(before.nodes.map((node) => [node.path, JSON.stringify(node)]));
  const nodes = after.nodes.filter((node) => known.get(node.path) !== JSON.stringify(node));
  const { nodes: _before, ...old } = before;
  const { nodes: _after, ...rest } = after;
  const changed = Object.entries(rest).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(old[name as keyof typeof old]),
  );
  return { ...(Object.fromEntries(changed) as Partial<SetSummary>), revision: after.revision, nodes };
}

/** The summary with what was pushed since. */
export function grown(summary: SetSummary, { nodes, ...rest }: SetGrowth): SetSummary {
  const changed = new Map(nodes.map((node) => [node.path, node]));
  return { ...summary, ...rest, nodes: summary.nodes.map((node) => changed.get(node.path) ?? node) };
}
