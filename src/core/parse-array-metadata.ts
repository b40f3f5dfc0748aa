/**
 * Zarr v2 array metadata (`.zarray`, Zarr v2 §"Metadata"). What the specification forbids but can be understood is a
 * finding; what cannot be understood is an error.
 */
import { readCompressor, readFilters } from "./array-codecs.ts";
import type { ArrayMetadata } from "./array-metadata.ts";
import { readChunks, readShape } from "./array-shape.ts";
import type { DataType } from "./data-type.ts";
import { RefscopeError } from "./errors.ts";
import { fillValueProblem } from "./fill-value-problem.ts";
import type { Finding, Severity } from "./finding.ts";
import { writeJson } from "./json-write.ts";
import { isJsonObject, type JsonValue } from "./json.ts";
import { type MemberReader, memberReader } from "./member-reader.ts";
import { METADATA_INVALID, metadataRoot } from "./metadata-root.ts";
import { jsonValueOf } from "./parse-json.ts";
import { floatFromText, integerFromText } from "./number-from-text.ts";
import { parseDataTypeV2, spellingsOf } from "./parse-data-type.ts";

export interface ParsedArrayMetadata {
  readonly metadata: ArrayMetadata;
  /** Without array and key, which the caller knows. */
  readonly findings: readonly Finding[];
}

/**
 * @param text the `.zarray` document
 * @param attributes of the array, for `_ARRAY_DIMENSIONS`
 * @throws RefscopeError `metadata-invalid`, whose `where` is a JSON pointer (RFC 6901) into the document
 */
export function parseArrayMetadataV2(text: string, attributes?: JsonValue): ParsedArrayMetadata {
  const findings: Finding[] = [];
  const reader = memberReader(metadataRoot(text, findings), findings);
  requireFormat2(reader);
  const shape = readShape(reader);
  const dataType = readDataType(reader);
  const metadata: ArrayMetadata = {
    zarrFormat: 2,
    shape,
    chunks: readChunks(reader, shape),
    dataType,
    // Encoding runs the filters in order and then the compressor.
    decoding: [...readCompressor(reader), ...readFilters(reader).toReversed()],
    order: readOrder(reader),
    separator: readSeparator(reader),
    fillValue: readFillValue(reader, dataType),
    dimensionNames: readDimensionNames(attributes, shape.length, findings),
  };
  return { metadata, findings };
}

function requireFormat2(reader: MemberReader): void {
  const node = reader.node("zarr_format");
  const value = node === undefined ? undefined : jsonValueOf(node);
  if (value === 2) return reader.noteFraction(node, "/zarr_format");
  const advice =
    value === 3 ? "Zarr v3 metadata belongs in zarr.json, not in .zarray." : "Only Zarr v2 arrays have a .zarray.";
  throw reader.invalid("/zarr_format", "2", value, advice);
}

function readDataType(reader: MemberReader): DataType {
  const value = reader.required("dtype");
  try {
    const type = parseDataTypeV2(value);
    for (const [written, specified] of spellingsOf(type))
      reader.note("dtype-spelling", "info", spelling(written, specified));
    return type;
  } catch (error) {
    if (!(error instanceof RefscopeError)) throw error;
    throw new RefscopeError({ ...error.fields, ...METADATA_INVALID, where: "/dtype" }, { cause: error });
  }
}

function spelling(written: string, specified: string): string {
  const read = `The data type "${written}" is read as "${specified}", as NumPy does on all common machines.`;
  return `${read} The Zarr v2 specification spells it "${specified}", and zarr-python 3.1 and later may refuse it.`;
}

function readOrder(reader: MemberReader): "C" | "F" {
  const value = reader.value("order");
  if (value === "C" || value === "F") return value;
  if (value !== undefined) throw reader.invalid("/order", '"C" or "F"', value);
  reader.note("member-missing", "warning", missing("order", '"C"'));
  return "C";
}

function missing(member: string, read: string): string {
  return `The required member "${member}" is absent and read as ${read}; zarr-python refuses such metadata.`;
}

function readSeparator(reader: MemberReader): "." | "/" {
  const value = reader.value("dimension_separator");
  if (value === undefined) return ".";
  if (value === "." || value === "/") return value;
  const found = writeJson(value).slice(0, 80);
  const message = `dimension_separator should be "." or "/" but is ${found}; chunk keys are taken to be written with ".".`;
  reader.note("dimension-separator-unknown", "warning", `${message} zarr-python refuses such metadata.`);
  return ".";
}

function readFillValue(reader: MemberReader, type: DataType): JsonValue {
  const value = reader.value("fill_value");
  if (value === undefined) {
    reader.note("fill-value-missing", "warning", missing("fill_value", "null: missing chunks have no defined values"));
    return null;
  }
  const meant = fillNumber(value, type);
  const problem = fillValueProblem(meant, type);
  if (problem !== undefined) reader.note("fill-value-odd", problem.severity, problem.message);
  return meant;
}

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
function readDimensionNames(
  attributes: JsonValue | undefined,
  rank: number,
  findings: Finding[],
): ArrayMetadata["dimensionNames"] {
  const names = isJsonObject(attributes) ? attributes.get("_ARRAY_DIMENSIONS") : undefined;
  if (names === undefined) return undefined;
  const add = (code: string, severity: Severity, message: string): void =>
    void findings.push({ code, severity, message });
  if (!Array.isArray(names)) {
    add("dimension-names-odd", "warning", "The attribute _ARRAY_DIMENSIONS should be a list of names; it is ignored.");
    return undefined;
  }
  const list = names as readonly JsonValue[];
  if (list.length !== rank) {
    const counts = `The attribute _ARRAY_DIMENSIONS names ${list.length} dimensions but the array has ${rank}`;
    add("dimension-names-rank", "warning", `${counts}; the names are ignored. xarray cannot open such an array.`);
    return undefined;
  }
  if (list.some((name) => typeof name !== "string" && name !== null)) {
    add(
      "dimension-names-odd",
      "warning",
      "Names in the attribute _ARRAY_DIMENSIONS should be text; others are ignored.",
    );
  }
  return list.map((name) => (typeof name === "string" ? name : undefined));
}
