/** What a document is when it is not a reference set. */
import { type FactsOf, finding, type Finding } from "../../core/findings/finding.ts";
import { WHOLE_SET } from "../../core/findings/place.ts";
import { webPageIn } from "../../core/check/web-page.ts";
import { decodeText } from "./json-bytes.ts";

const MAGIC: readonly (readonly [bytes: readonly number[], name: FactsOf<"not-json">["magic"]])[] = [
  [[0x1f, 0x8b], "gzip"],
  [[0x28, 0xb5, 0x2f, 0xfd], "zstd"],
  [[0x50, 0x4b, 0x03, 0x04], "zip"],
  [[0x50, 0x41, 0x52, 0x31], "parquet"],
  [[0x89, 0x48, 0x44, 0x46], "hdf5"],
  [[0x43, 0x44, 0x46], "netcdf3"],
  [[0x47, 0x52, 0x49, 0x42], "grib"],
  [[0x49, 0x49, 0x2a, 0x00], "tiff"],
  [[0x4d, 0x4d, 0x00, 0x2a], "tiff"],
];

/** For data whose first character is neither "{" nor "[". `head`: the first bytes, all of them if few. */
export function notJson(head: Uint8Array): Finding {
  const text = decodeText(head)
    .text.replace(/^\ufeff/, "")
    .trimStart();
  if (text === "" && head.every((byte) => byte < 128)) return finding("document-empty", WHOLE_SET, {});
  const magic = MAGIC.find(([bytes]) => bytes.every((byte, at) => head[at] === byte))?.[1];
  if (magic !== undefined) return finding("not-json", WHOLE_SET, { magic });
  const page = webPageIn(head);
  if (page !== undefined) return finding("web-page", WHOLE_SET, { words: page.words });
  return finding("not-json", WHOLE_SET, { head: text.slice(0, text.startsWith("<") ? 120 : 40) });
}

type Kind = FactsOf<"not-a-reference-set">["kind"];

export function notASet({ names, count }: { readonly names: readonly string[]; readonly count: number }): Finding {
  const all = new Set(names);
  const known = KINDS.find(([members]) => members.every((name) => all.has(name)))?.[1];
  const chunkLike = names.length > 0 && names.every((name) => /^(?:c[/.])?\d+(?:[./]\d+)*$/.test(name));
  const kind = known ?? (chunkLike ? "chunk-manifest" : undefined);
  if (kind !== undefined) return finding("not-a-reference-set", WHOLE_SET, { kind });
  const few = names.slice(0, 5).map((name) => name.slice(0, 60));
  return finding("not-a-reference-set", WHOLE_SET, { names: few, members: count });
}

const KINDS: readonly (readonly [members: readonly string[], kind: Kind])[] = [
  [["stac_version"], "stac"],
  [["zarr_format", "node_type"], "zarr-v3"],
  [["zarr_format", "shape", "chunks"], "zarray"],
  [["zarr_consolidated_format", "metadata"], "zmetadata"],
  [["zarr_format"], "zgroup"],
  [["record_size", "metadata"], "parquet-zmetadata"],
  [["type", "features"], "geojson"],
  [["type", "geometry"], "geojson"],
  [["snapshot"], "icechunk-snapshot"],
  [["_ARRAY_DIMENSIONS"], "zattrs"],
];

export function notASetList(items: number, pairs: number): Finding {
  const kind = items === 0 ? "empty-list" : pairs === items ? "pairs" : undefined;
  return finding("not-a-reference-set", WHOLE_SET, kind === undefined ? { items } : { kind });
}
