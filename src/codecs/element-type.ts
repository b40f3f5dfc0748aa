/** Numeric element types that filters name in their configuration (`dtype`, `astype`): NumPy's `<i2`, `|u1`, `>f8`. */
import { swapBytes } from "../core/byte-order.ts";
import { fromFloat16, toFloat16 } from "../core/float16.ts";
import type { JsonObject } from "../core/json.ts";
import { brief, stringMember } from "./configuration.ts";
import { badConfiguration, decodeFailed } from "./failure.ts";

export interface ElementType {
  readonly kind: "int" | "uint" | "float";
  /** Bytes: 1, 2, 4 or 8. */
  readonly size: number;
  readonly big: boolean;
  readonly text: string;
}

/** 64-bit integers are bigints, all else numbers. */
export type Elements = Float64Array<ArrayBuffer> | BigInt64Array<ArrayBuffer> | BigUint64Array<ArrayBuffer>;

const KINDS = { i: "int", u: "uint", f: "float", b: "uint" } as const;

/** Throws `codec-configuration` where the member is no numeric type; `undefined` where it is absent or null. */
export function elementTypeMember(codec: string, configuration: JsonObject, member: string): ElementType | undefined {
  const text = stringMember(codec, configuration, member);
  if (text === undefined) return undefined;
  const match = /^([<>|=]?)([iufb])([1248])$/.exec(text);
  const [, order, letter, digit] = match ?? [];
  const isKnown = (letter !== "f" || digit !== "1") && (letter !== "b" || digit === "1");
  if (letter === undefined || !isKnown) {
    throw badConfiguration(codec, member, "an integer or float type such as <i2, |u1 or >f8", brief(text));
  }
  return { kind: KINDS[letter as keyof typeof KINDS], size: Number(digit), big: order === ">", text };
}

export function isLong(type: ElementType): boolean {
  return type.size === 8 && type.kind !== "float";
}

/** Reads bytes as elements. Throws `decode-failed` where their number is no multiple of the element's size. */
export function readElements(codec: string, bytes: Uint8Array<ArrayBuffer>, type: ElementType): Elements {
  if (bytes.length % type.size !== 0) {
    throw decodeFailed(codec, `whole elements of type ${type.text}, ${type.size} bytes each`, `${bytes.length} bytes`);
  }
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

function viewOf(type: ElementType) {
  if (type.kind === "float") return type.size === 4 ? Float32Array : Float64Array;
  if (type.kind === "int") return type.size === 1 ? Int8Array : type.size === 2 ? Int16Array : Int32Array;
  return type.size === 1 ? Uint8Array : type.size === 2 ? Uint16Array : Uint32Array;
}
