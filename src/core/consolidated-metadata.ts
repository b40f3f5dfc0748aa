/** `.zmetadata`: all metadata documents of a hierarchy in one (zarr-python's consolidated metadata, format 1). */
import { RefscopeError } from "./errors.ts";
import type { Finding } from "./finding.ts";
import { splitMetadataKey } from "./hierarchy-path.ts";
import type { MetadataDocument } from "./hierarchy.ts";
import { jsonFindings } from "./json-finding.ts";
import { writeJson } from "./json-write.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "./json.ts";
import { parseJson } from "./parse-json.ts";

export interface Consolidated {
  /** Plain documents, and those that only consolidated metadata has. */
  readonly documents: ReadonlyMap<string, MetadataDocument>;
  readonly findings: readonly Finding[];
}

/** Adds what only `.zmetadata` documents say; where both speak the plain document counts, and a difference is a finding. */
export function withConsolidated(plain: ReadonlyMap<string, MetadataDocument>): Consolidated {
  const documents = new Map(plain);
  const findings: Finding[] = [];
  for (const [key, document] of plain) {
    if (splitMetadataKey(key).document !== ".zmetadata") continue;
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
    const memberKey = prefix + member;
    const text = typeof value === "string" ? value : writeJson(value);
    const standing = documents.get(memberKey);
    if (standing === undefined) documents.set(memberKey, { key: memberKey, text });
    else if (standing.text !== undefined && !sameJson(standing.text, text)) findings.push(differs(key, memberKey));
  }
}

function readMembers(key: string, document: MetadataDocument, findings: Finding[]): JsonObject | undefined {
  if (document.text === undefined) {
    findings.push(broken(key, document.problem ?? "It could not be read."));
    return undefined;
  }
  try {
    const { value, oddities } = parseJson(document.text, `Reading ${key}`);
    findings.push(...jsonFindings(oddities).map((finding) => ({ ...finding, key })));
    const members = isJsonObject(value) ? value.get("metadata") : undefined;
    if (isJsonObject(members)) return members;
    findings.push(broken(key, 'Expected an object with an object "metadata" in it, found none.'));
  } catch (error) {
    if (!(error instanceof RefscopeError)) throw error;
    findings.push(broken(key, error.message));
  }
  return undefined;
}

function broken(key: string, reason: string): Finding {
  const message = `The consolidated metadata ${key} cannot be understood, so only the plain documents count. ${reason}`;
  return { code: "consolidated-metadata-broken", severity: "warning", key, message };
}

function differs(key: string, memberKey: string): Finding {
  return {
    code: "consolidated-metadata-differs",
    severity: "warning",
    key: memberKey,
    message:
      `${memberKey} says something else than its copy in ${key}. The plain document is shown; ` +
      "Python readers take the copy where they open with consolidated=True.",
    advice: "Consolidate the metadata again, or open with consolidated=False.",
  };
}

/** Whether two texts say the same, whatever the spacing and the order of members. Broken texts are compared as they are. */
function sameJson(a: string, b: string): boolean {
  return a === b || canonical(a) === canonical(b);
}

function canonical(text: string): string {
  try {
    return writeJson(sorted(parseJson(text).value));
  } catch {
    return text;
  }
}

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(sorted);
  if (!isJsonObject(value)) return value;
  const members = [...value].map(([key, member]) => [key, sorted(member)] as const);
  return new Map(members.sort(([a], [b]) => (a < b ? -1 : 1)));
}
