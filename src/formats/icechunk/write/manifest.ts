/**
 * Manifests of one array each, in pieces: all parts have places that are known beforehand, so that nothing is held but
 * columns and compressed pieces. Locations, ETags and inline chunks lie in the file once each, which is shorter than
 * compressing every location against a dictionary (measured; the files are half as large before compression).
 */
import { CHECKSUM_ETAG, type ChunkColumns, ENTRY_INLINE, ENTRY_LOCATION, ENTRY_NATIVE, LENGTH_LARGE } from "../chunk-columns.ts"; // prettier-ignore
import { cellCount } from "#core/metadata/chunk-grid.ts";
import { idBytes } from "../object-id.ts";
import type { Extents } from "../snapshot.ts";
import { type CompressFrame, icechunkFile } from "./file.ts";
import { flatBuffer, idOf, part, table, tables } from "./flat-builder.ts";

/** References of an array, in ascending order of their ordinals. */
export interface WrittenColumns extends Pick<
  ChunkColumns,
  "rows" | "ordinal" | "entry" | "offset" | "length" | "large"
> {
  /** Chunks along each dimension. */
  readonly grid: readonly number[];
  /** Locations, ids of native chunks, and inline bytes: tags of `chunk-columns.ts`, none compressed. */
  readonly entries: Entries;
  readonly checksum: ChunkColumns["checksum"];
  readonly checksums: Omit<Entries, "count">;
}

interface Entries {
  readonly count: number;
  tag(id: number): number;
  bytes(id: number): Uint8Array;
}

export interface WrittenManifest {
  readonly id: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly references: number;
  readonly extents: Extents;
}

/** The official library has one manifest an array by default; FlatBuffers end at 2 GB, and what is read at once is held. */
export const MOST_REFERENCES = 4_000_000;
/** Bytes of locations and inline chunks in one manifest. */
const MOST_POOLED = 2 ** 29;

/** @throws RangeError for an entry of another tag */
export async function* writeManifests(
  node: string,
  columns: WrittenColumns,
  newManifestId: () => string,
  compress?: CompressFrame,
  most = MOST_REFERENCES,
): AsyncGenerator<WrittenManifest> {
  for (let from = 0; from < columns.rows;) {
    const planned = plan(columns, from, most);
    const id = newManifestId();
    const bytes = await icechunkFile("manifest", content(id, node, columns, planned), compress);
    yield { id, bytes, references: planned.to - from, extents: extentsOf(columns, from, planned.to) };
    from = planned.to;
  }
}

interface Plan {
  readonly from: number;
  readonly to: number;
  /** Bytes of all rows. */
  readonly rowBytes: number;
  /** Place of each entry and ETag after the rows, plus 1; 0: not used in this manifest. */
  readonly placed: Uint32Array;
  readonly placedEtags: Map<number, number>;
  readonly pool: readonly Pooled[];
}

interface Pooled {
  readonly id: number;
  readonly of: "entries" | "checksums";
}

/** Bytes of a row's table by the tag of its entry; coordinates follow. */
const TABLE_BYTES = new Map<number, number>([
  [ENTRY_LOCATION, 32],
  [ENTRY_NATIVE, 40],
  [ENTRY_INLINE, 16],
]);

export const aligned = (bytes: number, to: number): number => Math.ceil(bytes / to) * to;

/** Chunks that begin with the same coordinates, as many as fit, are one manifest: its extents are then a box. */
function plan(columns: WrittenColumns, from: number, most: number): Plan {
  const { entry, entries, checksum, checksums, grid } = columns;
  const index = aligned(4 + 4 * grid.length, 8);
  const placed = new Uint32Array(entries.count);
  const placedEtags = new Map<number, number>();
  const pool: Pooled[] = [];
  let [rowBytes, poolBytes] = [0, 0];
  const to = boxEnd(columns, from, most);
  for (let row = from; row < to; row += 1) {
    if (poolBytes > MOST_POOLED && row - from > 1) return plan(columns, from, row - from - 1);
    const id = entry[row] ?? 0;
    const tag = entries.tag(id);
    const bytes = TABLE_BYTES.get(tag);
    if (bytes === undefined) throw new RangeError(`entry ${id} has tag ${tag}`);
    rowBytes += bytes + index;
    if (tag !== ENTRY_NATIVE && placed[id] === 0) {
      placed[id] = poolBytes + 1;
      poolBytes += pooledBytes(entries.bytes(id));
      pool.push({ id, of: "entries" });
    }
    const sum = (checksum?.[row] ?? 0) - 1;
    if (sum >= 0 && checksums.tag(sum) === CHECKSUM_ETAG && !placedEtags.has(sum)) {
      placedEtags.set(sum, poolBytes);
      poolBytes += pooledBytes(checksums.bytes(sum));
      pool.push({ id: sum, of: "checksums" });
    }
  }
  return { from, to, rowBytes, placed, placedEtags, pool };
}

