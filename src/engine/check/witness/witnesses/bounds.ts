/**
 * Coordinates against their bounds (CF §7.1): they contain the coordinate, neighbours touch, and all axes of one grid lie
 * in the same part of their cells. Bounds of a climatology (§7.4) say nothing of where its times lie.
 */
import type { ArrayNode } from "#core/metadata/array-metadata.ts";
import { attribute, textAttribute } from "#core/metadata/attribute.ts";
import { isCoordinate } from "#core/metadata/hierarchy-path.ts";
import { finding } from "#core/findings/finding.ts";
import { roleOf } from "#engine/many/axis.ts";
import { describeCoordinate } from "#engine/check/values/coordinate-faults.ts";
import { middle, stepsOf } from "#engine/check/values/value-rule.ts";
import { differing, evenStep, TURN } from "../change.ts";
import { countsOf, scaleOf, secondsIn, secondsOf, timeFrom, timeOf } from "../units.ts";
import { side, type WitnessView } from "../view.ts";
import { plainNumber, shower } from "../show.ts";

interface Bounded {
  readonly node: ArrayNode;
  readonly name: string;
  readonly values: Float64Array;
  /** Least and greatest of each cell's bounds. */
  readonly low: Float64Array;
  readonly high: Float64Array;
  readonly vertices: number;
}

export async function boundsWitness(view: WitnessView): Promise<void> {
  const all: Bounded[] = [];
  for (const node of view.arrays) {
    const name = textAttribute(node.attributes, "bounds");
    const bounds = name === undefined ? undefined : view.near(node, name);
    if (name === undefined || bounds === undefined || bounds === node || view.isTold(node.path)) continue;
    const [rank, { shape }] = [node.metadata.shape.length, bounds.metadata];
    const vertices = shape[rank] ?? 0;
    // Tools that combine files give bounds of every coordinate the dimension along which files follow each other.
    if (shape.length > rank + 1 && node.metadata.shape.every((length, at) => length === shape.at(at - rank - 1)))
      continue;
    if (shape.length !== rank + 1 || node.metadata.shape.some((length, at) => length !== shape[at]) || vertices < 2) {
      const facts = { array: node.path, bounds: name, shape: node.metadata.shape, found: shape };
      view.tell(finding("bounds-unfit", view.placeOf(node), { problem: "shape", ...facts }), node.path);
      continue;
    }
    const [values, edges] = [await view.numbers(node), await view.numbers(bounds)];
    if (values === undefined || edges === undefined || values.some(Number.isNaN) || edges.some(Number.isNaN)) continue;
    all.push({ node, name, values, vertices, ...endsOf(inOwnUnits(node, bounds, edges), vertices) });
  }
  for (const one of all) {
    if (holdContained(view, one)) holdTouching(view, one);
    holdUnits(view, one);
  }
  const bounded = new Set(all.map(({ node }) => node));
  for (const node of view.arrays) if (!bounded.has(node)) await holdEven(view, node);
  holdMiddles(view, all);
}

/** Bounds may leave out units, or repeat those of their coordinate (CF §7.1): some readers give them these anyway. */
function holdUnits(view: WitnessView, { node, name }: Bounded): void {
  const bounds = view.near(node, name);
  const [own, theirs] = [timeOf(node), bounds && timeOfBounds(bounds, node)];
  if (own === undefined || theirs === undefined || view.isTold(node.path)) return;
  const [one, other] = [scaleOf(own), scaleOf(theirs)];
  const agrees = one.zero === other.zero && one.unit === other.unit;
  const said = (of: ArrayNode | undefined) => textAttribute(of?.attributes, "units") ?? "";
  const [a, b] = [side("bounds", name, said(bounds)), side("values", node.name, said(node))];
  if (!agrees) view.disagree(node, { quantity: "bounds", a, b });
}

/** The calendar, too, is that of the coordinate where bounds name none. */
const timeOfBounds = (bounds: ArrayNode, node: ArrayNode) =>
  timeFrom(
    textAttribute(bounds.attributes, "units"),
    attribute(bounds.attributes, "calendar") ?? attribute(node.attributes, "calendar"),
  );

