/** The views: what the page knows of each. */
import { lazy, useEffect, type ComponentType } from "react";
import type { SetSummary } from "../core/open-set.ts";
import type { ViewName } from "../store/address.ts";

type Described = Pick<SetSummary, "repository" | "nodes">;

/** What is looked at: the set as a whole, a group of it, an array, or a node whose metadata cannot be understood. */
type Subject = "set" | "group" | "array" | "broken";

export interface View {
  readonly id: ViewName;
  readonly label: string;
  readonly of: readonly Subject[];
  readonly Panel: ComponentType;
  /** Fetches its code; absent where that comes with the page. */
  readonly load?: () => Promise<ComponentType>;
  /** Which sets have it; absent = all. */
  readonly has?: (set: Described) => boolean;
}

/** A view whose code is fetched when it is first shown, or when a set is open and nothing else is to be done. */
function later(load: () => Promise<ComponentType>) {
  return { load, Panel: lazy(async () => ({ default: await load() })) };
}

const OVERVIEW: View = {
  id: "overview",
  label: "Overview",
  of: ["set", "group"],
  ...later(async () => (await import("../panels/overview/OverviewPanel.tsx")).OverviewPanel),
};

/** Those that are built, in the order of their tabs and keys. */
export const SHOWN_VIEWS: readonly View[] = [
  OVERVIEW,
  {
    id: "check",
    label: "Check",
    of: ["set"],
    ...later(async () => (await import("../panels/check/CheckPanel.tsx")).CheckPanel),
  },
  {
    id: "sources",
    label: "Sources",
    of: ["set"],
    ...later(async () => (await import("../panels/sources/SourcesPanel.tsx")).SourcesPanel),
  },
  {
    id: "data",
    label: "Data",
    of: ["array"],
    ...later(async () => (await import("../panels/data/DataPanel.tsx")).DataPanel),
  },
  {
    id: "chunks",
    label: "Chunks",
    of: ["set", "group", "array", "broken"],
    ...later(async () => (await import("../panels/chunks/ChunksPanel.tsx")).ChunksPanel),
  },
  {
    id: "metadata",
    label: "Metadata",
    of: ["set", "group", "array", "broken"],
    ...later(async () => (await import("./MetadataView.tsx")).MetadataView),
  },
  {
    id: "history",
    label: "History",
    of: ["set"],
    has: (set) => set.repository !== undefined,
    ...later(async () => (await import("../panels/history/HistoryPanel.tsx")).HistoryPanel),
  },
];

export const viewsOf = (set: Described | undefined): readonly View[] =>
  set === undefined ? [] : SHOWN_VIEWS.filter(({ has }) => has?.(set) ?? true);

/** A link may name a view that is not built yet, or that this set does not have. */
export const shownView = (view: ViewName, set: Described): View =>
  viewsOf(set).find(({ id }) => id === view) ?? OVERVIEW;

/** The views beside the one that is shown. A set that is one array has the array's too. */
export function tabsBeside(view: View, set: Described, path: string): readonly View[] {
  const subjects = subjectsOf(view, set, path);
  const beside = viewsOf(set).filter(({ of }) => of.some((one) => subjects.includes(one)));
  return beside.includes(view) ? beside : [view, ...beside];
}

function subjectsOf({ of }: View, { nodes }: Described, path: string): readonly Subject[] {
  const kind = nodes.find((node) => node.path === path)?.kind ?? "group";
  if (path === "") return kind === "array" ? ["set", "array"] : ["set"];
  return of.includes(kind) ? [kind] : ["set"];
}

/** Whether it is about one array, which is then named above it. */
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
      for (const { id, load } of SHOWN_VIEWS) if (ids.includes(id)) load?.().catch(() => undefined);
    }, QUIET_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [names]);
}
