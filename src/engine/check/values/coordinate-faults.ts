/** Finds faults in the values of a coordinate: pure, over its values and the positions where its files begin. */
import { middle, stepsOf } from "./value-rule.ts";

export interface CoordinateFault {
  readonly kind: "missing" | "restarts" | "unit" | "files" | "copy" | "repeated" | "unordered" | "gap";
  /** Positions that it concerns; the first of each pair, or both. */
  readonly positions: readonly number[];
  /** Their values. */
  readonly values: readonly number[];
  readonly count: number;
  readonly of: number;
  /** Values of the whole coordinate. */
  readonly length: number;
  /** Factor and step by which values, or steps, differ. */
  readonly factor?: number;
  /** The other unit counts since 1970. */
  readonly sinceEpoch?: boolean;
  readonly step?: number;
  /** How often each value stands, where all are repeated alike. */
  readonly each?: number;
  /** Two values in each other's place explain it. */
  readonly swapped?: boolean;
}

interface Known {
  readonly values: Float64Array;
  /** 1 where it goes up. */
  readonly direction: 1 | -1;
  /** Positions `i` where the step from `i` to `i + 1` goes the wrong way or nowhere. */
  readonly wrong: readonly number[];
  readonly blocks: readonly number[];
  /** Numbers from which units count: 0 and, of times, 1970-01-01. */
  readonly origins: readonly number[];
}

const TURN = 360;

/** `blocks`: where files, or chunks, begin. The first that fits is the cause; `undefined` where all is right. */
export function describeCoordinate(
  values: Float64Array,
  blocks: readonly number[],
  { wraps, epoch }: { readonly wraps: boolean; readonly epoch?: number | undefined },
): CoordinateFault | undefined {
  const missing = values.reduce((count, value) => count + Number(isNone(value)), 0);
  const length = values.length;
  if (missing > 0) {
    const at = values.findIndex(isNone);
    return { kind: "missing", positions: [at], values: [], count: missing, of: length, length };
  }
  const direction = directionOf(values);
  const wrong = wrongSteps(values, direction, wraps);
  const known = { values, direction, wrong, blocks, origins: epoch === undefined ? [0] : [0, epoch] };
  if (wrong.length === 0) return unitOf(known) ?? (wraps ? undefined : gapOf(known));
  return (
    restartsOf(known) ?? unitOf(known) ?? copyOf(known) ?? filesOf(known) ?? repeatedOf(known) ?? unorderedOf(known)
  );
}

/** NaN, or as large as fill values are (netCDF's is 9.97e36) and no coordinate is. */
const isNone = (value: number): boolean => !(Math.abs(value) < 1e30);

const directionOf = (values: Float64Array): 1 | -1 =>
  stepsOf(values).reduce((up, step) => up + Math.sign(step), 0) < 0 ? -1 : 1;

/** A longitude may go on from its other end, once. */
function wrongSteps(values: Float64Array, direction: 1 | -1, wraps: boolean): readonly number[] {
  const wrong: number[] = [];
  for (let at = 0; at + 1 < values.length; at += 1)
    if (!(direction * ((values[at + 1] as number) - (values[at] as number)) > 0)) wrong.push(at);
  const [only] = wrong;
  if (!wraps || wrong.length !== 1 || only === undefined) return wrong;
  const [last = NaN, next = NaN] = values.subarray(only, only + 2);
  const turned = direction * (next - last) + TURN;
  const isWhole = direction * ((values[0] ?? NaN) - (values.at(-1) ?? NaN)) > 0;
  return turned > 0 && turned <= TURN / 2 && isWhole ? [] : wrong;
}

const at = ({ values }: Known, positions: readonly number[]): readonly number[] =>
  positions.map((position) => values[position] as number);

function fault(
  known: Known,
  kind: CoordinateFault["kind"],
  positions: readonly number[],
  more: Partial<CoordinateFault> = {},
): CoordinateFault {
  const { length } = known.values;
  return {
    kind,
    positions,
    values: at(known, positions.slice(0, 10)),
    count: positions.length,
    of: length,
    length,
    ...more,
  };
}

/** The positions at which a file begins, but the first. */
const seamsOf = ({ blocks }: Known): readonly number[] => blocks.slice(1);

