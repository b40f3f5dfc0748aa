/**
 * The range in which values are valid (CF §2.5.1, netCDF "valid_range"): of the stored values, before they are scaled.
 */
import type { ScalarType } from "../metadata/data-type.ts";
import type { RangeProblem } from "../findings/catalogue/cf.ts";
import type { JsonObject, JsonValue } from "../json/json.ts";

export interface ValidRange {
  readonly minimum?: number;
  readonly maximum?: number;
}

/** `problem`: why the range cannot be of the stored values. */
export interface ReadValidRange {
  readonly range?: ValidRange;
  readonly problem?: RangeProblem;
}

/** `viewed`: the type after `_Unsigned`; `turned`: whether that is another than the stored one. */
export function validRangeOf(attributes: JsonObject, viewed: ScalarType, turned: boolean): ReadValidRange {
  const both = attributes.get("valid_range");
  const pair = Array.isArray(both) && both.length === 2 ? (both as readonly JsonValue[]) : [];
  const from = limitOf(pair[0] ?? attributes.get("valid_min"), viewed, turned);
  const to = limitOf(pair[1] ?? attributes.get("valid_max"), viewed, turned);
  if (from === undefined && to === undefined) return {};
  const misfit = [from, to].find((limit) => limit !== undefined && !canHold(viewed, limit));
  if (misfit !== undefined)
    return { problem: { problem: "outside-type", limit: misfit, dtype: `${viewed.kind}${viewed.itemSize * 8}` } };
  if (from !== undefined && to !== undefined && from > to) return { problem: { problem: "reversed", from, to } };
  return { range: { ...(from === undefined ? {} : { minimum: from }), ...(to === undefined ? {} : { maximum: to }) } };
}

/** Attributes have the stored type too: -1 of a byte that is read as unsigned means 255. */
function limitOf(value: JsonValue | undefined, viewed: ScalarType, turned: boolean): number | undefined {
  const single = Array.isArray(value) && value.length === 1 ? (value as readonly JsonValue[])[0] : value;
  if (typeof single !== "number" && typeof single !== "bigint") return undefined;
  const limit = Number(single);
  if (Number.isNaN(limit)) return undefined;
  return turned && viewed.kind === "uint" && limit < 0 ? limit + 2 ** (8 * viewed.itemSize) : limit;
}

function canHold({ kind, itemSize }: ScalarType, limit: number): boolean {
  if (kind === "float") return true;
  const bits = 8 * itemSize;
  const [lowest, highest] = kind === "int" ? [-(2 ** (bits - 1)), 2 ** (bits - 1)] : [0, 2 ** bits];
  return Number.isInteger(limit) && limit >= lowest && limit <= highest;
}
