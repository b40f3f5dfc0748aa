/**
 * Columns for facts of chunks that the engine's table lacks: chunk files, and checksums. A page's rows follow each
 * other in the table, which has their ordinals and lengths; here are columns beside them, only where they are needed.
 */
import { BLOCK_ROWS, type ReferenceTable, TARGET_NATIVE } from "#core/table/reference-table.ts";
import { objectId } from "#formats/icechunk/index.ts";
import {
  type BytePool,
  bytePoolWriter,
  type BytePoolWriter,
  type Checksum,
  checksumOf,
  type ChunkColumns,
  ENTRY_NATIVE,
  kindOf,
  rangeAt,
  settledPool,
} from "#formats/icechunk/references.ts";
import { firstPlace } from "#core/basics.ts";
import { blockOf, lengthOf, ordinalOfRow } from "../table/batch.ts";
import type { PageReferences } from "./array-references.ts";

export interface NativeChunk {
  readonly chunk: string;
  /** Range in the chunk file; bytes. */
  readonly offset: number;
  readonly length: number;
}

/** The page's rows in the table: from `first` on, in the order of `PageReferences.eachRow`. */
export interface PageRows {
  readonly table: ReferenceTable;
  readonly first: number;
  readonly count: number;
}

export type KeptReferences = ReturnType<typeof keptReferences>;

/** `pageOf`: as in `ReferencePages`. */
export function keptReferences(pageOf: (ordinal: number) => number) {
  const pages = new Map<number, KeptPage>();
  const at = <T>(ordinal: number, look: (page: KeptPage, index: number) => T): T | undefined => {
    const page = pages.get(pageOf(ordinal));
    if (page === undefined) return undefined;
    const index = indexOf(page, ordinal);
    return index < 0 ? undefined : look(page, index);
  };
  return {
    /** Bytes that are kept of the page. */
    keep(page: number, references: PageReferences, rows: PageRows): number {
      const kept = keptPage(references, rows);
      if (kept !== undefined) pages.set(page, kept);
      return kept?.byteLength ?? 0;
    },
    /** `undefined` unless the chunk is native. */
    nativeAt: (ordinal: number): NativeChunk | undefined => at(ordinal, nativeOf),
    /** The same by the row of the table, for chunks that have no ordinal. */
    nativeInRow(row: number): NativeChunk | undefined {
      for (const page of pages.values()) {
        const index = row - page.rows.first;
        if (index >= 0 && index < page.rows.count) return nativeOf(page, index);
      }
      return undefined;
    },
    /** Virtual chunks only; `undefined` where none was recorded. @throws RefscopeError `icechunk-file-damaged`: not text */
    checksumAt: (ordinal: number): Checksum | undefined =>
      at(ordinal, ({ ids, pool, file }, index) => {
        const id = ids.at(index) - 1;
        return id < 0 || pool.tag(id) === TAG_CHUNK ? undefined : checksumOf(pool, id, file);
      }),
    /** True if any virtual chunk has a checksum. */
    hasChecksums: (): boolean => [...pages.values()].some(({ hasChecksums }) => hasChecksums),
  };
}

interface KeptPage {
  readonly rows: PageRows;
  /** Indexes of the rows by their ordinals; absent where they are in order. */
  readonly order: Uint32Array | undefined;
  /** Id in `pool` plus 1: of a native chunk its file, of a virtual one its checksum; 0 without. */
  readonly ids: SmallNumbers;
  readonly pool: BytePool;
  /** Native chunks only. */
  readonly offsets: SmallNumbers;
  /** For messages. */
  readonly file: ChunkColumns["file"];
  readonly byteLength: number;
  readonly hasChecksums: boolean;
}

/** Tag of chunk files in the pool, beside those of checksums. */
const TAG_CHUNK = 255;
/** An estimate: the objects of a page. */
const PAGE_BYTES = 512;

