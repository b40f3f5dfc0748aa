/**
 * Metadata of Zarr v2 as VirtualiZarr (2.7) writes them in v3: the codec `bytes`, and what numcodecs does as codecs that are
 * named after it. Numbers of attributes stay as they were written.
 */
import { isJsonObject, type JsonObject, type JsonValue, membersOf } from "../json/json.ts";
import { jsonValueOf, parseJsonTree, writeJson, writeJsonNode } from "../json/parse-json.ts";
import { PREFIX } from "./codec-table.ts";
import { toBase64 } from "../values/fill-bytes.ts";

export const groupText3 = (attributes = "{}"): string =>
  `{"attributes":${attributesText(attributes, new Map())},"node_type":"group","zarr_format":3}`;

/** `masks`: the fill value stands for missing values. `undefined` where v3 has no such type or codecs. */
export function arrayText3(array: string, attributes = "{}", masks = true): string | undefined {
  const value = jsonValueOf(parseJsonTree(array).root);
  const dtype = isJsonObject(value) ? value.get("dtype") : undefined;
  const type = typeof dtype === "string" ? dataType(dtype) : undefined;
  const codecs = isJsonObject(value) && type !== undefined ? codecsOf(value, type) : undefined;
  if (!isJsonObject(value) || type === undefined || codecs === undefined) return undefined;
  const fill = value.get("fill_value") ?? null;
  const names = membersOf(parseJsonTree(attributes).root)?.get("_ARRAY_DIMENSIONS");
  const members = [
    ["attributes", attributesText(attributes, masks ? fillAttribute(fill, type) : new Map())],
    ["chunk_grid", `{"configuration":{"chunk_shape":${writeJson(value.get("chunks") ?? [])}},"name":"regular"}`],
    ["chunk_key_encoding", '{"configuration":{"separator":"/"},"name":"default"}'],
    ["codecs", `[${codecs.join(",")}]`],
    ["data_type", type.text],
    ...(names === undefined ? [] : [["dimension_names", writeJsonNode(names)]]),
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
  readonly endian: "big" | "little" | undefined;
  /** Taken where none is given. */
  readonly zero: JsonValue;
}

const NUMBERS = new Map(Object.entries({ i: "int", u: "uint", f: "float", c: "complex" }));
const LENGTHS = new Map(Object.entries({ S: "null_terminated_bytes", U: "fixed_length_utf32", V: "raw_bytes" }));

function dataType(dtype: string): Type | undefined {
  const [, order, letter = "", digits = "", factor = "", unit = "generic"] =
    /^([<>|])([biufcSUVMm])(\d+)(?:\[(\d*)(\w+)\])?$/.exec(dtype) ?? [];
  if (order === undefined) return undefined;
  const size = Number(digits) * (letter === "U" ? 4 : 1);
  const endian = "SV".includes(letter) ? undefined : orderOf(dtype);
  const type = (text: string, zero: JsonValue): Type => ({ text, letter, endian, zero });
  const number = NUMBERS.get(letter);
  if (letter === "b") return type('"bool"', false);
  if (number !== undefined) return type(`"${number}${size * 8}"`, letter === "c" ? [0, 0] : 0);
  const name = LENGTHS.get(letter);
  const zero = letter === "V" ? toBase64(new Uint8Array(size)) : "";
  if (name !== undefined) return type(`{"configuration":{"length_bytes":${size}},"name":"${name}"}`, zero);
  const time = letter === "M" ? "datetime64" : "timedelta64";
  return type(`{"configuration":{"scale_factor":${factor || 1},"unit":"${unit}"},"name":"numpy.${time}"}`, "NaT");
}

const orderOf = (dtype: string) => (/^\||^.[^U]1$/.test(dtype) ? undefined : dtype.startsWith(">") ? "big" : "little");

// zarr-python 3.4 registers numcodecs' codecs so; it has no `base64` and no `categorize`.
// The package ccic registers log_bins.
const OF_ARRAYS = new Set(["delta", "fixedscaleoffset", "quantize", "astype", "bitround", "packbits", "log_bins"]);
const TO_BYTES = new Set(["pcodec", "zfpy"]);
const ABSENT = new Set(["base64", "categorize"]);

/** Codecs in the order of encoding, JSON text each. `undefined` where codecs of v3 cannot do the same. */
function codecsOf(array: JsonObject, { endian }: Type): readonly string[] | undefined {
  const list = (name: string) => (Array.isArray(array.get(name)) ? (array.get(name) as readonly JsonValue[]) : []);
  const axes = list("shape").map((_, at) => list("shape").length - 1 - at);
  const codecs =
    array.get("order") === "F" ? [`{"configuration":{"order":${writeJson(axes)}},"name":"transpose"}`] : [];
  let [order, areBytes] = [endian, false];
  const toBytes = () =>
    codecs.push(order === undefined ? '{"name":"bytes"}' : `{"configuration":{"endian":"${order}"},"name":"bytes"}`);
  for (const codec of [...list("filters"), array.get("compressor") ?? null].filter(isJsonObject)) {
    const id = codec.get("id") as string;
    const isOfArrays = OF_ARRAYS.has(id);
    if (ABSENT.has(id) || (areBytes && (isOfArrays || TO_BYTES.has(id)))) return undefined;
    const [type, other] = [codec.get("dtype"), codec.get(id === "astype" ? "encode_dtype" : "astype")];
    // zarr-python does not know that quantize changes the type.
    if (id === "quantize" && (other ?? type) !== type) return undefined;
    if (isOfArrays && typeof other === "string") order = orderOf(other);
    if (id === "packbits" || id === "log_bins") order = undefined;
    if (!isOfArrays && !areBytes && !TO_BYTES.has(id)) toBytes();
    areBytes ||= !isOfArrays;
    codecs.push(numcodec(codec));
  }
  if (!areBytes) toBytes();
  return codecs;
}

function numcodec(codec: JsonObject): string {
  const rest = new Map([...codec].filter(([name]) => name !== "id"));
  return `{"configuration":${writeJson(rest)},"name":${writeJson(PREFIX + (codec.get("id") as string))}}`;
}

/** xarray masks by the fill value in v2 alone; in v3 by this attribute, with floats as bytes of a double in base64. */
function fillAttribute(fill: JsonValue, { letter }: Type): ReadonlyMap<string, string> {
  if (fill === null || !"iufb".includes(letter)) return new Map();
  const bytes = new Uint8Array(Float64Array.of(Number(fill)).buffer);
  return new Map([["_FillValue", writeJson(letter === "f" ? toBase64(bytes) : fill)]]);
}

function attributesText(attributes: string, more: ReadonlyMap<string, string>): string {
  const own = [...(membersOf(parseJsonTree(attributes).root) ?? [])].filter(([name]) => name !== "_ARRAY_DIMENSIONS");
  const texts = new Map([...own.map(([name, node]) => [name, writeJsonNode(node)] as const), ...more]);
  return `{${Array.from(texts, ([name, text]) => `${JSON.stringify(name)}:${text}`).join(",")}}`;
}
