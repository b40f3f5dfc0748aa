/**
 * Values that change by a factor or an amount where another file begins: packed, or counted, otherwise than the
 * attributes say.
 */
import { scale } from "#core/cf/cf.ts";
import {
  explainSlots,
  isDecoded,
  isOpen,
  leastOf,
  median,
  mostOf,
  ofChunks,
  placeAt,
  slotsOfFile,
  type ValueRule,
} from "../value-rule.ts";
import { distance, fileBlocks, type FileBlocks, fileDistance, layerOf } from "../file-blocks.ts";
import { scalingOfNode } from "../note-chunk.ts";
import { isNumericCoordinate } from "../plan.ts";

/** A jump is this many times the usual one. */
const LEAST_JUMP = 5;
const LEAST_OF_LARGEST = 0.25;
/** Amounts at single places are from their median no farther than this share of it: weather does not change so. */
const MOST_UNEVEN = 0.1;
/** Greatest share of the boundaries that may be such, and two at least. */
const MOST_JUMPS = 0.34;
/** Places that a finding names, of the files that changed and of the one before them. */
const [MAX_MEANT, MAX_OUTER] = [60, 40];

export const boundarySteps: ValueRule = {
  id: "boundary-steps",
  codes: ["packing-changes"],
  ofArray(facts, sink) {
    const blocks = isNumericCoordinate(facts.node) ? undefined : fileBlocks(facts);
    const run = blocks === undefined ? undefined : changedRun(blocks);
    if (blocks === undefined || run === undefined) return;
    const { from, to } = run;
    const meant = blocks.files.slice(from, to).flatMap((file) => slotsOfFile(facts, file));
    const outer = blocks.files.slice(Math.max(0, from - 1), from).flatMap((file) => slotsOfFile(facts, file));
    if (meant.every((slot) => !isOpen(facts, slot))) return;
    explainSlots(facts, meant);
    const text = (at: number) => facts.targets.text(blocks.files[at] ?? 0);
    const change = changeOf(blocks, run);
    if (change.isEmpty) return;
    const about = {
      ...change,
      isSure: isSure(blocks, run, change),
      file: text(from),
      before: text(from - 1),
      files: to - from,
      of: blocks.files.length,
      isToEnd: to === blocks.files.length,
    };
    const found = ofChunks("packing-changes", facts, meant, about, text(from));
    // Which side of the step is right, values cannot say: the file before it is named, too.
    const beside = outer.slice(0, MAX_OUTER).map((slot) => placeAt(facts, slot));
    sink({ ...found, places: [...(found.places ?? []).slice(0, MAX_MEANT), ...beside] });
  },
};

interface Run {
  /** Places of files, the last excluded. */
  readonly from: number;
  readonly to: number;
}

function changedRun(blocks: FileBlocks): Run | undefined {
  const { files, within } = blocks;
  const jumps = files.slice(1).map((_, at) => fileDistance(blocks, at, at + 1));
  // Larger values have larger differences: only those near the largest are meant.
  const least = mostOf(jumps, jumps.keys()) * LEAST_OF_LARGEST;
  const usual = usualBeside(jumps, within);
  const large = jumps.flatMap((jump, at) => (jump >= least && jump > LEAST_JUMP * usual ? [at + 1] : []));
  const [from, to = files.length] = large;
  if (from === undefined || large.length > Math.max(2, Math.floor(jumps.length * MOST_JUMPS))) return undefined;
  const run = { from, to };
  return isLarge(blocks, run) && isSteady(blocks, from, jumps[from - 1] ?? 0) ? run : undefined;
}

/** Within the chunks on both sides values hardly change: a storm at the end of a file is no other packing. */
function isSteady({ facts, lines }: FileBlocks, from: number, jump: number): boolean {
  const within = (slotOf: (line: FileBlocks["lines"][number]) => number | undefined) =>
    median(lines.map((line) => distance(facts, { first: slotOf(line) ?? -1 }, { last: slotOf(line) ?? -1 })));
  const [before, after] = [within((line) => line[from - 1]?.last), within((line) => line[from]?.first)];
  return !(before > jump / 2) && !(after > jump / 2);
}

/** Usual step of the boundaries, and of chunks within files. */
function usualBeside(jumps: readonly number[], within: readonly number[]): number {
  // A single wrong file has two large boundaries.
  const others = jumps.toSorted((a, b) => b - a).slice(Math.min(2, Math.max(0, jumps.length - 2)));
  return Math.max(median([...others, ...within]), 1e-30);
}

