/**
 * Elements of a whole array as they are hashed, saved and handed out: little-endian, in C order. Numbers that NumPy has no
 * type for (bfloat16, int4) are float32, which holds each of them.
 */
import type { ArrayMetadata, ChunkMetadata } from "../metadata/array-metadata.ts";
import { dataTypeTextV2, type DataType, type ScalarType } from "../metadata/data-type.ts";
import { withByteOrder } from "../metadata/data-type-v3.ts";
import { narrowNumbers } from "./narrow-number.ts";
import { pythonJsonOf, pythonJsonText } from "../json/python-json.ts";
import { quote } from "./npy.ts";
import { toLittleEndianC, type ChunkLayout } from "./values.ts";
import type { VariableElements } from "./variable-elements.ts";
import { fromBase64 } from "./fill-bytes.ts";

const FLOAT32: ScalarType = { kind: "float", itemSize: 4, byteOrder: "little", text: "float32" };

/** A decoded chunk as it is written. */
export function writtenBytes(bytes: Uint8Array<ArrayBuffer>, metadata: ChunkMetadata): Uint8Array<ArrayBuffer> {
  return widened(toLittleEndianC(bytes, writtenLayout(metadata)), metadata.dataType);
}

/**
 * Elements as they are written, in the byte order that the array's metadata of Zarr v2 declare: for what is put beside
 * it.
 */
export function storedBytes(written: Uint8Array<ArrayBuffer>, metadata: ArrayMetadata): Uint8Array<ArrayBuffer> {
  // Swapping bytes from little-endian is the same as swapping them to it.
  return toLittleEndianC(written, { ...writtenLayout({ ...metadata, chunks: [written.length] }), order: "C" });
}

/** Widens contiguous little-endian elements. */
export function widened(bytes: Uint8Array<ArrayBuffer>, { kind, text }: DataType): Uint8Array<ArrayBuffer> {
  return kind === "narrow" ? new Uint8Array(narrowNumbers(bytes, text).buffer) : bytes;
}

/** Bytes of an element. */
export const writtenSize = (metadata: ArrayMetadata): number => writtenType(metadata).itemSize;

function writtenLayout(metadata: ChunkMetadata): ChunkLayout {
  if (!isAsStored(metadata)) return metadata;
  const { itemSize } = metadata.dataType;
  return { ...metadata, dataType: { kind: "void", itemSize, byteOrder: "none", text: `|V${itemSize}` } };
}

/**
 * Structures and text of Zarr v2 are written as they stand: NumPy counts structures as having no byte order, and recorders
 * turn only numbers (so the hashes of `>U1` arrays recorded with zarr-python). In Zarr v3 all is little-endian once read.
 */
export const isAsStored = ({ zarrFormat, dataType: { kind } }: ArrayMetadata) =>
  zarrFormat === 2 && (kind === "unicode" || kind === "structured");

/** The type as NumPy prints it, of elements as the array has them once it is read. */
export const writtenTypeText = (metadata: ArrayMetadata): string => typeText(namedType(metadata));

/** Type of the bytes as they are written: little-endian, except for types that are written unchanged. */
export function writtenType(metadata: ArrayMetadata): DataType {
  const { dataType } = metadata;
  if (dataType.kind === "narrow") return FLOAT32;
  return isAsStored(metadata) ? dataType : withByteOrder(dataType, "little");
}

/** Zarr v3 has no byte order in its data types, only in codecs: zarr-python calls every array little-endian. */
function namedType(metadata: ArrayMetadata): DataType {
  return metadata.zarrFormat === 3 ? writtenType(metadata) : metadata.dataType;
}

/** Type as NumPy prints it: `<i2`; structured types as `[('a', '>i4'), ('n', '|S5')]`. */
export function typeText(type: DataType): string {
  if (type.kind !== "structured") return dataTypeTextV2(type);
  const fields = type.fields.map(({ name, type: inner, shape }) => {
    const text = inner.kind === "structured" ? typeText(inner) : `'${typeText(inner)}'`;
    const extent = shape === undefined ? "" : `, (${shape.join(", ")}${shape.length === 1 ? "," : ""})`;
    return `(${quote(name)}, ${text}${extent})`;
  });
  return `[${fields.join(", ")}]`;
}

/** Type as Zarr v2's metadata write it: structured types as a list of fields. */
export function typeJsonV2(type: DataType): string {
  if (type.kind !== "structured") return JSON.stringify(dataTypeTextV2(type));
  const fields = type.fields.map(({ name, type: inner, shape }) => {
    const extent = shape === undefined ? [] : [JSON.stringify(shape)];
    return `[${[pythonJsonText(name), typeJsonV2(inner), ...extent].join(",")}]`;
  });
  return `[${fields.join(",")}]`;
}

/** Type of elements as they are written. */
export const littleTypeText = (metadata: ArrayMetadata): string =>
  metadata.dataType.kind === "object" ? "|O" : typeText(writtenType(metadata));

// Elements of no fixed size as Python's `json.dumps(…, default=str)` writes them with its defaults.

/** JSON of one element; text in quotes, escaped beyond ASCII. */
export function pythonJson(elements: VariableElements, index: number): string {
  const element = elements.at(index) ?? "";
  if (typeof element !== "string") return pythonJsonText(bytesRepr(element));
  if (elements.kind !== "json") return pythonJsonText(element);
  return pythonJsonOf(withoutBytes(element));
}

/** True if an object contains byte strings, which JSON cannot express. */
export const holdsBytes = (text: string): boolean => withoutBytes(text) !== text;

/** Byte strings inside objects (`b"…"`, core/variable-elements.ts) become the text that `default=str` gives. */
function withoutBytes(text: string): string {
  if (!text.includes('b"')) return text;
  return text.replaceAll(/"[^"\\]*(?:\\.[^"\\]*)*"|b"([A-Za-z0-9+/=]*)"/g, (whole, base64: string | undefined) => {
    const bytes = base64 === undefined ? undefined : fromBase64(base64);
    return bytes === undefined ? whole : pythonJsonText(bytesRepr(bytes));
  });
}

const NAMED: ReadonlyMap<number, string> = new Map([
  [9, "\\t"],
  [10, "\\n"],
  [13, "\\r"],
  [92, "\\\\"],
]);

/** Python's `str` of bytes. */
function bytesRepr(bytes: Uint8Array): string {
  const quote = bytes.includes(39) && !bytes.includes(34) ? '"' : "'";
  const text = Array.from(bytes, (byte) => {
    if (byte === quote.charCodeAt(0)) return `\\${quote}`;
    const isPlain = byte >= 32 && byte < 127 && byte !== 92;
    return isPlain ? String.fromCharCode(byte) : (NAMED.get(byte) ?? `\\x${byte.toString(16).padStart(2, "0")}`);
  }).join("");
  return `b${quote}${text}${quote}`;
}
