/**
 * Values of each level of a pyramid against the level that it was made from. However it was made (nearest, mean, mode,
 * median, least, greatest), a value lies within the range of those that its pixel covers; smoother filters take the
 * pixels beside these as well.
 */
import { arraysOfLevel, mainArray } from "#core/conventions/levels.ts";
import { finding } from "#core/findings/finding.ts";
import type { ArrayNode, HierarchyNode } from "#core/metadata/array-metadata.ts";
import { attribute } from "#core/metadata/attribute.ts";
import type { Selection } from "#core/plane/selection.ts";
import { levelsRead } from "#engine/describe/levels.ts";
import { side, type WitnessView } from "../view.ts";
import { endsOf } from "./attributes.ts";

/** Edge of the window of the coarser level that is looked at. */
const WINDOW = 96;
/** Pixels outside the range of what they cover: few in any level of the same image, with and without those beside. */
const [FEW_WIDE, FEW_NARROW, CLEAR] = [0.1, 0.3, 0.03];
const LEAST = 24;
/** Pixels that tell what pixels beside would explain, too: small images are resampled as they come. */
const LEAST_NARROW = 256;

export async function pyramidWitness(view: WitnessView): Promise<void> {
  if (!view.request.isDeep) return;
  for (const node of view.set.hierarchy.nodes.values()) {
    for (const { levels, convention } of levelsRead(node).sets) {
      for (const [index, level] of levels.entries()) {
        const source = convention === "ome" ? levels[index - 1] : levels.find(({ path }) => path === level.source);
        if (source !== undefined) await holdLevel(view, source.path, level.path, { index, isLabels: isLabels(node) });
      }
    }
  }
}

/** Labels of an image (OME-NGFF), by their attributes or place: numbers that stand for objects. */
const isLabels = ({ path, attributes }: HierarchyNode): boolean =>
  /(?:^|\/)labels\/[^/]+$/.test(path) ||
  [attributes, attribute(attributes, "ome")].some((of) => attribute(of, "image-label") !== undefined);

interface Level {
  readonly index: number;
  readonly isLabels: boolean;
}

async function holdLevel(view: WitnessView, finer: string, coarser: string, level: Level): Promise<void> {
  const { hierarchy } = view.set;
  const [fineNode, coarseNode] = [hierarchy.nodes.get(finer), hierarchy.nodes.get(coarser)];
  if (fineNode === undefined || coarseNode === undefined) return;
  const fine = arraysOfLevel(hierarchy, fineNode);
  for (const coarse of arraysOfLevel(hierarchy, coarseNode)) {
    const above = coarseNode.kind === "array" ? mainArray(fine) : fine.find(({ name }) => name === coarse.name);
    if (above !== undefined && !view.isTold(coarse.path) && !view.isTold(above.path))
      await holdValues(view, above, coarse, level);
  }
}

/** A plane of values, in rows. */
interface Plane {
  readonly rows: number;
  readonly columns: number;
  readonly values: Float64Array;
}

async function holdValues(view: WitnessView, fine: ArrayNode, coarse: ArrayNode, of: Level): Promise<void> {
  const [large, small] = [fine.metadata.shape, coarse.metadata.shape];
  const ratios = large.map((length, axis) => length / (small[axis] ?? 1));
  const [down = 1, across = 1] = ratios.slice(-2);
  const isPyramid =
    small.length >= 2 && large.length === small.length && [down, across].every((ratio) => ratio > 1.4 && ratio <= 8);
  if (!isPyramid || ratios.slice(0, -2).some((ratio) => ratio !== 1)) return;
  const size = small.slice(-2).map((length) => Math.min(WINDOW, length));
  const from = small.slice(-2).map((length, axis) => Math.floor((length - (size[axis] ?? 0)) / 2));
  const box = (shape: readonly number[], scale: readonly number[]): Selection =>
    shape.map((length, axis) => {
      const plane = axis - shape.length + 2;
      if (plane < 0) return { start: Math.floor(length / 2), step: 1, count: 1, dropped: false };
      const [start = 0, count = 0] = [from, size].map((each) => Math.round((each[plane] ?? 0) * (scale[plane] ?? 1)));
      return { start, step: 1, count: Math.min(length - start, count), dropped: false };
    });
  const boxes = [box(large, [down, across]), box(small, [1, 1])] as const;
  const [below, own] = [await view.part(fine, boxes[0]), await view.part(coarse, boxes[1])];
  if (below === undefined || own === undefined) return;
  const plane = (values: Float64Array, selection: Selection): Plane => ({
    values,
    rows: selection.at(-2)?.count ?? 0,
    columns: selection.at(-1)?.count ?? 0,
  });
  const planes = [plane(below, boxes[0]), plane(own, boxes[1])] as const;
  compare(view, { fine, coarse, level: of.index }, ...planes);
  if (of.isLabels && !view.isTold(coarse.path)) holdLabels(view, { fine, coarse, level: of.index }, ...planes);
}

interface Pair {
  readonly fine: ArrayNode;
  readonly coarse: ArrayNode;
  readonly level: number;
}

/** Pixels of labels that the finer level does not have, at least: at the edges of the window they may lie beyond it. */
const LEAST_LABELS = 4;

/** A coarser level of labels has those of the finer one: what is between two of them stands for no object. */
function holdLabels(view: WitnessView, { fine: above, coarse: node, level }: Pair, fine: Plane, coarse: Plane): void {
  const labels = new Set(fine.values);
  const { rows, columns, values } = coarse;
  const isInside = (at: number) =>
    at % columns > 1 && at % columns < columns - 2 && at >= 2 * columns && at < (rows - 2) * columns;
  const odd = values.reduce((sum, value, at) => sum + Number(isInside(at) && !labels.has(value)), 0);
  if (odd < LEAST_LABELS || !["int", "uint"].includes(node.metadata.dataType.kind)) return;
  const means = { mean: meanOf(values), otherMean: meanOf(fine.values) };
  const facts = { path: node.path, level, other: above.path, outside: odd / values.length, ...means };
  const found = finding("level-of-other-values", view.placeOf(node), {
    ...facts,
    change: "averaged",
    factor: undefined,
  });
  view.tell(found, node.path);
}

