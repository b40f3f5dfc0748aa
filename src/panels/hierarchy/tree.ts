/** The tree of a set's nodes as the rows that are visible: flat, so that any number of nodes can be shown. */
import { groupedBy } from "#core/basics.ts";
import type { NodeSummary } from "#core/open-set.ts";
import type { ArrayTally } from "#core/values/reading-tally.ts";
import type { AcceptedProblems } from "#store/state.ts";
import { countOf, formatCount, formatShare } from "#widgets/number-format.ts";

export interface Tree {
  readonly nodes: ReadonlyMap<string, NodeSummary>;
  /** Children by parent path, in the order to show. The top nodes stand under `TOP`. */
  readonly children: ReadonlyMap<string, readonly string[]>;
  /** Nodes in groups whose arrays can be distinguished. */
  readonly sections: ReadonlyMap<string, Section>;
}

/** Parent of the nodes that have none; no path contains NUL alone. */
export const TOP = "\u0000";

export interface TreeRow {
  readonly node: NodeSummary;
  /** From 1. */
  readonly level: number;
  /** Section that begins with this row in its group, if any. */
  readonly head?: Section;
  /** Place among its siblings, from 1, and how many they are. */
  readonly position: number;
  readonly siblings: number;
  readonly expandable: boolean;
  readonly expanded: boolean;
}

export function buildTree(summaries: readonly NodeSummary[]): Tree {
  const nodes = new Map(summaries.map((node) => [node.path, node]));
  const sections = new Map<string, Section>();
  const children = new Map<string, readonly string[]>();
  for (const [parent, paths] of groupedBy(nodes.keys(), (path) => nearestAncestor(path, nodes) ?? TOP)) {
    const members = paths.map((path) => nodes.get(path)).filter((node) => node !== undefined);
    const told = sectionsOf(members);
    for (const [path, section] of told ?? []) sections.set(path, section);
    children.set(parent, told === undefined ? paths : bySection(paths, told));
  }
  return { nodes, children, sections };
}

const bySection = (paths: readonly string[], sections: ReadonlyMap<string, Section>): readonly string[] =>
  SECTIONS.flatMap((section) => paths.filter((path) => sections.get(path) === section));

/** Parents that are in the tree, nearest first. */
export function ancestorsOf(path: string, nodes: ReadonlyMap<string, unknown>): readonly string[] {
  const found: string[] = [];
  let at: string | undefined = nearestAncestor(path, nodes);
  while (at !== undefined) {
    found.push(at);
    at = nearestAncestor(at, nodes);
  }
  return found;
}

function nearestAncestor(path: string, nodes: ReadonlyMap<string, unknown>): string | undefined {
  let rest = path;
  while (rest !== "") {
    rest = rest.slice(0, Math.max(0, rest.lastIndexOf("/")));
    if (nodes.has(rest)) return rest;
  }
  return undefined;
}

/** Rows in the order to show. `isExpanded` is asked only of nodes with children. */
export function visibleRows(
  tree: Tree,
  isExpanded: (path: string, level: number) => boolean,
  kept?: ReadonlySet<string>,
): readonly TreeRow[] {
  const rows: TreeRow[] = [];
  // An explicit stack: hostile sets nest deeper than the engine's own.
  const stack: { readonly paths: readonly string[]; at: number; readonly level: number }[] = [];
  const enter = (parent: string, level: number) => {
    const all = tree.children.get(parent) ?? [];
    stack.push({ paths: kept === undefined ? all : all.filter((path) => kept.has(path)), at: 0, level });
  };
  enter(TOP, 1);
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const path = top.paths[top.at];
    top.at += 1;
    const node = path === undefined ? undefined : tree.nodes.get(path);
    if (node === undefined) {
      stack.pop();
      continue;
    }
    const expandable = tree.children.has(node.path);
    const expanded = expandable && (kept !== undefined || isExpanded(node.path, top.level));
    const head = headAt(tree, top.paths, top.at - 1);
    rows.push({
      node,
      level: top.level,
      ...(head === undefined ? {} : { head }),
      position: top.at,
      siblings: top.paths.length,
      expandable,
      expanded,
    });
    if (expanded) enter(node.path, top.level + 1);
  }
  return rows;
}

function headAt({ sections }: Tree, paths: readonly string[], at: number): Section | undefined {
  const section = sections.get(paths[at] ?? "");
  const before = at === 0 ? undefined : sections.get(paths[at - 1] ?? "");
  return section === before ? undefined : section;
}

/** Paths that pass a filter: those containing the text (ignoring case), and their parents. */
export function matchingPaths(tree: Tree, text: string): ReadonlySet<string> {
  const wanted = text.trim().toLowerCase();
  const kept = new Set<string>();
  for (const path of tree.nodes.keys()) {
    if (!path.toLowerCase().includes(wanted)) continue;
    for (const one of [path, ...ancestorsOf(path, tree.nodes)]) kept.add(one);
  }
  return kept;
}

/** The node of that name, else the first shown that matches itself. */
export function bestMatch(rows: readonly TreeRow[], text: string): string | undefined {
  const wanted = text.trim().toLowerCase();
  const matching = rows.filter(({ node }) => node.path.toLowerCase().includes(wanted));
  return (matching.find(({ node }) => node.name.toLowerCase() === wanted) ?? matching[0])?.node.path;
}

