/**
 * Findings about CF attributes of an array that mislead readers, or that readers take otherwise than meant. Once per
 * array.
 */
import type { ArrayMetadata } from "../metadata/array-metadata.ts";
import { exactText, type FillAttribute, roundTo } from "./cf-fill.ts";
import { isTimeView } from "./cf-time.ts";
import { cfAttributes, type CfAttributes } from "./cf.ts";
import { floatText } from "../values/number-text.ts";
import { fillBytes, fromBase64 } from "../values/fill-bytes.ts";
import { type FactsOf, finding, nodeAt } from "../findings/finding.ts";
import { writeJson } from "../json/parse-json.ts";
import type { JsonValue } from "../json/json.ts";
import type { NodePlace } from "../metadata/node-document.ts";

export function cfFindings(metadata: ArrayMetadata, { path, attributes, integerScale }: Omit<NodePlace, "name">) {
  const cf = cfAttributes(metadata, attributes);
  if (cf === undefined) return [];
  const place = nodeAt(path);
  const scaling = confusingScaling(metadata, cf, integerScale === true);
  const range = confusingRange(cf);
  const unsigned = ignoredUnsigned(cf);
  const { time } = cf;
  return [
    ...confusingFills(metadata, cf).map((facts) => finding("fill-value-confusing", place, facts)),
    ...(scaling === undefined ? [] : [finding("scaling-confusing", place, scaling)]),
    ...(range === undefined ? [] : [finding("valid-range-confusing", place, range)]),
    ...(unsigned === undefined ? [] : [finding("unsigned-ignored", place, unsigned)]),
    ...(time === undefined || isTimeView(time) ? [] : [finding("time-units", place, time)]),
  ];
}

function confusingScaling(
  { decoding }: ArrayMetadata,
  cf: CfAttributes,
  integerScale: boolean,
): FactsOf<"scaling-confusing"> | undefined {
  const { attributes, scaleFactor, addOffset, stored } = cf;
  for (const attribute of ["scale_factor", "add_offset"] as const) {
    const value = attributes.get(attribute);
    const isRead = (attribute === "scale_factor" ? scaleFactor : addOffset) !== undefined;
    if (value !== undefined && !isRead) return { problem: "not-a-number", attribute, written: short(value) };
  }
  if (scaleFactor === 0) return { problem: "zero" };
  const integer = integerScale ? computedInIntegers(cf) : undefined;
  if (integer !== undefined) return integer;
  if ((scaleFactor ?? 1) === 1 && (addOffset ?? 0) === 0) return undefined;
  const codec = decoding.find(({ id }) => /(?:^|\.)fixedscaleoffset$|^scale_offset$/.test(id));
  if (codec !== undefined) return { problem: "twice", codec: codec.id };
  return stored.kind === "float" ? { problem: "floats", dtype: stored.text } : undefined;
}

/** xarray computes in the type of scale_factor where there is no add_offset. */
function computedInIntegers({
  attributes,
  scaleFactor,
  fills: { masked },
  stored,
}: CfAttributes): FactsOf<"scaling-confusing"> | undefined {
  if ((attributes.get("add_offset") ?? null) !== null) return undefined;
  // A fill value of NaN masks nothing, and floats stay what they are.
  if (masked.length > 0 && masked.every(({ text }) => text === "nan")) return undefined;
  const facts = { problem: "integer", written: short(attributes.get("scale_factor") ?? null) } as const;
  if (masked.length > 0) return { ...facts, loses: "missing" };
  if (stored.kind === "float") return { ...facts, loses: "fractions" };
  return scaleFactor === 1 ? undefined : { ...facts, loses: undefined };
}

function confusingRange({ valid, scaleFactor, addOffset }: CfAttributes): FactsOf<"valid-range-confusing"> | undefined {
  if (valid.problem === undefined) return undefined;
  return { ...valid.problem, packed: scaleFactor !== undefined || addOffset !== undefined };
}

function ignoredUnsigned({ attributes, stored }: CfAttributes): FactsOf<"unsigned-ignored"> | undefined {
  const value = attributes.get("_Unsigned");
  if (value === undefined || value === "true" || value === "false") return undefined;
  const wanted = value === true || (typeof value === "string" && value.toLowerCase() === "true");
  if (stored.kind === "float" || wanted !== (stored.kind === "int")) return undefined;
  return { written: short(value), stored: stored.kind === "int" ? "int" : "uint" };
}

const short = (value: JsonValue): string => writeJson(value).slice(0, 60);

// Cases in which `fill_value`, `_FillValue` and `missing_value` do not mean what a reader would expect.

type ConfusingFill = FactsOf<"fill-value-confusing">;

/** Facts of `fill-value-confusing`. */
function confusingFills(metadata: ArrayMetadata, cf: CfAttributes): readonly ConfusingFill[] {
  const found: readonly (ConfusingFill | undefined)[] = [
    zeroFill(metadata, cf),
    overridden(metadata, cf),
    ...cf.fills.masked.map((fill) => unmatched(metadata, fill, cf)),
    refusedByXarray(metadata, cf),
    twoValues(cf),
    notMasked(metadata, cf),
  ];
  return found.filter((facts) => facts !== undefined);
}

