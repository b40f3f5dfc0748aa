/** The members `compressor` and `filters` of array metadata (Zarr v2 §"Metadata"). */
import type { CodecConfiguration } from "./array-metadata.ts";
import { isJsonObject, type JsonValue } from "./json.ts";
import type { MemberReader } from "./member-reader.ts";

const MAX_FILTERS = 64;

/** No codec or one. Kerchunk since 0.2 writes `null` and puts HDF5's compressor among the filters, which decodes the same way. */
export function readCompressor(reader: MemberReader): readonly CodecConfiguration[] {
  const value = presentOrNull(reader, "compressor");
  return value === null ? [] : [readCodec(reader, value, "/compressor")];
}

/** In the order of encoding. */
export function readFilters(reader: MemberReader): readonly CodecConfiguration[] {
  const value = presentOrNull(reader, "filters");
  if (value === null) return [];
  if (!Array.isArray(value)) throw reader.invalid("/filters", "null or a list of codecs", value);
  const list = value as readonly JsonValue[];
  if (list.length > MAX_FILTERS) throw reader.invalid("/filters", `at most ${MAX_FILTERS} filters`, list.length);
  return list.map((filter, index) => readCodec(reader, filter, `/filters/${index}`));
}

function presentOrNull(reader: MemberReader, key: "compressor" | "filters"): JsonValue {
  const value = reader.value(key);
  if (value !== undefined) return value;
  reader.note("member-missing", `/${key}`, { member: key });
  return null;
}

function readCodec(reader: MemberReader, value: JsonValue, pointer: string): CodecConfiguration {
  if (!isJsonObject(value)) throw reader.invalid(pointer, 'a codec: an object with an "id"', value);
  const id = value.get("id");
  if (typeof id !== "string" || id === "") throw reader.invalid(`${pointer}/id`, "the name of a codec", id);
  return { id, configuration: new Map([...value].filter(([key]) => key !== "id")) };
}
