/** The member `chunk_grid` of Zarr v3 array metadata (§"Chunk grid"; zarr-extensions, chunk-grids/rectilinear). */
import type { ArrayMetadata } from "./array-metadata.ts";
import { MAX_DIMENSIONS, readChunkShape } from "./array-shape.ts";
import { type ChunkEdges, type EdgeRun, edgesOf } from "./chunk-edges.ts";
import { readExtension } from "./extension-v3.ts";
import { type JsonNode, memberOf } from "./json.ts";
import type { MemberReader } from "./member-reader.ts";
import { jsonValueOf } from "./parse-json.ts";

export type ChunkGridV3 = Pick<ArrayMetadata, "chunks" | "isRectilinear">;

/**
 * Edges along each dimension, in elements: of the chunks, or of the shards. A rectilinear grid whose edges are all alike
 * is read as the regular one that it is.
 *
 * @throws RefscopeError `metadata-invalid`, or `chunk-grid-unsupported`
 */
export function readChunkGridV3(reader: MemberReader, shape: readonly number[]): ChunkGridV3 {
  const { name } = readExtension(reader, reader.value("chunk_grid"), "/chunk_grid", "a chunk grid");
  const configuration = memberOf(reader.node("chunk_grid"), "configuration");
  if (name === "rectilinear") return { chunks: readRectilinear(reader, configuration, shape), isRectilinear: true };
  if (name !== "regular") throw unsupported(reader, "/chunk_grid/name", JSON.stringify(name.slice(0, 80)));
  const node = memberOf(configuration, "chunk_shape");
  return { chunks: readChunkShape(reader, node, "/chunk_grid/configuration/chunk_shape", shape) };
}

const unsupported = (reader: MemberReader, pointer: string, found: string) =>
  reader.failure("chunk-grid-unsupported", pointer, { found });

const ENCODED = "encoded_chunk_shapes";

/**
 * A length for the whole dimension, or a list of lengths and `[length, count]`. As zarr-python reads them the lengths may
 * add up to more than the dimension has: the chunk at the end is encoded whole, and one that lies wholly past it is none.
 */
function readRectilinear(
  reader: MemberReader,
  configuration: JsonNode | undefined,
  shape: readonly number[],
): readonly ChunkEdges[] {
  const at = "/chunk_grid/configuration";
  const kind = memberOf(configuration, "kind");
  if (kind?.kind !== "scalar" || typeof kind.value !== "string") {
    throw reader.invalid(`${at}/kind`, '"inline"', kind && jsonValueOf(kind));
  }
  if (kind.value !== "inline") {
    throw unsupported(reader, `${at}/kind`, `"rectilinear" of kind ${JSON.stringify(kind.value.slice(0, 80))}`);
  }
  // Proposed (zarr-extensions pull request 75): chunks that are encoded longer than they are declared.
  if (memberOf(configuration, ENCODED) !== undefined) {
    throw unsupported(reader, `${at}/${ENCODED}`, `"rectilinear" with "${ENCODED}"`);
  }
  const pointer = `${at}/chunk_shapes`;
  const node = memberOf(configuration, "chunk_shapes");
  const expected = `a list of ${shape.length} lengths or lists of lengths, as many as shape has`;
  if (node?.kind !== "array") throw reader.invalid(pointer, expected, node && jsonValueOf(node));
  if (node.items.length > MAX_DIMENSIONS || node.items.length !== shape.length) {
    throw reader.invalid(pointer, expected, node.items.length);
  }
  return node.items.map((item, dimension) => readEdges(reader, item, `${pointer}/${dimension}`, shape[dimension] ?? 0));
}

function readEdges(reader: MemberReader, node: JsonNode, pointer: string, length: number): ChunkEdges {
  if (node.kind !== "array") return readPositive(reader, node, pointer);
  if (node.items.length === 0) throw reader.invalid(pointer, "at least one chunk length", []);
  const runs = node.items.map((item, index) => readRun(reader, item, `${pointer}/${index}`));
  const edges = edgesOf(length, runs);
  if (edges !== undefined) return edges;
  const sum = runs.reduce((total, run) => total + run.length * run.count, 0);
  throw reader.invalid(pointer, `lengths that add up to at least ${length}, as the dimension is long`, sum);
}

function readRun(reader: MemberReader, node: JsonNode, pointer: string): EdgeRun {
  if (node.kind !== "array") return { length: readPositive(reader, node, pointer), count: 1 };
  const [length, count, ...more] = node.items;
  if (length === undefined || count === undefined || more.length > 0) {
    throw reader.invalid(pointer, "a length, or a length and how often it is repeated", jsonValueOf(node));
  }
  return {
    length: readPositive(reader, length, `${pointer}/0`),
    count: readPositive(reader, count, `${pointer}/1`, "a count"),
  };
}

function readPositive(reader: MemberReader, node: JsonNode, pointer: string, what = "a chunk length"): number {
  const value = jsonValueOf(node);
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 1) {
    throw reader.invalid(
      pointer,
      `${what}: an integer of at least 1${typeof value === "bigint" ? ", below 2^53" : ""}`,
      value,
    );
  }
  reader.noteFraction(node, pointer);
  return value;
}
