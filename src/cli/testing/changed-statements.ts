/** For tests: kinds of one changed statement. Others of the same fact stay as they were, so that each can be proved. */
import type { HealthyArray, HealthySet } from "#engine/check/testing/healthy/healthy-set.ts";

/** Written files by path. */
export type Files = Map<string, Buffer>;

/** Names; words for the arrays, one of which is to be named, and for what is said of it; the change; if notes are enough. */
export type Kind = readonly [name: string, arrays: string, says: string, change: Change | OfFiles, least?: "info"];
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
/** Changes the JSON of a key, in references that have another key, too. */
const inKey = (key: string, beside: string, change: (old: Record<string, unknown>) => object): OfFiles => ({
  files: (files) =>
    inRefs(files, (refs) => {
      const old = refs[key];
      const isMeant = typeof old === "string" && beside in refs;
      if (isMeant) refs[key] = JSON.stringify(change(JSON.parse(old) as Record<string, unknown>));
      return isMeant;
    }),
});
/** The same of the numbers of an inline chunk. */
const inlined = (key: string, beside: string, change: (old: readonly number[]) => readonly number[]): OfFiles => ({
  files: (files) =>
    inRefs(files, (refs) => {
      const [old, base] = [refs[key], "base64:"];
      if (typeof old !== "string" || !old.startsWith(base) || !(beside in refs)) return false;
      const bytes = Uint8Array.from(Buffer.from(old.slice(base.length), "base64"));
      const Type = /"dtype": ?"<i8"/.test(String(refs[key.replace(/\d+$/, ".zarray")])) ? BigInt64Array : Float64Array;
      const numbers = change([...new Type(bytes.buffer)].map(Number));
      const changed = Type === BigInt64Array ? BigInt64Array.from(numbers, BigInt) : Float64Array.from(numbers);
      refs[key] = base + Buffer.from(changed.buffer).toString("base64");
      return true;
    }),
});
/** A key that only the references to GRIB messages have. */
const MESSAGE = "longitude/.zattrs";
const inMessages = (key: string, change: (old: readonly number[]) => readonly number[]): OfFiles =>
  inlined(key, MESSAGE, change);
const messagesExchanged = (files: Files): boolean =>
  inRefs(files, (refs) => {
    const [one, other] = [refs["t2m/1.0.0"], refs["t2m/2.0.0"]];
    const isMeant = MESSAGE in refs;
    if (isMeant) Object.assign(refs, { "t2m/1.0.0": other, "t2m/2.0.0": one });
    return isMeant;
  });
const variableLeftOut = (files: Files): boolean =>
  inRefs(files, (refs) => {
    const isMeant = "height/.zarray" in refs;
    for (const key of isMeant ? Object.keys(refs) : []) if (key.startsWith("lat/")) delete refs[key];
    return isMeant;
  });
const namesExchanged = (files: Files): boolean =>
  inRefs(files, (refs) => {
    const old = refs["station_name/0"];
    if (typeof old !== "string") return false;
    const [first, second, ...rest] = JSON.parse(old) as unknown[];
    refs["station_name/0"] = JSON.stringify([second, first, ...rest]);
    return true;
  });
const double = (value: number): Buffer => Buffer.from(Float64Array.of(value).buffer).swap64();

type Six = readonly [number, number, number, number, number, number];
const byHalf = ([a, b, x, d, e, y]: Six): Six => [a, b, x + a / 2, d, e, y + e / 2];
const east = (transform: string): string => transform.replace(/^\d+/, (west) => `${Number(west) + 30}`);
const upsideDown = ([a, b, x, d, e, y]: Six): Six => [a, b, x, d, -e, y];
const twice = (multiscales: unknown): unknown => JSON.parse(JSON.stringify(multiscales).replace("[1,1]", "[2,2]"));

type Image = readonly [Record<string, unknown> & { readonly axes: object[]; readonly datasets: object[] }];
const ofImage = (change: (image: Image[0]) => object): Change =>
  ofRoot("multiscales", (images: Image) => (Array.isArray(images) ? [change(images[0])] : images));
const ofLevel = (level: number, more: object): Change =>
  ofImage(({ datasets, ...image }) => ({
    ...image,
    datasets: datasets.map((one, at) => (at === level ? { ...one, ...more } : one)),
  }));
const scaled = (...scale: number[]) => ({ coordinateTransformations: [{ type: "scale", scale }] });
const nested: Change = ({ attributes = {}, ...set }) =>
  Array.isArray(attributes["multiscales"])
    ? { ...set, attributes: { ome: { version: "0.5", ...attributes } } }
    : undefined;
const claimed =
  (first: string, second: string): Change =>
  (set) =>
    arrayOf(set, "time_bnds") && {
      ...set,
      attributes: { ...set.attributes, time_coverage_start: first, time_coverage_end: second },
    };

