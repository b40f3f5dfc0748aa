/** Metadata of a repository or snapshot: names with values, MessagePack in files of format 1, FlexBuffers in format 2. */
import type { JsonObject, JsonValue } from "../../core/json.ts";
import { bytesField, mapTables, required, textField, valueFault, vectorField, type FlatTable } from "./flat.ts";
import { readFlexBuffer } from "./flex-buffer.ts";
import { readMessagePack } from "./message-pack.ts";

/** Slot `slot` of a table: a vector of `MetadataItem`; empty where it is absent. */
export function readMetadataItems(table: FlatTable, slot: number, format: 1 | 2): JsonObject {
  const read = format === 1 ? readMessagePack : readFlexBuffer;
  const items = mapTables(vectorField(table, slot, 4, "metadata"), (item): readonly [string, JsonValue] => {
    const name = required(item, "name", textField(item, 0, "name"));
    const bytes = required(item, "value", bytesField(item, 1, "value"));
    return [name, read(bytes, (expected, found) => valueFault(item, "value", expected, found))];
  });
  return new Map(items);
}
