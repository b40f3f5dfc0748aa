/** Where a click on a finding leads. */
import type { Finding } from "../../core/finding.ts";
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

/** Codes that are mended by saying where targets are. */
const LOCATION_CODES = new Set([
  "target-account-missing",
  "target-ambiguous",
  "target-chained",
  "target-has-credentials",
  "target-is-a-path",
  "target-is-local",
  "target-null",
  "target-private-address",
  "target-relative",
  "target-scheme-unsupported",
  "redirect-to-private",
  "file-not-given",
]);

export function isAboutLocations(code: string): boolean {
  return LOCATION_CODES.has(code);
}

export function placeOfFinding(finding: Finding, nodes: NodesByPath): FindingPlace {
  if (finding.key !== undefined) {
    const place = placeOfKey(finding.key, nodes);
    if (place?.kind === "chunk") return place;
    if (place?.kind === "node") {
      if (place.metadata) return { kind: "node", path: place.path, view: "metadata" };
      return { kind: "node", path: place.path, view: "manifest", key: finding.key };
    }
  }
  if (finding.array !== undefined && nodes.has(finding.array))
    return { kind: "node", path: finding.array, view: viewFor(finding.code) };
  return isAboutLocations(finding.code) ? { kind: "locations" } : { kind: "set" };
}

function viewFor(code: string): "manifest" | "metadata" {
  return /^(?:chunk|reference|key|target|range|stray)/.test(code) ? "manifest" : "metadata";
}
