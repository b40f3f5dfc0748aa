/**
 * All metadata documents of a hierarchy in one: `.zmetadata` (zarr-python's consolidated metadata, format 1), and in Zarr
 * v3 the member `consolidated_metadata` of a group's `zarr.json`.
 */
import { type FactsOf, type Finding, finding, keyAt, unlessFinding } from "../findings/finding.ts";
import { splitMetadataKey } from "./hierarchy-path.ts";
import type { MetadataDocument } from "./array-metadata.ts";
import { jsonFindings } from "../json/json-finding.ts";
import { isJsonObject, memberOf, membersOf, type JsonNode, type JsonObject, type JsonValue } from "../json/json.ts";
import { causeOfError } from "./node-document.ts";
import { parseJson, parseJsonTree, writeJson, writeJsonNode } from "../json/parse-json.ts";

export interface Consolidated {
  /** Plain documents, and those that only consolidated metadata has. */
  readonly documents: ReadonlyMap<string, MetadataDocument>;
  readonly findings: readonly Finding[];
}

/**
 * Adds what only consolidated metadata say; where both exist the plain document counts, and a difference is a finding.
 */
export function withConsolidated(plain: ReadonlyMap<string, MetadataDocument>): Consolidated {
  const documents = new Map(plain);
  const findings: Finding[] = [];
  const listings: Listing[] = [];
  for (const [key, document] of plain) {
    const { document: name } = splitMetadataKey(key);
    const into = { documents, findings };
    if (name === "zarr.json") listings.push(...addInline(key, document, into));
    if (name !== ".zmetadata") continue;
    documents.delete(key);
    listings.push(...addConsolidated(key, document, into));
  }
  noteUnlisted(plain, listings.slice(0, MAX_LISTINGS), findings);
  return { documents, findings };
}

/** Consolidated metadata whose lists are compared with what there is. */
const MAX_LISTINGS = 100;

/** A listing of consolidated metadata: keys of documents below `prefix`. */
interface Listing {
  readonly key: string;
  readonly prefix: string;
  readonly listed: ReadonlySet<string>;
  readonly document: ".zarray" | "zarr.json";
}

function addConsolidated(key: string, document: MetadataDocument, into: Additions): readonly Listing[] {
  const members = readMembers(key, document, into.findings);
  if (members === undefined) return [];
  const prefix = key.slice(0, -".zmetadata".length);
  for (const [member, node] of members) addMember(key, prefix + member, node, into);
  const listed = new Set([...members.keys()].map((member) => prefix + member));
  return [{ key, prefix, listed, document: ".zarray" }];
}

/** Arrays that are there and that the consolidated metadata above them lack. */
function noteUnlisted(plain: ReadonlyMap<string, MetadataDocument>, listings: readonly Listing[], findings: Finding[]) {
  if (listings.length === 0) return;
  const arrays = [...plain].filter(([key, { text }]) => isArray(key, text)).map(([key]) => key);
  for (const { key, prefix, listed, document } of listings) {
    for (const one of arrays) {
      if (one === key || !one.startsWith(prefix) || listed.has(one)) continue;
      if (splitMetadataKey(one).document !== document) continue;
      findings.push(finding("consolidated-lacks-array", keyAt(one), { consolidated: key }));
    }
  }
}

const isArray = (key: string, text: string | undefined): boolean =>
  key.endsWith(".zarray") || (text !== undefined && /"node_type"\s*:\s*"array"/.test(text));

interface Additions {
  readonly documents: Map<string, MetadataDocument>;
  readonly findings: Finding[];
}

function addMember(key: string, memberKey: string, node: JsonNode, { documents, findings }: Additions): void {
  const text = node.kind === "scalar" && typeof node.value === "string" ? node.value : writeJsonNode(node);
  const standing = documents.get(memberKey);
  if (standing === undefined) documents.set(memberKey, { key: memberKey, text });
  else if (standing.text !== undefined && !(standing.text === text || canonical(standing.text) === canonical(text))) {
    const facts = { consolidated: key, ...differenceOf(standing.text, text) };
    findings.push(finding("consolidated-metadata-differs", keyAt(memberKey), facts));
  }
}

/**
 * Zarr v3: paths of nodes below the group, each with what its zarr.json says. Only plain documents are looked into: the
 * copies of groups need none of their own, since those above them list everything.
 */
function addInline(key: string, document: MetadataDocument, into: Additions): readonly Listing[] {
  const written = inlineOf(document.text);
  if (written === undefined || (written.kind === "scalar" && written.value === null)) return [];
  const members = membersOf(memberOf(written, "metadata"));
  const kind = memberOf(written, "kind");
  const isInline = kind === undefined || (kind.kind === "scalar" && (kind.value ?? "inline") === "inline");
  if (members === undefined || !isInline) {
    into.findings.push(broken(key, { expected: "inline", cause: undefined }));
    return [];
  }
  const prefix = key.slice(0, -"zarr.json".length);
  for (const [path, node] of members) {
    if (path !== "") addMember(key, `${prefix}${path}/zarr.json`, node, into);
  }
  const listed = new Set([...members.keys()].map((path) => `${prefix}${path}/zarr.json`));
  return [{ key, prefix, listed, document: "zarr.json" }];
}

/** A document that cannot be read has none here; the node itself says so. */
function inlineOf(text: string | undefined): JsonNode | undefined {
  if (text === undefined || !text.includes('"consolidated_metadata"')) return undefined;
  return unlessFinding(() => memberOf(parseJsonTree(text).root, "consolidated_metadata"));
}

function readMembers(key: string, document: MetadataDocument, findings: Finding[]) {
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

const MAX_SHOWN = 80;

/** The first member in which two documents differ, with what each has there; nothing where one cannot be read. */
function differenceOf(plain: string, copy: string): Pick<FactsOf<"consolidated-metadata-differs">, "differs"> {
  try {
    const [one, other] = [parseJson(plain).value, parseJson(copy).value];
    if (!isJsonObject(one) || !isJsonObject(other)) return {};
    const shown = (value: JsonValue | undefined) =>
      value === undefined ? undefined : writeJson(value).slice(0, MAX_SHOWN);
    for (const member of new Set([...one.keys(), ...other.keys()])) {
      if (member === "consolidated_metadata") continue;
      const [left, right] = [one.get(member), other.get(member)];
      if (left !== undefined && right !== undefined && writeJson(sorted(left)) === writeJson(sorted(right))) continue;
      return { differs: { member, plain: shown(left), copy: shown(right) } };
    }
  } catch {
    // Documents that cannot be read differ as a whole.
  }
  return {};
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

const without = (value: JsonObject, key: string): JsonObject => new Map([...value].filter(([each]) => each !== key));

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(sorted);
  if (!isJsonObject(value)) return value;
  const members = [...value].map(([key, member]) => [key, sorted(member)] as const);
  return new Map(members.sort(([a], [b]) => (a < b ? -1 : 1)));
}
