/**
 * numcodecs `delta`: differences of type `astype`, summed up to elements of type `dtype` by `np.cumsum`. NumPy adds in the
 * type that both are promoted to (so int64 and uint64 are summed as floats), and casts each sum to `dtype`.
 */
import type { JsonObject } from "#core/json/json.ts";
import { badConfiguration, brief, decodeFailed, type Decoder, type DecodeStep } from "../codec.ts";
import { sumsOfSameType } from "./element-loops.ts";
import {
  complexMember,
  elementTypeMember,
  isLong,
  numpyName,
  readElements,
  requiredElementType,
} from "./element-type.ts";
import type { Elements, ElementType } from "./element-type.ts";
import { castElements, floatRounding, refuseLarger } from "./element-type-cast.ts";
import { arrayFilter } from "./element-type-v3.ts";

export const delta: Decoder = {
  prepare: (configuration) => {
    const complex = complexMember("delta", configuration, "dtype");
    if (complex !== undefined)
      return complexStep(complex, complexMember("delta", configuration, "astype"), configuration);
    const to = requiredElementType("delta", configuration, "dtype");
    const from = elementTypeMember("delta", configuration, "astype") ?? to;
    return {
      label: labelOf(from, to),
      decode: (input, limit) => {
        refuseLarger("delta", input.length, { from, to }, limit);
        return sumsOfSameType(input, from, to) ?? sumUp(readElements("delta", input, from), from, to);
      },
    };
  },
};

export const deltaV3 = arrayFilter("delta", delta, { decoded: "dtype", encoded: "astype", isFilled: false });

const labelOf = (from: ElementType, to: ElementType): string =>
  `delta, ${from.text === to.text ? to.text : `${from.text} summed to ${to.text}`}`;

/** Real and imaginary parts are summed apart. */
function complexStep(to: ElementType, astype: ElementType | undefined, configuration: JsonObject): DecodeStep {
  const written = configuration.get("astype");
  if (astype === undefined && written !== undefined && written !== null) {
    throw badConfiguration("delta", "astype", `a complex type, as dtype is ${to.text}`, brief(written));
  }
  const from = astype ?? to;
  return {
    label: labelOf(from, to),
    decode: (input, limit) => {
      refuseLarger("delta", input.length, { from, to }, limit);
      const parts = readElements("delta", input, from);
      if (parts.length % 2 !== 0)
        throw decodeFailed("delta", `whole elements of type ${from.text}`, `${input.length} bytes`);
      const sums = new Float64Array(parts.length);
      for (const part of [0, 1]) {
        const own = Float64Array.from({ length: parts.length / 2 }, (_, at) => Number(parts[2 * at + part]));
        for (const [at, sum] of sumNumbers(own, promoted(from, to)).entries()) sums[2 * at + part] = sum;
      }
      return castElements(sums, promoted(from, to), to);
    },
  };
}

function sumUp(differences: Elements, from: ElementType, to: ElementType): Uint8Array<ArrayBuffer> {
  const type = promoted(from, to);
  return castElements(isLong(type) ? sumLongs(differences, type) : sumNumbers(differences, type), type, to);
}

/** NumPy's `result_type` of two types, little-endian. */
export function promoted(one: ElementType, other: ElementType): ElementType {
  const kinds = new Set([one.kind, other.kind]);
  if (kinds.has("float")) return made("float", Math.max(floatSize(one), floatSize(other)));
  if (kinds.size === 1 || kinds.has("bool")) {
    const larger = one.kind === "bool" || (other.kind !== "bool" && other.size > one.size) ? other : one;
    return made(larger.kind, larger.size);
  }
  const [signed, unsigned] = one.kind === "int" ? [one, other] : [other, one];
  if (signed.size > unsigned.size) return made("int", signed.size);
  return unsigned.size === 8 ? made("float", 8) : made("int", 2 * unsigned.size);
}

/** Size of the smallest float that holds all values of the type, or 8 where none does. */
function floatSize({ kind, size }: ElementType): number {
  return kind === "float" ? size : kind === "bool" ? 2 : Math.min(8, 2 * size);
}

function made(kind: ElementType["kind"], size: number): ElementType {
  const type = { kind, size, big: false, text: "" };
  return { ...type, text: numpyName(type) };
}

function sumNumbers(differences: Elements, type: ElementType): Float64Array<ArrayBuffer> {
  const { kind, size } = type;
  const sums = new Float64Array(differences.length);
  const round = kind === "float" ? floatRounding(size) : kind === "bool" ? Math.sign : wrapping(size);
  // The first is taken as it is, which keeps -0.
  let sum = sums.length === 0 ? 0 : Number(differences[0]);
  if (kind === "float") sum = round(sum);
  if (sums.length > 0) sums[0] = sum;
  for (let i = 1; i < sums.length; i++) sums[i] = sum = round(sum + Number(differences[i]));
  return sums;
}

/** Signed, whatever the type: when written, the sums wrap once more. */
function wrapping(size: number): (sum: number) => number {
  const spare = 32 - 8 * size;
  return (sum) => (sum << spare) >> spare;
}

function sumLongs(differences: Elements, { kind }: ElementType) {
  const sums = kind === "int" ? new BigInt64Array(differences.length) : new BigUint64Array(differences.length);
  let sum = 0n;
  for (let i = 0; i < sums.length; i++) {
    sum = BigInt.asIntN(64, sum + BigInt(differences[i] as number | bigint));
    sums[i] = sum;
  }
  return sums;
}
