/** Rules over what decoding gave. A rule is a file in `rules/`; `check-values.ts` runs them, the certain ones first. */
import type { CallContext } from "#core/byte-source.ts";
import { groupedBy } from "#core/basics.ts";
import { coordinatesOf, ordinalOf } from "#core/metadata/chunk-grid.ts";
import { chunkAt, finding } from "#core/findings/finding.ts";
import type { ChunkPlace, Code, FactsOf, Finding, Place } from "#core/findings/finding.ts";
import { attribute } from "#core/metadata/attribute.ts";
import type { EngineSet } from "#engine/engine-set.ts";
import { oncePer } from "#engine/kept.ts";
import { OrdinalBox } from "#engine/table/ordinal-box.ts";
import { type ArrayFacts, CHUNK_DECODED, NO_FILE, slotOf } from "./value-facts.ts";

type Sink = (found: Finding) => void;

export interface ValuesView {
  readonly set: EngineSet;
  readonly facts: readonly ArrayFacts[];
  readonly context: CallContext;
}

export interface ValueRule {
  readonly id: string;
  /** Codes that it may find. */
  readonly codes: readonly Code[];
  /** It doubts what references declare: a data file that was opened itself declares nothing that could be wrong. */
  readonly isOfDeclared?: true;
  /** Looks at each array that no earlier rule explains as a whole. */
  ofArray?(facts: ArrayFacts, sink: Sink, view: ValuesView): void | Promise<void>;
  /** Looks at all arrays together, after that. */
  ofSet?(view: ValuesView, sink: Sink): void | Promise<void>;
}

/** True if no cause is known of the chunk, or of the whole array. */
export const isOpen = ({ ledger, node, ordinals }: ArrayFacts, slot?: number): boolean =>
  ledger.isOpen(node.path, slot === undefined ? "grid" : (ordinals[slot] ?? -1));

/** Chunks that were decoded and that no earlier rule has explained: one fault is one finding. */
export const openSlots = (facts: ArrayFacts, among: Iterable<number> = facts.ordinals.keys()): readonly number[] =>
  [...among].filter((slot) => isDecoded(facts, slot) && isOpen(facts, slot));

export function explainSlots({ ledger, node, ordinals }: ArrayFacts, slots: Iterable<number>): void {
  for (const slot of slots) ledger.explain(node.path, ordinals[slot] ?? -1);
}

export const explainArray = ({ ledger, node }: ArrayFacts): void => ledger.explain(node.path, "grid");

/** Chunks of a file, decoded or not. */
export const slotsOfFile = ({ files }: ArrayFacts, file: number): readonly number[] =>
  [...files.keys()].filter((slot) => files[slot] === file);

export const coordinatesAt = ({ grid, ordinals }: ArrayFacts, slot: number): readonly number[] =>
  coordinatesOf(grid, ordinals[slot] ?? 0);

export const placeAt = (facts: ArrayFacts, slot: number): ChunkPlace =>
  chunkAt(facts.node.path, coordinatesAt(facts, slot));

/** Reads measures of a chunk. */
export const measured =
  ({ columns }: ArrayFacts, slot: number) =>
  (name: keyof ArrayFacts["columns"]): number =>
    columns[name][slot] as number;

/** Facts of arrays of which chunks were read. */
export const factsByNode = oncePer((all: readonly ArrayFacts[]) => new Map(all.map((one) => [one.node, one])));

const mostElements = oncePer(({ columns: { count } }: ArrayFacts) => mostOf(count, count.keys()));

/** True unless it is a narrow strip at the array's edge. */
export const isWhole = (facts: ArrayFacts, slot: number): boolean =>
  (facts.columns.count[slot] as number) * 2 > mostElements(facts);

export const isDecoded = (facts: ArrayFacts, slot: number): boolean => facts.states[slot] === CHUNK_DECODED;

/** Values that are names (CF §3.5): how far one is from the next says nothing. */
export const isOfFlags = ({ node }: ArrayFacts): boolean =>
  ["flag_values", "flag_masks"].some((name) => attribute(node.attributes, name) !== undefined);

/** The URL of a chunk's file; `undefined` where it has none of its own name. */
export function fileAt({ files, targets }: ArrayFacts, slot: number): string | undefined {
  const file = files[slot] ?? NO_FILE;
  return file === NO_FILE ? undefined : targets.text(file);
}

/** The URL of the file that all of the chunks are in. */
export const fileOfAll = (facts: ArrayFacts, slots: readonly number[]): string | undefined =>
  new Set(slots.map((slot) => facts.files[slot])).size === 1 ? fileAt(facts, slots[0] ?? 0) : undefined;

