/**
 * Paths of nodes, exactly as the store's keys write them: nothing is normalised. A slash that separates nothing (at the
 * beginning, at the end, doubled) belongs to the name beside it, so that `a`, `/a` and `a/` are three nodes.
 */
import type { ArrayNode, HierarchyNode } from "./array-metadata.ts";

/** The path a node hangs below; `""` for those at the top, `undefined` for the root itself. */
export function parentPath(path: string): string | undefined {
  if (path === "") return undefined;
  let at = path.length;
  while (at > 0 && path[at - 1] === "/") at -= 1;
  while (at > 0 && path[at - 1] !== "/") at -= 1;
  while (at > 0 && path[at - 1] === "/") at -= 1;
  return path.slice(0, at);
}

/** Path of the node that a key belongs to: all before the last slash. */
export const nodePathOf = (key: string): string => key.slice(0, Math.max(0, key.lastIndexOf("/")));

/** Last part of a path; `/` for the root. */
export function nodeName(path: string): string {
  const parent = parentPath(path);
  if (parent === undefined) return "/";
  return parent === "" ? path : path.slice(parent.length + 1);
}

/** A metadata key as the node's path and the document's name: `sst/.zarray` as `sst` and `.zarray`. */
export function splitMetadataKey(key: string): { readonly path: string; readonly document: string } {
  const slash = key.lastIndexOf("/");
  return { path: slash < 0 ? "" : key.slice(0, slash), document: key.slice(slash + 1) };
}

/** Names of metadata documents, the consolidated one first. */
export const METADATA_NAMES = [".zmetadata", "zarr.json", ".zarray", ".zgroup", ".zattrs"] as const;

export const isMetadataName = (name: string): boolean => (METADATA_NAMES as readonly string[]).includes(name);

/** True if readers that normalise paths (zarr-python does) would look for the node elsewhere or refuse it. */
export function isOddPath(path: string): boolean {
  return (
    path.includes("\\") || (path !== "" && path.split("/").some((part) => part === "" || part === "." || part === ".."))
  );
}

/** Paths at which to look for an array's coordinates: in its own group, then in each one above it, as netCDF does. */
export function nearPaths(array: string, name: string): readonly string[] {
  const groups = array.split("/").slice(0, -1);
  return Array.from({ length: groups.length + 1 }, (_, up) => [...groups.slice(0, groups.length - up), name].join("/"));
}

/** Path of the group that a node is in. */
export const parentOf = ({ path }: Pick<HierarchyNode, "path">): string => parentPath(path) ?? "";

/** An array that holds the coordinates of a dimension has one dimension, of its own name. */
export function isCoordinate({ name, metadata }: ArrayNode): boolean {
  return metadata.shape.length === 1 && metadata.dimensionNames?.[0] === name;
}
