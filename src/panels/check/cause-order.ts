/** In which order causes are told. */
import { bySeverity } from "../../core/findings/explained.ts";
import { reachOf } from "./cause-reach.ts";
import type { NodesByPath } from "./chunk-of-key.ts";
import type { ListedFinding } from "./findings.ts";

/** Worst first; within a severity those that cost most of an array, else in the order given. */
export function byWeight(findings: readonly ListedFinding[], nodes: NodesByPath): readonly ListedFinding[] {
  const weighed = findings.map((listed) => ({ listed, share: reachOf(listed, nodes)?.share ?? 0 }));
  return weighed
    .toSorted((a, b) => bySeverity(a.listed.explained, b.listed.explained) || b.share - a.share)
    .map(({ listed }) => listed);
}
