/** From metadata documents to the tree of groups and arrays (Zarr v2 §"Hierarchies", Zarr v3 §"Hierarchy"). */
import type { CodecTable } from "./codec-table.ts";
import { withConsolidated } from "./consolidated-metadata.ts";
import { noteUnknownMembers } from "./extension-v3.ts";
import { FindingLog } from "../findings/finding-log.ts";
import { failure, finding, keyAt, nodeAt, RefscopeError, WHOLE_SET } from "../findings/finding.ts";
import type { FactsOf, Finding } from "../findings/finding.ts";
import { isOddPath, nodeName, parentPath, splitMetadataKey } from "./hierarchy-path.ts";
import { leavesChunksUnplaced } from "./array-metadata.ts";
import type { BrokenNode, GroupNode, Hierarchy, HierarchyNode, MetadataDocument } from "./array-metadata.ts";
import { jsonFindings } from "../json/json-finding.ts";
import { describeJson, isJsonObject, type JsonObjectNode, memberOf } from "../json/json.ts";
import { memberReader, metadataRoot } from "./member-reader.ts";
import { causeOfError, documentText, metadataBroken, type NodePlace, scalePart } from "./node-document.ts";
import { documentV3, keySeparatorOf, readArrayMetadataV3 } from "./parse-array-metadata-v3.ts";
import { parseArrayMetadataV2 } from "./parse-array-metadata.ts";
import { jsonValueOf, parseJson, parseJsonTree } from "../json/parse-json.ts";

// One node of the hierarchy from the metadata documents at its path.

/** Documents at a path. */
interface NodeSources {
  array?: MetadataDocument;
  group?: MetadataDocument;
  attributes?: MetadataDocument;
  version3?: MetadataDocument;
  hasChunks: boolean;
}

/** Builds a node. If both versions are at one path, Zarr v3 counts. */
function buildNode(
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
  if (sources.hasChunks && sources.group === undefined && !hasChildren)
    return broken(place, finding("array-metadata-missing", nodeAt(place.path), {}), log);
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
    const found = isJsonObject(value)
      ? `zarr_format ${String(typeof format === "number" ? format : describeJson(format))}`
      : describeJson(value);
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

const attributesBroken = ({ key }: MetadataDocument, facts: FactsOf<"attributes-broken">): Finding =>
  finding("attributes-broken", keyAt(key), facts);

/** LINDI (Kerchunk-like sets for HDF5 files) leaves out what lies elsewhere and says so in attributes. */
function noteLinks({ attributes, path }: NodePlace, log: FindingLog): void {
  if (!isJsonObject(attributes)) return;
  if (attributes.has("_EXTERNAL_ARRAY_LINK")) log.add(finding("lindi-external-array-link", nodeAt(path), {}));
  if (attributes.has("_SOFT_LINK")) log.add(finding("lindi-soft-link", nodeAt(path), {}));
}

// One node of the hierarchy from its `zarr.json` (Zarr v3 §"Group metadata", §"Array metadata").

const GROUP_MEMBERS: ReadonlySet<string> = new Set(["zarr_format", "node_type", "attributes", "consolidated_metadata"]);

/** Metadata without attributes: they are in the document. */
function buildNodeV3(
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
    place = { ...bare, ...hierarchyNodeV3ReadAttributes(root, path, findings) };
    if (nodeType(root, path) === "group") return groupOf(place, root, findings);
    const { metadata } = readArrayMetadataV3(root, findings, table, path);
    return { kind: "array", ...place, metadata };
  } catch (error) {
    const reason = brokenBy(document, error);
    findings.push(reason);
    // A node with nodes below it stays a group: they can still be read.
    if (hasChildren) return { kind: "group", ...place, declared: false };
    const broken = { kind: "broken", ...place, reason } as const;
    if (root === undefined || !leavesChunksUnplaced(reason)) return broken;
    return { ...broken, gridUnread: keySeparatorOf(root, path) };
  } finally {
    log.addAll(findings);
  }
}

