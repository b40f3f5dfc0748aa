/** What a document is that is no reference set. */
import type { Finding } from "../../core/finding.ts";
import { finding as findingAt } from "../../core/findings/finding.ts";
import { WHOLE_SET } from "../../core/findings/place.ts";
import { webPageIn } from "../../core/web-page.ts";
import { decodeText } from "./json-bytes.ts";

const ADVICE = "Open a reference set as kerchunk or VirtualiZarr write it: an object with “version” and “refs”.";

function finding(code: string, message: string, advice = ADVICE): Finding {
  return { code, severity: "error", message, advice };
}

const MAGIC: readonly (readonly [bytes: readonly number[], name: string])[] = [
  [[0x1f, 0x8b], "gzip-compressed data"],
  [[0x28, 0xb5, 0x2f, 0xfd], "Zstandard-compressed data"],
  [[0x50, 0x4b, 0x03, 0x04], "a ZIP archive"],
  [[0x50, 0x41, 0x52, 0x31], "a Parquet file"],
  [[0x89, 0x48, 0x44, 0x46], "an HDF5 (or netCDF-4) file"],
  [[0x43, 0x44, 0x46], "a netCDF-3 file"],
  [[0x47, 0x52, 0x49, 0x42], "a GRIB file"],
  [[0x49, 0x49, 0x2a, 0x00], "a TIFF file"],
  [[0x4d, 0x4d, 0x00, 0x2a], "a TIFF file"],
];

/** For data whose first character is neither "{" nor "[". `head`: the first bytes, all of them if few. */
export function notJson(head: Uint8Array): Finding {
  const text = decodeText(head)
    .text.replace(/^\ufeff/, "")
    .trimStart();
  if (text === "" && head.every((byte) => byte < 128)) return finding("document-empty", "The document is empty.");
  const magic = MAGIC.find(([bytes]) => bytes.every((byte, at) => head[at] === byte));
  if (magic !== undefined) return finding("not-json", `This is ${magic[1]}, not a JSON document.`);
  const page = webPageIn(head);
  if (page !== undefined) return findingAt("web-page", WHOLE_SET, { words: page.words });
  if (text.startsWith("<")) {
    const advice = "Object stores answer so where a file does not exist or may not be read.";
    return finding("not-json", `This is XML, not JSON: ${JSON.stringify(text.slice(0, 120))}.`, advice);
  }
  return finding("not-json", `This is not a JSON document; it begins with ${JSON.stringify(text.slice(0, 40))}.`);
}

export function notASet(facts: { readonly names: readonly string[]; readonly count: number }): Finding {
  const names = new Set(facts.names);
  const known = KINDS.find(([members]) => members.every((name) => names.has(name)));
  if (known !== undefined) return finding("not-a-reference-set", `This is ${known[1]}, not a reference set.`);
  const chunkLike = facts.names.length > 0 && facts.names.every((name) => /^(?:c[/.])?\d+(?:[./]\d+)*$/.test(name));
  if (chunkLike) {
    return finding("not-a-reference-set", "This is a chunk manifest of one array, not a reference set.");
  }
  const few = facts.names.slice(0, 5).map((name) => `“${name.slice(0, 60)}”`);
  const more = facts.count > few.length ? ", …" : "";
  const message = `This is a JSON object with ${few.join(", ")}${more}, but with no reference and no Zarr metadata.`;
  return finding("not-a-reference-set", message);
}

const KINDS: readonly (readonly [members: readonly string[], name: string])[] = [
  [["stac_version"], "a STAC document without any embedded reference set"],
  [["zarr_format", "node_type"], "a Zarr version 3 metadata document (zarr.json)"],
  [["zarr_format", "shape", "chunks"], "the metadata document of one Zarr array (.zarray)"],
  [["zarr_consolidated_format", "metadata"], "a consolidated metadata document of Zarr (.zmetadata)"],
  [["zarr_format"], "the metadata document of one Zarr group (.zgroup)"],
  [["record_size", "metadata"], "the .zmetadata of a Kerchunk Parquet set: open the folder it stands in"],
  [["type", "features"], "GeoJSON"],
  [["type", "geometry"], "GeoJSON"],
  [["snapshot"], "a reference file of an Icechunk repository: open the repository's folder"],
  [["_ARRAY_DIMENSIONS"], "the attributes document of one Zarr array (.zattrs)"],
];

export function notASetList(items: number, pairs: number): Finding {
  if (items > 0 && pairs === items) {
    const message = "This is a list of pairs of texts (a store's entries as key and base64), not a reference set.";
    return finding("not-a-reference-set", message);
  }
  const message =
    items === 0 ? "This is an empty JSON list." : `This is a JSON list of ${items} items, none a reference set.`;
  return finding("not-a-reference-set", message);
}
