/** Latitudes and longitudes of all points of a projected grid: Mercator, polar stereographic, Lambert conformal (FM 92, templates 3.10, 3.20, 3.30). */
import { lambertConformal, mercator, polarStereographic, type Earth, type Projection } from "./conformal.ts";
import { damaged, gridUnsupported } from "./failure.ts";
import { signed32, view } from "./numbers.ts";
import { checkCount, type ReadOptions } from "./read-options.ts";
import { gridName } from "./tables.ts";

type Wanted = "latitude" | "longitude";

/** Where the templates differ: bytes of section 3 from its beginning. */
interface Places {
  readonly length: number;
  readonly scan: number;
  readonly xStep: number;
}

const PLACES: ReadonlyMap<number, Places> = new Map([
  [10, { length: 72, scan: 59, xStep: 64 }],
  [20, { length: 65, scan: 64, xStep: 55 }],
  [30, { length: 73, scan: 64, xStep: 55 }],
]);

const WESTWARDS = 128;
const NORTHWARDS = 64;
const MICRODEGREE = 1e-6;
const MILLIMETRE = 1e-3;

export function isProjected(template: number): boolean {
  return PLACES.has(template);
}

/**
 * A coordinate a point, row by row as gribberish has them; `northUp` puts the northernmost row first. Throws
 * `grib-grid-unsupported`, `decode-failed`, `decode-too-large`.
 */
export function projectedCoordinates(
  section3: Uint8Array,
  what: Wanted,
  northUp: boolean,
  options: ReadOptions,
): Float64Array<ArrayBuffer> {
  const data = checked(section3, options);
  const earth = isEarthKnown(data) ? earthOf(data) : undefined;
  return pointsOf(data, what, earth, { northUp, options });
}

/**
 * As eccodes has them, with longitudes from 0 on. It goes east and north from the first point whatever the message says:
 * grids that go otherwise are refused, since their coordinates would be other points'. Throws the same.
 */
export function eccodesProjected(section3: Uint8Array, what: Wanted, options: ReadOptions): Float64Array<ArrayBuffer> {
  const data = checked(section3, options);
  const template = data.getUint16(12);
  const scan = data.getUint8(placesOf(template).scan);
  const refused = (why: string) => gridUnsupported(options.codec, `${what}s`, `${nameOf(template)}, ${why}`);
  if (scan !== NORTHWARDS) throw refused(`with scanning mode ${scan}`);
  const earth = earthOf(data);
  if (template === 20) {
    if ((earth?.eccentricity ?? 0) !== 0) throw refused("on an ellipsoid");
    // eccodes takes the pole from the latitude of true scale.
    if (signed32(data, 47) < 0 !== isSouthern(data)) throw refused("whose true scale is on the other hemisphere");
  }
  const out = pointsOf(data, what, earth, { northUp: false, options });
  return what === "latitude" ? out : out.map((longitude) => (longitude < 0 ? longitude + 360 : longitude));
}

function checked(section3: Uint8Array, { codec }: ReadOptions): DataView {
  const data = view(section3);
  const template = data.getUint16(12);
  const { length } = placesOf(template);
  if (section3.length >= length) return data;
  throw damaged(codec, 3, `${length} bytes for template 3.${template}`, `${section3.length} bytes`);
}

function placesOf(template: number): Places {
  const places = PLACES.get(template);
  if (places === undefined) throw new Error(`Template 3.${template} is not projected.`);
  return places;
}

function nameOf(template: number): string {
  return `grid definition template 3.${template}, ${gridName(template)}`;
}

function pointsOf(
  data: DataView,
  what: Wanted,
  earth: Earth | undefined,
  { northUp, options }: { readonly northUp: boolean; readonly options: ReadOptions },
): Float64Array<ArrayBuffer> {
  const { scan: scanAt, xStep: stepAt } = placesOf(data.getUint16(12));
  const [columns, rows] = [data.getUint32(30), data.getUint32(34)];
  checkCount(columns * rows, options);
  const projection = projectionOf(options.codec, data, what, earth);
  const scan = data.getUint8(scanAt);
  const [x0, y0] = projection.project(signed32(data, 42) * MICRODEGREE, signed32(data, 38) * MICRODEGREE);
  if (!projection.locate(x0, y0).every(Number.isFinite)) {
    throw damaged(options.codec, 3, "a first point that the projection has", "one at infinity");
  }
  const xStep = data.getUint32(stepAt) * MILLIMETRE * ((scan & WESTWARDS) === 0 ? 1 : -1);
  const yStep = data.getUint32(stepAt + 4) * MILLIMETRE * ((scan & NORTHWARDS) === 0 ? -1 : 1);
  const out = new Float64Array(columns * rows);
  for (let row = 0; row < rows; row++) {
    const at = (northUp && yStep > 0 ? rows - 1 - row : row) * columns;
    for (let column = 0; column < columns; column++) {
      const [longitude, latitude] = projection.locate(x0 + xStep * column, y0 + yStep * row);
      out[at + column] = what === "latitude" ? latitude : longitude;
    }
  }
  return out;
}

function projectionOf(codec: string, data: DataView, what: Wanted, earth: Earth | undefined): Projection {
  const template = data.getUint16(12);
  if (earth === undefined) {
    const shape = data.getUint8(14);
    throw gridUnsupported(codec, `${what}s`, `${nameOf(template)}, on an earth of shape ${shape} (code table 3.2)`);
  }
  const degrees = (at: number) => signed32(data, at) * MICRODEGREE;
  if (template === 10) return mercator(earth, degrees(47));
  const meridian = degrees(51);
  if (template === 20) {
    return polarStereographic(earth, { meridian, trueLatitude: degrees(47), isSouth: isSouthern(data) });
  }
  const latitudes = [degrees(65), degrees(69)] as const;
  const projection = lambertConformal(earth, { meridian, latitudes });
  if (projection !== undefined) return projection;
  throw damaged(codec, 3, "standard parallels of a cone", `latitudes ${latitudes[0]} and ${latitudes[1]}`);
}

const isSouthern = (data: DataView): boolean => (data.getUint8(63) & 128) !== 0;

/** Whether gribberish computes projections on it. */
export function isEarthKnown(section3: DataView): boolean {
  return [0, 1, 5, 6].includes(section3.getUint8(14));
}

/** In metres: what is smaller is no planet but a number that is missing. */
const LEAST_AXIS = 100_000;

/** Code table 3.2: axes in metres, the same twice for a sphere. */
const EARTHS: ReadonlyMap<number, readonly [major: number, minor: number]> = new Map([
  [0, [6_367_470, 6_367_470]],
  [2, [6_378_160, 6_356_775]],
  [4, [6_378_137, 6_356_752.314]],
  [5, [6_378_137, 6_356_752.314245]],
  [6, [6_371_229, 6_371_229]],
  [8, [6_371_200, 6_371_200]],
]);

/** `undefined` for shapes that the table has not, or whose numbers are no ellipsoid. */
function earthOf(data: DataView): Earth | undefined {
  const shape = data.getUint8(14);
  const scaled = (at: number) => data.getUint32(at + 1) / 10 ** data.getUint8(at);
  const unit = shape === 3 ? 1000 : 1;
  const own = shape === 1 ? [scaled(15), scaled(15)] : [scaled(20) * unit, scaled(25) * unit];
  const [major, minor] = EARTHS.get(shape) ?? ([1, 3, 7].includes(shape) ? own : []);
  if (major === undefined || minor === undefined || !(minor > LEAST_AXIS && major >= minor)) return undefined;
  return { radius: major, eccentricity: Math.sqrt(1 - (minor / major) ** 2) };
}