/** How many nodes match themselves, their ancestors not counted. */
export function countMatches(tree: Tree, text: string): number {
  const wanted = text.trim().toLowerCase();
  let count = 0;
  for (const path of tree.nodes.keys()) if (path.toLowerCase().includes(wanted)) count += 1;
  return count;
}

// Arrays of a group as Data, Coordinates and Other, as far as their dimensions tell.

type Section = "Data" | "Coordinates" | "Other" | "Groups";

/** Sections in the order to show. */
const SECTIONS: readonly Section[] = ["Data", "Coordinates", "Other", "Groups"];

/**
 * The section of each member of a group, by path. `undefined` where no array is named as its own dimension: then nothing
 * tells data from the rest.
 */
export function sectionsOf(members: readonly NodeSummary[]): ReadonlyMap<string, Section> | undefined {
  const coordinates = new Set(members.filter(isCoordinate).map(({ name }) => name));
  if (coordinates.size === 0) return undefined;
  const widest = widestOf(
    members.filter((node) => !isCoordinate(node)),
    coordinates,
  );
  return new Map(members.map((node) => [node.path, sectionOf(node, widest)]));
}

function isCoordinate({ kind, name, dimensionNames = [] }: NodeSummary): boolean {
  return kind === "array" && dimensionNames.includes(name);
}

/** Dimensions of the array with most coordinates, and among these with most dimensions. */
function widestOf(arrays: readonly NodeSummary[], coordinates: ReadonlySet<string>): readonly string[] {
  let widest: readonly string[] = [];
  let most = 0;
  for (const { dimensionNames = [] } of arrays) {
    const names = dimensionNames.filter((name) => name !== undefined);
    const known = names.filter((name) => coordinates.has(name)).length;
    if (known < most || (known === most && names.length <= widest.length)) continue;
    [widest, most] = [names, known];
  }
  return widest;
}

/** Data run along the first dimension of the widest array, and lack at most one other of its dimensions. */
function sectionOf(node: NodeSummary, widest: readonly string[]): Section {
  if (node.kind === "group") return "Groups";
  if (isCoordinate(node)) return "Coordinates";
  const names = node.dimensionNames ?? [];
  const [first] = widest;
  if (first === undefined || !names.includes(first)) return "Other";
  return widest.filter((name) => !names.includes(name)).length <= 1 ? "Data" : "Other";
}

export type NodeHealth =
  | { readonly kind: "failed" | "unreached" | "missing"; readonly text: string; readonly sentence: string }
  | { readonly kind: "unread" | "partly" | "read"; readonly sentence: string };

/** The longest that has room in a narrow tree. */
const MAX_TEXT = 11;

/** The worst that is known and not set aside; `undefined` where there is nothing to know. */
export function nodeHealth(
  node: NodeSummary,
  tally: ArrayTally | undefined,
  accepted?: AcceptedProblems,
): NodeHealth | undefined {
  const { cells = 0, present = 0, unknown = 0, bad = 0 } = node;
  const { ok = 0, failed = 0, unreached = 0 } = tally ?? {};
  const aside = Math.min(failed, accepted?.failing.get(node.path) ?? 0);
  if (failed > aside) {
    const more = aside === 0 ? "" : `; ${formatCount(aside)} of them ${aside === 1 ? "is" : "are"} accepted`;
    const out = unreached === 0 ? "" : ` ${reachSentence(unreached)}`;
    const sentence = `${countOf(failed, "chunk")} failed of ${formatCount(ok + failed)} read${more}.${out}`;
    return { kind: "failed", text: formatCount(failed - aside), sentence };
  }
  if (cells === 0) return undefined;
  if (unreached > 0) return { kind: "unreached", text: formatCount(unreached), sentence: reachSentence(unreached) };
  if (unknown === 0 && present + bad < cells && accepted?.lacking.has(node.path) !== true) {
    const sentence = `${formatCount(cells - present - bad)} of ${countOf(cells, "chunk")} have no reference.`;
    return { kind: "missing", text: shareText(present, cells), sentence };
  }
  if (ok + failed === 0) return { kind: "unread", sentence: "No chunk was read yet." };
  const others = failed === 0 ? "none failed" : `all ${formatCount(failed)} failures are accepted`;
  if (ok + failed >= (unknown === 0 ? present : cells))
    return { kind: "read", sentence: `Every chunk was read, and ${others}.` };
  return {
    kind: "partly",
    sentence: `${formatCount(ok + failed)} of ${countOf(cells, "chunk")} were read, and ${others}.`,
  };
}

function shareText(present: number, cells: number): string {
  const exact = `${formatCount(present)} / ${formatCount(cells)}`;
  return exact.length <= MAX_TEXT ? exact : formatShare(present, cells);
}

const reachSentence = (chunks: number): string =>
  `${countOf(chunks, "chunk")} out of reach: ${chunks === 1 ? "its source" : "their sources"} could not be read.`;

/** Mark of a closed group: failures below it, else chunks out of reach. */
export function groupHealth(failed: number, unreached = 0): NodeHealth | undefined {
  if (failed === 0 && unreached === 0) return undefined;
  if (failed === 0) return { kind: "unreached", text: formatCount(unreached), sentence: reachSentence(unreached) };
  return { kind: "failed", text: formatCount(failed), sentence: `${countOf(failed, "chunk")} failed in it.` };
}
