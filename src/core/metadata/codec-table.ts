/** Traits of codecs that reading metadata needs, and the rules for a list of them (Zarr v3 §"Codecs"). */
import type { DataType } from "./data-type.ts";
import type { CodecOrder } from "../findings/catalogue/formats/array-metadata.ts";
import type { JsonObject, JsonValue } from "../json/json.ts";

/** `array-array` before one `array-bytes`, then `bytes-bytes`. */
export type CodecKind = "array-array" | "array-bytes" | "bytes-bytes";

export interface CodecTraits {
  readonly kind: CodecKind;
  /** The encoded size follows from the size of what is encoded. */
  readonly hasFixedSize: boolean;
  /** For an array-array codec other than `transpose`: another shape comes out. */
  readonly changesShape?: boolean | undefined;
  /** Words for the fill value that the codec would need, if it cannot encode this one; `undefined` if it can. */
  readonly fillProblem?:
    | ((configuration: JsonObject, type: DataType, fillValue: JsonValue) => string | undefined)
    | undefined;
}

/** Traits by the name in a list of Zarr v3; `undefined` for unknown codecs. */
export type CodecTable = (name: string) => CodecTraits | undefined;

/** An empty table, for callers to whom codecs do not matter. */
export const NO_CODECS: CodecTable = () => undefined;

/** Why a list of codecs is none that Zarr v3 allows; `undefined` where it is, or where a name is not known. */
export function orderProblem(ids: readonly string[], table: CodecTable): CodecOrder | undefined {
  const kinds = ids.map((id) => table(id)?.kind);
  if (kinds.includes(undefined)) return undefined;
  const makers = kinds.filter((kind) => kind === "array-bytes").length;
  if (makers !== 1) return { problem: makers === 0 ? "none" : "several", makers, codec: undefined, maker: undefined };
  const at = kinds.indexOf("array-bytes");
  const late = kinds.findIndex((kind, index) => kind === "array-array" && index > at);
  const early = kinds.findIndex((kind, index) => kind === "bytes-bytes" && index < at);
  if (late >= 0) return { problem: "late", makers, codec: ids[late], maker: ids[at] };
  return early < 0 ? undefined : { problem: "early", makers, codec: ids[early], maker: ids[at] };
}

/** Before the names of numcodecs' codecs in Zarr v3. */
export const PREFIX = "numcodecs.";

/** Without the prefix. */
export const bareName = (id: string): string => (id.startsWith(PREFIX) ? id.slice(PREFIX.length) : id);
