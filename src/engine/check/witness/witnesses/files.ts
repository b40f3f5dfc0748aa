/**
 * Statements of a source file besides its chunks: coordinates and other small arrays that the set has inline, and
 * variables that the set lacks although another one names them.
 */
import { finding, nodeAt } from "#core/findings/finding.ts";
import { parsed } from "#core/json/parse-json.ts";
import type { ArrayNode } from "#core/metadata/array-metadata.ts";
import { textAttribute } from "#core/metadata/attribute.ts";
import { nodeName, parentOf } from "#core/metadata/hierarchy-path.ts";
import type { SourceArray } from "#core/source-file.ts";
import { lastPart } from "#engine/chunk/sources.ts";
import { type HeldFile, valuesInFile } from "#engine/check/held/held-files.ts";
import { evenStep } from "../change.ts";
import { inUnitsOf, secondsIn, timeOf } from "../units.ts";
import type { WitnessView } from "../view.ts";

/** Attributes that name other variables (CF §5 to §7). */
const NAMING = [
  "coordinates",
  "ancillary_variables",
  "bounds",
  "grid_mapping",
  "cell_measures",
  "formula_terms",
  "node_coordinates",
] as const;

export async function filesWitness(view: WitnessView): Promise<void> {
  const files = (view.request.held ?? []).filter(({ file }) => file.isArranged !== true);
  const [first] = files;
  if (first === undefined) return;
  noteLeftOut(view, first);
  // Each of several files has its own part of what they follow each other along.
  if (files.length === 1) for (const node of view.arrays) await holdInline(view, node, first);
}

const namesIn = (text: string): readonly string[] =>
  text.split(/\s+/).filter((name) => name !== "" && !name.endsWith(":"));

function noteLeftOut(view: WitnessView, { file, target }: HeldFile): void {
  const { nodes } = view.set.hierarchy;
  // The set may have put the file into a group of its own.
  const here = new Set(view.arrays.map(({ name }) => name));
  const lacking = file.arrays.filter(({ path }) => !nodes.has(path) && !here.has(nodeName(path)));
  if (lacking.length === 0) return;
  const byName = new Map(lacking.map((array) => [array.path, array]));
  const namedBy = new Map<SourceArray, { readonly node: ArrayNode; readonly attribute: string }>();
  for (const node of view.arrays) {
    for (const attribute of NAMING) {
      for (const name of namesIn(textAttribute(node.attributes, attribute) ?? "")) {
        const group = parentOf(node);
        const left = byName.get(group === "" ? name : `${group}/${name}`) ?? byName.get(name);
        if (left !== undefined && !namedBy.has(left)) namedBy.set(left, { node, attribute });
      }
    }
  }
  const about = ({ shape, dtype }: SourceArray) => ({ file: lastPart(target), shape, dtype: plainType(dtype) });
  for (const [array, { node, attribute }] of namedBy) {
    const facts = { ...about(array), names: [array.path], by: node.path, attribute };
    view.tell(finding("variable-left-out", nodeAt(node.path), facts));
  }
  const others = lacking.filter((array) => !namedBy.has(array));
  const [one] = others;
  if (one === undefined) return;
  const names = others.map(({ path }) => path).slice(0, 20);
  const facts = { ...about(one), names, by: undefined, attribute: undefined };
  view.tell(finding("variable-left-out", nodeAt(""), facts, others.length));
}

const plainType = (dtype: string): string => {
  const type = parsed(dtype);
  return typeof type === "string" ? type : "a compound type";
};

async function holdInline(view: WitnessView, node: ArrayNode, held: HeldFile): Promise<void> {
  const counts = view.set.tally.arrays.get(node.path);
  const own = held.file.arrays.find(({ path }) => path === node.path);
  const isInline = counts !== undefined && counts.references > 0 && counts.states.inline === counts.references;
  const isSame =
    own?.shape.length === node.metadata.shape.length &&
    own.shape.every((length, axis) => length === node.metadata.shape[axis]);
  if (own === undefined || !isInline || !isSame || node.metadata.shape.length > 1 || view.isTold(node.path)) return;
  const [values, stored] = [await view.numbers(node), await valuesInFile(held, own, view.context)];
  const theirs = stored === undefined || values === undefined ? undefined : inUnitsOf(node, own, stored);
  if (values === undefined || theirs === undefined || values.length !== theirs.length) return;
  const cell = evenStep(values);
  const source = { kind: "file", name: lastPart(held.target) } as const;
  const options = { tolerance: Math.abs(cell ?? 0) * 1e-3, cell, seconds: secondsIn(timeOf(node)?.units) };
  view.state(node, values, [{ numbers: theirs, source }], options);
}
