/** Chunks that the file stored without one of their filters: Zarr has no word for that, so their values are written inline. */
import { storeOnly } from "../../../codecs/store-only.ts";
import type { ByteSource, CallContext } from "../../../core/byte-source.ts";
import { isJsonObject } from "../../../core/json/json.ts";
import { parseJson } from "../../../core/json/parse-json.ts";
import { columnsWriter, type SourceArray, type SourceFile } from "../../../core/source-file.ts";
import { decodeBytes } from "./undo-filters.ts";

/** Stored bytes of one file's chunks. */
const MOST_INLINED = 32 * 1024 ** 2;

/** References that remain point at chunks with all their filters, or are those that could not be written otherwise. */
export async function withoutMasks(file: SourceFile, source: ByteSource, context: CallContext): Promise<SourceFile> {
  let left = MOST_INLINED;
  const arrays: SourceArray[] = [];
  for (const array of file.arrays) {
    const { skipped } = array.references;
    if (skipped?.some((one) => one !== 0) !== true) {
      arrays.push(array);
      continue;
    }
    const made = await inlined(array, skipped, source, left, context);
    left = made.left;
    arrays.push(made.array);
  }
  return { ...file, arrays };
}

async function inlined(array: SourceArray, all: Uint32Array, source: ByteSource, most: number, context: CallContext) {
  const { count, ordinal, offset, length } = array.references;
  const filters = array.filters.map((text) => parseJson(text).value).filter(isJsonObject);
  const writer = columnsWriter(count);
  const inline = new Map(array.inline);
  let left = most;
  for (let at = 0; at < count; at += 1) {
    const [number, from, bytes, skipped] = [ordinal[at], offset[at], length[at], all[at]] as [
      number,
      number,
      number,
      number,
    ];
    if (skipped === 0 || bytes > left) {
      writer.add(number, from, bytes);
      continue;
    }
    left -= bytes;
    const stored = (await source.read({ offset: from, length: bytes }, context)).bytes;
    const used = array.filters.filter((_, filter) => ((skipped >>> filter) & 1) === 0);
    const encoded = storeOnly(filters, used.length === 0 ? stored : await decodeBytes(used, stored));
    if (encoded === undefined) writer.add(number, from, bytes);
    else inline.set(number, encoded);
  }
  return { array: { ...array, references: writer.columns(), inline }, left };
}
