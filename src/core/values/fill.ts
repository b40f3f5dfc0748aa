/**
 * Value of elements that were never stored. It is decided here for all callers: values and their hashes, data handed on
 * to other readers, and sentences about missing chunks.
 */
import type { ArrayMetadata } from "../metadata/array-metadata.ts";
import { writeJson } from "../json/parse-json.ts";
import type { JsonValue } from "../json/json.ts";
import { pythonJsonOf, pythonJsonText } from "../json/python-json.ts";
import { fillBytes, toBase64 } from "./fill-bytes.ts";
import { bytesText, numbersOf, toLittleEndianC } from "./values.ts";
import { filledElements, variableFill } from "./variable-elements.ts";
import { isAsStored, pythonJson, widened, writtenType } from "./written-elements.ts";

type Declared = Pick<ArrayMetadata, "zarrFormat" | "dataType" | "fillValue">;

/**
 * `null`: nothing defines the element. `unfit`: the fill value is no value of the data type, and missing chunks have
 * none.
 */
export type FillKind = "value" | "null" | "unfit";

export function fillKind(metadata: Declared): FillKind {
  if (metadata.fillValue === null) return "null";
  const { fillValue, dataType } = metadata;
  const found = dataType.kind === "object" ? objectFill(metadata) : fillBytes(fillValue, dataType);
  return found === undefined ? "unfit" : "value";
}

/**
 * The element as it is written (`written-elements.ts`), of objects its JSON text. Where `fill_value` is null it is zeros,
 * or the JSON text null: readers differ there (zarr-python 2 gives what its memory held), and a finding says so.
 * `undefined` where the fill value is unfit.
 */
export function missingElement(metadata: ArrayMetadata): Uint8Array<ArrayBuffer> | undefined {
  const { fillValue, dataType } = metadata;
  if (dataType.kind === "object") return objectFill(metadata);
  const little = fillValue === null ? new Uint8Array(dataType.itemSize) : fillBytes(fillValue, dataType);
  if (little === undefined) return undefined;
  // Swapping bytes from little-endian is the same as swapping them to it.
  const isTurned = isAsStored(metadata) && dataType.kind === "unicode";
  return isTurned ? toLittleEndianC(little, { dataType, chunks: [], order: "C" }) : widened(little, dataType);
}

/** The same as a number, before it is unpacked; `undefined` where elements are none. */
export function missingNumber(metadata: ArrayMetadata): number | undefined {
  const element = metadata.dataType.kind === "object" ? undefined : missingElement(metadata);
  const number = element && numbersOf(element, writtenType(metadata))?.[0];
  return number === undefined ? undefined : Number(number);
}

/**
 * Fill value of objects as the JSON text to write: in Zarr v2 the value as it is in the metadata, in v3 as an element
 * of the type.
 */
function objectFill({ zarrFormat, fillValue, dataType }: Declared): Uint8Array<ArrayBuffer> | undefined {
  const encoder = new TextEncoder();
  if (fillValue === null || zarrFormat === 2) return encoder.encode(pythonJsonOf(writeJson(fillValue)));
  const kind = dataType.text.includes("bytes") ? "bytes" : "text";
  const fill = variableFill(fillValue, kind);
  return fill && encoder.encode(pythonJson(filledElements(fill, kind, 1), 0));
}

/** How the fill value is written in Zarr v2. */
export interface WrittenFill {
  /** JSON text. */
  readonly text: string;
  /**
   * Every reader makes the element of it that is read here. Of null and of all but plain numbers they differ: zarrita 0.7
   * rounds integers beyond 2^53, and takes base64 and lists as they stand; no JSON has the payload of a NaN.
   */
  readonly isCommon: boolean;
}

const NULL: WrittenFill = { text: "null", isCommon: false };

export function writtenFill(metadata: ArrayMetadata): WrittenFill {
  const { fillValue, dataType, zarrFormat } = metadata;
  if (dataType.kind === "object") {
    if (fillValue === null) return { text: "null", isCommon: true };
    if (zarrFormat === 2) return { text: pythonJsonOf(writeJson(fillValue)), isCommon: isScalar(fillValue) };
    return typeof fillValue === "string" && !dataType.text.includes("bytes")
      ? { text: pythonJsonText(fillValue), isCommon: true }
      : NULL;
  }
  const element = fillValue === null ? undefined : missingElement(metadata);
  const type = writtenType(metadata);
  if (element === undefined) return NULL;
  if (type.kind === "unicode") {
    const little = toLittleEndianC(element, { dataType: type, chunks: [], order: "C" });
    return { text: pythonJsonText(bytesText(little, type, false)), isCommon: false };
  }
  const number = numbersOf(element, type)?.[0];
  if (number === undefined) return { text: otherText(element, type.kind), isCommon: false };
  if (type.kind === "bool") return { text: String(number !== 0), isCommon: true };
  if (type.kind !== "float")
    return { text: String(number), isCommon: (type.kind === "int" || type.kind === "uint") && isSafe(number) };
  return { text: numberText(Number(number)), isCommon: !Number.isNaN(number) || isPlainNaN(element) };
}

const isScalar = (value: JsonValue): boolean => ["string", "boolean", "number"].includes(typeof value);

const isSafe = (number: number | bigint): boolean => Number.isSafeInteger(Number(number));

/** True for the bytes of every reader's own NaN. */
const isPlainNaN = (element: Uint8Array): boolean =>
  fillBytes("NaN", FLOATS(element.length))?.join() === element.join();

const FLOATS = (itemSize: number) =>
  ({ kind: "float", itemSize, byteOrder: "little", text: `float${itemSize * 8}` }) as const;

function otherText(element: Uint8Array<ArrayBuffer>, kind: string): string {
  if (kind !== "complex") return `"${toBase64(element)}"`;
  const parts = numbersOf(element, FLOATS(element.length / 2));
  return parts === undefined ? "null" : `[${[numberText(Number(parts[0])), numberText(Number(parts[1]))].join(",")}]`;
}

/** NaN and the infinities as Zarr writes them in metadata. */
function numberText(number: number): string {
  if (Number.isNaN(number)) return '"NaN"';
  return Number.isFinite(number) ? writeJson(number) : `"${number}"`;
}

/** So many elements of fill value. */
export function filledBytes(elements: number, fill: Uint8Array | undefined, itemSize: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(elements * itemSize);
  if (fill === undefined || fill.every((byte) => byte === 0) || bytes.length === 0) return bytes;
  bytes.set(fill);
  for (let done = fill.length; done < bytes.length; done *= 2) {
    bytes.copyWithin(done, 0, Math.min(done, bytes.length - done));
  }
  return bytes;
}
