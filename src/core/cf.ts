/** The CF conventions' packing and missing values (CF §2.5.1 and §8.1), as xarray reads them off attributes. */
import type { ArrayMetadata } from "./array-metadata.ts";
import type { DataType } from "./data-type.ts";
import { bytesText } from "./element-text.ts";
import { fillBytes, fromBase64 } from "./fill-bytes.ts";
import { isJsonObject, type JsonValue } from "./json.ts";
import { floatText } from "./number-text.ts";
import type { ValuesReport } from "./reading.ts";

export type Scaling = NonNullable<ValuesReport["scaling"]>;

/**
 * `undefined` where no attribute says anything: then the values are the raw ones. `fillValues` are exact texts, the
 * array's own `fill_value` among them (xarray takes it for `_FillValue` in Zarr v2).
 */
export function scalingOf(metadata: ArrayMetadata, attributes: JsonValue | undefined): Scaling | undefined {
  if (!isJsonObject(attributes) || !isPlainNumber(metadata.dataType)) return undefined;
  const scaleFactor = numberOf(attributes.get("scale_factor"));
  const addOffset = numberOf(attributes.get("add_offset"));
  const fills = ["_FillValue", "missing_value"].flatMap((name) => fillTexts(attributes.get(name), metadata.dataType));
  if (scaleFactor === undefined && addOffset === undefined && fills.length === 0) return undefined;
  const own = metadata.zarrFormat === 2 ? fillTexts(metadata.fillValue, metadata.dataType) : [];
  const units = attributes.get("units");
  return {
    scaleFactor: scaleFactor ?? 1,
    addOffset: addOffset ?? 0,
    fillValues: [...new Set([...own, ...fills])],
    ...(typeof units === "string" ? { units } : {}),
  };
}

function isPlainNumber(type: DataType): boolean {
  return (type.kind === "int" || type.kind === "uint" || type.kind === "float") && type.itemSize <= 8;
}

function numberOf(value: JsonValue | undefined): number | undefined {
  const single = singleOf(value);
  if (typeof single === "bigint") return Number(single);
  return typeof single === "number" && Number.isFinite(single) ? single : undefined;
}

/** HDF5 and netCDF write scalars as lists of one. */
function singleOf(value: JsonValue | undefined): JsonValue | undefined {
  return Array.isArray(value) && value.length === 1 ? (value as readonly JsonValue[])[0] : value;
}

const MOST_FILL_VALUES = 16;

function fillTexts(value: JsonValue | undefined, type: DataType): readonly string[] {
  const list = Array.isArray(value) ? (value as readonly JsonValue[]).slice(0, MOST_FILL_VALUES) : [value];
  return list.flatMap((item) => fillText(item, type) ?? []);
}

/** As text of an element of the array's type; `undefined` where the value can be none. */
function fillText(value: JsonValue | undefined, type: DataType): string | undefined {
  if (value === undefined || value === null || type.kind === "structured" || type.kind === "object") return undefined;
  const bytes = fillBytes(value, type) ?? fillBytes(fromXarray(value, type) ?? null, type);
  return bytes === undefined ? undefined : bytesText(bytes, type, false);
}

/** xarray writes `_FillValue` of floats as base64 of a little-endian float64. Numbers may also stand there as text. */
function fromXarray(value: JsonValue, type: DataType): JsonValue | undefined {
  if (typeof value !== "string") return undefined;
  const bytes = type.kind === "float" && value !== "" ? fromBase64(value) : undefined;
  if (bytes?.length === 8) return namedFloat(new DataView(bytes.buffer).getFloat64(0, true));
  return /^-?\d+$/.test(value) ? BigInt(value) : namedFloat(value.trim() === "" ? NaN : Number(value), value);
}

function namedFloat(number: number, written?: string): JsonValue | undefined {
  if (Number.isFinite(number)) return number;
  if (Number.isNaN(number)) return written === undefined || written.toLowerCase() === "nan" ? "NaN" : undefined;
  return number > 0 ? "Infinity" : "-Infinity";
}

/** Raw number to the CF value. */
export function scale(raw: number, { scaleFactor, addOffset }: Scaling): number {
  return raw * scaleFactor + addOffset;
}

/** Whether the CF values are the raw ones but for the missing. */
export function isUnscaled({ scaleFactor, addOffset }: Scaling): boolean {
  return scaleFactor === 1 && addOffset === 0;
}

/** CF values are computed, and shown, in float64. */
export function scaledText(raw: number, scaling: Scaling): string {
  return floatText(scale(raw, scaling), 8);
}
