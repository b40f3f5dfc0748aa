/** Decoded chunks as every reader agrees on them: little-endian, in C order. */
import type { ArrayMetadata } from "./array-metadata.ts";
import { swapBytes } from "./byte-order.ts";
import type { DataType, ScalarType } from "./data-type.ts";

export type ChunkLayout = Pick<ArrayMetadata, "dataType" | "chunks" | "order">;

/**
 * The whole chunk as little-endian bytes in C order: complex numbers by halves, text by code unit, structures field by
 * field. The same memory where nothing has to change. `bytes` must be as long as the chunk.
 */
export function toLittleEndianC(
  bytes: Uint8Array<ArrayBuffer>,
  { dataType, chunks, order }: ChunkLayout,
): Uint8Array<ArrayBuffer> {
  const little = toLittleEndian(bytes, dataType);
  return order === "F" && chunks.length > 1 ? toOrderC(little, chunks, dataType.itemSize) : little;
}

function toLittleEndian(bytes: Uint8Array<ArrayBuffer>, type: DataType): Uint8Array<ArrayBuffer> {
  if (type.kind === "object") return bytes;
  if (type.kind !== "structured") return type.byteOrder === "big" ? swapBytes(bytes, unitSize(type)) : bytes;
  const units = bigUnits(type, 0);
  if (units.length === 0) return bytes;
  const copy = new Uint8Array(bytes);
  for (let item = 0; item + type.itemSize <= copy.length; item += type.itemSize) {
    for (const { offset, size } of units) copy.subarray(item + offset, item + offset + size).reverse();
  }
  return copy;
}

/** What is turned round as one: halves of complex numbers, code units of text. */
function unitSize(type: ScalarType): number {
  if (type.kind === "complex") return type.itemSize / 2;
  if (type.kind === "unicode") return 4;
  return type.kind === "bytes" || type.kind === "void" ? 1 : type.itemSize;
}

interface Unit {
  readonly offset: number;
  readonly size: number;
}

function bigUnits(type: DataType, offset: number): readonly Unit[] {
  if (type.kind === "object") return [];
  if (type.kind === "structured") {
    return type.fields.flatMap((field) => {
      const count = (field.shape ?? []).reduce((product, length) => product * length, 1);
      const first = bigUnits(field.type, 0);
      if (first.length === 0) return [];
      const starts = Array.from({ length: count }, (_, at) => offset + field.offset + at * field.type.itemSize);
      return starts.flatMap((start) => first.map((unit) => ({ ...unit, offset: start + unit.offset })));
    });
  }
  const size = unitSize(type);
  if (type.byteOrder !== "big" || size === 1) return [];
  return Array.from({ length: type.itemSize / size }, (_, at) => ({ offset: offset + at * size, size }));
}

function toOrderC(bytes: Uint8Array<ArrayBuffer>, shape: readonly number[], itemSize: number): Uint8Array<ArrayBuffer> {
  const target = new Uint8Array(bytes.length);
  if (itemSize === 0 || bytes.length === 0) return target;
  const [width, View] = viewFor(itemSize);
  const source = bytes.byteOffset % width === 0 ? bytes : new Uint8Array(bytes);
  const from = new View(source.buffer, source.byteOffset, source.length / width);
  transpose(from, new View(target.buffer), shape, itemSize / width);
  return target;
}

/** The widest number of which an element is made, and its array. */
function viewFor(itemSize: number) {
  if (itemSize % 8 === 0) return [8, Float64Array] as const;
  if (itemSize % 4 === 0) return [4, Uint32Array] as const;
  return itemSize % 2 === 0 ? ([2, Uint16Array] as const) : ([1, Uint8Array] as const);
}

type Units = Float64Array | Uint32Array | Uint16Array | Uint8Array;

/** `units` numbers an element. Walks the target in C order; in F order the first index runs fastest. */
function transpose(from: Units, to: Units, shape: readonly number[], units: number): void {
  const strides: number[] = [];
  shape.reduce((stride, length) => (strides.push(stride), stride * length), units);
  const last = shape.length - 1;
  const run = shape[last] ?? 1;
  const runStride = strides[last] ?? units;
  const index = shape.map(() => 0);
  let base = 0;
  for (let at = 0; at < to.length;) {
    for (let i = 0, source = base; i < run; i++, source += runStride) {
      for (let unit = 0; unit < units; unit++) to[at++] = from[source + unit] as number;
    }
    for (let dimension = last - 1; dimension >= 0; dimension--) {
      const next = (index[dimension] ?? 0) + 1;
      base += strides[dimension] ?? 0;
      index[dimension] = next;
      if (next < (shape[dimension] ?? 1)) break;
      base -= next * (strides[dimension] ?? 0);
      index[dimension] = 0;
    }
  }
}
