/** Filters of HDF5 undone with our codecs, for what lies in a file's own metadata. */
import type { ChunkOutline } from "#codecs/codec.ts";
import { loadCodec } from "#codecs/find-codec.ts";
import { isJsonObject, type JsonObject } from "#core/json/json.ts";
import { parseJson } from "#core/json/parse-json.ts";
import { failure } from "#core/findings/finding.ts";
import { WHOLE_SET } from "#core/findings/fact.ts";

const { signal } = new AbortController();
/** Bytes. */
const MOST_DECODED = 64 * 1024 ** 2;

/** A zlib stream. */
export const inflateBytes = (stored: Uint8Array, most: number): Promise<Uint8Array> =>
  undo(new Map([["id", "zlib"]]), stored, most);

/** `filters`: as `.zarray` has them. */
export async function decodeBytes(filters: readonly string[], stored: Uint8Array): Promise<Uint8Array> {
  let bytes = stored;
  for (const filter of filters.toReversed()) {
    const { value } = parseJson(filter);
    if (isJsonObject(value)) bytes = await undo(value, bytes, MOST_DECODED);
  }
  return bytes;
}

async function undo(configuration: JsonObject, stored: Uint8Array, most: number): Promise<Uint8Array> {
  const id = configuration.get("id");
  if (typeof id !== "string") return stored;
  const codec = await loadCodec(id);
  if (codec === undefined) throw failure("codec-unknown", WHOLE_SET, { codec: id, words: undefined });
  const outline: ChunkOutline = {
    dataType: { kind: "uint", itemSize: 1, byteOrder: "none", text: "|u1" },
    chunkShape: [most],
    elements: most,
    fillValue: null,
  };
  return codec.prepare(configuration, outline).decode(stored.slice(), most, signal);
}
