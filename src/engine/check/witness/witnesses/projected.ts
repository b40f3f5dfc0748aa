/**
 * Latitudes and longitudes of a plane against its two axes and their grid mapping: rotated poles, and Lambert's conformal
 * conic projection (CF appendix F; Snyder, Map Projections, 1987, equations 15-1 to 15-11 and 14-1 to 14-15).
 */
import type { ArrayNode } from "#core/metadata/array-metadata.ts";
import { attribute, textAttribute } from "#core/metadata/attribute.ts";
import { middle } from "#engine/check/values/value-rule.ts";
import { changeBetween, differing, TURN } from "../change.ts";
import { shower } from "../show.ts";
import { side, type WitnessView } from "../view.ts";

const RADIANS = Math.PI / 180;

type Place = readonly [latitude: number, longitude: number];
type Inverse = (y: number, x: number) => Place;

export async function projectedWitness(view: WitnessView): Promise<void> {
  for (const mapping of view.arrays) {
    const inverse = inverseOf(mapping);
    if (inverse === undefined || view.isTold(mapping.path)) continue;
    for (const node of view.beside(mapping)) {
      const standard = textAttribute(node.attributes, "standard_name");
      const isPlace = (standard === "latitude" || standard === "longitude") && node.metadata.shape.length === 2;
      if (isPlace && !view.isTold(node.path) && !view.isTold(mapping.path))
        await holdPlaces(view, { node, mapping, inverse, at: standard === "latitude" ? 0 : 1 });
    }
  }
}

const numberOf = (node: ArrayNode, name: string): number | undefined => {
  const value = attribute(node.attributes, name);
  return typeof value === "number" ? value : undefined;
};

function inverseOf(node: ArrayNode): Inverse | undefined {
  const name = textAttribute(node.attributes, "grid_mapping_name");
  if (name === "lambert_conformal_conic") return lambert(node);
  const [north, east] = [numberOf(node, "grid_north_pole_latitude"), numberOf(node, "grid_north_pole_longitude")];
  if (name !== "rotated_latitude_longitude" || north === undefined || east === undefined) return undefined;
  const from = numberOf(node, "north_pole_grid_longitude") ?? 0;
  const [sin, cos] = [Math.sin(north * RADIANS), Math.cos(north * RADIANS)];
  return (y, x) => {
    const [phi, lambda] = [y * RADIANS, (x - from) * RADIANS];
    const across = Math.cos(lambda) * Math.cos(phi);
    const along = cos * Math.sin(phi) - sin * across;
    const turn = Math.atan2(Math.sin(lambda) * Math.cos(phi), along);
    return [Math.asin(cos * across + sin * Math.sin(phi)) / RADIANS, east - turn / RADIANS];
  };
}

function lambert(node: ArrayNode): Inverse | undefined {
  const parallels = [attribute(node.attributes, "standard_parallel")].flat().map(Number);
  const [first = NaN, second = first] = parallels.map((one) => one * RADIANS);
  const radius = numberOf(node, "semi_major_axis") ?? numberOf(node, "earth_radius") ?? NaN;
  const flattening = 1 / (numberOf(node, "inverse_flattening") ?? Infinity);
  const e = Math.sqrt(2 * flattening - flattening ** 2);
  const origin = (numberOf(node, "latitude_of_projection_origin") ?? NaN) * RADIANS;
  const meridian = numberOf(node, "longitude_of_central_meridian") ?? NaN;
  const [easting, northing] = ["false_easting", "false_northing"].map((name) => numberOf(node, name) ?? 0);
  const bent = (phi: number) => ((1 - e * Math.sin(phi)) / (1 + e * Math.sin(phi))) ** (e / 2);
  const t = (phi: number) => Math.tan(Math.PI / 4 - phi / 2) / bent(phi);
  const m = (phi: number) => Math.cos(phi) / Math.sqrt(1 - (e * Math.sin(phi)) ** 2);
  const isOne = Math.abs(first - second) < 1e-9;
  const n = isOne ? Math.sin(first) : Math.log(m(first) / m(second)) / Math.log(t(first) / t(second));
  const scale = (radius * m(first)) / (n * t(first) ** n);
  const top = scale * t(origin) ** n;
  if (Number.isNaN(top + meridian)) return undefined;
  return (y, x) => {
    const [east, south] = [x - (easting ?? 0), top - (y - (northing ?? 0))];
    const own = (Math.hypot(east, south) / Math.abs(scale)) ** (1 / n);
    let phi = Math.PI / 2 - 2 * Math.atan(own);
    for (let round = 0; round < 6; round += 1) phi = Math.PI / 2 - 2 * Math.atan(own * bent(phi));
    return [phi / RADIANS, meridian + Math.atan2(Math.sign(n) * east, Math.sign(n) * south) / n / RADIANS];
  };
}

