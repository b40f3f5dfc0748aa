/**
 * Manifests of a repository, fetched once for the arrays that share them: a few are kept until all of these have
 * asked.
 */
import type { CallContext } from "#core/byte-source.ts";
import { failure, targetAt } from "#core/findings/finding.ts";
import { once } from "#core/basics.ts";
import { manifestPath } from "#formats/icechunk/index.ts";
import type { Manifest } from "#formats/icechunk/references.ts";
import type { Store } from "#io/store.ts";
import { dropOldest } from "../kept.ts";
import { icechunkObjects, icechunkZstd } from "./objects.ts";

/** `node`: for whose references it is opened. */
export type OpenManifest = (id: string, context: CallContext, node?: string) => Promise<Manifest>;

const MAX_KEPT = 4;
const MAX_KEPT_BYTES = 64 << 20;

interface Kept {
  readonly manifest: Manifest;
  /** Arrays in it that did not ask for it yet. */
  readonly waiting: Set<string>;
}

/**
 * Throws what `openManifest` throws, `icechunk-object-missing`, and what fetching throws.
 * @param see is given each manifest the first time that it comes
 * @param small as in `icechunkZstd`
 */
export function manifestCache(store: Store, see?: (manifest: Manifest) => void, small?: number): OpenManifest {
  const seen = new Set<string>();
  const kept = new Map<string, Kept>();
  const read = manifestReader(store, small);
  return async (id, context, node) => {
    const known = kept.get(id);
    const manifest = known?.manifest ?? (await read(id, context));
    if (seen.size < seen.add(id).size) see?.(manifest);
    const waiting = known?.waiting ?? new Set(manifest.arrays.map((array) => array.node));
    const asking = node ?? (manifest.arrays.length === 1 ? manifest.arrays[0]?.node : undefined);
    if (asking !== undefined) waiting.delete(asking);
    // Its references are five times as large here as in the table.
    if (waiting.size === 0) kept.delete(id);
    else kept.set(id, { manifest, waiting });
    dropOldest(kept, MAX_KEPT, (one) => one.manifest.byteLength, MAX_KEPT_BYTES);
    return manifest;
  };
}

function manifestReader(store: Store, small: number | undefined) {
  // With the first manifest: opening a repository reads none.
  const reader = once(async () => {
    const { openManifest, poolShelf } = await import("#formats/icechunk/references.ts");
    return { openManifest, shelf: poolShelf() };
  });
  return async (id: string, context: CallContext): Promise<Manifest> => {
    const path = manifestPath(id);
    const bytes = await icechunkObjects(store, context).get(path);
    const { openManifest, shelf } = await reader();
    if (bytes !== undefined) return openManifest(bytes, id, icechunkZstd(context.signal, small), shelf);
    throw failure("icechunk-object-missing", targetAt(path), { file: "manifest" });
  };
}
