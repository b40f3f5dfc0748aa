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
export type MetadataKind =
  /** `isConsolidated`: it is marked as Zarr's, too. */
  | { readonly kind: "parquet"; readonly size: number | undefined; readonly isConsolidated: boolean }
  | { readonly kind: "zarr" | "unclear" | "other" };

/** `text`: the whole document. Never throws. */
export function detectParquetMetadata(text: string): MetadataKind {
  const value = parsed(text);
  const members = isJsonObject(value) ? value.get("metadata") : undefined;
  if (!isJsonObject(value) || !isJsonObject(members)) return { kind: "other" };
  const size = value.get("record_size");
  const isConsolidated = value.has("zarr_consolidated_format");
  if (size !== undefined) return { kind: "parquet", size: readRecordSize(size), isConsolidated };
  if (isConsolidated) return { kind: "zarr" };
  const hasNodes = [...members.keys()].some((key) => /(?:^|\/)\.z(?:group|array|attrs)$/.test(key));
  return { kind: hasNodes ? "unclear" : "other" };
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
