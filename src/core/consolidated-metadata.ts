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
import { writeJson } from "./json-write.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "./json.ts";
import { causeOfError } from "./node-document.ts";
import { parseJson } from "./parse-json.ts";

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
  for (const [member, value] of members ?? []) {
    addMember(key, prefix + member, value, { documents, findings });
  }
}

interface Additions {
  readonly documents: Map<string, MetadataDocument>;
  readonly findings: Finding[];
}

function addMember(key: string, memberKey: string, value: JsonValue, { documents, findings }: Additions): void {
  const text = typeof value === "string" ? value : writeJson(value);
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
  if (written === undefined || written === null) return;
  const members = isJsonObject(written) ? written.get("metadata") : undefined;
  const kind = isJsonObject(written) ? (written.get("kind") ?? "inline") : undefined;
  if (!isJsonObject(members) || kind !== "inline") {
    findings.push(broken(key, { expected: "inline", cause: undefined }));
    return;
  }
  const prefix = key.slice(0, -"zarr.json".length);
  for (const [path, value] of members) {
    if (path !== "") addMember(key, `${prefix}${path}/zarr.json`, value, { documents, findings });
  }
}

/** A document that cannot be read has none here; the node itself says so. */
function inlineOf(text: string | undefined): JsonValue | undefined {
  if (text === undefined || !text.includes('"consolidated_metadata"')) return undefined;
  try {
    const { value } = parseJson(text);
    return isJsonObject(value) ? value.get("consolidated_metadata") : undefined;
  } catch (error) {
    if (error instanceof RefscopeError) return undefined;
    throw error;
  }
}

function readMembers(key: string, document: MetadataDocument, findings: Finding[]): JsonObject | undefined {
  if (document.text === undefined) {
    findings.push(broken(key, { expected: undefined, cause: document.problem }));
    return undefined;
  }
  try {
    const { value, oddities } = parseJson(document.text);
    findings.push(...jsonFindings(oddities, keyAt(key)));
    const members = isJsonObject(value) ? value.get("metadata") : undefined;
    if (isJsonObject(members)) return members;
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