/** Every file begins where the first one does, or nearly so. */
function restartsOf(known: Known): CoordinateFault | undefined {
  const { values, wrong, blocks, direction } = known;
  const seams = seamsOf(known);
  const atSeams = new Set(seams.map((position) => position - 1));
  if (seams.length < 2 || wrong.some((position) => !atSeams.has(position))) return undefined;
  if (wrong.length * 10 < seams.length * 8) return undefined;
  const starts = blocks.map((position) => values[position] as number);
  const lengths = blocks.map((position, index) => {
    const end = (blocks[index + 1] ?? values.length) - 1;
    return direction * ((values[end] as number) - (values[position] as number));
  });
  const [first = 0] = starts;
  const reach = Math.max(middle(lengths), 0);
  const near = starts.filter((start) => Math.abs(start - first) <= reach).length;
  return near * 10 >= starts.length * 8 ? fault(known, "restarts", [...seams], { count: wrong.length }) : undefined;
}

/** Factors between counts of time in different units; and between units of length. */
const FACTORS = [24, 60, 3600, 86400, 1440, 7, 168, 1000, 1e6, 1e9, 12, 100] as const;

/** Factors to units that computers count in since 1970. */
const SINCE_EPOCH = [1, 24, 60, 3600, 86_400].flatMap((unit) => [unit, unit * 1e3, unit * 1e6, unit * 1e9]);

/** From a file on values are as many times those that were to be expected as one unit is of another. */
function unitOf(known: Known): CoordinateFault | undefined {
  const { values } = known;
  if (values.length < 4) return undefined;
  const usual = usualStep(known);
  // Appended values need not begin a chunk.
  for (const [index, seam] of [...seamsOf(known), largestStep(values)].entries()) {
    const before = values[seam - 1] as number;
    const off = (step: number): number => Math.abs((values[seam] as number) - before - step);
    const steps = [usual, stepBefore(known, seam)].filter((step) => Math.abs(step) > 0);
    if (steps.length === 0) return undefined;
    if (steps.some((step) => off(step) <= Math.abs(step) * 1.5 || before + step === 0)) continue;
    const found = steps.map((step) => factorAt(known, seam, index, step)).find((one) => one !== undefined);
    return found === undefined ? undefined : fault(known, "unit", [seam - 1, seam], found);
  }
  return undefined;
}

function factorAt(known: Known, seam: number, index: number, step: number) {
  const expected = (known.values[seam - 1] as number) + step;
  for (const [at, origin] of known.origins.entries()) {
    if (at === 0 && !known.blocks.includes(seam)) continue;
    const factors = at === 0 ? [...FACTORS, ...FACTORS.map((one) => 1 / one)] : SINCE_EPOCH;
    const isFactor = (one: number) =>
      isLike(known.values[seam] as number, (expected - origin) * one, Math.abs(step * one));
    const factor = factors.find((one) => isFactor(one) && goesOn(known, seam, index, one, step));
    if (factor !== undefined) return { factor, sinceEpoch: at > 0 };
  }
  return undefined;
}

const isLike = (one: number, other: number, reach: number): boolean =>
  Math.abs(one - other) <= Math.max(reach * 1.01, Math.abs(other) * 1e-6);

/**
 * Within the file steps are as much larger; a file of one value is followed by such a step, or by what was expected.
 */
function goesOn({ values, blocks }: Known, seam: number, index: number, factor: number, step: number): boolean {
  const next = seam + 1;
  const expected = (values[seam - 1] as number) + step;
  if (next >= values.length) return isLike(values[seam] as number, expected * factor, Math.abs(step) / 100);
  const found = (values[next] as number) - (values[seam] as number);
  if (isLike(found, factor * step, Math.abs(factor * step) * 0.3)) return true;
  const isWithin = next < (blocks[index + 2] ?? values.length);
  return !isWithin && isLike(values[next] as number, expected + step, Math.abs(step) / 2);
}

/** The position after the largest step. */
function largestStep(values: Float64Array): number {
  const sizes = stepsOf(values).map(Math.abs);
  return sizes.reduce((most, size, at) => (size > (sizes[most] as number) ? at : most), 0) + 1;
}

/** Usual step within the first half. */
function usualStep({ values }: Known): number {
  const steps = stepsOf(values);
  return middle(steps.slice(0, Math.max(1, steps.length >> 1)));
}

