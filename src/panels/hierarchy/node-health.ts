/** What the mark at the end of a line of the tree says: whether chunks failed, lack a reference, or were read. */
import type { NodeSummary } from "../../core/open-set.ts";
import type { ArrayTally } from "../../core/reading-tally.ts";
import { countOf, formatCount, formatShare } from "../../widgets/number-format.ts";

export type NodeHealth =
  | { readonly kind: "failed"; readonly text: string; readonly sentence: string }
  | { readonly kind: "missing"; readonly text: string; readonly sentence: string }
  | { readonly kind: "unread" | "partly" | "read"; readonly sentence: string };

/** The longest that has room in a narrow tree. */
const MAX_TEXT = 11;

/** The worst that is known; `undefined` where there is nothing to know. */
export function nodeHealth(node: NodeSummary, tally: ArrayTally | undefined): NodeHealth | undefined {
  const { cells = 0, present = 0, unknown = 0 } = node;
  const { ok = 0, failed = 0 } = tally ?? {};
  if (failed > 0) {
    const sentence = `${countOf(failed, "chunk")} failed of ${formatCount(ok + failed)} read.`;
    return { kind: "failed", text: formatCount(failed), sentence };
  }
  if (cells === 0) return undefined;
  if (unknown === 0 && present < cells) {
    const sentence = `${formatCount(cells - present)} of ${countOf(cells, "chunk")} have no reference.`;
    return { kind: "missing", text: shareText(present, cells), sentence };
  }
  if (ok === 0) return { kind: "unread", sentence: "No chunk was read yet." };
  if (ok >= cells) return { kind: "read", sentence: "Every chunk was read, and none failed." };
  return { kind: "partly", sentence: `${formatCount(ok)} of ${countOf(cells, "chunk")} were read, and none failed.` };
}

function shareText(present: number, cells: number): string {
  const exact = `${formatCount(present)} / ${formatCount(cells)}`;
  return exact.length <= MAX_TEXT ? exact : formatShare(present, cells);
}

/** Of a group that is closed: failures below it. */
export function groupHealth(failed: number): NodeHealth | undefined {
  if (failed === 0) return undefined;
  return { kind: "failed", text: formatCount(failed), sentence: `${countOf(failed, "chunk")} failed in it.` };
}
