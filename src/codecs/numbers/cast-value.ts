/**
 * `cast_value` (registered Zarr v3 extension): elements stored as `data_type`, turned into the array's type by value:
 * first by the pairs of `scalar_map.decode`, then rounded and held in range as `rounding` and `out_of_range` say.
 */
import { swapBytes } from "#core/values/byte-order.ts";
import type { ScalarType } from "#core/metadata/data-type.ts";
import { fillBytes } from "#core/values/fill-bytes.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "#core/json/json.ts";
import { narrowBytes, narrowFormat, narrowNumbers } from "#core/values/narrow-number.ts";
import { badConfiguration, brief, choiceMember, decodeFailed, onlyMembers } from "../codec.ts";
import type { ChunkOutline, Decoder } from "../codec.ts";
import { floatRounding, refuseLarger } from "./element-type-cast.ts";
import { elementTypeOf, integerRange, isLong, readElements, writeLongs, writeNumbers } from "./element-type.ts";
import type { Elements, ElementType } from "./element-type.ts";

// One value cast as `cast_value` says (registered Zarr v3 extension, §"rounding", §"out_of_range").

const ROUNDINGS = ["nearest-even", "towards-zero", "towards-positive", "towards-negative", "nearest-away"] as const;
type Rounding = (typeof ROUNDINGS)[number];
const RANGES = ["error", "clamp", "wrap"] as const;

interface CastRule {
  readonly from: ElementType;
  readonly to: ElementType;
  readonly rounding: Rounding;
  readonly outOfRange: (typeof RANGES)[number];
}

function toInteger(value: number | bigint, rule: CastRule): bigint | number {
  const { to, outOfRange } = rule;
  const [minimum, maximum] = integerRange(to);
  if (typeof value === "number" && !Number.isFinite(value)) return notFinite(value, rule, minimum, maximum);
  const whole = typeof value === "bigint" ? value : BigInt(ROUND[rule.rounding](value));
  if (whole >= minimum && whole <= maximum) return whole;
  if (outOfRange === "error") throw refused(value, rule);
  if (outOfRange === "clamp") return whole < minimum ? minimum : maximum;
  return to.kind === "int" ? BigInt.asIntN(8 * to.size, whole) : BigInt.asUintN(8 * to.size, whole);
}

function notFinite(value: number, rule: CastRule, minimum: bigint, maximum: bigint): bigint {
  if (Number.isNaN(value) || rule.outOfRange !== "clamp") throw refused(value, rule);
  return value < 0 ? minimum : maximum;
}

const ROUND: Readonly<Record<Rounding, (value: number) => number>> = {
  "nearest-even": (value) => nearest(value, (floor) => floor % 2 === 0),
  "nearest-away": (value) => nearest(value, () => value < 0),
  "towards-zero": Math.trunc,
  "towards-positive": Math.ceil,
  "towards-negative": Math.floor,
};

function nearest(value: number, isDown: (floor: number) => boolean): number {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest !== 0.5) return rest > 0.5 ? floor + 1 : floor;
  return isDown(floor) ? floor : floor + 1;
}

const MAX_FLOAT: ReadonlyMap<number, number> = new Map([
  [2, 65_504],
  [4, 3.402_823_466_385_288_6e38],
  [8, Number.MAX_VALUE],
]);

/** NaN and the infinities are floats of any size. */
function toFloat(value: number | bigint, rule: CastRule): number {
  const { to, outOfRange, rounding, from } = rule;
  // Integers of 64 bits that float32 and float16 round are rounded once, via float64 where that is exact.
  const number = Number(value);
  const isExact = !isLong(from) || BigInt(Number.isFinite(number) ? number : 0) === value;
  const result = floatRounding(to.size)(number);
  const isKept = isExact && (result === number || Number.isNaN(number));
  if (isKept) return result;
  if (!Number.isFinite(result)) {
    const maximum = MAX_FLOAT.get(to.size) ?? Infinity;
    if (outOfRange === "clamp") return number < 0 ? -maximum : maximum;
    throw refused(value, rule);
  }
  if (rounding === "nearest-even" && (isExact || to.size === 8)) return result;
  throw decodeFailed("cast_value", `values that ${to.text} holds exactly, or rounding to the nearest`, String(value));
}

function refused(value: number | bigint, { to, outOfRange }: CastRule): Error {
  const rule = outOfRange === "error" ? "as out_of_range is “error”" : `with out_of_range “${outOfRange}”`;
  return decodeFailed("cast_value", `values that ${to.text} can hold, ${rule}`, String(value));
}

const ID = "cast_value";
const MEMBERS = ["data_type", "rounding", "out_of_range", "scalar_map"];