const PLACES = "bound|bnds|even|spac|contain|middle|outside|half|shift|revers|order|monoton|direction|swap";
const PIXEL = "transform|half|pixel|bbox|revers|order";
const withRoot = (set: HealthySet, key: string, value: unknown): HealthySet => ({
  ...set,
  attributes: { ...set.attributes, [key]: value },
});
const yearLater = ({ units, ...old }: Record<string, unknown>): object => ({
  ...old,
  units: String(units).replace(/since (\d{4})/, (_, year) => `since ${Number(year) + 1}`),
});
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
  ["bounds of time a year away", "time", "bound|bnds", moved("time_bnds", "time", 365)],
  ["axis", "lat", "axis", attribute("lat", "lon", "axis", () => "X")],
  ["standard name of another axis", "lon", "standard_name", attribute("lon", "lat", "standard_name", () => "latitude")],
  ["a valid_max that excludes", "lat", "valid", attribute("lat", "lat_bnds", "valid_max", () => -60)],
  ["coverage of another year", "time", "coverage", claimed("1931-01-01", "1931-12-31")],
  ["frequency", "time", "frequency", (set) => arrayOf(set, "time_bnds") && withRoot(set, "frequency", "hourly")],
  [
    "coordinates name what is not there",
    "tas",
    "nowhere",
    attribute("tas", "lat", "coordinates", () => "nowhere"),
    "info",
  ],
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
  ["a box in degrees", "[xy]", "bbox", ofRoot("spatial:bbox", () => [4.2, 46.1, 4.9, 46.6])],
  [
    "transform in the order of GDAL",
    "[xy]",
    "GDAL",
    ofRoot("spatial:transform", ([a, b, c, d, e, f]: Six) => [c, a, b, f, d, e]),
  ],
  ["spatial:dimensions", "spatial:dimensions", "dimension", ofRoot("spatial:dimensions", () => ["lat", "lon"])],
  ["one value of x", "x", "even|transform", moveOne("x", "y", 5, 0.4)],
  ["kilometres for metres", "x", "km", attribute("x", "y", "units", () => "km")],
  [
    "method of the projection",
    "spatial_ref",
    "project",
    attribute("spatial_ref", "x", "grid_mapping_name", () => "mercator"),
  ],
  [
    "spatial:shape",
    "[xy]|red|spatial:shape",
    "shape",
    ofRoot("spatial:shape", ([rows, columns]: Six) => [columns, rows]),
  ],
  ["EPSG code against WKT", "spatial_ref|proj:code", "3263|CRS|WKT", ofRoot("proj:code", () => "EPSG:32632")],
  ["y reversed", "y", PIXEL, reversed("y", "x")],
  ["scale of a level", "1", "scale|transform", ofRoot("multiscales", twice)],
  ["levels with equal scales", "1", "scale", ofLevel(1, scaled(0.5, 0.5))],
  ["a level without a transformation", "1", "transform", ofLevel(1, { coordinateTransformations: undefined })],
  ["a level that is not there", "9", "level|path", ofLevel(1, { path: "9" })],
  ["length of a scale", "1", "scale", ofLevel(1, scaled(1))],
  ["an axis too few", "axes", "axes", ofImage(({ axes, ...image }) => ({ ...image, axes: axes.slice(1) }))],
  ["a version of other metadata", "version", "version", ofImage((image) => ({ ...image, version: "0.5" }))],
  ["metadata of 0.5 in Zarr v2", "ome", "0\\.5|v2", nested],
  ["values of a level", "1", "level|mean|image|value", reversed("1", "0")],
  ["chunk missing among its siblings", "tas", LOST, { files: lostChunk }],
  ["chunks of two files exchanged", "p", "swap|exchang|order|other|own place|permut|belong", { files: exchanged }],
  ["GRIB messages exchanged", "t2m", "exchang", { files: messagesExchanged }],
  [
    "valid_time of messages 6 h off",
    "valid_time|step",
    UNIT,
    inMessages("valid_time/0", (old) => old.map((one) => one + 21_600)),
  ],
  ["steps of messages in days", "step", UNIT, inKey("step/.zattrs", MESSAGE, (old) => ({ ...old, units: "days" }))],
  ["latitude against messages", "latitude", PLACES, inMessages("latitude/0", (old) => old.toReversed())],
  [
    "longitude one cell from messages",
    "longitude",
    `cell|${PLACES}`,
    inMessages("longitude/0", (old) => old.map((one) => one + 2)),
  ],
  [
    "parameter of messages",
    "t2m",
    "paramId|msl",
    inKey("t2m/.zattrs", MESSAGE, (old) => ({ ...old, GRIB_paramId: 151 })),
  ],
  ["a coordinate left out of the references", "lat", "left out", { files: variableLeftOut }],
  ["origin of an inlined time a year off", "time", UNIT, inKey("time/.zattrs", "station_name/0", yearLater)],
  [
    "calendar of an inlined time",
    "time",
    "calendar",
    inKey("time/.zattrs", "station_name/0", (old) => ({ ...old, calendar: "360_day" })),
  ],
  ["names of two stations exchanged", "station_name", "exchang", { files: namesExchanged }],
  ["scale_factor in one file", "p", "scale_factor", { files: inHeader(double(0.1), double(0.2)) }],
  ["origin of time in one file", "time", UNIT, { files: inHeader(THEN, LATER) }],
  ["unit of time in one file", "time", UNIT, { files: inHeader(THEN, Buffer.from("hours since 2000-1-")) }],
];
