/** The pages of one array of a snapshot. */
import type { CallContext } from "../../core/byte-source.ts";
import type { Finding } from "../../core/findings/finding.ts";
import type { ArrayNode } from "../../core/hierarchy.ts";
import { MANIFEST, type PageSink, type ReferencePages } from "../../core/reference-pages.ts";
import { storedGrid } from "../../formats/chunk-manifest/index.ts";
import type { Configuration, ManifestRef } from "../../formats/icechunk/index.ts";
import type { KeptReferences } from "./kept-references.ts";
import type { OpenManifest } from "./manifest-cache.ts";
import { planPages } from "./page-plan.ts";

export interface SnapshotArray {
  readonly node: ArrayNode;
  /** Id of the node in the repository. */
  readonly id: string;
  readonly manifests: readonly ManifestRef[];
}

export interface ArrayPagesOf extends ReferencePages {
  readonly path: string;
  /** What references are to: chunks, or shards where the array has them. */
  readonly grid: readonly number[];
  /** On the pages that were loaded. */
  readonly kept: Pick<KeptReferences, "nativeAt" | "checksumAt">;
  /** Pages that cost no request: no manifest covers them. */
  readonly empty: readonly number[];
}

export function arrayPagesOf(
  { node, id, manifests }: SnapshotArray,
  open: OpenManifest,
  configuration: Configuration,
  said: Set<string>,
): ArrayPagesOf {
  const grid = storedGrid(node.metadata);
  const { pages, pageOf, visit } = planPages(grid, manifests);
  let kept: KeptReferences | undefined;
  const rows = { path: node.path, separator: node.metadata.separator, grid, configuration, said };
  return {
    ...MANIFEST,
    path: node.path,
    grid,
    kept: {
      nativeAt: (ordinal) => kept?.nativeAt(ordinal),
      checksumAt: (ordinal) => kept?.checksumAt(ordinal),
    },
    empty: pages.flatMap(({ manifests }, page) => (manifests.length === 0 ? [page] : [])),
    count: pages.length,
    pageOf,
    cellsOf: (page) => pages[page]?.cells ?? 0,
    visit,
    async load(page: number, into: PageSink, context: CallContext): Promise<readonly Finding[]> {
      const planned = pages[page];
      if (planned === undefined || planned.manifests.length === 0) return [];
      const { addRows, keptReferences, readPage } = await import("./load-page.ts");
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
