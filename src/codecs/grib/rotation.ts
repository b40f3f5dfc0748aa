/** A grid whose poles lie elsewhere (templates 3.1 and 3.41): from its own latitudes and longitudes to the earth's. */

export interface Rotation {
  /** Latitude and longitude of the grid's southern pole, in degrees. */
  readonly latitude: number;
  readonly longitude: number;
  readonly angle: number;
}

const RADIAN = Math.PI / 180;

/**
 * Rotates back like eccodes' `unrotate`, which rounds to microdegrees in single precision; equal to within some
 * millionths.
 */
export function unrotate(latitude: number, longitude: number, pole: Rotation) {
  const [phi, lambda] = [latitude * RADIAN, longitude * RADIAN];
  const x = Math.cos(lambda) * Math.cos(phi);
  const y = Math.sin(lambda) * Math.cos(phi);
  const z = Math.sin(phi);
  const [tilt, turn] = [-(90 + pole.latitude) * RADIAN, -pole.longitude * RADIAN];
  const [sinTilt, cosTilt, sinTurn, cosTurn] = [Math.sin(tilt), Math.cos(tilt), Math.sin(turn), Math.cos(turn)];
  const east = cosTilt * cosTurn * x + sinTurn * y + sinTilt * cosTurn * z;
  const north = -cosTilt * sinTurn * x + cosTurn * y - sinTilt * sinTurn * z;
  const up = Math.min(1, Math.max(-1, -sinTilt * x + cosTilt * z));
  return {
    latitude: rounded(Math.asin(up) / RADIAN),
    longitude: rounded(Math.atan2(north, east) / RADIAN) - pole.angle,
  };
}

/** `roundf`: halves away from zero. */
function rounded(degrees: number): number {
  const micro = Math.fround(degrees * 1_000_000);
  return (Math.sign(micro) * Math.floor(Math.abs(micro) + 0.5)) / 1_000_000;
}
