import { useMemo } from "react";
import type { SetSummary } from "../../core/open-set.ts";
import { useAppState, useEngine } from "../../store/react.tsx";
import { groupHealth, nodeHealth, type NodeHealth } from "./node-health.ts";
import { ancestorsOf, type Tree, type TreeRow } from "./tree.ts";

/** What the line of a node says of its chunks, kept up to date while they are read. */
export function useNodeHealth(set: SetSummary, tree: Tree): (row: TreeRow) => NodeHealth | undefined {
  const tally = useEngine("chunk.tally", { set: set.id }).last?.data;
  const accepted = useAppState(({ problems }) => problems?.accepted);
  return useMemo(() => {
    const arrays = new Map(tally?.arrays.map((one) => [one.path, one]));
    const failedBelow = new Map<string, number>();
    for (const { path, failed: all } of arrays.values()) {
      const failed = all - (accepted?.failing.get(path) ?? 0);
      if (failed <= 0) continue;
      for (const group of ancestorsOf(path, tree.nodes)) failedBelow.set(group, (failedBelow.get(group) ?? 0) + failed);
    }
    return ({ node, expanded }) => {
      if (node.kind === "array") return nodeHealth(node, arrays.get(node.path), accepted);
      return expanded ? undefined : groupHealth(failedBelow.get(node.path) ?? 0);
    };
  }, [tally, tree, accepted]);
}
