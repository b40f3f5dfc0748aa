/** Which values the CF view takes for missing: `_FillValue` and `missing_value` (CF §2.5.1), as xarray reads them. */
import type { ArrayMetadata } from "../metadata/array-metadata.ts";
import type { DataType, ScalarType } from "../metadata/data-type.ts";
import { bytesText } from "../values/values.ts";
import { fillBytes, fromBase64 } from "../values/fill-bytes.ts";
import { roundToFloat16 } from "../values/float16.ts";
import { isJsonObject, type JsonValue } from "../json/json.ts";

export interface FillAttribute {
  readonly name: "_FillValue" | "missing_value" | "fill_value";
  readonly value: JsonValue;
  /** Exact text of an element of the viewed type; `undefined` if no element equals it. */
  readonly text: string | undefined;
}

export interface CfFills {
  /** Attributes whose values are masked; `fill_value` is among them if xarray takes it for `_FillValue`. */
  readonly masked: readonly FillAttribute[];
  /** `_FillValue` that xarray does not look at, since `fill_value` is in its place. */
  readonly overridden: readonly FillAttribute[];
}

const MAX_FILL_VALUES = 16;

/**
 * Fill values of an array. In Zarr v2 xarray puts `fill_value`, if given, in the place of the attribute `_FillValue`;
 * in v3 only the attribute counts. `viewed`: the type after `_Unsigned`.
 */
export function cfFills(metadata: ArrayMetadata, attributes: JsonValue | undefined, viewed: ScalarType): CfFills {
  const { dataType, fillValue } = metadata;
  const attribute = (name: FillAttribute["name"]) => (isJsonObject(attributes) ? attributes.get(name) : undefined);
  const written = listOf(attribute("_FillValue")).map((value) => {
    return { name: "_FillValue", value, text: viewedText(meantFill(value, metadata), dataType, viewed) } as const;
  });
  // xarray takes `_FillValue` over into the other type by its bits, but compares `missing_value` as it is.
  const missing = listOf(attribute("missing_value")).map((value) => {
    return { name: "missing_value", value, text: exactText(value, viewed) } as const;
  });
  if (!isMaskedByFill(metadata) || fillValue === null) return { masked: [...written, ...missing], overridden: [] };
  const bytes = fillBytes(fillValue, dataType);
  const text = bytes === undefined ? undefined : bytesText(bytes, viewed, false);
  return { masked: [{ name: "fill_value", value: fillValue, text }, ...missing], overridden: written };
}

/** Xarray takes `fill_value` for `_FillValue`. */
export const isMaskedByFill = ({ zarrFormat, isFillOnly }: ArrayMetadata): boolean =>
  zarrFormat === 2 && isFillOnly !== true;

/** Value that an attribute `_FillValue` stands for. */
export const meantFill = (value: JsonValue, { zarrFormat, dataType }: ArrayMetadata): JsonValue =>
  zarrFormat === 3 ? (fromXarray(value, dataType) ?? value) : value;

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? (value as readonly JsonValue[]).slice(0, MAX_FILL_VALUES) : [value];
}

function viewedText(value: JsonValue, type: DataType, viewed: ScalarType): string | undefined {
  if (type === viewed || type.kind === "structured" || type.kind === "object") return exactText(value, viewed);
  const text = exactText(value, type);
  const bytes = text === undefined ? undefined : fillBytes(BigInt(text), type);
  return bytes === undefined ? exactText(value, viewed) : bytesText(bytes, viewed, false);
}

/**
 * `undefined` where no element of the type equals the value: text (which NumPy never finds equal to a number), numbers
 * out of range, and floats that the type would round (NumPy 2 compares in float64).
 */
export function exactText(value: JsonValue, type: ScalarType): string | undefined {
  const number = numberIn(value);
  if (number === undefined) return undefined;
  if (type.kind === "float") {
    const wide = Number(number);
    if (!Number.isNaN(wide) && roundTo(wide, type.itemSize) !== wide) return undefined;
  }
  const bytes = fillBytes(namedFloat(number), type);
  return bytes === undefined ? undefined : bytesText(bytes, type, false);
}

/** Names are numbers only where Zarr's metadata and Python's JSON have them so. */
function numberIn(value: JsonValue): number | bigint | undefined {
  if (value === "NaN") return NaN;
  return typeof value === "number" || typeof value === "bigint" ? value : undefined;
}

export function roundTo(value: number, itemSize: number): number {
  if (itemSize === 2) return roundToFloat16(value);
  return itemSize === 4 ? Math.fround(value) : value;
}

/** For Zarr v3 xarray writes `_FillValue` of floats as base64 of a little-endian float64. */
function fromXarray(value: JsonValue, type: DataType): JsonValue | undefined {
  if (type.kind !== "float" || typeof value !== "string" || value.length !== 12) return undefined;
  const bytes = fromBase64(value);
  return bytes?.length === 8 ? new DataView(bytes.buffer).getFloat64(0, true) : undefined;
}

function namedFloat(number: number | bigint): JsonValue {
  if (typeof number === "bigint" || Number.isFinite(number)) return number;
  if (Number.isNaN(number)) return "NaN";
  return number > 0 ? "Infinity" : "-Infinity";
}
