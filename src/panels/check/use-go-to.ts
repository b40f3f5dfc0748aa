/** Going to what a finding is about. */
import { ordinalOf } from "#core/metadata/chunk-grid.ts";
import { useActions, useSend } from "#store/react.tsx";
import { type NodesByPath, placeOfKey } from "#core/metadata/chunk-of-key.ts";
import type { ListedFinding } from "./findings.ts";

export function useGoTo(nodes: NodesByPath) {
  const actions = useActions();
  const send = useSend();
  return (listed: ListedFinding) => {
    const place: FindingPlace = placeOfFinding(listed, nodes);
    if (place.kind === "chunk") actions.selectChunk(place.array, place.coordinates);
    else if (place.kind === "locations") send({ kind: "show-locations" });
    else if (place.kind === "set") actions.showOfSet("overview");
    else {
      actions.selectNode(place.path);
      actions.showView(place.view);
      if (place.key !== undefined) send({ kind: "find-row", node: place.path, key: place.key });
    }
  };
}

// Place to which a click on a finding leads.

type FindingPlace =
  | { readonly kind: "chunk"; readonly array: string; readonly coordinates: readonly number[] }
  | {
      readonly kind: "node";
      readonly path: string;
      readonly view: "chunks" | "metadata";
      /** The row of the manifest that it is about. */
      readonly key?: string;
    }
  | { readonly kind: "locations" }
  | { readonly kind: "set" };

export function placeOfFinding(listed: ListedFinding, nodes: NodesByPath): FindingPlace {
  const { place } = listed;
  switch (place.kind) {
    case "chunk": {
      const { array, coordinates } = place;
      const { grid } = nodes.get(array) ?? {};
      if (grid !== undefined && ordinalOf(grid, coordinates) !== undefined)
        return { kind: "chunk", array, coordinates };
      return viewOf(listed, array, nodes);
    }
    case "key":
      return placeInManifest(place.key, nodes) ?? elsewhere(listed);
    case "node":
      return viewOf(listed, place.path, nodes);
    case "shard":
      return viewOf(listed, place.array, nodes);
    case "set":
    case "target":
    case "text":
    case "gen":
    case "snapshot":
      return elsewhere(listed);
  }
}

function placeInManifest(key: string, nodes: NodesByPath): FindingPlace | undefined {
  const place = placeOfKey(key, nodes);
  if (place?.kind !== "node") return place;
  const { path } = place;
  return place.metadata ? { kind: "node", path, view: "metadata" } : { kind: "node", path, view: "chunks", key };
}

/** View for a finding: metadata, or references and their data. */
function viewOf(listed: ListedFinding, path: string, nodes: NodesByPath): FindingPlace {
  if (!nodes.has(path)) return elsewhere(listed);
  const subject = listed.said.about;
  const inManifest = subject === "references" || subject === "source" || subject === "values";
  return { kind: "node", path, view: inManifest ? "chunks" : "metadata" };
}

const elsewhere = ({ said }: ListedFinding): FindingPlace =>
  said.action === "locations" ? { kind: "locations" } : { kind: "set" };
