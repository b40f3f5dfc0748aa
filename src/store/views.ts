/** The views: the only table of them. Their panels are in `app/views.ts`. */
import type { NodeSummary, SetSummary } from "../core/open-set.ts";

/** Subject of a view: the set as a whole, a group of it, an array, or a node whose metadata cannot be understood. */
export type Subject = "set" | NodeSummary["kind"];

export interface ViewEntry {
  readonly label: string;
  readonly of: readonly Subject[];
  /** Above the tree, for a view of the set: a path in a square of 12. */
  readonly sign?: string;
  /** Parameters of the URL that matter while this view is shown. */
  readonly parameters?: readonly ("slice" | "values" | "target" | "with")[];
  /** Names in older links. */
  readonly formerly?: readonly string[];
  /** The next array that is selected is shown in it as well. */
  readonly opensArrays?: true;
  /** A chunk is looked at in another view, or beside this one once it is selected; absent = there is always room for it. */
  readonly chunk?: "elsewhere" | "beside";
  /** Which sets have it; absent = all. */
  readonly has?: (set: Pick<SetSummary, "repository">) => boolean;
}

const TABLE = {
  overview: { label: "Overview", of: ["set", "group"], sign: "M2 2.5h8v7h-8zM2 5h8M5 5v4.5", chunk: "elsewhere" },
  check: { label: "Check", of: ["set"], sign: "M1 6.5h2.5l1.3-4l2.2 7l1.5-3h2.5", chunk: "elsewhere" },
  sources: {
    label: "Sources",
    of: ["set"],
    sign: "M2 3.5c0-2 8-2 8 0v5c0 2-8 2-8 0zM2 3.5c0 2 8 2 8 0M2 6c0 2 8 2 8 0",
    parameters: ["values", "target"],
    chunk: "beside",
  },
  data: { label: "Data", of: ["array"], parameters: ["slice", "values"], opensArrays: true },
  chunks: {
    label: "Chunks",
    of: ["set", "group", "array", "broken"],
    parameters: ["values"],
    formerly: ["manifest", "grid", "shard"],
    opensArrays: true,
  },
  metadata: { label: "Metadata", of: ["set", "group", "array", "broken"], parameters: ["values"] },
  history: {
    label: "History",
    of: ["set"],
    sign: "M6 3.5v2.8l2 1.2M1.5 6a4.5 4.5 0 1 0 1.4-3.3M1.5 2v2h2",
    chunk: "beside",
    has: ({ repository }) => repository !== undefined,
  },
  compare: {
    label: "Compare",
    of: ["set"],
    sign: "M1.5 2h4v8h-4zM6.5 2h4v8h-4z",
    parameters: ["with"],
    chunk: "beside",
  },
  edit: { label: "Edit", of: ["set", "group", "array", "broken"], parameters: ["values"] },
} satisfies Readonly<Record<string, ViewEntry>>;

export type ViewName = keyof typeof TABLE;
export const VIEWS: Readonly<Record<ViewName, ViewEntry>> = TABLE;
/** Views in the order of their tabs and keys. */
export const VIEW_NAMES = Object.keys(TABLE) as readonly ViewName[];

/** From a link; `undefined` where there is no such view. */
export const viewNamed = (text: string): ViewName | undefined =>
  VIEW_NAMES.find((name) => name === text || VIEWS[name].formerly?.includes(text) === true);

/** True if the view shows the set as a whole, with this node selected: groups have an overview too. */
export const isOfSet = (view: ViewName, node: string): boolean =>
  VIEWS[view].sign !== undefined && (node === "" || !VIEWS[view].of.includes("group"));

/** `view`: what is shown now; `last`: the view in which an array was looked at last. */
export function viewOfNode(node: NodeSummary | undefined, view: ViewName, last: ViewName): ViewName {
  if (node === undefined || VIEWS[view].of.includes(node.kind)) return view;
  return node.kind === "array" ? last : node.kind === "broken" ? "metadata" : "overview";
}

/** An array has no overview of its own: Metadata begins with what it is. The root's is the set's. */
export const viewInLink = (node: NodeSummary | undefined, view: ViewName | undefined): ViewName => {
  const isArray = node?.kind === "array" && node.path !== "";
  if (view === undefined) return isArray ? "data" : "overview";
  return view === "overview" && isArray ? "metadata" : view;
};
