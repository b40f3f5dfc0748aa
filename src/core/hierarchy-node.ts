/** One node of the hierarchy from the metadata documents at its path. */
import { cfFindings } from "./cf-findings.ts";
import type { CodecTable } from "./codec-table.ts";
import { RefscopeError } from "./errors.ts";
import type { Finding } from "./finding.ts";
import type { FindingLog } from "./findings/finding-log.ts";
import { bothVersions, buildNodeV3 } from "./hierarchy-node-v3.ts";
import { nodeName } from "./hierarchy-path.ts";
import type { BrokenNode, GroupNode, HierarchyNode, MetadataDocument } from "./hierarchy.ts";
import { jsonFindings } from "./json-finding.ts";
import { describeJson, isJsonObject, type JsonValue } from "./json.ts";
import { documentText, metadataBroken, type Place } from "./node-document.ts";
import { parseArrayMetadataV2 } from "./parse-array-metadata.ts";
import { parseJson } from "./parse-json.ts";

/** What was met at a path. */
export interface NodeSources {
  array?: MetadataDocument;
  group?: MetadataDocument;
  attributes?: MetadataDocument;
  version3?: MetadataDocument;
  hasChunks: boolean;
}

/** Where both versions stand at one path Zarr v3 counts. */
export function buildNode(
  path: string,
  sources: NodeSources,
  hasChildren: boolean,
  codecs: CodecTable,
  log: FindingLog,
): HierarchyNode {
  if (sources.version3 === undefined) return buildNodeV2(path, sources, hasChildren, log);
  const node = buildNodeV3({ path, name: nodeName(path) }, sources.version3, hasChildren, codecs, log);
  const older = [sources.array && ".zarray", sources.group && ".zgroup", sources.attributes && ".zattrs"];
  const names = older.filter((name) => name !== undefined);
  if (names.length > 0) log.add(bothVersions(path, sources.version3, names));
  if (sources.hasChunks && node.kind === "group") log.add(chunksInGroup(node));
  noteLinks(node, log);
  return node;
}

function buildNodeV2(path: string, sources: NodeSources, hasChildren: boolean, log: FindingLog): HierarchyNode {
  const attributes = sources.attributes && readAttributes(sources.attributes, log);
  const place = { path, name: nodeName(path), attributes };
  noteLinks(place, log);
  if (sources.array !== undefined) return buildArray(place, sources.array, sources, log);
  if (sources.hasChunks && sources.group === undefined && !hasChildren) return chunksOnly(place, log);
  if (sources.hasChunks) log.add(chunksInGroup(place));
  return buildGroup(place, sources.group, log);
}

function buildArray(place: Place, document: MetadataDocument, sources: NodeSources, log: FindingLog): HierarchyNode {
  if (sources.group !== undefined) log.add(arrayAndGroup(place.path));
  try {
    const { metadata, findings } = parseArrayMetadataV2(documentText(document), place.attributes);
    for (const finding of findings) log.add({ ...finding, array: place.path, key: document.key });
    log.addAll(cfFindings(metadata, place.attributes).map((finding) => ({ ...finding, array: place.path })));
    return { kind: "array", ...place, metadata };
  } catch (error) {
    return broken(place, document, reasonOf(error), log);
  }
}

/** A group stays one when its `.zgroup` is broken: what lies below can be read all the same. */
function buildGroup(place: Place, document: MetadataDocument | undefined, log: FindingLog): GroupNode {
  if (document === undefined) return { kind: "group", ...place, declared: false };
  try {
    const { value, oddities } = parseJson(documentText(document), "Reading group metadata");
    addOddities(oddities, place.path, document.key, log);
    const format = isJsonObject(value) ? value.get("zarr_format") : undefined;
    if (format === 2) return { kind: "group", ...place, declared: true };
    const found = isJsonObject(value) ? `zarr_format ${String(describeFormat(format))}` : describeJson(value);
    log.add(metadataBroken(place.path, document, `Expected an object with zarr_format 2, found ${found}.`));
  } catch (error) {
    log.add(metadataBroken(place.path, document, reasonOf(error)));
  }
  return { kind: "group", ...place, declared: false };
}

function describeFormat(format: JsonValue | undefined): string | number {
  return typeof format === "number" ? format : describeJson(format);
}

function readAttributes(document: MetadataDocument, log: FindingLog): JsonValue | undefined {
  try {
    const { value, oddities } = parseJson(documentText(document), "Reading attributes");
    const path = pathOf(document.key);
    addOddities(oddities, path, document.key, log);
    if (isJsonObject(value)) return value;
    log.add(attributesBroken(document, `Expected an object, found ${describeJson(value)}.`));
  } catch (error) {
    log.add(attributesBroken(document, reasonOf(error)));
  }
  return undefined;
}

function reasonOf(error: unknown): string {
  if (error instanceof RefscopeError) return error.message;
  throw error;
}

function addOddities(oddities: Parameters<typeof jsonFindings>[0], path: string, key: string, log: FindingLog): void {
  for (const finding of jsonFindings(oddities)) log.add({ ...finding, array: path, key });
}

function pathOf(key: string): string {
  return key.slice(0, Math.max(0, key.lastIndexOf("/")));
}

function broken(place: Place, document: MetadataDocument, reason: string, log: FindingLog): BrokenNode {
  log.add(metadataBroken(place.path, document, reason));
  return { kind: "broken", ...place, reason };
}

function chunksOnly(place: Place, log: FindingLog): BrokenNode {
  const reason = "There are chunk keys but no .zarray, so their shape, type and codecs are not known.";
  const advice = "Add the array's .zarray to the set, or remove the keys.";
  log.add({ code: "array-metadata-missing", severity: "error", array: place.path, message: reason, advice });
  return { kind: "broken", ...place, reason };
}

function chunksInGroup(place: Place): Finding {
  const message = "Keys that look like chunks stand directly below a group, where no array is declared.";
  return { code: "chunks-without-array", severity: "warning", array: place.path, message };
}

function arrayAndGroup(path: string): Finding {
  const message = "There are both a .zarray and a .zgroup here; it is read as an array, as zarr-python does.";
  return { code: "array-and-group", severity: "warning", array: path, message };
}

function attributesBroken(document: MetadataDocument, reason: string): Finding {
  const message = `${document.key} cannot be understood, so the attributes are not known. ${reason}`;
  return { code: "attributes-broken", severity: "warning", array: pathOf(document.key), key: document.key, message };
}

/** LINDI (Kerchunk-like sets for HDF5 files) leaves out what lies elsewhere and says so in attributes. */
function noteLinks(place: Place, log: FindingLog): void {
  const { attributes, path: array } = place;
  if (!isJsonObject(attributes)) return;
  if (attributes.has("_EXTERNAL_ARRAY_LINK")) {
    const message =
      "The chunks of this array are not in this set: its attribute _EXTERNAL_ARRAY_LINK (LINDI) names the HDF5 file that has them. " +
      "Python's zarr reads fill values instead.";
    log.add({ code: "lindi-external-array-link", severity: "warning", array, message });
  }
  if (attributes.has("_SOFT_LINK")) {
    const message =
      "This group stands for another node, which its attribute _SOFT_LINK (LINDI) names; the arrays and chunks are there, not here.";
    log.add({ code: "lindi-soft-link", severity: "info", array, message });
  }
}
