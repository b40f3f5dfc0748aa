/**
 * Metadata of Zarr v2 as VirtualiZarr (2.7) writes them in v3: the codec `bytes`, and what numcodecs does as codecs that are
 * named after it. Numbers of attributes stay as they were written.
 */
import { isJsonObject, type JsonNode, type JsonObject, type JsonValue, membersOf } from "../json/json.ts";
import { writeJson, writeJsonNode } from "../json/json-write.ts";
import { jsonValueOf, parseJsonTree } from "../json/parse-json.ts";
import { toBase64 } from "../values/fill-bytes.ts";

const DIMENSIONS = "_ARRAY_DIMENSIONS";
const FILL = "_FillValue";

export function groupText3(attributes: string | undefined): string {
  return `{"attributes":${attributesText(attributes, new Map())},"node_type":"group","zarr_format":3}`;
}

/** `masks`: the fill value stands for missing values. `undefined` where v3 has no data type for the elements. */
export function arrayText3(array: string, attributes: string | undefined, masks = true): string | undefined {
  const value = jsonValueOf(parseJsonTree(array).root);
  if (!isJsonObject(value)) return undefined;
  const dtype = value.get("dtype");
  const type = typeof dtype === "string" ? dataType(dtype) : undefined;
  const codecs = type && codecsOf(value, type);
  if (type === undefined || codecs === undefined) return undefined;
  const fill = value.get("fill_value") ?? null;
  const names = attributes === undefined ? undefined : membersOf(parseJsonTree(attributes).root)?.get(DIMENSIONS);
  const members: readonly (readonly [string, string])[] = [
    ["attributes", attributesText(attributes, masks ? fillAttribute(fill, type) : new Map())],
    ["chunk_grid", `{"configuration":{"chunk_shape":${writeJson(value.get("chunks") ?? [])}},"name":"regular"}`],
    ["chunk_key_encoding", '{"configuration":{"separator":"/"},"name":"default"}'],
    ["codecs", `[${codecs.join(",")}]`],
    ["data_type", type.text],
    ...(names === undefined ? [] : [["dimension_names", writeJsonNode(names)] as const]),
    ["fill_value", writeJson(fill ?? type.zero)],
    ["node_type", '"array"'],
    ["shape", writeJson(value.get("shape") ?? [])],
    ["storage_transformers", "[]"],
    ["zarr_format", "3"],
  ];
  return `{${members.map(([name, text]) => `"${name}":${text}`).join(",")}}`;
}

interface Type {
  /** JSON text. */
  readonly text: string;
  readonly letter: string;
  readonly isBig: boolean;
  readonly itemSize: number;
  /** What zarr-python takes where none is given. */
  readonly zero: JsonValue;
}

const NUMBERS: ReadonlyMap<string, string> = new Map([
  ["i", "int"],
  ["u", "uint"],
  ["f", "float"],
  ["c", "complex"],
]);

function dataType(dtype: string): Type | undefined {
  const [, order, letter = "", digits = "", unit] = /^([<>|])([biufcSUVMm])(\d+)(?:\[(\d*\w+)\])?$/.exec(dtype) ?? [];
  if (order === undefined) return undefined;
  const itemSize = Number(digits) * (letter === "U" ? 4 : 1);
  const rest = { letter, isBig: order === ">", itemSize };
  const withLength = (name: string) => `{"configuration":{"length_bytes":${itemSize}},"name":"${name}"}`;
  const number = NUMBERS.get(letter);
  if (letter === "b") return { ...rest, text: '"bool"', zero: false };
  if (number !== undefined) return { ...rest, text: `"${number}${itemSize * 8}"`, zero: letter === "c" ? [0, 0] : 0 };
  if (letter === "S") return { ...rest, text: withLength("null_terminated_bytes"), zero: "" };
  if (letter === "U") return { ...rest, text: withLength("fixed_length_utf32"), zero: "" };
  if (letter === "V") return { ...rest, text: withLength("raw_bytes"), zero: toBase64(new Uint8Array(itemSize)) };
  const [, factor = "", name = ""] = /^(\d*)(\w+)$/.exec(unit ?? "generic") ?? [];
  const time = `{"configuration":{"scale_factor":${factor || 1},"unit":"${name}"},"name":"numpy.${letter === "M" ? "datetime64" : "timedelta64"}"}`;
  return { ...rest, text: time, zero: "NaT" };
}

/** What numcodecs does before there are bytes. */
const OF_ARRAYS = new Set(["delta", "fixedscaleoffset", "quantize", "astype", "bitround"]);

/** In the order of encoding, JSON text each. */
function codecsOf(array: JsonObject, { isBig, itemSize, letter }: Type): readonly string[] | undefined {
  const shape = array.get("shape");
  const rank = Array.isArray(shape) ? shape.length : 0;
  const filters = array.get("filters");
  const all = [...(Array.isArray(filters) ? (filters as readonly JsonValue[]) : []), array.get("compressor") ?? null];
  const configured = all.filter(isJsonObject);
  const isOfArrays = (codec: JsonObject) => OF_ARRAYS.has(String(codec.get("id")));
  const [before, after] = [configured.filter(isOfArrays), configured.filter((codec) => !isOfArrays(codec))];
  const order = Array.from({ length: rank }, (_, at) => rank - 1 - at);
  const isOrdered = itemSize > 1 && !"SV".includes(letter);
  const bytes = isOrdered
    ? `{"configuration":{"endian":"${isBig ? "big" : "little"}"},"name":"bytes"}`
    : '{"name":"bytes"}';
  return [
    ...(array.get("order") === "F" && rank > 1
      ? [`{"configuration":{"order":${writeJson(order)}},"name":"transpose"}`]
      : []),
    ...before.map(numcodec),
    bytes,
    ...after.map(numcodec),
  ];
}

function numcodec(codec: JsonObject): string {
  const rest = new Map(codec);
  rest.delete("id");
  return `{"configuration":${writeJson(rest)},"name":${JSON.stringify(`numcodecs.${String(codec.get("id"))}`)}}`;
}

/** xarray masks by the fill value in v2 alone; in v3 by this attribute, with floats as bytes of a double in base64. */
function fillAttribute(fill: JsonValue, { letter }: Type): ReadonlyMap<string, string> {
  if (fill === null || !"iufb".includes(letter)) return new Map();
  if (letter !== "f") return new Map([[FILL, writeJson(fill)]]);
  const bytes = new Uint8Array(8);
  const named = typeof fill === "string" ? Number(fill) : Number(fill as number);
  new DataView(bytes.buffer).setFloat64(0, named, true);
  return new Map([[FILL, JSON.stringify(toBase64(bytes))]]);
}

function attributesText(attributes: string | undefined, more: ReadonlyMap<string, string>): string {
  const root: JsonNode | undefined = attributes === undefined ? undefined : parseJsonTree(attributes).root;
  const members = [...(membersOf(root) ?? [])].filter(([name]) => name !== DIMENSIONS && !more.has(name));
  const texts = [...members.map(([name, node]) => [name, writeJsonNode(node)] as const), ...more];
  return `{${texts.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(",")}}`;
}
