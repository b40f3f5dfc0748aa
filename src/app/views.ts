import type { ViewName } from "../store/address.ts";

/** The views that are built, in the order of their tabs. */
export const SHOWN_VIEWS = [
  { id: "overview", label: "Overview" },
  { id: "manifest", label: "Manifest" },
  { id: "grid", label: "Grid" },
  { id: "shard", label: "Shard" },
  { id: "metadata", label: "Metadata" },
] as const;

export type ShownView = (typeof SHOWN_VIEWS)[number]["id"];

/** A link may name a view that is not built yet. */
export function shownView(view: ViewName): ShownView {
  return SHOWN_VIEWS.find(({ id }) => id === view)?.id ?? "overview";
}
