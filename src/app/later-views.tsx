/** Views whose code is fetched when one is first shown, or when a set is open and nothing else is to be done. */
import { lazy, useEffect, type ComponentType } from "react";
import { usePendingWhileShown } from "../store/react.tsx";
import { Loading } from "../widgets/Loading.tsx";
import { OverviewPanel } from "../panels/overview/OverviewPanel.tsx";
import type { ShownView } from "./views.ts";

type LaterView = Exclude<ShownView, "overview">;
type Load = () => Promise<{ readonly default: ComponentType }>;

const LATER: Readonly<Record<LaterView, Load>> = {
  manifest: async () => ({ default: (await import("../panels/manifest/ManifestPanel.tsx")).ManifestPanel }),
  grid: async () => ({ default: (await import("../panels/grid/GridPanel.tsx")).GridPanel }),
  shard: async () => ({ default: (await import("../panels/shard/ShardView.tsx")).ShardView }),
  metadata: async () => ({ default: (await import("../panels/metadata/MetadataPanel.tsx")).MetadataPanel }),
  history: async () => ({ default: (await import("../panels/history/HistoryPanel.tsx")).HistoryPanel }),
};

export const PANELS: Readonly<Record<ShownView, ComponentType>> = {
  overview: OverviewPanel,
  manifest: lazy(LATER.manifest),
  grid: lazy(LATER.grid),
  shard: lazy(LATER.shard),
  metadata: lazy(LATER.metadata),
  history: lazy(LATER.history),
};

/** Long enough for the first answers to be drawn. */
const QUIET_MS = 500;

/**
 * So that going to another view is instant; `views` are the names of those that there are, with spaces. Where it fails,
 * the view itself says so when it is shown.
 */
export function useViewsFetched(views: string): void {
  useEffect(() => {
    const timer = setTimeout(() => {
      const names = views.split(" ");
      for (const [id, load] of Object.entries(LATER)) if (names.includes(id)) load().catch(() => undefined);
    }, QUIET_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [views]);
}

/** Stands for a view whose code is under way; that counts as something pending. */
export function ViewUnderWay() {
  usePendingWhileShown("Loading the view");
  return <Loading label="Loading the view" />;
}
