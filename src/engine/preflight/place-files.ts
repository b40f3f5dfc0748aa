/** In which order files follow each other along a dimension, and what their coordinates say against it. */
import { count, counted } from "../../core/words.ts";
import type { Barrier } from "../../core/check/preflight.ts";
import { groupedBy } from "../../core/grouped.ts";
import { apart, baseName, barrierOf, filesWords, groupsOf, groupsWords, others } from "./groups.ts";
import { lengthAlong } from "./plan.ts";
import { type Coordinate, orderOf, type SourcedFile, unquoted } from "./sourced-file.ts";

export interface Placed {
  /** Those that have any elements. */
  readonly order: readonly SourcedFile[];
  readonly barriers: readonly Barrier[];
  /** Along a new dimension, in order. */
  readonly values?: readonly number[];
}

/** A file and where it lies. */
export interface Along extends Pick<Coordinate, "text"> {
  readonly name: string;
  readonly file: SourcedFile;
  readonly keys: Float64Array;
}

export function placeFiles(files: readonly SourcedFile[], along: string): Placed {
  const empty = files.filter((file) => lengthAlong(file, along) === 0);
  const given = files.filter((file) => !empty.includes(file));
  const message = `${filesWords(empty)} has no element along ${along}.`;
  const none =
    empty.length === 0 ? [] : [barrierOf("empty-file", empty, along, message, `Leave ${filesWords(empty)} out.`)];
  const all = given.flatMap((file): readonly Along[] => {
    const { keys, text } = file.coordinates.get(along) ?? {};
    return keys === undefined || text === undefined ? [] : [{ name: file.name, file, keys, text }];
  });
  // Without coordinates the order is the one given.
  if (all.length < given.length) return { order: given, barriers: none };
  const calendars = calendarsDiffer(all, along);
  if (calendars.length > 0) return { order: given, barriers: [...none, ...calendars] };
  const { sorted, barriers } = sortedFiles(all, along);
  return { order: sorted.map(({ file }) => file), barriers: [...none, ...unitsDiffer(all, along), ...barriers] };
}

/** 1582-10-15, from which on “standard” and “proleptic_gregorian” are one; microseconds since 1970. */
const REFORM = -12_219_292_800_000_000;

function calendarsDiffer(all: readonly Along[], along: string): readonly Barrier[] {
  const groups = groupsOf(all, (one) => {
    const { calendar = "no calendar" } = one.file.coordinates.get(along)?.time ?? {};
    return calendar === "proleptic_gregorian" && least(one) >= REFORM ? "standard" : calendar;
  });
  if (groups.length < 2) return [];
  const message = `${along} counts in the calendar ${groupsWords(groups)}: the same number is another date, and some dates are in one calendar only.`;
  const advice = `${apart("calendar", groups)} Or convert them in xarray: ds.convert_calendar.`;
  return [barrierOf("calendar-differs", others(groups), along, message, advice)];
}

function unitsDiffer(all: readonly Along[], along: string): readonly Barrier[] {
  if (all[0]?.file.coordinates.get(along)?.time === undefined) return [];
  const groups = groupsOf(all, ({ file }) => unquoted(file.arrays.get(along)?.attributes.get("units") ?? ""));
  if (groups.length < 2) return [];
  const message = `${along} counts in ${groupsWords(groups, (units) => `“${units}”`)}: one array has one unit, and times of ${filesWords(others(groups))} would be read wrong.`;
  const advice = `Write ${along} anew in one unit, as Refscope does when it combines them. Kerchunk: coo_map={"${along}": "cf:${along}"}; VirtualiZarr: loadable_variables=["${along}"].`;
  return [barrierOf("time-units-differ", others(groups), along, message, advice)];
}

const least = ({ keys }: Along): number => keys.reduce((one, other) => (other < one ? other : one), Infinity);
const most = ({ keys }: Along): number => keys.reduce((one, other) => (other > one ? other : one), -Infinity);

export function sortedFiles(all: readonly Along[], along: string) {
  const sorted = [...all].sort((one, other) => least(one) - least(other));
  const barriers = [...insideFiles(all, along), ...betweenFiles(sorted, along)];
  return {
    sorted,
    barriers: barriers.length > 0 ? barriers : [...orderOfFiles(all, sorted, along), ...gaps(sorted, along)],
  };
}

