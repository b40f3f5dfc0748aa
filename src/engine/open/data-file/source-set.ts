/** A data file's index as metadata documents of Zarr v2 and rows of references, as Kerchunk would write them. */
import { toBase64 } from "#core/values/fill-bytes.ts";
import type { MetadataDocument } from "#core/metadata/array-metadata.ts";
import { arrayText, attributesText, namedText } from "#core/metadata/source-node.ts";
import type { ChunkColumns, SourceFile } from "#core/source-file.ts";
import type { GrowingTable } from "../set.ts";

export function metadataDocuments({ groups, arrays }: SourceFile): ReadonlyMap<string, MetadataDocument> {
  const documents = new Map<string, MetadataDocument>();
  const add = (path: string, name: string, text: string): void => {
    const key = path === "" ? name : `${path}/${name}`;
    documents.set(key, { key, text });
  };
  for (const { path, attributes } of groups) {
    add(path, ".zgroup", '{"zarr_format":2}');
    if (attributes.size > 0) add(path, ".zattrs", attributesText(attributes));
  }
  for (const array of arrays) {
    add(array.path, ".zarray", arrayText(array));
    add(array.path, ".zattrs", namedText(array));
  }
  return documents;
}

/** `targetOf`: a file, as references write it; `undefined` is the one that most references point into. */
export function addReferences(
  { builder, ids }: Pick<GrowingTable, "builder" | "ids">,
  file: SourceFile,
  targetOf: (target: string | undefined) => string,
) {
  builder.expectRows(file.arrays.reduce((sum, { references, inline }) => sum + references.count + inline.size, 0));
  for (const { path, references, inline, target } of file.arrays) {
    const array = ids.get(path);
    if (array === undefined) continue;
    for (const [ordinal, bytes] of inline) builder.addInline(array, ordinal, bytes);
    if (references.count > 0) addRows(builder, array, builder.addTarget(targetOf(target)), references);
  }
}

/** Rows that are added at once. */
const ROWS = 65_536;

function addRows(
  builder: GrowingTable["builder"],
  array: number,
  id: number,
  { count, ordinal, offset, length }: ChunkColumns,
) {
  for (let from = 0; from < count; from += ROWS) {
    const to = Math.min(count, from + ROWS);
    const rows = {
      ordinal: Uint32Array.from(ordinal.subarray(from, to)),
      target: new Uint32Array(to - from).fill(id),
      offset: offset.slice(from, to),
      length: Uint32Array.from(length.subarray(from, to)),
    };
    const isNarrow =
      ordinal.subarray(from, to).every((one) => one < 2 ** 32 - 2) &&
      length.subarray(from, to).every((one) => one < 2 ** 32 - 2);
    if (isNarrow && builder.addRanges(array, rows)) continue;
    for (let at = from; at < to; at += 1)
      builder.addRange(array, ordinal[at] as number, id, offset[at] as number, length[at] as number);
  }
}

/** Inline text as Kerchunk writes bytes: as text if they are ASCII, else in base64. */
export function inlineText(bytes: Uint8Array): string {
  const text = bytes.every((byte) => byte < 128) ? new TextDecoder("latin1").decode(bytes) : undefined;
  return text === undefined || text.startsWith("base64:") ? `base64:${toBase64(bytes)}` : text;
}