export const strideOf = (grid: readonly number[], axis: number): number =>
  grid.slice(axis + 1).reduce((product, count) => product * count, 1);

/** From an ordinal to the chunk coordinate along the axis. */
export function placeAlong({ grid, axis }: Pick<ArrayFacts, "grid" | "axis">): (ordinal: number) => number {
  const [stride, length] = [strideOf(grid, axis), grid[axis] ?? 1];
  return axis < 0 ? () => 0 : (ordinal) => Math.floor(ordinal / stride) % length;
}

/** Chunks that differ in their place along the axis alone, in its order; the slots of those that are looked at. */
export function linesOf(facts: ArrayFacts): readonly (readonly number[])[] {
  const { axis, grid, ordinals } = facts;
  if (axis < 0) return ordinals.length === 0 ? [] : [[...ordinals.keys()]];
  const [stride, place] = [strideOf(grid, axis), placeAlong(facts)];
  return [
    ...groupedBy(ordinals.keys(), (slot) => (ordinals[slot] ?? 0) - place(ordinals[slot] ?? 0) * stride).values(),
  ];
}

/** True if two chunks follow each other along the axis. */
export function areNeighbours(facts: ArrayFacts, one: number, next: number): boolean {
  const coordinates = [...coordinatesAt(facts, one)];
  if (facts.axis < 0) return false;
  coordinates[facts.axis] = (coordinates[facts.axis] ?? 0) + 1;
  return slotOf(facts, ordinalOf(facts.grid, coordinates) ?? -1) === next;
}

const MAX_PLACES = 100;

/** A finding about chunks of an array: at the first of them, with its file where that is `target`. */
export const ofChunks = <C extends Code>(
  code: C,
  facts: ArrayFacts,
  slots: readonly number[],
  about: FactsOf<C>,
  target?: string,
): Finding => withChunks(finding(code, placeIn(facts, slots[0] ?? 0, target), about), facts, slots);

export function withChunks(found: Finding, facts: ArrayFacts, slots: readonly number[]): Finding {
  const chunks = slots.slice(0, MAX_PLACES).map((slot) => placeAt(facts, slot));
  const box = new OrdinalBox(facts.grid);
  box.addAll(slots.map((slot) => facts.ordinals[slot] ?? 0));
  // A target's place has its first chunk with it.
  const others = found.place.kind === "target" ? chunks.slice(1) : chunks;
  const places: readonly Place[] = found.place.kind === "chunk" ? chunks : [found.place, ...others];
  return { ...found, count: slots.length, places, extent: { arrays: [box.extent(facts.node.path)], moreArrays: 0 } };
}

export function placeIn(facts: ArrayFacts, slot: number, target: string | undefined): Place {
  const chunk = placeAt(facts, slot);
  return target === undefined ? chunk : { kind: "target", target, chunk };
}

/** The same with chunks of other arrays named, too. */
export function withOthers(found: Finding, others: readonly (readonly [ArrayFacts, readonly number[]])[]): Finding {
  const places = others.flatMap(([facts, slots]) => slots.map((slot) => placeAt(facts, slot)));
  return { ...found, places: [...(found.places ?? []), ...places].slice(0, MAX_PLACES) };
}

export function median(numbers: readonly number[]): number {
  const sorted = numbers.filter((one) => !Number.isNaN(one)).toSorted((a, b) => a - b);
  if (sorted.length === 0) return NaN;
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}

/** Differences of neighbours, the later less the earlier. */
export const stepsOf = (values: ArrayLike<number>): readonly number[] =>
  Array.from({ length: values.length - 1 }, (_, at) => (values[at + 1] as number) - (values[at] as number));

/** Median of the numbers that are known, the upper one of two. */
export function middle(numbers: ArrayLike<number>): number {
  const sorted = Array.from(numbers)
    .filter((one) => !Number.isNaN(one))
    .toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? NaN;
}

// Least and greatest of columns, however long: a call cannot be given half a million numbers. NaN is left out.

export function leastOf(column: ArrayLike<number>, slots: Iterable<number>): number {
  let least = Infinity;
  for (const slot of slots) if ((column[slot] as number) < least) least = column[slot] as number;
  return least;
}

export function mostOf(column: ArrayLike<number>, slots: Iterable<number>): number {
  let most = -Infinity;
  for (const slot of slots) if ((column[slot] as number) > most) most = column[slot] as number;
  return most;
}
