/** The pages of one array of a snapshot. */
import type { CallContext } from "#core/byte-source.ts";
import type { Finding } from "#core/findings/finding.ts";
import { once } from "#core/once.ts";
import type { ArrayNode, BrokenNode } from "#core/metadata/array-metadata.ts";
import { MANIFEST, type PageSink, type ReferencePages } from "#core/table/reference-pages.ts";
import { storedGrid } from "#formats/chunk-manifest/index.ts";
import type { Configuration, ManifestRef } from "#formats/icechunk/index.ts";
import type { KeptReferences } from "./kept-references.ts";
import type { OpenManifest } from "./manifest-cache.ts";
import { pageEach, planPages } from "./page-plan.ts";

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
