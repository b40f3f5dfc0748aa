/** The recorded cases decoded value for value: in tests, and in a browser by e2e/codecs.spec.ts. Small chunks only. */
import { withEqualChunks } from "#core/testing/equal-chunks.ts";
import { codecTraits } from "../find-codec.ts";
import { coordinatesOf, gridOf, chunkName } from "#core/metadata/chunk-grid.ts";
import type { ChunkMetadata } from "#core/metadata/array-metadata.ts";
import type { DataType, ScalarType } from "#core/metadata/data-type.ts";
import { parseArrayMetadataV2 } from "#core/metadata/parse-array-metadata.ts";
import { parseArrayMetadataV3 } from "#core/metadata/parse-array-metadata-v3.ts";
import { filledElements, variableFill, type VariableElements } from "#core/values/variable-elements.ts";
import { decodeValues, elementBytes, fillBytes, numbersOf, type ChunkValues } from "#core/values/values.ts";
import { runPipeline } from "../pipeline.ts";

/** One of fixtures/cases.json, whose README says what the members are. */
export interface RecordedCase {
  readonly name: string;
  readonly group: string;
  readonly refs: Readonly<Record<string, string>>;
  readonly array: string;
  readonly shape: readonly number[];
  readonly expected?: readonly unknown[];
  readonly error?: boolean;
  readonly undefined?: boolean;
}

function bytesOf(reference: string): Uint8Array<ArrayBuffer> {
  if (reference.startsWith("base64:")) {
    return Uint8Array.from(atob(reference.slice(7)), (character) => character.charCodeAt(0));
  }
  return new TextEncoder().encode(reference);
}

/** A little-endian element as cases.json writes it; independent of the code under test, by DataView alone. */
function plain(bytes: Uint8Array<ArrayBuffer>, type: DataType): unknown {
  if (type.kind === "structured") {
    return Object.fromEntries(
      type.fields.map(({ name, offset, type: inner, shape }) => {
        const item = (at: number) => plain(bytes.subarray(at, at + inner.itemSize), inner);
        if (shape === undefined) return [name, item(offset)];
        const count = shape.reduce((a, b) => a * b, 1);
        return [name, Array.from({ length: count }, (_, i) => item(offset + i * inner.itemSize))];
      }),
    );
  }
  if (type.kind === "object") throw new Error("objects have texts");
  return plainScalar(bytes, type);
}

function plainScalar(bytes: Uint8Array<ArrayBuffer>, type: ScalarType): unknown {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const float = (at: number, size: number) => {
    const half = { ...type, kind: "float", itemSize: 2 } as const;
    if (size === 2) return named(Number(numbersOf(bytes, half)![0]));
    return named(size === 4 ? view.getFloat32(at, true) : view.getFloat64(at, true));
  };
  const size = type.itemSize;
  switch (type.kind) {
    case "bool":
      return view.getUint8(0) !== 0;
    case "int":
    case "uint": {
      let value = 0n;
      for (let i = size - 1; i >= 0; i--) value = value * 256n + BigInt(bytes[i]!);
      const integer = type.kind === "int" ? BigInt.asIntN(8 * size, value) : value;
      return integer > 2n ** 53n || integer < -(2n ** 53n) ? String(integer) : Number(integer);
    }
    case "datetime":
    case "timedelta":
      return String(view.getBigInt64(0, true));
    case "float":
      return float(0, size);
    case "complex":
      return [float(0, size / 2), float(size / 2, size / 2)];
    case "narrow":
      return named(Number(numbersOf(bytes, type)![0]));
    case "void":
      return { b64: base64(bytes) };
    case "bytes":
      return { b64: base64(bytes.subarray(0, bytes.findLastIndex((byte) => byte !== 0) + 1)) };
    case "unicode":
      return Array.from({ length: size / 4 }, (_, i) => String.fromCodePoint(view.getUint32(4 * i, true)))
        .join("")
        .replace(/\0+$/, "");
  }
}

const base64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes));

function named(value: number): number | string {
  return Number.isFinite(value) ? value : String(value);
}

export function metadataOf({ refs, array }: RecordedCase): ChunkMetadata {
  const v3 = refs[`${array}/zarr.json`];
  const parsed =
    v3 === undefined ? parseArrayMetadataV2(refs[`${array}/.zarray`]!) : parseArrayMetadataV3(v3, codecTraits);
  return withEqualChunks(parsed.metadata);
}

/** All values of the array, as the fixtures write them, `null` where none is known; and the codes of errors. */
export async function decodeCase(example: RecordedCase): Promise<{ values: unknown[]; errors: string[] }> {
  const { refs, array } = example;
  const metadata = metadataOf(example);
  const { shape, chunks } = metadata;
  const grid = gridOf(shape, chunks);
  const values: unknown[] = Array.from({ length: shape.reduce((a, b) => a * b, 1) }, () => null);
  const errors: string[] = [];
  for (let ordinal = 0; ordinal < grid.reduce((a, b) => a * b, 1); ordinal++) {
    const coordinates = coordinatesOf(grid, ordinal);
    const reference = refs[`${array}/${chunkName(coordinates, metadata.separator)}`];
    const chunk = reference === undefined ? missing(metadata) : await decodeOne(metadata, bytesOf(reference), errors);
    if (chunk !== undefined) place(chunk, metadata, coordinates, values);
  }
  return { values, errors };
}

function missing(metadata: ChunkMetadata): ChunkValues | undefined {
  const count = metadata.chunks.reduce((a, b) => a * b, 1);
  if (metadata.dataType.kind === "object") {
    const fill = variableFill(metadata.fillValue, "text");
    if (fill === undefined) return undefined;
    const texts = filledElements(fill, "text", count);
    return decodeValues(new Uint8Array(), metadata, texts);
  }
  const fill = fillBytes(metadata.fillValue, metadata.dataType);
  if (fill === undefined) return undefined;
  const bytes = new Uint8Array(fill.length * count).map((_, i) => fill[i % fill.length]!);
  const little = { ...metadata.dataType, byteOrder: "little" } as DataType;
  return decodeValues(bytes, { ...metadata, dataType: little });
}

async function decodeOne(metadata: ChunkMetadata, stored: Uint8Array<ArrayBuffer>, errors: string[]) {
  const result = await runPipeline(metadata, stored, new AbortController().signal);
  if (result.bytes !== undefined) return decodeValues(result.bytes, metadata, result.texts);
  errors.push(result.error!.code);
  return undefined;
}

function place(chunk: ChunkValues, { shape, chunks, dataType }: ChunkMetadata, at: readonly number[], into: unknown[]) {
  for (let index = 0; index < chunk.length; index++) {
    const within = coordinatesOf(chunks, index).map((i, d) => i + at[d]! * chunks[d]!);
    if (within.some((i, d) => i >= shape[d]!)) continue;
    const value =
      chunk.texts === undefined
        ? plain(elementBytes(chunk, index), dataType)
        : plainObject(chunk.texts.at(index)!, chunk.texts.kind);
    into[within.reduce((sum, i, d) => sum * shape[d]! + i, 0)] = value;
  }
}

/** Objects are JSON texts, but byte strings among them are bytes. */
function plainObject(element: string | Uint8Array, kind: VariableElements["kind"]): unknown {
  if (typeof element !== "string") return { b64: base64(element) };
  return kind === "json" ? (JSON.parse(element) as unknown) : element;
}
