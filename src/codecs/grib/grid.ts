/**
 * Latitudes and longitudes of all points as eccodes' iterators have them, in degrees. Of latitude/longitude grids (FM 92,
 * template 3.0) they are computed in its order of operations, so that every bit agrees: coordinates are added up from the
 * first, the last is the one that is written. The same, rotated (3.1), with Gaussian latitudes (3.40), with rows that
 * have lengths of their own, and in edition 1; projected grids are in projected.ts.
 */
import { damaged, gridUnsupported } from "./failure.ts";
import { gaussianLatitude, nearestParallel } from "./gaussian.ts";
import { messageSections, sectionOf } from "./message.ts";
import { view } from "./numbers.ts";
import { eccodesProjected, isProjected } from "./projected.ts";
import { type Grid, type Wanted, readGrid1, readGrid2 } from "./read-grid.ts";
import { checkCount, type ReadOptions } from "./read-options.ts";
import { unrotate, type Rotation } from "./rotation.ts";

/**
 * A coordinate for each point. Throws `grib-not-a-message`, `grib-grid-unsupported`, `decode-failed`, `decode-too-
 * large`.
 */
export function messageCoordinates(bytes: Uint8Array, what: Wanted, options: ReadOptions): Float64Array<ArrayBuffer> {
  const { codec } = options;
  const { edition, sections } = messageSections(codec, bytes);
  if (edition === 1) {
    const section2 = sections.find(({ number }) => number === 2)?.bytes;
    return coordinatesOf(readGrid1(codec, section2, what), what, options);
  }
  const section3 = sectionOf(sections, 3);
  if (isProjected(view(section3).getUint16(12))) return eccodesProjected(section3, what, options);
  return coordinatesOf(readGrid2(codec, section3, what), what, options);
}

function coordinatesOf(grid: Grid, what: Wanted, options: ReadOptions): Float64Array<ArrayBuffer> {
  const { codec } = options;
  const { columns, rows, rotation, points, rowLengths } = grid;
  checkCount(points, options);
  // The lengths may be those of whole parallels: then there are more points than the part has.
  if (rowLengths !== undefined && grid.gaussian !== undefined) refuseParts(codec, grid, grid.gaussian);
  const counted = rowLengths?.reduce((sum, length) => sum + length, 0) ?? columns * rows;
  if (counted !== points) throw damaged(codec, 3, `${counted} points, as the grid's rows say`, `${points} points`);
  if (rowLengths !== undefined) return reducedRows(grid, rowLengths)[what];
  if (rotation !== undefined) return rotated(codec, grid, rotation, what);
  const axis = what === "latitude" ? latitudes(codec, grid) : longitudes(grid);
  const out = new Float64Array(points);
  for (let i = 0; i < points; i++) out[i] = axis[gridPlace(grid, i)[what]] as number;
  return out;
}

function gridPlace({ columnsFirst, columns, rows }: Grid, point: number): Readonly<Record<Wanted, number>> {
  return columnsFirst
    ? { latitude: point % rows, longitude: Math.floor(point / rows) }
    : { latitude: Math.floor(point / columns), longitude: point % columns };
}

function rotated(codec: string, grid: Grid, rotation: Rotation, what: Wanted): Float64Array<ArrayBuffer> {
  const [north, east] = [latitudes(codec, grid), longitudes(grid)];
  return Float64Array.from({ length: grid.points }, (_, point) => {
    const { latitude, longitude } = gridPlace(grid, point);
    return unrotate(north[latitude] as number, east[longitude] as number, rotation)[what];
  });
}

/** Rows of lengths of their own: eccodes goes along each from the first longitude, evenly. */
function reducedRows(grid: Grid, rowLengths: readonly number[]) {
  const { points, gaussian } = grid;
  const latitude = new Float64Array(points);
  const longitude = new Float64Array(points);
  const north =
    gaussian === undefined
      ? reducedLatitudes(grid)
      : Float64Array.from({ length: grid.rows }, (_, row) => gaussianLatitude(gaussian, row));
  const span = spanOf(grid);
  let at = 0;
  for (const [row, length] of rowLengths.entries()) {
    latitude.fill(north[row] as number, at, at + length);
    if (gaussian === undefined) addUp(longitude, at, length, grid.firstLongitude, span);
    else for (let i = 0; i < length; i++) longitude[at + i] = (i * 360) / length;
    at += length;
  }
  return { latitude, longitude };
}

interface Span {
  readonly degrees: number;
  /** Not round the whole earth: the last point of a row is at its end. */
  readonly isPart: boolean;
}

function spanOf({ columns, firstLongitude, lastLongitude }: Grid): Span {
  if (360 - Math.abs(lastLongitude - firstLongitude) < 720 / columns) return { degrees: 360, isPart: false };
  const degrees = lastLongitude - firstLongitude;
  return { degrees: degrees < 0 ? degrees + 360 : degrees, isPart: true };
}

