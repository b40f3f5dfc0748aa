/** The references of one page of an array, manifest by manifest: columns as the format's reader gives them. */
import type { CallContext } from "#core/byte-source.ts";
import { failure, targetAt } from "#core/findings/finding.ts";
import { manifestPath, type ManifestRef } from "#formats/icechunk/index.ts";
import { ORDINAL_OUTSIDE, readChunkColumns, type ChunkColumns } from "#formats/icechunk/references.ts";
import type { OpenManifest } from "./manifest-cache.ts";
import type { PlannedPage } from "./page-plan.ts";

/** A page's references; of a chunk that comes twice only the first counts. */
export interface PageReferences {
  /** Columns in the order of precedence. */
  readonly columns: readonly ChunkColumns[];
  /** True if the rows that `eachRow` gives are in C order, without any outside the grid. */
  readonly inOrder: boolean;
  /** Rows that count, in each of `columns`; a row of a chunk outside the grid is among them. */
  eachRow(see: (columns: ChunkColumns, row: number) => void): void;
}

export interface PageOfArray {
  /** Id of the array's node. */
  readonly node: string;
  readonly grid: readonly number[];
  readonly page: PlannedPage;
}

/** Throws what `manifestColumns` throws: then nothing of the page is known. */
export async function readPage(
  { node, grid, page }: PageOfArray,
  open: OpenManifest,
  context: CallContext,
): Promise<PageReferences> {
  const columns = await manifestColumns({ node, grid, manifests: page.manifests }, open, context);
  const mayRepeat = columns.length > 1 || columns.some(({ inOrder }) => !inOrder);
  return {
    columns,
    inOrder: !mayRepeat && columns.every(({ strays }) => strays.size === 0),
    eachRow(see) {
      const seen = mayRepeat ? new Set<number>() : undefined;
      for (const each of columns) {
        for (let row = 0; row < each.rows; row += 1) {
          const ordinal = each.ordinal[row] ?? ORDINAL_OUTSIDE;
          if (seen !== undefined && !each.strays.has(row)) {
            if (seen.has(ordinal)) continue;
            seen.add(ordinal);
          }
          see(each, row);
        }
      }
    },
  };
}

export interface ManifestsOfArray {
  /** Id of the array's node. */
  readonly node: string;
  readonly grid: readonly number[];
  /** Manifests in the order of precedence. */
  readonly manifests: readonly ManifestRef[];
}

/** References that are looked through for chunks that come twice: more do not fit a Set. */
const MAX_TOGETHER = 2 ** 24 - 1;

/**
 * The references of an array in manifests that have any.
 * @throws RefscopeError `icechunk-references-too-many`, and what opening manifests throws
 */
export async function manifestColumns(
  { node, grid, manifests }: ManifestsOfArray,
  open: OpenManifest,
  context: CallContext,
  most = MAX_TOGETHER,
): Promise<readonly ChunkColumns[]> {
  const columns: ChunkColumns[] = [];
  let rows = 0;
  for (const { id, extents } of distinctRefs(manifests)) {
    const manifest = await open(id, context, node);
    const array = manifest.arrays.find((candidate) => candidate.node === node);
    if (array === undefined) continue;
    const read = readChunkColumns(manifest, array, grid, extents);
    columns.push(read);
    rows += read.rows;
    if (rows > most && (columns.length > 1 || !read.inOrder))
      throw failure("icechunk-references-too-many", targetAt(manifestPath(id)), { rows, limit: most });
  }
  return columns;
}

/** A manifest that comes again with the same extents says nothing new. */
function distinctRefs(manifests: readonly ManifestRef[]): readonly ManifestRef[] {
  if (manifests.length < 2) return manifests;
  const seen = new Set<string>();
  return manifests.filter(({ id, extents }) => seen.size < seen.add(`${id} ${JSON.stringify(extents)}`).size);
}
