/** Methods and attributes of int, bool and float. */
import { TemplateError, unsupported, valueError } from "../../template-error.ts";
import { integer, PyFloat, PyTuple, type Integer, type Value } from "../../value.ts";
import { bitLength } from "../double.ts";
import { parts } from "../float-text.ts";
import { method, namedMethod, methods } from "./method.ts";

const refusing = (what: string): never => {
  throw unsupported(what);
};

function bitCount(value: Integer): number {
  let count = 0;
  for (const bit of BigInt(value).toString(2)) if (bit === "1") count += 1;
  return count;
}

export const INTEGER_METHODS = methods<Integer>({
  bit_length: method(0, 0, (value) => bitLength(BigInt(value))),
  bit_count: method(0, 0, (value, _, budget) => {
    budget.bits(bitLength(BigInt(value)));
    return bitCount(value);
  }),
  conjugate: method(0, 0, (value) => value),
  as_integer_ratio: method(0, 0, (value) => new PyTuple([value, 1])),
  to_bytes: namedMethod(0, ["length", "byteorder", "signed"], () => refusing("The type bytes (int.to_bytes)")),
  from_bytes: namedMethod(0, ["bytes", "byteorder", "signed"], () => refusing("int.from_bytes")),
});

export function integerAttribute(value: Integer, name: string): Value | undefined {
  if (name === "real" || name === "numerator") return value;
  if (name === "imag") return 0;
  return name === "denominator" ? 1 : undefined;
}

export function floatAttribute(value: PyFloat, name: string): Value | undefined {
  if (name === "real") return value;
  return name === "imag" ? new PyFloat(0) : undefined;
}

/** `float.hex`: `0x1.8000000000000p+1`. */
function hexText(value: number): string {
  if (Number.isNaN(value)) return "nan";
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  const size = Math.abs(value);
  if (size === Infinity) return `${sign}inf`;
  if (size === 0) return `${sign}0x0.0p+0`;
  const { mantissa, exponent } = parts(size);
  const first = mantissa >> 52n;
  const power = exponent + 52;
  const digits = (mantissa & 0xfffffffffffffn).toString(16).padStart(13, "0");
  return `${sign}0x${first}.${digits}p${power < 0 ? "-" : "+"}${Math.abs(power)}`;
}

/** The float as a fraction in lowest terms, exactly. */
function integerRatio(value: number): PyTuple {
  if (Number.isNaN(value)) throw valueError("cannot convert NaN to integer ratio");
  if (!Number.isFinite(value)) throw new TemplateError("OverflowError", "cannot convert Infinity to integer ratio");
  let { mantissa, exponent } = parts(Math.abs(value));
  if (mantissa === 0n) return new PyTuple([0, 1]);
  while ((mantissa & 1n) === 0n && exponent < 0) {
    mantissa >>= 1n;
    exponent += 1;
  }
  const top = mantissa << BigInt(Math.max(exponent, 0));
  return new PyTuple([integer(value < 0 ? -top : top), integer(1n << BigInt(Math.max(-exponent, 0)))]);
}

export const FLOAT_METHODS = methods<PyFloat>({
  is_integer: method(0, 0, ({ value }) => Number.isInteger(value)),
  hex: method(0, 0, ({ value }) => hexText(value)),
  as_integer_ratio: method(0, 0, ({ value }) => integerRatio(value)),
  conjugate: method(0, 0, (value) => value),
  fromhex: method(1, 1, () => refusing("float.fromhex")),
});