/** With the zero byte after texts. */
const pooledBytes = (bytes: Uint8Array): number => aligned(4 + bytes.length + 1, 4);

/**
 * End of a run of rows from `from` on, of at most `most`, that are all references of a box of the grid: a chunk is within
 * the extents of one manifest only.
 */
function boxEnd({ rows, ordinal, grid }: WrittenColumns, from: number, most: number): number {
  let outer = cellCount(grid);
  const group = (row: number, cells: number) => Math.floor((ordinal[row] ?? 0) / cells);
  for (const cells of grid) {
    const [whole, inner] = [outer, outer / cells];
    outer = inner;
    // A part of it is in another manifest already.
    if (from > 0 && group(from - 1, inner) === group(from, inner)) continue;
    let [to, end] = [from, from];
    for (; to < rows && to - from <= most && group(to, whole) === group(from, whole); to += 1)
      if (group(to, inner) !== group(to - 1, inner)) end = to;
    if (to - from <= most) return to;
    if (end > from) return end;
  }
  return Math.min(rows, from + 1);
}

/** Extents of the references along each dimension. */
function extentsOf({ ordinal, grid }: WrittenColumns, from: number, to: number): Extents {
  const [low, high] = [grid.map(() => Infinity), grid.map(() => 0)];
  for (let row = from; row < to; row += 1) {
    let rest = ordinal[row] ?? 0;
    for (let axis = grid.length - 1; axis >= 0; axis -= 1) {
      const cells = grid[axis] ?? 1;
      const at = rest % cells;
      rest = (rest - at) / cells;
      if (at < (low[axis] ?? 0)) low[axis] = at;
      if (at >= (high[axis] ?? 0)) high[axis] = at + 1;
    }
  }
  return low.map((start, axis) => ({ from: start, to: high[axis] ?? 0 }));
}

/** Bytes. */
const PIECE = 4 << 20;

/** Bytes in order, in pieces; each is its caller's, who may keep it. */
export function pieceWriter() {
  let bytes = new Uint8Array(PIECE);
  const out = {
    view: new DataView(bytes.buffer),
    bytes,
    /** Place of the next byte. */
    at: 0,
    /** Place of the piece's first byte in all of them. */
    start: 0,
    /** The full piece, where `length` more bytes have no room in it: to be handed on. */
    full(length: number): readonly Uint8Array[] {
      if (out.at + length <= bytes.length) return [];
      const piece = bytes.subarray(0, out.at);
      out.start += out.at;
      out.bytes = bytes = new Uint8Array(Math.max(PIECE, length));
      out.view = new DataView(bytes.buffer);
      out.at = 0;
      return [piece];
    },
    rest: (): Uint8Array => bytes.subarray(0, out.at),
  };
  return out;
}

// Slots of a reference, and where its table has them: a location with the time of its source, or with its ETag, a native
// chunk, inline bytes.
const [INDEX, INLINE, OFFSET, LENGTH, CHUNK, LOCATION, ETAG, SECONDS] = [0, 1, 2, 3, 4, 5, 6, 7] as const;
const LAYOUTS = [
  { size: 32, places: [[INDEX, 4], [LOCATION, 8], [SECONDS, 12], [OFFSET, 16], [LENGTH, 24]] },
  { size: 32, places: [[INDEX, 4], [LOCATION, 8], [ETAG, 12], [OFFSET, 16], [LENGTH, 24]] },
  { size: 40, places: [[INDEX, 4], [CHUNK, 8], [OFFSET, 24], [LENGTH, 32]] },
  { size: 16, places: [[INDEX, 4], [INLINE, 8]] },
] as const; // prettier-ignore
const VTABLE = 24;

function* content(id: string, node: string, columns: WrittenColumns, planned: Plan): Generator<Uint8Array> {
  const { from, to } = planned;
  const head = flatBuffer(table(idOf(idBytes(id)), tables([table(idOf(idBytes(node)), part({ beyond: 0 }))])));
  const out = pieceWriter();
  out.bytes.set(head);
  out.at = head.length + 4;
  out.view.setUint32(head.length, to - from, true);
  const vtables = aligned(head.length + 4 + 4 * (to - from), 8);
  const rows = vtables + LAYOUTS.length * VTABLE;
  yield* writeOffsets(out, columns, planned, rows);
  yield* out.full(8 + LAYOUTS.length * VTABLE);
  out.at = vtables - out.start;
  writeVtables(out);
  yield* writeRows(out, columns, planned, { vtables, pool: rows + planned.rowBytes });
  yield* writePool(out, columns, planned);
  yield out.rest();
}

