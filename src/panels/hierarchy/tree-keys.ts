/** What a key does in the tree (WAI-ARIA Authoring Practices, "Tree View"): pure, from rows and position to an action. */
import { movedRow, parentIndex } from "../../widgets/roving.ts";
import type { TreeRow } from "./tree.ts";

export type TreeAction =
  | { readonly kind: "focus"; readonly index: number }
  | { readonly kind: "expand"; readonly paths: readonly string[] }
  | { readonly kind: "collapse"; readonly path: string }
  | { readonly kind: "select"; readonly path: string };

/** Rows a page key moves by. */
const PAGE = 20;

export function treeAction(key: string, rows: readonly TreeRow[], index: number): TreeAction | undefined {
  const row = rows[index];
  if (row === undefined) return undefined;
  const moved = movedRow({ key, ctrl: false }, index, rows.length, PAGE);
  if (moved !== undefined) return { kind: "focus", index: moved };
  switch (key) {
    case "ArrowRight":
      return inward(row, index);
    case "ArrowLeft":
      return outward(rows, row, index);
    case "*":
      return { kind: "expand", paths: siblingsToExpand(rows, index) };
    case "Enter":
    case " ":
      return { kind: "select", path: row.node.path };
    default:
      return undefined;
  }
}

function inward(row: TreeRow, index: number): TreeAction | undefined {
  if (!row.expandable) return undefined;
  return row.expanded ? { kind: "focus", index: index + 1 } : { kind: "expand", paths: [row.node.path] };
}

function outward(rows: readonly TreeRow[], row: TreeRow, index: number): TreeAction | undefined {
  if (row.expanded) return { kind: "collapse", path: row.node.path };
  const parent = parentIndex(rows, index);
  return parent === undefined ? undefined : { kind: "focus", index: parent };
}

function siblingsToExpand(rows: readonly TreeRow[], index: number): readonly string[] {
  const level = rows[index]?.level ?? 1;
  let first = index;
  while (first > 0 && (rows[first - 1]?.level ?? 0) >= level) first -= 1;
  const paths: string[] = [];
  for (let at = first; at < rows.length; at += 1) {
    const row = rows[at];
    if (row === undefined || row.level < level) break;
    if (row.level === level && row.expandable && !row.expanded) paths.push(row.node.path);
  }
  return paths;
}

/**
 * Next row after `index` whose name begins with what was typed, around the end. A first letter moves on, further ones
 * may stay where they are. A slash begins no name but the root's: it is the page's key for the filter.
 */
export function typeAhead(rows: readonly TreeRow[], index: number, typed: string): number | undefined {
  if (typed.startsWith("/")) return undefined;
  const wanted = typed.toLowerCase();
  const start = typed.length === 1 ? index + 1 : index;
  for (let step = 0; step < rows.length; step += 1) {
    const at = (start + step) % rows.length;
    if (rows[at]?.node.name.toLowerCase().startsWith(wanted) === true) return at;
  }
  return undefined;
}
