/** Elements compared one by one: how many differ, by how much at most and in the mean, and where. */
import { type Axis, placeRange, placeText } from "#core/cf/axis.ts";
import { sameBytes } from "#core/bytes.ts";
import type { CallContext } from "#core/byte-source.ts";
import type { ArrayMetadata } from "#core/metadata/array-metadata.ts";
import { NOT_A_TIME } from "#core/cf/time-text.ts";
import { chunkOf, coordinatesOf, gridOf, ordinalOf, startAlong } from "#core/metadata/chunk-grid.ts";
import type { ArrayPair, ElementDifferences, Pair } from "#core/set-differences.ts";
import { stridesC } from "#core/values/gather.ts";
import { float64Of, isLong, type LongArray, type NumberArray } from "#core/values/values.ts";
import { type AlignedBlock, type ElementBox, type Elements, tidy } from "./aligned-blocks.ts";
import { axisIn, type PairWish, scalingIn, timeScale } from "./pair-arrays.ts";

/** Share of a value by which rounding in 64 bits may lead past a tolerance. */
const SLACK = 2 ** -48;
/** Runs of positions that are told. */
const MOST_RUNS = 500;

type Outcome = "same" | "within" | "differ";

export interface FirstDifference {
  readonly element: readonly number[];
  readonly values: Pair<string>;
}

type Largest = NonNullable<ElementDifferences["largest"]>;

function emptyTally({ shape }: Pick<ArrayMetadata, "shape">) {
  return {
    sums: { compared: 0, differing: 0, within: 0, both: 0, total: 0, missing: { a: 0, b: 0 } },
    where: shape.map(() => ({ from: Infinity, to: -1 })),
    /** Positions along the first dimension at which some differ. */
    steps: new Set<number>(),
    largest: undefined as Omit<Largest, "place"> | undefined,
    first: undefined as (FirstDifference & { readonly index: number }) | undefined,
  };
}

type Tally = ReturnType<typeof emptyTally>;

export function elementTally(wish: PairWish, pair: ArrayPair) {
  const tally = emptyTally(wish.nodes.a.metadata);
  return {
    /** Ordinals of the chunks of A in which some differ. */
    add: (block: AlignedBlock): ReadonlySet<number> => addBlock(tally, block, wish, pair),
    /** `sameElements`: of chunks that are the same by their references. */
    finish: (sameElements: number, context: CallContext) => finished(tally, sameElements, wish, context),
  };
}

function addBlock(tally: Tally, block: AlignedBlock, wish: PairWish, pair: ArrayPair): ReadonlySet<number> {
  const { sums } = tally;
  const best = { difference: tally.largest?.difference ?? 0, at: -1 };
  const compare = comparer(block, wish, pair, sums, best);
  const mask = maskOf(block);
  const { from, count } = block.box;
  const last = Math.max(0, from.length - 1);
  const width = count[last] ?? 1;
  const rows = count.slice(0, last).reduce((product, one) => product * one, 1);
  const noted = differingIn(tally, block, wish.nodes.a.metadata);
  for (let row = 0, at = 0; row < rows; row += 1) {
    for (let column = 0; column < width; column += 1, at += 1) {
      if (mask?.[at] === 1) continue;
      sums.compared += 1;
      const outcome = compare(at);
      if (outcome === "same") continue;
      sums[outcome === "within" ? "within" : "differing"] += 1;
      if (outcome === "differ") noted.note(row, column, at);
    }
  }
  if (best.at >= 0) {
    const element = coordinatesOf(count, best.at).map((one, each) => one + (from[each] ?? 0));
    const values = { a: block.a.valueAt(best.at), b: block.b.valueAt(best.at) };
    tally.largest = { difference: best.difference, element, values };
  }
  return noted.chunks;
}

