/** Bytes that a reader of the open snapshot fetches before the first chunk, and a better split of manifests. */
import type { ArrayReader, ReaderAnatomy, Split } from "#core/anatomy.ts";
import type { CallContext } from "#core/byte-source.ts";
import { fetchSnapshot } from "#formats/icechunk/index.ts";
import { icechunkObjects, icechunkZstd } from "../objects.ts";
import type { OpenedRepository } from "../set-repository.ts";
import type { ReadRepository } from "./own-files.ts";

export async function readerAnatomy(
  { store, shown: { snapshot: id } }: OpenedRepository,
  { seen, read }: ReadRepository,
  entry: number,
  context: CallContext,
): Promise<ReaderAnatomy> {
  const snapshot = await fetchSnapshot(icechunkObjects(store, context), icechunkZstd(context.signal), id);
  const snapshotBytes = seen.snapshots.find((one) => one.id === id)?.size ?? 0;
  const places = new Map(seen.manifests.map((manifest, place) => [manifest.id, place] as const));
  const arrays = snapshot.nodes.flatMap((node): readonly ArrayReader[] => {
    if (node.kind !== "array") return [];
    const ids = new Set(node.manifests.map((manifest) => manifest.id));
    const own = [...ids].flatMap((manifest) => read.manifests[places.get(manifest) ?? -1] ?? []);
    const sizes = own.map(({ size }) => size);
    const references = own.reduce((sum, one) => sum + one.references, 0);
    const manifestBytes = sizes.reduce((sum, size) => sum + size, 0);
    const now = { references, manifests: own.length, manifestBytes };
    const least = sizes.reduce((one, other) => Math.min(one, other), Infinity);
    const most = sizes.reduce((one, other) => Math.max(one, other), 0);
    if (own.length === 0) return [];
    return [{ path: node.path.slice(1), ...now, least, most, ...splitsOf(now, most, entry + snapshotBytes) }];
  });
  return { snapshot: id, entry, snapshotBytes, arrays };
}

const SPLITS = [1000, 10_000, 100_000, 1_000_000];
/** Bytes of a manifest without references, and of its two records in the snapshot, as official writers make them. */
const [EMPTY_MANIFEST, IN_SNAPSHOT] = [200, 60] as const;
/** A split is as good as the best if it costs at most so many times as much: fewer, larger files read faster as a whole. */
const AS_GOOD = 2;
/** Arrays of fewer references have no need of a split. */
const FEW = 2000;

/** @param before bytes of what comes before manifests */
export function splitsOf(
  { references, manifests, manifestBytes }: Pick<ArrayReader, "references" | "manifests" | "manifestBytes">,
  most: number,
  before: number,
): Pick<ArrayReader, "splits" | "better"> {
  if (references < FEW) return { splits: [] };
  const each = Math.max(0, manifestBytes - manifests * EMPTY_MANIFEST) / references;
  const rest = before - manifests * IN_SNAPSHOT;
  const splits = [...SPLITS.filter((size) => size < references), references].map((size): Split => {
    const count = Math.ceil(references / size);
    return {
      references: size,
      manifests: count,
      before: Math.round(Math.max(0, rest) + count * IN_SNAPSHOT + EMPTY_MANIFEST + size * each),
      total: Math.round(count * EMPTY_MANIFEST + references * each),
    };
  });
  const best = Math.min(...splits.map((split) => split.before));
  if (before + most <= AS_GOOD * best) return { splits };
  return { splits, better: splits.findLastIndex((split) => split.before <= AS_GOOD * best) };
}
