/** Chunks whose elements have another type, another order or another beginning than declared. */
import { finding } from "#core/findings/finding.ts";
import { unitReport } from "#engine/repair/suggest/order.ts";
import { textOf } from "#engine/many/axis.ts";
import { bytesOf } from "../repair-search.ts";
import type { ArrayFacts } from "../value-facts.ts";
import {
  explainArray,
  openSlots,
  placeAt,
  type ValueRule,
  type ValuesView,
  withChunks,
  explainSlots,
  fileAt,
  leastOf,
  median,
  mostOf,
  ofChunks,
  coordinatesAt,
} from "../value-rule.ts";
import { type ChunkMetadata, metadataOfChunk, metadataOfLargest } from "#core/metadata/array-metadata.ts";
import { cellCount } from "#core/metadata/chunk-grid.ts";
import { decodeValues, float64Of } from "#core/values/values.ts";
import { rowLength, seamColumn } from "#engine/repair/suggest/values-of.ts";

export const otherType: ValueRule = {
  id: "other-type",
  codes: ["values-of-other-type"],
  isOfDeclared: true,
  async ofArray(facts, sink, view) {
    if (isTime(facts)) return;
    const slots = openSlots(facts);
    const doubtful = slots.filter((slot) => isImpossible(facts, slot));
    const [first] = doubtful;
    if (first === undefined || doubtful.length * 2 < slots.length) return;
    const likely = await otherReading(view, facts, doubtful);
    if (likely === undefined) return;
    explainArray(facts);
    const { columns, node } = facts;
    const range = [columns.minimum[first] ?? NaN, columns.maximum[first] ?? NaN];
    const about = { dtype: node.metadata.dataType.text, likely, range };
    sink(withChunks(finding("values-of-other-type", placeAt(facts, first), about), facts, slots));
  },
};

/** Counts of seconds are as large as floats taken for integers. */
function isTime({ node }: ArrayFacts): boolean {
  return [node.name, textOf(node, "units"), textOf(node, "standard_name")].some((word) =>
    /time|date|since|epoch|second/i.test(word ?? ""),
  );
}

/** The least that the bytes of an ordinary float make as an integer, and integers as a float: subnormal numbers. */
const LARGE = { 4: 2 ** 29, 8: 2 ** 60 } as const;
const TINY = { 4: 1.2e-38, 8: 2.3e-308 } as const;

function isImpossible({ columns, node }: ArrayFacts, slot: number): boolean {
  const { kind, itemSize } = node.metadata.dataType;
  if (itemSize !== 4 && itemSize !== 8) return false;
  const [least, most] = [Math.abs(columns.minimum[slot] ?? NaN), Math.abs(columns.maximum[slot] ?? NaN)];
  const size = Math.max(least, most);
  if (kind === "int" || kind === "uint") return size >= LARGE[itemSize];
  return kind === "float" && size > 0 && size < TINY[itemSize];
}

/** Numbers that are enough to tell by, by their size, and chunks that are read for them. */
const LEAST_VALUES = { 4: 16, 8: 4 } as const;
const MAX_CHUNKS = 16;

/** `float32`, `int64`, … where the bytes make sense so. */
async function otherReading(
  view: ValuesView,
  facts: ArrayFacts,
  slots: readonly number[],
): Promise<string | undefined> {
  const { kind, itemSize: size, byteOrder } = facts.node.metadata.dataType;
  let [values, absurd, ordinary] = [0, 0, 0];
  const least = LEAST_VALUES[size === 4 ? 4 : 8];
  for (const slot of slots.slice(0, MAX_CHUNKS)) {
    const bytes = await bytesOf(view, facts, slot);
    const unit = { offset: 0, size, big: byteOrder === "big", kind: "float" } as const;
    const report = unitReport(bytes, unit, size);
    values += report.values;
    absurd += report.absurd;
    ordinary += report.ordinary;
    if (values >= least) break;
  }
  if (values < least) return undefined;
  if (kind === "float") return absurd === values ? `int${size * 8}` : undefined;
  // Hardly any integer of 8 bytes is so large, so that it need not be near 1.
  return absurd <= values * 0.01 && (size === 8 || ordinary >= values * 0.5) ? `float${size * 8}` : undefined;
}

// Elements stored in the other order (C or F) than declared: all chunks, or those of a file, are much smoother in
// the other.

/** How many times as rough as declared, and how smooth in the other order. */
const LEAST_RATIO = 2.4;
const SMOOTH = 0.6;
/** Least roughness: scrambled values are nearly as rough as noise, or else so many times as rough. */
const LEAST_ROUGH = 0.6;
const [LESS_ROUGH, FAR_RATIO] = [0.4, 3.5];
/** All values as a multiple of their standard deviation; of a normal distribution 6 to 8. */
const MOST_PEAKED = 20;
/** One in so many is sparse. */
const LEAST_ZEROS = 4;
/** Elements of an array that are enough to tell by. */
const LEAST_ELEMENTS = 200;

export const otherOrder: ValueRule = {
  id: "other-order",
  codes: ["values-of-other-order"],
  isOfDeclared: true,
  ofArray(facts, sink) {
    const slots = openSlots(facts).filter((slot) => !Number.isNaN(facts.columns.rough[slot] as number));
    const turned = slots.filter((slot) => isTurned(facts, slot));
    if (turned.length === 0 || elementsOf(facts, turned) < LEAST_ELEMENTS) return;
    const isAll = turned.length * 10 >= slots.length * 8;
    const meant = isAll ? slots : wholeFiles(facts, slots, turned);
    const [first] = meant;
    if (first === undefined) return;
    if (isAll) explainArray(facts);
    else explainSlots(facts, meant);
    const of = (read: (slot: number) => number) => median(meant.map(read));
    const target = isAll ? undefined : fileAt(facts, first);
    const about = {
      order: facts.node.metadata.order,
      isPlanes: meant.every((slot) => bestOf(facts, slot) === readings(facts, slot).transposed),
      rough: of((slot) => readings(facts, slot).rough),
      otherwise: of((slot) => bestOf(facts, slot)),
      target,
      chunks: meant.length,
    };
    sink(ofChunks("values-of-other-order", facts, meant, about, target));
  },
};

