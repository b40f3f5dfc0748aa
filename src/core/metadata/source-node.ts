/**
 * An array of a source file as Zarr v2 describes it, so that its header is read, shown and compared as any metadata.
 */
import type { AttributeTexts, SourceArray } from "../source-file.ts";
import { parsed } from "../json/parse-json.ts";
import type { ArrayNode } from "./array-metadata.ts";
import { nodeName } from "./hierarchy-path.ts";
import { parseArrayMetadataV2 } from "./parse-array-metadata.ts";

/** Members in the order of their names, without spaces, as zarr-python 2 with Kerchunk has it. */
export function arrayText({ shape, chunks, dtype, fill, filters }: SourceArray): string {
  const members = [
    ["chunks", JSON.stringify(chunks)],
    ["compressor", "null"],
    ["dtype", dtype],
    ["fill_value", fill],
    ["filters", filters.length === 0 ? "null" : `[${filters.join(",")}]`],
    ["order", '"C"'],
    ["shape", JSON.stringify(shape)],
    ["zarr_format", "2"],
  ];
  return `{${members.map(([name, text]) => `"${name}":${text}`).join(",")}}`;
}

export const attributesText = (attributes: AttributeTexts): string =>
  `{${[...attributes].map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(",")}}`;

/** `.zattrs`, the names of dimensions first. */
export const namedText = ({ attributes, dimensions }: SourceArray): string =>
  attributesText(new Map([["_ARRAY_DIMENSIONS", JSON.stringify(dimensions)], ...attributes]));

/**
 * Tells whether the fill value masks nothing: xarray, which reads the file, masks by the file's own attributes alone.
 */
export const isFillOnly = ({ fill, hasFillAttribute }: SourceArray): boolean =>
  hasFillAttribute !== true && fill !== "null";

/** Throws where Zarr has no such array. */
export function sourceNode(array: SourceArray): ArrayNode {
  const { path } = array;
  const attributes = parsed(namedText(array));
  const { metadata } = parseArrayMetadataV2(arrayText(array), attributes, path);
  const own = isFillOnly(array) ? { ...metadata, isFillOnly: true as const } : metadata;
  return { kind: "array", path, name: nodeName(path), attributes, metadata: own };
}