/**
 * Usual step before a position: if the unit changes early, most of the first half have the other one. NaN for too few.
 */
function stepBefore({ values }: Known, position: number): number {
  return position < 3 ? NaN : middle(stepsOf(values.subarray(0, position)));
}

/** A file has the values of another one. */
function copyOf(known: Known): CoordinateFault | undefined {
  const { values, blocks } = known;
  const seen = new Map<string, number>();
  for (const [index, start] of blocks.entries()) {
    const text = values.subarray(start, blocks[index + 1] ?? values.length).join(" ");
    const other = seen.get(text);
    if (other !== undefined) return fault(known, "copy", [other, start], { count: 1 });
    seen.set(text, start);
  }
  return undefined;
}

/** Fault of files that are in order by themselves, and as a whole once the files are sorted. */
function filesOf(known: Known): CoordinateFault | undefined {
  const { values, wrong, direction } = known;
  const { blocks } = known;
  const atSeams = new Set(seamsOf(known).map((position) => position - 1));
  if (blocks.length < 2 || wrong.some((position) => !atSeams.has(position))) return undefined;
  const order = [...blocks.keys()].toSorted(
    (a, b) => direction * ((values[blocks[a] ?? 0] as number) - (values[blocks[b] ?? 0] as number)),
  );
  const misplaced = order.filter((block, place) => block !== place);
  for (const [place, block] of order.entries()) {
    const next = order[place + 1];
    if (next === undefined) break;
    const end = (blocks[block + 1] ?? values.length) - 1;
    if (!(direction * ((values[blocks[next] ?? 0] as number) - (values[end] as number)) > 0)) return undefined;
  }
  if (blocks.length === values.length && misplaced.length < 2) return undefined;
  return fault(
    known,
    "files",
    misplaced.toSorted((a, b) => a - b).map((block) => blocks[block] ?? 0),
  );
}

function repeatedOf(known: Known): CoordinateFault | undefined {
  const { values, wrong } = known;
  const same = wrong.filter((position) => values[position] === values[position + 1]);
  return same.length === wrong.length
    ? fault(
        known,
        "repeated",
        same.flatMap((position) => [position, position + 1]),
        { count: same.length, ...eachOf(values) },
      )
    : undefined;
}

/** Every value stands as often as the others, but for the first and the last; in even steps. */
function eachOf(values: Float64Array): Pick<CoordinateFault, "each"> {
  const starts = [...values.keys()].filter((position) => position === 0 || values[position] !== values[position - 1]);
  const lengths = starts.map((start, index) => (starts[index + 1] ?? values.length) - start);
  const [each = 0, ...inner] = lengths.slice(1, -1);
  const steps = starts
    .slice(1)
    .map((start, index) => (values[start] as number) - (values[starts[index] as number] as number));
  const isEven = steps.every((step) => step === steps[0]) && inner.every((length) => length === each);
  return each > 1 && isEven && lengths.every((length) => length <= each) ? { each } : {};
}

function unorderedOf(known: Known): CoordinateFault {
  const sorted = known.values.toSorted((a, b) => known.direction * (a - b));
  const moved = [...known.values.keys()].filter((position) => known.values[position] !== sorted[position]);
  const isSwap = moved.length === 2;
  const positions = isSwap ? moved : known.wrong.flatMap((position) => [position, position + 1]);
  return fault(known, "unordered", positions, { count: known.wrong.length, swapped: isSwap });
}

/** Steps that are evenly many are the rule; gaps are few. */
const REGULAR = 0.8;
const MAX_GAPS = 0.2;

function gapOf(known: Known): CoordinateFault | undefined {
  const { values } = known;
  if (values.length < 4) return undefined;
  const steps = stepsOf(values).map(Math.abs);
  const step = middle(steps);
  const usual = steps.filter((one) => Math.abs(one - step) <= step * 0.15).length;
  const gaps = steps.flatMap((one, index) => (one > step * 1.6 ? [index] : []));
  const [first] = gaps;
  if (
    first === undefined ||
    usual < steps.length * REGULAR ||
    gaps.length > Math.max(1, seamsOf(known).length * MAX_GAPS)
  )
    return undefined;
  const factor = (steps[first] as number) / step;
  return fault(known, "gap", [first, first + 1], { count: gaps.length, step, factor });
}
