/**
 * Variables that attributes name (CF §3.4, §5, §7.1) and that are not there. Many datasets are part of larger ones, and
 * name what was left out on purpose: that is a note, unless others of the same kind are there or it was all that said
 * where projected data lie.
 */
import { groupedBy } from "#core/basics.ts";
import { factsOf, finding } from "#core/findings/finding.ts";
import type { ArrayNode } from "#core/metadata/array-metadata.ts";
import { textAttribute } from "#core/metadata/attribute.ts";
import { parentOf } from "#core/metadata/hierarchy-path.ts";
import type { WitnessView } from "../view.ts";
import { HORIZONTAL } from "./bounds.ts";
import { statedBy } from "./crs.ts";

/** Areas of cells are in files of their own, by custom. */
const KINDS = ["coordinates", "bounds", "ancillary_variables", "grid_mapping"] as const;
/** Notes of one set. */
const MAX_NOTES = 20;

export function namesWitness(view: WitnessView): Promise<void> {
  if (view.set.unlisted === true) return Promise.resolve();
  const leftOut = view.findings.flatMap((found) => factsOf(found, "variable-left-out")?.names ?? []);
  const noted = new Set(leftOut);
  const isMapping = ({ attributes }: ArrayNode) => textAttribute(attributes, "grid_mapping_name") !== undefined;
  const mappings = groupedBy(view.arrays.filter(isMapping), parentOf);
  for (const attribute of KINDS) {
    const named = view.arrays.flatMap((node) =>
      namesIn(textAttribute(node.attributes, attribute) ?? "").map((name) => ({
        node,
        name,
        there: view.near(node, name),
      })),
    );
    const here = named.filter(({ there }) => there !== undefined);
    const own = groupedBy(here, (one) => one.node);
    for (const { node, name, there } of named) {
      if (there !== undefined || view.isTold(node.path)) continue;
      // One of the same kind that is there: of another array or, for a grid mapping, under another name.
      const [beside, mapping] = [own.get(node)?.[0].name, mappings.get(parentOf(node))?.[0].path];
      const others = { bounds: here[0]?.name, ancillary_variables: beside, grid_mapping: mapping };
      const other = attribute === "coordinates" ? undefined : others[attribute];
      const losesCrs = attribute === "grid_mapping" && other === undefined && isUnplaced(view, node);
      const found = finding("named-absent", view.placeOf(node), { attribute, name, other, losesCrs });
      if (other !== undefined || losesCrs) view.tell(found, node.path);
      else if (!noted.has(name) && noted.size < leftOut.length + MAX_NOTES) view.findings.push(found);
      noted.add(name);
    }
  }
  return Promise.resolve();
}

/** An extended grid mapping has colons behind names, and coordinates behind these. */
const namesIn = (text: string): readonly string[] => {
  const words = text
    .trim()
    .split(/\s+/)
    .filter((name) => name !== "" && !name.startsWith("/"));
  const keyed = words.filter((name) => name.endsWith(":")).map((name) => name.slice(0, -1));
  return (keyed.length > 0 ? keyed : words).slice(0, 100);
};

/** Its x and y are projected, and neither its groups nor latitudes of its own say how. */
function isUnplaced(view: WitnessView, node: ArrayNode): boolean {
  const beside = (node.metadata.dimensionNames ?? []).flatMap((name) => view.near(node, name ?? "") ?? []);
  const isProjected = beside.some((one) => HORIZONTAL.test(textAttribute(one.attributes, "standard_name") ?? ""));
  const coordinates = (textAttribute(node.attributes, "coordinates") ?? "").split(/\s+/);
  const hasPlaces = coordinates.some((name) => name !== "" && view.near(node, name)?.metadata.shape.length === 2);
  const around = [node, view.groupOf(node), view.set.hierarchy.nodes.get("")];
  return isProjected && !hasPlaces && around.every((one) => one === undefined || statedBy(one).length === 0);
}
