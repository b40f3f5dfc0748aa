/** Where a click on a finding leads. */
import type { Finding } from "../../core/finding.ts";
import { ordinalOf } from "../../core/chunk-grid.ts";
import { actionOf, subjectOf } from "../../core/findings/explain.ts";
import { keyAt, nodeAt, WHOLE_SET, type Place } from "../../core/findings/place.ts";
import { placeOfKey, type NodesByPath } from "./chunk-of-key.ts";

export type FindingPlace =
  | { readonly kind: "chunk"; readonly array: string; readonly coordinates: readonly number[] }
  | {
      readonly kind: "node";
      readonly path: string;
      readonly view: "overview" | "manifest" | "metadata";
      /** The row of the manifest that it is about. */
      readonly key?: string;
    }
  | { readonly kind: "locations" }
  | { readonly kind: "set" };

export function placeOfFinding(finding: Finding, nodes: NodesByPath): FindingPlace {
  const place = narrowestPlace(finding);
  switch (place.kind) {
    case "chunk": {
      const { array, coordinates } = place;
      const { grid } = nodes.get(array) ?? {};
      if (grid !== undefined && ordinalOf(grid, coordinates) !== undefined)
        return { kind: "chunk", array, coordinates };
      return viewOf(finding, array, nodes);
    }
    case "key":
      return placeInManifest(place.key, nodes) ?? elsewhere(finding);
    case "node":
      return viewOf(finding, place.path, nodes);
    case "shard":
      return viewOf(finding, place.array, nodes);
    case "set":
    case "target":
    case "text":
    case "gen":
    case "snapshot":
      return elsewhere(finding);
  }
}

/** A target that was read for a chunk is met at that chunk. */
function narrowestPlace({ place, key, array }: Finding): Place {
  if (place !== undefined && place.kind !== "set" && place.kind !== "target") return place;
  if (key !== undefined) return keyAt(key);
  return array === undefined ? (place ?? WHOLE_SET) : nodeAt(array);
}

function placeInManifest(key: string, nodes: NodesByPath): FindingPlace | undefined {
  const place = placeOfKey(key, nodes);
  if (place?.kind !== "node") return place;
  const { path } = place;
  return place.metadata ? { kind: "node", path, view: "metadata" } : { kind: "node", path, view: "manifest", key };
}

/** What is about metadata leads there; the rest is about references and what they lead to. */
function viewOf(finding: Finding, path: string, nodes: NodesByPath): FindingPlace {
  if (!nodes.has(path)) return elsewhere(finding);
  const subject = subjectOf(finding);
  const inManifest = subject === "references" || subject === "source" || subject === "values";
  return { kind: "node", path, view: inManifest ? "manifest" : "metadata" };
}

const elsewhere = (finding: Finding): FindingPlace =>
  actionOf(finding) === "locations" ? { kind: "locations" } : { kind: "set" };
