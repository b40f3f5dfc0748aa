/** The references of one array, manifest by manifest: columns as the format's reader gives them, and where a chunk is. */
import type { CallContext } from "../../core/byte-source.ts";
import {
  checksumAt,
  kindOf,
  ORDINAL_OUTSIDE,
  readChunkColumns,
  referenceAt,
  type Checksum,
  type ChunkColumns,
  type ChunkReference,
  type ManifestRef,
} from "../../formats/icechunk/index.ts";
import type { OpenManifest } from "./manifest-cache.ts";
import type { PlannedPage } from "./page-plan.ts";

/** A page's references; of a chunk that comes twice only the first counts. */
export interface PageReferences {
  /** In the order in which they count. */
  readonly columns: readonly ChunkColumns[];
  /** Rows that count, in each of `columns`; a row of a chunk outside the grid is among them. */
  eachRow(see: (columns: ChunkColumns, row: number) => void): void;
}

export interface PageOfArray {
  /** Id of the array's node. */
  readonly node: string;
  readonly grid: readonly number[];
  readonly page: PlannedPage;
}

/** Throws what opening manifests throws: then nothing of the page is known. */
export async function readPage(of: PageOfArray, open: OpenManifest, context: CallContext): Promise<PageReferences> {
  const columns: ChunkColumns[] = [];
  for (const manifest of of.page.manifests) {
    const read = await readManifestOf(of, manifest, open, context);
    if (read !== undefined) columns.push(read);
  }
  const mayRepeat = columns.length > 1 || columns.some(({ inOrder }) => !inOrder);
  return {
    columns,
    eachRow(see) {
      const seen = mayRepeat ? new Set<number>() : undefined;
      for (const each of columns) {
        for (let row = 0; row < each.rows; row += 1) {
          const ordinal = each.ordinal[row] ?? ORDINAL_OUTSIDE;
          if (seen?.has(ordinal) === true && !each.strays.has(row)) continue;
          seen?.add(ordinal);
          see(each, row);
        }
      }
    },
  };
}

async function readManifestOf(
  { node, grid }: PageOfArray,
  { id, extents }: ManifestRef,
  open: OpenManifest,
  context: CallContext,
): Promise<ChunkColumns | undefined> {
  const manifest = await open(id, context);
  const array = manifest.arrays.find((candidate) => candidate.node === node);
  return array === undefined ? undefined : readChunkColumns(manifest, array, grid, extents);
}

/** What the rows of the engine's table do not say of chunks: chunk files, and checksums. */
export interface KeptReferences {
  keep(page: PageReferences): void;
  /** Of a native chunk; `undefined` for every other. */
  nativeAt(ordinal: number): Extract<ChunkReference, { kind: "native" }> | undefined;
  /** Of a virtual chunk; `undefined` where none was recorded. */
  checksumAt(ordinal: number): Checksum | undefined;
}

export function keptReferences(): KeptReferences {
  const kept: { readonly columns: ChunkColumns; readonly find: (ordinal: number) => number }[] = [];
  const at = <T>(ordinal: number, look: (columns: ChunkColumns, row: number) => T): T | undefined => {
    for (const { columns, find } of kept) {
      const row = find(ordinal);
      if (row >= 0) return look(columns, row);
    }
    return undefined;
  };
  return {
    keep({ columns }) {
      if (!columns.some(saysMore)) return;
      for (const each of columns) kept.push({ columns: each, find: rowFinder(each) });
    },
    nativeAt: (ordinal) =>
      at(ordinal, (columns, row) => {
        const reference = kindOf(columns, row) === "native" ? referenceAt(columns, row) : undefined;
        return reference?.kind === "native" ? reference : undefined;
      }),
    checksumAt: (ordinal) =>
      at(ordinal, (columns, row) => (kindOf(columns, row) === "virtual" ? checksumAt(columns, row) : undefined)),
  };
}

/** All of a page is kept where one chunk of it needs it: of two manifests that hold a chunk the first must be seen. */
function saysMore(columns: ChunkColumns): boolean {
  if (columns.checksum !== undefined) return true;
  for (let row = 0; row < columns.rows; row += 1) if (kindOf(columns, row) === "native") return true;
  return false;
}

/** First row of a chunk, or -1. */
function rowFinder({ ordinal, rows, inOrder, strays }: ChunkColumns): (ordinal: number) => number {
  if (inOrder && strays.size === 0) return (wanted) => searched(ordinal, rows, wanted);
  let byOrdinal: Map<number, number> | undefined;
  return (wanted) => {
    if (byOrdinal === undefined) {
      byOrdinal = new Map();
      for (let row = rows - 1; row >= 0; row -= 1) if (!strays.has(row)) byOrdinal.set(ordinal[row] ?? -1, row);
    }
    return byOrdinal.get(wanted) ?? -1;
  };
}

function searched(ordinal: ChunkColumns["ordinal"], rows: number, wanted: number): number {
  let [from, to] = [0, rows];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if ((ordinal[middle] ?? 0) < wanted) from = middle + 1;
    else to = middle;
  }
  return ordinal[from] === wanted && from < rows ? from : -1;
}
