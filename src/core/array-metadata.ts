/**
 * Array metadata as the rest of the program knows it: v2 (later v3 too) is made one at the door, so that nothing
 * downstream asks for the format.
 */
import type { DataType } from "./data-type.ts";
import type { JsonObject, JsonValue } from "./json.ts";

export interface CodecConfiguration {
  /** As the metadata spells it: `zlib`, `shuffle`, `blosc`. */
  readonly id: string;
  readonly configuration: JsonObject;
}

export interface ArrayMetadata {
  readonly zarrFormat: 2 | 3;
  readonly shape: readonly number[];
  readonly chunks: readonly number[];
  readonly dataType: DataType;
  /** In the order of decoding: for v2 the compressor, then the filters from last to first. */
  readonly decoding: readonly CodecConfiguration[];
  readonly order: "C" | "F";
  readonly separator: "." | "/";
  /** As written; `null` is "undefined" (a missing chunk has no defined values), also where the member is absent. */
  readonly fillValue: JsonValue;
  /** From `_ARRAY_DIMENSIONS` (v2) or `dimension_names` (v3). */
  readonly dimensionNames: readonly (string | undefined)[] | undefined;
}
