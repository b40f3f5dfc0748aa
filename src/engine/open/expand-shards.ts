/**
 * A document whose arrays have shards: its references point at shards, but the chunks are those inside. The set is shown
 * with a table of its own, in which other references are copied and shards are pages.
 */
import type { CallContext } from "#core/byte-source.ts";
import { coordinatesOf } from "#core/metadata/chunk-grid.ts";
import type { ArrayNode } from "#core/metadata/array-metadata.ts";
import { TARGET_INLINE, type ReferenceTable } from "#core/table/reference-table.ts";
import type { TableBuilder } from "#core/table/table-builder.ts";
import { columnsAt, ordinalOfRow } from "../table/batch.ts";
import { isCounted } from "../rules/count-rules.ts";
import { rowOf } from "../table/array-index.ts";
import { referenceAt } from "../chunk/chunk-reference.ts";
import type { DocumentSet, EngineSet } from "../engine-set.ts";
import { addInTarget } from "../table/add-in-target.ts";
import { growingTable, makeSet, partsOf, slotsOf } from "./set.ts";
import { shardReader } from "../chunk/shard-reader.ts";
import { storedAt } from "../chunk/stored-shard.ts";

/** The set itself where no array has shards. It can be edited and exported then, and only then. */
export async function expandShards(set: DocumentSet, context: CallContext): Promise<EngineSet> {
  const sharded = [...set.hierarchy.nodes.values()].filter(
    (node): node is ArrayNode => node.kind === "array" && node.metadata.sharding !== undefined,
  );
  if (sharded.length === 0) return set;
  const table = growingTable(slotsOf(set.hierarchy));
  const skipped = new Set(sharded.map(({ path }) => set.index.arrayIds.get(path)));
  copyRows(set, table.builder, table.ids, skipped);
  for (const node of sharded) {
    const { sharding } = node.metadata;
    if (sharding !== undefined) table.addShards(shardReader(node, sharding, storedIn(set, node.path)));
  }
  const { name, url, choice, format, bytesReceived, documentBytes, hierarchy, targets, milliseconds, refused } = set;
  const { documents, findings } = set;
  const parts = {
    name,
    url,
    choice,
    bytesReceived,
    documentBytes,
    hierarchy,
    targets,
    milliseconds,
    refused,
    documents,
  };
  const opening = findings.filter((found) => !isCounted(found));
  return makeSet(
    { ...parts, ...partsOf(table), format: { ...format, label: `${format.label}, sharded` }, opening, unexpanded: set },
    context,
  );
}

/** The reference of a shard in the document's own table. */
function storedIn(set: DocumentSet, path: string) {
  const id = set.index.arrayIds.get(path);
  return async (shard: number, context: CallContext) => {
    const index = id === undefined ? undefined : await set.index.arrayIndex(id, context);
    const { reference } = referenceAt(set, index === undefined ? -1 : rowOf(index, shard));
    const name = `shard ${coordinatesOf(index?.grid ?? [], shard).join(".") || "0"} of ${path === "" ? "/" : path}`;
    return storedAt(set.targets, reference, name, context);
  };
}

function copyRows(
  set: DocumentSet,
  builder: TableBuilder,
  ids: ReadonlyMap<string, number>,
  skipped: ReadonlySet<number | undefined>,
): void {
  const { table } = set;
  const strays = new Map(table.strays.map((stray) => [stray.row, stray]));
  for (let row = 0; row < table.rows; row += 1) {
    const { array } = columnsAt(table, row);
    const stray = strays.get(row);
    if (skipped.has(array) && stray === undefined) continue;
    const id = ids.get(table.arrays[array]?.path ?? "");
    if (id === undefined) continue;
    const copied = copyRow(set, builder, id, row, table);
    if (stray !== undefined) builder.markStray(copied, stray.key, stray.reason);
  }
}

function copyRow(set: DocumentSet, builder: TableBuilder, id: number, row: number, table: ReferenceTable): number {
  const ordinal = Math.max(0, ordinalOfRow(table, row));
  const written = columnsAt(table, row);
  if (written.target === TARGET_INLINE) {
    return builder.addInline(id, ordinal, table.inline.slice(written.offset, written.length));
  }
  const { reference } = referenceAt(set, row);
  if (reference.kind === "bad") return builder.addBad(id, ordinal, table.bad.get(row) ?? reference);
  return addInTarget(builder, id, ordinal, reference) ?? builder.addNative(id, ordinal, undefined);
}
