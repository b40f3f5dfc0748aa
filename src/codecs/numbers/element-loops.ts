/**
 * The usual cases of `delta` and `fixedscaleoffset` over elements as they lie in memory, without turning them into other
 * numbers and back. The general loops beside the codecs are the reference: both give the same.
 */
import type { Bytes } from "#core/byte-source.ts";
import { isSameType, viewOf, type ElementType } from "./element-type.ts";

/** `undefined` where the general way has to do it: other types, other byte orders, errors. */
export function sumsOfSameType(input: Bytes, from: ElementType, to: ElementType): Bytes | undefined {
  const { kind, size } = to;
  if (!isSameType(from, to) || !isPlain(to) || input.length % size !== 0) return undefined;
  const source = aligned(input, size);
  const count = input.length / size;
  const target = new Uint8Array(input.length);
  const { buffer, byteOffset } = source;
  if (kind === "float") {
    if (size === 4) sumFloats(new Float32Array(buffer, byteOffset, count), new Float32Array(target.buffer));
    else sumDoubles(new Float64Array(buffer, byteOffset, count), new Float64Array(target.buffer));
  } else if (size === 8) {
    sumHalves(new Uint32Array(buffer, byteOffset, 2 * count), new Uint32Array(target.buffer));
  } else {
    const Integers = size === 4 ? Int32Array : size === 2 ? Int16Array : Int8Array;
    sumIntegers(new Integers(buffer, byteOffset, count), new Integers(target.buffer));
  }
  return target;
}

/** stored / scale + offset, rounded as the type of `from` computes. `undefined` as above. */
export function scaledFloats(
  input: Bytes,
  { from, to }: { readonly from: ElementType; readonly to: ElementType },
  scale: number,
  offset: number,
): Bytes | undefined {
  const isSupported = isPlain(from) && isPlain(to) && to.kind === "float" && (from.kind === "float" || from.size < 8);
  if (!isSupported || input.length % from.size !== 0) return undefined;
  const { buffer, byteOffset } = aligned(input, from.size);
  const count = input.length / from.size;
  const stored = new (viewOf(from))(buffer, byteOffset, count);
  const result = to.size === 4 ? new Float32Array(count) : new Float64Array(count);
  if (from.kind === "float" && from.size === 4) scaleSingle(stored, result, scale, offset);
  else scaleDouble(stored, result, scale, offset);
  return new Uint8Array(result.buffer);
}

/** Little-endian numbers that JavaScript has arrays for. */
function isPlain({ kind, size, big }: ElementType): boolean {
  return kind !== "bool" && (size === 1 || !big) && !(kind === "float" && size === 2);
}

const aligned = (input: Bytes, size: number): Bytes => (input.byteOffset % size === 0 ? input : input.slice());

// The first element is taken as it is, which keeps -0. Of a sum of floats each step is rounded.

function sumFloats(source: Float32Array, target: Float32Array): void {
  let sum = source[0] ?? 0;
  if (target.length > 0) target[0] = sum;
  for (let i = 1; i < target.length; i++) target[i] = sum = Math.fround(sum + (source[i] as number));
}

function sumDoubles(source: Float64Array, target: Float64Array): void {
  let sum = source[0] ?? 0;
  if (target.length > 0) target[0] = sum;
  for (let i = 1; i < target.length; i++) target[i] = sum += source[i] as number;
}

function sumIntegers(source: Int8Array | Int16Array | Int32Array, target: Int8Array | Int16Array | Int32Array): void {
  let sum = 0;
  for (let i = 0; i < target.length; i++) target[i] = sum = (sum + (source[i] as number)) | 0;
}

/** 64-bit integers as two halves, the lower first. */
function sumHalves(source: Uint32Array, target: Uint32Array): void {
  let low = 0;
  let high = 0;
  for (let i = 0; i < target.length; i += 2) {
    const sum = low + (source[i] as number);
    low = sum >>> 0;
    high = (high + (source[i + 1] as number) + (sum > low ? 1 : 0)) | 0;
    target[i] = low;
    target[i + 1] = high;
  }
}

function scaleDouble(stored: ArrayLike<number>, result: Float32Array | Float64Array, scale: number, offset: number) {
  for (let i = 0; i < result.length; i++) result[i] = (stored[i] as number) / scale + offset;
}

function scaleSingle(stored: ArrayLike<number>, result: Float32Array | Float64Array, scale: number, offset: number) {
  const divisor = Math.fround(scale);
  const summand = Math.fround(offset);
  for (let i = 0; i < result.length; i++) {
    result[i] = Math.fround(Math.fround((stored[i] as number) / divisor) + summand);
  }
}
