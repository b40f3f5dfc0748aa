/**
 * Zarr v2 array metadata (`.zarray`, Zarr v2 §"Metadata"). What the specification forbids but can be understood is a
 * finding; what cannot be understood is an error.
 */
import type { ArrayMetadata, ChunkMetadata, CodecConfiguration } from "./array-metadata.ts";
import { readChunks, readShape } from "./array-shape.ts";
import { type DataType, holdsObjects } from "./data-type.ts";
import { dimensionNames } from "./dimension-names.ts";
import { fillValueProblem } from "../values/fill-value-problem.ts";
import { type FactsOf, finding, type Finding, nodeAt, RefscopeError } from "../findings/finding.ts";
import { writeJson } from "../json/parse-json.ts";
import { isJsonObject, type JsonValue } from "../json/json.ts";
import { memberReader, type MemberReader, metadataRoot } from "./member-reader.ts";
import { parseDataTypeV2, spellingsOf } from "./parse-data-type.ts";

// The members `compressor` and `filters` of array metadata (Zarr v2 §"Metadata").

const MAX_FILTERS = 64;

/**
 * No codec or one. Kerchunk since 0.2 writes `null` and puts HDF5's compressor among the filters, which decodes the
 * same way.
 */
function readCompressor(reader: MemberReader): readonly CodecConfiguration[] {
  const value = presentOrNull(reader, "compressor");
  return value === null ? [] : [readCodec(reader, value, "/compressor")];
}

/** Filters in the order of encoding. */
function readFilters(reader: MemberReader): readonly CodecConfiguration[] {
  const value = presentOrNull(reader, "filters");
  if (value === null) return [];
  const list = reader.list("/filters", value, "filters", MAX_FILTERS, "null or a list of codecs");
  return list.map((filter, index) => readCodec(reader, filter, `/filters/${index}`));
}

function presentOrNull(reader: MemberReader, key: "compressor" | "filters"): JsonValue {
  const value = reader.value(key);
  if (value !== undefined) return value;
  reader.note("member-missing", `/${key}`, { member: key });
  return null;
}

function readCodec(reader: MemberReader, value: JsonValue, pointer: string): CodecConfiguration {
  if (!isJsonObject(value)) throw reader.invalid(pointer, 'a codec: an object with an "id"', value);
  const id = value.get("id");
  if (typeof id !== "string" || id === "") throw reader.invalid(`${pointer}/id`, "the name of a codec", id);
  return { id, configuration: new Map([...value].filter(([key]) => key !== "id")) };
}

export interface ParsedArrayMetadata<M extends ArrayMetadata = ArrayMetadata> {
  readonly metadata: M;
  readonly findings: readonly Finding[];
}

/**
 * @param text the `.zarray` document
 * @param attributes of the array, for `_ARRAY_DIMENSIONS`
 * @throws RefscopeError `metadata-invalid`, whose `where` is a JSON pointer (RFC 6901) into the document
 */
export function parseArrayMetadataV2(
  text: string,
  attributes?: JsonValue,
  path = "",
): ParsedArrayMetadata<ChunkMetadata> {
  const findings: Finding[] = [];
  const document = { path, name: ".zarray" } as const;
  const reader = memberReader(metadataRoot(text, findings, document), findings, document);
  reader.requireFormat(2, "zarr.json");
  const shape = readShape(reader);
  const dataType = readDataType(reader);
  const metadata: ChunkMetadata = {
    zarrFormat: 2,
    shape,
    chunks: readChunks(reader, shape),
    dataType,
    // Encoding runs the filters in order and then the compressor.
    decoding: [...readCompressor(reader), ...readFilters(reader).toReversed()],
    order: readOrder(reader),
    separator: readSeparator(reader),
    fillValue: readFillValue(reader, dataType),
    dimensionNames:
      readDimensionNames(attributes, shape.length, path, findings) ?? nczarrNames(reader, attributes, shape.length),
  };
  return { metadata, findings };
}

function readDataType(reader: MemberReader): DataType {
  const value = reader.required("dtype");
  try {
    const type = parseDataTypeV2(value);
    for (const [written, specified] of spellingsOf(type)) {
      reader.note("dtype-spelling", "/dtype", { written, specified });
    }
    if (type.kind !== "structured" || !holdsObjects(type)) return type;
    return { kind: "object", itemSize: 0, byteOrder: "none", text: type.text, record: type };
  } catch (error) {
    if (!(error instanceof RefscopeError)) throw error;
    const { expected, found } = (error.finding?.facts ?? {}) as FactsOf<"dtype-invalid">;
    throw reader.failure("metadata-invalid", "/dtype", { document: ".zarray", expected, found });
  }
}

function readOrder(reader: MemberReader): "C" | "F" {
  const value = reader.value("order");
  if (value === "C" || value === "F") return value;
  if (value !== undefined) throw reader.invalid("/order", '"C" or "F"', value);
  reader.note("member-missing", "/order", { member: "order" });
  return "C";
}