interface Places {
  readonly node: ArrayNode;
  readonly mapping: ArrayNode;
  readonly inverse: Inverse;
  readonly at: 0 | 1;
}

/** Share of a cell that other figures of the Earth, or few digits, may make. */
const ROOM = 0.4;

async function holdPlaces(view: WitnessView, { node, mapping, inverse, at }: Places): Promise<void> {
  const [y, x] = (node.metadata.dimensionNames ?? []).map((name) => view.near(node, name ?? ""));
  const [rows = 0, columns = 0] = node.metadata.shape;
  const [values, ys, xs] = [await view.numbers(node), y && (await view.numbers(y)), x && (await view.numbers(x))];
  if (values === undefined || ys?.length !== rows || xs?.length !== columns || rows < 3 || columns < 3) return;
  const units = [y, x].map((one) => (one === undefined ? "" : textAttribute(one.attributes, "units")));
  const isLength = units.every((unit) => unit === "m" || unit === "km");
  if (!isLength && units.some((unit) => unit !== "degrees" && unit !== "degree")) return;
  // False easting and northing are in the units of x and y (CF appendix F).
  const placed = (scale: number, easting = scale): Float64Array => {
    const [north, east] = ["false_northing", "false_easting"].map(
      (name) => (numberOf(mapping, name) ?? 0) * (1 - easting),
    );
    return values.map((_, index) => {
      const [row, column] = [ys[Math.floor(index / columns)] ?? NaN, xs[index % columns] ?? NaN];
      return isLength
        ? inverse(row * scale + (north ?? 0), column * scale + (east ?? 0))[at]
        : inverse(row, column)[at];
    });
  };
  const numbers = placed(units[1] === "km" ? 1000 : 1);
  const steps = Array.from(numbers.subarray(columns + 1), (value, index) => Math.abs(value - (numbers[index] ?? NaN)));
  const cell = middle(steps.map((step) => Math.abs(step - TURN * Math.round(step / TURN))));
  const options = { tolerance: cell * ROOM, wraps: at === 1 };
  const wrong = differing({ numbers: values }, { numbers }, options);
  const turnedBy = (from: (index: number) => number) =>
    differing({ numbers: values.map((_, index) => values[from(index)] ?? NaN) }, { numbers }, options).length === 0;
  const isTurned =
    turnedBy((index) => (rows - 1 - Math.floor(index / columns)) * columns + (index % columns)) ||
    turnedBy((index) => Math.floor(index / columns) * columns + columns - 1 - (index % columns));
  const fits = (other: Float64Array) => differing({ numbers: values }, { numbers: other }, options).length === 0;
  if (isLength && wrong.length > 0 && y !== undefined) {
    const data = (value: string) => side("data", "latitude and longitude", value);
    const [said = "", easting = 0] = [units[1], numberOf(mapping, "false_easting")];
    const isMetres = said === "km" && fits(placed(1000, 1));
    const meant = said === "km" ? [placed(1)] : [placed(1000, 1), placed(1000)];
    const [told, name, number] = isMetres ? [mapping, "false_easting", `${easting} `] : [y, `units of ${y.name}`, ""];
    const [a, b] = [side("attribute", name, number + said), data(number + (said === "km" ? "m" : "km"))];
    if (isMetres || meant.some(fits)) return view.disagree(told, { quantity: "units", a, b }, node.path, mapping.path);
  }
  const [position = 0] = wrong;
  const { show, unit } = shower(node);
  view.hold(node, wrong.length === 0, {
    quantity: "place",
    a: side("values", node.name, show(values[position] ?? NaN, 0)),
    b: side("sum", mapping.name, show(numbers[position] ?? NaN, 0)),
    position,
    differ: wrong.length,
    of: values.length,
    change: isTurned
      ? { kind: "reversed" }
      : changeBetween({ numbers: values }, { numbers }, { ...options, tolerance: cell * 0.02 }),
    unit,
  });
}
