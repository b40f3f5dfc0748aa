/**
 * Numbers of Zarr v3 that NumPy has no type for (zarr-extensions, data-types/; ml_dtypes reads them): floats of 4 to 8 bits
 * with as many bits for the exponent and the fraction as their names say, bfloat16, integers of 2 and 4 bits. One byte an
 * element, of which the bits above the type's own mean nothing; bfloat16 has two. Float32 holds every one of them exactly.
 */

/** Which bit patterns are not finite numbers. */
type Specials =
  /** The highest exponent: infinities and NaN, as in IEEE 754. */
  | "ieee"
  /** None at all. */
  | "none"
  /** All ones, of either sign, is NaN. */
  | "ones"
  /** The sign alone is NaN; zero has no sign. */
  | "negative-zero";

interface FloatFormat {
  readonly kind: "float";
  readonly bits: number;
  readonly signs: 0 | 1;
  readonly fraction: number;
  readonly bias: number;
  readonly specials: Specials;
}

export type NarrowFormat =
  | FloatFormat
  | { readonly kind: "int" | "uint"; readonly bits: number }
  /** The upper half of a float32. */
  | { readonly kind: "bfloat16"; readonly bits: 16 };

function float(exponent: number, fraction: number, bias: number, specials: Specials): FloatFormat {
  return { kind: "float", bits: 1 + exponent + fraction, signs: 1, fraction, bias, specials };
}

const FORMATS: ReadonlyMap<string, NarrowFormat> = new Map<string, NarrowFormat>([
  ["bfloat16", { kind: "bfloat16", bits: 16 }],
  ["float8_e3m4", float(3, 4, 3, "ieee")],
  ["float8_e4m3", float(4, 3, 7, "ieee")],
  // Not in the registry, but in ml_dtypes and TensorStore.
  ["float8_e4m3fn", float(4, 3, 7, "ones")],
  ["float8_e4m3b11fnuz", float(4, 3, 11, "negative-zero")],
  ["float8_e4m3fnuz", float(4, 3, 8, "negative-zero")],
  ["float8_e5m2", float(5, 2, 15, "ieee")],
  ["float8_e5m2fnuz", float(5, 2, 16, "negative-zero")],
  // Powers of two: no sign, no fraction, and so neither zero nor subnormal numbers.
  ["float8_e8m0fnu", { kind: "float", bits: 8, signs: 0, fraction: 0, bias: 127, specials: "ones" }],
  ["float6_e2m3fn", float(2, 3, 1, "none")],
  ["float6_e3m2fn", float(3, 2, 3, "none")],
  ["float4_e2m1fn", float(2, 1, 1, "none")],
  ["int2", { kind: "int", bits: 2 }],
  ["int4", { kind: "int", bits: 4 }],
  ["uint2", { kind: "uint", bits: 2 }],
  ["uint4", { kind: "uint", bits: 4 }],
]);

/** Format by the name of the data type; `undefined` for any other. */
export const narrowFormat = (name: string): NarrowFormat | undefined => FORMATS.get(name);

/** Bytes of an element where the codec `bytes` stores it. */
export const narrowBytes = ({ bits }: NarrowFormat): 1 | 2 => (bits > 8 ? 2 : 1);

/** From contiguous little-endian elements of the type of that name; every NaN is the quiet one. */
export function narrowNumbers(bytes: Uint8Array, name: string): Float32Array<ArrayBuffer> {
  const format = formatOf(name);
  if (format.kind === "bfloat16") return fromUpperHalves(bytes);
  const table = tableOf(name, format);
  const numbers = new Float32Array(bytes.length);
  for (let i = 0; i < numbers.length; i++) numbers[i] = table[bytes[i] as number] as number;
  return numbers;
}

/** True if the type has integers only. */
export const isNarrowInteger = (name: string): boolean => /^u?int/.test(formatOf(name).kind);

function formatOf(name: string): NarrowFormat {
  const format = FORMATS.get(name);
  if (format === undefined) throw new Error(`${name} is no narrow type.`);
  return format;
}

