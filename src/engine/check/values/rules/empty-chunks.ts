/** Chunks without a value, of zeros, or of one value throughout, where those before and after them hold data. */
import { declaredExtent, ordinalOf, shortestAlong } from "#core/metadata/chunk-grid.ts";
import { type ArrayFacts, slotOf } from "../value-facts.ts";
import { scalingOfNode } from "../note-chunk.ts";
import { isNumericCoordinate } from "../plan.ts";
import {
  areNeighbours,
  coordinatesAt,
  explainSlots,
  isDecoded,
  isWhole,
  leastOf,
  linesOf,
  measured,
  mostOf,
  ofChunks,
  openSlots,
  placeAlong,
  placeAt,
  type ValueRule,
  type ValuesView,
} from "../value-rule.ts";

/** Share of a line's places above which emptiness is intended: land, or a field that begins later. */
const MAX_SHARE = 0.34;

const LEAST_CHUNKS = 3;
const LEAST_STEPS = 5;
const LEAST_OF_STEP = 4;
/** Fewer values are equal where they are rounded. */
const LEAST_CONSTANT = 16;

type Kind = "missing" | "zeros" | "constant";

export const emptyChunks: ValueRule = {
  id: "empty-chunks",
  codes: ["chunk-zeroed", "chunk-all-missing", "chunk-constant"],
  ofArray(facts, sink, view) {
    if (facts.node.metadata.shape.length < 2) return;
    const torn = openSlots(facts).filter((slot) => tornSteps(facts, slot) && hasValuesBeside(view, facts, slot));
    if (torn.length > 0) {
      const steps = tornSteps(facts, torn[0] ?? 0);
      sink(ofChunks("chunk-all-missing", facts, torn, { ...about(facts, torn), isSure: true, steps }));
    }
    const found: Record<Kind, number[]> = { missing: [], zeros: [], constant: [] };
    for (const line of linesOf(facts)) collect(facts, openSlots(facts, line), found);
    const { missing, zeros, constant } = found;
    if (missing.length > 0) {
      const isSure = !areColumns(facts) && missing.some((slot) => hasValuesBeside(view, facts, slot));
      sink(ofChunks("chunk-all-missing", facts, missing, { ...about(facts, missing), isSure }));
    }
    if (zeros.length > 0) {
      const own = new Set(zeros);
      const others = facts.columns.zeros.reduce(
        (sum, count, slot) => sum + (isDecoded(facts, slot) && !own.has(slot) ? count : 0),
        0,
      );
      // A chunk that was compressed was written so, and a step without a value elsewhere may be one of calm.
      const isCut = zeros.some((slot) => isCutOff(facts, slot));
      const isSure = isCut || (facts.isPlain && areNoZeros(facts, own, others));
      sink(ofChunks("chunk-zeroed", facts, zeros, { ...about(facts, zeros), isPlain: facts.isPlain, others, isSure }));
    }
    if (constant.length > 0) {
      const value = facts.columns.minimum[constant[0] as number] ?? NaN;
      sink(ofChunks("chunk-constant", facts, constant, { ...about(facts, constant), value }));
    }
    explainSlots(facts, [...torn, ...missing, ...zeros, ...constant]);
  },
};

/**
 * Steps that one of several writers lost at an end of the chunk that they shared, of its steps: all of its other values,
 * and those of the chunk before or after it, are there.
 */
function tornSteps(facts: ArrayFacts, slot: number): readonly [lost: number, of: number] | undefined {
  const { grid, axis, node } = facts;
  const [place, of] = [coordinatesAt(facts, slot), measured(facts, slot)];
  const steps = declaredExtent(node.metadata.shape[axis] ?? 0, node.metadata.chunks[axis] ?? 1, place[axis] ?? 0);
  const [leading, trailing] = [of("leading"), of("trailing")];
  const lost = leading + trailing;
  if (leading > 0 === trailing > 0 || lost >= steps || of("count") < steps * LEAST_OF_STEP) return undefined;
  if (of("missing") * steps !== lost * of("count")) return undefined;
  const next = ordinalOf(grid, place.with(axis, (place[axis] ?? 0) + (leading > 0 ? -1 : 1)));
  const beside = slotOf(facts, next ?? -1);
  return isDecoded(facts, beside) && measured(facts, beside)("missing") === 0 ? [lost, steps] : undefined;
}

// Looks for other signs that nothing was stored there: night, snow that has melted and dry months are zero, too.

/** Distance beyond the range of all others. */
const FAR = 2;

/** 0 is far from where all other values lie, or stands, packed, for a value of no meaning that is met nowhere else. */
function areNoZeros(facts: ArrayFacts, own: ReadonlySet<number>, others: number): boolean {
  const { columns, node, ordinals } = facts;
  const rest = [...ordinals.keys()].filter((slot) => isDecoded(facts, slot) && !own.has(slot));
  const [least, most] = [leastOf(columns.minimum, rest), mostOf(columns.maximum, rest)];
  // All of a step may be calm.
  const isStep = [...own].every((slot) => besideInStep(facts, slot).every((one) => own.has(one)));
  if (!isStep && Math.max(least, -most) > (most - least) * FAR) return true;
  return others === 0 && (scalingOfNode(node)?.addOffset ?? 0) !== 0;
}

/** A chunk beside it, of the same step, ends in values that are all far from 0. */
function isCutOff(facts: ArrayFacts, slot: number): boolean {
  const { minimum, maximum } = facts.columns;
  return besideInStep(facts, slot).some((one) => {
    const [least, most] = [minimum[one] as number, maximum[one] as number];
    return Math.min(Math.abs(least), Math.abs(most)) * 2 > most - least && least * most > 0;
  });
}

