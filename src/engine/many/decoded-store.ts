/**
 * A dataset as a Zarr v2 store without codecs (Zarr storage specification version 2): each chunk comes decoded, so that
 * a reader needs no codec of its own for GRIB, JPEG 2000, shards or templates. Texts are encoded as numcodecs' `vlen-utf8`.
 */
import type { CallContext } from "../../core/byte-source.ts";
import { RefscopeError } from "../../core/findings/finding.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../core/json/json.ts";
import { writeJson } from "../../core/json/parse-json.ts";
import { joinBytes } from "../../core/join-bytes.ts";
import type { ArrayMetadata, ArrayNode, HierarchyNode } from "../../core/metadata/array-metadata.ts";
import { cellCount, gridOf, largestShape, ordinalOf, parseChunkName } from "../../core/metadata/chunk-grid.ts";
import { copyBox, stridesC } from "../../core/values/gather.ts";
import { decodeValues } from "../../core/values/values.ts";
import type { EngineSet } from "../engine-set.ts";
import { chunkReference } from "../chunk/chunk-reference.ts";
import { elementJson, readPart } from "./array-part.ts";
import type { ChunkDecoder } from "./chunk-decoder.ts";
import { littleTypeText, writtenFill, writtenType } from "./written-elements.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** By key, without a leading slash; `undefined` where the store has no such object. Throws where a chunk fails. */
export async function decodedObject(
  set: EngineSet,
  key: string,
  decoder: ChunkDecoder,
  context: CallContext,
): Promise<Bytes | undefined> {
  const at = key.lastIndexOf("/");
  const [path, name] = [key.slice(0, Math.max(0, at)), key.slice(at + 1)];
  if (key === ".zmetadata") return utf8(consolidated(set));
  const node = set.hierarchy.nodes.get(path);
  if (node === undefined) return undefined;
  const document = documentsOf(node).get(name);
  if (document !== undefined) return utf8(document);
  return node.kind === "array" ? decodedChunk(set, node, name, decoder, context) : undefined;
}

const utf8 = (text: string): Bytes => new TextEncoder().encode(text);

/** `of`: what is written of each node. */
export function consolidated({ hierarchy }: EngineSet, of: typeof documentsOf = documentsOf): string {
  const documents = [...hierarchy.nodes.values()].flatMap((node) =>
    Array.from(
      of(node),
      ([name, text]) => `${JSON.stringify(node.path === "" ? name : `${node.path}/${name}`)}:${text}`,
    ),
  );
  return `{"metadata":{${documents.join(",")}},"zarr_consolidated_format":1}`;
}

/** Of a node that cannot be read there are none. */
export function documentsOf(node: HierarchyNode): ReadonlyMap<string, string> {
  if (node.kind === "group")
    return new Map([
      [".zgroup", '{"zarr_format":2}'],
      [".zattrs", attributesOf(node.attributes)],
    ]);
  if (node.kind !== "array") return new Map();
  const { metadata, attributes } = node;
  return new Map([
    [".zarray", arrayDocument(metadata)],
    [".zattrs", attributesOf(attributes, metadata.dimensionNames)],
  ]);
}

function attributesOf(attributes: JsonValue | undefined, names?: ArrayMetadata["dimensionNames"]): string {
  const own: JsonObject = isJsonObject(attributes) ? attributes : new Map();
  const dimensions = names?.every((name) => name !== undefined) === true ? names : undefined;
  return writeJson(
    strict(dimensions === undefined ? own : new Map([...own, ["_ARRAY_DIMENSIONS", dimensions as JsonValue]])),
  );
}

