/**
 * Latitudes and longitudes of all points of a projected grid: Mercator, polar stereographic, Lambert conformal (FM 92,
 * templates 3.10, 3.20, 3.30).
 */
import { damaged, gridUnsupported } from "./failure.ts";
import { signed32, view } from "./numbers.ts";
import { checkCount, type ReadOptions } from "./read-options.ts";
import { gridName } from "./tables.ts";

// The conformal projections of GRIB's grids, on a sphere or an ellipsoid, from degrees to metres and back: Snyder, Map
// Projections, A Working Manual (USGS Professional Paper 1395), chapters 7, 15 and 21.

interface Earth {
  /** Metres. */
  readonly radius: number;
  /** 0 for a sphere. */
  readonly eccentricity: number;
}

/** Places are [longitude, latitude] in degrees; longitudes come back from -180 on, below 180. */
export interface Projection {
  project(longitude: number, latitude: number): readonly [x: number, y: number];
  locate(x: number, y: number): readonly [longitude: number, latitude: number];
}

const RADIAN = Math.PI / 180;

export function mercator(earth: Earth, trueLatitude: number): Projection {
  const { eccentricity } = earth;
  const scale = earth.radius * parallel(trueLatitude * RADIAN, eccentricity);
  return {
    project: (longitude, latitude) => [
      scale * longitude * RADIAN,
      -scale * Math.log(conformal(latitude * RADIAN, eccentricity)),
    ],
    locate: (x, y) => [withinHalfTurn(x / scale / RADIAN), latitudeOf(Math.exp(-y / scale), eccentricity) / RADIAN],
  };
}

/** `meridian`: the one that runs straight down the map from the pole. The sign of `trueLatitude` is not looked at. */
export function polarStereographic(
  earth: Earth,
  { meridian, trueLatitude, isSouth }: { meridian: number; trueLatitude: number; isSouth: boolean },
): Projection {
  const { eccentricity: e } = earth;
  const sign = isSouth ? -1 : 1;
  const scale = polarScale(earth, Math.abs(trueLatitude) * RADIAN);
  return {
    project: (longitude, latitude) => {
      const distance = scale * conformal(sign * latitude * RADIAN, e);
      const angle = (longitude - meridian) * RADIAN;
      return [distance * Math.sin(angle), -sign * distance * Math.cos(angle)];
    },
    locate: (x, y) => [
      withinHalfTurn(meridian + Math.atan2(x, -sign * y) / RADIAN),
      (sign * latitudeOf(Math.hypot(x, y) / scale, e)) / RADIAN,
    ],
  };
}

/**
 * Factor between the conformal radius and the distance from the pole, apart from its dependence on latitude; at the
 * pole itself the quotient has a limit of its own.
 */
function polarScale({ radius, eccentricity: e }: Earth, trueLatitude: number): number {
  const auxiliary = conformal(trueLatitude, e);
  if (auxiliary < 1e-12) return (2 * radius) / Math.sqrt((1 + e) ** (1 + e) * (1 - e) ** (1 - e));
  return (radius * parallel(trueLatitude, e)) / auxiliary;
}

/**
 * `latitudes`: where the cone cuts the earth; the same twice where it touches it. `undefined` where there is no such
 * cone.
 */
export function lambertConformal(
  earth: Earth,
  { meridian, latitudes }: { meridian: number; latitudes: readonly [number, number] },
): Projection | undefined {
  const { eccentricity: e } = earth;
  const [first, second] = [latitudes[0] * RADIAN, latitudes[1] * RADIAN];
  const cone = coneOf(first, second, e);
  const scale = (earth.radius * parallel(first, e)) / (cone * conformal(first, e) ** cone);
  if (!Number.isFinite(scale) || cone === 0) return undefined;
  const sign = Math.sign(cone);
  // From the tip of the cone on: where the ordinate begins makes no difference to a grid.
  return {
    project: (longitude, latitude) => {
      const distance = scale * conformal(latitude * RADIAN, e) ** cone;
      const angle = cone * withinHalfTurn(longitude - meridian) * RADIAN;
      return [distance * Math.sin(angle), -distance * Math.cos(angle)];
    },
    locate: (x, y) => {
      const distance = sign * Math.hypot(x, y);
      const angle = Math.atan2(sign * x, -sign * y);
      return [
        withinHalfTurn(meridian + angle / cone / RADIAN),
        latitudeOf((distance / scale) ** (1 / cone), e) / RADIAN,
      ];
    },
  };
}

