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
  const data = view(section3);
  const template = data.getUint16(12);
  const places = PLACES.get(template);
  if (places === undefined) throw new Error(`Template 3.${template} is not projected.`);
  if (section3.length < places.length) {
    throw damaged(options.codec, 3, `${places.length} bytes for template 3.${template}`, `${section3.length} bytes`);
  }
  const [columns, rows] = [data.getUint32(30), data.getUint32(34)];
  checkCount(columns * rows, options);
  const projection = projectionOf(options.codec, data, what);
  const scan = data.getUint8(places.scan);
  const [x0, y0] = projection.project(signed32(data, 42) * MICRODEGREE, signed32(data, 38) * MICRODEGREE);
  if (!projection.locate(x0, y0).every(Number.isFinite)) {
    throw damaged(options.codec, 3, "a first point that the projection has", "one at infinity");
  }
  const xStep = data.getUint32(places.xStep) * MILLIMETRE * ((scan & WESTWARDS) === 0 ? 1 : -1);
  const yStep = data.getUint32(places.xStep + 4) * MILLIMETRE * ((scan & NORTHWARDS) === 0 ? -1 : 1);
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

function projectionOf(codec: string, data: DataView, what: Wanted): Projection {
  const template = data.getUint16(12);
  const name = `grid definition template 3.${template}, ${gridName(template)}`;
  const earth = earthOf(data);
  if (earth === undefined) {
    throw gridUnsupported(codec, `${what}s`, `${name}, on an earth of shape ${data.getUint8(14)} (code table 3.2)`);
  }
  const degrees = (at: number) => signed32(data, at) * MICRODEGREE;
  if (template === 10) return mercator(earth, degrees(47));
  const meridian = degrees(51);
  if (template === 20) {
    return polarStereographic(earth, { meridian, trueLatitude: degrees(47), isSouth: (data.getUint8(63) & 128) !== 0 });
  }
  const latitudes = [degrees(65), degrees(69)] as const;
  const projection = lambertConformal(earth, { meridian, latitudes });
  if (projection !== undefined) return projection;
  throw damaged(codec, 3, "standard parallels of a cone", `latitudes ${latitudes[0]} and ${latitudes[1]}`);
}

/** Whether gribberish computes projections on it. */
export function isEarthKnown(section3: DataView): boolean {
  return earthOf(section3) !== undefined;
}

/** Of code table 3.2 those that gribberish knows; `undefined` for others. */
function earthOf(data: DataView): Earth | undefined {
  const shape = data.getUint8(14);
  if (shape === 0) return { radius: 6_367_470, eccentricity: 0 };
  if (shape === 1) return { radius: data.getUint32(16) / 10 ** data.getUint8(15), eccentricity: 0 };
  if (shape === 5) return { radius: 6_378_137, eccentricity: WGS84_ECCENTRICITY };
  return shape === 6 ? { radius: 6_371_229, eccentricity: 0 } : undefined;
}

const WGS84_FLATTENING = 1 / 298.257223563;
const WGS84_ECCENTRICITY = Math.sqrt(WGS84_FLATTENING * (2 - WGS84_FLATTENING));
