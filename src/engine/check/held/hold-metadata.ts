/** An array of a set against the same array as its source files have it: types, filters, packing, units, lengths. */
import type { ArrayNode } from "../../../core/metadata/array-metadata.ts";
import { isJsonObject, type JsonValue } from "../../../core/json/json.ts";
import { parsed, writeJson } from "../../../core/json/parse-json.ts";
import type { MetadataMember } from "../../../core/findings/catalogue/held.ts";
import type { SourceArray } from "../../../core/source-file.ts";
import type { HeldArray } from "./hold-references.ts";

export interface Difference {
  readonly member: MetadataMember;
  readonly set: string;
  readonly file: string;
}

/** As `.zarray` has them: JSON text of each. `undefined` for what Zarr v3 writes otherwise. */
function documentOf(text: string | undefined): ReadonlyMap<string, JsonValue> {
  const value = text === undefined ? undefined : parsed(text);
  return isJsonObject(value) ? value : new Map();
}

const text = (value: JsonValue | undefined): string => (value === undefined ? "none" : writeJson(value));

/** `document`: the array's `.zarray`. */
export function metadataDifferences({ node, own }: HeldArray, document: string | undefined): readonly Difference[] {
  const found: Difference[] = [];
  const zarray = documentOf(document);
  if (zarray.size > 0) {
    const dtype = zarray.get("dtype");
    if (typeof dtype === "string" && writeJson(dtype) !== own.dtype) {
      const [set, file] = [dtype, own.dtype.replaceAll('"', "")];
      const isOrder = set.slice(1) === file.slice(1);
      found.push({ member: isOrder ? "byte-order" : "dtype", set, file });
    }
    const chunks = text(zarray.get("chunks"));
    // A dimension along which files are stacked is none of theirs.
    const stacked = Math.max(0, node.metadata.shape.length - own.chunks.length);
    const ownChunks = JSON.stringify([...Array.from({ length: stacked }, () => 1), ...own.chunks]);
    if (chunks !== ownChunks && !isCut(node, own)) found.push({ member: "chunks", set: chunks, file: ownChunks });
    const [filters, ownFilters] = [codecNames(zarray), own.filters.map(codecName)];
    const declared = own.declared?.filters.map(codecName) ?? ownFilters;
    // The index of a file leaves checksums out.
    const plain = filters.filter((one) => one !== "fletcher32");
    if (
      ![ownFilters, declared].some((one) => one.join() === filters.join() || one.join() === plain.join()) &&
      own.references.count > 0
    )
      found.push({ member: "filters", set: filters.join(", ") || "none", file: ownFilters.join(", ") || "none" });
    if (isOtherFill(zarray.get("fill_value"), node, own))
      found.push({ member: "fill", set: text(zarray.get("fill_value")), file: own.fill });
  }
  return [...found, ...orderDifferences(node, own), ...packingDifferences(node, own)];
}

/** Of numbers that the file masks: as attribute they mask as well. */
function isOtherFill(fill: JsonValue | undefined, { attributes }: ArrayNode, own: SourceArray): boolean {
  const has = own.hasFillAttribute === true ? parsed(own.fill) : undefined;
  if (has === undefined || has === null || Number.isNaN(Number(has)) || !/^"[<>|][fiu]/.test(own.dtype)) return false;
  const named = isJsonObject(attributes) ? [attributes.get("_FillValue"), attributes.get("missing_value")] : [];
  return ![fill, ...named].some((one) => one !== undefined && one !== null && isSame(one, has));
}

/** The same names in another order; other names are a choice. */
function orderDifferences(
  { metadata: { dimensionNames = [] } }: ArrayNode,
  { dimensions }: SourceArray,
): readonly Difference[] {
  const [set, file] = [dimensionNames.join(", "), dimensions.join(", ")];
  const isSameNames =
    dimensionNames.length === dimensions.length && dimensions.every((name) => dimensionNames.includes(name));
  return isSameNames && set !== file ? [{ member: "dimensions", set, file }] : [];
}

/** One contiguous chunk may be cut into several. */
const isCut = ({ metadata }: ArrayNode, own: SourceArray): boolean =>
  own.references.count <= 1 && own.filters.length === 0 && metadata.shape.length === own.shape.length;

/** `shuffle`, of a codec's JSON text. */
export const codecName = (json: string): string => {
  const value = parsed(json);
  const id = isJsonObject(value) ? value.get("id") : undefined;
  return typeof id === "string" ? id : json;
};

function codecNames(zarray: ReadonlyMap<string, JsonValue>): readonly string[] {
  const filters = zarray.get("filters");
  const list = [...(Array.isArray(filters) ? (filters as readonly JsonValue[]) : []), zarray.get("compressor") ?? null];
  return list.flatMap((one) => {
    const id = isJsonObject(one) ? one.get("id") : undefined;
    return typeof id === "string" ? id : [];
  });
}

/** What values mean. */
const MEANING = ["scale_factor", "add_offset", "units", "calendar"] as const;

function packingDifferences({ attributes }: ArrayNode, own: SourceArray): readonly Difference[] {
  if (!isJsonObject(attributes)) return [];
  return MEANING.flatMap((member) => {
    const [set, raw] = [attributes.get(member), own.attributes.get(member)];
    const file = raw === undefined ? undefined : parsed(raw);
    if (isSame(set, file) || (member !== "scale_factor" && member !== "add_offset" && isLeftOut(set, file))) return [];
    return [{ member, set: shown(set), file: shown(file) }];
  });
}

/** A unit or calendar that one of them does not name says nothing, but for times: their numbers mean nothing without it. */
const isLeftOut = (set: JsonValue | undefined, file: JsonValue | undefined): boolean =>
  file === undefined || (set === undefined && !(typeof file === "string" && file.includes(" since ")));

/** Names of one calendar (CF 1.11, section 4.4.1). */
const SAME_CALENDARS: ReadonlyMap<string, string> = new Map([
  ["gregorian", "standard"],
  ["365_day", "noleap"],
  ["366_day", "all_leap"],
]);

const shown = (value: JsonValue | undefined): string =>
  value === undefined ? "none" : typeof value === "string" ? value : writeJson(value);

/** Numbers written as texts are numbers (Kerchunk's of NetCDF-3). */
function isSame(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  const [a, b] = [Number(one), Number(other)];
  if (!Number.isNaN(a) && !Number.isNaN(b)) return a === b || Math.abs(a - b) <= 1e-6 * Math.abs(b);
  const plain = (value: JsonValue): string => SAME_CALENDARS.get(shown(value).trim()) ?? shown(value).trim();
  return plain(one) === plain(other);
}
