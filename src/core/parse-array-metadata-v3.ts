/**
 * Zarr v3 array metadata (`zarr.json` with `node_type` "array", Zarr v3 §"Array metadata"). What the specification
 * forbids but can be understood is a finding; what cannot be understood is an error.
 */
import type { ArrayMetadata, CodecConfiguration } from "./array-metadata.ts";
import { readShape } from "./array-shape.ts";
import type { ChunkEdges } from "./chunk-edges.ts";
import { readChunkGridV3 } from "./chunk-grid-v3.ts";
import type { KeySeparator } from "./chunk-grid.ts";
import type { CodecTable } from "./codec-table.ts";
import { type CodecsV3, readCodecsV3 } from "./codecs-v3.ts";
import { readDataTypeV3, withByteOrder } from "./data-type-v3.ts";
import { dimensionNames } from "./dimension-names.ts";
import { noteUnknownMembers, readExtension } from "./extension-v3.ts";
import { readFillValueV3 } from "./fill-value-v3.ts";
import type { Finding } from "./findings/finding.ts";
import type { JsonObjectNode, JsonValue } from "./json.ts";
import { type MemberReader, memberReader, type ReadDocument } from "./member-reader.ts";
import { metadataRoot } from "./metadata-root.ts";
import type { ParsedArrayMetadata } from "./parse-array-metadata.ts";
import { jsonValueOf } from "./parse-json.ts";

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
  requireFormat3(reader);
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

/** By the first codec that changes values, which is given the fill value as it is. */
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

/** Where sharding is the only codec the array's chunks are the inner ones; else it is a codec like any. */
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

function requireFormat3(reader: MemberReader): void {
  const node = reader.node("zarr_format");
  const value = node === undefined ? undefined : jsonValueOf(node);
  if (value === 3) return reader.noteFraction(node, "/zarr_format");
  throw reader.invalid("/zarr_format", "3", value, value === 2 ? ".zarray" : undefined);
}

function requireArray(reader: MemberReader): void {
  const type = reader.value("node_type");
  if (type !== "array") throw reader.invalid("/node_type", '"array"', type);
}

/** Of metadata that cannot be read for another reason; where the encoding cannot be read either, the default one. */
export function keySeparatorOf(root: JsonObjectNode, path: string): KeySeparator {
  try {
    return readKeyEncoding(memberReader(root, [], documentV3(path)));
  } catch {
    return "c/";
  }
}

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
