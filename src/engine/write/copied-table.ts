/** A set's references in a table of their own, where some must become others: objects of a store, shards, what is inlined. */
import type { CallContext } from "../../core/byte-source.ts";
import { isAbort } from "../../core/errors.ts";
import { addressOf, type Resolution } from "../../core/location.ts";
import { cellCount, chunkKey, coordinatesOf } from "../../core/metadata/chunk-grid.ts";
import { ARRAY_NONE, type ReferenceTable, type StrayKey, TARGET_INLINE } from "../../core/table/reference-table.ts";
import type { Reference } from "../../core/table/reference.ts";
import { type TableBuilder, tableBuilder } from "../../core/table/table-builder.ts";
import { referenceAt } from "../chunk/chunk-reference.ts";
import type { ShardReader } from "../chunk/shard-reader.ts";
import type { EngineSet } from "../engine-set.ts";
import { startPace } from "../pace.ts";
import { columnsAt, ordinalOfRow } from "../table/batch.ts";
import { inlineText } from "../open/data-file/source-set.ts";
import type { WriteNotes } from "./notes.ts";

const encoder = new TextEncoder();

/** JSON string text of bytes, as Kerchunk writes them. */
export const jsonOf = (bytes: Uint8Array): Uint8Array<ArrayBuffer> =>
  encoder.encode(JSON.stringify(inlineText(bytes)).slice(1, -1));

/** Rows that are looked at before their bytes are asked for together. */
const BATCH = 4096;
/** Bytes that are inlined. */
const MOST_INLINED = 256 * 1024 ** 2;

interface Copying {
  readonly set: EngineSet;
  readonly builder: TableBuilder;
  readonly strays: ReadonlyMap<number, StrayKey>;
  readonly notes: WriteNotes;
  readonly inlineBelow: number;
  inlined: number;
}

export async function copiedTable(
  set: EngineSet,
  inlineBelow: number,
  notes: WriteNotes,
  context: CallContext,
): Promise<ReferenceTable> {
  const { table, shards } = set;
  const builder = tableBuilder();
  for (const [id, { path, grid, separator }] of table.arrays.entries()) {
    const shard = shards?.get(id);
    builder.addArray(path, shard?.grid ?? grid, shard?.node.metadata.sharding?.separator ?? separator);
  }
  const strays = new Map(table.strays.map((stray) => [stray.row, stray]));
  const copying: Copying = { set, builder, strays, notes, inlineBelow, inlined: 0 };
  const pace = startPace(context, "Collecting references", table.rows);
  for (let from = 0; from < table.rows; from += BATCH) {
    const to = Math.min(table.rows, from + BATCH);
    const read = inlineBelow > 0 ? await smallChunks(copying, from, to, context) : undefined;
    for (let row = from; row < to; row += 1) copyRow(copying, row, read?.get(row));
    await pace.yieldIfDue(from);
  }
  for (const [id, reader] of shards ?? []) await addShards(copying, id, reader, context);
  return builder.build();
}

function copyRow({ set, builder, strays, notes }: Copying, row: number, read: Uint8Array | undefined): void {
  const { table, format, shards } = set;
  const { array, target, offset, length } = columnsAt(table, row);
  const stray = strays.get(row);
  if (stray === undefined && shards?.has(array) === true) return;
  const ordinal = Math.max(0, ordinalOfRow(table, row));
  const add = (): number | undefined => {
    if (read !== undefined) return builder.addInline(array, ordinal, jsonOf(read));
    if (target === TARGET_INLINE) {
      const raw = table.inline.slice(offset, length);
      return builder.addInline(array, ordinal, format.inlineText === undefined ? raw : jsonOf(raw));
    }
    const { reference } = referenceAt(set, row);
    if (reference.kind === "bad") return builder.addBad(array, ordinal, table.bad.get(row) ?? reference);
    if (reference.kind === "native") return addNative(set, builder, notes, array, ordinal, row, stray);
    return addTarget(builder, array, ordinal, reference);
  };
  const copied = add();
  if (stray !== undefined && copied !== undefined) builder.markStray(copied, stray.key, stray.reason);
}

