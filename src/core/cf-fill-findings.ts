/** Where `fill_value`, `_FillValue` and `missing_value` do not mean what somebody reading them would think. */
import type { ArrayMetadata } from "./array-metadata.ts";
import { exactText, roundTo, type FillAttribute } from "./cf-fill.ts";
import type { CfAttributes } from "./cf.ts";
import { fillBytes, fromBase64 } from "./fill-bytes.ts";
import type { Finding } from "./finding.ts";
import { writeJson } from "./json-write.ts";
import type { JsonValue } from "./json.ts";

export type CfFinding = Pick<Finding, "code" | "severity" | "message" | "advice">;

export function fillFindings(metadata: ArrayMetadata, cf: CfAttributes): readonly CfFinding[] {
  const found = [
    zeroFill(metadata, cf),
    overridden(metadata, cf),
    ...cf.fills.masked.map((fill) => unmatched(metadata, fill, cf)),
    refusedByXarray(metadata, cf),
    twoValues(cf),
    notMasked(metadata, cf),
  ];
  return found.filter((finding) => finding !== undefined);
}

function note(severity: Finding["severity"], message: string, advice?: string): CfFinding {
  return { code: "fill-value-confusing", severity, message, ...(advice === undefined ? {} : { advice }) };
}

function short(value: JsonValue): string {
  return writeJson(value).slice(0, 60);
}

const DESCRIPTIONS = ["units", "standard_name", "long_name", "scale_factor", "coordinates", "grid_mapping"];

/** Only where the array is one for xarray, described as in CF, and nobody said that 0 is missing. */
function zeroFill({ zarrFormat, fillValue, dimensionNames }: ArrayMetadata, { fills, attributes }: CfAttributes) {
  if (!DESCRIPTIONS.some((name) => attributes.has(name))) return;
  if (zarrFormat !== 2 || dimensionNames === undefined || Number(fillValue) !== 0 || typeof fillValue !== "number")
    return;
  if ([...fills.overridden, ...fills.masked].some(({ name, value }) => name !== "fill_value" && Number(value) === 0))
    return;
  if (fills.overridden.length > 0) return;
  const message =
    "fill_value is 0 and no attribute _FillValue is there: xarray takes fill_value for _FillValue in Zarr v2, and masks every real 0 as missing.";
  return note("info", message, "Set fill_value to null where 0 is a value.");
}

/** In Zarr v2 xarray lets `fill_value` stand for `_FillValue`. */
function overridden(metadata: ArrayMetadata, { fills, viewed }: CfAttributes): CfFinding | undefined {
  const texts = new Set(fills.masked.map(({ text }) => text));
  const other = fills.overridden.find((fill) => !texts.has(meantText(fill.value, metadata) ?? fill.text));
  if (other === undefined) return undefined;
  const message =
    `The attribute _FillValue is ${short(other.value)}, fill_value is ${short(metadata.fillValue)}: in Zarr v2 xarray ` +
    `takes the fill_value in its place: ${short(metadata.fillValue)} is missing, ${short(other.value)} is not.`;
  const advice = viewed.kind === "float" ? "Make the two equal." : "Make the two equal, in the stored type.";
  return note("warning", message, advice);
}

/** As the author will have meant it: rounded to the type, out of base64. */
function meantText(value: JsonValue, { dataType }: Pick<ArrayMetadata, "dataType">): string | undefined {
  if (dataType.kind === "structured" || dataType.kind === "object") return undefined;
  const bytes = typeof value === "string" && value.length === 12 ? fromBase64(value) : undefined;
  const number = bytes?.length === 8 ? new DataView(bytes.buffer).getFloat64(0, true) : Number(value);
  if (dataType.kind !== "float") return undefined;
  if (Number.isNaN(number)) return "nan";
  return exactText(roundTo(number, dataType.itemSize), dataType);
}

/** Values that no element equals. */
function unmatched(metadata: ArrayMetadata, fill: FillAttribute, { fills, viewed }: CfAttributes) {
  const { name, value, text } = fill;
  if (text !== undefined || value === null || name === "fill_value") return undefined;
  const rounded = meantText(value, metadata);
  if (rounded !== undefined && (rounded === "nan" || fills.masked.some((other) => other.text === rounded))) return;
  const type = metadata.dataType.text;
  if (typeof value === "number" && viewed.kind === "float" && rounded !== undefined) {
    const message = `${name} ${short(value)} is no exact ${type} (the nearest is ${rounded}): xarray compares in float64 with NumPy 2, and masks nothing.`;
    return note("warning", message, "Write the number that the type stores.");
  }
  const message = `${name} ${short(value)} is no value of the type ${type}: no element equals it, and xarray masks nothing by it.`;
  return note("info", message);
}

/** In Zarr v3 `_FillValue` has a form of its own, and xarray fails on others. */
function refusedByXarray({ zarrFormat, dataType }: ArrayMetadata, { fills }: CfAttributes): CfFinding | undefined {
  const written = zarrFormat === 3 ? fills.masked.find(({ name }) => name === "_FillValue") : undefined;
  if (written === undefined) return undefined;
  const { value } = written;
  const isText = typeof value === "string" && fromBase64(value)?.length === 8;
  if (dataType.kind === "float" ? isText : typeof value === "number" || typeof value === "bigint") return undefined;
  const expected = dataType.kind === "float" ? "a float64 in base64" : "an integer";
  const message = `The attribute _FillValue is ${short(value)}: in Zarr v3 xarray expects ${expected}, and does not open the array.`;
  return note("warning", message);
}

function twoValues({ fills }: CfAttributes): CfFinding | undefined {
  const of = (wanted: (name: string) => boolean) =>
    fills.masked.filter(({ name, text }) => wanted(name) && text !== undefined && text !== "nan");
  const own = of((name) => name !== "missing_value");
  const other = of((name) => name === "missing_value").find(({ text }) => own.every((one) => one.text !== text));
  const [first] = own;
  if (first === undefined || other === undefined) return undefined;
  const message = `${first.name} is ${first.text ?? ""}, missing_value is ${other.text ?? ""}: xarray warns of several fill values and masks them all.`;
  return note("info", message);
}

/** A `fill_value` that nobody sets by default, beside another `_FillValue`: in Zarr v3 the two are apart. */
function notMasked({ zarrFormat, fillValue, dataType }: ArrayMetadata, { fills, stored }: CfAttributes) {
  const [first] = fills.masked;
  if (zarrFormat !== 3 || first?.text === undefined || fillValue === null || Number(fillValue) === 0) return undefined;
  const bytes = fillBytes(fillValue, dataType);
  if (bytes === undefined || bytes.every((byte) => byte === 0)) return undefined;
  const own = typeof fillValue === "string" ? meantText(fillValue, { dataType }) : exactText(fillValue, stored);
  if (own === undefined || own === "nan" || fills.masked.some(({ text }) => text === own)) return undefined;
  const message = `fill_value is ${short(fillValue)}, ${first.name} is ${first.text}: missing chunks read as the first, which xarray does not mask in Zarr v3.`;
  return note("info", message);
}
