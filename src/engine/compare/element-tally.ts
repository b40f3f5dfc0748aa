/** Elements compared one by one: how many differ, by how much at most and in the mean, and where. */
import { type Axis, placeRange } from "#core/cf/axis.ts";
import type { CallContext } from "#core/byte-source.ts";
import { NOT_A_TIME } from "#core/cf/time-text.ts";
import { chunkOf, coordinatesOf, gridOf, ordinalOf, startAlong } from "#core/metadata/chunk-grid.ts";
import {
  type ArrayPair,
  type ComparedValue,
  type ElementDifferences,
  mostApart,
  type Pair,
} from "#core/set-differences.ts";
import { stridesC } from "#core/values/gather.ts";
import { float64Of, isLong, type LongArray, type NumberArray } from "#core/values/values.ts";
import { type AlignedBlock, type ElementBox, tidy } from "./aligned-blocks.ts";
import { axisIn, type PairWish, scalingIn, timeScale } from "./pair-arrays.ts";

/** Runs of positions that are told. */
const MOST_RUNS = 500;

export interface FirstDifference {
  readonly element: readonly number[];
  readonly values: Pair<string>;
}

type Largest = NonNullable<ElementDifferences["largest"]>;
type Tally = ReturnType<typeof elementTally>;

/** `shape`: of A. */
export function elementTally(shape: readonly number[]) {
  return {
    sums: { compared: 0, differing: 0, within: 0, both: 0, total: 0, missing: { a: 0, b: 0 } },
    where: shape.map(() => ({ from: Infinity, to: -1 })),
    /** Positions along the first dimension at which some differ. */
    steps: new Set<number>(),
    largest: undefined as Omit<Largest, "place"> | undefined,
    first: undefined as (FirstDifference & { readonly index: number }) | undefined,
  };
}

/** Adds a block; returns the ordinals of the chunks of A in which some differ. */
export function addBlock(tally: Tally, block: AlignedBlock, wish: PairWish, pair: ArrayPair): ReadonlySet<number> {
  const { sums, where, steps } = tally;
  const { shape, chunks } = wish.nodes.a.metadata;
  const { from, count } = block.box;
  const best = { difference: tally.largest?.difference ?? 0, at: -1 };
  const compare = comparer(block, wish, pair, sums, best);
  const [mask, grid, found] = [maskOf(block), gridOf(shape, chunks), new Set<number>()];
  const last = from.length - 1;
  const valuesAt = (at: number) => ({ a: block.a.valueAt(at), b: inUnitsOfA(block.b.valueAt(at), pair) });
  const elementAt = (at: number) => coordinatesOf(count, at).map((one, each) => one + (from[each] ?? 0));
  // Elements before `edge` are in the row and chunk of the last one that was noted.
  let [edge, origin] = [0, 0];
  const note = (at: number) => {
    if (at < edge) return widen(where[last], at - origin);
    const element = elementAt(at);
    const [along, coordinates] = [element[last] ?? 0, chunkOf(element, chunks)];
    const end = Math.min(
      (from[last] ?? 0) + (count[last] ?? 1),
      startAlong(chunks[last] ?? 1, (coordinates[last] ?? 0) + 1),
    );
    [edge, origin] = [at + end - along, at - along];
    found.add(ordinalOf(grid, coordinates) ?? 0);
    for (const [each, one] of element.entries()) widen(where[each], one);
    steps.add(element[0] ?? 0);
    const index = element.reduce((sum, one, each) => sum * (shape[each] ?? 1) + one, 0);
    if (index >= (tally.first?.index ?? Infinity)) return;
    const { a, b } = valuesAt(at);
    tally.first = { index, element, values: { a: String(a ?? "missing"), b: String(b ?? "missing") } };
  };
  const elements = count.reduce((product, one) => product * one, 1);
  for (let at = 0; at < elements; at += 1) {
    if (mask?.[at] === 1) continue;
    sums.compared += 1;
    const outcome = compare(at);
    if (outcome === "same") continue;
    sums[outcome] += 1;
    if (outcome === "differing") note(at);
  }
  if (best.at >= 0)
    tally.largest = { difference: best.difference, element: elementAt(best.at), values: valuesAt(best.at) };
  return found;
}

const inUnitsOfA = (value: ComparedValue, { scale, shift }: ArrayPair): ComparedValue =>
  typeof value === "number" && (scale !== 1 || shift !== 0) ? tidy(value * scale + shift) : value;

/** `sameElements`: of chunks that are the same by their references. */
export async function finishedTally(tally: Tally, sameElements: number, wish: PairWish, context: CallContext) {
  const { where, steps, largest, first } = tally;
  const { both, total, compared, ...sums } = tally.sums;
  const { shape } = wish.nodes.a.metadata;
  const isDifferent = sums.differing > 0;
  const words = isDifferent || largest !== undefined ? await placeWords(wish, context) : undefined;
  const elements: ElementDifferences = {
    compared: compared + sameElements,
    ...sums,
    ...(both > 0 && { mean: tidy(total / both) }),
    ...(largest &&
      words && { largest: { ...largest, difference: tidy(largest.difference), place: words.at(largest.element) } }),
    ...(isDifferent && words && { where: where.map((span, each) => ({ ...span, text: words.along(each, span) })) }),
    ...(isDifferent && shape.length > 1 && { steps: { count: steps.size, of: shape[0] ?? 1, runs: runsOf(steps) } }),
  };
  return { elements, first };
}

