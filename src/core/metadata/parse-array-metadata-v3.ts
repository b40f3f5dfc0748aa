/**
 * Zarr v3 array metadata (`zarr.json` with `node_type` "array", Zarr v3 §"Array metadata"). What the specification
 * forbids but can be understood is a finding; what cannot be understood is an error.
 */
import { attempt } from "../basics.ts";
import type { ArrayMetadata, CodecConfiguration } from "./array-metadata.ts";
import { MAX_DIMENSIONS, readChunkShape, readShape } from "./array-shape.ts";
import { type ChunkEdges, type EdgeRun, edgesOf, inUnits, type KeySeparator, lengthsAlong } from "./chunk-grid.ts";
import { type CodecTable, type CodecTraits, orderProblem } from "./codec-table.ts";
import { needsByteOrder, readDataTypeV3, withByteOrder } from "./data-type-v3.ts";
import type { ByteOrder, DataType, ScalarType } from "./data-type.ts";
import { dimensionNames } from "./dimension-names.ts";
import { noteUnknownMembers, readExtension } from "./extension-v3.ts";
import { fillBytes, fromBase64 } from "../values/fill-bytes.ts";
import { fillTexts, fillValueProblem } from "../values/fill-value-problem.ts";
import type { FactsOf, Finding } from "../findings/finding.ts";
import { isJsonObject, memberOf } from "../json/json.ts";
import type { JsonNode, JsonObject, JsonObjectNode, JsonValue } from "../json/json.ts";
import { memberReader, type MemberReader, metadataRoot, type ReadDocument } from "./member-reader.ts";
import type { ParsedArrayMetadata } from "./parse-array-metadata.ts";
import { jsonValueOf } from "../json/parse-json.ts";

// The member `codecs` of Zarr v3 array metadata (§"Codecs"), with the lists inside `sharding_indexed` (ZEP 2).

const MAX_CODECS = 64;

/** A list of codecs, in the order of encoding. */
interface CodecsV3 {
  readonly codecs: readonly CodecConfiguration[];
  /** Byte order of the codec `bytes`, the innermost one if there is sharding; `undefined` if none states it. */
  readonly byteOrder: ByteOrder | undefined;
  /** Configuration of sharding, if `sharding_indexed` is the only codec. */
  readonly sharding: ShardingV3 | undefined;
}

interface ShardingV3 {
  /** Shape of an inner chunk. */
  readonly chunkShape: readonly number[];
  readonly inner: CodecsV3;
  readonly index: CodecsV3;
  readonly indexLocation: "start" | "end";
}

/** Array that a list of codecs encodes. */
interface CodecInput {
  readonly dataType: DataType;
  /** Shape of the incoming array, of unequal chunks or shards of all; `undefined` after a codec that may change it in unknown ways. */
  readonly shape: readonly ChunkEdges[] | undefined;
  readonly codecs: CodecTable;
}

/**
 * @param value the list; as zarr-python's prototypes wrote it, `null` too
 * @throws RefscopeError `metadata-invalid`, or `shard-chunks-uneven`
 */
