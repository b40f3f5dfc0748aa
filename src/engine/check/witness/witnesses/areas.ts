/** Areas of cells (`cell_area`) against the bounds of latitude and longitude: R² Δλ (sin φ₂ − sin φ₁) on a sphere. */
import type { ArrayNode } from "#core/metadata/array-metadata.ts";
import { textAttribute } from "#core/metadata/attribute.ts";
import { roleOf } from "#engine/many/axis.ts";
import type { StatedChange } from "#core/check/statement.ts";
import { evenStep } from "../change.ts";
import { plainNumber } from "../show.ts";
import { side, type WitnessView } from "../view.ts";

const [RADIUS, RADIANS] = [6_371_000, Math.PI / 180] as const;
/** Part by which the ellipsoid, or another radius, makes areas differ. */
const ROOM = 0.02;
const UNITS = /^(k?)m(?:\^|\*\*)?2$/;
/** Square metres for square kilometres, and others. */
const FACTORS = [1e6, 1e-6, 1e4, 1e-4, 100, 0.01];

export async function areasWitness(view: WitnessView): Promise<void> {
  for (const node of view.arrays) {
    const [, kilo] = UNITS.exec(textAttribute(node.attributes, "units")?.trim() ?? "") ?? [];
    if (textAttribute(node.attributes, "standard_name") !== "cell_area" || view.isTold(node.path)) continue;
    const [lat, lon] = (node.metadata.dimensionNames ?? []).map((name) => view.near(node, name ?? ""));
    const isGrid = node.metadata.shape.length === 2 && lat !== undefined && lon !== undefined;
    if (kilo === undefined || !isGrid || roleOf(lat) !== "latitude" || roleOf(lon) !== "longitude") continue;
    if (!view.isTold(lat.path) && !view.isTold(lon.path))
      await holdAreas(view, node, { lat, lon, unit: kilo === "" ? 1 : 1e6 });
  }
}

interface Grid {
  readonly lat: ArrayNode;
  readonly lon: ArrayNode;
  readonly unit: number;
}

async function holdAreas(view: WitnessView, node: ArrayNode, { lat, lon, unit }: Grid): Promise<void> {
  const name = textAttribute(lat.attributes, "bounds") ?? "";
  const bounds = view.near(lat, name);
  const [edges, longitudes] = [bounds && (await view.numbers(bounds)), await view.numbers(lon)];
  const width = evenStep(longitudes ?? [], 1e-3);
  const values = await view.numbers(node);
  const [rows = 0, columns = 0] = node.metadata.shape;
  if (edges?.length !== 2 * rows || width === undefined || values?.length !== rows * columns) return;
  if (values.every(Number.isNaN)) return;
  const sine = (at: number) => Math.sin((edges[at] ?? NaN) * RADIANS);
  const areas = values.map((_, at) => {
    const row = Math.floor(at / columns);
    return (RADIUS ** 2 * Math.abs(width * RADIANS * (sine(2 * row + 1) - sine(2 * row)))) / unit;
  });
  const isEach = (factor: number, of: (at: number) => number = (at) => at) =>
    values.every((_, at) => {
      const ratio = (values[of(at)] ?? NaN) / ((areas[at] ?? NaN) * factor);
      return Number.isNaN(ratio) || Math.abs(ratio - 1) <= ROOM;
    });
  const isRight = isEach(1);
  const factor = FACTORS.find((one) => isEach(one));
  const isTurned = isEach(1, (at) => (rows - 1 - Math.floor(at / columns)) * columns + (at % columns));
  // Areas of what is land, or of another grid, differ in other ways.
  if (!isRight && factor === undefined && !isTurned) return;
  const change: StatedChange = factor === undefined ? { kind: "reversed" } : { kind: "times", factor };
  const text = (of: Float64Array) => plainNumber(Number((of[0] ?? NaN).toPrecision(5)));
  view.hold(node, isRight, {
    quantity: "place",
    a: side("values", node.name, text(values)),
    b: side("bounds", name, text(areas)),
    differ: values.length,
    of: values.length,
    change,
    unit: textAttribute(node.attributes, "units"),
  });
}
