/** The references of an array in a snapshot, by the ordinals of another grid of the same array. */
import type { CallContext } from "#core/byte-source.ts";
import { cellCount, coordinatesOf, ordinalOf } from "#core/metadata/chunk-grid.ts";
import type { ManifestRef } from "#formats/icechunk/index.ts";
import type { ChunkColumns } from "#formats/icechunk/references.ts";
import { startPace } from "#engine/pace.ts";
import type { OpenManifest } from "../manifest-cache.ts";
import type { SideArray } from "../snapshot-side.ts";

const AT_ONCE = 6;

/**
 * Shows each reference of the manifests that lies in `grid`, in the order of precedence: a chunk may come again. Throws
 * what opening manifests throws.
 */
export async function eachReference(
  { id: node, grid: own }: SideArray,
  manifests: readonly ManifestRef[],
  grid: readonly number[],
  see: (ordinal: number, columns: ChunkColumns, row: number) => void,
  open: OpenManifest,
  context: CallContext,
): Promise<void> {
  const { readChunkColumns } = await import("#formats/icechunk/references.ts");
  const place = renumbered(own, grid);
  const pace = startPace(context, "Reading references", cellCount(own));
  for (let at = 0; at < manifests.length; at += AT_ONCE) {
    context.report({ label: "Reading manifests", done: at, total: manifests.length, unit: "requests" });
    const asked = manifests.slice(at, at + AT_ONCE);
    const opened = await Promise.all(asked.map(({ id }) => open(id, context, node)));
    for (const [index, manifest] of opened.entries()) {
      const array = manifest.arrays.find((one) => one.node === node);
      if (array === undefined) continue;
      const columns = readChunkColumns(manifest, array, own, asked[index]?.extents ?? []);
      for (let row = 0; row < columns.rows; row += 1) {
        if ((row & 4095) === 0) await pace.yieldIfDue(row);
        const ordinal = columns.strays.has(row) ? -1 : place(columns.ordinal[row] ?? -1);
        if (ordinal >= 0) see(ordinal, columns, row);
      }
    }
  }
}

/** From ordinals in one grid to those in another; -1 outside it. */
export function renumbered(from: readonly number[], to: readonly number[]): (ordinal: number) => number {
  const cells = cellCount(to);
  const isAlike = from.length === to.length && from.every((length, axis) => axis === 0 || length === to[axis]);
  if (isAlike) return (ordinal) => (ordinal < cells ? ordinal : -1);
  return (ordinal) => ordinalOf(to, coordinatesOf(from, ordinal)) ?? -1;
}
