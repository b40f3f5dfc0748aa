/** Whether data belong to a Kerchunk Parquet set, from what is in them. */
import { isJsonObject, type JsonValue } from "../../core/json.ts";
import { parseJson } from "../../core/parse-json.ts";
import { readRecordSize } from "./metadata.ts";

/**
 * - `parquet`: `.zmetadata` of a Kerchunk Parquet set
 * - `zarr`: consolidated metadata of a Zarr v2 store
 * - `unclear`: either; that there is an `<array>/refs.0.parq` beside it would decide
 * - `other`: neither
 */
export interface MetadataKind {
  readonly kind: "parquet" | "zarr" | "unclear" | "other";
  /** Which facts decide: a sentence. */
  readonly reason: string;
}

/** `text`: the whole document. Never throws. */
export function detectParquetMetadata(text: string): MetadataKind {
  const value = parsed(text);
  if (!isJsonObject(value)) return { kind: "other", reason: "It is not a JSON object." };
  const members = value.get("metadata");
  if (!isJsonObject(members)) return { kind: "other", reason: "It has no object “metadata”." };
  const version = value.get("zarr_consolidated_format");
  const size = value.get("record_size");
  const recordSize = readRecordSize(size);
  if (recordSize !== undefined) {
    const also = version === undefined ? "" : " It says “zarr_consolidated_format” too, which Zarr stores have.";
    return { kind: "parquet", reason: `It has “metadata” and a “record_size” of ${recordSize}.${also}` };
  }
  if (size !== undefined)
    return { kind: "parquet", reason: "It has “metadata” and a “record_size”, which is not a whole number from 1 on." };
  if (version !== undefined) {
    return { kind: "zarr", reason: "It has “metadata” and “zarr_consolidated_format”, and no “record_size”." };
  }
  const keys = [...members.keys()];
  if (!keys.some((key) => /(?:^|\/)\.z(?:group|array|attrs)$/.test(key))) {
    return { kind: "other", reason: "Its “metadata” names no .zgroup, .zarray or .zattrs." };
  }
  const reason = "It has “metadata” of Zarr nodes, but neither “record_size” nor “zarr_consolidated_format”.";
  return { kind: "unclear", reason };
}

function parsed(text: string): JsonValue | undefined {
  try {
    return parseJson(text).value;
  } catch {
    return undefined;
  }
}

/** The array's path and the record's number of a key: `sst/refs.3.parq` as `sst` and 3. */
export function parseRecordKey(key: string): { readonly array: string; readonly record: number } | undefined {
  const match = /^(?:(.*)\/)?refs\.(0|[1-9]\d{0,14})\.parq$/s.exec(key);
  return match === null ? undefined : { array: match[1] ?? "", record: Number(match[2]) };
}

export function recordKey(array: string, record: number): string {
  return `${array === "" ? "" : `${array}/`}refs.${record}.parq`;
}
