/**
 * Meanings of standard names: the dimension, and the range in which its mean lies on Earth (CF Standard Name Table, 86;
 * ranges are wide, by the extremes that were measured). Units as far as these quantities need them.
 */

interface Unit {
  readonly dimension: string;
  /** SI value = factor × value + offset. */
  readonly factor: number;
  readonly offset?: number;
}

const UNITS: ReadonlyMap<string, Unit> = new Map(
  (
    [
      ["K kelvin degree_K degrees_kelvin", "temperature", 1],
      ["degC C celsius deg_C degree_C degrees_C degree_Celsius degrees_Celsius °C", "temperature", 1, 273.15],
      ["degF F fahrenheit degree_F", "temperature", 5 / 9, 255.372],
      ["Pa pascal", "pressure", 1],
      ["hPa mbar millibar millibars mb", "pressure", 100],
      ["kPa", "pressure", 1000],
      ["dbar decibar", "pressure", 1e4],
      ["bar", "pressure", 1e5],
      ["m metre meter metres meters", "length", 1],
      ["km kilometre", "length", 1000],
      ["cm", "length", 0.01],
      ["mm millimetre", "length", 0.001],
      ["m/s m_s-1 m_s**-1 m_s^-1 m.s-1 ms-1", "speed", 1],
      ["km/h km_h-1 kph", "speed", 1 / 3.6],
      ["knot knots kt", "speed", 0.514_444],
      ["cm/s cm_s-1", "speed", 0.01],
      ["kg_kg-1 kg_kg**-1 kg/kg 1 - kg_kg^-1", "ratio", 1],
      ["g_kg-1 g/kg g_kg**-1 1e-3 psu PSU 0.001 ‰", "ratio", 1e-3],
      ["% percent", "ratio", 0.01],
      ["W_m-2 W/m2 W_m**-2 W_m^-2", "flux", 1],
      ["kg_m-2 kg/m2 kg_m**-2 kg_m^-2", "mass per area", 1],
      ["kg_m-2_s-1 kg/m2/s kg_m**-2_s**-1 kg_m^-2_s^-1", "mass flux", 1],
      ["mm/day mm_day-1 mm/d mm_d-1", "mass flux", 1 / 86_400],
      ["mm/h mm_h-1 mm/hr mm_hr-1", "mass flux", 1 / 3600],
    ] as const
  ).flatMap(([names, dimension, factor, offset = 0]) =>
    names.split(" ").map((name) => [name.replaceAll("_", " "), { dimension, factor, offset }] as const),
  ),
);

/** A unit by any of its names, also with underscores, as in `degrees_C`. */
export const unitNamed = (units: string): Unit | undefined => {
  const text = units.trim();
  return UNITS.get(text) ?? UNITS.get(text.replaceAll("_", " ")) ?? UNITS.get(text.toLowerCase());
};

/** A number in another unit is number × scale + shift. */
export interface Conversion {
  readonly scale: number;
  readonly shift: number;
}

/** `undefined` where a unit is not known, or they are of two dimensions. Salinities are numbers of one scale in all units. */
export function conversionBetween(from: string, to: string): Conversion | undefined {
  const [one, other] = [unitNamed(from), unitNamed(to)];
  if (one === undefined || other === undefined || one.dimension !== other.dimension) return undefined;
  if ([from, to].some((units) => /^psu$/i.test(units.trim()))) return { scale: 1, shift: 0 };
  return { scale: one.factor / other.factor, shift: ((one.offset ?? 0) - (other.offset ?? 0)) / other.factor };
}

interface Kind {
  readonly dimension: string;
  /** Range of the mean of a field, in SI. */
  readonly range: readonly [number, number];
}

const KINDS: ReadonlyMap<string, Kind> = new Map(
  (
    [
      ["air_temperature surface_temperature dew_point_temperature", "temperature", 150, 350],
      ["soil_temperature brightness_temperature", "temperature", 150, 350],
      ["sea_water_temperature sea_water_potential_temperature sea_surface_temperature", "temperature", 265, 310],
      ["sea_surface_foundation_temperature sea_surface_skin_temperature", "temperature", 265, 310],
      ["air_pressure_at_mean_sea_level air_pressure_at_sea_level", "pressure", 85_000, 110_000],
      ["surface_air_pressure", "pressure", 45_000, 112_000],
      ["air_pressure", "pressure", 0.01, 108_000],
      ["depth", "length", -50, 11_100],
      ["altitude height", "length", -500, 1_000_000],
      ["wind_speed eastward_wind northward_wind x_wind y_wind wind_speed_of_gust", "speed", -120, 120],
      // The practical scale has the unit 1, and its numbers are those of g/kg.
      ["sea_water_salinity sea_water_practical_salinity sea_surface_salinity", "ratio", 0.002, 45],
      ["relative_humidity", "ratio", 0.005, 1.2],
      ["specific_humidity", "ratio", 0, 0.05],
      ["cloud_area_fraction sea_ice_area_fraction land_area_fraction land_binary_mask area_fraction", "ratio", 0, 1.01],
      ["geopotential_height", "length", -500, 60_000],
      ["sea_surface_height_above_geoid sea_surface_height_above_mean_sea_level", "length", -150, 150],
      ["sea_surface_height_above_reference_ellipsoid", "length", -150, 150],
      ["precipitation_flux rainfall_flux convective_precipitation_flux", "mass flux", 0, 0.02],
      ["snow_depth surface_snow_thickness", "length", 0, 20],
    ] as const
  ).flatMap(([names, dimension, least, most]) =>
    names.split(" ").map((name) => [name, { dimension, range: [least, most] }] as const),
  ),
);

/** Short names of GRIB that are one of these. */
const SHORT: ReadonlyMap<string, string> = new Map([
  ...["2t", "t2m", "tas", "tasmax", "tasmin"].map((name) => [name, "air_temperature"] as const),
  ...["msl", "psl"].map((name) => [name, "air_pressure_at_mean_sea_level"] as const),
  ["sst", "sea_surface_temperature"],
]);

export const kindNamed = (standardName: string | undefined, name: string): Kind | undefined =>
  KINDS.get(standardName ?? SHORT.get(name) ?? "");

/** Units of one dimension in which a mean lies in the range of such a quantity. */
export function unitsThatFit(mean: number, { dimension, range: [least, most] }: Kind): readonly string[] {
  const fitting = new Map<number, string>();
  for (const [name, unit] of UNITS) {
    const value = mean * unit.factor + (unit.offset ?? 0);
    const key = unit.factor * 1000 + (unit.offset ?? 0);
    if (unit.dimension === dimension && value >= least && value <= most && !fitting.has(key)) fitting.set(key, name);
  }
  return [...fitting.values()];
}
