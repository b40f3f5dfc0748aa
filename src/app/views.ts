/** The views on the screen: the table of `store/views.ts`, with the panel of each. */
import { type ComponentType, createElement, lazy, useEffect, useState } from "react";
import type { SetSummary } from "../core/open-set.ts";
import { type Subject, type ViewName, VIEW_NAMES, VIEWS } from "../store/views.ts";

type Described = Pick<SetSummary, "repository" | "nodes">;

/** Code that is fetched when it is first shown, or asked for before: then it is drawn at once. */
export function later<P extends object>(fetched: () => Promise<ComponentType<P>>) {
  let here: ComponentType<P> | undefined;
  const load = async () => ({ default: (here ??= await fetched()) });
  const Later = lazy(load);
  function Panel(props: P) {
    // React draws a fallback for whatever is lazy, even if it is there, and keeps that for 300 ms.
    const [Shown] = useState<ComponentType<P>>(() => here ?? Later);
    return createElement(Shown, props);
  }
  return { load, Panel };
}

/** `edit` has the page to itself. */
const PANELS: Readonly<Record<Exclude<ViewName, "edit">, ReturnType<typeof later>>> = {
  overview: later(async () => (await import("../panels/overview/OverviewPanel.tsx")).OverviewPanel),
  check: later(async () => (await import("../panels/check/CheckPanel.tsx")).CheckPanel),
  sources: later(async () => (await import("../panels/sources/SourcesPanel.tsx")).SourcesPanel),
  data: later(async () => (await import("../panels/data/DataPanel.tsx")).DataPanel),
  chunks: later(async () => (await import("../panels/chunks/ChunksPanel.tsx")).ChunksPanel),
  metadata: later(async () => (await import("./MetadataView.tsx")).MetadataView),
  compare: later(async () => (await import("../panels/compare/ComparePanel.tsx")).ComparePanel),
  history: later(async () => (await import("../panels/history/HistoryPanel.tsx")).HistoryPanel),
};

const viewOf = (id: keyof typeof PANELS) => ({ id, ...VIEWS[id], ...PANELS[id] });
export type View = ReturnType<typeof viewOf>;
const OVERVIEW = viewOf("overview");

/** Views in the order of their tabs and keys. */
export const SHOWN_VIEWS: readonly View[] = VIEW_NAMES.filter((id) => id !== "edit").map((id) =>
  id === "overview" ? OVERVIEW : viewOf(id),
);

export const viewsOf = (set: Described | undefined): readonly View[] =>
  set === undefined ? [] : SHOWN_VIEWS.filter(({ has }) => has?.(set) ?? true);

/** A link may name a view that this set does not have. */
export const shownView = (view: ViewName, set: Described): View =>
  viewsOf(set).find(({ id }) => id === view) ?? OVERVIEW;

/**
 * The views beside the one that is shown. A set that is one array has the array's too. `hasTree`: those of the set alone
 * stand above the tree, and are not told again.
 */
export function tabsBeside(view: View, set: Described, path: string, hasTree: boolean): readonly View[] {
  const isTold = ({ sign, of }: View) => hasTree && sign !== undefined && !of.includes("group");
  if (isTold(view)) return [view];
  const subjects = subjectsOf(view, set, path);
  const beside = viewsOf(set).filter((one) => !isTold(one) && one.of.some((kind) => subjects.includes(kind)));
  return beside.includes(view) ? beside : [view, ...beside];
}

function subjectsOf({ of }: View, { nodes }: Described, path: string): readonly Subject[] {
  const kind = nodes.find((node) => node.path === path)?.kind ?? "group";
  if (path === "") return kind === "array" ? ["set", "array"] : ["set"];
  return of.includes(kind) ? [kind] : ["set"];
}

/** True if the view is about one array, which is then named above it. */
export const isOfNode = ({ of }: View, kind: "group" | "array" | "broken" | undefined): boolean =>
  kind !== undefined && kind !== "group" && of.includes(kind);

/** Long enough for the first answers to be drawn. */
const QUIET_MS = 500;

/** So that going to another view is instant. Where it fails, the view itself says so when it is shown. */
export function useViewsFetched(views: readonly View[]): void {
  const names = views.map(({ id }) => id).join(" ");
  useEffect(() => {
    const timer = setTimeout(() => {
      const ids = names.split(" ");
      for (const { id, load } of SHOWN_VIEWS) if (ids.includes(id)) load().catch(() => undefined);
    }, QUIET_MS);
    return () => clearTimeout(timer);
  }, [names]);
}
