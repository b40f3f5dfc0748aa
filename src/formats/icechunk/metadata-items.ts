/**
 * Metadata of a repository or snapshot: names with values, MessagePack in files of format 1, FlexBuffers in format 2.
 */
import type { JsonValue } from "#core/json/json.ts";
import { bytesField, mapTables, required, textField, valueFault, vectorField, type FlatTable } from "./flat.ts";

/** Throws what `fault` gives. */
export type ReadValue<Value = JsonValue> = (
  bytes: Uint8Array,
  fault: (expected: string, found: string) => Error,
) => Value;

/** Slot `slot` of a table: a vector of `MetadataItem`; empty where it is absent. `read`: that of the file's format. */
export function readMetadataItems<Value>(
  table: FlatTable,
  slot: number,
  read: ReadValue<Value>,
): ReadonlyMap<string, Value> {
  const items = mapTables(vectorField(table, slot, 4, "metadata"), (item): readonly [string, Value] => {
    const name = required(item, "name", textField(item, 0, "name"));
    const bytes = required(item, "value", bytesField(item, 1, "value"));
    return [name, read(bytes, (expected, found) => valueFault(item, "value", expected, found))];
  });
  return new Map(items);
}
