import type { SetSummary } from "../core/open-set.ts";
import type { ViewName } from "../store/address.ts";

/** The views that are built, in the order of their tabs. */
export const SHOWN_VIEWS = [
  { id: "overview", label: "Overview" },
  { id: "manifest", label: "Manifest" },
  { id: "grid", label: "Grid" },
  { id: "shard", label: "Shard" },
  { id: "metadata", label: "Metadata" },
  { id: "history", label: "History" },
] as const;

export type ShownView = (typeof SHOWN_VIEWS)[number]["id"];

type Described = Pick<SetSummary, "repository">;

/** Only repositories have a history. */
export const hasView = (set: Described | undefined, id: ShownView): boolean =>
  set !== undefined && (id !== "history" || set.repository !== undefined);

export const viewsOf = (set: Described) => SHOWN_VIEWS.filter(({ id }) => hasView(set, id));

/** A link may name a view that is not built yet, or that this set does not have. */
export function shownView(view: ViewName, set: Described): ShownView {
  return viewsOf(set).find(({ id }) => id === view)?.id ?? "overview";
}
