/** The list of manifest files in a snapshot: structs in format 1, tables in format 2. */
import {
  idField,
  mapIndices,
  mapTables,
  required,
  uint32Field,
  uint64At,
  uint64Field,
  vectorField,
  type FlatTable,
} from "./flat.ts";
import { objectId } from "./object-id.ts";
import type { Exact } from "./types.ts";

export interface ManifestFileInfo {
  readonly id: string;
  /** Of the file, header included. */
  readonly bytes: Exact;
  /** References in it, of all arrays. */
  readonly references: number;
}

/** Id at 0, padding, size at 16, count at 24, padding. */
const STRUCT_BYTES = 32;

export function readManifestFiles(root: FlatTable): readonly ManifestFileInfo[] {
  const tables = vectorField(root, 7, 4, "manifest_files_v2");
  if (tables !== undefined) {
    return mapTables(tables, (table) => ({
      id: required(table, "id", idField(table, 0, 12, "id")),
      bytes: uint64Field(table, 1, "size_bytes"),
      references: uint32Field(table, 2, "num_chunk_refs"),
    }));
  }
  const { bytes, view } = root.flat;
  return mapIndices(vectorField(root, 6, STRUCT_BYTES, "manifest_files"), (vector, index) => {
    const at = vector.at + index * STRUCT_BYTES;
    return { id: objectId(bytes, at, 12), bytes: uint64At(view, at + 16), references: view.getUint32(at + 24, true) };
  });
}
