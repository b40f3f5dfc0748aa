/** Orders files along a dimension, and finds coordinates that contradict the order. */
import type { Finding } from "#core/findings/finding.ts";
import { groupedBy } from "#core/basics.ts";
import { barrier, groupFacts, groupsOf, others, type Named } from "./groups.ts";
import { lengthAlong } from "./plan.ts";
import { type Coordinate, orderOf, type SourcedFile, unquoted } from "./sourced-file.ts";

export interface Placed {
  /** Those that have any elements. */
  readonly order: readonly SourcedFile[];
  readonly barriers: readonly Finding[];
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
  const none = empty.length === 0 ? [] : [barrier("empty-file", empty, along, {})];
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

function calendarsDiffer(all: readonly Along[], along: string): readonly Finding[] {
  const groups = groupsOf(all, (one) => {
    const { calendar = "no calendar" } = one.file.coordinates.get(along)?.time ?? {};
    return calendar === "proleptic_gregorian" && least(one) >= REFORM ? "standard" : calendar;
  });
  return groups.length < 2 ? [] : [barrier("calendar-differs", others(groups), along, groupFacts(groups))];
}

function unitsDiffer(all: readonly Along[], along: string): readonly Finding[] {
  if (all[0]?.file.coordinates.get(along)?.time === undefined) return [];
  const groups = groupsOf(all, ({ file }) => unquoted(file.arrays.get(along)?.attributes.get("units") ?? ""));
  return groups.length < 2 ? [] : [barrier("time-units-differ", others(groups), along, groupFacts(groups))];
}

const least = ({ keys }: Along): number => keys.reduce((one, other) => (other < one ? other : one), Infinity);
const most = ({ keys }: Along): number => keys.reduce((one, other) => (other > one ? other : one), -Infinity);

function sortedFiles(all: readonly Along[], along: string) {
  const sorted = [...all].sort((one, other) => least(one) - least(other));
  const barriers = [...insideFiles(all, along), ...betweenFiles(sorted, along)];
  return {
    sorted,
    barriers: barriers.length > 0 ? barriers : [...orderOfFiles(all, sorted, along), ...gaps(sorted, along)],
  };
}

/** Findings about each file's own values, which must go up. */
function insideFiles(all: readonly Along[], along: string): readonly Finding[] {
  const missing = all.filter(({ keys }) => keys.some(Number.isNaN));
  const rest = all.filter((one) => !missing.includes(one));
  const [descending, unsorted] = (["descending", "none"] as const).map((order) =>
    rest.filter(({ keys }) => orderOf(keys) === order),
  ) as [Along[], Along[]];
  const isLess = (key: number, at: number, keys: Float64Array) => at > 0 && key <= (keys[at - 1] ?? key);
  return [
    ...missing
      .slice(0, 1)
      .map(({ keys }) => barrier("coordinate-nan", missing, along, { at: keys.findIndex(Number.isNaN) })),
    ...descending.slice(0, 1).map(({ text, keys }) => {
      const facts = { from: text(0), to: text(keys.length - 1) };
      return barrier("coordinate-descending", descending, along, facts);
    }),
    ...unsorted.slice(0, 1).map(({ text, keys }) => {
      const at = keys.findIndex(isLess);
      return barrier("coordinate-unsorted", unsorted, along, { value: text(at), after: text(at - 1) });
    }),
  ];
}

interface Clash {
  readonly code: "coordinate-duplicate" | "coordinate-overlap" | "coordinate-interleaved";
  readonly one: Along;
  readonly other: Along;
  readonly shared: number;
}

/** Findings about files that begin before the one before has ended. */
function betweenFiles(sorted: readonly Along[], along: string): readonly Finding[] {
  const clashes: Clash[] = [];
  let [one] = sorted;
  for (const other of sorted.slice(1)) {
    if (one === undefined) continue;
    const known = new Set(one.keys);
    const shared = least(other) > most(one) ? 0 : other.keys.filter((key) => known.has(key)).length;
    const kind = shared === 0 ? "interleaved" : shared === other.keys.length ? "duplicate" : "overlap";
    if (least(other) <= most(one)) clashes.push({ code: `coordinate-${kind}`, one, other, shared });
    if (most(other) > most(one)) one = other;
  }
  return Array.from(
    groupedBy(clashes, ({ code }) => code),
    ([code, [first, ...rest]]) => {
      const files = [first, ...rest].map(({ other }) => other);
      const facts = { one: extentOf(first.one), other: extentOf(first.other), shared: first.shared };
      return barrier(code, files, along, facts);
    },
  );
}

/** A file and the ends of what it holds. */
function extentOf({ name, keys, text }: Along) {
  const [least, most] = [Math.min, Math.max].map((end) => text(keys.indexOf(keys.reduce((a, b) => end(a, b)))));
  return { file: name, least: least ?? "", most: most ?? "" };
}

function orderOfFiles(given: readonly Along[], sorted: readonly Along[], along: string): readonly Finding[] {
  const moved = sorted.filter((one, at) => given[at] !== one);
  if (moved.length === 0) return [];
  return [barrier("order-of-files", moved, along, { first: sorted[0]?.name ?? "", from: sorted[0]?.text(0) ?? "" })];
}

/** A step this many times the usual one is a gap; where more steps than this share are, steps are no rule. */
const [GAP, IRREGULAR] = [1.5, 0.1] as const;

function gaps(sorted: readonly Along[], along: string): readonly Finding[] {
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
  const [from = "", to = ""] = [first.from, first.to].map(({ one, at }) => one.text(at));
  const files = [...new Set(found.map((step) => step.to.one))];
  return [barrier("coordinate-gap", files, along, { gaps: found.length, from, to })];
}

/**
 * Values along a dimension that the files do not have: a global attribute of that name, else the number in their
 * names.
 */
export function newDimension(files: readonly SourcedFile[], along: string): Placed {
  const written = files.map(({ source }) => Number(source.groups[0]?.attributes.get(along) ?? NaN));
  const values = written.every(Number.isFinite) ? written : byName(files);
  if (values === undefined) return { order: files, barriers: [nameFails(files, along)] };
  const all = files.map((file, at) => {
    const value = values[at] ?? at;
    return { name: file.name, file, keys: Float64Array.of(value), text: () => String(value) };
  });
  const { sorted, barriers } = sortedFiles(all, along);
  const rest = barriers.filter(({ code }) => code !== "coordinate-gap");
  return {
    order: sorted.map(({ file }) => file),
    values: sorted.map(({ keys: [value = 0] }) => value),
    barriers: rest,
  };
}

const baseName = ({ name }: Named): string => name.slice(name.lastIndexOf("/") + 1);

/** Texts and, at odd places, numbers. */
const partsOf = (file: SourcedFile): readonly string[] => baseName(file).split(/(\d+)/);
const textsOf = (file: SourcedFile): string =>
  partsOf(file)
    .filter((_, at) => at % 2 === 0)
    .join("…");

/**
 * The first number that no two names have, of names that differ in numbers alone; or, where names tell nothing, their
 * order.
 */
function byName(files: readonly SourcedFile[]): readonly number[] | undefined {
  const parts = files.map(partsOf);
  if (new Set(files.map(baseName)).size === 1 || parts.every(({ length }) => length === 1))
    return files.map((_, at) => at);
  if (new Set(files.map(textsOf)).size > 1) return undefined;
  const columns = (parts[0] ?? []).map((_, at) => parts.map((one) => Number(one[at])));
  return columns.find((column, at) => at % 2 === 1 && new Set(column).size === files.length);
}

function nameFails(files: readonly SourcedFile[], along: string) {
  const groups = groupsOf(files, textsOf);
  const odd = groups.length > 1 ? others(groups) : files;
  return barrier("coordinate-from-name-fails", odd, along, {});
}
