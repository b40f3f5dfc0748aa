/** Which view an array or a group is shown in when it is selected. */
import type { NodeSummary } from "../core/open-set.ts";
import type { ViewName } from "./address.ts";

/** Views of the set as a whole: going to an array or group leaves them. */
const OF_SET: ReadonlySet<ViewName> = new Set<ViewName>(["check", "sources", "history"]);

/** Views of an array in which the next one is shown as well. */
export type ArrayView = "data" | "chunks";
export const isArrayView = (view: ViewName): view is ArrayView => view === "data" || view === "chunks";

/** What is about the whole set, beside which no chunk is shown until one is selected. */
export const isOfWhole = (view: ViewName): boolean => view === "overview" || view === "check" || view === "sources";

/** Where a chunk that is selected is looked at elsewhere; Sources shows its bytes among the others. */
export const leavesForChunk = (view: ViewName): boolean => view === "overview" || view === "check";

/** `view`: what is shown now; `last`: the view in which an array was looked at last. */
export function viewOfNode(node: NodeSummary | undefined, view: ViewName, last: ArrayView): ViewName {
  if (view === "edit" || node === undefined) return view;
  const leaves = OF_SET.has(view) || view === "overview";
  switch (node.kind) {
    case "array":
      return leaves ? last : view;
    case "broken":
      return leaves || view === "data" ? "metadata" : view;
    case "group":
      return leaves || view === "data" ? "overview" : view;
  }
}

/** An array has no overview of its own: Metadata begins with what it is. The root's is the set's. */
export const viewInLink = (node: NodeSummary | undefined, view: ViewName | undefined): ViewName => {
  const isArray = node?.kind === "array" && node.path !== "";
  if (view === undefined) return isArray ? "data" : "overview";
  return view === "overview" && isArray ? "metadata" : view;
};
