/** The members `shape` and `chunks` of array metadata (Zarr v2 §"Metadata"; in v3 `chunk_shape`). */
import type { JsonNode } from "../json/json.ts";
import type { MemberReader } from "./member-reader.ts";
import { jsonValueOf } from "../json/parse-json.ts";

/** NumPy's limit. */
export const MAX_DIMENSIONS = 64;

/** Lengths of the dimensions, in elements. */
export function readShape(reader: MemberReader): readonly number[] {
  return readLengths(reader, reader.node("shape"), "/shape");
}

export function readChunks(reader: MemberReader, shape: readonly number[]): readonly number[] {
  return readChunkShape(reader, reader.node("chunks"), "/chunks", shape);
}

/** Lengths of a chunk, in elements, each at least 1 and as many as the array has dimensions. */
export function readChunkShape(
  reader: MemberReader,
  node: JsonNode | undefined,
  where: string,
  shape: readonly number[],
): readonly number[] {
  const chunks = readLengths(reader, node, where);
  if (chunks.length !== shape.length) {
    throw reader.invalid(where, `${shape.length} lengths, as many as shape has`, chunks);
  }
  return chunks.map((length, dimension) => {
    if (length > 0) return length;
    const pointer = `${where}/${dimension}`;
    if (shape[dimension] !== 0) throw reader.invalid(pointer, "a chunk length of at least 1", length);
    reader.note("chunk-length-zero", pointer, {});
    return 1;
  });
}

function readLengths(reader: MemberReader, node: JsonNode | undefined, where: string): number[] {
  if (node?.kind !== "array") throw reader.invalid(where, "a list of lengths", node && jsonValueOf(node));
  if (node.items.length > MAX_DIMENSIONS) {
    throw reader.invalid(where, `at most ${MAX_DIMENSIONS} dimensions`, node.items.length);
  }
  return node.items.map((item, dimension) => readLength(reader, item, `${where}/${dimension}`));
}

function readLength(reader: MemberReader, node: JsonNode, pointer: string): number {
  const value = jsonValueOf(node);
  if (typeof value === "bigint") throw reader.invalid(pointer, "a length below 2^53", value);
  if (typeof value !== "number" || !Number.isInteger(value) || value < 0 || !Number.isSafeInteger(value)) {
    throw reader.invalid(pointer, "a length: an integer of at least 0", value);
  }
  reader.noteFraction(node, pointer);
  return value;
}
