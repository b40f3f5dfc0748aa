/** From metadata documents to the tree of groups and arrays (Zarr v2 §"Hierarchies", Zarr v3 §"Hierarchy"). */
import type { CodecTable } from "./codec-table.ts";
import { withConsolidated } from "./consolidated-metadata.ts";
import { type FactsOf, type Finding, finding } from "./findings/finding.ts";
import { FindingLog } from "./findings/finding-log.ts";
import { keyAt, nodeAt, WHOLE_SET } from "./findings/place.ts";
import { buildNode, type NodeSources } from "./hierarchy-node.ts";
import { isOddPath, nodeName, parentPath, splitMetadataKey } from "./hierarchy-path.ts";
import type { Hierarchy, HierarchyNode, MetadataDocument } from "./hierarchy.ts";

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

/** What is known of each path, and who hangs below whom. */
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
  const depths = new Map([["", 0]]);
  const children = new Map<string, string[]>();
  let refused = 0;
  const add = (path: string, depth: number): void => {
    const parent = parentPath(path) ?? "";
    sources.set(path, { hasChunks: false });
    depths.set(path, depth);
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [path]);
    else siblings.push(path);
  };
  const reach = (path: string): NodeSources | undefined => {
    const missing = unknownAncestors(path, sources);
    const known = depths.get(missing?.known ?? "") ?? 0;
    if (missing === undefined || known + missing.paths.length > MAX_DEPTH) log.add(tooDeep(path));
    else if (sources.size + missing.paths.length > MAX_NODES && missing.paths.length > 0) refused += 1;
    else missing.paths.toReversed().forEach((each, index) => add(each, known + index + 1));
    return sources.get(path);
  };
  return { sources, children, reach, refused: () => refused };
}

/** From the path upwards to the first known one; `undefined` where that is too far. */
function unknownAncestors(
  path: string,
  known: ReadonlyMap<string, NodeSources>,
): { readonly known: string; readonly paths: readonly string[] } | undefined {
  const paths: string[] = [];
  let at = path;
  while (!known.has(at)) {
    if (paths.length === MAX_DEPTH) return undefined;
    paths.push(at);
    at = parentPath(at) ?? "";
  }
  return { known: at, paths };
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

const COLLATOR = new Intl.Collator("en", { numeric: true });

function byName(a: string, b: string): number {
  return COLLATOR.compare(nodeName(a), nodeName(b)) || (a < b ? -1 : 1);
}

/** One finding for all: Kerchunk sets without a single .zgroup are common. */
function noteImplied(nodes: ReadonlyMap<string, HierarchyNode>, tree: Tree, log: FindingLog): void {
  const implied = [...nodes.values()].filter((node) => node.kind === "group" && !node.declared);
  const [first] = implied;
  if (first === undefined || nodes.size === 1) return;
  const facts = { document: documentOfGroups(tree), others: implied.length - 1 };
  log.add(finding("group-implied", nodeAt(first.path), facts));
}

/** What would declare a group in a hierarchy of these versions. */
function documentOfGroups({ sources }: Tree): FactsOf<"group-implied">["document"] {
  const all = [...sources.values()];
  const isV3 = all.some(({ version3 }) => version3 !== undefined);
  const isV2 = all.some(({ array, group, attributes }) => (array ?? group ?? attributes) !== undefined);
  if (!isV3) return ".zgroup";
  return isV2 ? ".zgroup or zarr.json" : "zarr.json";
}

function tooDeep(path: string): Finding {
  return finding("hierarchy-too-deep", WHOLE_SET, { limit: MAX_DEPTH, path: path.slice(0, 80) });
}

/** Where drafts of Zarr v3 kept metadata: `meta/root/a.array.json`. */
function isDraftOfV3(key: string): boolean {
  return /(?:^|\/)meta\/root(?:\/.*)?\.(?:array|group)\.json$/s.test(key);
}
