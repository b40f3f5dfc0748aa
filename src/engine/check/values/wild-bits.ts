/** One value far from all others: whether a single wrong bit made it. */
import type { DataType } from "../../../core/metadata/data-type.ts";
import type { Tally } from "./value-tally.ts";
import { stridesOf, type Field } from "./roughness.ts";

export interface WildValue {
  /** By how many times the range of all others it is away from them; 0 where there is none. */
  readonly wild: number;
  readonly wildValue: number;
  /** 1 where turning one of its bits makes it like those around it. */
  readonly wildBit: number;
}

const NONE: WildValue = { wild: 0, wildValue: NaN, wildBit: 0 };

/** Farther than so many ranges of the others no measurement is, whatever made it. */
const HOPELESS = 1000;

/** Nearer than this many ranges a value may be a measurement; where neighbours are alike, fewer are enough. */
const LEAST_RANGES = 3;
const FEW_RANGES = 1.2;
const ALIKE = 0.15;

/** A share of the least of all others, where none is of the other sign. */
const TINY = 1 / 50;

/** Whether a value is away from all others, from `least` to `most`. */
export function isFar(value: number, least: number, most: number, ranges = LEAST_RANGES): boolean {
  const away = value > most ? value - most : least - value;
  if (away > (most - least) * ranges) return true;
  return value !== 0 && least * most > 0 && Math.abs(value) < Math.min(Math.abs(least), Math.abs(most)) * TINY;
}

/** How many of the steps between its neighbours the value may be away from them when its bit is turned back. */
const STEPS_AWAY = 2;

/** The extreme that is alone and farthest from all others, where turning one of its bits gives a value like those around it. */
export function wildBits(field: Field, type: DataType, tally: Tally): WildValue {
  const { minimum, maximum, nextMinimum, nextMaximum, timesMinimum, timesMaximum, atMinimum, atMaximum } = tally;
  if (tally.present < 8) return NONE;
  const low = { at: atMinimum, value: minimum, isAlone: timesMinimum === 1, range: maximum - nextMinimum };
  const high = { at: atMaximum, value: maximum, isAlone: timesMaximum === 1, range: nextMaximum - minimum };
  const [below, above] = [(nextMinimum - minimum) / low.range, (maximum - nextMaximum) / high.range];
  const [one, ranges] = below > above ? [low, below] : [high, above];
  const [least, most] = below > above ? [nextMinimum, maximum] : [minimum, nextMaximum];
  if (!one.isAlone || !isFar(one.value, least, most, FEW_RANGES)) return NONE;
  const wildBit = isTurnedBit(field, type, one.at, most - least) ? 1 : 0;
  if (wildBit === 0 && !(ranges > HOPELESS)) return NONE;
  return { wild: ranges, wildValue: one.value, wildBit };
}

/** Near its neighbours when one bit is turned. Values only somewhat away from all others must have neighbours that are much alike. */
function isTurnedBit(field: Field, type: DataType, at: number, range: number): boolean {
  const around = valuesAround(field, at);
  if (around.length < 2) return false;
  const middle = around.reduce((sum, one) => sum + one, 0) / around.length;
  const step = Math.max(...around) - Math.min(...around);
  const value = field.numbers[at] as number;
  const isClear = Math.abs(value - middle) > range * (LEAST_RANGES + 1);
  if (!isClear && step > range * ALIKE && !(Math.abs(value) < Math.abs(middle) * TINY)) return false;
  const reach = Math.max(step * STEPS_AWAY, Math.abs(middle) * 1e-6);
  return otherBits(value, type).some((one) => Math.abs(one - middle) <= reach);
}

/** Of the elements beside it along each dimension, up to two away. */
function valuesAround({ numbers, shape, inside, isMissing }: Field, index: number): readonly number[] {
  const strides = stridesOf(shape);
  const found: number[] = [];
  for (const [axis, stride] of strides.entries()) {
    const place = Math.floor(index / stride) % (shape[axis] as number);
    for (const away of [-2, -1, 1, 2]) {
      const near = place + away;
      if (near < 0 || near >= (inside[axis] as number)) continue;
      const at = index + away * stride;
      const value = numbers[at] as number;
      if (Number.isFinite(value) && !isMissing(at)) found.push(value);
    }
  }
  return found;
}

/** The value with each of its bits turned; none for types that are not held exactly. */
function otherBits(value: number, { kind, itemSize }: DataType): readonly number[] {
  const view = new DataView(new ArrayBuffer(8));
  const isFloat = kind === "float" && (itemSize === 4 || itemSize === 8);
  if (!isFloat && (itemSize > 4 || (kind !== "int" && kind !== "uint"))) return [];
  const write = () =>
    isFloat ? (itemSize === 4 ? view.setFloat32(0, value) : view.setFloat64(0, value)) : writeWhole();
  const writeWhole = () => view.setInt32(0, value << (32 - 8 * itemSize));
  const read = () => {
    if (isFloat) return itemSize === 4 ? view.getFloat32(0) : view.getFloat64(0);
    const whole = view.getInt32(0);
    return kind === "int" ? whole >> (32 - 8 * itemSize) : whole >>> (32 - 8 * itemSize);
  };
  return Array.from({ length: 8 * itemSize }, (_, bit) => {
    write();
    const byte = bit >>> 3;
    view.setUint8(byte, view.getUint8(byte) ^ (0x80 >>> (bit & 7)));
    return read();
  });
}
