/** Measures kept of a decoded chunk: a few numbers, enough to compare it with its neighbours. */
import type { ArrayMetadata } from "#core/metadata/array-metadata.ts";
import { maskOf, missingTest } from "#core/cf/cf-statistics.ts";
import { viewedValues, type Scaling } from "#core/cf/cf.ts";
import { runsInside, type Run } from "#core/values/runs-inside.ts";
import { type ChunkValues, float64Of, isLong, type NumberArray } from "#core/values/values.ts";
import { type Field, roughnessOf, type Roughness } from "./roughness.ts";
import { tallyOf, type IsMissing, type Tally, wildBits } from "./wild-bits.ts";

export interface ChunkMeasures
  extends
    Roughness,
    Pick<
      Tally,
      "count" | "zeros" | "minimum" | "maximum" | "nextMinimum" | "nextMaximum" | "timesMinimum" | "timesMaximum"
    > {
  readonly missing: number;
  readonly mean: number;
  /** Standard deviation. */
  readonly spread: number;
  /** Values outside the valid range that the attributes name. */
  readonly outside: number;
  /** One value far from all others: by how many of their ranges, which it is, and whether one bit explains it. */
  readonly wild: number;
  readonly wildValue: number;
  readonly wildBit: number;
  /** Neighbours of an integer type, one near its least value, one near its greatest, that go on if one wraps around. */
  readonly wraps: number;
  /** Layers at the begin and the end of the axis in which every element is missing, or is the fill value. */
  readonly leading: number;
  readonly trailing: number;
}

export interface Measured {
  readonly metadata: ArrayMetadata;
  readonly scaling: Scaling | undefined;
  /** The dimension along which chunks follow each other; -1 for none. */
  readonly axis: number;
}

/** `undefined` for elements that are not numbers. */
export function measuresOf(
  stored: ChunkValues,
  inside: readonly number[],
  { metadata, scaling, axis }: Measured,
): ChunkMeasures | undefined {
  const values = scaling === undefined ? stored : viewedValues(stored, scaling);
  const { numbers } = values;
  if (numbers === undefined) return undefined;
  const isMissing = missingTest(values, numbers, scaling, maskOf(stored, scaling));
  const floats = isLong(numbers) ? float64Of(numbers) : numbers;
  const runs = [...runsInside(values.shape, inside)];
  const tally = tallyOf(floats, runs, isMissing);
  const { sum, squares, first, present } = tally;
  const mean = present === 0 ? NaN : first + sum / present;
  const variance = present === 0 ? NaN : Math.max(0, squares / present - (sum / present) ** 2);
  const about = { ...ends(tally), count: tally.count, missing: tally.count - present, zeros: tally.zeros };
  const field = { numbers: floats, shape: values.shape, inside, isMissing };
  const spread = Math.sqrt(variance);
  const rough = roughnessOf(field, metadata.order, { spread, along: axis });
  const wild = wildBits(field, values.dataType, tally);
  const outside = countOutside(floats, runs, isMissing, scaling);
  const wraps = wrapsIn(field, runs, values.dataType, tally);
  const layers = emptyLayers(field, axis, Number(metadata.fillValue ?? NaN));
  return { ...about, mean, spread, outside, wraps, ...layers, ...rough, ...wild };
}

/** Least share of the type's range that is used, most of it that neighbours differ by, and the same beside a jump. */
const [USED, MOST_STEP, MOST_TIMES] = [0.9, 0.05, 5];

/** 0 where other neighbours differ much as well, and where least and greatest stand for something: they come often. */
function wrapsIn(
  { numbers, isMissing }: Field,
  runs: readonly Run[],
  type: ChunkValues["dataType"],
  tally: Tally,
): number {
  const range = 2 ** (8 * type.itemSize);
  const isWide = type.itemSize <= 2 && tally.maximum - tally.minimum > range * USED;
  const ends = tally.timesMinimum + tally.timesMaximum;
  if ((type.kind !== "int" && type.kind !== "uint") || !isWide || ends * 20 > tally.present) return 0;
  let [wraps, jumps, steps, sum] = [0, 0, 0, 0];
  for (const { from, to } of runs) {
    const step = (at: number): number =>
      at <= from || at >= to || isMissing(at) || isMissing(at - 1)
        ? NaN
        : Math.abs((numbers[at] as number) - (numbers[at - 1] as number));
    for (let at = from + 1; at < to; at += 1) {
      const own = step(at);
      if (Number.isNaN(own)) continue;
      if (own <= range / 2) [steps, sum] = [steps + 1, sum + own];
      else {
        jumps += 1;
        // The slope goes on.
        const beside = Math.max(...[step(at - 1), step(at + 1)].filter((one) => one <= range / 2));
        if (range - own <= beside * MOST_TIMES) wraps += 1;
      }
    }
  }
  return wraps * 2 > jumps && sum < steps * range * MOST_STEP ? wraps : 0;
}

/** Layers are looked at until a value is met: mostly their first. */
function emptyLayers({ numbers, shape, inside, isMissing }: Field, axis: number, fill: number) {
  if (axis < 0) return { leading: 0, trailing: 0 };
  const length = inside[axis] ?? 0;
  const stride = shape.slice(axis + 1).reduce((product, one) => product * one, 1);
  const runs = [...runsInside(shape, inside.with(axis, 1))];
  const isEmpty = (layer: number) =>
    runs.every(({ from, to }) => {
      for (let at = from + layer * stride; at < to + layer * stride; at += 1)
        if (!isMissing(at) && numbers[at] !== fill) return false;
      return true;
    });
  let [leading, trailing] = [0, 0];
  while (trailing < length && isEmpty(length - 1 - trailing)) trailing += 1;
  while (leading + trailing < length && isEmpty(leading)) leading += 1;
  return { leading, trailing };
}

function ends({ present, minimum, maximum, nextMinimum, nextMaximum, timesMinimum, timesMaximum }: Tally) {
  if (present === 0) return { ...NO_ENDS, timesMinimum, timesMaximum };
  return {
    minimum,
    maximum,
    nextMinimum: nextMinimum === Infinity ? minimum : nextMinimum,
    nextMaximum: nextMaximum === -Infinity ? maximum : nextMaximum,
    timesMinimum,
    timesMaximum,
  };
}

const NO_ENDS = { minimum: NaN, maximum: NaN, nextMinimum: NaN, nextMaximum: NaN };

function countOutside(
  numbers: NumberArray,
  runs: readonly Run[],
  isMissing: IsMissing,
  scaling: Scaling | undefined,
): number {
  if (scaling?.valid === undefined) return 0;
  const { minimum = -Infinity, maximum = Infinity } = scaling.valid;
  let outside = 0;
  for (const { from, to } of runs) {
    for (let at = from; at < to; at += 1) {
      const value = numbers[at] as number;
      if ((value < minimum || value > maximum) && !isMissing(at)) outside += 1;
    }
  }
  return outside;
}
