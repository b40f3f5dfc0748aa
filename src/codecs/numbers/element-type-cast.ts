/**
 * Elements turned into another type as NumPy's `astype` turns them: integers wrap, floats are cut towards zero. What an
 * integer type cannot hold is undefined in C; these do as NumPy 2.4 does on x86-64 (measured, with and without SIMD).
 */
import { roundToFloat16 } from "#core/values/float16.ts";
import { isLong, isSameType, readElements, writeLongs, writeNumbers } from "./element-type.ts";
import type { Elements, ElementType } from "./element-type.ts";
import { decodeTooLarge } from "../codec.ts";

/** Bytes of one type as bytes of another. Throws `decode-failed`, `decode-too-large`. */
export function castBytes(
  codec: string,
  input: Uint8Array<ArrayBuffer>,
  types: { readonly from: ElementType; readonly to: ElementType },
  limit: number,
): Uint8Array<ArrayBuffer> {
  const { from, to } = types;
  refuseLarger(codec, input.length, types, limit);
  const elements = readElements(codec, input, from);
  // Copied bit by bit, so that NaNs keep their bits.
  return isSameType(from, to) ? input : castElements(elements, from, to);
}

/** Throws `decode-too-large`, before memory is taken. */
export function refuseLarger(
  codec: string,
  length: number,
  { from, to }: { readonly from: ElementType; readonly to: ElementType },
  limit: number,
): void {
  const size = Math.ceil(length / from.size) * to.size;
  if (size > limit) throw decodeTooLarge(codec, limit, `${size} bytes`);
}

/** `from` is what the elements were read as. */
export function castElements(elements: Elements, from: ElementType, to: ElementType): Uint8Array<ArrayBuffer> {
  if (to.kind === "bool") return booleans(elements);
  if (to.kind === "float") return writeNumbers(floats(elements, to), to);
  if (isLong(to)) return writeLongs(longs(elements, from, to), to);
  return writeNumbers(integers(elements, from, to), to);
}

function booleans(elements: Elements): Uint8Array<ArrayBuffer> {
  const result = new Uint8Array(elements.length);
  // NaN is true.
  for (let i = 0; i < result.length; i++) result[i] = Number(elements[i]) === 0 ? 0 : 1;
  return result;
}

function floats(elements: Elements, to: ElementType): Float64Array<ArrayBuffer> {
  if (elements instanceof Float64Array) return elements;
  const convert = to.size === 8 ? Number : forFloat32;
  const result = new Float64Array(elements.length);
  for (let i = 0; i < result.length; i++) result[i] = convert(elements[i] as bigint);
  return result;
}

/** A double that rounds to the same float32 as the integer does: rounding twice could go wrong. */
function forFloat32(value: bigint): number {
  if (value > -(2n ** 53n) && value < 2n ** 53n) return Number(value);
  const high = value >> 11n;
  const isCut = (value & 0x7ffn) !== 0n;
  return Number(isCut ? high | 1n : high) * 2048;
}

function longs(elements: Elements, from: ElementType, to: ElementType): BigInt64Array | BigUint64Array {
  if (!(elements instanceof Float64Array)) return elements;
  const convert = from.kind !== "float" ? BigInt : to.kind === "int" ? wholeLong : wholeUnsignedLong;
  const result = new BigInt64Array(elements.length);
  for (let i = 0; i < result.length; i++) result[i] = convert(elements[i] as number);
  return result;
}

/** At most 32 bits wide; larger values wrap when written. */
function integers(elements: Elements, from: ElementType, to: ElementType): Float64Array {
  if (!(elements instanceof Float64Array)) return lowHalves(elements);
  if (from.kind !== "float") return elements;
  return elements.map(to.kind === "uint" && to.size === 4 ? wholeUnsigned : whole);
}

function lowHalves(elements: BigInt64Array<ArrayBuffer> | BigUint64Array<ArrayBuffer>): Float64Array {
  const halves = new Int32Array(elements.buffer, elements.byteOffset, 2 * elements.length);
  const result = new Float64Array(elements.length);
  for (let i = 0; i < result.length; i++) result[i] = halves[2 * i] as number;
  return result;
}

const LEAST = -(2 ** 31);

/** The least integer represents what does not fit; types narrower than 32 bits take its low bits. */
function whole(value: number): number {
  const truncated = Math.trunc(value);
  return truncated >= LEAST && truncated < 2 ** 31 ? truncated : LEAST;
}

/** From 2^31 on by way of the difference. */
const wholeUnsigned = (value: number): number => (value >= 2 ** 31 ? whole(value - 2 ** 31) + 2 ** 31 : whole(value));

function wholeLong(value: number): bigint {
  const truncated = Math.trunc(value);
  return truncated >= -(2 ** 63) && truncated < 2 ** 63 ? BigInt(truncated) : -(2n ** 63n);
}

function wholeUnsignedLong(value: number): bigint {
  return BigInt.asIntN(64, value >= 2 ** 63 ? wholeLong(value - 2 ** 63) + 2n ** 63n : wholeLong(value));
}

/** Rounding to what a float of that many bytes holds. */
export function floatRounding(size: number): (value: number) => number {
  if (size === 8) return (value) => value;
  return size === 4 ? Math.fround : roundToFloat16;
}
