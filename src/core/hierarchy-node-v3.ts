/** One node of the hierarchy from its `zarr.json` (Zarr v3 §"Group metadata", §"Array metadata"). */
import { cfFindings } from "./cf-findings.ts";
import type { CodecTable } from "./codec-table.ts";
import { RefscopeError } from "./errors.ts";
import { noteUnknownMembers } from "./extension-v3.ts";
import type { Finding } from "./finding.ts";
import type { FindingLog } from "./findings/finding-log.ts";
import type { HierarchyNode, MetadataDocument } from "./hierarchy.ts";
import { describeJson, isJsonObject, type JsonObjectNode, type JsonValue } from "./json.ts";
import { memberReader } from "./member-reader.ts";
import { metadataRoot } from "./metadata-root.ts";
import { documentText, metadataBroken, type Place } from "./node-document.ts";
import { readArrayMetadataV3 } from "./parse-array-metadata-v3.ts";
import { jsonValueOf } from "./parse-json.ts";

const GROUP_MEMBERS: ReadonlySet<string> = new Set(["zarr_format", "node_type", "attributes", "consolidated_metadata"]);

/** Metadata without attributes: they stand in the document. */
export function buildNodeV3(
  { path, name }: Omit<Place, "attributes">,
  document: MetadataDocument,
  hasChildren: boolean,
  table: CodecTable,
  log: FindingLog,
): HierarchyNode {
  const bare = { path, name, attributes: undefined };
  let place: Place = bare;
  try {
    const findings: Finding[] = [];
    const root = metadataRoot(documentText(document), findings);
    const noteAll = (): void => {
      for (const finding of findings) log.add({ ...finding, array: path, key: document.key });
    };
    try {
      place = { ...bare, attributes: readAttributes(root, findings) };
      if (nodeType(root) === "group") return groupOf(place, root, findings);
      const { metadata } = readArrayMetadataV3(root, findings, table);
      findings.push(...cfFindings(metadata, place.attributes));
      return { kind: "array", ...place, metadata };
    } finally {
      noteAll();
    }
  } catch (error) {
    if (!(error instanceof RefscopeError)) throw error;
    return brokenV3(place, document, error, hasChildren, log);
  }
}

function groupOf(place: Place, root: JsonObjectNode, findings: Finding[]): HierarchyNode {
  const reader = memberReader(root, findings, "Correct the group's zarr.json.");
  const format = reader.value("zarr_format");
  if (format !== 3) throw reader.invalid("/zarr_format", "3", format);
  noteUnknownMembers(reader, GROUP_MEMBERS);
  return { kind: "group", ...place, declared: true };
}

/** `group` or `array`. @throws RefscopeError where the document does not say, or is older than Zarr v3 itself */
function nodeType(root: JsonObjectNode): "group" | "array" {
  const reader = memberReader(root, [], "Correct the node's zarr.json.");
  const format = reader.value("zarr_format");
  if (typeof format === "string" && format.includes("purl.org/zarr")) throw preFinal(format);
  const type = reader.value("node_type");
  if (type === "group" || type === "array") return type;
  throw reader.invalid("/node_type", '"group" or "array"', type);
}

function preFinal(format: string): RefscopeError {
  return new RefscopeError({
    code: "zarr-v3-draft",
    doing: "Reading Zarr v3 metadata",
    where: "/zarr_format",
    expected: "3",
    found: format.slice(0, 80),
    advice:
      "This store was written after a draft of Zarr v3 (documents below meta/root, chunks below data/root), which was " +
      "given up before version 3 was final; write it anew with a current library.",
  });
}

function readAttributes(root: JsonObjectNode, findings: Finding[]): JsonValue | undefined {
  const node = root.members.findLast((member) => member.key === "attributes")?.node;
  if (node === undefined) return undefined;
  const value = jsonValueOf(node);
  if (isJsonObject(value)) return value;
  const message = `/attributes should be an object but is ${describeJson(value)}; the attributes are not known.`;
  findings.push({ code: "attributes-broken", severity: "warning", message });
  return undefined;
}

const OWN_CODES: ReadonlySet<string> = new Set(["chunk-grid-unsupported", "shard-chunks-uneven", "zarr-v3-draft"]);

/** What has nodes below it stays a group: they can be read all the same. */
function brokenV3(
  place: Place,
  document: MetadataDocument,
  error: RefscopeError,
  hasChildren: boolean,
  log: FindingLog,
): HierarchyNode {
  const finding = metadataBroken(place.path, document, error.message);
  log.add(OWN_CODES.has(error.code) ? { ...finding, code: error.code } : finding);
  if (hasChildren) return { kind: "group", ...place, declared: false };
  return { kind: "broken", ...place, reason: error.message };
}

/** Where documents of both versions stand at one path. */
export function bothVersions(path: string, document: MetadataDocument, older: readonly string[]): Finding {
  const names = older.join(", ");
  const message =
    `Beside zarr.json (Zarr v3) there is ${names} (Zarr v2). zarr.json is read, ` +
    "as zarr-python does where it is not told the version; readers of Zarr v2 take the other.";
  return { code: "zarr-v2-and-v3", severity: "warning", array: path, key: document.key, message };
}
