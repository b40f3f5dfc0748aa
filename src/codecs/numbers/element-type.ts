/**
 * Element types that filters name in their configuration (`dtype`, `astype`), as NumPy reads names: `<i2`, `|u1`,
 * `float32`.
 */
import { swapBytes } from "#core/values/byte-order.ts";
import type { DataType } from "#core/metadata/data-type.ts";
import { fromFloat16, toFloat16 } from "#core/values/float16.ts";
import type { JsonObject } from "#core/json/json.ts";
import { badConfiguration, brief, decodeFailed, numpyType, stringMember } from "../codec.ts";

export interface ElementType {
  readonly kind: "bool" | "int" | "uint" | "float";
  /** Bytes: 1, 2, 4 or 8. */
  readonly size: number;
  readonly big: boolean;
  readonly text: string;
}

/** 64-bit integers are bigints, all else numbers; booleans are 0 and 1. */
export type Elements = Float64Array<ArrayBuffer> | BigInt64Array<ArrayBuffer> | BigUint64Array<ArrayBuffer>;

/** Throws `codec-configuration` where the member is not a numeric type; `undefined` where it is absent or null. */
export function elementTypeMember(codec: string, configuration: JsonObject, member: string): ElementType | undefined {
  const text = stringMember(codec, configuration, member);
  if (text === undefined) return undefined;
  const type = elementTypeOf(numpyType(text));
  if (type !== undefined) return { ...type, text };
  const expected = "a boolean, integer or float type such as <i2, |u1 or >f8";
  throw badConfiguration(codec, member, expected, brief(text));
}

/** The float type of which the member's complex type has two an element; `undefined` where it is none. */
export function complexMember(codec: string, configuration: JsonObject, member: string): ElementType | undefined {
  const text = stringMember(codec, configuration, member);
  const type = text === undefined ? undefined : numpyType(text);
  if (type?.kind !== "complex" || text === undefined || type.itemSize > 16) return undefined;
  return { kind: "float", size: type.itemSize / 2, big: type.byteOrder === "big", text };
}

/** Reads like `elementTypeMember`, but the member is required. */
export function requiredElementType(codec: string, configuration: JsonObject, member: string): ElementType {
  const type = elementTypeMember(codec, configuration, member);
  if (type === undefined) throw badConfiguration(codec, member, "the type of the elements", "nothing");
  return type;
}

/** `undefined` where the elements are not booleans, integers or floats of at most 64 bits. */
export function elementTypeOf(type: DataType | undefined): ElementType | undefined {
  if (type === undefined || type.itemSize > 8) return undefined;
  const { kind, itemSize: size, byteOrder, text } = type;
  if (kind !== "bool" && kind !== "int" && kind !== "uint" && kind !== "float") return undefined;
  return { kind, size, big: byteOrder === "big", text };
}

/** NumPy's name of it: `<i2`, `|u1`. */
export function numpyName({ kind, size, big }: ElementType): string {
  const order = size === 1 ? "|" : big ? ">" : "<";
  return `${order}${kind === "bool" ? "b" : kind.slice(0, 1)}${size}`;
}

export function isSameType(one: ElementType, other: ElementType): boolean {
  return one.kind === other.kind && one.size === other.size && (one.size === 1 || one.big === other.big);
}

/** Range of an integer type. */
export function integerRange({ kind, size }: ElementType): readonly [minimum: bigint, maximum: bigint] {
  const bits = BigInt(8 * size);
  return kind === "int" ? [-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n] : [0n, 2n ** bits - 1n];
}

export const isLong = (type: ElementType): boolean => type.size === 8 && type.kind !== "float";

/** Reads bytes as elements. Throws `decode-failed` where their number is not a multiple of the element's size. */
export function readElements(codec: string, bytes: Uint8Array<ArrayBuffer>, type: ElementType): Elements {
  if (bytes.length % type.size !== 0) {
    throw decodeFailed(codec, `whole elements of type ${type.text}, ${type.size} bytes each`, `${bytes.length} bytes`);
  }
  if (type.kind === "bool") return Float64Array.from(bytes, (byte) => (byte === 0 ? 0 : 1));
  const isAligned = bytes.byteOffset % type.size === 0;
  const little = type.big ? swapBytes(bytes, type.size) : isAligned ? bytes : new Uint8Array(bytes);
  const { buffer, byteOffset } = little;
  const count = bytes.length / type.size;
  if (isLong(type)) {
    const Long = type.kind === "int" ? BigInt64Array : BigUint64Array;
    return new Long(buffer, byteOffset, count);
  }
  if (type.kind === "float" && type.size === 2) {
    return Float64Array.from(new Uint16Array(buffer, byteOffset, count), fromFloat16);
  }
  return new Float64Array(new (viewOf(type))(buffer, byteOffset, count));
}

/** Numbers as bytes of a type: floats are rounded; integers must have been made whole and wrap. */
export function writeNumbers(numbers: Float64Array, type: ElementType): Uint8Array<ArrayBuffer> {
  const Target = viewOf(type);
  const isHalf = type.kind === "float" && type.size === 2;
  const written = isHalf ? Uint16Array.from(numbers, toFloat16) : new Target(numbers);
  return inOrder(new Uint8Array(written.buffer), type);
}

export function writeLongs(longs: BigInt64Array | BigUint64Array, type: ElementType): Uint8Array<ArrayBuffer> {
  return inOrder(new Uint8Array(longs.slice().buffer), type);
}

function inOrder(bytes: Uint8Array<ArrayBuffer>, type: ElementType): Uint8Array<ArrayBuffer> {
  return type.big ? swapBytes(bytes, type.size) : bytes;
}

/** JavaScript's array of such numbers; of half precision, for which there is none, float64. */
export function viewOf(type: ElementType) {
  if (type.kind === "float") return type.size === 4 ? Float32Array : Float64Array;
  if (type.kind === "int") return type.size === 1 ? Int8Array : type.size === 2 ? Int16Array : Int32Array;
  return type.size === 1 ? Uint8Array : type.size === 2 ? Uint16Array : Uint32Array;
}