type Out = ReturnType<typeof pieceWriter>;

function* writeOffsets(out: Out, { entry, entries, grid }: WrittenColumns, { from, to }: Plan, rows: number) {
  const index = aligned(4 + 4 * grid.length, 8);
  for (let [row, at] = [from, rows]; row < to; row += 1) {
    yield* out.full(4);
    out.view.setUint32(out.at, at - out.start - out.at, true);
    out.at += 4;
    at += (TABLE_BYTES.get(entries.tag(entry[row] ?? 0)) ?? 0) + index;
  }
}

function writeVtables(out: Out): void {
  for (const { size, places } of LAYOUTS) {
    out.view.setUint16(out.at, 4 + 2 * (SECONDS + 1), true);
    out.view.setUint16(out.at + 2, size, true);
    for (const [slot, place] of places) out.view.setUint16(out.at + 4 + 2 * slot, place, true);
    out.at += VTABLE;
  }
}

interface Places {
  readonly vtables: number;
  readonly pool: number;
}

function* writeRows(out: Out, columns: WrittenColumns, planned: Plan, places: Places): Generator<Uint8Array> {
  const { ordinal, grid } = columns;
  const rank = grid.length;
  const most = 40 + aligned(4 + 4 * rank, 8);
  for (let row = planned.from; row < planned.to; row += 1) {
    yield* out.full(most);
    const { view } = out;
    const size = writeTable(out, columns, planned, places, row);
    view.setUint32(out.at + 4, size - 4, true);
    const index = out.at + size;
    view.setUint32(index, rank, true);
    let rest = ordinal[row] ?? 0;
    for (let axis = rank - 1; axis >= 0; axis -= 1) {
      const cells = grid[axis] ?? 1;
      const at = rest % cells;
      view.setUint32(index + 4 + 4 * axis, at, true);
      rest = (rest - at) / cells;
    }
    out.at = index + aligned(4 + 4 * rank, 8);
  }
}

/** Bytes of the table, which begins where the next byte goes. */
function writeTable(out: Out, columns: WrittenColumns, planned: Plan, { vtables, pool }: Places, row: number): number {
  const { view, at } = out;
  const { entries, checksums } = columns;
  const id = columns.entry[row] ?? 0;
  const tag = entries.tag(id);
  const sum = (columns.checksum?.[row] ?? 0) - 1;
  const etag = sum < 0 ? undefined : planned.placedEtags.get(sum);
  const layout = tag === ENTRY_LOCATION ? Number(etag !== undefined) : tag === ENTRY_NATIVE ? 2 : 3;
  view.setInt32(at, out.start + at - (vtables + layout * VTABLE), true);
  const toPool = (place: number, pooled: number) =>
    view.setUint32(at + place, pool + pooled - (out.start + at + place), true);
  if (tag !== ENTRY_NATIVE) toPool(8, (planned.placed[id] ?? 1) - 1);
  if (tag === ENTRY_INLINE) return 16;
  if (tag === ENTRY_NATIVE) {
    out.bytes.set(entries.bytes(id), at + 8);
    writeRange(view, at + 24, columns, row);
    return 40;
  }
  if (etag !== undefined) toPool(12, etag);
  else if (sum >= 0) out.bytes.set(checksums.bytes(sum), at + 12);
  writeRange(view, at + 16, columns, row);
  return 32;
}

const UPPER = 2 ** 32;

function writeRange(view: DataView, at: number, { offset, length, large }: WrittenColumns, row: number): void {
  const bytes = length[row] ?? 0;
  const exact = bytes === LENGTH_LARGE ? large.get(row) : undefined;
  const start = exact?.offset ?? offset[row] ?? 0;
  writeWide(view, at, start);
  writeWide(view, at + 8, exact?.length ?? bytes);
}

function writeWide(view: DataView, at: number, value: number | bigint): void {
  if (typeof value === "bigint") return view.setBigUint64(at, value, true);
  view.setUint32(at, value % UPPER, true);
  view.setUint32(at + 4, Math.floor(value / UPPER), true);
}

function* writePool(out: Out, columns: WrittenColumns, { pool }: Plan): Generator<Uint8Array> {
  for (const { id, of } of pool) {
    const bytes = columns[of].bytes(id);
    const size = pooledBytes(bytes);
    yield* out.full(size);
    out.view.setUint32(out.at, bytes.length, true);
    out.bytes.set(bytes, out.at + 4);
    out.at += size;
  }
}