function fromUpperHalves(bytes: Uint8Array): Float32Array<ArrayBuffer> {
  const wide = new Uint8Array(2 * bytes.length);
  for (let i = 0; i + 1 < bytes.length; i += 2) {
    wide[2 * i + 2] = bytes[i] as number;
    wide[2 * i + 3] = bytes[i + 1] as number;
  }
  const numbers = new Float32Array(wide.buffer, 0, bytes.length >> 1);
  for (let i = 0; i < numbers.length; i++) if (Number.isNaN(numbers[i])) numbers[i] = NaN;
  return numbers;
}

const TABLES = new Map<string, Float32Array>();

/** Number of each byte. */
function tableOf(name: string, format: Exclude<NarrowFormat, { kind: "bfloat16" }>): Float32Array {
  const known = TABLES.get(name);
  if (known !== undefined) return known;
  const table = Float32Array.from({ length: 256 }, (_, byte) => {
    const own = byte & ((1 << format.bits) - 1);
    if (format.kind === "float") return floatOf(own, format);
    return format.kind === "int" && own >> (format.bits - 1) === 1 ? own - (1 << format.bits) : own;
  });
  TABLES.set(name, table);
  return table;
}

function floatOf(own: number, { bits, signs, fraction, bias, specials }: FloatFormat): number {
  const isNegative = signs === 1 && own >> (bits - 1) === 1;
  const size = isNegative ? own - (1 << (bits - 1)) : own;
  const exponent = size >> fraction;
  const rest = size & ((1 << fraction) - 1);
  const ones = (1 << (bits - signs)) - 1;
  if (specials === "ones" && size === ones) return NaN;
  if (specials === "negative-zero" && isNegative && size === 0) return NaN;
  if (specials === "ieee" && exponent === ones >> fraction) return rest > 0 ? NaN : isNegative ? -Infinity : Infinity;
  const isSubnormal = exponent === 0 && fraction > 0;
  const significand = rest / (1 << fraction) + (isSubnormal ? 0 : 1);
  const value = significand * 2 ** (Math.max(exponent, fraction > 0 ? 1 : 0) - bias);
  return isNegative ? -value : value;
}

/**
 * The element's little-endian bytes: of a float the nearest number that the type has, ties to an even bit pattern.
 * `undefined` where the type has none: NaN and the infinities in some, fractions and what is out of range of integers.
 */
export function narrowElement(value: number, name: string): Uint8Array<ArrayBuffer> | undefined {
  const format = formatOf(name);
  if (format.kind === "bfloat16") return upperHalf(value);
  const table = tableOf(name, format).subarray(0, 1 << format.bits);
  const isExact = format.kind !== "float" || !Number.isFinite(value);
  const hasNone = format.kind === "float" && format.signs === 0 && value <= 0;
  const at = hasNone ? -1 : isExact ? table.findIndex((own) => Object.is(own, value + 0)) : nearest(table, value);
  return at === -1 ? undefined : Uint8Array.of(at);
}

/**
 * Beyond the largest number: that, up to half a step more, which is where IEEE 754 rounds to infinity; -1 where none
 * is near enough.
 */
function nearest(table: Float32Array, value: number): number {
  let [best, distance] = [-1, Infinity];
  for (const [at, own] of table.entries()) {
    const away = Math.abs(own - value);
    const isSigned = Object.is(own, value < 0 || Object.is(value, -0) ? -0 : 0);
    if (away < distance || (away === distance && (isSigned || (at % 2 === 0 && best % 2 === 1)))) {
      [best, distance] = [at, away];
    }
  }
  const finite = [...table].filter(Number.isFinite).toSorted((one, other) => one - other);
  const [last, before] = [finite.at(-1) ?? 0, finite.at(-2) ?? 0];
  const isBeyond = Math.abs(value) >= last + (last - before) / 2;
  return isBeyond ? table.indexOf(value < 0 ? -Infinity : Infinity) : best;
}

/** To the nearest, ties to even; NaN stays NaN. */
function upperHalf(value: number): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(4));
  view.setFloat32(0, value, true);
  const bits = view.getUint32(0, true);
  const rounded = Number.isNaN(value) ? bits : bits + 0x7fff + ((bits >>> 16) & 1);
  return Uint8Array.of((rounded >>> 16) & 0xff, (rounded >>> 24) & 0xff);
}