function readCodecsV3(reader: MemberReader, value: JsonValue | undefined, pointer: string, input: CodecInput) {
  if (value === undefined || value === null) return noCodecs(reader, pointer);
  const read: ReadCodec[] = [];
  let shape = input.shape;
  for (const [index, item] of reader.list(pointer, value, "codecs", MAX_CODECS).entries()) {
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

// The member `chunk_grid` of Zarr v3 array metadata (§"Chunk grid"; zarr-extensions, chunk-grids/rectilinear).

type ChunkGridV3 = Pick<ArrayMetadata, "chunks" | "isRectilinear">;

/**
 * Edges along each dimension, in elements: of the chunks, or of the shards. A rectilinear grid whose edges are all alike
 * is read as the regular one that it is.
 *
 * @throws RefscopeError `metadata-invalid`, or `chunk-grid-unsupported`
 */
function readChunkGridV3(reader: MemberReader, shape: readonly number[]): ChunkGridV3 {
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
function readRectilinear(reader: MemberReader, configuration: JsonNode | undefined, shape: readonly number[]) {
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

// The member `fill_value` of Zarr v3 array metadata (§"Data types": each has its own form).

const AT = "/fill_value";

/** Fill value as written; a value that does not fit the data type is a finding. */
function readFillValueV3(reader: MemberReader, type: DataType): JsonValue {
  const value = reader.value("fill_value");
  const note = (problem: FactsOf<"fill-value-odd">["problem"], expected?: string): void =>
    reader.note("fill-value-odd", AT, { problem, ...fillTexts(value ?? null, type), expected });
  if (value === undefined) {
    reader.note("fill-value-missing", AT, { version: 3 });
    return null;
  }
  if (type.kind === "object") {
    const expected = objectProblem(value, type.text);
    if (expected !== undefined) note("misfit", expected);
  } else if (value === null) {
    note("null");
  } else if (fillBytes(value, type) === undefined) {
    const problem = fillValueProblem(value, type);
    if (problem === undefined) note("no-bytes");
    else reader.note("fill-value-odd", AT, { ...problem, problem: "misfit" });
  } else {
    const expected = looseProblem(value, type);
    if (expected !== undefined) note("loose", expected);
  }
  return value;
}

/** Form that Zarr v3 requires instead of a value that is read as zero all the same. */
function looseProblem(value: JsonValue, { kind }: DataType): string | undefined {
  if (kind === "unicode" && typeof value !== "string") return "a text";
  return kind === "bool" && typeof value !== "boolean" ? "true or false" : undefined;
}

/** Form that would fit instead; unknown types may have any. */
function objectProblem(value: JsonValue, type: string): string | undefined {
  if (type === "string" || type === "variable_length_utf8") return typeof value === "string" ? undefined : "a text";
  if (type !== "bytes" && type !== "variable_length_bytes") return undefined;
  const isList = Array.isArray(value) && (value as readonly JsonValue[]).every((item) => typeof item === "number");
  const isBase64 = typeof value === "string" && fromBase64(value) !== undefined;
  return isList || isBase64 ? undefined : "bytes in base64 or a list of numbers";
}

const MEMBERS: ReadonlySet<string> = new Set([
  "zarr_format",
  "node_type",
  "shape",
  "data_type",
  "chunk_grid",
  "chunk_key_encoding",
  "fill_value",
  "codecs",
  "attributes",
  "storage_transformers",
  "dimension_names",
]);

/**
 * @param text the `zarr.json` document
 * @param table codecs by their names, to judge the list of them
 * @throws RefscopeError `metadata-invalid`, `chunk-grid-unsupported`, `chunk-keys-unsupported` or `shard-chunks-uneven`, whose `where` is a JSON pointer (RFC 6901)
 */
export function parseArrayMetadataV3(text: string, table: CodecTable): ParsedArrayMetadata {
  const findings: Finding[] = [];
  return readArrayMetadataV3(metadataRoot(text, findings, documentV3("")), findings, table);
}

export const documentV3 = (path: string): ReadDocument => ({ path, name: "zarr.json" });

/** The same from a document that is parsed; adds to `findings`, and gives them back. */
export function readArrayMetadataV3(
  root: JsonObjectNode,
  findings: Finding[],
  table: CodecTable,
  path = "",
): ParsedArrayMetadata {
  const reader = memberReader(root, findings, documentV3(path));
  reader.requireFormat(3, ".zarray");
  requireArray(reader);
  const shape = readShape(reader);
  const type = readDataTypeV3(reader);
  const { chunks, ...written } = readChunkGridV3(reader, shape);
  const separator = readKeyEncoding(reader);
  const codecs = readCodecsV3(reader, reader.value("codecs"), "/codecs", {
    dataType: type,
    shape: chunks,
    codecs: table,
  });
  const dataType = codecs.byteOrder === undefined ? type : withByteOrder(type, codecs.byteOrder);
  const transformers = readTransformers(reader);
  const metadata: ArrayMetadata = {
    zarrFormat: 3,
    shape,
    ...written,
    ...layoutOf(codecs, chunks, separator),
    dataType,
    order: "C",
    ...(transformers.length === 0 ? {} : { storageTransformers: transformers }),
    fillValue: readFillValueV3(reader, dataType),
    dimensionNames: readDimensionNames(reader, shape.length),
  };
  requireEncodable(reader, metadata, codecs, table);
  noteUnknownMembers(reader, MEMBERS);
  return { metadata, findings };
}

/** Requires a fill value that the first codec changing values can encode: it gets the value unchanged. */
function requireEncodable(
  reader: MemberReader,
  { dataType, fillValue }: ArrayMetadata,
  { codecs }: CodecsV3,
  table: CodecTable,
): void {
  const first = codecs.find(({ id }) => id !== "transpose" && id !== "reshape");
  const expected = first && table(first.id)?.fillProblem?.(first.configuration, dataType, fillValue);
  if (expected !== undefined) throw reader.invalid("/fill_value", expected, fillValue);
}

type Layout = Pick<ArrayMetadata, "chunks" | "decoding" | "separator" | "sharding">;

/** Chunk layout: inner chunks if sharding is the only codec; otherwise sharding is a codec like any. */
function layoutOf({ codecs, sharding }: CodecsV3, chunks: readonly ChunkEdges[], separator: KeySeparator): Layout {
  if (sharding === undefined) return { chunks, decoding: codecs.toReversed(), separator };
  return {
    chunks: sharding.chunkShape,
    decoding: sharding.inner.codecs.toReversed(),
    separator: ".",
    sharding: {
      shape: chunks,
      indexLocation: sharding.indexLocation,
      indexCodecs: sharding.index.codecs.toReversed(),
      separator,
    },
  };
}

function requireArray(reader: MemberReader): void {
  const type = reader.value("node_type");
  if (type !== "array") throw reader.invalid("/node_type", '"array"', type);
}

/**
 * Separator of an array whose metadata cannot be read for another reason; the default one if the encoding cannot be
 * read either.
 */
export const keySeparatorOf = (root: JsonObjectNode, path: string): KeySeparator =>
  attempt(() => readKeyEncoding(memberReader(root, [], documentV3(path))), "c/");

function readKeyEncoding(reader: MemberReader): KeySeparator {
  const value = reader.value("chunk_key_encoding");
  if (value === undefined) {
    reader.note("member-missing", "/chunk_key_encoding", { member: "chunk_key_encoding" });
    return "c/";
  }
  const { name, configuration } = readExtension(reader, value, "/chunk_key_encoding", "a chunk key encoding");
  if (name !== "default" && name !== "v2") {
    throw reader.failure("chunk-keys-unsupported", "/chunk_key_encoding/name", { found: name.slice(0, 80) });
  }
  const separator = configuration.get("separator") ?? (name === "v2" ? "." : "/");
  if (separator !== "." && separator !== "/") {
    throw reader.invalid("/chunk_key_encoding/configuration/separator", '"." or "/"', separator);
  }
  return name === "v2" ? separator : `c${separator}`;
}

const MAX_TRANSFORMERS = 64;

/** No storage transformer is specified. zarr-python refuses arrays that have one; others read as if there were none. */
function readTransformers(reader: MemberReader): readonly CodecConfiguration[] {
  const value = reader.value("storage_transformers");
  if (value === undefined || value === null) return [];
  const at = "/storage_transformers";
  if (!Array.isArray(value)) throw reader.invalid(at, "a list of storage transformers", value);
  const list = value as readonly JsonValue[];
  if (list.length > MAX_TRANSFORMERS) throw reader.invalid(at, `at most ${MAX_TRANSFORMERS}`, list.length);
  const transformers = list.map((item, index) => {
    const { name, configuration } = readExtension(reader, item, `${at}/${index}`, "a storage transformer");
    return { id: name, configuration };
  });
  if (transformers.length > 0) {
    reader.note("storage-transformers", at, { names: transformers.map(({ id }) => id) });
  }
  return transformers;
}

function readDimensionNames(reader: MemberReader, rank: number): ArrayMetadata["dimensionNames"] {
  const names = reader.value("dimension_names");
  if (names === undefined || names === null) return undefined;
  const member = "dimension_names";
  return dimensionNames(names, rank, {
    odd: (problem) => reader.note("dimension-names-odd", `/${member}`, { member, problem }),
    rank: (count) => reader.note("dimension-names-rank", `/${member}`, { member, names: count, dimensions: rank }),
  });
}
