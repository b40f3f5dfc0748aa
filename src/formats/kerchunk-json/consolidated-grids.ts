/** Grids of arrays that only consolidated metadata describe: their chunks are chunks like any. */
import { withConsolidated } from "../../core/consolidated-metadata.ts";
import type { MetadataDocument } from "../../core/hierarchy.ts";
import { gridOfMetadata, gridOfMetadataV3 } from "./grid.ts";
import { decodeText } from "./json-bytes.ts";
import type { ReferenceSet } from "./reference-set.ts";
import { parentOf } from "./slots.ts";

const MAY_CONSOLIDATE = /(?:^|\/)(?:\.zmetadata|zarr\.json)$/;

/** After the last member of the set. What is wrong with the documents is said where the hierarchy is built. */
export function learnConsolidated({ metadata, slots }: ReferenceSet): void {
  const documents = new Map<string, MetadataDocument>();
  for (const { key, value } of metadata.values()) {
    if (value.kind !== "inline" || !MAY_CONSOLIDATE.test(key)) continue;
    documents.set(key, { key, text: decodeText(value.bytes).text });
  }
  if (documents.size === 0) return;
  for (const { key, text } of withConsolidated(documents).documents.values()) {
    if (metadata.has(key) || text === undefined) continue;
    const grid = key.endsWith(".zarray") ? gridOfMetadata(text) : gridOfConsolidatedV3(key, text);
    const slot = grid === undefined ? undefined : slots.all[slots.obtain(parentOf(key))];
    if (slot !== undefined) slot.final ??= grid;
  }
}

function gridOfConsolidatedV3(key: string, text: string) {
  const grid = key.endsWith("zarr.json") ? gridOfMetadataV3(text) : undefined;
  return grid === "unread" ? undefined : grid;
}
