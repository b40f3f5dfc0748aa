/** Places along a dimension in the user's terms: degrees, dates, or whatever its coordinate array holds. */
import { type Axis, axisNumberText, placeText as textOnAxis } from "#core/cf/axis.ts";
import { distinctTexts } from "#core/values/number-text.ts";
import { tickStep, type Ticks } from "../cell-map/axes.ts";
import { dimensionName } from "../zarr-words.ts";

/** Text of the value at a position; the position where nothing is known of it. */
export function placeText(axis: Axis | undefined, position: number): string {
  if (axis?.values === undefined) return position.toLocaleString("en");
  return textOnAxis(axis, position) ?? "no value";
}

/** "time 2026-01-03, lat 45°S"; `bare` says where nothing stands along a dimension. */
export const placesText = (
  positions: ReadonlyMap<number, number>,
  names: readonly (string | undefined)[] | undefined,
  axes: readonly (Axis | undefined)[],
  bare: (dimension: number, at: number) => string,
): string =>
  Array.from(positions, ([dimension, at]) => {
    const axis = axes[dimension];
    return `${dimensionName(names, dimension)} ${(axis && textOnAxis(axis, at)) ?? bare(dimension, at)}`;
  }).join(", ");

const DIGIT = 7;

const widestText = (axis: Axis | undefined, length: number): number =>
  Math.max(...[0, length - 1].map((at) => placeText(axis, at).length)) * DIGIT;

/** Pixels that the name of a dimension takes, with the arrow beside it; longer ones are cut. */
export const nameRoom = (name: string): number => Math.min(104, name.length * 6.5 + 20);

/**
 * Pixels that the ticks beside a picture may take, and the name above them: projected metres have nine digits, longer
 * texts are narrowed.
 */
export const tickRoom = (axis: Axis | undefined, length: number, name: string): number =>
  Math.min(80, Math.max(42, widestText(axis, length) + 5, nameRoom(name)));

/** Pixels a tick takes, down and across. */
const LINE = 70;
const ROOM = 70;

/**
 * Ticks at round values where the axis is of numbers that rise or fall evenly, else at round positions. `shown` turns a
 * position on screen to one in the array.
 */
export function axisTicks(
  axis: Axis | undefined,
  length: number,
  side: "across" | "down",
  shown: (at: number) => number,
): Ticks {
  const numbers = axis?.values?.kind === "numbers" ? axis.values.numbers : undefined;
  const step = numbers === undefined ? undefined : evenStep(numbers);
  const room = side === "down" ? LINE : Math.max(widestText(axis, length) + 16, ROOM);
  return ({ from, to }, cell) => {
    if (numbers !== undefined && step !== undefined && axis !== undefined)
      return roundTicks({ axis, numbers, step, shown, room }, { from, to }, cell);
    const every = tickStep(cell, room);
    const first = Math.ceil(from / every) * every;
    const count = Math.max(0, Math.ceil((to - first) / every));
    return Array.from({ length: count }, (_, at) => {
      const place = first + at * every;
      return { at: place + 0.5, text: placeText(axis, shown(place)) };
    });
  };
}

/** The step between values, where all are alike within a thousandth. */
function evenStep(numbers: Float64Array): number | undefined {
  const [first = 0, second = 0] = numbers;
  const last = numbers.at(-1) ?? first;
  const step = (last - first) / (numbers.length - 1);
  if (numbers.length < 3 || !Number.isFinite(step) || step === 0) return undefined;
  const isEven = Math.abs(second - first - step) <= Math.abs(step) * 0.05;
  return isEven && numbers.every((value, at) => Math.abs(value - first - at * step) <= Math.abs(step) * 0.6)
    ? step
    : undefined;
}

interface EvenAxis {
  readonly axis: Axis;
  readonly numbers: Float64Array;
  readonly step: number;
  readonly shown: (at: number) => number;
  readonly room: number;
}

function roundTicks(
  { axis, numbers, step, shown, room }: EvenAxis,
  { from, to }: { readonly from: number; readonly to: number },
  side: number,
): ReturnType<Ticks> {
  const [origin = 0] = numbers;
  const ends = [shown(Math.max(0, Math.floor(from))), shown(Math.min(numbers.length - 1, Math.ceil(to) - 1))];
  const [one = 0, other = 0] = ends.map((at) => numbers[at] ?? 0);
  const low = Math.min(one, other);
  const high = Math.max(one, other);
  const between = roundStep(
    (high - low) / Math.max(1, (Math.abs((ends[1] ?? 0) - (ends[0] ?? 0)) * side) / room),
    axis,
  );
  const values: number[] = [];
  for (let value = Math.ceil(low / between) * between; value <= high + 1e-9; value += between) {
    values.push(Number(value.toPrecision(12)));
  }
  const texts = distinctTexts(values, (value, digits) => axisNumberText(axis, value, digits) ?? "");
  // `shown` turns round or not: it is its own reverse.
  return values.map((value, at) => ({ at: shown((value - origin) / step) + 0.5, text: texts[at] ?? "" }));
}

function roundStep(least: number, { role }: Axis): number {
  const isDegrees = role === "latitude" || role === "longitude";
  const known = isDegrees ? [1, 2, 5, 10, 15, 30, 45, 60, 90].find((step) => step >= least) : undefined;
  if (known !== undefined && least > 0.5) return known;
  const power = 10 ** Math.floor(Math.log10(Math.max(least, Number.MIN_VALUE)));
  return ([1, 2, 5, 10].find((factor) => factor * power >= least) ?? 10) * power;
}
