/**
 * Tells if elements look like measured or counted numbers, by the order of their bytes: the high bytes of real data are
 * smoother than the low ones, and floats have no absurd exponents. Elements that are byte-swapped, or read some bytes
 * too late, break this.
 */
import type { DataType } from "#core/metadata/data-type.ts";

/** A number, or part of one, at a place in every element. */
export interface Unit {
  readonly offset: number;
  readonly size: number;
  readonly kind: "integer" | "float" | "character";
  readonly big: boolean;
}

const MAX_UNITS = 8;

/** The numbers of an element that have a byte order. */
export function unitsOf(type: DataType, offset = 0): readonly Unit[] {
  if (type.kind === "object") return [];
  if (type.kind === "structured") {
    return type.fields.flatMap((field) => unitsOf(field.type, offset + field.offset)).slice(0, MAX_UNITS);
  }
  const big = type.byteOrder === "big";
  switch (type.kind) {
    case "int":
    case "uint":
    case "datetime":
    case "timedelta":
      return type.itemSize < 2 || type.itemSize > 8 ? [] : [{ offset, size: type.itemSize, kind: "integer", big }];
    case "float":
      return type.itemSize > 8 ? [] : [{ offset, size: type.itemSize, kind: "float", big }];
    case "complex":
      if (type.itemSize > 16) return [];
      return [0, type.itemSize / 2].map((at) => ({ offset: offset + at, size: type.itemSize / 2, kind: "float", big }));
    case "unicode":
      return type.itemSize === 0 ? [] : [{ offset, size: 4, kind: "character", big }];
    case "bool":
    case "bytes":
    case "void":
    case "narrow":
      return [];
  }
}

export interface UnitReport {
  /** Elements that are not zero, and how many of those are beyond any measurement. */
  readonly values: number;
  readonly absurd: number;
  /** Share of the elements that are round or near 1, such as people work with; floats only. */
  readonly ordinary: number;
  /** Pairs of neighbours that differ, and the mean of the bits of their differences. */
  readonly changes: number;
  readonly cost: number;
  /** How rough the highest and the lowest byte that change are: bits of their differences. */
  readonly top: number;
  readonly low: number;
  /** Places of these bytes, 0 the least significant; -1 where nothing changes. */
  readonly topPlace: number;
  readonly lowPlace: number;
  /** True if all bytes below the lowest that changes are zero. */
  readonly zeroBelow: boolean;
  /** The greatest value of the highest byte that changes, as a signed one. */
  readonly most: number;
}

const MAX_SAMPLED = 16_384;
const BLOCKS = 4;

/** @param stride bytes of an element */
export function unitReport(bytes: Uint8Array, unit: Unit, stride: number): UnitReport {
  const count = Math.floor((bytes.length - unit.offset - unit.size) / stride) + 1;
  const starts = sampleStarts(Math.max(0, count));
  const planes = planeReports(bytes, unit, stride, starts);
  const changing = planes.flatMap(({ changes }, place) => (changes > 0 ? [place] : []));
  const [lowPlace, topPlace] = [changing[0] ?? -1, changing.at(-1) ?? -1];
  return {
    ...valueReport(bytes, unit, stride, starts),
    top: planes[topPlace]?.rough ?? 0,
    low: planes[lowPlace]?.rough ?? 0,
    topPlace,
    lowPlace,
    zeroBelow: planes.slice(0, Math.max(0, lowPlace)).every(({ first }) => first === 0),
    most: planes[topPlace]?.most ?? 0,
  };
}

interface Starts {
  readonly from: readonly number[];
  readonly count: number;
}

function sampleStarts(elements: number): Starts {
  if (elements <= MAX_SAMPLED) return { from: [0], count: elements };
  const count = MAX_SAMPLED / BLOCKS;
  return {
    from: Array.from({ length: BLOCKS }, (_, at) => Math.floor(((elements - count) * at) / (BLOCKS - 1))),
    count,
  };
}

interface PlaneReport {
  readonly changes: number;
  readonly rough: number;
  readonly first: number;
  readonly most: number;
}

/** For each byte of the unit, the least significant first; roughness over pairs in which any byte changes. */
function planeReports(bytes: Uint8Array, unit: Unit, stride: number, starts: Starts): readonly PlaneReport[] {
  const { offset, size, big } = unit;
  const pairs = changedPairs(bytes, unit, stride, starts);
  return Array.from({ length: size }, (_, place) => {
    const within = offset + (big ? size - 1 - place : place);
    let [changes, rough, most] = [0, 0, 0];
    for (const at of pairs) {
      const [one, other] = [bytes[at + within] as number, bytes[at + stride + within] as number];
      most = Math.max(most, Math.min(one, 256 - one), Math.min(other, 256 - other));
      const difference = (other - one) & 255;
      if (difference !== 0) changes += 1;
      rough += Math.log2(1 + Math.min(difference, 256 - difference));
    }
    const first = bytes[(starts.from[0] ?? 0) * stride + within] ?? 0;
    return { changes, rough: pairs.length === 0 ? 0 : rough / pairs.length, first, most };
  });
}

