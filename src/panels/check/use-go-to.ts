/** Going to what a finding is about. */
import { useActions, useSend } from "../../store/react.tsx";
import type { NodesByPath } from "./chunk-of-key.ts";
import { placeOfFinding, type FindingPlace } from "./finding-place.ts";
import type { ListedFinding } from "./findings.ts";

export function useGoTo(nodes: NodesByPath) {
  const actions = useActions();
  const send = useSend();
  return (listed: ListedFinding) => {
    const place: FindingPlace = placeOfFinding(listed, nodes);
    if (place.kind === "chunk") actions.selectChunk(place.array, place.coordinates);
    else if (place.kind === "locations") send({ kind: "show-locations" });
    else if (place.kind === "set") actions.showOverview();
    else {
      actions.selectNode(place.path);
      actions.showView(place.view);
      if (place.key !== undefined) send({ kind: "find-row", node: place.path, key: place.key });
    }
  };
}