function addTarget(builder: TableBuilder, array: number, ordinal: number, reference: Reference): number | undefined {
  if (reference.kind !== "range" && reference.kind !== "whole") return undefined;
  const target = reference.target === null ? null : builder.addTarget(reference.target);
  if (reference.kind === "whole") return builder.addWhole(array, ordinal, target);
  return builder.addRange(array, ordinal, target, reference.offset, reference.length);
}

/** An object of the store by its address. */
function addNative(
  set: EngineSet,
  builder: TableBuilder,
  notes: WriteNotes,
  array: number,
  ordinal: number,
  row: number,
  stray: StrayKey | undefined,
): number | undefined {
  const slot = set.table.arrays[array];
  const path = slot?.path ?? "";
  const place = set.nativePlace?.(path, stray === undefined ? { ordinal } : { row });
  const own = () => stray?.key ?? chunkKey(path, coordinatesOf(slot?.grid ?? [], ordinal), slot?.separator ?? ".");
  const target = addressIn(set.resolveKey?.(place?.key ?? own()), notes, array === ARRAY_NONE ? undefined : path);
  if (target === undefined) return undefined;
  const reference = place === undefined ? { kind: "whole", target } : { kind: "range", target, ...place.range };
  return addTarget(builder, array, ordinal, reference as Reference);
}

function addressIn(resolution: Resolution | undefined, notes: WriteNotes, path: string | undefined) {
  const address = resolution && addressOf(resolution);
  if (address === undefined) notes.leftOut("no-address", path);
  else notes.changed(resolution?.kind === "url" ? "native-url" : "native-path", path);
  return address;
}

async function addShards({ set, builder, notes }: Copying, id: number, reader: ShardReader, context: CallContext) {
  const { path } = reader.node;
  const count = cellCount(reader.grid);
  for (let shard = 0; shard < count; shard += 1) {
    context.signal.throwIfAborted();
    context.report({ label: `Looking for shards of ${path}`, done: shard, total: count, unit: "requests" });
    const stored = await reader.locate(shard, context);
    if (stored.kind === "missing") continue;
    if (stored.inline !== undefined) builder.addInline(id, shard, jsonOf(stored.inline));
    else {
      const resolution = set.targets.resolve(stored.target);
      const isWritten = stored.target !== null && /^[a-z][a-z\d+.-]*:\/\//i.test(stored.target);
      const target = isWritten ? (stored.target ?? "") : addressIn(resolution, notes, path);
      if (target !== undefined) builder.addRange(id, shard, builder.addTarget(target), stored.offset, stored.size);
    }
  }
}

/** Bytes of the ranges that are to be inlined, by row. */
async function smallChunks(copying: Copying, from: number, to: number, context: CallContext) {
  const { set, inlineBelow, notes, strays } = copying;
  const read = new Map<number, Uint8Array>();
  const readOne = async (row: number): Promise<void> => {
    const { reference } = referenceAt(set, row);
    if (reference.kind !== "range" || reference.length >= inlineBelow || strays.has(row)) return;
    const path = set.table.arrays[columnsAt(set.table, row).array]?.path;
    const resolution = set.targets.resolve(reference.target);
    if (resolution.kind === "unresolved" || copying.inlined + reference.length > MOST_INLINED)
      return notes.leftOut("not-inlined", path);
    copying.inlined += reference.length;
    const { offset, length } = reference;
    const bytes = await bytesOf(set.targets.read(resolution, { offset, length }, context), context);
    if (bytes?.length === length) read.set(row, bytes);
    else notes.leftOut("not-inlined", path);
  };
  // Begun together, so that ranges that lie beside each other are one request.
  await Promise.all(Array.from({ length: to - from }, (_, at) => readOne(from + at)));
  return read;
}

async function bytesOf(reading: Promise<{ readonly bytes: Uint8Array }>, { signal }: CallContext) {
  try {
    return (await reading).bytes;
  } catch (error) {
    if (isAbort(error) && signal.aborted) throw error;
    return undefined;
  }
}
