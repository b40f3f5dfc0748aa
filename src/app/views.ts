/** The views: what the page knows of each. */
import { lazy, useEffect, type ComponentType } from "react";
import type { SetSummary } from "../core/open-set.ts";
import type { ViewName } from "../store/address.ts";

type Described = Pick<SetSummary, "repository">;

export interface View {
  readonly id: ViewName;
  readonly label: string;
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
  ...later(async () => (await import("../panels/overview/OverviewPanel.tsx")).OverviewPanel),
};

/** Those that are built, in the order of their tabs. */
export const SHOWN_VIEWS: readonly View[] = [
  OVERVIEW,
  { id: "data", label: "Data", ...later(async () => (await import("../panels/data/DataPanel.tsx")).DataPanel) },
  {
    id: "chunks",
    label: "Chunks",
    ...later(async () => (await import("../panels/chunks/ChunksPanel.tsx")).ChunksPanel),
  },
  {
    id: "metadata",
    label: "Metadata",
    ...later(async () => (await import("../panels/metadata/MetadataPanel.tsx")).MetadataPanel),
  },
  {
    id: "history",
    label: "History",
    has: (set) => set.repository !== undefined,
    ...later(async () => (await import("../panels/history/HistoryPanel.tsx")).HistoryPanel),
  },
];

export const viewsOf = (set: Described | undefined): readonly View[] =>
  set === undefined ? [] : SHOWN_VIEWS.filter(({ has }) => has?.(set) ?? true);

/** A link may name a view that is not built yet, or that this set does not have. */
export const shownView = (view: ViewName, set: Described): View =>
  viewsOf(set).find(({ id }) => id === view) ?? OVERVIEW;

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
