/** The member `codecs` of Zarr v3 array metadata (§"Codecs"), with the lists inside `sharding_indexed` (ZEP 2). */
import type { CodecConfiguration } from "./array-metadata.ts";
import { type ChunkEdges, inUnits, lengthsAlong } from "./chunk-edges.ts";
import { orderProblem, type CodecTable, type CodecTraits } from "./codec-table.ts";
import type { ByteOrder, DataType, ScalarType } from "./data-type.ts";
import { needsByteOrder } from "./data-type-v3.ts";
import { readExtension } from "./extension-v3.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "./json.ts";
import type { MemberReader } from "./member-reader.ts";

const MAX_CODECS = 64;

/** A list of codecs, in the order of encoding. */
export interface CodecsV3 {
  readonly codecs: readonly CodecConfiguration[];
  /** What the codec `bytes` says, the innermost one where there is sharding; `undefined` where none does. */
  readonly byteOrder: ByteOrder | undefined;
  /** Where the only codec is `sharding_indexed`. */
  readonly sharding: ShardingV3 | undefined;
}

export interface ShardingV3 {
  /** Shape of an inner chunk. */
  readonly chunkShape: readonly number[];
  readonly inner: CodecsV3;
  readonly index: CodecsV3;
  readonly indexLocation: "start" | "end";
}

/** What a list of codecs is given to encode. */
export interface CodecInput {
  readonly dataType: DataType;
  /** Shape of the incoming array, of unequal chunks or shards of all; `undefined` after a codec that may change it in unknown ways. */
  readonly shape: readonly ChunkEdges[] | undefined;
  readonly codecs: CodecTable;
}

/**
 * @param value the list; as zarr-python's prototypes wrote it, `null` too
 * @throws RefscopeError `metadata-invalid`, or `shard-chunks-uneven`
 */
export function readCodecsV3(
  reader: MemberReader,
  value: JsonValue | undefined,
  pointer: string,
  input: CodecInput,
): CodecsV3 {
  if (value === undefined || value === null) return noCodecs(reader, pointer);
  if (!Array.isArray(value)) throw reader.invalid(pointer, "a list of codecs", value);
  const list = value as readonly JsonValue[];
  if (list.length > MAX_CODECS) throw reader.invalid(pointer, `at most ${MAX_CODECS} codecs`, list.length);
  const read: ReadCodec[] = [];
  let shape = input.shape;
  for (const [index, item] of list.entries()) {
    const codec = readCodec(reader, item, `${pointer}/${index}`, { ...input, shape });
    read.push(codec);
    shape = codec.shape;
  }
  const codecs = read.map(({ codec }) => codec);
  const problem = orderProblem(
    codecs.map(({ id }) => id),
    input.codecs,
  );
  if (problem !== undefined) reader.note("codec-order", pointer, problem);
  const only = read.length === 1 ? read[0]?.sharding : undefined;
  return { codecs, byteOrder: read.find(({ byteOrder }) => byteOrder !== undefined)?.byteOrder, sharding: only };
}

function noCodecs(reader: MemberReader, pointer: string): CodecsV3 {
  reader.note("member-missing", pointer, { member: "codecs" });
  return { codecs: [], byteOrder: undefined, sharding: undefined };
}

interface ReadCodec {
  readonly codec: CodecConfiguration;
  /** Shape of the resulting array, where there is one and it is known. */
  readonly shape: readonly ChunkEdges[] | undefined;
  readonly byteOrder?: ByteOrder | undefined;
  readonly sharding?: ShardingV3;
}

function readCodec(reader: MemberReader, value: JsonValue, pointer: string, input: CodecInput): ReadCodec {
  const { id, configuration } = readName(reader, value, pointer);
  const at = `${pointer}/configuration`;
  if (id === "bytes") return readBytes(reader, configuration, pointer, input);
  if (id === "transpose") return readTranspose(reader, configuration, at, input);
  if (id === "sharding_indexed") return readSharding(reader, configuration, at, input);
  return { codec: { id, configuration }, shape: keepsShape(input.codecs(id)) ? input.shape : undefined };
}

const keepsShape = (codec: CodecTraits | undefined): boolean =>
  codec?.kind === "array-array" && codec.changesShape !== true;

/** Zarr v2's spelling (`{"id": "zlib", "level": 1}`) is read too, as the first chunk manifests have it. */
function readName(reader: MemberReader, value: JsonValue, pointer: string): CodecConfiguration {
  const old = isJsonObject(value) && !value.has("name") ? value.get("id") : undefined;
  if (isJsonObject(value) && typeof old === "string" && old !== "") {
    reader.note("codec-spelling", pointer, { problem: "id", written: old });
    return { id: old, configuration: new Map([...value].filter(([key]) => key !== "id")) };
  }
  const { name, configuration } = readExtension(reader, value, pointer, "a codec");
  if (name !== "endian") return { id: name, configuration };
  reader.note("codec-spelling", pointer, { problem: "endian", written: name });
  return { id: "bytes", configuration };
}

function readBytes(
  reader: MemberReader,
  configuration: JsonObject,
  pointer: string,
  { dataType }: CodecInput,
): ReadCodec {
  const endian = configuration.get("endian") ?? undefined;
  const codec = { id: "bytes", configuration };
  if (endian === "little" || endian === "big") return { codec, shape: undefined, byteOrder: endian };
  if (endian !== undefined) throw reader.invalid(`${pointer}/configuration/endian`, '"little" or "big"', endian);
  if (needsByteOrder(dataType)) reader.note("codec-endian-missing", pointer, {});
  return { codec, shape: undefined };
}

