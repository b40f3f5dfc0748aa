/** A set's references in a table of their own, where some become others: objects of a store, and what is inlined. */
import type { CallContext } from "#core/byte-source.ts";
import { isAbort } from "#core/findings/finding.ts";
import { cellCount, chunkKey, coordinatesOf } from "#core/metadata/chunk-grid.ts";
import type { Reference } from "#core/table/reference.ts";
import { type ReferenceTable, TARGET_INLINE } from "#core/table/reference-table.ts";
import { type TableBuilder, tableBuilder } from "#core/table/table-builder.ts";
import { addressedNative, referenceAt } from "../chunk/chunk-reference.ts";
import type { ShardReader } from "../chunk/shard-reader.ts";
import { readThere } from "../chunk/read-there.ts";
import type { EngineSet } from "../engine-set.ts";
import { inlineText } from "../open/data-file/source-set.ts";
import { startPace } from "../pace.ts";
import { addInTarget } from "../table/add-in-target.ts";
import { columnsAt, ordinalOfRow } from "../table/batch.ts";
import type { WriteNotes } from "./notes.ts";
import { folderOf } from "./relative-targets.ts";

const encoder = new TextEncoder();

/** JSON string text of bytes, as Kerchunk writes them. */
export const jsonOf = (bytes: Uint8Array): Uint8Array<ArrayBuffer> =>
  encoder.encode(JSON.stringify(inlineText(bytes)).slice(1, -1));

/** Rows whose bytes are asked for together. */
const BATCH = 4096;
/** Bytes. */
const MOST_INLINED = 256 * 1024 ** 2;

/** `left`: arrays of which nothing is written, by id; those with chunks that have no address are added. */
export async function copiedTable(
  set: EngineSet,
  inlineBelow: number,
  left: Set<number>,
  notes: WriteNotes,
  context: CallContext,
): Promise<ReferenceTable> {
  const { table } = set;
  const builder = tableBuilder();
  for (const [id, { path, grid, separator }] of table.arrays.entries()) {
    const shards = set.shards?.get(id);
    if (shards === undefined) builder.addArray(path, grid, separator);
    else builder.addArray(path, shards.grid, shards.node.metadata.sharding?.separator ?? separator);
  }
  const strays = new Map(table.strays.map((stray) => [stray.row, stray]));
  const pace = startPace(context, "Collecting references", table.rows);
  const inlining = { set, notes, below: inlineBelow, room: MOST_INLINED };
  for (let from = 0; from < table.rows; from += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, table.rows - from) }, (_, at) => from + at);
    const read = inlineBelow > 0 ? await smallChunks(inlining, rows, context) : undefined;
    for (const row of rows) {
      const { array } = columnsAt(table, row);
      const stray = strays.get(row);
      if (stray === undefined && (left.has(array) || set.shards?.has(array) === true)) continue;
      const copied = copyRow(set, builder, row, stray?.key, read?.get(row), notes);
      // Without some of its chunks an array would read as fill there.
      if (copied === undefined && stray === undefined) left.add(array);
      if (stray !== undefined && copied !== undefined) builder.markStray(copied, stray.key, stray.reason);
    }
    await pace.yieldIfDue(from);
  }
  for (const [id, shards] of set.shards ?? []) await copyShards(set, builder, id, shards, notes, context);
  return builder.build();
}

/** Shards are written as shards: inner chunks have no keys. */
async function copyShards(
  set: EngineSet,
  builder: TableBuilder,
  id: number,
  { grid, locate, node }: ShardReader,
  notes: WriteNotes,
  context: CallContext,
): Promise<void> {
  const count = cellCount(grid);
  const pace = startPace(context, "Collecting references", count);
  for (let ordinal = 0; ordinal < count; ordinal += 1) {
    await pace.yieldIfDue(ordinal);
    try {
      const stored = await locate(ordinal, context);
      if (stored.kind === "missing") continue;
      const { inline, target, offset, size: length } = stored;
      if (inline !== undefined) builder.addInline(id, ordinal, jsonOf(inline));
      else addInTarget(builder, id, ordinal, besideSet(set, { kind: "range", target, offset, length }, notes));
    } catch (error) {
      if (isAbort(error) && context.signal.aborted) throw error;
      notes.leftOut("unread", node.path);
    }
  }
}

function copyRow(
  set: EngineSet,
  builder: TableBuilder,
  row: number,
  stray: string | undefined,
  read: Uint8Array | undefined,
  notes: WriteNotes,
): number | undefined {
  const { table, format } = set;
  const { array, target, offset, length } = columnsAt(table, row);
  const ordinal = Math.max(0, ordinalOfRow(table, row));
  if (read !== undefined) return builder.addInline(array, ordinal, jsonOf(read));
  if (target === TARGET_INLINE) {
    const raw = table.inline.slice(offset, length);
    return builder.addInline(array, ordinal, format.inlineText === undefined ? raw : jsonOf(raw));
  }
  const { reference } = referenceAt(set, row);
  if (reference.kind === "bad") return builder.addBad(array, ordinal, table.bad.get(row) ?? reference);
  if (reference.kind !== "native") return addInTarget(builder, array, ordinal, reference);
  const { path = "", grid = [], separator = "." } = table.arrays[array] ?? {};
  const key = stray ?? chunkKey(path, coordinatesOf(grid, ordinal), separator);
  const found = addressedNative(set, path, stray === undefined ? { ordinal } : { row }, key);
  if (found === undefined) notes.leftOut("no-address", path);
  else notes.changed(found.isUrl ? "native-url" : "native-path", path);
  return found && addInTarget(builder, array, ordinal, besideSet(set, found.reference, notes));
}

/** Writes targets relative to the set. */
function besideSet({ targets: { base } }: EngineSet, reference: Reference, notes: WriteNotes): Reference {
  if (!("target" in reference) || reference.target === null) return reference;
  const { query = "" } = base.kind === "url" ? base : {};
  const isSigned = query !== "" && reference.target.endsWith(query);
  if (isSigned) notes.changed("unsigned");
  const target = isSigned ? reference.target.slice(0, -query.length) : reference.target;
  return { ...reference, target: target.startsWith(folderOf(base)) ? target.slice(folderOf(base).length) : target };
}

type Inlining = { readonly set: EngineSet; readonly notes: WriteNotes; readonly below: number; room: number };

/**
 * Bytes of the ranges that are to be inlined, by row. All are asked for at once: ranges beside each other are one
 * request.
 */
async function smallChunks(of: Inlining, rows: readonly number[], context: CallContext) {
  const { set, notes, below } = of;
  const read = new Map<number, Uint8Array>();
  const readOne = async (row: number): Promise<void> => {
    const { reference } = referenceAt(set, row);
    if (reference.kind !== "range" || reference.length >= below || ordinalOfRow(set.table, row) < 0) return;
    const resolution = set.targets.resolve(reference.target);
    of.room -= reference.length;
    try {
      const there = of.room < 0 ? undefined : await readThere(set, resolution, reference, context);
      if (there?.bytes.length === reference.length) return void read.set(row, there.bytes);
    } catch (error) {
      if (isAbort(error) && context.signal.aborted) throw error;
    }
    notes.leftOut("not-inlined", set.table.arrays[columnsAt(set.table, row).array]?.path);
  };
  await Promise.all(rows.map(readOne));
  return read;
}
