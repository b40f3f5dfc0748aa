/**
 * Variables that attributes name (CF §3.4, §5.6, §7.1) and that are not there. Many datasets are part of larger ones, and
 * name what was left out on purpose: that is said only where others of the same kind are there.
 */
import { finding } from "#core/findings/finding.ts";
import type { ArrayNode } from "#core/metadata/array-metadata.ts";
import { textAttribute } from "#core/metadata/attribute.ts";
import { parentOf } from "#core/metadata/hierarchy-path.ts";
import type { WitnessView } from "../view.ts";

const KINDS = ["bounds", "ancillary_variables", "grid_mapping"] as const;

export function namesWitness(view: WitnessView): Promise<void> {
  if (view.set.unlisted === true) return Promise.resolve();
  for (const kind of KINDS) {
    const named = view.arrays.flatMap((node) =>
      namesIn(textAttribute(node.attributes, kind) ?? "").map((name) => ({ node, name, there: view.near(node, name) })),
    );
    const here = named.filter(({ there }) => there !== undefined);
    for (const { node, name, there } of named) {
      const other = otherOf(view, kind, node, here);
      if (there !== undefined || other === undefined || view.isTold(node.path)) continue;
      view.tell(finding("named-absent", view.placeOf(node), { attribute: kind, name, other }), node.path);
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

/** One of the same kind that is there: of another array or, for a grid mapping, under another name. */
function otherOf(
  view: WitnessView,
  kind: (typeof KINDS)[number],
  node: ArrayNode,
  here: readonly { readonly node: ArrayNode; readonly name: string }[],
): string | undefined {
  if (kind !== "grid_mapping") return here.find((one) => kind === "bounds" || one.node === node)?.name;
  return view.arrays.find(
    (one) => parentOf(one) === parentOf(node) && textAttribute(one.attributes, "grid_mapping_name") !== undefined,
  )?.path;
}