function isTurned(facts: ArrayFacts, slot: number): boolean {
  const { rough } = readings(facts, slot);
  const best = bestOf(facts, slot);
  const { minimum, maximum, spread, zeros, count } = facts.columns;
  // A chunk that is 0 for the most part has its pattern where it is not.
  if ((zeros[slot] as number) * LEAST_ZEROS > (count[slot] as number)) return false;
  // If a few values make the spread, all else looks smooth beside it.
  if ((maximum[slot] as number) - (minimum[slot] as number) > (spread[slot] as number) * MOST_PEAKED) return false;
  const isRough = rough > LEAST_ROUGH || (rough > LESS_ROUGH && rough > best * FAR_RATIO);
  return isRough && rough > best * LEAST_RATIO && best < SMOOTH;
}

const readings = ({ columns }: ArrayFacts, slot: number) => ({
  rough: columns.rough[slot] as number,
  otherwise: columns.otherwise[slot] as number,
  transposed: columns.transposed[slot] as number,
});

/** Infinite where there is no other reading. */
function bestOf(facts: ArrayFacts, slot: number): number {
  const { otherwise, transposed } = readings(facts, slot);
  return Math.min(...[otherwise, transposed].filter((one) => !Number.isNaN(one)));
}

const elementsOf = ({ columns }: ArrayFacts, slots: readonly number[]): number =>
  slots.reduce((sum, slot) => sum + (columns.count[slot] as number), 0);

/** Chunks of files all of whose chunks are turned. */
function wholeFiles({ files }: ArrayFacts, slots: readonly number[], turned: readonly number[]): readonly number[] {
  const straight = new Set(slots.filter((slot) => !turned.includes(slot)).map((slot) => files[slot]));
  return turned.filter((slot) => !straight.has(files[slot] as number));
}

// Chunks stored as they are that are read too early or too late: rows end inside the rows, always in the same
// column.

/** Chunks of an array that are looked at, and their size at most. */
const MAX_READ_CHUNKS = 3;
const MAX_BYTES = 64 * 1024 ** 2;
const MAX_ROWS = 512;

/** The jump from the end of a row to the begin of the next, as a multiple of usual steps. */
const MOST_AT_END = 3;
const CIRCLE = 0.85;

export const shiftedRows: ValueRule = {
  id: "shifted-rows",
  codes: ["chunk-shifted"],
  isOfDeclared: true,
  async ofArray(facts, sink, view) {
    if (!facts.isPlain || !isCheckable(facts)) return;
    const open = openSlots(facts);
    const chosen = new Set([open[0], open[open.length >> 1], open.at(-1)].slice(0, MAX_READ_CHUNKS));
    const shifted = new Map<number, number>();
    for (const slot of chosen) {
      if (slot === undefined) continue;
      const column = columnOf(metadataAt(facts, slot), await bytesOf(view, facts, slot));
      if (column !== undefined) shifted.set(slot, column);
    }
    const [first] = shifted;
    // A jump in the same column of every chunk is where the field has one.
    if (first === undefined || (chosen.size > 1 && shifted.size === chosen.size)) return;
    const [slot, column] = first;
    const slots = [...shifted.keys()];
    explainSlots(facts, slots);
    const about = { column, row: rowLength(metadataAt(facts, slot)), size: facts.node.metadata.dataType.itemSize };
    sink(ofChunks("chunk-shifted", facts, slots, about));
  },
};

const metadataAt = (facts: ArrayFacts, slot: number): ChunkMetadata =>
  metadataOfChunk(facts.node.metadata, coordinatesAt(facts, slot));

function isCheckable({ node }: ArrayFacts): boolean {
  const metadata = metadataOfLargest(node.metadata);
  const elements = cellCount(metadata.chunks);
  const { itemSize, kind } = metadata.dataType;
  return (
    itemSize > 0 && kind !== "structured" && elements * itemSize <= MAX_BYTES && elements >= 8 * rowLength(metadata)
  );
}

/** Column at which every row jumps although the end of one continues at the beginning of the next. */
function columnOf(metadata: ChunkMetadata, bytes: Uint8Array): number | undefined {
  const column = bytes.length === 0 ? undefined : seamColumn(metadata, bytes);
  if (column === undefined) return undefined;
  const row = rowLength(metadata);
  const rows = Math.min(MAX_ROWS, Math.floor(bytes.length / row / metadata.dataType.itemSize));
  const some = new Uint8Array(bytes.subarray(0, rows * row * metadata.dataType.itemSize));
  const { numbers } = decodeValues(some, { dataType: metadata.dataType, chunks: [rows, row], order: "C" });
  if (numbers === undefined) return undefined;
  const values = float64Of(numbers);
  const steps = (from: number, every: number) =>
    Array.from({ length: Math.floor((values.length - from - 1) / every) }, (_, at) =>
      Math.abs((values[from + at * every + 1] as number) - (values[from + at * every] as number)),
    );
  const [usual, jump] = [median(steps(0, 1)), median(steps(column - 1, row))];
  // A jump over all of the range is where a circle closes.
  const range = mostOf(values, values.keys()) - leastOf(values, values.keys());
  const isCircle = jump > range * CIRCLE;
  return usual > 0 && !isCircle && median(steps(row - 1, row)) <= usual * MOST_AT_END ? column : undefined;
}