/** Notes elements that differ, in their order: once for each run in a chunk's row, but for the last of it. */
function differingIn(tally: Tally, { a, b, box: { from, count } }: AlignedBlock, { shape, chunks }: ArrayMetadata) {
  const grid = gridOf(shape, chunks);
  const found = new Set<number>();
  const last = Math.max(0, from.length - 1);
  const start = from[last] ?? 0;
  let [known, edge] = [-1, 0];
  return {
    chunks: found,
    note(row: number, column: number, at: number): void {
      widen(tally.where[last], start + column);
      if (row === known && column < edge) return;
      known = row;
      const outer = coordinatesOf(count.slice(0, last), row).map((one, each) => one + (from[each] ?? 0));
      const element = from.length === 0 ? [] : [...outer, start + column];
      const coordinates = chunkOf(element, chunks);
      found.add(ordinalOf(grid, coordinates) ?? 0);
      edge = startAlong(chunks[last] ?? 1, (coordinates[last] ?? 0) + 1) - start;
      for (const [each, one] of outer.entries()) widen(tally.where[each], one);
      if (outer[0] !== undefined) tally.steps.add(outer[0]);
      const index = element.reduce((sum, one, each) => sum * (shape[each] ?? 1) + one, 0);
      if (index < (tally.first?.index ?? Infinity))
        tally.first = { index, element, values: { a: a.textAt(at), b: b.textAt(at) } };
    },
  };
}

async function finished(tally: Tally, sameElements: number, wish: PairWish, context: CallContext) {
  const { sums, where, steps, largest, first } = tally;
  const { compared, differing, within, missing, both, total } = sums;
  const { shape } = wish.nodes.a.metadata;
  const words = await placeWords(wish, differing + within > 0, context);
  const elements: ElementDifferences = {
    compared: compared + sameElements,
    differing,
    within,
    missing,
    ...(both > 0 && { mean: tidy(total / both) }),
    ...(largest && {
      largest: { ...largest, difference: tidy(largest.difference), place: words.at(largest.element) },
    }),
    ...(differing > 0 && { where: where.map((span, each) => ({ ...span, text: words.along(each, span) })) }),
    ...(differing > 0 && shape.length > 1 && { steps: told(steps, shape[0] ?? 1) }),
  };
  return { elements, first };
}

function widen(span: { from: number; to: number } | undefined, at: number): void {
  if (span === undefined) return;
  span.from = Math.min(span.from, at);
  span.to = Math.max(span.to, at);
}

function told(steps: ReadonlySet<number>, of: number): NonNullable<ElementDifferences["steps"]> {
  const runs: [number, number][] = [];
  for (const step of [...steps].sort((one, other) => one - other)) {
    const last = runs.at(-1);
    if (last !== undefined && last[1] === step - 1) last[1] = step;
    else runs.push([step, step]);
  }
  return { count: steps.size, of, runs: runs.slice(0, MOST_RUNS) };
}

/** A byte for each element: 1 where it could not be read; `undefined` where all could. */
function maskOf({ box, unread }: AlignedBlock): Uint8Array | undefined {
  if (unread.length === 0) return undefined;
  const mask = new Uint8Array(box.count.reduce((product, one) => product * one, 1));
  const strides = stridesC(box.count);
  const fill = (of: ElementBox, dimension: number, at: number): void => {
    if (dimension === box.count.length) {
      mask[at] = 1;
      return;
    }
    const start = box.from[dimension] ?? 0;
    const from = Math.max(0, (of.from[dimension] ?? 0) - start);
    const to = Math.min(box.count[dimension] ?? 1, (of.from[dimension] ?? 0) + (of.count[dimension] ?? 1) - start);
    for (let one = from; one < to; one += 1) fill(of, dimension + 1, at + one * (strides[dimension] ?? 0));
  };
  for (const of of unread) fill(of, 0, 0);
  return mask;
}

type Sums = Record<"both" | "total", number> & { readonly missing: { a: number; b: number } };