/** Degrees Celsius and kelvin. */
const OF_KELVIN = 273.15;
const SAME_PATTERN = 0.9;

/**
 * Something else tells that these are other units, and no other weather: the pattern in space stays as it is and is so
 * many times as large, though from file to file it is not elsewhere, or values are Celsius here and kelvin there.
 */
function isSure(blocks: FileBlocks, { from }: Run, { factor, likeness, isEven, amount }: Change): boolean {
  if (isEven && Math.abs(Math.abs(amount) - OF_KELVIN) < OF_KELVIN / 50) return true;
  if (!(likeness > SAME_PATTERN)) return false;
  const elsewhere = blocks.files.flatMap((_, at) => (at === 0 || at === from ? [] : [changeOf(blocks, { from: at })]));
  const powers = elsewhere.map((one) => Math.abs(Math.log(one.factor)));
  return Math.abs(Math.log(factor)) > Math.max(Math.log(1.5), 3 * (powers.length === 0 ? 0 : median(powers)));
}

/** The factor is clear, or the amount the same everywhere, or the values lie beyond where all others do. */
function isLarge(blocks: FileBlocks, run: Run): boolean {
  const { factor, isFit, isEven } = changeOf(blocks, run);
  if (isEven || (isFit && (factor > 1.5 || factor < 0.67))) return true;
  const { facts, files } = blocks;
  const inside = new Set(files.slice(run.from, run.to));
  const range = (isIn: boolean) => {
    const slots = [...facts.ordinals.keys()].filter(
      (slot) => isDecoded(facts, slot) && inside.has(facts.files[slot] as number) === isIn,
    );
    const [least, most] = [leastOf(facts.columns.minimum, slots), mostOf(facts.columns.maximum, slots)];
    return { least, most };
  };
  const [one, other] = [range(true), range(false)];
  const gap = Math.max(one.least - other.most, other.least - one.most);
  return gap > (other.most - other.least) / 2;
}

interface Change {
  readonly factor: number;
  readonly amount: number;
  /** How much of the pattern before is the pattern after (R²). */
  readonly likeness: number;
  readonly isFit: boolean;
  readonly isEven: boolean;
  readonly levels: readonly [number, number];
  /** On one side there is one value alone, or as good as 0: night, no snow, a flag that is not raised. */
  readonly isEmpty: boolean;
}

const LEAST_STEP = 1e-6;

/**
 * Values after the boundary as a factor and an amount of those before it, over all places; as the attributes unpack
 * them.
 */
function changeOf({ facts, lines }: FileBlocks, { from }: Pick<Run, "from">): Change {
  const pairs: (readonly [number, number])[] = [];
  const scaling = scalingOfNode(facts.node);
  const unpacked = (value: number) => (scaling === undefined ? value : scale(value, scaling));
  for (const line of lines) {
    const before = layerOf(facts, { last: line[from - 1]?.last ?? -1 });
    const after = layerOf(facts, { first: line[from]?.first ?? -1 });
    for (const [at, value] of before.entries()) {
      const pair = [unpacked(value), unpacked(after[at] as number)] as const;
      if (Number.isFinite(pair[0]) && Number.isFinite(pair[1])) pairs.push(pair);
    }
  }
  const mean = (of: (pair: readonly [number, number]) => number) =>
    pairs.reduce((sum, pair) => sum + of(pair), 0) / pairs.length;
  const [x, y] = [mean(([one]) => one), mean(([, other]) => other)];
  const xx = mean(([one]) => (one - x) ** 2);
  const yy = mean(([, other]) => (other - y) ** 2);
  const xy = mean(([one, other]) => (one - x) * (other - y));
  const factor = xy / xx;
  const amounts = pairs.map(([one, other]) => other - one);
  const amount = median(amounts);
  const isEven = median(amounts.map((one) => Math.abs(one - amount))) < Math.abs(amount) * MOST_UNEVEN;
  const [least, most] = [Math.abs(x), Math.abs(y)].toSorted((a, b) => a - b) as [number, number];
  const isEmpty = least <= most * LEAST_STEP || xx === 0 || yy === 0;
  const likeness = (xy * xy) / (xx * yy);
  return { factor, amount: y - factor * x, likeness, isFit: likeness > 0.5, isEven, levels: [x, y], isEmpty };
}
