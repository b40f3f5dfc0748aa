/**
 * Coordinates of GRIB's fields: of the grid, and of messages one after another; an array is shared by all that it
 * fits.
 */
import { unlessFinding } from "#core/findings/finding.ts";
import { columnsWriter, type SourceArray } from "#core/source-file.ts";
import { unitsOfLevel } from "./names.ts";
import { type GribField, type Group, gridKey } from "./field-facts.ts";

export interface GribOptions {
  /** Axes of a grid whose rows and columns have one latitude and longitude each. Throws if they cannot be read. */
  readonly axes: (edition: 1 | 2, section: Uint8Array) => GridAxes;
}

export interface GridAxes {
  readonly points: number;
  readonly axes: Readonly<Record<"latitude" | "longitude", Float64Array>> | undefined;
}

/** `shape` is `undefined` where nothing says how many points there are. */
interface Laid {
  readonly dimensions: readonly string[];
  readonly shape: readonly number[] | undefined;
}

interface GridNames extends Laid {
  /** The arrays of its coordinates. */
  readonly names: readonly string[];
}

export interface Coordinates {
  /** Names of the grid's coordinates for the fields of one array. */
  of(group: Group): GridNames;
  readonly arrays: () => readonly SourceArray[];
}

export function coordinateArrays({ axes }: GribOptions, paths: readonly string[]): Coordinates {
  const made = arraysMade(paths);
  const dimensionNames = new Set<string>();
  const own = (name: string): string => takeName(name, dimensionNames);
  const grids = new Map<string, GridNames>();
  const messages = new Map<string, string>();
  const gridOf = (field: GribField): GridNames => {
    const { grid, shape, points, isByColumns, message } = field;
    if (grid === undefined) return { dimensions: [], shape: undefined, names: [] };
    const found = readAxes(axes, message.edition, grid.bytes);
    const flat = points ?? found?.points;
    if (shape !== undefined && found?.axes !== undefined) {
      const regular = found.axes;
      const names = WANTED.map((wanted) => made.axis(wanted, regular[wanted], DEGREES[wanted]));
      return { dimensions: isByColumns ? names.toReversed() : names, shape, names };
    }
    if (shape === undefined && flat === undefined) return { dimensions: [], shape: undefined, names: [] };
    const dimensions = shape === undefined ? ["values"] : isByColumns ? ["x", "y"] : ["y", "x"];
    const laid = { dimensions: dimensions.map(own), shape: shape ?? (flat === undefined ? undefined : [flat]) };
    return { ...laid, names: WANTED.map((wanted) => made.referring(wanted, laid, field)) };
  };
  return {
    of(group) {
      const [first] = group;
      const key = first.grid === undefined ? "" : gridKey(first.grid);
      const grid = grids.get(key) ?? gridOf(first);
      grids.set(key, grid);
      const columns = messageColumns(group);
      const values = columns.map((column) => [column[0], ...column[1]].join()).join("|");
      const along = group.length === 1 ? undefined : (messages.get(values) ?? own("message"));
      if (along !== undefined) messages.set(values, along);
      const names = columns.map((column) => made.inlineArray(along, ...column));
      return {
        dimensions: along === undefined ? grid.dimensions : [along, ...grid.dimensions],
        shape: grid.shape && (along === undefined ? grid.shape : [group.length, ...grid.shape]),
        names: [...names, ...grid.names],
      };
    },
    arrays: made.arrays,
  };
}

