/** Which part of the document made a row: `refs`, or an entry of `gen` and its variables. */
import { FIRST_SPECIAL_TARGET, type ReferenceTable } from "#core/table/reference-table.ts";
import type { RowOrigin, Version1Renderer } from "#core/table/version1.ts";
import type { RowOrigins } from "#formats/kerchunk-json/index.ts";
import { blockOf } from "./batch.ts";
import type { OriginOf } from "./table-index.ts";

export function rowOriginOf(
  table: ReferenceTable,
  origins: RowOrigins,
  renderer: Version1Renderer | undefined,
): OriginOf {
  return (row) => {
    const ordinal = origins.genOrdinal(row);
    const origin = ordinal === undefined ? undefined : renderer?.origin(ordinal);
    return origin === undefined ? written(table, row) : { kind: "gen", ...origin };
  };
}

function written(table: ReferenceTable, row: number): RowOrigin {
  const id = blockOf(table, row).target[row & 0xffff] ?? FIRST_SPECIAL_TARGET;
  if (id >= FIRST_SPECIAL_TARGET) return { kind: "refs" };
  const url = table.targets.written(id);
  return url === table.targets.text(id) ? { kind: "refs" } : { kind: "refs", written: url };
}
