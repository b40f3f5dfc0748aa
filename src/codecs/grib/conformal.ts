/**
 * The conformal projections of GRIB's grids, on a sphere or an ellipsoid, from degrees to metres and back: Snyder, Map
 * Projections, A Working Manual (USGS Professional Paper 1395), chapters 7, 15 and 21.
 */

export interface Earth {
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

/** What the distance from the pole does not share with the latitude; at the pole itself the quotient has a limit of its own. */
function polarScale({ radius, eccentricity: e }: Earth, trueLatitude: number): number {
  const auxiliary = conformal(trueLatitude, e);
  if (auxiliary < 1e-12) return (2 * radius) / Math.sqrt((1 + e) ** (1 + e) * (1 - e) ** (1 - e));
  return (radius * parallel(trueLatitude, e)) / auxiliary;
}

/** `latitudes`: where the cone cuts the earth; the same twice where it touches it. `undefined` where there is no such cone. */
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