export const castValue: Decoder = {
  prepare: (configuration, array) => {
    onlyMembers(ID, configuration, MEMBERS);
    const stored = storedType(configuration, array);
    const [from, to] = [elementsRead(stored), numeric(array.dataType)];
    const rounding = choiceMember(ID, configuration, "rounding", ROUNDINGS);
    const rule = { from, to, rounding, outOfRange: choiceMember(ID, configuration, "out_of_range", RANGES) };
    const map = scalarMap(configuration, stored, array);
    return {
      label: `cast from ${stored.text} to ${array.dataType.text}`,
      decode: (input, limit) => {
        refuseLarger(ID, input.length, { from: { ...from, size: stored.itemSize }, to }, limit);
        return cast(readStored(input, stored), rule, map);
      },
    };
  },
  encoded: (configuration, array) => {
    const dataType = storedType(configuration, array);
    const orderIsOwn = array.dataType.byteOrder === "none" && dataType.itemSize > 1;
    return { ...array, dataType, fillValue: null, ...(orderIsOwn ? { orderIsOwn } : {}) };
  },
};

/**
 * Type of the stored elements, in the byte order that the codec `bytes` states for the whole array; under codecs of
 * single bytes it is little-endian.
 */
function storedType(configuration: JsonObject, { dataType }: ChunkOutline): ScalarType {
  const value = configuration.get("data_type");
  const name = isJsonObject(value) ? value.get("name") : value;
  const narrow = typeof name === "string" ? narrowFormat(name) : undefined;
  const match = typeof name === "string" ? /^(?:(u?int)(8|16|32|64)|(float)(16|32|64))$/.exec(name) : null;
  const [plain, integer, integerBits, float, floatBits] = match ?? [];
  const text = narrow === undefined ? plain : (name as string);
  if (text === undefined)
    throw badConfiguration(ID, "data_type", "an integer or float type such as int16", brief(value));
  const itemSize = narrow === undefined ? Number(integerBits ?? floatBits) / 8 : narrowBytes(narrow);
  const byteOrder = itemSize === 1 ? "none" : dataType.byteOrder === "big" ? "big" : "little";
  const kind = narrow === undefined ? ((integer ?? float) as "int" | "uint" | "float") : "narrow";
  return { kind, itemSize, byteOrder, text };
}

/** Type to read stored elements as: float32 for numbers that NumPy has no type for, which holds each of them. */
const elementsRead = (stored: ScalarType): ElementType =>
  stored.kind === "narrow" ? { kind: "float", size: 4, big: false, text: stored.text } : numeric(stored);

function readStored(input: Uint8Array<ArrayBuffer>, stored: ScalarType): Elements {
  if (stored.kind !== "narrow") return readElements(ID, input, numeric(stored));
  if (input.length % stored.itemSize !== 0) {
    throw decodeFailed(ID, `whole elements of type ${stored.text}`, `${input.length} bytes`);
  }
  const little = stored.byteOrder === "big" ? swapBytes(input, stored.itemSize) : input;
  return Float64Array.from(narrowNumbers(little, stored.text));
}

function numeric(type: ChunkOutline["dataType"]): ElementType {
  const element = elementTypeOf(type);
  if (element !== undefined && element.kind !== "bool") return element;
  throw badConfiguration(ID, "data type", "integers or floats of at most 64 bits", type.text.slice(0, 80));
}

type ScalarMap = ReadonlyMap<number | bigint, number | bigint>;

/** Pairs of a stored value and what it represents, each written as a fill value of its type. */
function scalarMap(configuration: JsonObject, stored: ScalarType, { dataType }: ChunkOutline): ScalarMap {
  const map = configuration.get("scalar_map") ?? null;
  if (map === null) return new Map();
  const pairs = isJsonObject(map) ? (map.get("decode") ?? []) : map;
  const bad = (found: JsonValue) =>
    badConfiguration(ID, "scalar_map", "an object with lists of pairs, encode and decode", brief(found));
  if (!Array.isArray(pairs) || !isJsonObject(map)) throw bad(map);
  const read = (value: JsonValue | undefined, type: ChunkOutline["dataType"]) => {
    const bytes = fillBytes(value ?? null, type);
    if (bytes === undefined) throw bad(value ?? null);
    if (type.kind === "narrow") return narrowNumbers(bytes, type.text)[0] ?? NaN;
    return readElements(ID, bytes, { ...numeric(type), big: false })[0] as number | bigint;
  };
  return new Map(
    (pairs as readonly JsonValue[]).map((pair) => {
      const [key, value, ...rest] = Array.isArray(pair) ? (pair as readonly JsonValue[]) : [];
      if (rest.length > 0) throw bad(pair);
      return [read(key, stored), read(value, dataType)];
    }),
  );
}

function cast(stored: Elements, rule: CastRule, map: ScalarMap): Uint8Array<ArrayBuffer> {
  const { to } = rule;
  // Map keys treat NaN as equal to NaN, and 0 as equal to -0.
  const one = (value: number | bigint) =>
    map.get(value) ?? (rule.to.kind === "float" ? toFloat(value, rule) : toInteger(value, rule));
  if (isLong(to)) {
    const longs = new BigInt64Array(stored.length);
    for (let i = 0; i < longs.length; i++) longs[i] = BigInt(one(stored[i] as number | bigint));
    return writeLongs(longs, to);
  }
  const numbers = new Float64Array(stored.length);
  for (let i = 0; i < numbers.length; i++) numbers[i] = Number(one(stored[i] as number | bigint));
  return writeNumbers(numbers, to);
}
