/** For tests: kinds of one changed statement. Others of the same fact stay as they were, so that each can be proved. */
import type { HealthyArray, HealthySet } from "#engine/check/testing/healthy/healthy-set.ts";

/** Written files by path. */
export type Files = Map<string, Buffer>;

/** Names; words for the arrays, one of which is to be named, and for what is said of it; the change. */
export type Kind = readonly [name: string, arrays: string, says: string, change: Change | OfFiles];
/** The set with it, before it is written; `undefined` where the kind does not apply. */
type Change = (set: HealthySet) => HealthySet | undefined;
/** Changes files in place, if it applies. */
interface OfFiles {
  readonly files: (files: Files) => boolean;
}
type Value = (...at: number[]) => number;

const arrayOf = ({ arrays }: HealthySet, name: string) => arrays.find((one) => one.name === name);

/** A change in one array; the kind applies where the set has another `beside` it. */
const inArray =
  (name: string, beside: string, change: (one: HealthyArray, set: HealthySet) => Partial<HealthyArray>): Change =>
  (set) => {
    const one = arrayOf(set, name);
    if (one === undefined || arrayOf(set, beside) === undefined) return undefined;
    return { ...set, arrays: set.arrays.map((each) => (each === one ? { ...one, ...change(one, set) } : each)) };
  };
type NewValue = (old: Value, at: readonly number[], cell: number, length: number) => number;
const values = (name: string, beside: string, change: NewValue): Change =>
  inArray(name, beside, ({ value, dimensions: [first = ""] }, { lengths }) => {
    const old = value as Value;
    const [cell, length] = [old(1, 0) - old(0, 0), lengths[first] ?? 1];
    return { value: (...at) => change(old, at, cell, length) };
  });
const moved = (name: string, beside: string, by: number): Change =>
  values(name, beside, (old, at, cell) => old(...at) + by * cell);
const moveOne = (name: string, beside: string, where: number, by: number): Change =>
  values(name, beside, (old, at, cell) => old(...at) + (at[0] === where && (at[1] ?? 0) === 0 ? by * cell : 0));
const reversed = (name: string, beside: string): Change =>
  values(name, beside, (old, [at = 0, ...rest], _, length) => old(length - 1 - at, ...rest));
const attribute = (name: string, beside: string, key: string, change: (old: never) => unknown): Change =>
  inArray(name, beside, ({ attributes = {} }) => ({
    attributes: { ...attributes, [key]: change(attributes[key] as never) },
  }));
const ofRoot =
  (key: string, change: (old: never) => unknown): Change =>
  ({ attributes = {}, ...set }) =>
    key in attributes ? { ...set, attributes: { ...attributes, [key]: change(attributes[key] as never) } } : undefined;
const without =
  (name: string, beside: string): Change =>
  (set) =>
    arrayOf(set, beside) && { ...set, arrays: set.arrays.filter((one) => one.name !== name) };

function inRefs(files: Files, change: (refs: Record<string, unknown>) => boolean): boolean {
  const document = JSON.parse(files.get("refs.json")?.toString() ?? "{}") as { refs?: Record<string, unknown> };
  if (!change(document.refs ?? {})) return false;
  files.set("refs.json", Buffer.from(JSON.stringify(document)));
  return true;
}
/** A chunk of an array beside which another one has chunks at the same places. */
const lostChunk = (files: Files): boolean => {
  const third = (keys: Iterable<string>): string | undefined => {
    const chunks = [...keys].filter((key) => /^(?:set.zarr\/)?tas\/(?:c\/)?[\d./]+$/.test(key));
    return chunks.length > 3 ? chunks[2] : undefined;
  };
  return (
    files.delete(third(files.keys()) ?? "") ||
    inRefs(files, (refs) => third(Object.keys(refs)) !== undefined && delete refs[third(Object.keys(refs)) ?? ""])
  );
};
const exchanged = (files: Files): boolean =>
  inRefs(files, (refs) => {
    const [one, other] = [refs["p/0.0"], refs["p/2.0"]] as [string[]?, string[]?];
    Object.assign(refs, { "p/0.0": other, "p/2.0": one });
    return one?.[0] !== other?.[0];
  });
/** A change in the header of the second of several files. */
const inHeader =
  (old: Buffer, changed: Buffer) =>
  (files: Files): boolean => {
    const file = [...files].filter(([name]) => name.endsWith(".nc"))[1]?.[1];
    const at = file?.indexOf(old) ?? -1;
    return file !== undefined && at !== -1 && changed.copy(file, at) > 0;
  };
const double = (value: number): Buffer => Buffer.from(Float64Array.of(value).buffer).swap64();