/**
 * Some errors report themselves, of metadata that are understood but cannot be shown: an unknown chunk grid, uneven
 * shards, a draft of Zarr v3.
 */
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

function hierarchyNodeV3ReadAttributes(root: JsonObjectNode, path: string, findings: Finding[]) {
  const node = memberOf(root, "attributes");
  if (node === undefined) return undefined;
  const value = jsonValueOf(node);
  if (isJsonObject(value)) return { attributes: value, ...scalePart(node) };
  const facts = { found: describeJson(value), cause: undefined };
  findings.push(finding("attributes-broken", nodeAt(path, "/attributes"), facts));
  return undefined;
}

export const MAX_NODES = 200_000;
export const MAX_DEPTH = 256;

export interface BuiltHierarchy {
  readonly hierarchy: Hierarchy;
  readonly findings: readonly Finding[];
}

/**
 * Never throws for what the documents say: what is wrong with them are broken nodes and findings. The root is always
 * there, as an array, or as a group (an undeclared one where nothing declares it).
 * @param documents with keys as written; of a repeated key the last counts
 * @param arrayPathsWithChunksOnly paths below which chunk keys were met but no `.zarray` or `zarr.json`
 * @param codecs by their names in Zarr v3; without any, lists of codecs are not judged
 */
export function buildHierarchy(
  documents: Iterable<MetadataDocument>,
  arrayPathsWithChunksOnly: Iterable<string>,
  codecs: CodecTable,
): BuiltHierarchy {
  const log = new FindingLog();
  const plain = new Map([...documents].map((document) => [document.key, document]));
  const all = withConsolidated(plain);
  log.addAll(all.findings);
  const tree = plantTree(log);
  for (const document of all.documents.values()) addDocument(tree, document, log);
  for (const path of arrayPathsWithChunksOnly) {
    const sources = tree.reach(path);
    if (sources !== undefined) sources.hasChunks = true;
  }
  if (tree.refused() > 0) {
    log.add(finding("hierarchy-too-large", WHOLE_SET, { problem: "nodes", limit: MAX_NODES }, tree.refused()));
  }
  const nodes = new Map<string, HierarchyNode>();
  visit("", false, { tree, nodes, codecs, log });
  noteImplied(nodes, tree, log);
  return { hierarchy: { nodes, childrenOf: (path) => tree.children.get(path) ?? [] }, findings: log.list() };
}

/** Documents by path, and the children of each node. */
interface Tree {
  readonly sources: ReadonlyMap<string, NodeSources>;
  readonly children: ReadonlyMap<string, string[]>;
  /** The sources of a path, which with all above it is made known; `undefined` past the budgets (a finding says so). */
  reach(path: string): NodeSources | undefined;
  /** How often the budget of nodes refused a path. */
  refused(): number;
}

function plantTree(log: FindingLog): Tree {
  const sources = new Map<string, NodeSources>([["", { hasChunks: false }]]);
  const children = new Map<string, string[]>();
  let refused = 0;
  const add = (path: string): void => {
    const parent = parentPath(path) ?? "";
    sources.set(path, { hasChunks: false });
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [path]);
    else siblings.push(path);
  };
  const reach = (path: string): NodeSources | undefined => {
    const missing = isTooDeep(path) ? undefined : unknownAncestors(path, sources);
    if (missing === undefined)
      log.add(finding("hierarchy-too-deep", WHOLE_SET, { limit: MAX_DEPTH, path: path.slice(0, 80) }));
    else if (sources.size + missing.length > MAX_NODES && missing.length > 0) refused += 1;
    else missing.toReversed().forEach(add);
    return sources.get(path);
  };
  return { sources, children, reach, refused: () => refused };
}