function coneOf(first: number, second: number, e: number): number {
  if (Math.abs(first - second) < 1e-10) return Math.sin(first);
  return Math.log(parallel(first, e) / parallel(second, e)) / Math.log(conformal(first, e) / conformal(second, e));
}

/** Radius of a parallel, that of the equator being 1 (equation 14-15). */
function parallel(latitude: number, e: number): number {
  return Math.cos(latitude) / Math.sqrt(1 - (e * Math.sin(latitude)) ** 2);
}

/** Equation 15-9: 0 at the north pole, 1 at the equator. */
function conformal(latitude: number, e: number): number {
  const tangent = Math.tan(Math.PI / 4 - latitude / 2);
  return e === 0 ? tangent : tangent / stretched(latitude, e);
}

function stretched(latitude: number, e: number): number {
  const sine = e * Math.sin(latitude);
  return ((1 - sine) / (1 + sine)) ** (e / 2);
}

const MAX_ROUNDS = 15;

/** Equation 7-9, repeated until it changes nothing; a sphere needs no repeating. */
function latitudeOf(auxiliary: number, e: number): number {
  let latitude = Math.PI / 2 - 2 * Math.atan(auxiliary);
  if (e === 0) return latitude;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const next = Math.PI / 2 - 2 * Math.atan(auxiliary * stretched(latitude, e));
    const isSettled = Math.abs(next - latitude) < 1e-14;
    latitude = next;
    if (isSettled) break;
  }
  return latitude;
}

function withinHalfTurn(longitude: number): number {
  const turned = (((longitude + 180) % 360) + 360) % 360;
  return turned - 180;
}

type Wanted = "latitude" | "longitude";

/** Offsets in section 3 that differ between the templates. */
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

export const isProjected = (template: number): boolean => PLACES.has(template);

/**
 * A coordinate a point, row by row as gribberish has them; `northUp` puts the northernmost row first. Throws
 * `grib-grid-unsupported`, `decode-failed`, `decode-too-large`.
 */
export function projectedCoordinates(section3: Uint8Array, what: Wanted, northUp: boolean, options: ReadOptions) {
  const data = checked(section3, options);
  const earth = isEarthKnown(data) ? earthOf(data) : undefined;
  return pointsOf(data, what, earth, { northUp, options });
}

/**
 * Coordinates as eccodes gives them, with longitudes from 0 on. It goes east and north from the first point regardless
 * of the scanning mode, so grids with another mode are refused: their coordinates would belong to other points. Throws
 * the same.
 */
export function eccodesProjected(section3: Uint8Array, what: Wanted, options: ReadOptions): Float64Array<ArrayBuffer> {
  const data = checked(section3, options);
  const template = data.getUint16(12);
  const scan = data.getUint8(placesOf(template).scan);
  const refused = (why: string) => gridUnsupported(options.codec, `${what}s`, `${templateName(template)}, ${why}`);
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

const templateName = (template: number): string => `grid definition template 3.${template}, ${gridName(template)}`;

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
    throw gridUnsupported(
      codec,
      `${what}s`,
      `${templateName(template)}, on an earth of shape ${shape} (code table 3.2)`,
    );
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

/** True if gribberish computes projections on this shape of the earth. */
export const isEarthKnown = (section3: DataView): boolean => [0, 1, 5, 6].includes(section3.getUint8(14));

/** Least plausible axis in metres: a smaller number is missing, not a planet. */
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
