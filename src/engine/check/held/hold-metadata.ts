/**
 * An array of a set against the same array as its source files have it: types, filters, packing, units, fill values.
 */
import { attempt } from "#core/basics.ts";
import { isMaskedByFill, meantFill } from "#core/cf/cf-fill.ts";
import type { HeldMember } from "#core/findings/catalogue/held.ts";
import { isJsonObject, type JsonValue } from "#core/json/json.ts";
import { parsed } from "#core/json/parse-json.ts";
import type { ArrayNode } from "#core/metadata/array-metadata.ts";
import { attribute } from "#core/metadata/attribute.ts";
import { cellCount, gridOf } from "#core/metadata/chunk-grid.ts";
import { isNear, meaningDifferences, meaningOf, meaningText, sameMeaning } from "#core/metadata/meaning.ts";
import type { ArrayMeaning, MemberDifference } from "#core/metadata/meaning.ts";
import { sourceNode } from "#core/metadata/source-node.ts";
import type { SourceArray } from "#core/source-file.ts";
import type { HeldArray } from "./hold-references.ts";

/** The set states `a`, the file `b`. */
export type HeldDifference = Omit<MemberDifference, "member"> & { readonly member: HeldMember };

/** An array of the set, the same of the file, and what both mean. */
interface Beside {
  readonly node: ArrayNode;
  readonly own: SourceArray;
  readonly a: ArrayMeaning;
  readonly b: ArrayMeaning;
}

const VALUES = ["scale_factor", "add_offset", "units", "calendar"] as const;

export function metadataDifferences({ node, own }: HeldArray): readonly HeldDifference[] {
  const header = attempt(() => sourceNode(own));
  if (header === undefined) return [];
  const beside = { node, own, a: meaningOf(node), b: meaningOf(header) };
  return [
    ...typeDifferences(beside),
    ...chunkDifferences(beside),
    ...filterDifferences(beside),
    ...fillDifferences(beside),
    ...orderDifferences(beside),
    ...meaningDifferences(beside.a, beside.b, VALUES).filter(({ member }) => isStated(member, beside)),
  ];
}

/** A unit that one of them does not state says nothing, but for times: their numbers mean nothing without it. */
const isStated = (member: (typeof VALUES)[number], { a, b }: Beside): boolean =>
  b[member] !== undefined &&
  (a[member] !== undefined || (member === "units" && meaningText(b.units).includes(" since ")));

function typeDifferences({ a, b }: Beside): readonly HeldDifference[] {
  const texts = { a: meaningText(a.dtype), b: meaningText(b.dtype) };
  if (!sameMeaning("dtype", a, b)) return [{ member: "dtype", ...texts }];
  return sameMeaning("byte-order", a, b) ? [] : [{ member: "byte-order", ...texts }];
}

function chunkDifferences({ node: { metadata }, own, a }: Beside): readonly HeldDifference[] {
  // The files do not have the dimension along which they are stacked.
  const stacked = Array.from({ length: Math.max(0, metadata.shape.length - own.chunks.length) }, () => 1);
  const [set, file] = [meaningText(a.chunks), meaningText([...stacked, ...own.chunks])];
  // One contiguous chunk may be cut into several.
  const isCut = own.references.count <= 1 && own.filters.length === 0 && metadata.shape.length === own.shape.length;
  return set === file || isCut ? [] : [{ member: "chunks", a: set, b: file }];
}

function filterDifferences({ own, a, b }: Beside): readonly HeldDifference[] {
  if (own.references.count === 0) return [];
  const filters = own.declared?.filters;
  const declared = filters === undefined ? b : (attempt(() => meaningOf(sourceNode({ ...own, filters }))) ?? b);
  // The index of a file leaves checksums out.
  const plain = { ...a, codecs: codecsOf(a).filter((codec) => codec.get("id") !== "fletcher32") };
  if ([a, plain].some((one) => [b, declared].some((other) => sameMeaning("codecs", one, other)))) return [];
  const [set, file] = [namesOf(a), namesOf(b)];
  // The size of elements is the type's.
  if (set === file && !sameMeaning("dtype", a, b)) return [];
  const texts = set === file ? { a: meaningText(a.codecs), b: meaningText(b.codecs) } : { a: set, b: file };
  return [{ member: "filters", ...texts }];
}

const codecsOf = ({ codecs }: ArrayMeaning) => (codecs as readonly JsonValue[]).filter(isJsonObject);
const namesOf = (meaning: ArrayMeaning): string =>
  codecsOf(meaning)
    .map((codec) => meaningText(codec.get("id")))
    .join(", ") || "none";

/** Numbers alone: of others nothing is masked. */
function fillDifferences(beside: Beside): readonly HeldDifference[] {
  const { fillValue } = beside.node.metadata;
  const has = parsed(beside.own.fill);
  if (beside.b.missing === undefined || has === undefined || has === null) return [];
  if (!isOtherMask(Number(has), beside) && !isOtherUnwritten(Number(has), beside)) return [];
  return [{ member: "fill", a: meaningText(fillValue), b: beside.own.fill }];
}

/** The set masks neither the number that the file masks nor what its own codecs make of it. */
function isOtherMask(has: number, { node: { metadata, attributes }, own }: Beside): boolean {
  if (own.hasFillAttribute !== true || Number.isNaN(has)) return false;
  const named = ["_FillValue", "missing_value"].flatMap((name) => attribute(attributes, name) ?? []);
  const masks = [...(isMaskedByFill(metadata) ? [metadata.fillValue] : []), ...named];
  const byCodecs = meaningOf({ metadata, attributes: undefined });
  const unpacked = has * Number(byCodecs.scale_factor) + Number(byCodecs.add_offset);
  return !masks
    .filter((one) => one !== null)
    .map((one) => Number(meantFill(one, metadata)))
    .some((one) => isNear(one, has, 0) || isNear(one, unpacked, 0));
}

/** Chunks that the file never wrote read as another value than the file says, unless both leave that open. */
function isOtherUnwritten(has: number, { node: { metadata }, own, b }: Beside): boolean {
  const fill = metadata.fillValue;
  if (typeof fill !== "number" || own.hasFillAttribute === true || isNear(fill, has, 0) || Number.isNaN(has))
    return false;
  if (meaningOf({ metadata: { ...metadata, decoding: [] }, attributes: undefined }).dtype !== b.dtype) return false;
  // Writers of references put 0 where a file has a default of its own.
  const isUnwritten = own.references.count + own.inline.size < cellCount(gridOf(own.shape, own.chunks));
  return isUnwritten || (fill !== 0 && Math.abs(fill) < DEFAULT_FILL && !ENDS.has(fill));
}

/** The least of netCDF's default fill values of floats; those of integers. */
const DEFAULT_FILL = 9e36;
const ENDS: ReadonlySet<number> = new Set([-127, 255, -32767, 65535, -2147483647, 4294967295]);

/** The same names in another order; other names are a choice. */
function orderDifferences({ a, b }: Beside): readonly HeldDifference[] {
  const joined = [a, b].map(({ dimensions }) => (Array.isArray(dimensions) ? dimensions.join(", ") : ""));
  const [set = "", file = ""] = joined;
  const names = (text: string) => text.split(", ").toSorted().join(", ");
  return set !== file && names(set) === names(file) ? [{ member: "dimensions", a: set, b: file }] : [];
}

/** `shuffle`, of a codec's JSON text. */
export const codecName = (json: string): string => {
  const value = parsed(json);
  const id = isJsonObject(value) ? value.get("id") : undefined;
  return typeof id === "string" ? id : json;
};
