import { MetadataPanel } from "../panels/metadata/MetadataPanel.tsx";
import { OverviewPanel } from "../panels/overview/OverviewPanel.tsx";
import { useAppState } from "../store/react.tsx";
import { shownNode } from "../store/state.ts";

/** Metadata of a group or array; an array's begin with a card of its facts. */
export function MetadataView() {
  const isArray = useAppState((state) => shownNode(state)?.kind === "array");
  return isArray ? <MetadataPanel about={<OverviewPanel />} /> : <MetadataPanel />;
}