/** Bounds have units of their own in some files, though they should not. */
function inOwnUnits(node: ArrayNode, bounds: ArrayNode, edges: Float64Array): Float64Array {
  const [own, theirs] = [timeOf(node), timeOfBounds(bounds, node)];
  if (theirs === undefined || own === undefined || theirs.units === own.units) return edges;
  return countsOf(secondsOf(edges, theirs), scaleOf(own));
}

function endsOf(edges: Float64Array, vertices: number) {
  const low = new Float64Array(edges.length / vertices).fill(Infinity);
  const high = new Float64Array(low.length).fill(-Infinity);
  for (const [at, edge] of edges.entries()) {
    const cell = Math.floor(at / vertices);
    low[cell] = Math.min(low[cell] as number, edge);
    high[cell] = Math.max(high[cell] as number, edge);
  }
  return { low, high };
}

const isLongitude = ({ node }: Bounded): boolean => roleOf(node) === "longitude";

const widthOf = (one: Bounded): number => 2 * middle(rangesOf(one).within);

const rangesOf = ({ low, high }: Bounded) => ({
  numbers: low.map((from, at) => (from + (high[at] as number)) / 2),
  within: low.map((from, at) => ((high[at] as number) - from) / 2),
});

function holdContained(view: WitnessView, one: Bounded): boolean {
  const { node, name, values, vertices } = one;
  // A cell of longitudes that spans the date line has its corners at both ends.
  const spans = isLongitude(one) && vertices > 2;
  const cell = widthOf(one);
  const ranges = rangesOf(one);
  if (spans && ranges.within.some((within) => within > 90)) return true;
  const even = node.metadata.shape.length === 1 ? evenSteps(values) : undefined;
  const bounds = { ...ranges, source: { kind: "bounds", name } } as const;
  const steps = even === undefined ? [] : [{ numbers: even, source: { kind: "steps", name: node.name } } as const];
  const options = { tolerance: cell * 0.01, cell, wraps: isLongitude(one), seconds: secondsIn(timeOf(node)?.units) };
  view.state(node, values, [bounds, ...steps], options);
  return differing({ numbers: values }, ranges, options).length === 0;
}

/** One value of a map in the midst of many even ones is out of place: a missing one leaves a gap. */
async function holdEven(view: WitnessView, node: ArrayNode): Promise<void> {
  const isPlace = roleOf(node) === "latitude" || roleOf(node) === "longitude" || HORIZONTAL.test(standardName(node));
  const values = isPlace && isCoordinate(node) && !view.isTold(node.path) ? await view.numbers(node) : undefined;
  const numbers = values === undefined || values.length < LEAST_EVEN ? undefined : evenSteps(values);
  if (values === undefined || numbers === undefined) return;
  const cell = Math.abs(middle(stepsOf(numbers)));
  const source = { kind: "steps", name: node.name } as const;
  view.state(node, values, [{ numbers, source }], { tolerance: cell * 0.01, cell });
}

/** Standard names of x and y on a projection or a rotated grid. */
export const HORIZONTAL = /^(?:projection_[xy]_coordinate|grid_l(?:at|ong)itude)$/;
const LEAST_EVEN = 8;

const standardName = ({ attributes }: ArrayNode): string => textAttribute(attributes, "standard_name") ?? "";

/** Places that all but one value of an axis lay out evenly; `undefined` where they do not. */
function evenSteps(values: Float64Array): Float64Array | undefined {
  if (values.length < 6) return undefined;
  const steps = stepsOf(values);
  const step = middle(steps);
  const odd = steps.flatMap((one, at) => (Math.abs(one - step) > Math.abs(step) * 1e-3 ? [at] : []));
  const [first = -1, second = -1] = odd;
  if (step === 0 || odd.length !== 2 || second !== first + 1) return undefined;
  const off = ((steps[first] as number) - step) / step;
  const isOpposite = Math.abs((steps[first] as number) + (steps[second] as number) - 2 * step) < Math.abs(step) * 2e-3;
  if (!isOpposite || Math.abs(off) < 0.05) return undefined;
  return values.map((value, at) => (at === second ? (values[first] as number) + step : value));
}

