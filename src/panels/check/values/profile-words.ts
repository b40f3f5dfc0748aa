/** Words for a profile of values: for a bin, and for the marked bins against all others. */
import { type ChunkEdges, startAlong } from "#core/metadata/chunk-grid.ts";
import type { EvidenceLane } from "#core/values/value-evidence.ts";
import { meanTimeText } from "#core/cf/cf-time.ts";
import { shortNumber } from "#core/values/number-text.ts";
import { unitsText } from "#core/values/value-text.ts";
import type { ProfileColumns, ValueProfile } from "#core/values/value-profile.ts";
import { countOf, formatCount, formatShare } from "#widgets/number-format.ts";
import { extentOf, runsOf } from "#widgets/plot/plot-shape.ts";
import { barExtent, type Lane, type PlottedBins } from "#widgets/plot/ProfilePlot.tsx";
import type { ValueRange } from "#widgets/cell-map/paint-values.ts";

type Viewed = Pick<ValueProfile, "units" | "time">;

/** Significant digits of values. */
const DIGITS = 5;

/** `285.31`, or the date that it counts. */
export function numberText(value: number, { time }: Viewed): string {
  const date = time === undefined ? undefined : meanTimeText(value, time);
  if (date !== undefined)
    return date
      .replace("T", " ")
      .replace(/ 00:00:00$/, "")
      .replace(/:00$/, "");
  return shortNumber(value, DIGITS);
}

/** `268.1 to 301.2 K`; one value where both are the same. */
export function rangeText(least: number, most: number, view: Viewed): string {
  // A number alone is of unit 1 (CF §3.1).
  const isBare = view.units === undefined || view.units.trim() === "1" || view.time !== undefined;
  const unit = isBare ? "" : ` ${unitsText(view.units ?? "")}`;
  const [low, high] = [numberText(least, view), numberText(most, view)];
  return low === high ? `${low}${unit}` : `${low} to ${high}${unit}`;
}

export const shareText = (share: number): string => formatShare(Math.round(share * 1e6), 1e6);

const LANE_TITLES: Readonly<Record<EvidenceLane, string>> = {
  step: "Step from the chunk before: median difference at the same places",
  missing: "Share of elements without a value",
  spread: "Spread within a chunk: standard deviation",
  rough: "Roughness: difference of neighbours as a share of the spread; 1 is noise",
};

/** Titles for the values of a coordinate, each of which is a bin. */
const ELEMENT_LANE_TITLES: Readonly<Partial<Record<EvidenceLane, string>>> = {
  step: "Step from the value before",
  missing: "Without a value",
};

function valuesTitle({ kind, perBin, axis }: ValueProfile, dimension: string): string {
  if (kind === "elements") return perBin === 1 ? "Values, one by one" : `Values, ${formatCount(perBin)} at a time`;
  const along = axis < 0 ? "" : ` along ${dimension}`;
  const each = perBin === 1 ? "by chunk" : `by ${formatCount(perBin)} chunks`;
  return `Minimum to maximum ${each}${along}, the mean as a line`;
}

/** Names of an array's dimensions, and elements of its chunks. */
export interface AxisWords {
  readonly dimension: string;
  /** Edges of the chunks along the axis, and the number of the array's elements. */
  readonly edges: ChunkEdges;
  readonly end: number;
}

/** Bins from one to another, the last excluded: in what stands along the axis, else by position. */
export function binsText(
  profile: ValueProfile,
  { dimension, edges, end }: AxisWords,
  from: number,
  to: number,
): string {
  const { kind, first, perBin, length, places } = profile;
  const [start, last] = [first + from * perBin, Math.min(length, first + to * perBin) - 1];
  if (kind === "elements")
    return start === last ? `position ${formatCount(start)}` : `positions ${formatCount(start)} – ${formatCount(last)}`;
  const one = places?.[from];
  if (one !== undefined && to === from + 1) return one;
  const final = places?.[to - 1];
  if (one !== undefined && final !== undefined) return `${beginOf(one)} – ${endOf(final, beginOf(one))}`;
  const [begin, stop] = [startAlong(edges, start), Math.min(end, startAlong(edges, last + 1)) - 1];
  return `${dimension} ${formatCount(begin)}${begin === stop ? "" : ` – ${formatCount(stop)}`}`;
}

const beginOf = (range: string): string => range.split(" – ")[0] ?? range;

/** The last of a range; a date in the year that all begins in, without it. */
function endOf(range: string, begin: string): string {
  const [first = "", last = first] = range.split(" – ");
  const year = /^-?\d{4,}-(?=\d\d-\d\d)/.exec(first)?.[0];
  if (year === undefined) return last;
  const whole = last.startsWith(year) || !/^\d\d-\d\d/.test(last) ? last : `${year}${last}`;
  return begin.startsWith(year) && whole.startsWith(year) ? whole.slice(year.length) : whole;
}

