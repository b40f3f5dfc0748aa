/**
 * The two flags of gribberish's codec (gribberish/src/utils/iter/projection.rs): rows that begin at 180° west, and the
 * northernmost row first. First the longitudes are turned, then the rows. Grids to which a flag does not apply (regional
 * ones, for instance) stay as they are stored; a grid that gribberish cannot compute is an error as soon as a flag is set.
 */
import { damaged, gridUnsupported } from "./failure.ts";
import { checkCount, type ReadOptions } from "./read-options.ts";
import { signed32, view } from "./numbers.ts";
import { isProjected, projectedCoordinates } from "./projected.ts";
import { gridName } from "./tables.ts";

export interface Orientation {
  readonly adjustLongitudeRange: boolean;
  readonly northUp: boolean;
}

/**
 * Offsets in section 3 of the scanning mode and the step between rows, for each grid template that gribberish computes.
 */
const PLACES: ReadonlyMap<number, { readonly scan: number; readonly rowStep: number }> = new Map([
  [0, { scan: 71, rowStep: 67 }],
  [10, { scan: 59, rowStep: 68 }],
  [20, { scan: 64, rowStep: 59 }],
  [30, { scan: 64, rowStep: 59 }],
]);

const WESTWARDS = 128;
const NORTHWARDS = 64;
/** gribberish multiplies microdegrees by this; dividing by a million would round otherwise. */
const MICRODEGREE = 1e-6;

/** Throws as `orient` does where gribberish does not compute such a grid. */
export function checkGrid(codec: string, section3: Uint8Array): void {
  scanned(codec, section3);
}

/** Values in the order that the flags ask for. Throws `grib-grid-unsupported`, `decode-failed`. */
export function orient(
  codec: string,
  values: Float64Array<ArrayBuffer>,
  section3: Uint8Array,
  { adjustLongitudeRange, northUp }: Orientation,
): Float64Array<ArrayBuffer> {
  const { template, data, scan, goesNorth } = scanned(codec, section3);
  if (values.length === 0) return values;
  const [columns, rows] = [data.getUint32(30), data.getUint32(34)];
  if (columns * rows !== values.length) {
    throw damaged(codec, 3, `${columns} × ${rows} points, as the grid says`, `${values.length} values`);
  }
  const roll = adjustLongitudeRange && template === 0 ? rollOf(longitudes(data, scan)) : 0;
  const isReversed = northUp && goesNorth;
  if (roll === 0 && !isReversed) return values;
  const out = new Float64Array(values.length);
  for (let row = 0; row < rows; row++) {
    const from = values.subarray(row * columns, (row + 1) * columns);
    const at = (isReversed ? rows - 1 - row : row) * columns;
    out.set(from.subarray(roll), at);
    out.set(from.subarray(0, roll), at + columns - roll);
  }
  return out;
}

/**
 * One coordinate a row or column of a latitude/longitude grid, as gribberish computes it; of projected grids one a point.
 * Throws as `orient` does, and `decode-too-large`.
 */
export function coordinatesOf(
  section3: Uint8Array,
  what: "latitude" | "longitude",
  { adjustLongitudeRange, northUp }: Orientation,
  options: ReadOptions,
): Float64Array<ArrayBuffer> {
  const { codec } = options;
  const { template, data, scan, goesNorth } = scanned(codec, section3, `${what}s`);
  if (isProjected(template)) return projectedCoordinates(section3, what, northUp, options);
  checkCount(data.getUint32(what === "latitude" ? 34 : 30), options);
  if (what === "latitude") {
    const latitudes = steps(data, 34, 46, 67, (scan & NORTHWARDS) !== 0 ? 1 : -1);
    return northUp && goesNorth ? latitudes.toReversed() : latitudes;
  }
  const stored = longitudes(data, scan);
  if (!adjustLongitudeRange || !isWholeCircle(stored)) return stored;
  const roll = rollOf(stored);
  return stored.map((_, i) => wrapped(stored[(i + roll) % stored.length] as number));
}

function scanned(codec: string, section3: Uint8Array, wanted: "latitudes" | "longitudes" | "order" = "order") {
  const data = view(section3);
  const template = data.getUint16(12);
  const places = PLACES.get(template);
  if (places === undefined) {
    throw gridUnsupported(codec, wanted, `grid definition template 3.${template}, ${gridName(template)}`);
  }
  const length = Math.max(places.scan + 1, places.rowStep + 4);
  if (section3.length < length) {
    throw damaged(codec, 3, `${length} bytes for template 3.${template}`, `${section3.length} bytes`);
  }
  const scan = data.getUint8(places.scan);
  // Rows that lie upon each other go nowhere.
  const goesNorth = (scan & NORTHWARDS) !== 0 && data.getUint32(places.rowStep) > 0;
  return { template, data, scan, goesNorth };
}

function longitudes(data: DataView, scan: number): Float64Array<ArrayBuffer> {
  const stored = steps(data, 30, 50, 63, (scan & WESTWARDS) === 0 ? 1 : -1);
  const startsEast = signed32(data, 50) >= 0;
  return stored.map((value) => (value >= 360 ? value - 360 : value < 0 && startsEast ? value + 360 : value));
}

/** The first coordinate and the step as they are stored; what the message says of the last is not looked at. */
function steps(data: DataView, count: number, first: number, step: number, sign: 1 | -1): Float64Array<ArrayBuffer> {
  const from = signed32(data, first) * MICRODEGREE;
  const by = sign * data.getUint32(step) * MICRODEGREE;
  return Float64Array.from({ length: data.getUint32(count) }, (_, i) => from + by * i);
}

/** Eastwards all the way round, the first meridian not repeated at the end. */
function isWholeCircle(stored: Float64Array): boolean {
  const [first, second] = stored;
  if (first === undefined || second === undefined) return false;
  const step = second - first;
  return step > 0 && Math.abs(step * stored.length - 360) < step / 4;
}

/** Columns that are moved to the end of each row. */
function rollOf(stored: Float64Array): number {
  if (!isWholeCircle(stored)) return 0;
  let least = 0;
  for (let i = 1; i < stored.length; i++) {
    if (wrapped(stored[i] as number) < wrapped(stored[least] as number)) least = i;
  }
  return least;
}

const wrapped = (longitude: number): number => (longitude >= 180 ? longitude - 360 : longitude);
