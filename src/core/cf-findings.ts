/** What in an array's CF attributes misleads readers, or is read otherwise than it is meant. Once per array. */
import type { ArrayMetadata } from "./array-metadata.ts";
import { cfAttributes, type CfAttributes } from "./cf.ts";
import { confusingFills } from "./cf-fill-findings.ts";
import { isTimeView } from "./cf-time.ts";
import { type FactsOf, type Finding, finding } from "./findings/finding.ts";
import { nodeAt } from "./findings/place.ts";
import { writeJson } from "./json-write.ts";
import type { JsonValue } from "./json.ts";
import type { NodePlace } from "./node-document.ts";

export function cfFindings(
  metadata: ArrayMetadata,
  { path, attributes, integerScale }: Omit<NodePlace, "name">,
): readonly Finding[] {
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

function short(value: JsonValue): string {
  return writeJson(value).slice(0, 60);
}
