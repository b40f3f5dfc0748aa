/** One value far from all others: whether a single wrong bit made it. */
import { stridesC } from "#core/values/gather.ts";
import type { DataType } from "#core/metadata/data-type.ts";
import { runsInside, type Run } from "#core/values/runs-inside.ts";
import type { Field } from "./roughness.ts";
import type { NumberArray } from "#core/values/values.ts";

export interface WildValue {
  /** Distance from all others in multiples of their range; 0 if there is no wild value. */
  readonly wild: number;
  readonly wildValue: number;
  /** 1 where turning one of its bits makes it like those around it, by chance perhaps; 2 where those are much alike. */
  readonly wildBit: number;
}

const NONE: WildValue = { wild: 0, wildValue: NaN, wildBit: 0 };

/** Farther than so many ranges of the others no measurement is, whatever made it. */
const HOPELESS = 1000;
/** And farther than so many nothing is that was meant to be stored. */
const IMPOSSIBLE = 1e9;

/** Nearer than this many ranges a value may be a measurement; where neighbours are alike, fewer are enough. */
const LEAST_RANGES = 3;
const FEW_RANGES = 1.2;
const ALIKE = 0.15;

/** A share of the least of all others, where none is of the other sign. */
const TINY = 1 / 50;

/** True if a value is far from all others, which lie from `least` to `most`. */
export function isFar(value: number, least: number, most: number, ranges = LEAST_RANGES): boolean {
  const away = value > most ? value - most : least - value;
  if (away > (most - least) * ranges) return true;
  return isTiny(value, least, most);
}

const isTiny = (value: number, least: number, most: number): boolean =>
  value !== 0 && least * most > 0 && Math.abs(value) < Math.min(Math.abs(least), Math.abs(most)) * TINY;

/** How many of the steps between its neighbours the value may be away from them when its bit is turned back. */
const STEPS_AWAY = 2;

/**
 * The extreme that is alone and farthest from all others, where turning one of its bits gives a value like those
 * around it.
 */
export function wildBits(field: Field, type: DataType, tally: Tally): WildValue {
  const { minimum, maximum, nextMinimum, nextMaximum, timesMinimum, timesMaximum, atMinimum, atMaximum } = tally;
  if (tally.present < 8) return NONE;
  const low = { at: atMinimum, value: minimum, isAlone: timesMinimum === 1, range: maximum - nextMinimum };
  const high = { at: atMaximum, value: maximum, isAlone: timesMaximum === 1, range: nextMaximum - minimum };
  const [below, above] = [(nextMinimum - minimum) / low.range, (maximum - nextMaximum) / high.range];
  const [one, ranges] = below > above ? [low, below] : [high, above];
  const [least, most] = below > above ? [nextMinimum, maximum] : [minimum, nextMaximum];
  // If nearly all values are equal, they have no spread: one that differs is a flag, a source, a storm.
  if (least === most || tally.zeros * 2 > tally.present) return NONE;
  if (!one.isAlone || !isFar(one.value, least, most, FEW_RANGES)) return NONE;
  const wildBit = turnedBit(field, type, one.at, most - least);
  if (wildBit === 0 && !(ranges > HOPELESS)) return NONE;
  const others = othersIn(field, one.at);
  if (!isBeyondTail(others, one.value, [least, most], isSmoothAt(field, one.at, others))) return NONE;
  const isVanishing = Math.abs(one.value) * IMPOSSIBLE < Math.min(Math.abs(least), Math.abs(most)) && wildBit > 0;
  return { wild: ranges, wildValue: one.value, wildBit: ranges > IMPOSSIBLE || isVanishing ? 2 : wildBit };
}

/** Most values that are compared in larger chunks. */
const MAX_OTHERS = 20_000;

function othersIn({ numbers, shape, inside, isMissing }: Field, wild: number): readonly number[] {
  const runs = [...runsInside(shape, inside)];
  const every = Math.max(1, Math.floor(runs.reduce((sum, { from, to }) => sum + to - from, 0) / MAX_OTHERS));
  const others: number[] = [];
  for (const { from, to } of runs)
    for (let at = from; at < to; at += every)
      if (at !== wild && !isMissing(at) && Number.isFinite(numbers[at])) others.push(numbers[at] as number);
  return others;
}

/** Tells if neighbours differ clearly less than any two values: otherwise some bit always gives a value like them. */
function isSmoothAt(field: Field, at: number, others: readonly number[]): boolean {
  const around = valuesAround(field, at);
  const sorted = others.toSorted((a, b) => a - b);
  const [low = NaN, high = NaN] = [0.1, 0.9].map((part) => sorted[Math.floor(part * (sorted.length - 1))]);
  const most = around.length < MANY_AROUND ? MOST_APART / 2 : MOST_APART;
  return Math.max(...around) - Math.min(...around) <= (high - low) * most;
}

