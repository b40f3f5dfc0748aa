/**
 * Features for readers that findings show: answers of servers, kinds of targets, contents of metadata, reading of fill
 * values.
 */
import { chunkIn, type Finding, nodeOf, type Place } from "#core/findings/finding.ts";
import type { Must } from "#core/findings/catalogue/formats/conventions.ts";
import type { LibraryEffect } from "#core/findings/catalogue/formats/icechunk.ts";
import type { FeatureId } from "#core/readers/rules.ts";
import type { FeatureUse } from "#core/readers/verdict.ts";
import type { EngineSet } from "#engine/engine-set.ts";

/** Feature that a code stands for. */
const BY_CODE: ReadonlyMap<string, FeatureId> = new Map([
  ["json-not-finite", "json-not-finite"],
  ["icechunk-no-container", "outside-containers"],
  ["icechunk-no-checksum", "unrecorded-checksum"],
  ["icechunk-manifest-unordered", "icechunk-misread"],
  ["icechunk-outside-extents", "icechunk-misread"],
  ["icechunk-target-changed", "target-changed"],
  ["target-newer", "target-changed"],
  ["dimension-size-disagrees", "dimensions-conflict"],
  ["range-ignored", "range-ignored"],
  ["short-read", "short-target"],
  ["native-object-short", "undecodable"],
  ["target-too-short", "short-target"],
  ["decode-failed", "undecodable"],
  ["checksum-mismatch", "undecodable"],
  ["chunk-size-mismatch", "undecodable"],
  ["target-unfit", "undecodable"],
  ["range-offset-wrong", "undecodable"],
  ["range-length-wrong", "undecodable"],
  ["chunk-codec-skipped", "undecodable"],
  ["chunk-codecs-other", "undecodable"],
  ["chunks-of-other-format", "undecodable"],
  ["codec-order", "codec-order"],
  ["metadata-must-understand", "metadata-invalid"],
]);

/** Feature that a broken rule of OME-NGFF stands for. */
const BY_RULE: ReadonlyMap<string, FeatureId> = new Map<string, FeatureId>([
  ["level-type", "ome-refused"],
  ["axes", "ome-refused"],
  ["axis-name", "ome-refused"],
  ["no-levels", "ome-refused"],
  ["omero", "ome-broken"],
  ["plate", "ome-broken"],
  ["well", "ome-broken"],
]);

/** Statuses that say that there is no such object. */
const DENIED: ReadonlySet<unknown> = new Set([401, 403]);
const GONE: ReadonlySet<unknown> = new Set([404, 410]);

function featureOf(set: EngineSet, { code, facts, place }: Finding): FeatureId | undefined {
  switch (code) {
    case "convention-must":
      return (facts as Must).convention.startsWith("OME") ? BY_RULE.get((facts as Must).rule) : undefined;
    case "fill-value-missing":
      return "fill-value-refused";
    case "fill-value-odd":
      if (!UNFIT.has(facts["problem"])) return undefined;
      return isVersion3(set, place) ? "fill-value-refused" : "fill-value-doubtful";
    case "dimension-names-odd":
    case "dimension-names-rank":
      // Dimension names are attributes in Zarr v2, which zarr-python does not look at.
      return facts["member"] === "dimension_names" ? "dimension-names-wrong" : undefined;
    case "http-status":
    case "target-gone":
    case "chunk-denied":
      if (DENIED.has(facts["status"])) return "access-denied";
      return GONE.has(facts["status"]) ? "target-not-found" : undefined;
    case "icechunk-library-limit":
      return `icechunk-${facts["effect"] as LibraryEffect}`;
    case "native-object-missing":
      // Zarr stores read as the fill value what they lack.
      return set.format.kind === "icechunk" ? "target-not-found" : undefined;
    case "crs-absent":
      return "crs-absent";
    case "target-missing":
      return "target-not-found";
    case "fill-value-confusing":
      return facts["problem"] === "zero" ? "fill-zero" : facts["problem"] === "refused" ? "fill-refused" : undefined;
    default:
      return BY_CODE.get(code);
  }
}

/** Problems of a fill value that no element of its type is. */
const UNFIT: ReadonlySet<unknown> = new Set(["misfit", "null", "no-bytes"]);