const DESCRIPTIONS = ["units", "standard_name", "long_name", "scale_factor", "coordinates", "grid_mapping"];

/** Only where the array is one for xarray, described as in CF, and 0 is not declared missing. */
function zeroFill(
  { zarrFormat, fillValue, dimensionNames, isFillOnly }: ArrayMetadata,
  { fills, attributes }: CfAttributes,
): ConfusingFill | undefined {
  if (!DESCRIPTIONS.some((name) => attributes.has(name))) return undefined;
  if (
    zarrFormat !== 2 ||
    isFillOnly === true ||
    dimensionNames === undefined ||
    typeof fillValue !== "number" ||
    fillValue !== 0
  )
    return undefined;
  if (fills.overridden.length > 0) return undefined;
  if (fills.masked.some(({ name, value }) => name !== "fill_value" && Number(value) === 0)) return undefined;
  return { problem: "zero" };
}

/** A `_FillValue` that `fill_value` replaces in xarray (Zarr v2). */
function overridden(metadata: ArrayMetadata, { fills, viewed }: CfAttributes): ConfusingFill | undefined {
  const texts = new Set(fills.masked.map(({ text }) => text));
  const other = fills.overridden.find((fill) => !texts.has(meantText(fill.value, metadata) ?? fill.text));
  if (other === undefined) return undefined;
  return {
    problem: "overridden",
    written: short(other.value),
    fillValue: short(metadata.fillValue),
    isFloat: viewed.kind === "float",
  };
}

/** Value that the author probably meant: rounded to the type, decoded from base64. */
function meantText(value: JsonValue, { dataType }: Pick<ArrayMetadata, "dataType">): string | undefined {
  if (dataType.kind === "structured" || dataType.kind === "object") return undefined;
  const bytes = typeof value === "string" && value.length === 12 ? fromBase64(value) : undefined;
  const number = bytes?.length === 8 ? new DataView(bytes.buffer).getFloat64(0, true) : Number(value);
  if (dataType.kind !== "float") return undefined;
  if (Number.isNaN(number)) return "nan";
  return exactText(roundTo(number, dataType.itemSize), dataType);
}

/** Values that no element equals. */
function unmatched(
  metadata: ArrayMetadata,
  { name, value, text }: FillAttribute,
  { fills, viewed }: CfAttributes,
): ConfusingFill | undefined {
  if (text !== undefined || value === null || name === "fill_value") return undefined;
  const rounded = meantText(value, metadata);
  if (rounded !== undefined && (rounded === "nan" || fills.masked.some((other) => other.text === rounded))) {
    return undefined;
  }
  const facts = { attribute: name, written: short(value), dtype: metadata.dataType.text };
  if (typeof value === "number" && viewed.kind === "float" && rounded !== undefined) {
    return { problem: "inexact", ...facts, nearest: floatText(roundTo(value, metadata.dataType.itemSize), 8) };
  }
  return { problem: "no-element", ...facts };
}

/** A `_FillValue` in a form on which xarray fails (Zarr v3 has a form of its own). */
function refusedByXarray({ zarrFormat, dataType }: ArrayMetadata, { fills }: CfAttributes): ConfusingFill | undefined {
  const written = zarrFormat === 3 ? fills.masked.find(({ name }) => name === "_FillValue") : undefined;
  if (written === undefined) return undefined;
  const { value } = written;
  const isText = typeof value === "string" && fromBase64(value)?.length === 8;
  if (dataType.kind === "float" ? isText : typeof value === "number" || typeof value === "bigint") return undefined;
  return {
    problem: "refused",
    written: short(value),
    expected: dataType.kind === "float" ? "float64" : "integer",
  };
}

function twoValues({ fills }: CfAttributes): ConfusingFill | undefined {
  const of = (wanted: (name: string) => boolean) =>
    fills.masked.filter(({ name, text }) => wanted(name) && text !== undefined && text !== "nan");
  const own = of((name) => name !== "missing_value");
  const other = of((name) => name === "missing_value").find(({ text }) => own.every((one) => one.text !== text));
  const [first] = own;
  if (first === undefined || other === undefined) return undefined;
  return { problem: "several", attribute: first.name, value: first.text ?? "", missingValue: other.text ?? "" };
}

/** A `fill_value` that no writer sets by default, beside another `_FillValue`: in Zarr v3 the two are apart. */
function notMasked(
  { zarrFormat, fillValue, dataType }: ArrayMetadata,
  { fills, stored }: CfAttributes,
): ConfusingFill | undefined {
  const [first] = fills.masked;
  if (zarrFormat !== 3 || first?.text === undefined || fillValue === null || Number(fillValue) === 0) return undefined;
  const bytes = fillBytes(fillValue, dataType);
  if (bytes === undefined || bytes.every((byte) => byte === 0)) return undefined;
  const own = typeof fillValue === "string" ? meantText(fillValue, { dataType }) : exactText(fillValue, stored);
  if (own === undefined || own === "nan" || fills.masked.some(({ text }) => text === own)) return undefined;
  return { problem: "not-masked", attribute: first.name, value: first.text, fillValue: short(fillValue) };
}