/** One bound was changed, if all cells but one touch the next. */
function holdTouching(view: WitnessView, one: Bounded): void {
  const { node, name, low, high, values, vertices } = one;
  const count = low.length;
  if (vertices !== 2 || node.metadata.shape.length !== 1 || count < 5) return;
  const isUp = (values.at(-1) as number) > (values[0] as number);
  const [end, start] = isUp ? [high, low] : [low, high];
  const cell = widthOf(one);
  const [step, role] = [Math.abs(evenStep(values, 1e-3) ?? NaN), roleOf(node)];
  // Cells of a map do not overlap; those that were left out leave gaps.
  if (cell > 1.4 * step && (role === "latitude" || role === "longitude")) {
    const [a, b] = [side("bounds", name, plainNumber(cell)), side("steps", node.name, plainNumber(step))];
    const about = { a, b, differ: count, of: count, change: { kind: "times", factor: cell / step } as const };
    return view.disagree(node, { quantity: "bounds", ...about });
  }
  const gaps = Array.from({ length: count - 1 }, (_, at) => (start[at + 1] as number) - (end[at] as number));
  const odd = gaps.flatMap((gap, at) => (Math.abs(gap) > cell * 0.01 + 1e-6 * Math.abs(end[at] as number) ? [at] : []));
  const [at = 0] = odd;
  // Steps that are missing have no bounds either, and pieces of time need not touch.
  if (odd.length !== 1 || describeCoordinate(values, [0], { wraps: true })?.kind === "gap") return;
  const { show, unit } = shower(node);
  const [first, second] = [show(end[at] as number, 0), show(start[at + 1] as number, 0)];
  const about = { array: node.path, bounds: name, position: at, end: first, start: second, touching: count - 2, unit };
  const facts = { problem: "apart", ...about } as const;
  view.tell(finding("bounds-unfit", view.placeOf(node), facts), node.path);
}

/**
 * Which part of its cell each value lies at, from 0 to 1 in the direction of the axis: NaN where cells differ. A single
 * value may stand for its cell at any place of it, as in zonal means.
 */
function partOf(one: Bounded): number {
  if (one.values.length < 2) return NaN;
  const { numbers, within } = rangesOf(one);
  const parts = one.values.map((value, at) => {
    const off = value - (numbers[at] as number);
    return 0.5 + (off - (isLongitude(one) ? TURN * Math.round(off / TURN) : 0)) / (2 * (within[at] as number));
  });
  const inner = parts.length > 4 ? parts.subarray(1, -1) : parts;
  const [first = NaN] = inner;
  return inner.every((part) => Math.abs(part - first) < 0.02) ? first : NaN;
}

function holdMiddles(view: WitnessView, all: readonly Bounded[]): void {
  const isHorizontal = ({ node }: Bounded) =>
    ["latitude", "longitude"].includes(roleOf(node)) || /^[XY]$/i.test(textAttribute(node.attributes, "axis") ?? "");
  const axes = all.filter((one) => isHorizontal(one) && one.vertices === 2 && !view.isTold(one.node.path));
  const inMiddle = axes.filter((one) => Math.abs(partOf(one) - 0.5) < 0.02);
  for (const one of axes) {
    const part = partOf(one);
    const beside = inMiddle.find(({ node }) => node !== one.node);
    if (Number.isNaN(part) || Math.abs(part - 0.5) < 0.05 || beside === undefined) continue;
    const { node, name, values } = one;
    const { show, unit } = shower(node);
    view.disagree(node, {
      quantity: "bounds",
      a: side("bounds", name, show(rangesOf(one).numbers[0] as number, widthOf(one) / 2)),
      b: side("values", node.name, show(values[0] as number, 0)),
      differ: values.length,
      of: values.length,
      agree: [{ kind: "sibling", name: `${beside.node.name}, whose values lie in the middle of theirs,` }],
      change: { kind: "shifted", by: (0.5 - part) * widthOf(one), cells: Number((0.5 - part).toFixed(3)) },
      unit,
    });
  }
}
