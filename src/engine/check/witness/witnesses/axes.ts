/** Attributes of one coordinate against each other: its standard name, `axis`, `positive` (CF §4) and units. */
import type { ArrayNode } from "#core/metadata/array-metadata.ts";
import { textAttribute } from "#core/metadata/attribute.ts";
import { isCoordinate } from "#core/metadata/hierarchy-path.ts";
import { nearName } from "#core/words/near-name.ts";
import { side, type WitnessView } from "../view.ts";

interface Direction {
  readonly axis: "T" | "X" | "Y" | "Z";
  readonly positive?: "up" | "down";
  /** Units that are another's. */
  readonly foreign?: RegExp;
}

const [EAST, NORTH] = [/^degrees?_?e(?:ast)?$/i, /^degrees?_?n(?:orth)?$/i] as const;

const DIRECTIONS: ReadonlyMap<string, Direction> = new Map<string, Direction>([
  ["latitude", { axis: "Y", foreign: EAST }],
  ["grid_latitude", { axis: "Y" }],
  ["projection_y_coordinate", { axis: "Y" }],
  ["longitude", { axis: "X", foreign: NORTH }],
  ["grid_longitude", { axis: "X" }],
  ["projection_x_coordinate", { axis: "X" }],
  ["time", { axis: "T" }],
  ["depth", { axis: "Z", positive: "down" }],
  ["air_pressure", { axis: "Z", positive: "down" }],
  ["height", { axis: "Z", positive: "up" }],
  ["altitude", { axis: "Z", positive: "up" }],
]);

export async function axesWitness(view: WitnessView): Promise<void> {
  for (const node of view.arrays) if (!view.isTold(node.path)) await holdDirection(view, node);
}

async function holdDirection(view: WitnessView, node: ArrayNode): Promise<void> {
  const text = (name: string) => textAttribute(node.attributes, name)?.trim() ?? "";
  const [standard, axis, positive] = [text("standard_name"), text("axis"), text("positive").toLowerCase()];
  const direction = DIRECTIONS.get(standard);
  // Names that are a letter or two away from that of an axis are misspelled.
  const meant = direction === undefined && isCoordinate(node) ? nearName(standard, DIRECTIONS.keys()) : undefined;
  const [a, b] = [side("attribute", "standard_name", standard), side("convention", "CF", meant ?? "")];
  if (meant !== undefined) return view.disagree(node, { quantity: "units", a, b });
  const tell = (name: string, own: string, by = "standard_name") => {
    const about = { a: side("attribute", name, text(name)), b: side("attribute", by, own) };
    view.disagree(node, { quantity: "units", ...about });
  };
  const byUnits = NORTH.test(text("units")) ? "Y" : EAST.test(text("units")) ? "X" : axis;
  if (direction === undefined)
    return /^[TXYZ]$/i.test(axis) && axis.toUpperCase() !== byUnits.toUpperCase()
      ? tell("axis", `${text("units")} (${byUnits})`, "units")
      : undefined;
  if (direction.foreign?.test(text("units")) === true) return tell("units", standard);
  if (/^[TXYZ]$/i.test(axis) && axis.toUpperCase() !== direction.axis)
    return tell("axis", `${standard} (${direction.axis})`);
  if (!["up", "down"].includes(positive) || positive === (direction.positive ?? positive)) return;
  // Depths below zero are counted upwards.
  const values = await view.numbers(node);
  if (values?.some((value) => value > 0) === true && !values.some((value) => value < 0))
    tell("positive", `${standard} (${direction.positive})`);
}
