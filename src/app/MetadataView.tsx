import { MetadataPanel } from "../panels/metadata/MetadataPanel.tsx";
import { OverviewPanel } from "../panels/overview/OverviewPanel.tsx";
import { useAppState } from "../store/react.tsx";

/** What the metadata of a group or array say; of an array first what it is, as a card. */
export function MetadataView() {
  const isArray = useAppState(({ set, node }) => set?.nodes.find(({ path }) => path === node)?.kind === "array");
  return isArray ? <MetadataPanel about={<OverviewPanel />} /> : <MetadataPanel />;
}
