/** What reading metadata needs to know of codecs, and what a list of them must be (Zarr v3 §"Codecs"). */

/** `array-array` before one `array-bytes`, then `bytes-bytes`. */
export type CodecKind = "array-array" | "array-bytes" | "bytes-bytes";

export interface CodecTraits {
  readonly kind: CodecKind;
  /** The encoded size follows from the size of what is encoded. */
  readonly hasFixedSize: boolean;
  /** Of an array-array codec other than `transpose`: another shape comes out. */
  readonly changesShape?: boolean | undefined;
}

/** By the name in a list of Zarr v3; `undefined` for codecs that are not known. */
export type CodecTable = (name: string) => CodecTraits | undefined;

/** Where nothing hangs on codecs. */
export const NO_CODECS: CodecTable = () => undefined;

/** Why a list of codecs is none that Zarr v3 allows; `undefined` where it is, or where a name is not known. */
export function orderProblem(ids: readonly string[], table: CodecTable): string | undefined {
  const kinds = ids.map((id) => table(id)?.kind);
  if (kinds.includes(undefined)) return undefined;
  const makers = kinds.filter((kind) => kind === "array-bytes").length;
  if (makers === 0) return 'none of them turns the array into bytes, as "bytes" does';
  if (makers > 1) return `${makers} of them turn the array into bytes, where one must`;
  const maker = kinds.indexOf("array-bytes");
  const late = kinds.findIndex((kind, at) => kind === "array-array" && at > maker);
  const early = kinds.findIndex((kind, at) => kind === "bytes-bytes" && at < maker);
  if (late >= 0) return `"${ids[late]}" works on arrays but stands after "${ids[maker]}"`;
  return early < 0 ? undefined : `"${ids[early]}" works on bytes but stands before "${ids[maker]}"`;
}
