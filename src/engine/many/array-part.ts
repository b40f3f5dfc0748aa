/** A part of an array as it is handed out: elements in one piece, with their type as NumPy names it. */
import type { CallContext } from "#core/byte-source.ts";
import { scalingOf, type Scaling } from "#core/cf/cf.ts";
import { cfValues, type CfValues } from "#core/cf/cf-values.ts";
import type { DataType } from "#core/metadata/data-type.ts";
import { floatText, packedDecimals } from "#core/values/number-text.ts";
import { failure, type Finding, nodeAt } from "#core/findings/finding.ts";
import { isoDate } from "#core/cf/cf-time.ts";
import { npyFile } from "#core/values/npy.ts";
import { pythonJsonText } from "#core/json/python-json.ts";
import { selectedShape } from "#core/plane/selection.ts";
import { NOT_A_TIME } from "#core/cf/time-text.ts";
import { type ChunkValues, decodeValues, elementText } from "#core/values/values.ts";
import { readSelection, type SelectionRequest } from "./read-selection.ts";
import { typeText, writtenType, writtenTypeText } from "#core/values/written-elements.ts";

export interface ArrayPart {
  readonly shape: readonly number[];
  readonly dtype: string;
  /** Little-endian, in C order; of objects the JSON list as Python's `json.dumps` writes it. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly failed: ReadonlyMap<string, Finding>;
  /** Chunks without a reference. */
  readonly missing: number;
  /** JSON of one element, by C-order index. */
  json(index: number): string;
  /** With the digits that its type has: empty where it is missing. */
  readonly text: (index: number) => string;
  /** A file of NumPy's; throws RefscopeError `npy-objects` for elements that have no fixed size. */
  npy(): Uint8Array<ArrayBuffer>;
}

/** `cf`: as xarray decodes them, where the array's attributes say so. */
export async function readPart(
  request: SelectionRequest & { readonly cf: boolean },
  context: CallContext,
): Promise<ArrayPart> {
  const { node, selection, cf } = request;
  const { metadata } = node;
  const { bytes, texts, failed, missing } = await readSelection(request, context);
  const found = { shape: selectedShape(selection), failed, missing };
  if (texts !== undefined) return { ...found, ...ofTexts(writtenTypeText(metadata), texts, node.path) };
  const dataType = writtenType(metadata);
  const values = decodeValues(bytes, { dataType, chunks: found.shape, order: "C" });
  const scaling = cf ? scalingOf(metadata, node.attributes) : undefined;
  if (scaling !== undefined) return { ...found, ...ofCf(values, scaling, found.shape, node.path) };
  const npy = () => npyFile(typeText(dataType), found.shape, bytes);
  const json = (index: number) => elementJson(values, index);
  const text = (index: number) => elementText(values, index).replace(/^nan$/, "");
  return { ...found, dtype: writtenTypeText(metadata), bytes, json, text, npy };
}

type Elements = Pick<ArrayPart, "dtype" | "bytes" | "json" | "text" | "npy">;

function ofTexts(dtype: string, texts: readonly string[], path: string): Elements {
  return {
    dtype,
    bytes: new TextEncoder().encode(`[${texts.join(", ")}]`),
    json: (index) => texts[index] ?? "null",
    text: (index) => textOrNothing(texts[index] ?? "null"),
    npy: () => {
      throw failure("npy-objects", nodeAt(path), { dtype });
    },
  };
}

function ofCf(stored: ChunkValues, scaling: Scaling, shape: readonly number[], path: string): Elements {
  const values = cfValues(stored, scaling);
  if (values.kind === "texts") {
    const texts = values.texts.map((text) => (text === null ? "null" : pythonJsonText(text)));
    return ofTexts("|O", texts, path);
  }
  const dtype = cfTypeText(values);
  const array = values.kind === "dates" ? values.nanoseconds : values.numbers;
  const bytes = new Uint8Array(array.buffer);
  const json = (index: number) =>
    values.kind === "dates" ? dateJson(values.nanoseconds[index]) : numberJson(values.numbers[index]);
  const decimals = stored.dataType.kind === "float" ? undefined : packedDecimals(scaling);
  const text = (index: number) =>
    values.kind === "dates" ? textOrNothing(json(index)) : decodedText(values.numbers, index, decimals);
  return { dtype, bytes, json, text, npy: () => npyFile(dtype, shape, bytes) };
}

function cfTypeText(values: Exclude<CfValues, { kind: "texts" }>): string {
  if (values.kind === "dates") return "<M8[ns]";
  return values.numbers instanceof Float32Array ? "<f4" : "<f8";
}

const dateJson = (nanoseconds = NOT_A_TIME): string =>
  nanoseconds === NOT_A_TIME ? "null" : JSON.stringify(isoDate(nanoseconds));

/** JSON's text as it is. */
export const plainText = (json: string): string => (json.startsWith('"') ? (JSON.parse(json) as string) : json);

/** Text of a value; empty for null. */
const textOrNothing = (json: string): string => (json === "null" ? "" : plainText(json));

/** No more digits than the type has, or what packs it. */
function decodedText(numbers: Float32Array | Float64Array, index: number, decimals: number | undefined): string {
  const value = numbers[index] ?? Number.NaN;
  if (Number.isNaN(value)) return "";
  if (decimals !== undefined) return String(Number(value.toFixed(decimals)));
  return floatText(value, numbers.BYTES_PER_ELEMENT).replace(/\.0$/, "");
}

/** NaN and the infinities as Zarr v3 writes them in JSON. */
function numberJson(number: number | bigint | undefined): string {
  if (typeof number === "bigint") return String(number);
  if (number === undefined || Number.isNaN(number)) return '"NaN"';
  if (!Number.isFinite(number)) return number > 0 ? '"Infinity"' : '"-Infinity"';
  return Object.is(number, -0) ? "-0.0" : String(number);
}

/** Numbers as numbers, complex ones as pairs, all else as text. */
export function elementJson(values: ChunkValues, index: number): string {
  const { dataType, numbers } = values;
  if (dataType.kind === "bool") return numbers?.[index] === 0 ? "false" : "true";
  if (dataType.kind === "complex") return pairJson(values, index, dataType);
  const isNumber = dataType.kind === "int" || dataType.kind === "uint" || dataType.kind === "float";
  return isNumber && numbers !== undefined ? numberJson(numbers[index]) : JSON.stringify(elementText(values, index));
}

function pairJson({ bytes }: ChunkValues, index: number, { itemSize }: DataType): string {
  const half = { kind: "float", itemSize: itemSize / 2, byteOrder: "little", text: "" } as const;
  const part = bytes.subarray(index * itemSize, (index + 1) * itemSize);
  const { numbers } = decodeValues(new Uint8Array(part), { dataType: half, chunks: [2], order: "C" });
  return `[${numberJson(numbers?.[0])}, ${numberJson(numbers?.[1])}]`;
}
