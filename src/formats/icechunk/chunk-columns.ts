/**
 * The references of one array in one manifest as columns, one row per reference: 16 bytes per row (20 where offsets pass 4 GB,
 * 4 more where there are checksums), and each distinct location, ETag, chunk id and inline chunk once. Locations stay
 * compressed until they are looked at.
 */
import { type BytePool, bytePoolWriter, type BytePoolWriter, type PlainPool } from "#core/byte-pool.ts";
import type { FileName } from "./fault.ts";
import { fieldAt, required, tableIn, uint32Field, uint64Field, vectorField } from "./flat.ts";
import type { Flat, FlatTable, FlatVector } from "./flat.ts";
import type { ArrayManifest, Extents, Manifest } from "./snapshot.ts";
import type { DecompressFrame, Exact } from "./types.ts";

// Virtual chunks as nearly all are written, read without an object for each: there may be tens of millions. Whatever is
// unusual, or not within its file, is left to the reader that says what is wrong (`flat.ts`), as is all that is charged
// to the file's budget once that is used up.

/** The reference that was read last. */
class PlainReference {
  /** Start and number of its coordinates. */
  index = 0;
  count = 0;
  /** Start and bytes of its location. */
  location = 0;
  locationBytes = 0;
  isCompressed = false;
  /** Bytes in the target. */
  offset = 0;
  length = 0;
  /** When the target was last modified, in seconds; 0: not recorded. */
  seconds = 0;
}

interface PlainReferences {
  readonly last: PlainReference;
  /** False: this one is not plain; nothing was charged for it. */
  read(at: number): boolean;
}

/** Places of the fields in a table with this vtable; 0 for fields that it lacks. */
interface Layout {
  readonly vtable: number;
  readonly size: number;
  readonly index: number;
  readonly offset: number;
  readonly length: number;
  readonly location: number;
  readonly isCompressed: boolean;
  readonly seconds: number;
}

/** Lengths from here on are kept apart. */
const PLAIN_REFERENCES_LENGTH_LARGE = 0xffff_ffff;
/** The upper half of numbers that are not exact. */
const HIGH_INEXACT = 0x20_0000;

function plainReferences({ flat, at: refs }: FlatVector): PlainReferences {
  const { view } = flat;
  const end = view.byteLength;
  const last = new PlainReference();
  let layout: Layout | undefined;
  /** Start of a vector, -1 if it is outside the file. */
  const vectorAt = (field: number, size: number): number => {
    const at = field + view.getUint32(field, true);
    return at + 4 <= end && view.getUint32(at, true) * size <= end - at - 4 ? at : -1;
  };
  return {
    last,
    read(reference) {
      const slot = refs + 4 * reference;
      const at = slot + view.getUint32(slot, true);
      if (at + 4 > end) return false;
      const vtable = at - view.getInt32(at, true);
      if (layout?.vtable !== vtable) layout = layoutAt(view, vtable);
      if (layout === undefined || at + layout.size > end) return false;
      const [index, location] = [vectorAt(at + layout.index, 4), vectorAt(at + layout.location, 1)];
      if (index < 0 || location < 0) return false;
      const high = layout.offset === 0 ? 0 : view.getUint32(at + layout.offset + 4, true);
      const long = layout.length === 0 ? 0 : view.getUint32(at + layout.length + 4, true);
      const length = layout.length === 0 ? 0 : view.getUint32(at + layout.length, true);
      if (high >= HIGH_INEXACT || long !== 0 || length === PLAIN_REFERENCES_LENGTH_LARGE) return false;
      const [count, bytes] = [view.getUint32(index, true), view.getUint32(location, true)];
      const cost = layout.size + 4 * count + bytes;
      if (flat.budget < cost) return false;
      flat.budget -= cost;
      last.index = index + 4;
      last.count = count;
      last.location = location + 4;
      last.locationBytes = bytes;
      last.isCompressed = layout.isCompressed;
      last.offset = layout.offset === 0 ? 0 : high * 0x1_0000_0000 + view.getUint32(at + layout.offset, true);
      last.length = length;
      last.seconds = layout.seconds === 0 ? 0 : view.getUint32(at + layout.seconds, true);
      return true;
    },
  };
}