type Change = "turned-rows" | "turned-columns" | "turned" | "transposed" | "moved" | "times" | undefined;

function compare(view: WitnessView, about: Pair, fine: Plane, coarse: Plane): void {
  const { fine: above, coarse: node, level } = about;
  const narrow = outside(fine, coarse, 0);
  const wide = narrow.share > FEW_WIDE ? outside(fine, coarse, 1) : narrow;
  const isOther =
    (narrow.of >= LEAST && wide.share > FEW_WIDE) || (narrow.of >= LEAST_NARROW && narrow.share > FEW_NARROW);
  const [a, b] = [side("level", node.path, ""), side("level", above.path, "")];
  view.hold(node, !isOther, { quantity: "level", a, b }, false);
  if (!isOther) return;
  const [change, factor] = changeOf(fine, coarse);
  const facts = {
    path: node.path,
    level,
    other: above.path,
    outside: wide.share > FEW_WIDE ? wide.share : narrow.share,
    mean: meanOf(coarse.values),
    otherMean: meanOf(fine.values),
    change,
    factor,
  };
  view.tell(finding("level-of-other-values", view.placeOf(node), facts), node.path);
}

function changeOf(fine: Plane, coarse: Plane): readonly [Change, number | undefined] {
  const fits = (plane: Plane) => outside(fine, plane, 0).share < CLEAR || outside(fine, plane, 1).share < CLEAR / 3;
  const { rows, columns, values } = coarse;
  const taken = (from: (row: number, column: number) => number): Plane => ({
    rows,
    columns,
    values: values.map((_, at) => values[from(Math.floor(at / columns), at % columns)] ?? NaN),
  });
  const inside = (row: number, column: number) =>
    row < 0 || row >= rows || column < 0 || column >= columns ? -1 : row * columns + column;
  const isMoved = (down: number, across: number) => fits(taken((row, column) => inside(row + down, column + across)));
  if (fits(taken((row, column) => inside(rows - 1 - row, column)))) return ["turned-rows", undefined];
  if (fits(taken((row, column) => inside(row, columns - 1 - column)))) return ["turned-columns", undefined];
  if (fits(taken((row, column) => inside(rows - 1 - row, columns - 1 - column)))) return ["turned", undefined];
  if (rows === columns && fits(taken((row, column) => inside(column, row)))) return ["transposed", undefined];
  if ([1, -1].some((by) => isMoved(by, 0) || isMoved(0, by) || isMoved(by, by))) return ["moved", undefined];
  const factor = meanOf(values) / meanOf(fine.values);
  const isTimes = Math.abs(factor - 1) > 0.05 && fits({ rows, columns, values: values.map((value) => value / factor) });
  return isTimes ? ["times", factor] : [undefined, undefined];
}

function meanOf(values: Float64Array): number {
  let [sum, count] = [0, 0];
  for (const value of values) if (!Number.isNaN(value)) [sum, count] = [sum + value, count + 1];
  return sum / count;
}

/** Share of values outside the range of the pixels that theirs covers, and as many pixels beside as `margin` says. */
function outside(fine: Plane, coarse: Plane, margin: number): { readonly share: number; readonly of: number } {
  const [down, across] = [fine.rows / coarse.rows, fine.columns / coarse.columns];
  const [least, most] = endsOf(fine.values);
  const tolerance = Math.max((most - least) * 0.01, 1e-6 * Math.abs(most));
  let [odd, lost, of] = [0, 0, 0];
  for (let row = 0; row < coarse.rows; row += 1) {
    for (let column = 0; column < coarse.columns; column += 1) {
      const value = coarse.values[row * coarse.columns + column] as number;
      const [top, left] = [row - margin, column - margin];
      const range = rangeIn(fine, [top, row + 1 + margin, down], [left, column + 1 + margin, across]);
      if (range === undefined || (Number.isNaN(value) && !range[2])) continue;
      of += 1;
      if (Number.isNaN(value)) lost += 1;
      // Means of integers are rounded.
      if (value < Math.floor(range[0]) - tolerance || value > Math.ceil(range[1]) + tolerance) odd += 1;
    }
  }
  // Some ways to average give no value beside missing ones; most of an image is not lost so.
  return { share: of === 0 ? 0 : (odd + (lost * 2 > of ? lost : 0)) / of, of };
}

type Side = readonly [from: number, to: number, scale: number];

function rangeIn(
  { rows, columns, values }: Plane,
  [top, bottom, down]: Side,
  [left, right, across]: Side,
): readonly [least: number, most: number, isWhole: boolean] | undefined {
  let [least, most, isWhole] = [Infinity, -Infinity, true];
  const ends = (from: number, to: number, scale: number, length: number) =>
    [Math.max(0, Math.floor(from * scale)), Math.min(length, Math.ceil(to * scale))] as const;
  const [row0, row1] = ends(top, bottom, down, rows);
  const [column0, column1] = ends(left, right, across, columns);
  for (let row = row0; row < row1; row += 1) {
    for (let column = column0; column < column1; column += 1) {
      const value = values[row * columns + column] as number;
      if (value < least) least = value;
      if (value > most) most = value;
      if (Number.isNaN(value)) isWhole = false;
    }
  }
  return least > most ? undefined : [least, most, isWhole];
}
