/** `transpose` (Zarr v3 core codec): dimension i of the encoded chunk is dimension `order[i]` of the chunk. */
import { gather, stridesC } from "#core/values/gather.ts";
import type { JsonObject, JsonValue } from "#core/json/json.ts";
import { variablePlaces, writeVariable } from "#core/values/variable-elements.ts";
import { badConfiguration, brief, type Bytes, type ChunkOutline, decodeFailed, type Decoder } from "../codec.ts";

export const transpose: Decoder = {
  prepare: (configuration, array) => {
    const order = orderMember(configuration, array.chunkShape.length);
    return { label: `transpose, [${order.join(", ")}]`, decode: (input) => turnBack(input, order, array) };
  },
  encoded: (configuration, array) => {
    const order = orderMember(configuration, array.chunkShape.length);
    return { ...array, chunkShape: order.map((dimension) => array.chunkShape[dimension] ?? 1) };
  },
};

/** A list, or as drafts of the specification had it "C" (as it is) or "F" (turned round). */
function orderMember(configuration: JsonObject, rank: number): readonly number[] {
  const order = configuration.get("order");
  const dimensions = Array.from({ length: rank }, (_, dimension) => dimension);
  if (order === "C") return dimensions;
  if (order === "F") return dimensions.toReversed();
  const list: readonly JsonValue[] = Array.isArray(order) ? order : [];
  const isOrder = Array.isArray(order) && list.length === rank && dimensions.every((at) => list.includes(at));
  if (isOrder) return list as readonly number[];
  const expected = `each dimension from 0 to ${rank - 1} once, as the chunk has ${rank}`;
  const found = Array.isArray(order) ? `[${list.slice(0, 40).map(brief).join(", ")}]` : brief(order);
  throw badConfiguration(
    "transpose",
    "order",
    rank === 0 ? "an empty list, as the chunk has no dimensions" : expected,
    found,
  );
}

function turnBack(input: Bytes, order: readonly number[], array: ChunkOutline) {
  const { chunkShape, elements, dataType } = array;
  const strides = sourceStrides(chunkShape, order);
  if (isUnmoved(chunkShape, order)) return input;
  if (dataType.kind === "object") return reorderVariable(input, chunkShape, strides) ?? notVariable(input);
  // Filters after it in the list may have given another type than the array's elements.
  const itemSize = elements === 0 ? 0 : input.length / elements;
  if (!Number.isInteger(itemSize)) {
    throw decodeFailed("transpose", `${elements} elements of one size`, `${input.length} bytes`);
  }
  return gather(input, chunkShape, strides, itemSize);
}

/** Strides of the encoded chunk by dimension of the chunk, in elements. */
function sourceStrides(shape: readonly number[], order: readonly number[]): readonly number[] {
  const encoded = stridesC(order.map((dimension) => shape[dimension] ?? 1));
  return shape.map((_, dimension) => encoded[order.indexOf(dimension)] ?? 1);
}

/** True if the dimensions longer than 1 keep their order. */
function isUnmoved(shape: readonly number[], order: readonly number[]): boolean {
  const long = order.filter((dimension) => shape[dimension] !== 1);
  return long.every((dimension, at) => at === 0 || (long[at - 1] ?? 0) < dimension);
}

/** `undefined` where the bytes are not elements of any size, as many as the shape says. */
export function reorderVariable(bytes: Bytes, shape: readonly number[], strides: readonly number[]): Bytes | undefined {
  const places = variablePlaces(bytes);
  const elements = shape.reduce((product, length) => product * length, 1);
  if (typeof places === "string" || places.length !== 2 * elements) return undefined;
  const numbers = new Uint8Array(Uint32Array.from({ length: elements }, (_, at) => at).buffer);
  const sources = new Uint32Array(gather(numbers, shape, strides, 4).buffer);
  return writeVariable(Array.from(sources, (at) => bytes.subarray(places[2 * at], places[2 * at + 1])));
}

function notVariable(input: Uint8Array): never {
  throw decodeFailed(
    "transpose",
    "text or byte strings, as vlen-utf8 and vlen-bytes give them",
    `${input.length} bytes`,
  );
}