function widen(span: { from: number; to: number } | undefined, at: number): void {
  if (span === undefined) return;
  span.from = Math.min(span.from, at);
  span.to = Math.max(span.to, at);
}

function runsOf(steps: ReadonlySet<number>): readonly (readonly [number, number])[] {
  const runs: [number, number][] = [];
  for (const step of [...steps].sort((one, other) => one - other)) {
    const last = runs.at(-1);
    if (last?.[1] === step - 1) last[1] = step;
    else runs.push([step, step]);
  }
  return runs.slice(0, MOST_RUNS);
}

/** A byte for each element: 1 where it could not be read; `undefined` where all could. */
function maskOf({ box, unread }: AlignedBlock): Uint8Array | undefined {
  if (unread.length === 0) return undefined;
  const mask = new Uint8Array(box.count.reduce((product, one) => product * one, 1));
  const strides = stridesC(box.count);
  const fill = (of: ElementBox, dimension: number, at: number): void => {
    const [start, length] = [(of.from[dimension] ?? 0) - (box.from[dimension] ?? 0), of.count[dimension] ?? 1];
    const to = Math.min(box.count[dimension] ?? 1, start + length);
    if (dimension === box.count.length) mask[at] = 1;
    else
      for (let one = Math.max(0, start); one < to; one += 1)
        fill(of, dimension + 1, at + one * (strides[dimension] ?? 0));
  };
  for (const of of unread) fill(of, 0, 0);
  return mask;
}

/** Compares the elements at an index; sums differences of numbers, and keeps the largest in `best`. */
function comparer(
  { a, b }: AlignedBlock,
  { nodes, mode }: PairWish,
  { scale, shift, tolerance }: ArrayPair,
  sums: Tally["sums"],
  best: { difference: number; at: number },
): (at: number) => "same" | "within" | "differing" {
  if (a.numbers === undefined || b.numbers === undefined)
    return (at) => (a.valueAt(at) === b.valueAt(at) ? "same" : "differing");
  const time = scalingIn(nodes.a, mode)?.time;
  const isExact = isLong(a.numbers) && isLong(b.numbers) && (time !== undefined || (scale === 1 && shift === 0));
  const [one, other] = isExact ? [a.numbers, b.numbers] : [plain(a.numbers), plain(b.numbers)];
  const isTime = time !== undefined || /^(?:datetime|timedelta)$/.test(nodes.a.metadata.dataType.kind);
  const unit = time === undefined ? 1 : timeScale(time).unit;
  const isMissing = (value: number | bigint) => (isExact ? isTime && value === NOT_A_TIME : Number.isNaN(value));
  return (at) => {
    const x = one[at] as number | bigint;
    const y = isExact ? (other[at] as bigint) : (other[at] as number) * scale + shift;
    const [isLostInA, isLostInB] = [isMissing(x), isMissing(y)];
    if (isLostInA || isLostInB) {
      if (isLostInA && isLostInB) return "same";
      sums.missing[isLostInA ? "a" : "b"] += 1;
      return "differing";
    }
    sums.both += 1;
    if (x === y) return "same";
    const difference = Number(isExact ? (x as bigint) - (y as bigint) : (x as number) - (y as number)) / unit;
    if (!Number.isFinite(difference)) return "differing";
    sums.total += difference;
    const size = Math.abs(difference);
    if (size > Math.abs(best.difference)) [best.difference, best.at] = [difference, at];
    return size <= mostApart(tolerance, Number(x) / unit, Number(y) / unit) ? "within" : "differing";
  };
}

const plain = (numbers: NumberArray | LongArray): NumberArray => (isLong(numbers) ? float64Of(numbers) : numbers);

/** Places in the user's terms: `45°N 30°W 2026-01-12`, and spans along one dimension. */
async function placeWords({ sets, nodes, decoder }: PairWish, context: CallContext) {
  const { dimensionNames, shape } = nodes.a.metadata;
  const axes: (Axis | undefined)[] = [];
  for (const dimension of shape.keys())
    axes.push(await axisIn({ set: sets.a, node: nodes.a, decoder }, dimension, context));
  const along = (dimension: number, { from, to }: { readonly from: number; readonly to: number }): string => {
    const axis = axes[dimension];
    const text = axis && placeRange(axis, from, to);
    return (
      text ?? `${dimensionNames?.[dimension] ?? `dimension ${dimension}`} ${from === to ? from : `${from} – ${to}`}`
    );
  };
  const rank = (dimension: number) => ["latitude", "longitude"].indexOf(axes[dimension]?.role ?? "") + 1 || 3;
  const order = [...shape.keys()].toSorted((one, other) => rank(one) - rank(other));
  const at = (element: readonly number[]) =>
    order
      .map((dimension) => along(dimension, { from: element[dimension] ?? 0, to: element[dimension] ?? 0 }))
      .join(" ");
  return { along, at };
}
