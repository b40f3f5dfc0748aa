/** numcodecs `delta`: differences of type `astype`, summed up to elements of type `dtype`. */
import { roundToFloat16 } from "../core/float16.ts";
import type { Codec } from "./codec.ts";
import {
  elementTypeMember,
  isLong,
  readElements,
  writeLongs,
  writeNumbers,
  type Elements,
  type ElementType,
} from "./element-type.ts";
import { badConfiguration, decodeTooLarge } from "./failure.ts";

export const delta: Codec = {
  id: "delta",
  prepare: (configuration) => {
    const to = elementTypeMember("delta", configuration, "dtype");
    if (to === undefined) throw badConfiguration("delta", "dtype", "the type of the elements", "nothing");
    const from = elementTypeMember("delta", configuration, "astype") ?? to;
    refuseMixture(from, to);
    const label = from.text === to.text ? `delta, ${to.text}` : `delta, ${from.text} summed to ${to.text}`;
    return {
      label,
      decode: (input, limit) => {
        const size = (input.length / from.size) * to.size;
        if (size > limit) throw decodeTooLarge("delta", limit, `${size} bytes`);
        return sumUp(readElements("delta", input, from), from, to);
      },
    };
  },
};

function sumUp(differences: Elements, from: ElementType, to: ElementType): Uint8Array<ArrayBuffer> {
  if (!isLong(from) && !isLong(to)) return writeNumbers(sumNumbers(differences, from, to), to);
  const sums = sumLongs(differences, to);
  if (isLong(to)) return writeLongs(sums, to);
  return writeNumbers(
    Float64Array.from(sums, (sum) => Number(BigInt.asIntN(32, sum))),
    to,
  );
}

/** NumPy sums such mixtures as floats, with loss; no data were found that do. Other integers wrap. */
function refuseMixture(from: ElementType, to: ElementType): void {
  const floats = (from.kind === "float" ? 1 : 0) + (to.kind === "float" ? 1 : 0);
  const isMixed = floats === 1 || hasUnsignedLong(from, to) || hasUnsignedLong(to, from);
  if (!isMixed) return;
  const expected = `differences of the same kind as the elements (${to.text}), which Refscope can sum up exactly`;
  throw badConfiguration("delta", "astype", expected, from.text);
}

function hasUnsignedLong(one: ElementType, other: ElementType): boolean {
  return one.kind === "uint" && isLong(one) && other.kind === "int";
}

/** Integers wrap at the end all the same, so that the sum is only kept small on the way. */
function sumNumbers(differences: Elements, from: ElementType, to: ElementType): Float64Array {
  const sums = new Float64Array(differences.length);
  const round = to.kind === "float" ? floatRounding(Math.max(from.size, to.size)) : (sum: number) => sum | 0;
  let sum = 0;
  for (let i = 0; i < sums.length; i++) sums[i] = sum = round(sum + (differences[i] as number));
  return sums;
}

/** NumPy adds in the wider of the two types and rounds after every addition. */
function floatRounding(size: number): (sum: number) => number {
  if (size === 8) return (sum) => sum;
  return size === 4 ? Math.fround : roundToFloat16;
}

function sumLongs(differences: Elements, to: ElementType): BigInt64Array | BigUint64Array {
  const sums = to.kind === "int" ? new BigInt64Array(differences.length) : new BigUint64Array(differences.length);
  let sum = 0n;
  for (let i = 0; i < sums.length; i++) {
    sum = BigInt.asIntN(64, sum + BigInt(differences[i] as number | bigint));
    sums[i] = sum;
  }
  return sums;
}
