/**
 * The CF conventions' view of stored values (packing §8.1, missing values §2.5.1, time §4.4, `_Unsigned`), as xarray's
 * `decode_cf` has it from attributes. Values are computed in float64, as there for numbers that come out of JSON.
 */
import type { ArrayMetadata } from "../metadata/array-metadata.ts";
import { cfFills, type CfFills } from "./cf-fill.ts";
import { finding, WHOLE_SET } from "../findings/finding.ts";
import { isTimeView, timeView, timeText, type TimeProblem, type TimeView } from "./cf-time.ts";
import { validRangeOf, type ReadValidRange } from "./cf-valid.ts";
import type { ScalarType } from "../metadata/data-type.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../json/json.ts";
import { floatText } from "../values/number-text.ts";
import type { ValuesReport } from "../reading.ts";
import { numbersOf, type ChunkValues } from "../values/values.ts";

export type Scaling = NonNullable<ValuesReport["scaling"]>;

/** Attributes of an array that CF gives a meaning, whether or not they change anything. */
export interface CfAttributes {
  readonly attributes: JsonObject;
  /** The stored type, and as which it is read after `_Unsigned`. */
  readonly stored: ScalarType;
  readonly viewed: ScalarType;
  /** `undefined` where there is no such attribute, or it is not a finite number. */
  readonly scaleFactor: number | undefined;
  readonly addOffset: number | undefined;
  readonly fills: CfFills;
  readonly time: TimeView | TimeProblem | undefined;
  readonly valid: ReadValidRange;
}

const NO_ATTRIBUTES: JsonObject = new Map();

/** `undefined` for arrays that are not of plain numbers. */
export function cfAttributes(metadata: ArrayMetadata, written: JsonValue | undefined): CfAttributes | undefined {
  const { dataType: stored } = metadata;
  if (!((stored.kind === "int" || stored.kind === "uint" || stored.kind === "float") && stored.itemSize <= 8))
    return undefined;
  const attributes = isJsonObject(written) ? written : NO_ATTRIBUTES;
  const viewed = viewedType(stored, attributes.get("_Unsigned"));
  const units = attributes.get("units");
  return {
    attributes,
    stored,
    viewed,
    scaleFactor: numberOf(attributes.get("scale_factor")),
    addOffset: numberOf(attributes.get("add_offset")),
    fills: cfFills(metadata, attributes, viewed),
    time: typeof units === "string" ? timeView(units, attributes.get("calendar")) : undefined,
    valid: validRangeOf(attributes, viewed, viewed !== stored),
  };
}

/**
 * `undefined` where the CF view is the raw one. `fillValues` are exact texts of elements of the viewed type, the array's
 * own `fill_value` among them in Zarr v2, where xarray takes it for `_FillValue`.
 */
export function scalingOf(metadata: ArrayMetadata, attributes: JsonValue | undefined): Scaling | undefined {
  const cf = cfAttributes(metadata, attributes);
  if (cf === undefined) return undefined;
  const { scaleFactor, addOffset, fills, viewed, stored, time, valid } = cf;
  const masked = fills.masked.filter(({ text }) => text !== undefined);
  const isImplied = masked.every(({ name, text }) => name === "fill_value" && Number(text) === 0);
  const changes = [scaleFactor, addOffset, valid.range, isTimeView(time) ? time : undefined];
  const isPlain = changes.every((change) => change === undefined) && viewed === stored;
  // A fill value of NaN that was not declared changes nothing.
  if (isPlain && masked.every(({ name, text }) => name === "fill_value" && text === "nan")) return undefined;
  const units = cf.attributes.get("units");
  return {
    scaleFactor: scaleFactor ?? 1,
    addOffset: addOffset ?? 0,
    fillValues: [...new Set(masked.flatMap(({ text }) => text ?? []))],
    ...(typeof units === "string" ? { units } : {}),
    ...(isImplied && masked.length > 0 && fills.overridden.length === 0 ? { zeroIsImplied: true as const } : {}),
    ...(viewed === stored ? {} : { readAs: viewed.kind === "uint" ? ("unsigned" as const) : ("signed" as const) }),
    ...timePart(time),
    ...(valid.range === undefined ? {} : { valid: valid.range }),
  };
}

function timePart(time: CfAttributes["time"]): Pick<Scaling, "time" | "timeProblem"> {
  if (time === undefined) return {};
  return isTimeView(time) ? { time } : { timeProblem: finding("time-units", WHOLE_SET, time) };
}

/** xarray knows the texts "true" and "false" alone (netCDF's users' guide, "_Unsigned"). */
function viewedType(stored: ScalarType, unsigned: JsonValue | undefined): ScalarType {
  if (stored.kind === "int" && unsigned === "true") return { ...stored, kind: "uint" };
  if (stored.kind === "uint" && unsigned === "false") return { ...stored, kind: "int" };
  return stored;
}

function numberOf(value: JsonValue | undefined): number | undefined {
  // HDF5 and netCDF write scalars as lists of one.
  const single = Array.isArray(value) && value.length === 1 ? (value as readonly JsonValue[])[0] : value;
  if (typeof single === "bigint") return Number(single);
  return typeof single === "number" && Number.isFinite(single) ? single : undefined;
}

/** The values as signed or unsigned integers, whichever `_Unsigned` asks for; else the same. */
export function viewedValues(values: ChunkValues, { readAs }: Pick<Scaling, "readAs">): ChunkValues {
  const { dataType, bytes } = values;
  if (readAs === undefined || (dataType.kind !== "int" && dataType.kind !== "uint")) return values;
  const viewed = { ...dataType, kind: readAs === "unsigned" ? "uint" : "int" } as const;
  return { ...values, dataType: viewed, numbers: numbersOf(bytes, viewed) };
}

/** Raw number to the CF value. */
export const scale = (raw: number, { scaleFactor, addOffset }: Scaling): number => raw * scaleFactor + addOffset;

/** True if the CF values equal the raw ones except for missing elements. */
export const isUnscaled = ({ scaleFactor, addOffset }: Scaling): boolean => scaleFactor === 1 && addOffset === 0;

/** CF values are computed, and shown, in float64. */
export const scaledText = (raw: number, scaling: Scaling): string => floatText(scale(raw, scaling), 8);

/** A raw number as a date. `isFloat`: of an array of floats, which are rounded on the way. */
export function dateText(raw: number | bigint, scaling: Scaling, time: TimeView, isFloat: boolean): string {
  const isCount = isUnscaled(scaling) && !isFloat;
  const count = isCount ? BigInt(raw) : scale(Number(raw), scaling);
  return timeText(count, time) ?? `no date (${isCount ? String(raw) : floatText(Number(count), 8)})`;
}
