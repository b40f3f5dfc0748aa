/** Chunks whose values are unlike those of all others along the axis, for no reason that another rule knows. */
import {
  explainSlots,
  fileOfAll,
  isDecoded,
  isWhole,
  leastOf,
  linesOf,
  median,
  mostOf,
  ofChunks,
  openSlots,
  type ValueRule,
} from "../value-rule.ts";
import type { ArrayFacts } from "../value-facts.ts";

const LEAST_CHUNKS = 4;
/** Greatest share of a line. */
const MOST_ODD = 0.25;
/** Least number of values: among few of them a crest looks as rough as noise. */
const LEAST_VALUES = 64;
/** And a few are as far from a few others as they like. */
const LEAST_FAR = 12;
const MOST_PEAKED = 8;

type Kind = "rough" | "far";

export const unlikeOthers: ValueRule = {
  id: "unlike-others",
  codes: ["chunk-unlike-others"],
  ofArray(facts, sink) {
    if (facts.node.metadata.shape.length < 2) return;
    const found: Record<Kind, number[]> = { rough: [], far: [] };
    for (const line of linesOf(facts)) collect(facts, openSlots(facts, line), found);
    for (const kind of ["rough", "far"] as const) {
      const slots = found[kind];
      const [first] = slots;
      if (first === undefined) continue;
      explainSlots(facts, slots);
      const beside = besideOthers(facts, slots, first);
      const about = {
        problem: kind,
        ...beside,
        isSure: kind === "far" && isHopeless(facts.columns.mean[first] ?? NaN, beside),
      };
      sink(ofChunks("chunk-unlike-others", facts, slots, about, fileOfAll(facts, slots)));
    }
  },
};

/** Multiple of the range of all others that the mean lies away, and as much larger or smaller. */
const HOPELESS = 1000;
/** And so large, where others are about 0: they begin to rise, as by day. */
const HOPELESS_FROM_ZERO = 1e9;

/** Not even a storm, a spill, fog or a first frost is like that; what begins there has values as before, too. */
function isHopeless(mean: number, { range, otherRange: [from = NaN, to = NaN] }: ReturnType<typeof besideOthers>) {
  if (range.some((end) => end >= from && end <= to)) return false;
  const [size, most] = [Math.abs(mean), Math.max(Math.abs(from), Math.abs(to))];
  const isOther =
    from * to <= 0
      ? size > HOPELESS_FROM_ZERO
      : mean * to < 0 || size > most * HOPELESS || size * HOPELESS < Math.min(Math.abs(from), Math.abs(to));
  return isOther && Math.max(mean - to, from - mean) > (to - from) * HOPELESS;
}

function besideOthers(facts: ArrayFacts, slots: readonly number[], first: number) {
  const { minimum, maximum, rough } = facts.columns;
  const line = linesOf(facts).find((one) => one.includes(first)) ?? [];
  const own = new Set(slots);
  const others = line.filter((slot) => isDecoded(facts, slot) && !own.has(slot));
  return {
    chunks: slots.length,
    range: [minimum[first] ?? NaN, maximum[first] ?? NaN],
    otherRange: [leastOf(minimum, others), mostOf(maximum, others)],
    rough: rough[first] ?? NaN,
    otherRough: mostOf(rough, others),
  };
}

function collect(facts: ArrayFacts, line: readonly number[], found: Record<Kind, number[]>): void {
  const { columns } = facts;
  const full = line.filter((slot) => !Number.isNaN(columns.mean[slot] as number));
  if (full.length < LEAST_CHUNKS) return;
  const most = Math.max(1, Math.floor(full.length * MOST_ODD));
  const own: Record<Kind, number[]> = { rough: [], far: [] };
  const roughest = nth(
    full.map((slot) => columns.rough[slot] as number),
    most,
  );
  const widest = nth(
    full.map((slot) => columns.spread[slot] as number),
    most,
  );
  const typical = nth(
    full.map((slot) => columns.spread[slot] as number),
    full.length >> 1,
  );
  const ends = endsWithout(facts, full, most);
  // If a few values make the spread of every chunk, it says nothing about the others.
  const isPeaked = !(median(full.map((slot) => peakOf(facts, slot))) < MOST_PEAKED);
  for (const slot of full) {
    const [rough, spread] = [columns.rough[slot] as number, columns.spread[slot] as number];
    const range = Math.max(ends.most - ends.least, 1e-30);
    const away = Math.max(
      (columns.minimum[slot] as number) - ends.most,
      ends.least - (columns.maximum[slot] as number),
    );
    if (!isMany(facts, slot, LEAST_FAR) || ends.most === ends.least) continue;
    if (away > range * 3 || (!isPeaked && spread > widest * 30 && innerRange(facts, slot) > range * 3))
      own.far.push(slot);
    else if (isPeaked) continue;
    else if (
      rough > roughest * 2.2 &&
      rough > 0.45 &&
      spread > typical * 0.5 &&
      isMany(facts, slot, LEAST_VALUES) &&
      isWhole(facts, slot)
    )
      own.rough.push(slot);
  }
  for (const kind of ["rough", "far"] as const) if (own[kind].length <= most) found[kind].push(...own[kind]);
}

/** All values of a chunk as a multiple of their standard deviation; of a normal distribution 6 to 8. */
const peakOf = ({ columns: { minimum, maximum, spread } }: ArrayFacts, slot: number): number =>
  ((maximum[slot] as number) - (minimum[slot] as number)) / (spread[slot] as number);

/** Without its least and its greatest value, which alone may make a spread. */
const innerRange = ({ columns }: ArrayFacts, slot: number): number =>
  (columns.nextMaximum[slot] as number) - (columns.nextMinimum[slot] as number);

const isMany = ({ columns }: ArrayFacts, slot: number, least: number): boolean =>
  (columns.count[slot] as number) - (columns.missing[slot] as number) >= least;

/** The greatest but for so many. */
function nth(numbers: readonly number[], skipped: number): number {
  return numbers.filter((one) => !Number.isNaN(one)).toSorted((a, b) => b - a)[skipped] ?? Infinity;
}

/** Least and greatest without the most extreme chunks. */
function endsWithout({ columns }: ArrayFacts, line: readonly number[], skipped: number) {
  const least = line.map((slot) => columns.minimum[slot] as number).toSorted((a, b) => a - b);
  const most = line.map((slot) => columns.maximum[slot] as number).toSorted((a, b) => b - a);
  return { least: least[skipped] ?? NaN, most: most[skipped] ?? NaN };
}
