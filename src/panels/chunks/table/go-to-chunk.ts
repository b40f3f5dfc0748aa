/** What is meant by typing `sst/2.0.1`, `2.0.1`, `2/0/1` or `c/2/0/1`. */
import { chunkKey, type KeySeparator } from "../../../core/chunk-grid.ts";
import type { NodeSummary } from "../../../core/open-set.ts";
import type { ChunkState } from "../../../core/reference.ts";

export type ChunkWish =
  /** A key to look up in the view. */
  | { readonly kind: "key"; readonly key: string }
  /** A chunk of an array that the view does not show. */
  | { readonly kind: "elsewhere"; readonly array: string; readonly coordinates: readonly number[] }
  | { readonly kind: "none"; readonly reason: string };

export interface WishContext {
  readonly nodes: readonly NodeSummary[];
  /** Path of the selected group or array. */
  readonly scope: string;
  /** The selected array's; absent for groups. */
  readonly separator: KeySeparator | undefined;
}

export function chunkWish(typed: string, { nodes, scope, separator }: WishContext): ChunkWish {
  const text = typed.trim().replace(/^\/+/, "");
  if (text === "")
    return { kind: "none", reason: "Type a chunk key such as sst/2.0.1, or chunk coordinates such as 2.0.1." };
  const selected = nodes.find((node) => node.path === scope);
  const own = selected?.grid === undefined ? undefined : coordinatesIn(text, selected);
  if (own !== undefined && separator !== undefined) return { kind: "key", key: chunkKey(scope, own, separator) };
  const other = longestArray(text, nodes);
  const below = scope === "" || text.startsWith(`${scope}/`);
  if (other === undefined || below) return { kind: "key", key: text };
  const coordinates = coordinatesIn(text, other);
  return coordinates === undefined ? { kind: "key", key: text } : { kind: "elsewhere", array: other.path, coordinates };
}

/** Whether it is a whole key or all coordinates of a chunk, in the grid or not: no part of a key to filter by. */
export function isPlace(typed: string, { nodes, scope }: Pick<WishContext, "nodes" | "scope">): boolean {
  const text = typed.trim().replace(/^\/+/, "");
  const selected = nodes.find((node) => node.path === scope);
  if (selected?.grid !== undefined && coordinatesIn(text, selected) !== undefined) return true;
  const other = longestArray(text, nodes);
  return other !== undefined && coordinatesIn(text, other) !== undefined;
}

/** Chunk coordinates of the array from its key or its coordinates alone; whether they lie in the grid is not asked. */
function coordinatesIn(text: string, array: NodeSummary): readonly number[] | undefined {
  const rank = array.grid?.length;
  const name = array.path !== "" && text.startsWith(`${array.path}/`) ? text.slice(array.path.length + 1) : text;
  if (rank === 0) return name === "0" || name === "c" ? [] : undefined;
  // Zarr v3 begins chunk keys with a c: `c/2/0/1`.
  const parts = name.replace(/^c[./]/, "").split(/[./,]\s*/);
  return parts.length === rank && parts.every((part) => /^\d{1,15}$/.test(part)) ? parts.map(Number) : undefined;
}

function longestArray(text: string, nodes: readonly NodeSummary[]): NodeSummary | undefined {
  return nodes
    .filter((node) => node.kind === "array" && text.startsWith(`${node.path}/`))
    .reduce<NodeSummary | undefined>(
      (best, node) => (best === undefined || node.path.length > best.path.length ? node : best),
      undefined,
    );
}

/** Why a chunk of the set has no row in the view; "" where selecting it leads to a view that has one. */
export function whyNoRow(
  key: string,
  state: ChunkState | undefined,
  { isArray, listsMissing }: { readonly isArray: boolean; readonly listsMissing: boolean },
): string {
  if (state !== "missing" || listsMissing) return `${key} is hidden by the filters; “All” shows it.`;
  return isArray ? `Selected ${key}. It is missing, and so has no row here.` : "";
}

/** What chunk keys of the array look like, for the message that there is none: "from sst/0.0.0 to sst/5.2.2". */
export function keyExtent(node: NodeSummary | undefined, separator: KeySeparator): string | undefined {
  if (node?.grid === undefined || node.grid.includes(0)) return undefined;
  const first = chunkKey(
    node.path,
    node.grid.map(() => 0),
    separator,
  );
  const last = chunkKey(
    node.path,
    node.grid.map((count) => count - 1),
    separator,
  );
  return first === last ? `its only chunk is ${first}` : `chunk keys go from ${first} to ${last}`;
}
