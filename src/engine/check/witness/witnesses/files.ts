/**
 * Statements of a source file besides its chunks: coordinates and other small arrays that the set has inline, and
 * variables that the set lacks although another one names them.
 */
import { finding, nodeAt } from "#core/findings/finding.ts";
import { parsed } from "#core/json/parse-json.ts";
import type { ArrayNode } from "#core/metadata/array-metadata.ts";
import { textAttribute } from "#core/metadata/attribute.ts";
import { nodeName, parentOf } from "#core/metadata/hierarchy-path.ts";
import type { SourceArray, SourceFile } from "#core/source-file.ts";
import { oncePer } from "#engine/kept.ts";
import { lastPart } from "#engine/chunk/sources.ts";
import { type HeldFile, textsInFile, valuesInFile } from "#engine/check/held/held-files.ts";
import { hasNumbers } from "#core/metadata/data-type.ts";
import { quoted } from "#core/words.ts";
import { differing, evenStep } from "../change.ts";
import { inUnitsOf, plainCalendar, secondsIn, timeIn, timeOf } from "../units.ts";
import { shower } from "../show.ts";
import { side, type Statement, type WitnessView } from "../view.ts";

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
  for (const node of view.arrays) {
    if (!(isInline(view, node) || isLeftOut(view, node)) || view.isTold(node.path)) continue;
    holdCalendar(view, node, first);
    // Each of several files has its own part of what they follow each other along.
    const same = files.filter((held) => arrayIn(held, node)?.shape.join() === node.metadata.shape.join());
    if (!view.isTold(node.path)) await (hasNumbers(node.metadata.dataType) ? holdInline : holdTexts)(view, node, same);
  }
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
    const group = parentOf(node);
    const lackingOf = (name: string) => byName.get(group === "" ? name : `${group}/${name}`) ?? byName.get(name);
    for (const attribute of NAMING)
      for (const name of namesIn(textAttribute(node.attributes, attribute) ?? "")) {
        const left = lackingOf(name);
        if (left !== undefined && !namedBy.has(left)) namedBy.set(left, { node, attribute });
      }
    for (const name of node.metadata.dimensionNames ?? []) {
      const left = lackingOf(name ?? "");
      const isCoordinate = left?.dimensions.length === 1 && left.dimensions[0] === name;
      if (left !== undefined && isCoordinate && !namedBy.has(left))
        namedBy.set(left, { node, attribute: "_ARRAY_DIMENSIONS" });
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

const arraysOf = oncePer(({ arrays }: SourceFile) => new Map(arrays.map((array) => [array.path, array])));

const arrayIn = ({ file }: HeldFile, { path }: ArrayNode): SourceArray | undefined => arraysOf(file).get(path);

function isInline({ set }: WitnessView, { path }: ArrayNode): boolean {
  const counts = set.tally.arrays.get(path);
  return counts !== undefined && counts.references > 0 && counts.states.inline === counts.references;
}

/** Compact storage has no place in a file that a reference could name: a number of it reads as the fill value. */
const isLeftOut = ({ set }: WitnessView, { path, metadata, attributes }: ArrayNode): boolean =>
  (set.tally.arrays.get(path)?.references ?? 0) === 0 &&
  metadata.shape.length === 0 &&
  // The number of a grid mapping means nothing.
  ["units", "standard_name"].some((name) => textAttribute(attributes, name) !== undefined);

function holdCalendar(view: WitnessView, node: ArrayNode, held: HeldFile): void {
  const array = arrayIn(held, node);
  const [own, theirs] = [timeOf(node), array && timeIn(array)].map((time) => time && plainCalendar(time));
  if (own === undefined || theirs === undefined) return;
  const [a, b] = [side("attribute", "calendar", own), side("file", lastPart(held.target), theirs)];
  view.hold(node, own === theirs, { quantity: "calendar", a, b });
}

/** Files of which the values are read. */
const MAX_FILES = 3;

async function holdInline(view: WitnessView, node: ArrayNode, files: readonly HeldFile[]): Promise<void> {
  const values = isLeftOut(view, node) ? Float64Array.of(Number(node.metadata.fillValue)) : await view.numbers(node);
  const cell = values === undefined || node.metadata.shape.length > 1 ? undefined : evenStep(values);
  const options = { tolerance: Math.abs(cell ?? 0) * 1e-3, cell, seconds: secondsIn(timeOf(node)?.units) };
  const stated: Statement[] = [];
  for (const held of values === undefined ? [] : files.slice(0, MAX_FILES)) {
    const array = arrayIn(held, node);
    const stored = array && (await valuesInFile(held, array, view.context));
    const numbers = array && stored && inUnitsOf(node, array, stored);
    const source = { kind: "file", name: lastPart(held.target) } as const;
    if (numbers !== undefined && numbers.length === values?.length) stated.push({ numbers, source });
  }
  const [first] = stated;
  if (values === undefined || first === undefined) return;
  // One of the files is enough to have it from; those that differ among themselves say nothing.
  const right = stated.find((one) => differing({ numbers: values }, one, options).length === 0);
  const isOne = stated.every((one) => differing(first, one, options).length === 0);
  if (!isLeftOut(view, node)) {
    if (right !== undefined || isOne) view.state(node, values, [right ?? first], options);
  } else if (right === undefined && isOne) {
    const shown = (numbers: ArrayLike<number>) => shower(node).show(numbers[0] ?? NaN, 0);
    const [a, b] = [
      side("attribute", "fill_value", shown(values)),
      { source: first.source, value: shown(first.numbers) },
    ];
    view.disagree(node, { quantity: "place", a, b, change: { kind: "left-out" } });
  }
}

async function holdTexts(view: WitnessView, node: ArrayNode, [held]: readonly HeldFile[]): Promise<void> {
  const array = held && arrayIn(held, node);
  const [texts, theirs] = [await view.texts(node), array && (await textsInFile(held, array, view.context))];
  if (held === undefined || texts === undefined || theirs?.length !== texts.length) return;
  const plain = (text: string) => text.replace(/[\s\0]+$/, "");
  const isSame = (text: string, other: string) => other === "" || plain(text) === plain(other);
  const differ = texts.flatMap((text, at) => (isSame(text, theirs[at] ?? "") ? [] : [at]));
  const [position = 0] = differ;
  const [a, b] = [texts, theirs].map((all) => quoted(all[position] ?? "", 60)) as [string, string];
  const isSwap = differ.length === 2 && texts[differ[0] ?? 0] === theirs[differ[1] ?? 0];
  view.hold(node, differ.length === 0, {
    quantity: "place",
    a: side("values", node.name, a),
    b: side("file", lastPart(held.target), b),
    position,
    differ: differ.length,
    of: texts.length,
    change: isSwap ? { kind: "swapped", positions: differ } : undefined,
  });
}
