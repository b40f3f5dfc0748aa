/** Source files that end inside a chunk: a regular grid has no place for what comes after them. */
import { timeText } from "#core/cf/cf-time.ts";
import { scalingOf } from "#core/cf/cf.ts";
import { cellCount, encodedExtent } from "#core/metadata/chunk-grid.ts";
import { isNumericCoordinate } from "../plan.ts";
import { NO_FILE, type ArrayFacts } from "../value-facts.ts";
import { coordinatesAt, explainSlots, isDecoded, openSlots, ofChunks, type ValueRule } from "../value-rule.ts";
import { timesAlong } from "./file-dates.ts";

/** Least length of a chunk: at the end of a year values end by chance in shorter ones. */
const LEAST_LENGTH = 8;

export const fileEnds: ValueRule = {
  id: "file-ends",
  codes: ["file-ends-inside-chunk"],
  ofArray(facts, sink, view) {
    const { axis, node, grid } = facts;
    const edges = node.metadata.chunks[axis];
    if (axis < 0 || typeof edges !== "number" || edges < 2 || isNumericCoordinate(node)) return;
    const steps = stepsOf(facts);
    if (steps === undefined) return;
    const times = timesAlong(view, facts);
    const dates = times?.axis === axis ? datesOf(times.values, times.view) : undefined;
    const found = tailInside(steps, edges, dates) ?? endBefore(facts, steps, edges, dates);
    if (found === undefined) return;
    const meant = [...facts.ordinals.keys()].filter(
      (slot) => isDecoded(facts, slot) && (coordinatesAt(facts, slot)[axis] ?? 0) >= found.from,
    );
    explainSlots(facts, meant);
    const file = steps[found.from]?.file ?? NO_FILE;
    const about = {
      dimension: node.metadata.dimensionNames?.[axis] ?? `dimension ${axis}`,
      axis,
      of: edges,
      chunks: grid[axis] ?? 0,
      ...found,
      target: file === NO_FILE ? undefined : facts.targets.text(file),
    };
    sink(ofChunks("file-ends-inside-chunk", facts, meant, about));
  },
};

/** Steps for each chunk that was read: where there are more, hardly any has a neighbour to be compared with. */
const STEPS_A_CHUNK = 16;

interface Step {
  /** Layers at the end that are missing in every chunk of the step, and how many there are. */
  readonly tail: number;
  readonly length: number;
  /** The one that all chunks of the step are in. */
  readonly file: number;
}

/** Summary of each step of chunks; `undefined` for steps without a reference, or with a chunk that was not decoded. */
function stepsOf(facts: ArrayFacts): readonly (Step | undefined)[] | undefined {
  const { axis, grid, ordinals, columns, files, node } = facts;
  const plane = cellCount(grid.with(axis, 1));
  // A chunk that was not checked may be anything.
  if (facts.of !== ordinals.length || openSlots(facts).length !== ordinals.length) return undefined;
  if ((grid[axis] ?? 0) > ordinals.length * STEPS_A_CHUNK) return undefined;
  const length = node.metadata.shape[axis] ?? 0;
  const edge = encodedExtent(node.metadata.chunks[axis] ?? 1, 0);
  const found = Array.from({ length: grid[axis] ?? 0 }, (_, at) => ({
    seen: 0,
    zeros: 0,
    tail: Infinity,
    length: Math.min(edge, length - at * edge),
    file: NO_FILE,
  }));
  let zeros = 0;
  for (const slot of ordinals.keys()) {
    const step = found[coordinatesAt(facts, slot)[axis] ?? 0];
    if (step === undefined) return undefined;
    step.tail = Math.min(step.tail, columns.trailing[slot] as number);
    step.file = step.seen === 0 || step.file === files[slot] ? (files[slot] ?? NO_FILE) : NO_FILE;
    step.seen += 1;
    step.zeros += columns.zeros[slot] as number;
    zeros += columns.zeros[slot] as number;
  }
  // Zeros that only stand where files end are fill; others are values.
  if (scalingOf(node.metadata, node.attributes)?.zeroIsImplied === true) {
    const elements = cellCount(node.metadata.shape) / Math.max(1, length);
    const atEnds = found.reduce((sum, { tail }) => sum + (tail === Infinity ? 0 : tail) * elements, 0);
    if (atEnds !== zeros) return undefined;
  }
  // A step that lacks some of its chunks says nothing.
  if (found.some(({ seen }) => seen > 0 && seen < plane)) return undefined;
  return found.map((step) => (step.seen === 0 ? undefined : step));
}

