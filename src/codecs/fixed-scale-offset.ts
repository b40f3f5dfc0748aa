/** numcodecs `fixedscaleoffset`: value = stored / scale + offset, stored as `astype`, read as `dtype`. */
import { roundToFloat16 } from "../core/float16.ts";
import type { Codec } from "./codec.ts";
import { numberMember } from "./configuration.ts";
import { elementTypeMember, isLong, readElements, writeLongs, writeNumbers, type ElementType } from "./element-type.ts";
import { badConfiguration, decodeTooLarge } from "./failure.ts";

const ID = "fixedscaleoffset";

export const fixedScaleOffset: Codec = {
  id: ID,
  prepare: (configuration) => {
    const to = elementTypeMember(ID, configuration, "dtype");
    if (to === undefined) throw badConfiguration(ID, "dtype", "the type of the decoded elements", "nothing");
    const from = elementTypeMember(ID, configuration, "astype") ?? to;
    const scale = numberMember(ID, configuration, "scale");
    const offset = numberMember(ID, configuration, "offset");
    return {
      label: `fixed scale and offset, ${from.text} / ${scale} + ${offset} as ${to.text}`,
      decode: (input, limit) => {
        const size = (input.length / from.size) * to.size;
        if (size > limit) throw decodeTooLarge(ID, limit, `${size} bytes`);
        const stored = readElements(ID, input, from);
        return write(scaled(stored, floatOf(from), scale, offset), to);
      },
    };
  },
};

/** NumPy computes with integers in float64, with floats in their own type, rounding after each step. */
function floatOf(type: ElementType): (value: number) => number {
  if (type.kind !== "float" || type.size === 8) return (value) => value;
  return type.size === 4 ? Math.fround : roundToFloat16;
}

function scaled(
  stored: ArrayLike<number | bigint>,
  round: (value: number) => number,
  scale: number,
  offset: number,
): Float64Array {
  const result = new Float64Array(stored.length);
  const divisor = round(scale);
  const summand = round(offset);
  for (let i = 0; i < result.length; i++) result[i] = round(round(Number(stored[i]) / divisor) + summand);
  return result;
}

function write(values: Float64Array, type: ElementType): Uint8Array<ArrayBuffer> {
  if (type.kind === "float") return writeNumbers(values, type);
  if (isLong(type)) return writeLongs(BigInt64Array.from(values, wholeLong), type);
  return writeNumbers(values.map(type.kind === "uint" && type.size === 4 ? wholeUnsigned : whole), type);
}

// A float that an integer type cannot hold is undefined in C, and so in NumPy. These do as x86-64 does: the least
// integer stands for what is too large; types narrower than 32 bits take its low bits.
function whole(value: number): number {
  const truncated = Math.trunc(value);
  return truncated >= -(2 ** 31) && truncated < 2 ** 31 ? truncated : -(2 ** 31);
}

function wholeUnsigned(value: number): number {
  return Number(BigInt.asUintN(32, wholeLong(value)));
}

function wholeLong(value: number): bigint {
  const truncated = Math.trunc(value);
  return truncated >= -(2 ** 63) && truncated < 2 ** 64 ? BigInt.asIntN(64, BigInt(truncated)) : -(2n ** 63n);
}