/** Fields by their slots in the format's schema. */
const [INDEX, OFFSET, LENGTH, CHUNK_ID, LOCATION, ETAG, SECONDS, COMPRESSED] = [0, 2, 3, 4, 5, 6, 7, 8] as const;

/** `undefined` for tables that are not plain virtual chunks, or not as they must be. */
function layoutAt(view: DataView, vtable: number): Layout | undefined {
  const end = view.byteLength;
  if (vtable < 0 || vtable + 4 > end) return undefined;
  const [vtableSize, size] = [view.getUint16(vtable, true), view.getUint16(vtable + 2, true)];
  if (vtableSize < 4 || vtable + vtableSize > end || size < 4) return undefined;
  let isSound = true;
  const field = (slot: number, bytes: number): number => {
    const entry = 4 + 2 * slot;
    const offset = entry + 2 > vtableSize ? 0 : view.getUint16(vtable + entry, true);
    if (offset !== 0 && (offset < 4 || offset + bytes > size)) isSound = false;
    return offset;
  };
  const compressed = field(COMPRESSED, 4);
  const location = compressed === 0 ? field(LOCATION, 4) : compressed;
  const rest = {
    index: field(INDEX, 4),
    offset: field(OFFSET, 8),
    length: field(LENGTH, 8),
    seconds: field(SECONDS, 4),
  };
  const isPlain = location !== 0 && rest.index !== 0 && field(CHUNK_ID, 12) === 0 && field(ETAG, 4) === 0;
  return isPlain && isSound ? { vtable, size, location, isCompressed: compressed !== 0, ...rest } : undefined;
}

/** Tags of `entries`. */
export const [ENTRY_LOCATION, ENTRY_COMPRESSED, ENTRY_INLINE, ENTRY_NATIVE, ENTRY_BAD] = [0, 1, 2, 3, 4] as const;
/** Tags of `checksums`. */
export const [CHECKSUM_ETAG, CHECKSUM_SECONDS] = [0, 1] as const;

/** Limit for a decompressed location, as in the official reader. */
export const MAX_LOCATION_BYTES = 1024;

/** Value of the `ordinal` column for a row in `strays`. */
export const ORDINAL_OUTSIDE = 0xffff_ffff;
/** Value of the `length` column for a row in `large`. */
export const LENGTH_LARGE = 0xffff_ffff;

export interface ChunkColumns {
  readonly file: FileName;
  readonly rows: number;
  /** Ordinal of the chunk in the array's grid, C order. */
  readonly ordinal: Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;
  /** Id in `entries`: what the chunk is, and where. */
  readonly entry: Uint32Array<ArrayBuffer>;
  /** Bytes in the target or chunk file; 0 for inline chunks. */
  readonly offset: Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;
  readonly length: Uint32Array<ArrayBuffer>;
  /** Id in `checksums` plus 1, 0 without one; absent where no row has one. */
  readonly checksum: Uint32Array<ArrayBuffer> | undefined;
  readonly entries: PlainPool;
  readonly checksums: BytePool;
  /** Offsets and lengths from 2^53, and lengths from 2^32 - 1, by row. */
  readonly large: ReadonlyMap<number, { readonly offset: Exact; readonly length: Exact }>;
  /** Coordinates that are not in the grid, by row. */
  readonly strays: ReadonlyMap<number, readonly number[]>;
  /** References that were left out, as readers do: their coordinates are not within the extents. */
  readonly outsideExtents: number;
  /** True if every chunk occurs once and in order; otherwise the official reader's binary search may miss some. */
  readonly inOrder: boolean;
  readonly dictionary: Uint8Array | undefined;
  readonly decompressLocation: DecompressFrame | undefined;
  /** Bytes that these columns hold. */
  readonly byteLength: number;
}

/** `grid`: chunks along each dimension. @throws RefscopeError `icechunk-file-damaged` */
export function readChunkColumns(
  manifest: Manifest,
  array: ArrayManifest,
  grid: readonly number[],
  extents: Extents,
): ChunkColumns {
  const filling = newFilling(array.count, grid, extents, manifest.shelf?.writer() ?? bytePoolWriter());
  const plain = plainReferences(array.refs);
  const { flat } = array.refs;
  for (let index = 0; index < array.count; index += 1) {
    if (plain.read(index)) addPlain(filling, flat, plain.last);
    else addReference(filling, tableIn(array.refs, index));
  }
  return finished(filling, manifest);
}

