/** One node of the hierarchy from the metadata documents at its path. */
import type { CodecTable } from "./codec-table.ts";
import { type FactsOf, type Finding, finding } from "./findings/finding.ts";
import { failure } from "./findings/failure.ts";
import type { FindingLog } from "./findings/finding-log.ts";
import { keyAt, nodeAt } from "./findings/place.ts";
import { buildNodeV3 } from "./hierarchy-node-v3.ts";
import { nodeName } from "./hierarchy-path.ts";
import type { BrokenNode, GroupNode, HierarchyNode, MetadataDocument } from "./hierarchy.ts";
import { jsonFindings } from "./json-finding.ts";
import { describeJson, isJsonObject, type JsonValue } from "./json.ts";
import { causeOfError, documentText, metadataBroken, scalePart, type NodePlace } from "./node-document.ts";
import { parseArrayMetadataV2 } from "./parse-array-metadata.ts";
import { jsonValueOf, parseJson, parseJsonTree } from "./parse-json.ts";

/** What was met at a path. */
export interface NodeSources {
  array?: MetadataDocument;
  group?: MetadataDocument;
  attributes?: MetadataDocument;
  version3?: MetadataDocument;
  hasChunks: boolean;
}

/** Where both versions are at one path, Zarr v3 counts. */
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
  if (names.length > 0) log.add(finding("zarr-v2-and-v3", nodeAt(path), { documents: names }));
  if (sources.hasChunks && node.kind === "group") log.add(finding("chunks-without-array", nodeAt(path), {}));
  noteLinks(node, log);
  return node;
}

function buildNodeV2(path: string, sources: NodeSources, hasChildren: boolean, log: FindingLog): HierarchyNode {
  const attributes = sources.attributes && readAttributes(sources.attributes, log);
  const place = { path, name: nodeName(path), attributes: undefined, ...attributes };
  noteLinks(place, log);
  if (sources.array !== undefined) return buildArray(place, sources.array, sources, log);
  if (sources.hasChunks && sources.group === undefined && !hasChildren) return chunksOnly(place, log);
  if (sources.hasChunks) log.add(finding("chunks-without-array", nodeAt(path), {}));
  return buildGroup(place, sources.group, log);
}

function buildArray(
  place: NodePlace,
  document: MetadataDocument,
  sources: NodeSources,
  log: FindingLog,
): HierarchyNode {
  if (sources.group !== undefined) log.add(finding("array-and-group", nodeAt(place.path), {}));
  try {
    const { metadata, findings } = parseArrayMetadataV2(documentText(document), place.attributes, place.path);
    log.addAll(findings);
    return { kind: "array", ...place, metadata };
  } catch (error) {
    return broken(place, metadataBroken(document, error), log);
  }
}

/** A group stays one when its `.zgroup` is broken: what lies below can still be read. */
function buildGroup(place: NodePlace, document: MetadataDocument | undefined, log: FindingLog): GroupNode {
  if (document === undefined) return { kind: "group", ...place, declared: false };
  try {
    const { value, oddities } = parseJson(documentText(document));
    log.addAll(jsonFindings(oddities, keyAt(document.key)));
    const format = isJsonObject(value) ? value.get("zarr_format") : undefined;
    if (format === 2) return { kind: "group", ...place, declared: true };
    const found = isJsonObject(value) ? `zarr_format ${String(describeFormat(format))}` : describeJson(value);
    throw failure("metadata-invalid", nodeAt(place.path), {
      document: ".zgroup",
      expected: "an object with zarr_format 2",
      found,
    });
  } catch (error) {
    log.add(metadataBroken(document, error));
  }
  return { kind: "group", ...place, declared: false };
}

function describeFormat(format: JsonValue | undefined): string | number {
  return typeof format === "number" ? format : describeJson(format);
}

function readAttributes(document: MetadataDocument, log: FindingLog): Omit<NodePlace, "path" | "name"> | undefined {
  try {
    const { root, oddities } = parseJsonTree(documentText(document));
    log.addAll(jsonFindings(oddities, keyAt(document.key)));
    const value = jsonValueOf(root);
    if (isJsonObject(value)) return { attributes: value, ...scalePart(root) };
    log.add(attributesBroken(document, { found: describeJson(value), cause: undefined }));
  } catch (error) {
    log.add(attributesBroken(document, { found: undefined, cause: causeOfError(error) }));
  }
  return undefined;
}

function broken(place: NodePlace, reason: Finding, log: FindingLog): BrokenNode {
  log.add(reason);
  return { kind: "broken", ...place, reason };
}

const chunksOnly = (place: NodePlace, log: FindingLog): BrokenNode =>
  broken(place, finding("array-metadata-missing", nodeAt(place.path), {}), log);

const attributesBroken = ({ key }: MetadataDocument, facts: FactsOf<"attributes-broken">): Finding =>
  finding("attributes-broken", keyAt(key), facts);

/** LINDI (Kerchunk-like sets for HDF5 files) leaves out what lies elsewhere and says so in attributes. */
function noteLinks({ attributes, path }: NodePlace, log: FindingLog): void {
  if (!isJsonObject(attributes)) return;
  if (attributes.has("_EXTERNAL_ARRAY_LINK")) log.add(finding("lindi-external-array-link", nodeAt(path), {}));
  if (attributes.has("_SOFT_LINK")) log.add(finding("lindi-soft-link", nodeAt(path), {}));
}
