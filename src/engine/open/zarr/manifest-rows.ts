/** The references of an array that has a chunk manifest. */
import type { CallContext } from "../../../core/byte-source.ts";
import { cellCount, gridOf } from "../../../core/chunk-grid.ts";
import { RefscopeError } from "../../../core/errors.ts";
import { failure } from "../../../core/findings/failure.ts";
import { nodeAt } from "../../../core/findings/place.ts";
import type { ArrayNode } from "../../../core/hierarchy.ts";
import { MANIFEST, type ReferencePages } from "../../../core/reference-pages.ts";
import { addManifest, type ManifestReference } from "../../../formats/chunk-manifest/index.ts";
import type { StoreContext } from "../store-set.ts";
import { openManifest, type ReadManifest } from "./open-manifest.ts";
import { prefixPages } from "./prefix-pages.ts";

/**
 * The references of an array with a manifest. Without prefixes they are one page, since a manifest is one document; else
 * each chunk below a prefix is a page of its own, which is asked for.
 */
export async function manifestPages(
  around: StoreContext,
  node: ArrayNode,
  reference: ManifestReference,
  context: CallContext,
): Promise<ReferencePages> {
  let read: ReadManifest | undefined;
  try {
    read = await openManifest(around, node, reference, context);
  } catch (error) {
    // The page says why, and may be tried again.
    if (!(error instanceof RefscopeError)) throw error;
  }
  if (read !== undefined && read.cover.count > 0) return prefixPages(around, node, read);
  const cells = cellCount(gridOf(node.metadata.shape, node.metadata.chunks));
  return {
    ...MANIFEST,
    count: 1,
    pageOf: () => 0,
    visit: (_page, see) => {
      for (let ordinal = 0; ordinal < cells; ordinal += 1) see(ordinal);
    },
    cellsOf: () => cells,
    async load(_page, into, context) {
      const now = read ?? (await openManifest(around, node, reference, context));
      if (now.cover.count > 0) throw failure("chunk-manifest-prefix", nodeAt(node.path), {});
      read = undefined;
      addManifest(now.manifest, into, now.base);
      return now.findings;
    },
  };
}