/** NaN and the infinities, which JSON has no word for, as Zarr writes them in fill values. */
function strict(value: JsonValue): JsonValue {
  if (typeof value === "number" && !Number.isFinite(value))
    return Number.isNaN(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
  if (isJsonObject(value)) return new Map([...value].map(([key, one]) => [key, strict(one)]));
  return Array.isArray(value) ? (value as readonly JsonValue[]).map(strict) : value;
}

function arrayDocument(metadata: ArrayMetadata): string {
  const isText = metadata.dataType.kind === "object";
  return [
    `{"chunks":${JSON.stringify(largestShape(metadata.chunks))},"compressor":null,"dtype":${JSON.stringify(littleTypeText(metadata))}`,
    `"fill_value":${fillText(metadata)},"filters":${isText ? '[{"id":"vlen-utf8"}]' : "null"},"order":"C"`,
    `"shape":${JSON.stringify(metadata.shape)},"zarr_format":2}`,
  ].join(",");
}

function fillText(metadata: ArrayMetadata): string {
  const { fillValue, zarrFormat, dataType } = metadata;
  if (fillValue === null || dataType.kind === "object") return "null";
  if (zarrFormat === 2) return writeJson(strict(fillValue));
  const fill = writtenFill(metadata);
  return fill === undefined
    ? "null"
    : elementJson(decodeValues(fill, { dataType: writtenType(metadata), chunks: [1], order: "C" }), 0);
}

async function decodedChunk(
  set: EngineSet,
  node: ArrayNode,
  name: string,
  decoder: ChunkDecoder,
  context: CallContext,
): Promise<Bytes | undefined> {
  const { shape, chunks, dataType, fillValue } = node.metadata;
  const lengths = largestShape(chunks);
  const grid = gridOf(shape, lengths);
  const coordinates = shape.length === 0 && name === "0" ? [] : parseChunkName(name, grid.length, ".");
  if (coordinates === undefined || ordinalOf(grid, coordinates) === undefined) return undefined;
  const isAlike = gridOf(shape, chunks).join() === grid.join();
  // What is missing is for the reader to fill, where there is something to fill it with.
  const isFilled = fillValue !== null && dataType.kind !== "object" && isAlike;
  if (isFilled && (await chunkReference(set, node, coordinates, context)).state === "missing") return undefined;
  const selection = shape.map((length, axis) => {
    const start = (coordinates[axis] ?? 0) * (lengths[axis] ?? 1);
    return { start, step: 1, count: Math.min(lengths[axis] ?? 1, length - start), dropped: false };
  });
  const part = await readPart({ set, node, selection, cf: false, decoder }, context);
  for (const failed of part.failed.values()) throw new RefscopeError(failed);
  if (dataType.kind !== "object") return padded(part.bytes, part.shape, lengths);
  const texts = (JSON.parse(new TextDecoder().decode(part.bytes)) as readonly unknown[]).map(textOf);
  return vlenUtf8(paddedTexts(texts, part.shape, lengths));
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Zarr stores chunks at the edge whole. */
function padded(bytes: Bytes, from: readonly number[], to: readonly number[]): Bytes {
  if (from.join() === to.join()) return bytes;
  const size = bytes.length / Math.max(1, cellCount(from));
  const whole = new Uint8Array(cellCount(to) * size);
  const [fromSteps, toSteps] = [stridesC(from), stridesC(to)];
  const dimensions = from.map((count, axis) => ({
    count,
    fromStep: fromSteps[axis] ?? 0,
    toStep: toSteps[axis] ?? 0,
  }));
  copyBox(bytes, whole, { from: 0, to: 0, dimensions }, size);
  return whole;
}

/** By their number from 1 on; 0 is none. */
function paddedTexts(texts: readonly string[], from: readonly number[], to: readonly number[]): readonly string[] {
  const numbers = Uint32Array.from(texts, (_, at) => at + 1);
  const whole = new Uint32Array(padded(new Uint8Array(numbers.buffer), from, to).buffer);
  return Array.from(whole, (number) => texts[number - 1] ?? "");
}

/** numcodecs' VLenUTF8: how many, then each with its length before it, little-endian. */
function vlenUtf8(texts: readonly string[]): Bytes {
  const number = (value: number): Bytes => new Uint8Array(Uint32Array.of(value).buffer);
  return joinBytes([number(texts.length), ...texts.flatMap((text) => [number(utf8(text).length), utf8(text)])]);
}
