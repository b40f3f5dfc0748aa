/**
 * All metadata documents of a hierarchy in one: `.zmetadata` (zarr-python's consolidated metadata, format 1), and in Zarr
 * v3 the member `consolidated_metadata` of a group's `zarr.json`.
 */
import { RefscopeError } from "./errors.ts";
import { type FactsOf, type Finding, finding } from "./findings/finding.ts";
import { keyAt } from "./findings/place.ts";
import { splitMetadataKey } from "./hierarchy-path.ts";
import type { MetadataDocument } from "./hierarchy.ts";
import { jsonFindings } from "./json-finding.ts";
import { writeJson, writeJsonNode } from "./json-write.ts";
import { isJsonObject, memberOf, membersOf, type JsonNode, type JsonObject, type JsonValue } from "./json.ts";
import { causeOfError } from "./node-document.ts";
import { parseJson, parseJsonTree } from "./parse-json.ts";

export interface Consolidated {
  /** Plain documents, and those that only consolidated metadata has. */
  readonly documents: ReadonlyMap<string, MetadataDocument>;
  readonly findings: readonly Finding[];
}

/** Adds what only consolidated metadata say; where both exist the plain document counts, and a difference is a finding. */
export function withConsolidated(plain: ReadonlyMap<string, MetadataDocument>): Consolidated {
  const documents = new Map(plain);
  const findings: Finding[] = [];
  for (const [key, document] of plain) {
    const { document: name } = splitMetadataKey(key);
    if (name === "zarr.json") addInline(key, document, documents, findings);
    if (name !== ".zmetadata") continue;
    documents.delete(key);
    addConsolidated(key, document, documents, findings);
  }
  return { documents, findings };
}

function addConsolidated(
  key: string,
  document: MetadataDocument,
  documents: Map<string, MetadataDocument>,
  findings: Finding[],
): void {
  const members = readMembers(key, document, findings);
  const prefix = key.slice(0, -".zmetadata".length);
  for (const [member, node] of members ?? []) {
    addMember(key, prefix + member, node, { documents, findings });
  }
}

interface Additions {
  readonly documents: Map<string, MetadataDocument>;
  readonly findings: Finding[];
}

function addMember(key: string, memberKey: string, node: JsonNode, { documents, findings }: Additions): void {
  const text = node.kind === "scalar" && typeof node.value === "string" ? node.value : writeJsonNode(node);
  const standing = documents.get(memberKey);
  if (standing === undefined) documents.set(memberKey, { key: memberKey, text });
  else if (standing.text !== undefined && !sameJson(standing.text, text)) {
    findings.push(finding("consolidated-metadata-differs", keyAt(memberKey), { consolidated: key }));
  }
}

/**
 * Zarr v3: paths of nodes below the group, each with what its zarr.json says. Only plain documents are looked into: the
 * copies of groups need none of their own, since those above them list everything.
 */
function addInline(
  key: string,
  document: MetadataDocument,
  documents: Map<string, MetadataDocument>,
  findings: Finding[],
): void {
  const written = inlineOf(document.text);
  if (written === undefined || (written.kind === "scalar" && written.value === null)) return;
  const members = membersOf(memberOf(written, "metadata"));
  const kind = memberOf(written, "kind");
  const isInline = kind === undefined || (kind.kind === "scalar" && (kind.value ?? "inline") === "inline");
  if (members === undefined || !isInline) {
    findings.push(broken(key, { expected: "inline", cause: undefined }));
    return;
  }
  const prefix = key.slice(0, -"zarr.json".length);
  for (const [path, node] of members) {
    if (path !== "") addMember(key, `${prefix}${path}/zarr.json`, node, { documents, findings });
  }
}

/** A document that cannot be read has none here; the node itself says so. */
function inlineOf(text: string | undefined): JsonNode | undefined {
  if (text === undefined || !text.includes('"consolidated_metadata"')) return undefined;
  try {
    return memberOf(parseJsonTree(text).root, "consolidated_metadata");
  } catch (error) {
    if (error instanceof RefscopeError) return undefined;
    throw error;
  }
}

function readMembers(
  key: string,
  document: MetadataDocument,
  findings: Finding[],
): ReadonlyMap<string, JsonNode> | undefined {
  if (document.text === undefined) {
    findings.push(broken(key, { expected: undefined, cause: document.problem }));
    return undefined;
  }
  try {
    const { root, oddities } = parseJsonTree(document.text);
    findings.push(...jsonFindings(oddities, keyAt(key)));
    const members = membersOf(memberOf(root, "metadata"));
    if (members !== undefined) return members;
    findings.push(broken(key, { expected: "metadata", cause: undefined }));
  } catch (error) {
    findings.push(broken(key, { expected: undefined, cause: causeOfError(error) }));
  }
  return undefined;
}

const broken = (key: string, facts: FactsOf<"consolidated-metadata-broken">): Finding =>
  finding("consolidated-metadata-broken", keyAt(key), facts);

/** Whether two texts say the same, whatever the spacing and the order of members. Broken texts are compared as they are. */
function sameJson(a: string, b: string): boolean {
  return a === b || canonical(a) === canonical(b);
}

function canonical(text: string): string {
  try {
    const value = sorted(parseJson(text).value);
    // Copies of groups come with or without what they consolidate themselves.
    return writeJson(isJsonObject(value) ? without(value, "consolidated_metadata") : value);
  } catch {
    return text;
  }
}

function without(value: JsonObject, key: string): JsonObject {
  return new Map([...value].filter(([each]) => each !== key));
}

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(sorted);
  if (!isJsonObject(value)) return value;
  const members = [...value].map(([key, member]) => [key, sorted(member)] as const);
  return new Map(members.sort(([a], [b]) => (a < b ? -1 : 1)));
}