/** Old metadata have "C" (nothing is turned) or "F" (the dimensions are reversed) for a list. */
function readTranspose(reader: MemberReader, configuration: JsonObject, at: string, { shape }: CodecInput): ReadCodec {
  const order = configuration.get("order");
  const pointer = `${at}/order`;
  if ((order === "C" || order === "F") && shape !== undefined) {
    reader.note("codec-spelling", pointer, { problem: "order", written: order });
    const written = [...shape.keys()];
    return transposed(configuration, order === "C" ? written : written.toReversed(), shape);
  }
  const list = Array.isArray(order) ? (order as readonly JsonValue[]) : [];
  const numbers = list.filter((item): item is number => typeof item === "number");
  const isPermutation = numbers.length === list.length && [...numbers].sort((a, b) => a - b).every((n, i) => n === i);
  if (!Array.isArray(order) || !isPermutation) throw reader.invalid(pointer, "each dimension's number once", order);
  if (shape !== undefined && list.length !== shape.length) {
    throw reader.invalid(pointer, `${shape.length} numbers, one a dimension`, order);
  }
  return transposed(configuration, numbers, shape);
}

function transposed(
  configuration: JsonObject,
  order: readonly number[],
  shape: readonly ChunkEdges[] | undefined,
): ReadCodec {
  const codec = { id: "transpose", configuration: new Map([...configuration, ["order", order]]) };
  return { codec, shape: shape && order.map((dimension) => shape[dimension] ?? 0) };
}

const INDEX_TYPE: ScalarType = { kind: "uint", itemSize: 8, byteOrder: "little", text: "uint64" };

function readSharding(reader: MemberReader, configuration: JsonObject, at: string, input: CodecInput): ReadCodec {
  const chunkShape = readInnerShape(reader, configuration.get("chunk_shape"), `${at}/chunk_shape`, input.shape);
  const inner = readCodecsV3(reader, configuration.get("codecs"), `${at}/codecs`, { ...input, shape: chunkShape });
  const index = readIndexCodecs(reader, configuration.get("index_codecs"), `${at}/index_codecs`, input, chunkShape);
  const indexLocation = configuration.get("index_location") ?? "end";
  if (indexLocation !== "start" && indexLocation !== "end") {
    throw reader.invalid(`${at}/index_location`, '"start" or "end"', indexLocation);
  }
  const normal = new Map<string, JsonValue>([
    ...configuration,
    ["codecs", asJson(inner.codecs)],
    ["index_codecs", asJson(index.codecs)],
    ["index_location", indexLocation],
  ]);
  const sharding = { chunkShape, inner, index, indexLocation } as const;
  const codec = { id: "sharding_indexed", configuration: normal };
  return { codec, shape: undefined, byteOrder: inner.byteOrder, sharding };
}

/** Codecs inside a codec, all written as objects with `name` and `configuration`. */
function asJson(codecs: readonly CodecConfiguration[]): JsonValue {
  return codecs.map(
    ({ id, configuration }) =>
      new Map<string, JsonValue>([
        ["name", id],
        ["configuration", configuration],
      ]),
  );
}

function readInnerShape(
  reader: MemberReader,
  value: JsonValue | undefined,
  pointer: string,
  shards: readonly ChunkEdges[] | undefined,
): readonly number[] {
  if (!Array.isArray(value)) throw reader.invalid(pointer, "a list of lengths", value);
  const chunk = (value as readonly JsonValue[]).map((length, dimension) => {
    if (typeof length === "number" && Number.isSafeInteger(length) && length > 0) return length;
    throw reader.invalid(`${pointer}/${dimension}`, "a chunk length of at least 1", length);
  });
  if (shards === undefined) return chunk;
  if (chunk.length !== shards.length) {
    throw reader.invalid(pointer, `${shards.length} lengths, as many as the shard has dimensions`, value);
  }
  const uneven = shards.map((edges, dimension) =>
    lengthsAlong(edges).find((length) => length % (chunk[dimension] ?? 1) !== 0),
  );
  if (uneven.every((length) => length === undefined)) return chunk;
  const shard = shards.map((edges, dimension) => uneven[dimension] ?? lengthsAlong(edges)[0] ?? 1);
  throw reader.failure("shard-chunks-uneven", pointer, { shard, chunk });
}

/** The index is an array of uint64: the shard's inner grid, then two (offset and length). */
function readIndexCodecs(
  reader: MemberReader,
  value: JsonValue | undefined,
  pointer: string,
  { shape: shard, codecs }: CodecInput,
  chunk: readonly number[],
): CodecsV3 {
  const shape = shard && [...shard.map((edges, dimension) => inUnits(edges, chunk[dimension] ?? 1)), 2];
  if (value === undefined) reader.note("member-missing", pointer, { member: "index_codecs" });
  const read = readCodecsV3(reader, value === undefined ? USUAL_INDEX : value, pointer, {
    dataType: INDEX_TYPE,
    shape,
    codecs,
  });
  // Codecs that are not known may be fixed.
  const variable = read.codecs.findIndex(({ id }) => codecs(id)?.hasFixedSize === false);
  if (variable < 0) return read;
  const expected = "a codec whose output has a fixed size, since nothing else says how long the index is";
  throw reader.invalid(`${pointer}/${variable}`, expected, read.codecs[variable]?.id);
}

const USUAL_INDEX: JsonValue = [
  new Map<string, JsonValue>([
    ["name", "bytes"],
    ["configuration", new Map([["endian", "little"]])],
  ]),
  new Map([["name", "crc32c"]]),
];
