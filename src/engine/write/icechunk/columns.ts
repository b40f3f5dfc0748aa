/** References of one array as columns for the writer, in the order of their coordinates. */
import type { CallContext } from "#core/byte-source.ts";
import { bytePoolWriter } from "#core/byte-pool.ts";
import { LENGTH_WHOLE } from "#core/table/reference-table.ts";
import { CHECKSUM_ETAG, CHECKSUM_SECONDS, ENTRY_INLINE, ENTRY_LOCATION, ENTRY_NATIVE, LENGTH_LARGE } from "#formats/icechunk/chunk-columns.ts"; // prettier-ignore
import { idBytes, newId } from "#formats/icechunk/object-id.ts";
import { chunkPath } from "#formats/icechunk/paths.ts";
import type { WrittenColumns } from "#formats/icechunk/write/index.ts";
import { decodeInline } from "#formats/kerchunk-json/index.ts";
import type { Pace } from "#engine/pace.ts";
import type { ArrayIndex } from "#engine/table/array-index.ts";
import { columnsAt, lengthOf } from "#engine/table/batch.ts";
import { fateOf, type IcechunkPlan, type PlannedArray } from "./plan.ts";

export interface OutputFile {
  readonly path: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly references: number;
}

/** Bytes up to which the official library keeps chunks in manifests. */
const MOST_INLINE = 512;

const encoder = new TextEncoder();

/**
 * Files of chunks that are copied come before the columns that name them.
 * @throws RefscopeError where a chunk that is to be copied cannot be read
 */
export async function* columnsOf(
  plan: IcechunkPlan,
  { grid }: PlannedArray,
  path: string,
  index: ArrayIndex,
  pace: Pace,
  context: CallContext,
): AsyncGenerator<OutputFile, WrittenColumns> {
  const most = index.rows.subarray(0, index.listed).reduce((count, row) => count + Number(row > 0), 0);
  const filling = newFilling(plan, path, most);
  for (let at = 0; at < index.listed; at += 1) {
    const row = (index.rows[at] ?? 0) - 1;
    if (at % 4096 === 0) await pace.yieldIfDue(at);
    if (row < 0 || row >= plan.table.rows) continue;
    const fate = fateOf(plan, row);
    filling.ordinal[filling.rows] = index.ordinals?.[at] ?? at;
    if (fate === "inline") addInline(filling, row);
    else if (fate === "virtual") addVirtual(filling, row);
    else if (fate === "copied") {
      const file = await addCopied(filling, row, context);
      if (file !== undefined) yield file;
    }
  }
  return finished(filling, grid);
}

type Filling = ReturnType<typeof newFilling>;

function newFilling(plan: IcechunkPlan, path: string, most: number) {
  return {
    plan,
    path,
    rows: 0,
    ordinal: new Float64Array(most),
    entry: new Uint32Array(most),
    offset: new Float64Array(most),
    length: new Uint32Array(most),
    large: new Map<number, { readonly offset: number; readonly length: number }>(),
    checksums: checksumColumn(most),
    /** Entries of this array alone; their ids follow those of all targets. */
    own: new Array<{ readonly tag: number; readonly bytes: () => Uint8Array }>(),
  };
}

function addOwn(filling: Filling, tag: number, bytes: () => Uint8Array): void {
  filling.entry[filling.rows] = filling.plan.locations.length + filling.own.length;
  filling.own.push({ tag, bytes });
  filling.rows += 1;
}

function addInline(filling: Filling, row: number): void {
  const { table } = filling.plan;
  const { offset, length } = columnsAt(table, row);
  addOwn(filling, ENTRY_INLINE, () => decodeInline(table.inline.slice(offset, length)).bytes);
}

function setRange({ rows, offset, length, large }: Filling, from: number, size: number): void {
  offset[rows] = from;
  length[rows] = Math.min(size, LENGTH_LARGE);
  if (size >= LENGTH_LARGE) large.set(rows, { offset: from, length: size });
}

function addVirtual(filling: Filling, row: number): void {
  const { plan, path, rows, checksums } = filling;
  const { target, offset, length } = columnsAt(plan.table, row);
  const source = length === LENGTH_WHOLE ? plan.sources.get(target) : undefined;
  if (length === LENGTH_WHOLE) setRange(filling, 0, source?.size ?? 0);
  else setRange(filling, offset, lengthOf(plan.table, row, target, length));
  const recorded = plan.set.recorded?.checksumAt(path, filling.ordinal[rows] ?? 0);
  const seconds = source?.seconds;
  checksums.set(rows, recorded ?? (seconds === undefined ? undefined : { kind: "last-modified", seconds }));
  filling.entry[rows] = target;
  filling.rows += 1;
}

/** The chunk's file, unless it is kept in the manifest. */
async function addCopied(filling: Filling, row: number, context: CallContext): Promise<OutputFile | undefined> {
  const { set, table, targetsHere } = filling.plan;
  const { target, offset, length } = columnsAt(table, row);
  const range = length === LENGTH_WHOLE ? undefined : { offset, length: lengthOf(table, row, target, length) };
  const { bytes } = await set.targets.read(set.targets.resolve(targetsHere.text(target)), range, context);
  if (bytes.length <= MOST_INLINE) {
    if (bytes.length > 0) addOwn(filling, ENTRY_INLINE, () => bytes);
    return undefined;
  }
  const id = newId(12);
  setRange(filling, 0, bytes.length);
  addOwn(filling, ENTRY_NATIVE, () => idBytes(id));
  return { path: chunkPath(id), bytes, references: 0 };
}

function finished(filling: Filling, grid: readonly number[]): WrittenColumns {
  const { plan, rows, ordinal, entry, offset, length, large, checksums, own } = filling;
  const { locations } = plan;
  const first = locations.length;
  const location = (id: number) => encoder.encode(locations[id]?.kind === "url" ? locations[id].url : "");
  const entries = {
    count: first + own.length,
    tag: (id: number) => (id < first ? ENTRY_LOCATION : (own[id - first]?.tag ?? ENTRY_INLINE)),
    bytes: (id: number) => (id < first ? location(id) : (own[id - first]?.bytes() ?? new Uint8Array(0))),
  };
  return { rows, grid, ordinal, entry, offset, length, large, entries, ...checksums.finish() };
}

type Checksum =
  | { readonly kind: "etag"; readonly etag: string }
  | { readonly kind: "last-modified"; readonly seconds: number };

function checksumColumn(rows: number) {
  const pool = bytePoolWriter();
  let column: Uint32Array<ArrayBuffer> | undefined;
  return {
    set(row: number, checksum: Checksum | undefined): void {
      if (checksum === undefined) return;
      const isTag = checksum.kind === "etag";
      const bytes = isTag ? encoder.encode(checksum.etag) : new Uint8Array(Uint32Array.of(checksum.seconds).buffer);
      column ??= new Uint32Array(rows);
      column[row] = 1 + pool.intern(isTag ? CHECKSUM_ETAG : CHECKSUM_SECONDS, bytes, 0, bytes.length);
    },
    finish: () => ({ checksum: column, checksums: pool.finish() }),
  };
}