type Filling = ReturnType<typeof newFilling>;

function newFilling(count: number, grid: readonly number[], extents: Extents, entries: BytePoolWriter) {
  const cells = grid.reduce((product, length) => product * length, 1);
  return {
    grid,
    extents,
    ordinal: cells < ORDINAL_OUTSIDE ? new Uint32Array(count) : new Float64Array(count),
    entry: new Uint32Array(count),
    offset: new Float64Array(count),
    length: new Uint32Array(count),
    checksum: undefined as Uint32Array<ArrayBuffer> | undefined,
    entries,
    checksums: bytePoolWriter(),
    large: new Map<number, { readonly offset: Exact; readonly length: Exact }>(),
    strays: new Map<number, readonly number[]>(),
    rows: 0,
    outsideExtents: 0,
    inOrder: true,
    lastOrdinal: -1,
    mostOffset: 0,
  };
}

function addPlain(filling: Filling, flat: Flat, reference: PlainReference): void {
  const { index, count, location, locationBytes, offset, length, seconds } = reference;
  const row = addCell(filling, flat, index, count);
  if (row < 0) return;
  const tag = reference.isCompressed ? ENTRY_COMPRESSED : ENTRY_LOCATION;
  filling.entry[row] = filling.entries.intern(tag, flat.bytes, location, locationBytes);
  filling.offset[row] = offset;
  if (offset > filling.mostOffset) filling.mostOffset = offset;
  filling.length[row] = length;
  if (seconds !== 0) checksumsOf(filling)[row] = 1 + internSeconds(filling, seconds);
}

function addReference(filling: Filling, table: FlatTable): void {
  const index = required(table, "index", vectorField(table, 0, 4, "index"));
  const row = addCell(filling, index.flat, index.at, index.count);
  if (row >= 0) addEntry(filling, row, table);
}

/** The row of a reference by its coordinates; -1 where it is left out. */
function addCell(filling: Filling, flat: Flat, at: number, count: number): number {
  if (!isInside(flat, at, count, filling.extents)) {
    filling.outsideExtents += 1;
    return -1;
  }
  const row = filling.rows;
  filling.rows += 1;
  const ordinal = ordinalOf(flat, at, count, filling.grid);
  if (ordinal < 0) {
    filling.strays.set(row, coordinatesOf(flat, at, count));
    filling.ordinal[row] = ORDINAL_OUTSIDE;
    const rank = rankOutside(flat, at, count, filling.grid);
    if (rank < filling.lastOrdinal) filling.inOrder = false;
    filling.lastOrdinal = rank;
  } else {
    if (ordinal <= filling.lastOrdinal) filling.inOrder = false;
    filling.lastOrdinal = ordinal;
    filling.ordinal[row] = ordinal;
  }
  return row;
}

/** Ordinal in C order, -1 outside the grid. */
function ordinalOf({ view }: Flat, at: number, count: number, grid: readonly number[]): number {
  if (count !== grid.length) return -1;
  let ordinal = 0;
  for (let axis = 0; axis < count; axis += 1) {
    const cell = view.getUint32(at + axis * 4, true);
    const cells = grid[axis] ?? 0;
    if (cell >= cells) return -1;
    ordinal = ordinal * cells + cell;
  }
  return ordinal;
}

/** Place of coordinates outside the grid among ordinals, half a step from those that they stand between. */
function rankOutside({ view }: Flat, at: number, count: number, grid: readonly number[]): number {
  let [rank, end] = [0, false];
  for (const [axis, cells] of grid.entries()) {
    const cell = end || axis >= count ? 0 : view.getUint32(at + axis * 4, true);
    end ||= cell >= cells || axis >= count;
    rank = rank * cells + Math.min(cell, cells);
  }
  return end ? rank - 0.5 : rank + 0.5;
}

function isInside({ view }: Flat, at: number, count: number, extents: Extents): boolean {
  for (let axis = 0; axis < Math.min(count, extents.length); axis += 1) {
    const cell = view.getUint32(at + axis * 4, true);
    const range = extents[axis];
    if (range !== undefined && (cell < range.from || cell >= range.to)) return false;
  }
  return true;
}

