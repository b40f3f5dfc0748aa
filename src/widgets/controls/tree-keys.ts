/** Keys in a tree (WAI-ARIA Authoring Practices, "Tree View"): from the visible rows and a place to an action. */
import { movedRow, parentIndex } from "./roving.ts";

export type TreeAction =
  | { readonly kind: "focus"; readonly index: number }
  | { readonly kind: "expand"; readonly paths: readonly string[] }
  | { readonly kind: "collapse"; readonly path: string }
  | { readonly kind: "select"; readonly path: string };

interface Row {
  readonly level: number;
  readonly expandable: boolean;
  readonly expanded: boolean;
}

interface TreeOptions<R> {
  /** Rows a page key moves by. */
  readonly page: number;
  readonly pathOf: (row: R) => string;
}

export function actionOfKey<R extends Row>(
  key: string,
  rows: readonly R[],
  index: number,
  { page, pathOf }: TreeOptions<R>,
): TreeAction | undefined {
  const row = rows[index];
  if (row === undefined) return undefined;
  const moved = movedRow({ key, ctrl: false }, index, rows.length, page);
  if (moved !== undefined) return { kind: "focus", index: moved };
  switch (key) {
    case "ArrowRight":
      if (!row.expandable) return undefined;
      return row.expanded ? { kind: "focus", index: index + 1 } : { kind: "expand", paths: [pathOf(row)] };
    case "ArrowLeft": {
      if (row.expanded) return { kind: "collapse", path: pathOf(row) };
      const parent = parentIndex(rows, index);
      return parent === undefined ? undefined : { kind: "focus", index: parent };
    }
    case "*":
      return { kind: "expand", paths: siblingsToExpand(rows, index).map(pathOf) };
    case "Enter":
    case " ":
      return { kind: "select", path: pathOf(row) };
    default:
      return undefined;
  }
}

function siblingsToExpand<R extends Row>(rows: readonly R[], index: number): readonly R[] {
  const level = rows[index]?.level ?? 1;
  let first = index;
  while (first > 0 && (rows[first - 1]?.level ?? 0) >= level) first -= 1;
  const end = rows.findIndex((row, at) => at >= first && row.level < level);
  const siblings = rows.slice(first, end < 0 ? rows.length : end);
  return siblings.filter((row) => row.level === level && row.expandable && !row.expanded);
}
