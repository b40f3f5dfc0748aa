/**
 * `scale_offset` (registered Zarr v3 extension): value = stored / scale + offset, all in the array's own type. Integers that
 * scale does not divide, or that come out too large for the type, are errors, as in zarr-python 3.4.
 */
import { badConfiguration, decodeFailed, type Decoder, onlyMembers } from "../codec.ts";
import { elementTypeOf, integerRange, isLong, readElements, writeLongs, writeNumbers } from "./element-type.ts";
import type { Elements, ElementType } from "./element-type.ts";
import { floatRounding } from "./element-type-cast.ts";
import { ID, scalarMember } from "./scale-offset-fill.ts";

export const scaleOffset: Decoder = {
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
    onlyMembers(ID, configuration, ["scale", "offset"]);
    const scale = scalarMember(configuration, "scale", 1, array);
    if (Number(scale) === 0) throw badConfiguration(ID, "scale", "a number other than 0", "0");
    const offset = scalarMember(configuration, "offset", 0, array);
    return {
      label: `scale and offset, / ${scale} + ${offset} in ${type.text}`,
      decode: (input) => restored(readElements(ID, input, type), type, scale, offset),
    };
  },
};

function restored(stored: Elements, type: ElementType, scale: number | bigint, offset: number | bigint) {
  if (isLong(type)) return longsRestored(stored as ArrayLike<bigint>, type, scale as bigint, offset as bigint);
  const [divisor, summand] = [Number(scale), Number(offset)];
  const result = new Float64Array(stored.length);
  if (type.kind === "float") {
    const round = floatRounding(type.size);
    for (let i = 0; i < result.length; i++) result[i] = round(round(Number(stored[i]) / divisor) + summand);
    return writeNumbers(result, type);
  }
  const [minimum, maximum] = integerRange(type).map(Number) as [number, number];
  for (let i = 0; i < result.length; i++) {
    const value = Number(stored[i]);
    const restored = value / divisor + summand;
    if (value % divisor !== 0) throw notDivided(value, scale);
    if (restored < minimum || restored > maximum) throw outOfRange(restored, type);
    result[i] = restored;
  }
  return writeNumbers(result, type);
}

function longsRestored(stored: ArrayLike<bigint>, type: ElementType, scale: bigint, offset: bigint) {
  const [minimum, maximum] = integerRange(type);
  const result = new BigInt64Array(stored.length);
  for (let i = 0; i < result.length; i++) {
    const value = stored[i] ?? 0n;
    const restored = value / scale + offset;
    if (value % scale !== 0n) throw notDivided(value, scale);
    if (restored < minimum || restored > maximum) throw outOfRange(restored, type);
    result[i] = BigInt.asIntN(64, restored);
  }
  return writeLongs(result, type);
}

const notDivided = (value: number | bigint, scale: number | bigint) =>
  decodeFailed(ID, `integers that scale divides, ${scale}`, String(value));

const outOfRange = (value: number | bigint, { text }: ElementType) =>
  decodeFailed(ID, `values that ${text} can hold`, String(value));