/** Compares the elements at an index; sums differences of numbers, and keeps the largest in `best`. */
function comparer(
  { a, b }: AlignedBlock,
  wish: PairWish,
  { scale, shift, tolerance: { absolute, relative } }: ArrayPair,
  sums: Sums,
  best: { difference: number; at: number },
): (at: number) => Outcome {
  if (a.numbers === undefined || b.numbers === undefined) return textComparer(a, b);
  const slack = absolute + relative > 0 ? SLACK : 0;
  const judge = (difference: number, x: number, y: number, at: number): Outcome => {
    sums.both += 1;
    if (!Number.isFinite(difference)) return "differ";
    sums.total += difference;
    const size = Math.abs(difference);
    if (size > Math.abs(best.difference)) [best.difference, best.at] = [difference, at];
    return size <= absolute + relative * Math.abs(y) + slack * (Math.abs(x) + Math.abs(y)) ? "within" : "differ";
  };
  const missing = (isA: boolean): Outcome => {
    sums.missing[isA ? "a" : "b"] += 1;
    return "differ";
  };
  const time = scalingIn(wish.nodes.a, wish.mode)?.time;
  if (isLong(a.numbers) && isLong(b.numbers) && (time !== undefined || (scale === 1 && shift === 0))) {
    const [one, other] = [a.numbers, b.numbers];
    const unit = time === undefined ? 1 : timeScale(time).unit;
    const isTime =
      one instanceof BigInt64Array && (time !== undefined || wish.nodes.a.metadata.dataType.kind !== "int");
    return (at) => {
      const [x, y] = [one[at] as bigint, other[at] as bigint];
      if (x === y) {
        sums.both += isTime && x === NOT_A_TIME ? 0 : 1;
        return "same";
      }
      if (isTime && (x === NOT_A_TIME || y === NOT_A_TIME)) return missing(x === NOT_A_TIME);
      return judge(Number(x - y) / unit, Number(x) / unit, Number(y) / unit, at);
    };
  }
  const [one, other] = [plain(a.numbers), plain(b.numbers)];
  return (at) => {
    const x = one[at] as number;
    const y = (other[at] as number) * scale + shift;
    if (x === y) {
      sums.both += 1;
      return "same";
    }
    if (Number.isNaN(x) || Number.isNaN(y))
      return Number.isNaN(x) && Number.isNaN(y) ? "same" : missing(Number.isNaN(x));
    return judge(x - y, x, y, at);
  };
}

const plain = (numbers: NumberArray | LongArray): NumberArray => (isLong(numbers) ? float64Of(numbers) : numbers);

function textComparer(a: Elements, b: Elements): (at: number) => Outcome {
  if (a.bytes !== undefined && b.bytes !== undefined && sameBytes(a.bytes, b.bytes)) return () => "same";
  return (at) => (a.textAt(at) === b.textAt(at) ? "same" : "differ");
}

// Places in the user's terms.

async function placeWords({ sets, nodes, decoder }: PairWish, wanted: boolean, context: CallContext) {
  const { dimensionNames, shape } = nodes.a.metadata;
  const axes: (Axis | undefined)[] = [];
  for (const dimension of wanted ? shape.keys() : [])
    axes.push(await axisIn({ set: sets.a, node: nodes.a, decoder }, dimension, context));
  const name = (dimension: number) => dimensionNames?.[dimension] ?? `dimension ${dimension}`;
  const rank = (dimension: number) => ["latitude", "longitude"].indexOf(axes[dimension]?.role ?? "") + 1 || 3;
  return {
    /** `45°N 30°W 2026-01-12` */
    at: (element: readonly number[]): string =>
      [...element.entries()]
        .toSorted(([one], [other]) => rank(one) - rank(other))
        .map(([dimension, at]) => {
          const axis = axes[dimension];
          return (axis && placeText(axis, at)) ?? `${name(dimension)} ${at}`;
        })
        .join(" "),
    along(dimension: number, { from, to }: { readonly from: number; readonly to: number }): string {
      const axis = axes[dimension];
      const text = axis && placeRange(axis, from, to);
      return text ?? `${name(dimension)} ${from === to ? from : `${from} – ${to}`}`;
    },
  };
}
