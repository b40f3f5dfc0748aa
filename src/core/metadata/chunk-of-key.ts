/** From a store key to the chunk or node that it belongs to, by what the screen knows of the set. */
import { nodePathOf } from "./hierarchy-path.ts";
import { ordinalOf, parseChunkName } from "./chunk-grid.ts";
import type { NodeSummary } from "../open-set.ts";

export type NodesByPath = ReadonlyMap<string, NodeSummary>;

export type KeyPlace =
  | ({ readonly kind: "chunk" } & TypedChunk)
  /** A key below a node but not a chunk of its grid: a stray key, or metadata. */
  | { readonly kind: "node"; readonly path: string; readonly metadata: boolean };

const METADATA_NAMES = [".zarray", ".zattrs", ".zgroup", ".zmetadata", "zarr.json"];

export function nodesByPath(nodes: readonly NodeSummary[]): NodesByPath {
  return new Map(nodes.map((node) => [node.path, node]));
}

export function placeOfKey(key: string, nodes: NodesByPath): KeyPlace | undefined {
  const name = key.slice(key.lastIndexOf("/") + 1);
  const parent = nodePathOf(key);
  if (METADATA_NAMES.includes(name)) return nodeAt(parent, nodes, true);
  for (const path of prefixesOf(key)) {
    const node = nodes.get(path);
    if (node === undefined) continue;
    const coordinates = chunkOf(node, path === "" ? key : key.slice(path.length + 1));
    return coordinates === undefined
      ? { kind: "node", path, metadata: false }
      : { kind: "chunk", array: path, coordinates };
  }
  return undefined;
}

/** Coordinates of a chunk name of an array, whichever separator it uses, where they lie in its grid. */
export function chunkOf(node: NodeSummary, name: string): readonly number[] | undefined {
  const { grid } = node;
  if (grid === undefined) return undefined;
  const coordinates = parseChunkName(name, grid.length, ".") ?? parseChunkName(name, grid.length, "/");
  return coordinates !== undefined && ordinalOf(grid, coordinates) !== undefined ? coordinates : undefined;
}

interface TypedChunk {
  readonly array: string;
  readonly coordinates: readonly number[];
}

/** The chunk that is typed, in the grid or not: by its key, or by coordinates alone in the array at `scope`. */
export function typedChunk(text: string, nodes: NodesByPath, scope: string): TypedChunk | undefined {
  for (const array of [scope, ...prefixesOf(text)]) {
    const rank = nodes.get(array)?.grid?.length;
    if (rank === undefined) continue;
    const name = array !== "" && text.startsWith(`${array}/`) ? text.slice(array.length + 1) : text;
    // Zarr v3 begins chunk keys with a c: `c/2/0/1`.
    const parts = rank === 0 ? [] : name.replace(/^c[./]/, "").split(/[./,]\s*/);
    const isChunk = rank === 0 ? name === "0" || name === "c" : parts.every((part) => /^\d{1,15}$/.test(part));
    if (isChunk && parts.length === rank) return { array, coordinates: parts.map(Number) };
  }
  return undefined;
}

function nodeAt(path: string, nodes: NodesByPath, metadata: boolean): KeyPlace | undefined {
  const known = nodes.has(path) ? path : prefixesOf(path).find((prefix) => nodes.has(prefix));
  return known === undefined ? undefined : { kind: "node", path: known, metadata };
}

/** `a/b`, `a`, `` for `a/b/c`. */
export function prefixesOf(key: string): readonly string[] {
  const prefixes: string[] = [];
  for (let at = key.lastIndexOf("/"); at >= 0; at = at === 0 ? -1 : key.lastIndexOf("/", at - 1))
    prefixes.push(key.slice(0, at));
  if (!prefixes.includes("")) prefixes.push("");
  return prefixes;
}