/** `undefined`: no row has more than the table says. */
function keptPage(references: PageReferences, rows: PageRows): KeptPage | undefined {
  if (references.columns.every((columns) => columns.checksum === undefined && !hasNative(columns))) return undefined;
  const writer = bytePoolWriter();
  const ids = new Float64Array(rows.count);
  const offsets = new Float64Array(rows.count);
  let index = 0;
  references.eachRow((columns, row) => {
    const isNative = kindOf(columns, row) === "native";
    ids[index] = isNative ? internChunk(writer, columns, row) : internChecksum(writer, columns, row);
    offsets[index] = isNative ? Number(rangeAt(columns, row).offset) : 0;
    index += 1;
  });
  const [first] = references.columns;
  const pool = settledPool(writer.finish());
  if (first === undefined || pool.count === 0) return undefined;
  const parts = { ids: smallNumbers(ids), offsets: smallNumbers(offsets), pool };
  const order = references.inOrder ? undefined : sortedRows(rows);
  const held = [parts.ids, parts.offsets, pool, order].reduce((sum, part) => sum + (part?.byteLength ?? 0), 0);
  const hasChecksums = references.columns.some(({ checksum }) => checksum !== undefined);
  return { ...parts, rows, order, file: first.file, byteLength: held + PAGE_BYTES, hasChecksums };
}

function hasNative({ entries }: ChunkColumns): boolean {
  for (let id = 0; id < entries.count; id += 1) if (entries.tag(id) === ENTRY_NATIVE) return true;
  return false;
}

function internChunk(writer: BytePoolWriter, { entries, entry }: ChunkColumns, row: number): number {
  const chunk = entries.bytes(entry[row] ?? 0);
  return 1 + writer.intern(TAG_CHUNK, chunk, 0, chunk.length);
}

function internChecksum(writer: BytePoolWriter, { checksum, checksums }: ChunkColumns, row: number): number {
  const id = (checksum?.[row] ?? 0) - 1;
  if (id < 0) return 0;
  const bytes = checksums.bytes(id);
  return 1 + writer.intern(checksums.tag(id), bytes, 0, bytes.length);
}

function nativeOf({ rows: { table, first }, ids, pool, offsets }: KeptPage, index: number): NativeChunk | undefined {
  const id = ids.at(index) - 1;
  const [block, at] = [blockOf(table, first + index), (first + index) % BLOCK_ROWS];
  // A native chunk whose range cannot be read is a bad row.
  if (id < 0 || pool.tag(id) !== TAG_CHUNK || block.target[at] !== TARGET_NATIVE) return undefined;
  const length = lengthOf(table, first + index, TARGET_NATIVE, block.length[at] ?? 0);
  return { chunk: objectId(pool.bytes(id), 0, 12), offset: offsets.at(index), length };
}

/** Indexes of the page's rows by their ordinals; those of stray keys come first. */
function sortedRows({ table, first, count }: PageRows): Uint32Array {
  const ordinal = (index: number): number => ordinalOfRow(table, first + index);
  return Uint32Array.from({ length: count }, (_, index) => index).sort((a, b) => ordinal(a) - ordinal(b));
}

/** Index of a chunk's row among the page's, -1 where it has none. */
function indexOf({ rows: { table, first, count }, order }: KeptPage, wanted: number): number {
  const indexAt = (at: number): number => (order === undefined ? at : (order[at] ?? 0));
  const from = firstPlace(0, count, (at) => ordinalOfRow(table, first + indexAt(at)) < wanted);
  const index = indexAt(from);
  return from < count && ordinalOfRow(table, first + index) === wanted ? index : -1;
}

// Whole numbers from 0 to 2^53 - 1 in as few bytes as their spread needs: none where they are equal, or count upwards.

interface SmallNumbers {
  at(index: number): number;
  readonly byteLength: number;
}

export function smallNumbers(numbers: Float64Array): SmallNumbers {
  const first = numbers[0] ?? 0;
  if (numbers.every((number) => number === first)) return { at: () => first, byteLength: 0 };
  if (numbers.every((number, index) => number === first + index))
    return { at: (index) => first + index, byteLength: 0 };
  const least = numbers.reduce((one, other) => Math.min(one, other), first);
  const most = numbers.reduce((one, other) => Math.max(one, other), first);
  const column = columnFor(most - least, numbers.length);
  for (const [index, number] of numbers.entries()) column[index] = number - least;
  return { at: (index) => least + (column[index] ?? 0), byteLength: column.byteLength };
}

function columnFor(spread: number, length: number): Uint8Array | Uint16Array | Uint32Array | Float64Array {
  if (spread < 2 ** 8) return new Uint8Array(length);
  if (spread < 2 ** 16) return new Uint16Array(length);
  return spread < 2 ** 32 ? new Uint32Array(length) : new Float64Array(length);
}