/** Byte positions of the first of two elements that follow each other and differ. */
function changedPairs(bytes: Uint8Array, { offset, size }: Unit, stride: number, { from, count }: Starts): number[] {
  const pairs: number[] = [];
  for (const start of from) {
    for (let i = 0; i + 1 < count; i++) {
      const at = (start + i) * stride;
      let isSame = true;
      for (let byte = offset; byte < offset + size && isSame; byte++)
        isSame = bytes[at + byte] === bytes[at + stride + byte];
      if (!isSame) pairs.push(at);
    }
  }
  return pairs;
}

type ValueReport = Pick<UnitReport, "values" | "absurd" | "ordinary" | "changes" | "cost">;

function valueReport(bytes: Uint8Array, unit: Unit, stride: number, { from, count }: Starts): ValueReport {
  let [values, absurd, ordinary, changes, bits] = [0, 0, 0, 0, 0];
  const judge = JUDGES[unit.kind];
  for (const start of from) {
    let before: Ordered | undefined;
    for (let i = 0; i < count; i++) {
      const at = (start + i) * stride + unit.offset;
      const one = orderedAt(bytes, at, unit);
      if (one.high !== 0 || one.low !== 0) {
        values += 1;
        const verdict = judge(one, unit.size);
        if (verdict === "absurd") absurd += 1;
        if (verdict === "ordinary") ordinary += 1;
      }
      const difference =
        before === undefined ? 0 : Math.abs((one.high - before.high) * 2 ** 32 + (one.low - before.low));
      if (difference > 0) {
        changes += 1;
        bits += Math.log2(difference);
      }
      before = one;
    }
  }
  return { values, absurd, ordinary, changes, cost: changes === 0 ? 0 : bits / changes };
}

/** An element as a whole number of the same order: `high` times 2^32 plus `low`. Floats keep their order so. */
interface Ordered {
  readonly high: number;
  readonly low: number;
}

function orderedAt(bytes: Uint8Array, at: number, { size, kind, big }: Unit): Ordered {
  let [high, low] = [0, 0];
  for (let place = size - 1; place >= 0; place--) {
    const byte = bytes[at + (big ? size - 1 - place : place)] as number;
    if (place >= 4) high = high * 256 + byte;
    else low = low * 256 + byte;
  }
  if (kind === "character") return { high, low };
  if (size > 4) return signed(high, low, 2 ** (8 * (size - 4) - 1), kind, true);
  return signed(low, 0, 2 ** (8 * size - 1), kind, false);
}

/** `first` holds the sign. Unsigned integers count as signed: their differences are the same, except for wraps. */
function signed(first: number, rest: number, sign: number, kind: Unit["kind"], isLong: boolean): Ordered {
  const isNegative = first >= sign;
  const value = !isNegative ? first : kind === "float" ? -(first - sign) : first - 2 * sign;
  const low = isNegative && kind === "float" ? -rest : rest;
  return isLong ? { high: value, low } : { high: 0, low: value };
}

type Verdict = "absurd" | "ordinary" | "plain";

const JUDGES: Readonly<Record<Unit["kind"], (one: Ordered, size: number) => Verdict>> = {
  integer: () => "plain",
  character: ({ low }) => (low > 0x10_ffff ? "absurd" : "ordinary"),
  float: judgeFloat,
};

/** Exponents of 1e-6 and 1e8, and of 1e-30 and 1e31. Beyond the latter lie fill values at most (9.97e36, 1e35). */
const ORDINARY: readonly [number, number] = [-20, 27];
const SENSIBLE: readonly [number, number] = [-100, 103];

function judgeFloat({ high, low }: Ordered, size: number): Verdict {
  const magnitude = Math.abs(size > 4 ? high : low);
  const [mantissa, exponents] = size === 2 ? [10, 31] : size === 4 ? [23, 255] : [20, 2047];
  const exponent = Math.floor(magnitude / 2 ** mantissa);
  if (exponent === 0) return "absurd";
  const fraction = magnitude % 2 ** mantissa;
  // Infinity and NaN, as calculations make them; others carry bytes that do not come from a number.
  if (exponent === exponents)
    return (fraction === 0 || fraction === 2 ** (mantissa - 1)) && (size < 8 || low === 0) ? "plain" : "absurd";
  if (size === 2) return "ordinary";
  const power = exponent - (exponents - 1) / 2;
  if (isFillValue(power, fraction, size)) return "plain";
  if (power < SENSIBLE[0] || power > SENSIBLE[1]) return "absurd";
  return power >= ORDINARY[0] && power <= ORDINARY[1] ? "ordinary" : "plain";
}

/** netCDF's 9.969209968386869e36, 1e35, 1e36, 3.4e38 (all ones), and float64's greatest. */
function isFillValue(power: number, fraction: number, size: number): boolean {
  const ones = size === 4 ? 2 ** 23 - 1 : 2 ** 20 - 1;
  return power === 122 || power === 116 || power === 119 || fraction === ones;
}