type Six = readonly [number, number, number, number, number, number];
const byHalf = ([a, b, x, d, e, y]: Six): Six => [a, b, x + a / 2, d, e, y + e / 2];
const east = (transform: string): string => transform.replace(/^\d+/, (west) => `${Number(west) + 30}`);
const upsideDown = ([a, b, x, d, e, y]: Six): Six => [a, b, x, d, -e, y];
const twice = (multiscales: unknown): unknown => JSON.parse(JSON.stringify(multiscales).replace("[1,1]", "[2,2]"));

const PLACES = "bound|bnds|even|spac|contain|middle|outside|half|shift|revers|order|monoton|direction|swap";
const PIXEL = "transform|half|pixel|bbox|revers|order";
const UNIT = `unit|hours|days|origin|since|year|365|${PLACES}`;
const byCalendar = attribute("time", "lat", "calendar", () => "standard");
const LOST = "missing|absent|not there|lack|without|no such|los[et]";
const [THEN, LATER] = [Buffer.from("days since 2000-01-"), Buffer.from("days since 2001-01-")];

export const CHANGED_STATEMENTS: readonly Kind[] = [
  ["one coordinate value", "lat", PLACES, moveOne("lat", "lat_bnds", 3, 0.7)],
  ["coordinate reversed", "lat", PLACES, reversed("lat", "lat_bnds")],
  ["coordinate shifted half a cell", "lat", PLACES, moved("lat", "lat_bnds", 0.5)],
  ["coordinate shifted one cell", "lon", PLACES, moved("lon", "lon_bnds", 1)],
  ["a bound", "lon", PLACES, moveOne("lon_bnds", "lon", 4, -1.3)],
  ["bounds reversed", "lat", PLACES, reversed("lat_bnds", "lat")],
  ["bounds shifted half a cell", "lat", PLACES, moved("lat_bnds", "lat", 0.5)],
  ["bounds variable absent", "lat", "lat_bnds", without("lat_bnds", "lon_bnds")],
  ["ancillary variable absent", "qc", "qc", without("qc", "lon_bnds")],
  ["two steps exchanged", "time", PLACES, values("time", "time_bnds", (old, [at = 0]) => old([0, 1, 3, 2][at] ?? at))],
  ["unit of time", "time", UNIT, attribute("time", "time_bnds", "units", () => "hours since 1970-01-01")],
  ["origin of time a year off", "time", UNIT, attribute("time", "time_bnds", "units", () => "days since 1971-01-01")],
  ["unit of the step", "step", UNIT, attribute("step", "valid_time", "units", () => "days")],
  ["valid_time", "valid_time", "step", values("valid_time", "step", (old, at) => old(...at) + 6)],
  ["calendar", "time", "calendar", (set) => (set.arrays.length === 3 ? byCalendar(set) : undefined)],
  ["units against standard_name", "tas", "unit", attribute("tas", "tas", "units", () => "hPa")],
  ["Celsius for kelvins", "tas", "unit|degC|kelvin|celsius", attribute("tas", "tas", "units", () => "degC")],
  ["actual_range", "tas", "actual_range", attribute("tas", "qc", "actual_range", () => [0.5, 20.5])],
  ["flag_values", "qc", "flag", attribute("qc", "tas", "flag_values", () => [0, 1, 2, 5])],
  [
    "counts of a ragged array",
    "rowsize",
    "rowsize",
    values("rowsize", "sst", (old, [at = 0]) => old(at) + (at === 2 ? 2 : 0)),
  ],
  ["transform by half a cell", "[xy]", PIXEL, ofRoot("spatial:transform", byHalf)],
  ["sign of y in the transform", "[xy]", PIXEL, ofRoot("spatial:transform", upsideDown)],
  ["GeoTransform", "[xy]", PIXEL, attribute("spatial_ref", "x", "GeoTransform", east)],
  ["spatial:bbox", "[xy]", "bbox", ofRoot("spatial:bbox", ([w, s, e, n]: Six) => [w + 5000, s, e + 5000, n])],
  ["spatial:shape", "[xy]|red", "shape", ofRoot("spatial:shape", ([rows, columns]: Six) => [columns, rows])],
  ["EPSG code against WKT", "spatial_ref|proj:code", "3263|CRS|WKT", ofRoot("proj:code", () => "EPSG:32632")],
  ["y reversed", "y", PIXEL, reversed("y", "x")],
  ["scale of a level", "1", "scale|transform", ofRoot("multiscales", twice)],
  ["values of a level", "1", "level|mean|image|value", reversed("1", "0")],
  ["chunk missing among its siblings", "tas", LOST, { files: lostChunk }],
  ["chunks of two files exchanged", "p", "swap|exchang|order|other|own place|permut|belong", { files: exchanged }],
  ["scale_factor in one file", "p", "scale_factor", { files: inHeader(double(0.1), double(0.2)) }],
  ["origin of time in one file", "time", UNIT, { files: inHeader(THEN, LATER) }],
  ["unit of time in one file", "time", UNIT, { files: inHeader(THEN, Buffer.from("hours since 2000-1-")) }],
];
