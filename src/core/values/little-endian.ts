/** Decoded chunks as every reader agrees on them: little-endian, in C order. */
import type { Bytes } from "../byte-source.ts";
import type { ChunkMetadata } from "../metadata/array-metadata.ts";
import { swapBytes } from "./byte-order.ts";
import type { DataType, ScalarType } from "../metadata/data-type.ts";
import { gather, stridesF } from "./gather.ts";

export type ChunkLayout = Pick<ChunkMetadata, "dataType" | "chunks" | "order">;

/**
 * The whole chunk as little-endian bytes in C order: complex numbers by halves, text by code unit, structures field by
 * field. The same memory where nothing has to change. `bytes` must be as long as the chunk.
 */
export function toLittleEndianC(bytes: Bytes, { dataType, chunks, order }: ChunkLayout): Bytes {
  const little = toLittleEndian(bytes, dataType);
  // Elements of no fixed size come in C order already (codecs/pipeline.ts).
  if (order === "C" || chunks.length < 2 || dataType.kind === "object") return little;
  return gather(little, chunks, stridesF(chunks), dataType.itemSize);
}

function toLittleEndian(bytes: Bytes, type: DataType): Bytes {
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

/** Bytes that are reversed together: halves of complex numbers, code units of text. */
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