/** The arrays, one for all that have the same values. `paths`: names that others have. */
function arraysMade(paths: readonly string[]) {
  const taken = new Set(paths);
  const made = new Map<string, SourceArray>();
  const put = (key: string, path: string, along: string | undefined, [values, attributes]: Content): string => {
    const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    const [shape, dimensions] = along === undefined ? [[], []] : [[values.length], [along]];
    const dtype = values instanceof Float64Array ? '"<f8"' : '"<i8"';
    made.set(key, {
      ...EMPTY,
      path,
      shape,
      chunks: shape,
      dtype,
      dimensions,
      attributes,
      inline: new Map([[0, bytes]]),
    });
    return path;
  };
  return {
    inlineArray(along: string | undefined, name: string, ...content: Content): string {
      const key = [name, along, ...content[0]].join();
      return made.get(key)?.path ?? put(key, takeName(name, taken), along, content);
    },
    /** The coordinate of a dimension that has its name. */
    axis(wanted: Wanted, ...content: Content): string {
      const path = takeName(wanted, taken);
      return put(path, path, path, content);
    },
    /** An array of all points' coordinates that refers to the message itself, decoded by the same codec. */
    referring(wanted: Wanted, { dimensions, shape = [] }: Laid, { message }: GribField): string {
      const path = takeName(wanted, taken);
      const writer = columnsWriter(1);
      writer.add(0, message.offset, message.length);
      const laid = { shape, chunks: shape, dimensions, references: writer.columns() };
      const attributes = DEGREES[wanted];
      made.set(path, { ...EMPTY, ...laid, path, dtype: '"<f8"', attributes, filters: [filterOf(wanted)] });
      return path;
    },
    arrays: (): readonly SourceArray[] => [...made.values()],
  };
}

export function takeName(name: string, taken: Set<string>): string {
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${name}_${number}`;
  taken.add(free);
  return free;
}

/** The filter as Kerchunk writes it. */
export const filterOf = (name: string): string => `{"dtype":"float64","id":"grib","var":${JSON.stringify(name)}}`;

type Values = Float64Array | BigInt64Array;
type Attributes = ReadonlyMap<string, string>;
type Content = readonly [values: Values, attributes: Attributes];
type Wanted = "latitude" | "longitude";

const WANTED = ["latitude", "longitude"] as const;

const EMPTY = {
  fill: "null",
  filters: [],
  references: columnsWriter(0).columns(),
  inline: new Map<number, Uint8Array>(),
};

const named = (standardName: string, units: string, more: Readonly<Record<string, string>> = {}): Attributes =>
  new Map(
    Object.entries({ standard_name: standardName, units, ...more }).map(([name, text]) => [name, JSON.stringify(text)]),
  );

const DEGREES = {
  latitude: named("latitude", "degrees_north"),
  longitude: named("longitude", "degrees_east"),
} as const;

/** A grid that is damaged or unknown has no axes; what is wrong shows where its coordinates are decoded. */
const readAxes = (axes: GribOptions["axes"], edition: 1 | 2, section: Uint8Array): GridAxes | undefined =>
  unlessFinding(() => axes(edition, section));

const SINCE = "seconds since 1970-01-01T00:00:00";
const CALENDAR = { calendar: "proleptic_gregorian" };

/** Columns of coordinates in Kerchunk's units; steps are in hours. */
function messageColumns(group: Group): readonly (readonly [string, ...Content])[] {
  const whole = (of: (field: GribField) => number): BigInt64Array =>
    BigInt64Array.from(group, (field) => BigInt(Math.trunc(of(field)) || 0));
  const [{ levelType, member }] = group;
  const steps = group.map(({ valid, reference }) => (valid - reference) / 3600);
  const step = steps.every(Number.isInteger)
    ? whole(({ valid, reference }) => (valid - reference) / 3600)
    : Float64Array.from(steps);
  return [
    ["time", whole(({ reference }) => reference), named("forecast_reference_time", SINCE, CALENDAR)],
    ["step", step, named("forecast_period", "hours")],
    ["valid_time", whole(({ valid }) => valid), named("time", SINCE, CALENDAR)],
    [
      levelType,
      Float64Array.from(group, ({ level }) => level),
      new Map([["units", JSON.stringify(unitsOfLevel(levelType))]]),
    ],
    ...(member === undefined
      ? []
      : [["number", whole((field) => field.member ?? 0), named("realization", "1")] as const]),
  ];
}
