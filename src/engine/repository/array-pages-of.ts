/** The pages of one array of a snapshot. */
import type { CallContext } from "#core/byte-source.ts";
import type { Finding } from "#core/findings/finding.ts";
import { once } from "#core/basics.ts";
import type { ArrayNode, BrokenNode } from "#core/metadata/array-metadata.ts";
import { MANIFEST, type PageSink, type ReferencePages } from "#core/table/reference-pages.ts";
import { storedGrid } from "#formats/chunk-manifest/index.ts";
import { type Configuration, type ManifestRef, chunkPath } from "#formats/icechunk/index.ts";
import type { KeptReferences } from "./kept-references.ts";
import type { OpenManifest } from "./manifest-cache.ts";
import { pageEach, planPages } from "./page-plan.ts";
import { coordinatesOf } from "#core/metadata/chunk-grid.ts";
import type { Reference } from "#core/table/reference.ts";
import { tableBuilder } from "#core/table/table-builder.ts";
import type { StoredShard } from "../chunk/shard-reader.ts";
import { shardReference, storedAt } from "../chunk/stored-shard.ts";
import type { TargetReader } from "../chunk/sources.ts";

/** With the first page. */
const loader = once(() => import("./load-page.ts"));

export interface SnapshotArray {
  /** An array, or one whose chunk grid is not read. */
  readonly node: ArrayNode | BrokenNode;
  /** Id of the node in the repository. */
  readonly id: string;
  readonly manifests: readonly ManifestRef[];
}

export interface ArrayPagesOf extends ReferencePages {
  readonly path: string;
  /** Grid of the chunks, or of the shards if the array has them; empty if the grid is not read. */
  readonly grid: readonly number[];
  /** On the pages that were loaded. */
  readonly kept: Pick<KeptReferences, "nativeAt" | "nativeInRow" | "checksumAt" | "hasChecksums">;
  /** Pages that cost no request: no manifest covers them. */
  readonly empty: readonly number[];
}

export function arrayPagesOf(
  { node, id, manifests }: SnapshotArray,
  open: OpenManifest,
  configuration: Configuration,
): ArrayPagesOf {
  const known = node.kind === "array" ? storedGrid(node.metadata) : undefined;
  const separator = node.kind === "array" ? node.metadata.separator : (node.gridUnread ?? "c/");
  const { pages, pageOf, visit } = known === undefined ? pageEach(manifests) : planPages(known, manifests);
  let kept: KeptReferences | undefined;
  const rows = { path: node.path, separator, grid: known, configuration };
  const grid = known ?? [];
  return {
    ...MANIFEST,
    path: node.path,
    grid,
    kept: {
      nativeAt: (ordinal) => kept?.nativeAt(ordinal),
      nativeInRow: (row) => kept?.nativeInRow(row),
      checksumAt: (ordinal) => kept?.checksumAt(ordinal),
      hasChecksums: () => kept?.hasChecksums() === true,
    },
    empty: pages.flatMap(({ manifests }, page) => (manifests.length === 0 ? [page] : [])),
    count: pages.length,
    pageOf,
    cellsOf: (page) => pages[page]?.cells ?? 0,
    visit,
    async load(page: number, into: PageSink, context: CallContext): Promise<readonly Finding[]> {
      const planned = pages[page];
      if (planned === undefined || planned.manifests.length === 0) return [];
      const { addRows, keptReferences, readPage } = await loader();
      kept ??= keptReferences(pageOf);
      const read = await readPage({ node: id, grid, page: planned }, open, context);
      const table = into.table.live();
      const first = table.rows;
      const findings = addRows(read, rows, into);
      into.table.countBeside(kept.keep(page, read, { table, first, count: table.rows - first }));
      return findings;
    },
  };
}

// Locates the shards of a sharded array: its references are of shards, in a table of their own.

export const decodeInline = (raw: Uint8Array) => ({ bytes: raw.slice() });

/** Native shards are ranges of their chunk files, which are found like targets beside the repository. */
export function storedInIcechunk(of: ArrayPagesOf, targets: TargetReader) {
  const table = tableBuilder();
  const array = table.addArray(of.path, of.grid, "c/");
  const loaded = new Map<number, Promise<unknown>>();
  const load = async (page: number, context: CallContext): Promise<void> => {
    const known = loaded.get(page);
    if (known !== undefined) return void (await known);
    const loading = of.load(page, { table, array }, context);
    loaded.set(page, loading);
    // A failed or cancelled page is requested again.
    await loading.catch((error: unknown) => {
      loaded.delete(page);
      throw error;
    });
  };
  return async (shard: number, context: CallContext): Promise<StoredShard> => {
    await load(of.pageOf(shard), context);
    const reference = await shardReference({ table, array, decodeInline }, shard, context);
    const name = `shard ${coordinatesOf(of.grid, shard).join(".")}`;
    const stored = await storedAt(targets, placed(of, reference, shard), name, context);
    return stored.kind === "stored" ? { ...stored, inlineIsRaw: true } : stored;
  };
}

function placed({ kept }: ArrayPagesOf, reference: Reference, shard: number): Reference {
  const native = reference.kind === "native" ? kept.nativeAt(shard) : undefined;
  if (native === undefined) return reference;
  const { chunk, offset, length } = native;
  return { kind: "range", target: chunkPath(chunk), offset, length };
}