interface Dates {
  readonly of: (step: number) => string | undefined;
  /** True if another year, or another month, begins at a step. */
  readonly startsYear: (step: number) => boolean;
  readonly startsMonth: (step: number) => boolean;
  readonly count: number;
}

function datesOf(values: Float64Array, view: Parameters<typeof timeText>[1]): Dates {
  const of = (step: number) => (step < 0 || step >= values.length ? undefined : timeText(values[step] ?? NaN, view));
  const starts = (step: number, part: RegExp) => {
    const [one, other] = [of(step - 1), of(step)].map((text) => part.exec(text ?? "")?.[0]);
    return one !== undefined && other !== undefined && one !== other;
  };
  return {
    of: (step) => of(step)?.slice(0, 10),
    startsYear: (step) => starts(step, /^-?\d+/),
    startsMonth: (step) => starts(step, /^-?\d+-\d+/),
    count: values.length,
  };
}

/** A chunk's last steps are missing, though the chunk after it has values: its file ended there. */
function tailInside(steps: readonly (Step | undefined)[], edge: number, dates: Dates | undefined) {
  const isTail = ({ tail, length }: Step) => tail > 0 && tail < length;
  const tails = steps.flatMap((step, at) => (step !== undefined && isTail(step) && at + 1 < steps.length ? [at] : []));
  const [first] = tails;
  const [step, next] = first === undefined ? [] : [steps[first], steps[first + 1]];
  if (first === undefined || step === undefined || next === undefined || next.tail >= next.length) return undefined;
  if (!steps.some((one) => one?.tail === 0)) return undefined;
  const end = (first + 1) * edge - step.tail;
  const isYear = dates?.startsYear(end) === true;
  const fits = dates?.startsMonth((first + 1) * edge) === true;
  // Values end by chance, too, but not wherever a file does.
  const fileOf = (at: number) => steps[at]?.file ?? NO_FILE;
  const borders = [...steps.keys()].filter((at) => at + 1 < steps.length && fileOf(at) !== fileOf(at + 1));
  const isOfFiles =
    tails.length > 1 &&
    borders.join() === tails.join() &&
    tails.every((at) => ![fileOf(at), fileOf(at + 1)].includes(NO_FILE));
  const isSame = step.file !== NO_FILE && step.file === next.file;
  // Days without data may end with a chunk, too: then the coordinate's year or month begins with the next.
  if (fits || isSame || !(isYear || isOfFiles)) return undefined;
  return {
    problem: "late",
    chunk: first,
    from: first + 1,
    missing: step.tail,
    shift: step.tail,
    tails: tails.length,
    ends: dates?.of(end - 1),
    begins: dates?.of(end),
    reads: dates?.of((first + 1) * edge),
  } as const;
}

/**
 * Values end before the coordinate does, by as many steps as the last year begins after the begin of its chunk: the file
 * of that year was put at the begin of the chunk, over the end of the one before it.
 */
function endBefore(facts: ArrayFacts, steps: readonly (Step | undefined)[], edge: number, dates: Dates | undefined) {
  const { axis, node } = facts;
  const length = node.metadata.shape[axis] ?? 0;
  if (dates === undefined || dates.count !== length || edge < LEAST_LENGTH) return undefined;
  const last = steps.findLastIndex((step) => step !== undefined);
  const step = steps[last];
  // All before it are there, and full.
  if (step === undefined || step.tail === 0 || step.tail >= step.length) return undefined;
  if (!steps.slice(0, last).every((one) => one?.tail === 0)) return undefined;
  const lost = length - (last * edge + step.length - step.tail);
  let begin = length - 1;
  while (begin > 0 && !dates.startsYear(begin)) begin -= 1;
  const from = Math.floor(begin / edge);
  if (begin === 0 || begin % edge !== lost || from > last || from === 0) return undefined;
  const [before, own] = [steps[from - 1]?.file ?? NO_FILE, steps[from]?.file ?? NO_FILE];
  if (own !== NO_FILE && before === own) return undefined;
  return {
    problem: "early",
    chunk: from,
    from,
    missing: step.tail,
    shift: lost,
    tails: 1,
    last,
    ends: dates.of(begin - 1),
    begins: dates.of(begin),
    reads: dates.of(from * edge),
  } as const;
}