function readSeparator(reader: MemberReader): "." | "/" {
  const value = reader.value("dimension_separator");
  if (value === undefined) return ".";
  if (value === "." || value === "/") return value;
  reader.note("dimension-separator-unknown", "/dimension_separator", { found: writeJson(value).slice(0, 80) });
  return ".";
}

function readFillValue(reader: MemberReader, type: DataType): JsonValue {
  const value = reader.value("fill_value");
  if (value === undefined) {
    reader.note("fill-value-missing", "/fill_value", { version: 2 });
    return null;
  }
  const meant = fillNumber(value, type);
  const problem = fillValueProblem(meant, type);
  if (problem !== undefined) reader.note("fill-value-odd", "/fill_value", problem);
  if (problem?.problem === "zero-text") return ZERO_TEXT[type.kind === "bytes" ? "bytes" : "unicode"];
  // Lists of one number, as netcdf-c 4.8.0 writes them, are that number to zarr-python 2.
  const [only] = Array.isArray(meant) && meant.length === 1 ? (meant as readonly JsonValue[]) : [];
  return only !== undefined && fillValueProblem(only, type) === undefined ? only : meant;
}

/** Fill values of text types that zarr-python 2 makes of 0; later versions differ, or refuse it. */
const ZERO_TEXT = { bytes: "MA==", unicode: "0" } as const;

/** Numbers are also written as text ("0", by n5-zarr): zarr-python converts it, as `np.array("0", dtype)` does. */
function fillNumber(value: JsonValue, type: DataType): JsonValue {
  if (typeof value !== "string") return value;
  if (type.kind === "int" || type.kind === "uint") return integerFromText(value) ?? value;
  const number = type.kind === "float" ? floatFromText(value) : undefined;
  if (number === undefined) return value;
  if (Number.isFinite(number)) return number;
  return Number.isNaN(number) ? "NaN" : number > 0 ? "Infinity" : "-Infinity";
}

/** `_ARRAY_DIMENSIONS`, xarray's convention for Zarr v2: a name for each dimension. */
function readDimensionNames(attributes: JsonValue | undefined, rank: number, path: string, findings: Finding[]) {
  const names = isJsonObject(attributes) ? attributes.get("_ARRAY_DIMENSIONS") : undefined;
  if (names === undefined) return undefined;
  const member = "_ARRAY_DIMENSIONS";
  return dimensionNames(names, rank, {
    odd: (problem) => findings.push(finding("dimension-names-odd", nodeAt(path), { member, problem })),
    rank: (count) =>
      findings.push(finding("dimension-names-rank", nodeAt(path), { member, names: count, dimensions: rank })),
  });
}

/**
 * NCZarr's own: paths of dimensions in `.zarray`, which xarray looks at too; since netCDF-C 4.9.3 among the
 * attributes.
 */
function nczarrNames(reader: MemberReader, attributes: JsonValue | undefined, rank: number) {
  const own = isJsonObject(attributes)
    ? (attributes.get("_NCZARR_ARRAY") ?? attributes.get("_nczarr_array"))
    : undefined;
  const nczarr = reader.value("_NCZARR_ARRAY") ?? own;
  const paths = isJsonObject(nczarr) ? (nczarr.get("dimrefs") ?? nczarr.get("dimension_references")) : undefined;
  if (!Array.isArray(paths) || paths.length !== rank) return undefined;
  const names = (paths as readonly JsonValue[]).map((path) =>
    typeof path === "string" ? path.replace(/^.*\//, "") : "",
  );
  return names.every((name) => name !== "") ? names : undefined;
}

// Numbers that are written as text, as Python's `int()` and `float()` read them (NumPy too, of `np.array("1.5",
// dtype)`).

/** Python's own limit for `int()`, which is far beyond any type's range. */
const MAX_DIGITS = 4300;

const DIGITS = String.raw`\d(?:_?\d)*`;
const INTEGER = new RegExp(`^[+-]?${DIGITS}$`);
const FLOAT = new RegExp(String.raw`^[+-]?(?:${DIGITS}\.?(?:${DIGITS})?|\.${DIGITS})(?:e[+-]?${DIGITS})?$`, "i");
const NAMES: ReadonlyMap<string, number> = new Map([
  ["nan", NaN],
  ["inf", Infinity],
  ["infinity", Infinity],
]);

/** `undefined` where Python raises ValueError. */
function integerFromText(text: string): bigint | undefined {
  const written = text.trim();
  if (written.length > MAX_DIGITS || !INTEGER.test(written)) return undefined;
  return BigInt(written.replaceAll("_", "").replace(/^\+/, ""));
}

/** `undefined` where Python raises ValueError. */
function floatFromText(text: string): number | undefined {
  const written = text.trim();
  if (written.length > MAX_DIGITS) return undefined;
  if (FLOAT.test(written)) return Number(written.replaceAll("_", ""));
  const named = NAMES.get(written.toLowerCase().replace(/^[+-]/, ""));
  return named !== undefined && written.startsWith("-") ? -named : named;
}
