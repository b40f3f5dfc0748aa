/** Mark at the end of a line of the tree: chunks failed, lack a reference, or were read. */
import type { NodeSummary } from "#core/open-set.ts";
import type { ArrayTally } from "#core/values/reading-tally.ts";
import type { AcceptedProblems } from "#store/state.ts";
import { countOf, formatCount, formatShare } from "#widgets/number-format.ts";

export type NodeHealth =
  | { readonly kind: "failed" | "missing"; readonly text: string; readonly sentence: string }
  | { readonly kind: "unread" | "partly" | "read"; readonly sentence: string };

/** The longest that has room in a narrow tree. */
const MAX_TEXT = 11;

/** The worst that is known and not set aside; `undefined` where there is nothing to know. */
export function nodeHealth(
  node: NodeSummary,
  tally: ArrayTally | undefined,
  accepted?: AcceptedProblems,
): NodeHealth | undefined {
  const { cells = 0, present = 0, unknown = 0 } = node;
  const { ok = 0, failed = 0 } = tally ?? {};
  const aside = Math.min(failed, accepted?.failing.get(node.path) ?? 0);
  if (failed > aside) {
    const more = aside === 0 ? "" : `; ${formatCount(aside)} of them ${aside === 1 ? "is" : "are"} accepted`;
    const sentence = `${countOf(failed, "chunk")} failed of ${formatCount(ok + failed)} read${more}.`;
    return { kind: "failed", text: formatCount(failed - aside), sentence };
  }
  if (cells === 0) return undefined;
  if (unknown === 0 && present < cells && accepted?.lacking.has(node.path) !== true) {
    const sentence = `${formatCount(cells - present)} of ${countOf(cells, "chunk")} have no reference.`;
    return { kind: "missing", text: shareText(present, cells), sentence };
  }
  if (ok + failed === 0) return { kind: "unread", sentence: "No chunk was read yet." };
  const others = failed === 0 ? "none failed" : `all ${formatCount(failed)} failures are accepted`;
  if (ok + failed >= (unknown === 0 ? present : cells))
    return { kind: "read", sentence: `Every chunk was read, and ${others}.` };
  return {
    kind: "partly",
    sentence: `${formatCount(ok + failed)} of ${countOf(cells, "chunk")} were read, and ${others}.`,
  };
}

function shareText(present: number, cells: number): string {
  const exact = `${formatCount(present)} / ${formatCount(cells)}`;
  return exact.length <= MAX_TEXT ? exact : formatShare(present, cells);
}

/** Mark of a closed group: failures below it. */
export function groupHealth(failed: number): NodeHealth | undefined {
  if (failed === 0) return undefined;
  return { kind: "failed", text: formatCount(failed), sentence: `${countOf(failed, "chunk")} failed in it.` };
}