/** Whether each file's own values go up. */
function insideFiles(all: readonly Along[], along: string): readonly Barrier[] {
  const barriers: Barrier[] = [];
  const missing = all.filter(({ keys }) => keys.some(Number.isNaN));
  const rest = all.filter((one) => !missing.includes(one));
  const [descending, unsorted] = (["descending", "none"] as const).map((order) =>
    rest.filter(({ keys }) => orderOf(keys) === order),
  ) as [Along[], Along[]];
  const say = (barrier: Barrier["barrier"], those: readonly Along[], message: string, advice: string) =>
    barriers.push(barrierOf(barrier, those, along, message, advice));
  for (const one of missing.slice(0, 1)) {
    const message = `${along} is missing at ${one.keys.findIndex(Number.isNaN)} of ${baseName(one)}: nothing tells where that belongs.`;
    say("coordinate-nan", missing, message, `Correct ${along} in ${filesWords(missing)}.`);
  }
  for (const { text, keys } of descending.slice(0, 1)) {
    const message = `${along} goes down in ${filesWords(descending)}, from ${text(0)} to ${text(keys.length - 1)}: Kerchunk would put the files into rising order and leave each as it is.`;
    const advice = `Open each file in xarray, sort it (ds.sortby("${along}")), and join them there.`;
    say("coordinate-descending", descending, message, advice);
  }
  for (const { name, text, keys } of unsorted.slice(0, 1)) {
    const at = keys.findIndex((key, index) => index > 0 && key <= (keys[index - 1] ?? key));
    const message = `${along} is not in order in ${baseName({ name })}: ${text(at)} comes after ${text(at - 1)}.`;
    const advice = `Sort ${filesWords(unsorted)}, or join in xarray and sort: ds.sortby("${along}").`;
    say("coordinate-unsorted", unsorted, message, advice);
  }
  return barriers;
}

interface Clash {
  readonly barrier: "coordinate-duplicate" | "coordinate-overlap" | "coordinate-interleaved";
  readonly one: Along;
  readonly other: Along;
  readonly shared: number;
}

/** Whether each file begins after the one before has ended. */
function betweenFiles(sorted: readonly Along[], along: string): readonly Barrier[] {
  const clashes: Clash[] = [];
  let [one] = sorted;
  for (const other of sorted.slice(1)) {
    if (one === undefined) continue;
    const known = new Set(one.keys);
    const shared = least(other) > most(one) ? 0 : other.keys.filter((key) => known.has(key)).length;
    const kind = shared === 0 ? "interleaved" : shared === other.keys.length ? "duplicate" : "overlap";
    if (least(other) <= most(one)) clashes.push({ barrier: `coordinate-${kind}`, one, other, shared });
    if (most(other) > most(one)) one = other;
  }
  return Array.from(
    groupedBy(clashes, ({ barrier }) => barrier),
    ([barrier, those]) => {
      const files = those.map(({ other }) => other);
      return barrierOf(barrier, files, along, ...clashWords(those[0], along));
    },
  );
}

function clashWords({ barrier, one, other, shared }: Clash, along: string): readonly [message: string, advice: string] {
  const where = ({ name, keys, text }: Along) => {
    const ends = [Math.min, Math.max].map((end) => text(keys.indexOf(keys.reduce((a, b) => end(a, b)))));
    return `${baseName({ name })} (${[...new Set(ends)].join(" to ")})`;
  };
  if (barrier === "coordinate-interleaved")
    return [
      `${along} of ${where(other)} lies between values of ${where(one)}: one file would have to be put into the other.`,
      `Join them in xarray after opening, and sort: ds.sortby("${along}").`,
    ];
  const what = barrier === "coordinate-duplicate" ? "the same values" : counted(shared, "value");
  return [
    `${along} has ${what} both in ${where(one)} and in ${where(other)}: Kerchunk keeps the chunks of one of them, xarray both.`,
    barrier === "coordinate-duplicate"
      ? "Leave one of the two out. If they are members of an ensemble, combine them along a new dimension."
      : `Leave out what is there twice: ds.drop_duplicates("${along}") in xarray after joining.`,
  ];
}

function orderOfFiles(given: readonly Along[], sorted: readonly Along[], along: string): readonly Barrier[] {
  const moved = sorted.filter((one, at) => given[at] !== one);
  if (moved.length === 0) return [];
  const message = `The files were not given in the order of ${along}: ${filesWords(sorted.slice(0, 1))}, from ${sorted[0]?.text(0) ?? ""}, comes first.`;
  const advice = `Combine them in the order of ${along}, as Refscope, Kerchunk and xr.combine_by_coords do; xr.concat takes the order given.`;
  return [barrierOf("order-of-files", moved, along, message, advice)];
}

/** A step this many times the usual one is a gap; where more steps than this share are, steps are no rule. */
const [GAP, IRREGULAR] = [1.5, 0.1] as const;

function gaps(sorted: readonly Along[], along: string): readonly Barrier[] {
  const points = sorted.flatMap((one) => Array.from(one.keys, (key, at) => ({ key, one, at })));
  const steps = points.slice(1).map((to, index) => {
    const from = points[index] ?? to;
    return { size: to.key - from.key, from, to };
  });
  const sizes = Float64Array.from(steps, ({ size }) => size).sort();
  const usual = sizes[Math.floor((sizes.length - 1) / 2)] ?? Infinity;
  const found = steps.filter(({ size }) => size > GAP * usual);
  const [first] = found;
  if (first === undefined || found.length > Math.max(2, IRREGULAR * steps.length)) return [];
  const [from, to] = [first.from, first.to].map(({ one, at }) => one.text(at));
  const files = [...new Set(found.map((step) => step.to.one))];
  const message = `${along} has ${found.length === 1 ? "a gap" : `${count(found.length)} gaps, the first`} between ${from ?? ""} and ${to ?? ""}.`;
  const advice = "Look for a file that is missing; the dataset is right without it.";
  return [barrierOf("coordinate-gap", files, along, message, advice)];
}
