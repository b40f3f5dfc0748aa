/**
 * Latitudes and longitudes of all points as eccodes' iterators have them, in degrees. Of latitude/longitude grids (FM 92,
 * template 3.0) they are computed in its order of operations, so that every bit agrees: coordinates are added up from the
 * first, the last is the one that is written. The same, rotated (3.1), and with Gaussian latitudes (3.40); projected
 * grids are in projected.ts.
 */
import { damaged, gridUnsupported } from "./failure.ts";
import { gaussianLatitude, MAX_GAUSSIAN, nearestParallel } from "./gaussian.ts";
import { gridSection } from "./message.ts";
import { signed32, view } from "./numbers.ts";
import { eccodesProjected, isProjected } from "./projected.ts";
import { checkCount, type ReadOptions } from "./read-options.ts";
import { unrotate, type Rotation } from "./rotation.ts";
import { gridName } from "./tables.ts";

type Wanted = "latitude" | "longitude";

/** In microdegrees, where the message names no other unit. */
const SUBDIVISIONS = 1_000_000;
const MISSING = 0xffffffff;

/** Bytes of section 3 that each template needs. */
const LENGTHS: ReadonlyMap<number, number> = new Map([
  [0, 72],
  [1, 84],
  [40, 72],
]);

interface Grid {
  readonly columns: number;
  readonly rows: number;
  readonly firstLatitude: number;
  readonly firstLongitude: number;
  readonly lastLatitude: number;
  readonly lastLongitude: number;
  /** Between rows; `undefined` where it is not given. */
  readonly rowStep: number | undefined;
  readonly westwards: boolean;
  readonly northwards: boolean;
  readonly columnsFirst: boolean;
  /** Of a Gaussian grid: parallels between a pole and the equator. */
  readonly gaussian?: number;
  readonly rotation?: Rotation;
}

/** A coordinate for each point. Throws `grib-not-a-message`, `grib-grid-unsupported`, `decode-failed`, `decode-too-large`. */
export function messageCoordinates(bytes: Uint8Array, what: Wanted, options: ReadOptions): Float64Array<ArrayBuffer> {
  const { codec } = options;
  const section = gridSection(codec, bytes, `${what}s`);
  if (isProjected(view(section).getUint16(12))) return eccodesProjected(section, what, options);
  const grid = readGrid(codec, section, what);
  const points = view(section).getUint32(6);
  checkCount(points, options);
  const { columns, rows, rotation } = grid;
  if (columns * rows !== points) {
    throw damaged(codec, 3, `${columns} × ${rows} points, as the grid says`, `${points} points`);
  }
  if (rotation !== undefined) return rotated(codec, grid, rotation, what);
  const axis = what === "latitude" ? latitudes(codec, grid) : longitudes(grid);
  const out = new Float64Array(points);
  for (let i = 0; i < points; i++) out[i] = axis[placeOf(grid, i)[what]] as number;
  return out;
}

function placeOf({ columnsFirst, columns, rows }: Grid, point: number): Readonly<Record<Wanted, number>> {
  return columnsFirst
    ? { latitude: point % rows, longitude: Math.floor(point / rows) }
    : { latitude: Math.floor(point / columns), longitude: point % columns };
}

function rotated(codec: string, grid: Grid, rotation: Rotation, what: Wanted): Float64Array<ArrayBuffer> {
  const [north, east] = [latitudes(codec, grid), longitudes(grid)];
  return Float64Array.from({ length: grid.columns * grid.rows }, (_, point) => {
    const { latitude, longitude } = placeOf(grid, point);
    return unrotate(north[latitude] as number, east[longitude] as number, rotation)[what];
  });
}

function readGrid(codec: string, section: Uint8Array, what: Wanted): Grid {
  const data = view(section);
  const template = data.getUint16(12);
  const name = `grid definition template 3.${template}, ${gridName(template)}`;
  const length = LENGTHS.get(template);
  if (length === undefined) throw gridUnsupported(codec, `${what}s`, name);
  if (section.length < length) {
    throw damaged(codec, 3, `${length} bytes for template 3.${template}`, `${section.length} bytes`);
  }
  const [columns, rows, flags, scan] = [data.getUint32(30), data.getUint32(34), data.getUint8(54), data.getUint8(71)];
  if (columns === MISSING || rows === MISSING) {
    throw gridUnsupported(codec, `${what}s`, `${name}, whose rows have lengths of their own`);
  }
  // eccodes goes along the rows of a Gaussian grid whatever its message says.
  if ((scan & 0x1f) !== 0 || (template === 40 && (scan & 32) !== 0)) {
    throw gridUnsupported(codec, `${what}s`, `${name}, with scanning mode ${scan}, in which rows are not alike`);
  }
  const degrees = inDegrees(data);
  const step = data.getUint32(67);
  const grid = {
    columns,
    rows,
    firstLatitude: degrees(signed32(data, 46)),
    firstLongitude: degrees(signed32(data, 50)),
    lastLatitude: degrees(signed32(data, 55)),
    lastLongitude: degrees(signed32(data, 59)),
    rowStep: step === MISSING || (flags & 16) === 0 ? undefined : degrees(step),
    westwards: (scan & 128) !== 0,
    northwards: (scan & 64) !== 0,
    columnsFirst: (scan & 32) !== 0,
  };
  if (template === 40) return { ...grid, gaussian: parallels(codec, what, step, name) };
  return template === 0 ? grid : { ...grid, rotation: readRotation(data, degrees) };
}

function inDegrees(data: DataView): (value: number) => number {
  const angle = data.getUint32(38);
  const parts = data.getUint32(42);
  const subdivisions = parts === MISSING || parts === 0 ? SUBDIVISIONS : parts;
  return (value) => (value / subdivisions) * (angle === 0 ? 1 : angle);
}

function readRotation(data: DataView, degrees: (value: number) => number): Rotation {
  return {
    latitude: degrees(signed32(data, 72)),
    longitude: degrees(signed32(data, 76)),
    angle: data.getFloat32(80),
  };
}

function parallels(codec: string, what: Wanted, between: number, name: string): number {
  if (between > 0 && between <= MAX_GAUSSIAN) return between;
  throw gridUnsupported(codec, `${what}s`, `${name}, with ${between} parallels between a pole and the equator`);
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