/** Few chunks of a single cell are columns that differ by what they mean, as the corners of polygons do. */
function areColumns({ grid, axis, node }: ArrayFacts): boolean {
  return (grid[axis] ?? 0) < LEAST_STEPS && shortestAlong(node.metadata.chunks[axis] ?? 1) === 1;
}

/** The chunks beside it of the same step, or those of another array at that step, have hardly a missing value. */
function hasValuesBeside({ facts: all }: ValuesView, facts: ArrayFacts, slot: number): boolean {
  const isFull = ({ columns }: ArrayFacts, one: number) =>
    (columns.missing[one] as number) * 10 < (columns.count[one] as number);
  // Swaths end where they do: then one beside it is full, and the other is not, or it is a strip at the edge.
  const beside = besideInStep(facts, slot);
  if (isWhole(facts, slot) && beside.length > 0 && beside.every((one) => isFull(facts, one))) return true;
  const { node, axis, grid, ordinals } = facts;
  const step = placeAlong(facts)(ordinals[slot] as number);
  const name = node.metadata.dimensionNames?.[axis];
  return all.some((other) => {
    const isAlong = other.node.metadata.dimensionNames?.[other.axis] === name && other.grid[other.axis] === grid[axis];
    if (other === facts || name === undefined || !isAlong || isNumericCoordinate(other.node)) return false;
    const along = placeAlong(other);
    const there = [...other.ordinals.keys()].filter((one) => along(other.ordinals[one] as number) === step);
    return there.length > 0 && there.every((one) => isDecoded(other, one) && isFull(other, one));
  });
}

/** Chunks that were decoded and differ from it by one in a dimension that is not the axis. */
function besideInStep(facts: ArrayFacts, slot: number): readonly number[] {
  const own = coordinatesAt(facts, slot);
  const places = own.flatMap((at, dimension) =>
    dimension === facts.axis ? [] : [at - 1, at + 1].map((there) => own.with(dimension, there)),
  );
  return places
    .map((place) => slotOf(facts, ordinalOf(facts.grid, place) ?? -1))
    .filter((one) => one >= 0 && isDecoded(facts, one));
}

/** The mean of the chunk beside the first of them. */
function about(facts: ArrayFacts, slots: readonly number[]) {
  const [first = 0] = slots;
  const line = linesOf(facts).find((one) => one.includes(first)) ?? [];
  const beside =
    line.find((slot) => !slots.includes(slot) && areBeside(facts, slot, first)) ??
    line.find((slot) => !slots.includes(slot));
  const { minimum, maximum, count } = facts.columns;
  return {
    chunks: slots.length,
    elements: count[first] ?? 0,
    beside: beside === undefined ? [] : [...placeAt(facts, beside).coordinates],
    besideRange: beside === undefined ? [] : [minimum[beside] ?? NaN, maximum[beside] ?? NaN],
  };
}

const areBeside = (facts: ArrayFacts, one: number, other: number): boolean =>
  areNeighbours(facts, one, other) || areNeighbours(facts, other, one);

function collect(facts: ArrayFacts, line: readonly number[], found: Record<Kind, number[]>): void {
  const files = new Set(line.map((slot) => facts.files[slot]));
  // Two halves of a map may be as different as they like.
  if (line.length < 2 || (line.length < LEAST_CHUNKS && files.size < 2)) return;
  const kinds = line.map((slot) => kindOf(facts, slot));
  const varying = line.filter((_, place) => kinds[place] === undefined).length;
  for (const kind of ["missing", "zeros", "constant"] as const) {
    const own = line.filter((_, place) => kinds[place] === kind);
    if (own.length === 0 || own.length > Math.max(1, line.length * MAX_SHARE) || varying * 2 < line.length) continue;
    if (kind === "zeros" && areMostlyZeros(facts, line, new Set(own))) continue;
    if (kind === "missing" && !isSudden(facts, line, new Set(own))) continue;
    found[kind].push(...own);
  }
}

/** True if most values are 0, so that now and then all of a chunk are. */
function areMostlyZeros({ columns }: ArrayFacts, line: readonly number[], own: ReadonlySet<number>): boolean {
  const others = line.filter((slot) => !own.has(slot));
  const sum = (column: Float64Array) => others.reduce((total, slot) => total + (column[slot] as number), 0);
  return sum(columns.zeros) * 2 > sum(columns.count);
}

function kindOf(facts: ArrayFacts, slot: number): Kind | undefined {
  const of = measured(facts, slot);
  const count = of("count");
  if (count < 4) return undefined;
  if (of("zeros") === count) return "zeros";
  if (of("missing") === count) return "missing";
  return count >= LEAST_CONSTANT && of("minimum") === of("maximum") && of("missing") === 0 ? "constant" : undefined;
}

/** Those beside them are not half without values: where ice or night comes and goes, missing values grow in number. */
function isSudden({ columns }: ArrayFacts, line: readonly number[], own: ReadonlySet<number>): boolean {
  return line.some((slot, place) => {
    if (!own.has(slot)) return false;
    const beside = [line[place - 1], line[place + 1]].filter((one) => one !== undefined && !own.has(one));
    const shares = beside.map((one = 0) => (columns.missing[one] as number) / (columns.count[one] as number));
    return shares.length > 0 && shares.every((share) => share < 0.5);
  });
}
