/** One node of the hierarchy from its `zarr.json` (Zarr v3 §"Group metadata", §"Array metadata"). */
import type { CodecTable } from "./codec-table.ts";
import { RefscopeError } from "./errors.ts";
import { type Finding, finding } from "./findings/finding.ts";
import { noteUnknownMembers } from "./extension-v3.ts";
import type { FindingLog } from "./findings/finding-log.ts";
import { nodeAt } from "./findings/place.ts";
import { leavesChunksUnplaced, type HierarchyNode, type MetadataDocument } from "./hierarchy.ts";
import { describeJson, isJsonObject, memberOf, type JsonObjectNode } from "./json.ts";
import { memberReader } from "./member-reader.ts";
import { metadataRoot } from "./metadata-root.ts";
import { documentText, metadataBroken, scalePart, type NodePlace } from "./node-document.ts";
import { documentV3, keySeparatorOf, readArrayMetadataV3 } from "./parse-array-metadata-v3.ts";
import { jsonValueOf } from "./parse-json.ts";

const GROUP_MEMBERS: ReadonlySet<string> = new Set(["zarr_format", "node_type", "attributes", "consolidated_metadata"]);

/** Metadata without attributes: they stand in the document. */
export function buildNodeV3(
  { path, name }: Omit<NodePlace, "attributes">,
  document: MetadataDocument,
  hasChildren: boolean,
  table: CodecTable,
  log: FindingLog,
): HierarchyNode {
  const bare = { path, name, attributes: undefined };
  let place: NodePlace = bare;
  let root: JsonObjectNode | undefined;
  const findings: Finding[] = [];
  try {
    root = metadataRoot(documentText(document), findings, documentV3(path));
    place = { ...bare, ...readAttributes(root, path, findings) };
    if (nodeType(root, path) === "group") return groupOf(place, root, findings);
    const { metadata } = readArrayMetadataV3(root, findings, table, path);
    return { kind: "array", ...place, metadata };
  } catch (error) {
    const reason = brokenBy(document, error);
    findings.push(reason);
    // What has nodes below it stays a group: they can be read all the same.
    if (hasChildren) return { kind: "group", ...place, declared: false };
    const broken = { kind: "broken", ...place, reason } as const;
    if (root === undefined || !leavesChunksUnplaced(reason)) return broken;
    return { ...broken, gridUnread: keySeparatorOf(root, path) };
  } finally {
    log.addAll(findings);
  }
}

/** What is understood but cannot be shown says so itself: an unknown chunk grid, uneven shards, a draft of Zarr v3. */
function brokenBy(document: MetadataDocument, error: unknown): Finding {
  const own = error instanceof RefscopeError ? error.finding : undefined;
  const isUnderstood = own?.place?.kind === "node" && own.code !== "metadata-invalid";
  return isUnderstood ? own : metadataBroken(document, error);
}

function groupOf(place: NodePlace, root: JsonObjectNode, findings: Finding[]): HierarchyNode {
  const reader = memberReader(root, findings, documentV3(place.path));
  const format = reader.value("zarr_format");
  if (format !== 3) throw reader.invalid("/zarr_format", "3", format);
  noteUnknownMembers(reader, GROUP_MEMBERS);
  return { kind: "group", ...place, declared: true };
}

/** `group` or `array`. @throws RefscopeError where the document does not say, or is older than Zarr v3 itself */
function nodeType(root: JsonObjectNode, path: string): "group" | "array" {
  const reader = memberReader(root, [], documentV3(path));
  const format = reader.value("zarr_format");
  if (typeof format === "string" && format.includes("purl.org/zarr")) {
    throw reader.failure("zarr-v3-draft", "/zarr_format", { format: format.slice(0, 80) });
  }
  const type = reader.value("node_type");
  if (type === "group" || type === "array") return type;
  throw reader.invalid("/node_type", '"group" or "array"', type);
}

function readAttributes(
  root: JsonObjectNode,
  path: string,
  findings: Finding[],
): Pick<NodePlace, "attributes" | "integerScale"> | undefined {
  const node = memberOf(root, "attributes");
  if (node === undefined) return undefined;
  const value = jsonValueOf(node);
  if (isJsonObject(value)) return { attributes: value, ...scalePart(node) };
  const facts = { found: describeJson(value), cause: undefined };
  findings.push(finding("attributes-broken", nodeAt(path, "/attributes"), facts));
  return undefined;
}