function isVersion3({ hierarchy }: EngineSet, place: Place): boolean {
  const node = hierarchy.nodes.get(arrayOf(place) ?? "");
  return node?.kind === "array" && node.metadata.zarrFormat === 3;
}

/** One use a feature: several findings may name the same chunks. */
export function foundFeatures(set: EngineSet, found: readonly Finding[]): readonly FeatureUse[] {
  const by = new Map<FeatureId, Finding[]>();
  for (const one of found) {
    const feature = featureOf(set, one);
    if (feature !== undefined) by.set(feature, [...(by.get(feature) ?? []), one]);
  }
  return [...by].map(([feature, findings]) => useOf(set, feature, findings)).filter(({ count }) => count > 0);
}

/** Features of all chunks of an array. */
const OF_ARRAYS: ReadonlySet<FeatureId> = new Set<FeatureId>([
  "json-not-finite",
  "fill-zero",
  "fill-refused",
  "dimensions-conflict",
  "crs-absent",
  "codec-order",
  "metadata-invalid",
  "icechunk-refused",
  "icechunk-misread",
  "icechunk-history",
  "icechunk-commit",
  "fill-value-refused",
  "fill-value-doubtful",
  "dimension-names-wrong",
]);

/** The node; of a key of metadata that which it is of. */
function arrayOf(place: Place): string | undefined {
  if (place.kind !== "key") return nodeOf(place);
  return /^(?:(.*)\/)?(?:\.zarray|\.zattrs|zarr\.json)$/.exec(place.key)?.[1];
}

function useOf({ tally }: EngineSet, feature: FeatureId, findings: readonly Finding[]): FeatureUse {
  const places = findings.flatMap(({ place, places = [place] }) => places);
  const target = places.find((place) => place.kind === "target");
  const named = feature === "crs-absent" ? findings.flatMap(({ facts }) => facts["arrays"] as readonly string[]) : [];
  const arrays = [...new Set(named.length > 0 ? named : places.flatMap((place) => arrayOf(place) ?? []))];
  if (feature === "ome-refused" || feature === "ome-broken") return imagesConcerned(tally, feature, arrays);
  const first = target?.kind === "target" ? { first: target.target } : {};
  const where = { ...first, ...(arrays.length === 0 ? {} : { arrays }) };
  // A document is read as a whole, or not at all.
  if (feature === "json-not-finite" && places.some(({ kind }) => kind === "text" || kind === "set"))
    return { feature, count: 1, of: 1, unit: "set" };
  // A group opens whole, or not at all; nor is there a repository without the files that all of it needs.
  const isWhole = feature.startsWith("icechunk-") && places.some(({ kind }) => kind === "set");
  if (isWhole || feature === "dimensions-conflict") return { feature, count: 1, of: 1, unit: "set", ...where };
  if (OF_ARRAYS.has(feature) && arrays.length > 0) {
    const count = arrays.reduce((sum, path) => sum + (tally.arrays.get(path)?.cells ?? 0), 0);
    return { feature, count, of: tally.cells, unit: "chunk", ...where };
  }
  const count = Math.min(tally.references, chunksOf(findings));
  return { feature, count, of: tally.references, unit: "chunk", ...where };
}

/** An image, plate or well is refused with all in its group. */
function imagesConcerned(
  { arrays, cells }: EngineSet["tally"],
  feature: FeatureId,
  groups: readonly string[],
): FeatureUse {
  const within = [...arrays].filter(([path]) => groups.some((group) => path.startsWith(`${group}/`)));
  if (groups.includes("")) return { feature, count: 1, of: 1, unit: "set" };
  const count = within.reduce((sum, [, one]) => sum + one.cells, 0);
  return { feature, count, of: cells, unit: "chunk", arrays: within.map(([path]) => path) };
}

/** At least so many: chunks that are named, and those of the finding that reaches furthest. */
function chunksOf(findings: readonly Finding[]): number {
  const named = new Set<string>();
  let furthest = 1;
  for (const { place, places = [place], extent } of findings) {
    for (const one of places) {
      const chunk = chunkIn(one);
      if (chunk !== undefined) named.add(JSON.stringify([chunk.array, chunk.coordinates]));
    }
    furthest = Math.max(
      furthest,
      (extent?.arrays ?? []).reduce((sum, { chunks }) => sum + chunks, 0),
    );
  }
  return Math.max(named.size, furthest);
}