/** Looks up no path: hashing each of thousands that lie in each other takes minutes. */
function isTooDeep(path: string): boolean {
  let at = path;
  for (let depth = 0; at !== ""; depth += 1) {
    if (depth === MAX_DEPTH) return true;
    at = parentPath(at) ?? "";
  }
  return false;
}

/** From the path upwards to the first known one. */
function unknownAncestors(path: string, known: ReadonlyMap<string, NodeSources>): readonly string[] {
  const paths: string[] = [];
  for (let at = path; !known.has(at); at = parentPath(at) ?? "") paths.push(at);
  return paths;
}

function addDocument(tree: Tree, document: MetadataDocument, log: FindingLog): void {
  const { path, document: name } = splitMetadataKey(document.key);
  const sources = tree.reach(path);
  if (sources === undefined) return;
  if (name === ".zarray") sources.array = document;
  else if (name === ".zgroup") sources.group = document;
  else if (name === ".zattrs") sources.attributes = document;
  else if (name === "zarr.json") sources.version3 = document;
  else if (isDraftOfV3(document.key)) log.add(finding("zarr-v3-draft", keyAt(document.key), { format: undefined }));
  else log.add(finding("metadata-unknown", keyAt(document.key), { key: document.key }));
}

interface Visit {
  readonly tree: Tree;
  readonly nodes: Map<string, HierarchyNode>;
  readonly codecs: CodecTable;
  readonly log: FindingLog;
}

/** Parents before children, children in natural order of their names. */
function visit(path: string, insideArray: boolean, visiting: Visit): void {
  const { tree, nodes, codecs, log } = visiting;
  const children = tree.children.get(path) ?? [];
  children.sort(byName);
  const node = buildNode(path, tree.sources.get(path) ?? { hasChunks: false }, children.length > 0, codecs, log);
  nodes.set(path, node);
  if (isOddPath(path)) {
    log.add(finding("path-odd", nodeAt(path), { problem: path.includes("\\") ? "backslash" : "part" }));
  }
  if (insideArray && node.kind !== "group") log.add(finding("array-inside-array", nodeAt(path), {}));
  for (const child of children) visit(child, insideArray || node.kind === "array", visiting);
}

/** Made when first needed: that takes some ten milliseconds. */
let collator: Intl.Collator | undefined;
/** Names that collate as their characters do. */
const PLAIN_NAME = /^[a-z_]*$/;

function byName(a: string, b: string): number {
  const [one, other] = [nodeName(a), nodeName(b)];
  const isPlain = PLAIN_NAME.test(one) && PLAIN_NAME.test(other);
  if (!isPlain) collator ??= new Intl.Collator("en", { numeric: true });
  return (isPlain ? 0 : (collator?.compare(one, other) ?? 0)) || (a < b ? -1 : 1);
}

/** One finding for all: Kerchunk sets without a single .zgroup are common. */
function noteImplied(nodes: ReadonlyMap<string, HierarchyNode>, tree: Tree, log: FindingLog): void {
  const implied = [...nodes.values()].filter((node) => node.kind === "group" && !node.declared);
  const [first] = implied;
  if (first === undefined || nodes.size === 1) return;
  const facts = { document: documentOfGroups(tree), others: implied.length - 1 };
  log.add(finding("group-implied", nodeAt(first.path), facts));
}

/** Document that would declare a group in a hierarchy of these versions. */
function documentOfGroups({ sources }: Tree): FactsOf<"group-implied">["document"] {
  const all = [...sources.values()];
  const isV3 = all.some(({ version3 }) => version3 !== undefined);
  const isV2 = all.some(({ array, group, attributes }) => (array ?? group ?? attributes) !== undefined);
  if (!isV3) return ".zgroup";
  return isV2 ? ".zgroup or zarr.json" : "zarr.json";
}

/** True for keys under which drafts of Zarr v3 kept metadata: `meta/root/a.array.json`. */
const isDraftOfV3 = (key: string): boolean => /(?:^|\/)meta\/root(?:\/.*)?\.(?:array|group)\.json$/s.test(key);