function addUp(out: Float64Array, at: number, length: number, first: number, { degrees, isPart }: Span): void {
  const step = degrees / Math.max(1, length - (isPart ? 1 : 0));
  let longitude = first;
  for (let i = 0; i < length; i++) {
    out[at + i] = longitude;
    longitude += step;
  }
}

function reducedLatitudes({ rows, firstLatitude, lastLatitude, rowStep }: Grid): Float64Array {
  const size = rowStep ?? Math.abs(firstLatitude - lastLatitude) / Math.max(1, rows - 1);
  const out = new Float64Array(rows);
  let latitude = firstLatitude;
  for (let row = 0; row < rows; row++) {
    out[row] = latitude;
    latitude += firstLatitude > lastLatitude ? -size : size;
  }
  return out;
}

function refuseParts(codec: string, grid: Grid, between: number): void {
  const { columns, rows, firstLatitude, firstLongitude, lastLongitude, name } = grid;
  const isRound = firstLongitude === 0 && lastLongitude + 720 / columns > 360;
  const isWhole = isRound && rows === between * 2 && nearestParallel(between, firstLatitude) === 0;
  if (!isWhole)
    throw gridUnsupported(codec, "latitudes", `${name}, with rows of their own lengths on a part of the earth`);
}

function latitudes(codec: string, grid: Grid): Float64Array {
  const { firstLatitude, lastLatitude, rows, northwards, gaussian } = grid;
  if (gaussian !== undefined) return gaussianRows(codec, grid, gaussian);
  const isInOrder = northwards ? firstLatitude <= lastLatitude : firstLatitude >= lastLatitude;
  if (!isInOrder) {
    const expected = `latitudes that go ${northwards ? "north" : "south"}, as the scanning mode says`;
    throw damaged(codec, 3, expected, `first ${firstLatitude}, last ${lastLatitude}`);
  }
  const size = grid.rowStep ?? Math.abs(firstLatitude - lastLatitude) / (rows - 1);
  return axisOf(rows, firstLatitude, northwards ? -size : size, lastLatitude, -1);
}

/** How far the first latitude, in microdegrees, may be from the parallel that is meant. */
const NEAR = 1e-3;

function gaussianRows(codec: string, { firstLatitude, rows, northwards }: Grid, between: number): Float64Array {
  const count = between * 2;
  const first = nearestParallel(between, firstLatitude);
  const last = northwards ? first - (rows - 1) : first + rows - 1;
  const isThere = [first, last].every((index) => index >= 0 && index < count);
  if (isThere && Math.abs(gaussianLatitude(between, first) - firstLatitude) < NEAR) {
    const step = northwards ? -1 : 1;
    return Float64Array.from({ length: rows }, (_, row) => gaussianLatitude(between, first + step * row));
  }
  throw damaged(codec, 3, `${rows} of ${count} Gaussian latitudes`, `a first latitude of ${firstLatitude}`);
}

function longitudes({ columns, firstLongitude, lastLongitude, westwards }: Grid): Float64Array {
  const [from, to] = westwards ? [lastLongitude, firstLongitude] : [firstLongitude, lastLongitude];
  const span = to > from ? to - from : to + 360 - from;
  const size = columns > 1 ? span / (columns - 1) : 0;
  const wraps = !westwards && firstLongitude + (columns - 2) * size > 360;
  const first = wraps ? firstLongitude - 360 : firstLongitude;
  const last = lastLongitude > 360 ? lastLongitude - 360 * Math.ceil((lastLongitude - 360) / 360) : lastLongitude;
  return axisOf(columns, first, westwards ? -size : size, last, 1);
}

/** `sign`: whether the step is added or taken away, as eccodes does for latitudes. */
function axisOf(length: number, first: number, step: number, last: number, sign: 1 | -1): Float64Array {
  const axis = new Float64Array(length);
  let at = first;
  for (let i = 0; i < length; i++) {
    axis[i] = at;
    at = sign === 1 ? at + step : at - step;
  }
  if (length > 0) axis[length - 1] = last;
  return axis;
}

/** Rows and columns that have a latitude and a longitude each: of grids that are neither rotated nor projected. */
export interface GridAxes {
  readonly points: number;
  readonly axes: Readonly<Record<Wanted, Float64Array>> | undefined;
}

const MOST_ROWS = 100_000;

/** `section`: 3, in edition 1 section 2. Throws as `messageCoordinates`. */
export function gridAxes(edition: 1 | 2, section: Uint8Array): GridAxes {
  const read = edition === 1 ? readGrid1 : readGrid2;
  const grid = read("grib", section, "latitude");
  const { points, columns, rows, rotation, rowLengths } = grid;
  const isRegular = rotation === undefined && rowLengths === undefined && columns * rows === points;
  if (!isRegular || Math.max(columns, rows) > MOST_ROWS) return { points, axes: undefined };
  return { points, axes: { latitude: latitudes("grib", grid), longitude: longitudes(grid) } };
}
