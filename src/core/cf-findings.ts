/** What in an array's CF attributes misleads readers, or is read otherwise than it is meant. Once an array. */
import type { ArrayMetadata } from "./array-metadata.ts";
import { cfAttributes, type CfAttributes } from "./cf.ts";
import { fillFindings, type CfFinding } from "./cf-fill-findings.ts";
import { isTimeView } from "./cf-time.ts";
import { writeJson } from "./json-write.ts";
import type { JsonValue } from "./json.ts";

export type { CfFinding } from "./cf-fill-findings.ts";

/** Without a place: the caller knows the array. */
export function cfFindings(metadata: ArrayMetadata, attributes: JsonValue | undefined): readonly CfFinding[] {
  const cf = cfAttributes(metadata, attributes);
  if (cf === undefined) return [];
  return [
    ...fillFindings(metadata, cf),
    ...scalingFindings(metadata, cf),
    ...validFindings(cf),
    ...unsignedFindings(cf),
    ...timeFindings(cf),
  ];
}

function scalingFindings({ decoding }: ArrayMetadata, cf: CfAttributes): readonly CfFinding[] {
  const { attributes, scaleFactor, addOffset, stored } = cf;
  const note = (message: string, severity: CfFinding["severity"] = "warning", advice?: string) =>
    [{ code: "scaling-confusing", severity, message, ...(advice === undefined ? {} : { advice }) }] as const;
  for (const name of ["scale_factor", "add_offset"]) {
    const value = attributes.get(name);
    const isRead = (name === "scale_factor" ? scaleFactor : addOffset) !== undefined;
    if (value === undefined || isRead) continue;
    return note(`${name} is ${short(value)}, which is no number: xarray fails to scale, and here it is left out.`);
  }
  if (scaleFactor === 0) return note("scale_factor is 0: every value becomes add_offset.");
  const isPacked = (scaleFactor ?? 1) !== 1 || (addOffset ?? 0) !== 0;
  const codec = decoding.find(({ id }) => /(?:^|\.)fixedscaleoffset$|^scale_offset$/.test(id));
  if (isPacked && codec !== undefined) {
    const message = `Both the codec ${codec.id} and the attributes scale_factor and add_offset scale the values: xarray scales twice.`;
    return note(message, "warning", "Remove one of the two.");
  }
  if (isPacked && stored.kind === "float") {
    const message = `scale_factor and add_offset stand at an array of floats (${stored.text}): they may have been applied before the values were stored, and xarray applies them again.`;
    return note(message, "info");
  }
  return [];
}

function validFindings({ valid, scaleFactor, addOffset }: CfAttributes): readonly CfFinding[] {
  if (valid.problem === undefined) return [];
  const isPacked = scaleFactor !== undefined || addOffset !== undefined;
  const reason = isPacked ? " CF means packed values, before scale_factor and add_offset." : "";
  const message = `The valid range (valid_range, valid_min, valid_max) does not fit: ${valid.problem}.${reason} It is not used here; netCDF4-python does not use it either, or masks too much.`;
  return [{ code: "valid-range-confusing", severity: "info", message }];
}

function unsignedFindings({ attributes, stored }: CfAttributes): readonly CfFinding[] {
  const value = attributes.get("_Unsigned");
  if (value === undefined || value === "true" || value === "false") return [];
  const wanted = value === true || (typeof value === "string" && value.toLowerCase() === "true");
  if (stored.kind === "float" || wanted !== (stored.kind === "int")) return [];
  const message = `_Unsigned is ${short(value)}: xarray knows only the texts "true" and "false", and leaves the values ${stored.kind === "int" ? "signed" : "unsigned"}.`;
  return [{ code: "unsigned-ignored", severity: "warning", message }];
}

function timeFindings({ time }: CfAttributes): readonly CfFinding[] {
  if (time === undefined || isTimeView(time)) return [];
  return [{ code: "time-units", severity: time.refused ? "warning" : "info", message: time.message }];
}

function short(value: JsonValue): string {
  return writeJson(value).slice(0, 60);
}
