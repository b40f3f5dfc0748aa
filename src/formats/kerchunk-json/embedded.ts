/**
 * Reference sets inside another JSON document: a list of sets (one per GRIB message), an object from file name to set, a
 * STAC item that holds one among its assets.
 */
import { nodePathOf } from "#core/metadata/hierarchy-path.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "#core/json/json.ts";
import { parsed } from "#core/json/parse-json.ts";
import { inlineOfText } from "./inline.ts";
import { decodeText, itemsOf, membersOf } from "./json-bytes.ts";
import { isMetadataKey } from "./slots.ts";

export interface Embedded {
  /** Path from the top: keys and list positions, joined by slashes. */
  readonly id: string;
  readonly label: string;
  readonly detail: string;
  /** Its bytes, where it is the one wanted. */
  readonly bytes: Uint8Array | undefined;
}

/** A set in a set in a set is not looked for. */
const MAX_DEPTH = 6;

/** Sets at or inside the value from `from` to `to`, which has passed `skipValue`. */
export function embeddedSets(
  bytes: Uint8Array,
  from: number,
  to: number,
  id: string,
  choice: string | undefined,
  depth = 0,
): readonly Embedded[] {
  const children = childrenOf(bytes, from, to, id);
  if (isSet(bytes, children)) return [describe(bytes.subarray(from, to), id, choice)];
  if (depth >= MAX_DEPTH) return [];
  return children.flatMap((child) => embeddedSets(bytes, child.from, child.to, child.id, choice, depth + 1));
}

interface Child {
  readonly key: string;
  readonly id: string;
  readonly from: number;
  readonly to: number;
}

function childrenOf(bytes: Uint8Array, from: number, to: number, id: string): readonly Child[] {
  if (bytes[from] === 123)
    return membersOf(bytes, from, to).map((member) => ({ ...member, id: `${id}/${member.key}` }));
  if (bytes[from] !== 91) return [];
  return itemsOf(bytes, from, to).map(([start, end], index) => ({
    key: String(index),
    id: `${id}/${index}`,
    from: start,
    to: end,
  }));
}

/** An object with an object `refs`, or with metadata keys of its own. */
function isSet(bytes: Uint8Array, children: readonly Child[]): boolean {
  return children.some(({ key, from }) => {
    if (key === "refs" && bytes[from] === 123) return true;
    return (
      isMetadataKey(key) && key.includes(".z") && (bytes[from] === 34 || bytes[from] === 123 || bytes[from] === 91)
    );
  });
}

function describe(bytes: Uint8Array, id: string, choice: string | undefined): Embedded {
  const set = objectOf(decodeText(bytes).text);
  const refs = set === undefined ? undefined : set.get("refs");
  const entries = isJsonObject(refs) ? refs : (set ?? new Map<string, JsonValue>());
  const variables = variablesOf(entries);
  const names = variables.map((path) => path.slice(path.lastIndexOf("/") + 1));
  return {
    id,
    label: names.length === 0 ? id : `${id}: ${shortList(names)}`,
    detail: [...gribFacts(entries, variables), `${entries.size} keys`].join(", "),
    bytes: id === choice ? bytes.slice() : undefined,
  };
}

function shortList(names: readonly string[]): string {
  return names.length <= 6 ? names.join(", ") : `${names.slice(0, 6).join(", ")} and ${names.length - 6} more`;
}

/** Arrays that the root does not list as coordinates and that are not named as their own dimension. */
function variablesOf(entries: JsonObject): readonly string[] {
  const arrays = [...entries.keys()].filter((key) => key.endsWith(".zarray")).map(nodePathOf);
  const named = document(entries, ".zattrs")?.get("coordinates");
  const coordinates = new Set(typeof named === "string" ? named.split(" ") : []);
  const variables = arrays.filter((path) => {
    const dimensions = document(entries, `${path}/.zattrs`)?.get("_ARRAY_DIMENSIONS");
    const own = Array.isArray(dimensions) && dimensions.length === 1 && dimensions[0] === path;
    return !own && !coordinates.has(path);
  });
  return variables.length === 0 ? arrays : variables;
}

/** Facts that distinguish GRIB messages. */
function gribFacts(entries: JsonObject, variables: readonly string[]): readonly string[] {
  const [first] = variables;
  if (first === undefined) return [];
  const attributes = document(entries, `${first}/.zattrs`);
  const [name, level, stepType] = ["GRIB_name", "GRIB_typeOfLevel", "GRIB_stepType"].map((one) => attributes?.get(one));
  const height = typeof level === "string" ? measured(entries, level) : undefined;
  const facts = [name, height ?? level, stepType, measured(entries, "step"), validTime(entries)];
  return facts.filter((fact) => typeof fact === "string");
}

/** "heightAboveGround 80 m" */
function measured(entries: JsonObject, path: string): string | undefined {
  const value = numberIn(entries, path);
  const units = document(entries, `${path}/.zattrs`)?.get("units");
  return value === undefined ? undefined : `${path} ${value}${typeof units === "string" ? ` ${units}` : ""}`;
}

const LAST_SECOND = 8.64e12;

/** "2023-09-15 20:15" */
function validTime(entries: JsonObject): string | undefined {
  const seconds = numberIn(entries, "valid_time");
  const units = document(entries, "valid_time/.zattrs")?.get("units");
  if (seconds === undefined || Math.abs(seconds) > LAST_SECOND || units !== "seconds since 1970-01-01T00:00:00") return;
  return new Date(seconds * 1000).toISOString().slice(0, 16).replace("T", " ");
}

/** A single number that stands in the document, as Kerchunk writes them. */
function numberIn(entries: JsonObject, path: string): number | undefined {
  const metadata = document(entries, `${path}/.zarray`);
  const [written, shape] = [entries.get(`${path}/0`), metadata?.get("shape")];
  const isPlain = Array.isArray(shape) && shape.length === 0 && metadata?.get("compressor") === null;
  if (typeof written !== "string" || !isPlain || metadata?.get("filters") !== null) return undefined;
  const { bytes } = inlineOfText(written);
  if (bytes.length !== 8) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, 8);
  const dtype = metadata.get("dtype");
  if (dtype === "<i8") return Number(view.getBigInt64(0, true));
  const value = dtype === "<f8" ? view.getFloat64(0, true) : Number.NaN;
  return Number.isFinite(value) ? value : undefined;
}

/** A metadata document among the entries, as text or as object. */
function document(entries: JsonObject, key: string): JsonObject | undefined {
  const value = entries.get(key);
  if (isJsonObject(value)) return value;
  return typeof value === "string" ? objectOf(decodeText(inlineOfText(value).bytes).text) : undefined;
}

function objectOf(text: string): JsonObject | undefined {
  const value = parsed(text);
  return isJsonObject(value) ? value : undefined;
}