/** Greatest distance of neighbours, as a share of the range of eight in ten values; a few may be as near by chance. */
const MOST_APART = 0.7;
const MANY_AROUND = 8;
/** How many times as far out as one in five the farthest of so many values is, where the tail is exponential. */
const exponentialTail = (values: number): number => Math.max(1, Math.log(values) / Math.log(5));
/** Farther out than all others by so much, in noise; and in powers, whose tails are short. */
const LEAST_OF_NOISE = 10;
const LEAST_POWERS = 3;
const [FEW, LEAST_OF_FEW] = [16, 4];

/**
 * True if a value is farther out than the tail of the others, between `ends`, lets expect: if the largest of them is
 * many times as far from the middle as most are, one more may be many times as far as that one.
 */
export function isBeyondTail(
  others: readonly number[],
  value: number,
  [least, most]: readonly [number, number],
  isSmooth: boolean,
): boolean {
  const inPowers = isTiny(value, least, most);
  const of = (one: number) => (inPowers ? Math.log(Math.abs(one)) : one);
  const all = others.map(of).toSorted((a, b) => a - b);
  const middle = all[all.length >> 1] ?? NaN;
  const side = of(value) < middle ? -1 : 1;
  const out = all.map((one) => side * (one - middle)).filter((one) => one > 0);
  const farthest = Math.max(side * (of(least) - middle), side * (of(most) - middle));
  const tail = farthest / (out.toSorted((a, b) => a - b)[Math.floor(out.length * 0.8)] ?? farthest);
  const room = out.length < FEW ? LEAST_OF_FEW : inPowers ? LEAST_POWERS : 1;
  const usual = Math.max(isSmooth ? room : LEAST_OF_NOISE, (tail / exponentialTail(out.length)) ** 3);
  return !(side * (of(value) - middle) <= farthest * usual);
}

/** Distance from the middle of the neighbours: one of 32 bits brings no value so near by chance. */
const NEAR = 0.25;

/**
 * Near its neighbours when one bit is turned. Values only somewhat away from all others must have neighbours that are much
 * alike. Sure (2) where there are neighbours in several dimensions, whose own differences are small beside them.
 */
function turnedBit(field: Field, type: DataType, at: number, range: number): 0 | 1 | 2 {
  const around = valuesAround(field, at);
  if (around.length < 2) return 0;
  const middle = around.reduce((sum, one) => sum + one, 0) / around.length;
  const step = Math.max(...around) - Math.min(...around);
  const value = field.numbers[at] as number;
  const isClear = Math.abs(value - middle) > range * (LEAST_RANGES + 1);
  if (!isClear && step > range * ALIKE && !(Math.abs(value) < Math.abs(middle) * TINY)) return 0;
  const reach = Math.max(step * STEPS_AWAY, Math.abs(middle) * 1e-6);
  if (!otherBits(value, type).some((one) => Math.abs(one - middle) <= reach)) return 0;
  return around.length >= 4 && reach <= Math.abs(middle) * NEAR ? 2 : 1;
}

/** Values of the elements beside it along each dimension, up to two away. */
function valuesAround({ numbers, shape, inside, isMissing }: Field, index: number): readonly number[] {
  const strides = stridesC(shape);
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

// One pass over the values of a chunk: how many there are, their ends, and sums for mean and spread.

export type IsMissing = (index: number) => boolean;

export interface Tally {
  readonly count: number;
  readonly present: number;
  readonly zeros: number;
  /** Sums are of differences from the first value, so that large values with small differences keep them. */
  readonly first: number;
  readonly sum: number;
  readonly squares: number;
  readonly minimum: number;
  readonly maximum: number;
  readonly nextMinimum: number;
  readonly nextMaximum: number;
  readonly timesMinimum: number;
  readonly timesMaximum: number;
  readonly atMinimum: number;
  readonly atMaximum: number;
}

export function tallyOf(numbers: NumberArray, runs: readonly Run[], isMissing: IsMissing): Tally {
  let [count, present, zeros, first, sum, squares] = [0, 0, 0, NaN, 0, 0];
  let [minimum, nextMinimum, timesMinimum, atMinimum] = [Infinity, Infinity, 0, -1];
  let [maximum, nextMaximum, timesMaximum, atMaximum] = [-Infinity, -Infinity, 0, -1];
  for (const { from, to } of runs) {
    count += to - from;
    for (let at = from; at < to; at += 1) {
      const value = numbers[at] as number;
      if (value === 0) zeros += 1;
      if (isMissing(at) || value !== value) continue;
      if (present === 0) first = Number.isFinite(value) ? value : 0;
      present += 1;
      const difference = value - first;
      sum += difference;
      squares += difference * difference;
      if (value < minimum) [nextMinimum, minimum, timesMinimum, atMinimum] = [minimum, value, 1, at];
      else if (value === minimum) timesMinimum += 1;
      else if (value < nextMinimum) nextMinimum = value;
      if (value > maximum) [nextMaximum, maximum, timesMaximum, atMaximum] = [maximum, value, 1, at];
      else if (value === maximum) timesMaximum += 1;
      else if (value > nextMaximum) nextMaximum = value;
    }
  }
  const lowest = { minimum, nextMinimum, timesMinimum, atMinimum };
  const highest = { maximum, nextMaximum, timesMaximum, atMaximum };
  return { count, present, zeros, first, sum, squares, ...lowest, ...highest };
}
