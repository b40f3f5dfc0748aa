/** An array of a set against the same array as its source files have it: types, filters, packing, units, lengths. */
import { cellCount, gridOf } from "../../../core/metadata/chunk-grid.ts";
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

/** Fields as `.zarray` has them: JSON text of each. `undefined` for those that Zarr v3 writes differently. */
function documentOf(text: string | undefined): ReadonlyMap<string, JsonValue> {
  const value = text === undefined ? undefined : parsed(text);
  return isJsonObject(value) ? value : new Map();
}

const text = (value: JsonValue | undefined): string => (value === undefined ? "none" : writeJson(value));

/** `document`: the array's `.zarray`. */
export function metadataDifferences({ node, own }: HeldArray, document: string | undefined): readonly Difference[] {
  const found: Difference[] = [];
  const zarray = documentOf(document);
  const packing = codecPacking(node, own);
  if (zarray.size > 0) {
    const dtype = packing?.storedAs ?? zarray.get("dtype");
    if (typeof dtype === "string" && writeJson(dtype) !== own.dtype) {
      const [set, file] = [dtype, textOf(own)];
      const isOrder = set.slice(1) === file.slice(1);
      found.push({ member: isOrder ? "byte-order" : "dtype", set, file });
    }
    const chunks = text(zarray.get("chunks"));
    // A dimension along which files are stacked is none of theirs.
    const stacked = Math.max(0, node.metadata.shape.length - own.chunks.length);
    const ownChunks = JSON.stringify([...Array.from({ length: stacked }, () => 1), ...own.chunks]);
    if (chunks !== ownChunks && !isCut(node, own)) found.push({ member: "chunks", set: chunks, file: ownChunks });
    const ownFilters = own.filters.map(codecName);
    const filters = codecNames(zarray).filter((one) => packing === undefined || !PACKS.has(one));
    const declared = own.declared?.filters.map(codecName) ?? ownFilters;
    // The index of a file leaves checksums out.
    const plain = filters.filter((one) => one !== "fletcher32");
    if (
      ![ownFilters, declared].some((one) => one.join() === filters.join() || one.join() === plain.join()) &&
      own.references.count > 0
    )
      found.push({ member: "filters", set: filters.join(", ") || "none", file: ownFilters.join(", ") || "none" });
    if (
      isOtherFill(zarray.get("fill_value"), node, own, packing) ||
      isOtherUnwritten(zarray.get("fill_value"), node, own)
    )
      found.push({ member: "fill", set: text(zarray.get("fill_value")), file: own.fill });
  }
  return [...found, ...orderDifferences(node, own), ...packingDifferences(node, own, packing)];
}

/** Packing by codecs: n × scale + offset for stored numbers. */
interface CodecPacking {
  readonly scale: number;
  readonly offset: number;
  /** The type of the stored elements, where a codec of Zarr v2 names it. */
  readonly storedAs: string | undefined;
}

/** Codecs by which packing may stand beside attributes, or in their place. */
const PACKS: ReadonlySet<string> = new Set(["fixedscaleoffset", "scale_offset", "astype", "cast_value"]);

/** `undefined` where none packs that the file has not, too. */
function codecPacking({ metadata }: ArrayNode, own: SourceArray): CodecPacking | undefined {
  const inFile = new Set(own.filters.map(codecName));
  const steps = metadata.decoding.filter(({ id }) => PACKS.has(id.replace("numcodecs.", "")) && !inFile.has(id));
  if (steps.length === 0) return undefined;
  const member = (at: number, ...names: readonly string[]) =>
    names.map((name) => steps[at]?.configuration.get(name)).find((value) => value !== undefined);
  let [scale, offset] = [1, 0];
  for (const at of steps.keys()) {
    const by = Number(member(at, "scale") ?? 1);
    [scale, offset] = [scale / by, offset / by + Number(member(at, "offset") ?? 0)];
  }
  const storedAs = member(0, "encode_dtype", "astype", "dtype");
  return { scale, offset, storedAs: typeof storedAs === "string" ? storedAs : undefined };
}

/** True if unwritten chunks read as another value than the dataset says, unless both leave that open. */
function isOtherUnwritten(fill: JsonValue | undefined, { metadata }: ArrayNode, own: SourceArray): boolean {
  const has = parsed(own.fill);
  const areNumbers = typeof fill === "number" && typeof has === "number" && /^"[<>|][fiu]/.test(own.dtype);
  if (!areNumbers || own.hasFillAttribute === true || isSame(fill, has) || metadata.dataType.text !== textOf(own))
    return false;
  // Writers of references put 0 where a file has a default of its own.
  const isUnwritten = own.references.count + own.inline.size < cellCount(gridOf(own.shape, own.chunks));
  return isUnwritten || (fill !== 0 && Math.abs(fill) < DEFAULT_FILL && !ENDS.has(fill));
}

/** The least of netCDF's default fill values of floats; those of integers. */
const DEFAULT_FILL = 9e36;
const ENDS: ReadonlySet<number> = new Set([-127, 255, -32767, 65535, -2147483647, 4294967295]);

const textOf = ({ dtype }: SourceArray): string => dtype.replaceAll('"', "");

/** True if the file masks other numbers; an attribute masks as well. */
function isOtherFill(
  fill: JsonValue | undefined,
  { attributes }: ArrayNode,
  own: SourceArray,
  packing: CodecPacking | undefined,
): boolean {
  const has = own.hasFillAttribute === true ? parsed(own.fill) : undefined;
  if (has === undefined || has === null || Number.isNaN(Number(has)) || !/^"[<>|][fiu]/.test(own.dtype)) return false;
  const named = isJsonObject(attributes) ? [attributes.get("_FillValue"), attributes.get("missing_value")] : [];
  const unpacked = packing === undefined ? has : Number(has) * packing.scale + packing.offset;
  return ![fill, ...named].some(
    (one) => one !== undefined && one !== null && (isSame(one, has) || isSame(one, unpacked)),
  );
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

/** Attributes that give values their meaning. */
const MEANING = ["scale_factor", "add_offset", "units", "calendar"] as const;

function packingDifferences(
  { attributes }: ArrayNode,
  own: SourceArray,
  packing: CodecPacking | undefined,
): readonly Difference[] {
  if (!isJsonObject(attributes)) return [];
  // Codec and attributes together must equal the file's attributes.
  const scale = Number(attributes.get("scale_factor") ?? 1);
  const whole = packing && {
    scale: scale * packing.scale,
    offset: scale * packing.offset + Number(attributes.get("add_offset") ?? 0),
  };
  return MEANING.flatMap((member) => {
    const [set, raw] = [attributes.get(member), own.attributes.get(member)];
    if (whole !== undefined && (member === "scale_factor" || member === "add_offset")) {
      const [both, file] = [
        member === "scale_factor" ? whole.scale : whole.offset,
        Number(parsed(raw ?? "null") ?? Number(member === "scale_factor")),
      ];
      const isNear = Math.abs(both - file) <= 1e-6 * Math.max(Math.abs(file), Math.abs(whole.scale));
      return isNear ? [] : [{ member, set: String(both), file: String(file) }];
    }
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
