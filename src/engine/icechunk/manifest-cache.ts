/** Manifests of a repository, fetched once for the arrays that share them; a few are kept. */
import type { CallContext } from "../../core/byte-source.ts";
import { RefscopeError } from "../../core/errors.ts";
import { manifestPath, openManifest, type Manifest } from "../../formats/icechunk/index.ts";
import type { Store } from "../../io/store.ts";
import { icechunkObjects, icechunkZstd } from "./objects.ts";

export type OpenManifest = (id: string, context: CallContext) => Promise<Manifest>;

const MOST_KEPT = 4;
const MOST_KEPT_BYTES = 64 << 20;

/** Throws what `openManifest` throws, `icechunk-object-missing`, and what fetching throws. */
export function manifestCache(store: Store): OpenManifest {
  const kept = new Map<string, Manifest>();
  return async (id, context) => {
    const known = kept.get(id);
    if (known !== undefined) return known;
    const manifest = await fetchManifest(store, id, context);
    kept.set(id, manifest);
    trim(kept);
    return manifest;
  };
}

/** The newest always stays. */
function trim(kept: Map<string, Manifest>): void {
  let bytes = [...kept.values()].reduce((sum, { byteLength }) => sum + byteLength, 0);
  for (const [id, { byteLength }] of kept) {
    if (kept.size === 1 || (kept.size <= MOST_KEPT && bytes <= MOST_KEPT_BYTES)) return;
    kept.delete(id);
    bytes -= byteLength;
  }
}

async function fetchManifest(store: Store, id: string, context: CallContext): Promise<Manifest> {
  const path = manifestPath(id);
  const bytes = await icechunkObjects(store, context).get(path);
  if (bytes !== undefined) return openManifest(bytes, id, icechunkZstd(context.signal));
  throw new RefscopeError({
    code: "icechunk-object-missing",
    doing: "Reading the Icechunk manifest",
    where: path,
    expected: "the manifest's file, which the snapshot names",
    found: "no such object",
    advice: "Copy the repository again: no reference in this manifest can be known without it.",
  });
}
