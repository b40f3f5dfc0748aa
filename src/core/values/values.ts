/** Decoded bytes of a chunk as values. */
import type { Bytes } from "../byte-source.ts";
import type { DataType } from "../metadata/data-type.ts";
import { fromFloat16 } from "./float16.ts";
import { toLittleEndianC, type ChunkLayout } from "./little-endian.ts";
import { narrowNumbers } from "./narrow-number.ts";
import type { VariableElements } from "./variable-elements.ts";

export { fillBytes } from "./fill-bytes.ts";
export { toLittleEndianC, type ChunkLayout } from "./little-endian.ts";

export type NumberArray =
  | Int8Array<ArrayBuffer>
  | Bytes
  | Int16Array<ArrayBuffer>
  | Uint16Array<ArrayBuffer>
  | Int32Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | Float32Array<ArrayBuffer>
  | Float64Array<ArrayBuffer>;

export type LongArray = BigInt64Array<ArrayBuffer> | BigUint64Array<ArrayBuffer>;

export interface ChunkValues {
  readonly dataType: DataType;
  /** Shape of the whole chunk. */
  readonly shape: readonly number[];
  /** Elements. */
  readonly length: number;
  /** Whether the elements are numbers (or booleans), so that a heat map makes sense. */
  readonly numeric: boolean;
  /**
   * Elements by C-order index: numbers (booleans as 0 and 1, float16 and narrow types widened), 64-bit integers and the counts behind
   * datetime and timedelta as bigints. `undefined` for complex numbers, text, bytes, structures and longer floats.
   */
  readonly numbers: NumberArray | LongArray | undefined;
  /** The chunk's bytes, little-endian in C order. */
  readonly bytes: Bytes;
  /** Elements of no fixed size; `bytes` are then as `vlen-utf8` lays them out. */
  readonly texts?: VariableElements;
}

/**
 * `bytes` must be as long as the chunk (the pipeline sees to it). Common types share memory with `bytes`. `texts` for
 * elements of no fixed size, in C order, as the pipeline gives them.
 */
export function decodeValues(bytes: Bytes, layout: ChunkLayout, texts?: VariableElements): ChunkValues {
  const { dataType, chunks } = layout;
  const little = toLittleEndianC(bytes, layout);
  const length = chunks.reduce((product, extent) => product * extent, 1);
  const numbers = numbersOf(little, dataType);
  const numeric = numbers !== undefined && dataType.kind !== "datetime" && dataType.kind !== "timedelta";
  const values = { dataType, shape: chunks, length, numeric, numbers, bytes: little };
  return texts === undefined ? values : { ...values, texts };
}

/** From contiguous little-endian elements; `undefined` where they are not plain numbers. */
export function numbersOf(bytes: Bytes, type: DataType): NumberArray | LongArray | undefined {
  if (type.kind === "bool") return bytes.map((byte) => (byte === 0 ? 0 : 1));
  if (type.kind === "uint") return integersOf(bytes, type.itemSize, false);
  if (type.kind === "float") return floatsOf(bytes, type.itemSize);
  if (type.kind === "narrow") return narrowNumbers(bytes, type.text);
  const isCount = type.kind === "int" || type.kind === "datetime" || type.kind === "timedelta";
  return isCount ? integersOf(bytes, type.itemSize, true) : undefined;
}

function integersOf(bytes: Bytes, size: number, signed: boolean): NumberArray | LongArray {
  const { buffer, byteOffset } = aligned(bytes, size);
  const count = Math.floor(bytes.length / size);
  switch (size) {
    case 1:
      return new (signed ? Int8Array : Uint8Array)(buffer, byteOffset, count);
    case 2:
      return new (signed ? Int16Array : Uint16Array)(buffer, byteOffset, count);
    case 4:
      return new (signed ? Int32Array : Uint32Array)(buffer, byteOffset, count);
    default:
      return new (signed ? BigInt64Array : BigUint64Array)(buffer, byteOffset, count);
  }
}

function floatsOf(bytes: Bytes, size: number): NumberArray | undefined {
  const { buffer, byteOffset } = aligned(bytes, size);
  const count = Math.floor(bytes.length / size);
  if (size === 2) return widened(new Uint16Array(buffer, byteOffset, count));
  if (size === 4) return new Float32Array(buffer, byteOffset, count);
  return size === 8 ? new Float64Array(buffer, byteOffset, count) : undefined;
}

function widened(halves: Uint16Array): Float32Array<ArrayBuffer> {
  const floats = new Float32Array(halves.length);
  for (let i = 0; i < floats.length; i++) floats[i] = fromFloat16(halves[i] as number);
  return floats;
}

/** Typed arrays begin at a multiple of their element's size. */
function aligned(bytes: Bytes, size: number): Bytes {
  return bytes.byteOffset % size === 0 ? bytes : new Uint8Array(bytes);
}

/** Bytes of one element, little-endian. */
export function elementBytes({ bytes, dataType }: ChunkValues, index: number): Bytes {
  return bytes.subarray(index * dataType.itemSize, (index + 1) * dataType.itemSize);
}