/** Labels at both ends of the axis. */
export function endsText(profile: ValueProfile, axis: AxisWords): readonly [string, string] {
  const { bins, places } = profile;
  const last = binsText(profile, axis, bins - 1, bins);
  return [beginOf(binsText(profile, axis, 0, 1)), places === undefined ? last : endOf(last, "")];
}

/** The file's own name. */
export const shortName = (target: string): string => /[^/\\]+$/.exec(target.replace(/[?#].*$/s, ""))?.[0] ?? target;

/** The file that a bin lies in. */
export function fileOf({ files }: ValueProfile, bin: number): string | undefined {
  return files.findLast((file) => file.bin <= bin)?.name;
}

/** "2026-01-05 – 01-08 · ocean-b.nc · 271.2 to 302.3 K, mean 288.2 · 12% missing". */
export function binWords(profile: ValueProfile, axis: AxisWords, bin: number): string {
  const { columns } = profile;
  const file = fileOf(profile, bin);
  const parts = [binsText(profile, axis, bin, bin + 1), ...(file === undefined ? [] : [shortName(file)])];
  return [...parts, ...valueWords(profile, bin), ...failedWords(columns, bin)].join(" · ");
}

function valueWords(profile: ValueProfile, bin: number): readonly string[] {
  const { columns, kind } = profile;
  const [low = NaN, high = NaN, mean = NaN] = [columns.minimum[bin], columns.maximum[bin], columns.mean[bin]];
  const [missing = 0, step = NaN] = [columns.missing[bin], columns.step[bin]];
  if (columns.read[bin] === 0 && !(missing > 0)) return columns.failed[bin] === 0 ? ["nothing read"] : [];
  if (Number.isNaN(low)) return [missing === 1 ? "no element has a value" : "no numbers"];
  const isOne = kind === "elements" && profile.perBin === 1;
  const mid = isOne ? "" : `, mean ${numberText(mean, profile)}`;
  return [
    `${rangeText(low, high, profile)}${mid}`,
    ...(missing > 0 ? [`${shareText(missing)} missing`] : []),
    ...(Number.isNaN(step) ? [] : [`step of ${stepText(step, profile)} from the one before`]),
  ];
}

function failedWords({ failed }: ProfileColumns, bin: number): readonly string[] {
  const count = failed[bin] ?? 0;
  return count === 0 ? [] : [`${countOf(count, "chunk")} failed`];
}

/** Text of a step; for times, as a count of their unit. */
export function stepText(step: number, { time }: Viewed): string {
  const text = shortNumber(step, 3);
  return time === undefined ? text : `${text} ${step === 1 ? time.unit.replace(/s$/, "") : time.unit}`;
}

/** "Marked: 2026-01-05 – 01-08 in sea_2003.bin. There 2,700 to 3,010 K; elsewhere 270 to 301 K." */
export function markedWords(
  profile: ValueProfile,
  axis: AxisWords,
  marked: ReadonlySet<number>,
  lane: EvidenceLane | undefined,
): string {
  const bins = [...marked].toSorted((one, other) => one - other);
  if (bins.length === 0) return "";
  const where = runsText(profile, axis, marked);
  const names = new Set(bins.map((bin) => fileOf(profile, bin)));
  const [name] = names;
  const file = names.size === 1 && name !== undefined ? ` in ${shortName(name)}` : "";
  return `Marked: ${where}${file}. ${[rangesWords(profile, marked), laneWords(profile, marked, lane)].filter(Boolean).join(" ")}`.trim();
}

/** Places that follow each other are named together, and so many of these. */
const MOST_NAMED = 3;

function runsText(profile: ValueProfile, axis: AxisWords, marked: ReadonlySet<number>): string {
  const runs = runsOf(marked);
  const told = runs.slice(0, MOST_NAMED).map(({ from, to }) => binsText(profile, axis, from, to));
  const rest = runs.length - told.length;
  return [...told, ...(rest > 0 ? [`${formatCount(rest)} more`] : [])].join(" and ");
}

function rangesWords(profile: ValueProfile, marked: ReadonlySet<number>): string {
  const { minimum, maximum } = profile.columns;
  const inside = extentOf(...[minimum, maximum].map((column) => column.filter((_, bin) => marked.has(bin))));
  const outside = extentOf(...[minimum, maximum].map((column) => column.filter((_, bin) => !marked.has(bin))));
  const there = inside === undefined ? undefined : rangeText(inside.minimum, inside.maximum, profile);
  if (outside === undefined) return there === undefined ? "No element has a value." : `Values: ${there}.`;
  const elsewhere = rangeText(outside.minimum, outside.maximum, profile);
  return there === undefined ? `No value there; elsewhere ${elsewhere}.` : `There ${there}; elsewhere ${elsewhere}.`;
}

/** The lane's greatest, of spread its least. */
function laneWords(profile: ValueProfile, marked: ReadonlySet<number>, lane: EvidenceLane | undefined): string {
  if (lane === undefined) return "";
  const column = profile.columns[lane];
  // The step out of what is marked belongs to it as the step into it does.
  const isMeant = (bin: number) => marked.has(bin) || (lane === "step" && marked.has(bin - 1));
  const [inside, outside] = [true, false].map((isIn) => extentOf(column.filter((_, bin) => isMeant(bin) === isIn)));
  if (inside === undefined) return "";
  const text = (value: number) => LANE_TEXT[lane](value, profile);
  if (lane === "spread") {
    const rest = outside === undefined ? "" : `, elsewhere at least ${text(outside.minimum)}`;
    return `The spread within it is ${text(inside.minimum)}${rest}.`;
  }
  const most = outside?.maximum === 0 ? "none" : `at most ${text(outside?.maximum ?? 0)}`;
  const rest = outside === undefined ? "" : `, elsewhere ${most}`;
  return `${LANE_SUBJECTS[lane]} ${text(inside.maximum)}${rest}.`;
}

const LANE_SUBJECTS: Readonly<Record<Exclude<EvidenceLane, "spread">, string>> = {
  step: "The step is",
  missing: "Without a value are",
  rough: "Its roughness is",
};

const LANE_TEXT: Readonly<Record<EvidenceLane, (value: number, view: Viewed) => string>> = {
  step: stepText,
  missing: shareText,
  spread: (value) => shortNumber(value, 3),
  rough: (value) => shortNumber(value, 2),
};

// A profile of values as a plot takes it.

export interface LaneChoice {
  readonly lane?: EvidenceLane | undefined;
  /** CSS pixels of the first lane. */
  readonly height: number;
  /** Titles above lanes: left out where the place says what is shown. */
  readonly hasTitles: boolean;
}

const SECOND_HEIGHT = 36;
const EMPTY_RANGE: ValueRange = { minimum: 0, maximum: 0 };

export function plottedBins(
  profile: ValueProfile,
  axis: Pick<AxisWords, "dimension">,
  { lane, height, hasTitles }: LaneChoice,
): Omit<PlottedBins, "marked" | "severity"> {
  const { columns, bins, files } = profile;
  const second = lane === undefined || hasNone(profile, lane) ? [] : [laneOf(profile, lane, hasTitles)];
  const title = hasTitles ? { title: valuesTitle(profile, axis.dimension) } : {};
  const all = [...columns.read.keys()];
  return {
    lanes: [{ ...rangeLane(profile, height), ...title }, ...second],
    bins,
    unknown: new Set(all.filter((bin) => isUnknown(profile, bin))),
    failed: new Set(all.filter((bin) => (columns.failed[bin] ?? 0) > 0)),
    edges: files.map(({ bin }) => bin),
  };
}

const hasNone = ({ columns }: ValueProfile, lane: EvidenceLane): boolean => extentOf(columns[lane]) === undefined;

const isUnknown = ({ columns }: ValueProfile, bin: number): boolean =>
  columns.read[bin] === 0 && columns.failed[bin] === 0 && !((columns.missing[bin] ?? 0) > 0);

function rangeLane(profile: ValueProfile, height: number): Lane {
  const { minimum, maximum, mean } = profile.columns;
  const known = extentOf(minimum, maximum);
  const limits = limitsNear(profile, known ?? EMPTY_RANGE);
  const extent = extentOf(minimum, maximum, limits) ?? EMPTY_RANGE;
  const scale = known === undefined ? (["", ""] as const) : scaleOf(extent, profile);
  return { kind: "range", minimum, maximum, mean, limits, extent, scale, height };
}

const scaleOf = ({ minimum, maximum }: ValueRange, profile: ValueProfile): readonly [string, string] => [
  numberText(maximum, profile),
  numberText(minimum, profile),
];

/** Ends of the valid range that values come near to: others would make the plot flat. */
function limitsNear({ valid }: ValueProfile, { minimum, maximum }: ValueRange): readonly number[] {
  const reach = maximum - minimum;
  return [valid?.minimum, valid?.maximum].flatMap((end) =>
    end !== undefined && end > minimum - reach / 2 && end < maximum + reach / 2 ? [end] : [],
  );
}

function laneOf(profile: ValueProfile, lane: EvidenceLane, hasTitles: boolean): Lane {
  const values = profile.columns[lane];
  const extent = barExtent(values, lane === "missing" || lane === "rough" ? 1 : 0);
  const text = (value: number) => LANE_TEXT[lane](value, profile);
  const own = profile.kind === "elements" ? (ELEMENT_LANE_TITLES[lane] ?? LANE_TITLES[lane]) : LANE_TITLES[lane];
  const title = hasTitles ? { title: own } : {};
  return { kind: "bars", ...title, values, extent, scale: [text(extent.maximum), "0"], height: SECOND_HEIGHT };
}