function coordinatesOf({ view }: Flat, at: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, axis) => view.getUint32(at + axis * 4, true));
}

/** Which of the fields that say where a chunk is counts: in the order of the official reader. */
function addEntry(filling: Filling, row: number, table: FlatTable): void {
  const chunk = fieldAt(table, 4, 12, "chunk_id");
  if (chunk > 0) {
    setEntry(filling, row, ENTRY_NATIVE, table.flat.bytes, chunk, 12);
    addRange(filling, row, table);
    return;
  }
  const compressed = vectorField(table, 8, 1, "compressed_location");
  const location = compressed ?? vectorField(table, 5, 1, "location");
  if (location !== undefined) {
    const tag = compressed === undefined ? ENTRY_LOCATION : ENTRY_COMPRESSED;
    setEntry(filling, row, tag, table.flat.bytes, location.at, location.count);
    addRange(filling, row, table);
    addChecksum(filling, row, table);
    return;
  }
  const inline = vectorField(table, 1, 1, "inline");
  if (inline === undefined) return setEntry(filling, row, ENTRY_BAD, table.flat.bytes, 0, 0);
  setEntry(filling, row, ENTRY_INLINE, table.flat.bytes, inline.at, inline.count);
  filling.length[row] = inline.count;
}

function setEntry(filling: Filling, row: number, tag: number, bytes: Uint8Array, from: number, length: number): void {
  filling.entry[row] = filling.entries.intern(tag, bytes, from, length);
}

function addRange(filling: Filling, row: number, table: FlatTable): void {
  const offset = uint64Field(table, 2, "offset");
  const length = uint64Field(table, 3, "length");
  const near = Number(offset);
  filling.offset[row] = near;
  if (near > filling.mostOffset) filling.mostOffset = near;
  if (typeof offset === "bigint" || length >= LENGTH_LARGE) filling.large.set(row, { offset, length });
  filling.length[row] = length >= LENGTH_LARGE ? LENGTH_LARGE : Number(length);
}

/** An ETag counts before a time; a time of 0 is none (as in the official reader). */
function addChecksum(filling: Filling, row: number, table: FlatTable): void {
  const etag = vectorField(table, 6, 1, "checksum_etag");
  const seconds = etag === undefined ? uint32Field(table, 7, "checksum_last_modified") : 0;
  if (etag === undefined && seconds === 0) return;
  checksumsOf(filling)[row] = 1 + (etag === undefined ? internSeconds(filling, seconds) : internEtag(filling, etag));
}

function checksumsOf(filling: Filling): Uint32Array<ArrayBuffer> {
  filling.checksum ??= new Uint32Array(filling.entry.length);
  return filling.checksum;
}

function internEtag({ checksums }: Filling, { flat, at, count }: FlatVector): number {
  return checksums.intern(CHECKSUM_ETAG, flat.bytes, at, count);
}

const SECONDS_BYTES = new Uint8Array(4);
const SECONDS_VIEW = new DataView(SECONDS_BYTES.buffer);

function internSeconds({ checksums }: Filling, seconds: number): number {
  SECONDS_VIEW.setUint32(0, seconds, true);
  return checksums.intern(CHECKSUM_SECONDS, SECONDS_BYTES, 0, 4);
}

function finished(filling: Filling, { file, dictionary, decompressLocation }: Manifest): ChunkColumns {
  const { rows, strays, large, outsideExtents, inOrder } = filling;
  const offset = filling.mostOffset < 2 ** 32 ? Uint32Array.from(filling.offset.subarray(0, rows)) : filling.offset;
  const columns = {
    ordinal: rows === filling.ordinal.length ? filling.ordinal : filling.ordinal.slice(0, rows),
    entry: rows === filling.entry.length ? filling.entry : filling.entry.slice(0, rows),
    offset: rows === offset.length ? offset : offset.slice(0, rows),
    length: rows === filling.length.length ? filling.length : filling.length.slice(0, rows),
    checksum: filling.checksum,
    entries: filling.entries.finish(),
    checksums: filling.checksums.finish(),
  };
  const byteLength = Object.values(columns).reduce((sum, column) => sum + (column?.byteLength ?? 0), 0);
  return { ...columns, file, rows, large, strays, outsideExtents, inOrder, dictionary, decompressLocation, byteLength };
}
