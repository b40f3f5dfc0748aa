/** The metadata documents of a snapshot's nodes, by store key. */
import type { MetadataDocument } from "#core/metadata/array-metadata.ts";
import type { Snapshot } from "#formats/icechunk/index.ts";

/** A repository without nodes shows an undeclared root, as any set does. */
export function snapshotDocuments({ nodes }: Snapshot): ReadonlyMap<string, MetadataDocument> {
  const decoder = new TextDecoder();
  return new Map(
    nodes.map(({ path, metadata }) => {
      const key = path === "/" ? "zarr.json" : `${path.slice(1)}/zarr.json`;
      return [key, { key, text: decoder.decode(metadata) }] as const;
    }),
  );
}
