/** How far the keys of some arrays reach along each dimension, whatever their metadata say. */
import type { CallContext } from "../../core/byte-source.ts";
import { gridOf, parseChunkName } from "../../core/metadata/chunk-grid.ts";
import type { ArrayNode } from "../../core/metadata/hierarchy.ts";
import { ORDINAL_STRAY, ORDINAL_WIDE } from "../../core/table/reference-table.ts";
import { startPace } from "../pace.ts";
import { eachBlock, wideOrdinal } from "../table/array-index.ts";
import type { SeenKeys } from "./other-layout.ts";
import type { SetView } from "./rule.ts";

/** By path. */
export async function keyReach(
  { index }: SetView,
  nodes: readonly ArrayNode[],
  context: CallContext,
): Promise<ReadonlyMap<string, SeenKeys>> {
  const { table } = index;
  const asked = new Map(nodes.map((node) => [index.arrayIds.get(node.path) ?? -1, newReach(node)]));
  const byId = Array.from({ length: table.arrays.length }, (_, id) => asked.get(id));
  const pace = startPace(context, "Looking at keys", table.rows);
  await eachBlock(table, pace, ({ array, ordinal }, first, count) => {
    for (let i = 0; i < count; i += 1) {
      const own = byId[array[i] as number];
      if (own === undefined || ordinal[i] === ORDINAL_STRAY) continue;
      own.present += 1;
      const raw = ordinal[i] as number;
      let rest = raw === ORDINAL_WIDE ? wideOrdinal(table, first + i) : raw;
      for (let axis = own.grid.length - 1; axis >= 0; axis -= 1) {
        const length = own.grid[axis] as number;
        const at = rest % length;
        rest = Math.floor(rest / length);
        if (at >= (own.reach[axis] as number)) own.reach[axis] = at + 1;
      }
    }
  });
  for (const node of nodes) addStrays(index.strays().list, node, asked.get(index.arrayIds.get(node.path) ?? -1));
  return new Map([...asked.values()].map((one) => [one.path, one]));
}

function newReach({ path, metadata }: ArrayNode) {
  const grid = gridOf(metadata.shape, metadata.chunks);
  return { path, grid, reach: grid.map(() => 0), present: 0 };
}

function addStrays(
  strays: readonly { readonly key: string; readonly reason: string }[],
  { path, metadata }: ArrayNode,
  into: { readonly reach: number[] } | undefined,
): void {
  const prefix = path === "" ? "" : `${path}/`;
  for (const { key, reason } of strays) {
    if (reason !== "outside-grid" || !key.startsWith(prefix)) continue;
    const at = parseChunkName(key.slice(prefix.length), metadata.shape.length, metadata.separator);
    for (const [axis, place] of (at ?? []).entries())
      if (into !== undefined) into.reach[axis] = Math.max(into.reach[axis] ?? 0, place + 1);
  }
}
