/**
 * `scale_offset` (registered Zarr v3 extension): value = stored / scale + offset, all in the array's own type. As in
 * zarr-python integers are divided rounding down, and sums wrap.
 */
import { fillBytes } from "../core/fill-bytes.ts";
import { writeJson } from "../core/json-write.ts";
import type { JsonObject } from "../core/json.ts";
import type { ChunkOutline, Codec } from "./codec.ts";
import { elementTypeOf, isLong, readElements, writeLongs, writeNumbers } from "./element-type.ts";
import type { Elements, ElementType } from "./element-type.ts";
import { floatRounding } from "./element-type-cast.ts";
import { badConfiguration } from "./failure.ts";

const ID = "scale_offset";

export const scaleOffset: Codec = {
  id: ID,
  names: { v3: ["scale_offset"] },
  kind: "array-array",
  words: "Divides by scale and adds offset, in the array's own type.",
  prepare: (configuration, array) => {
    const type = elementTypeOf(array.dataType);
    if (type === undefined || type.kind === "bool") {
      throw badConfiguration(
        ID,
        "data type",
        "integers or floats of at most 64 bits",
        array.dataType.text.slice(0, 80),
      );
    }
    const unknown = [...configuration.keys()].find((member) => member !== "scale" && member !== "offset");
    if (unknown !== undefined)
      throw badConfiguration(ID, unknown.slice(0, 80), "no members but scale and offset", "it");
    const scale = scalarMember(configuration, "scale", 1, array);
    const offset = scalarMember(configuration, "offset", 0, array);
    return {
      label: `scale and offset, / ${scale} + ${offset} in ${type.text}`,
      decode: (input) => restored(readElements(ID, input, type), type, scale, offset),
    };
  },
};

/** As fill values of the array's type are written (Zarr v3 §"Data types"). */
function scalarMember(configuration: JsonObject, member: string, otherwise: number, { dataType }: ChunkOutline) {
  const value = configuration.get(member) ?? otherwise;
  const bytes = fillBytes(value, dataType);
  if (bytes === undefined) {
    const found = writeJson(value).slice(0, 80);
    throw badConfiguration(ID, member, `a value of the data type ${dataType.text.slice(0, 80)}`, found);
  }
  const [scalar] = readElements(ID, bytes, { ...(elementTypeOf(dataType) as ElementType), big: false });
  return scalar as number | bigint;
}

function restored(stored: Elements, type: ElementType, scale: number | bigint, offset: number | bigint) {
  if (isLong(type)) {
    const divide = (value: bigint) => dividedDown(value, scale as bigint) + (offset as bigint);
    const sums = BigInt64Array.from(stored as ArrayLike<bigint>, (value) => BigInt.asIntN(64, divide(value)));
    return writeLongs(sums, type);
  }
  const [divisor, summand] = [Number(scale), Number(offset)];
  const round = type.kind === "float" ? floatRounding(type.size) : Math.floor;
  // NumPy gives 0 for an integer divided by 0.
  const isNothing = type.kind !== "float" && divisor === 0;
  const result = new Float64Array(stored.length);
  for (let i = 0; i < result.length; i++) {
    result[i] = isNothing ? summand : round(round(Number(stored[i]) / divisor) + summand);
  }
  return writeNumbers(result, type);
}

function dividedDown(value: bigint, divisor: bigint): bigint {
  if (divisor === 0n) return 0n;
  const quotient = value / divisor;
  return value % divisor !== 0n && value < 0n !== divisor < 0n ? quotient - 1n : quotient;
}
