/** Rules over what decoding gave. A rule is a file in `rules/`; `radar.ts` runs them in order, the certain ones first. */
import type { CallContext } from "../../../core/byte-source.ts";
import { coordinatesOf, ordinalOf } from "../../../core/metadata/chunk-grid.ts";
import type { Code, Finding } from "../../../core/findings/finding.ts";
import { chunkAt, type ChunkPlace, type Place } from "../../../core/findings/place.ts";
import type { EngineSet } from "../../engine-set.ts";
import type { Ledger } from "../ledger.ts";
import { CHUNK_DECODED, NO_FILE, slotOf, type ArrayFacts } from "./value-facts.ts";

export interface ValuesView {
  readonly set: EngineSet;
  readonly facts: readonly ArrayFacts[];
  readonly context: CallContext;
}

export interface ValueRule {
  readonly id: string;
  /** What it may find. */
  readonly codes: readonly Code[];
  /** Chunks that an earlier rule has explained are left out, so that one fault is one finding. */
  run(view: ValuesView, ledger: Ledger, sink: (found: Finding) => void): void | Promise<void>;
}

/** Of the chunk, or of the whole array, no cause is known. */
export const isOpen = (ledger: Ledger, { node, ordinals }: ArrayFacts, slot?: number): boolean =>
  ledger.isOpen(node.path, slot === undefined ? "grid" : (ordinals[slot] ?? -1));

export function explainSlots(ledger: Ledger, { node, ordinals }: ArrayFacts, slots: Iterable<number>): void {
  for (const slot of slots) ledger.explain(node.path, ordinals[slot] ?? -1);
}

export const coordinatesAt = ({ grid, ordinals }: ArrayFacts, slot: number): readonly number[] =>
  coordinatesOf(grid, ordinals[slot] ?? 0);

export const placeAt = (facts: ArrayFacts, slot: number): ChunkPlace =>
  chunkAt(facts.node.path, coordinatesAt(facts, slot));

export const isDecoded = (facts: ArrayFacts, slot: number): boolean => facts.states[slot] === CHUNK_DECODED;

/** The URL of a chunk's file; `undefined` where it has none of its own name. */
export function fileAt({ set }: Pick<ValuesView, "set">, facts: ArrayFacts, slot: number): string | undefined {
  const file = facts.files[slot] ?? NO_FILE;
  return file === NO_FILE ? undefined : set.table.targets.text(file);
}

/** Chunks that differ in their place along the axis alone, in its order; the slots of those that are looked at. */
export function linesOf(facts: ArrayFacts): readonly (readonly number[])[] {
  const { axis, grid, ordinals } = facts;
  if (axis < 0) return ordinals.length === 0 ? [] : [[...ordinals.keys()]];
  const lines = new Map<number, number[]>();
  const stride = grid.slice(axis + 1).reduce((product, count) => product * count, 1);
  const length = grid[axis] ?? 1;
  for (const [slot, ordinal] of ordinals.entries()) {
    const before = Math.floor(ordinal / (stride * length));
    const line = before * stride + (ordinal % stride);
    const slots = lines.get(line) ?? [];
    lines.set(line, slots);
    slots.push(slot);
  }
  return [...lines.values()];
}

/** Whether two chunks follow each other along the axis. */
export function areNeighbours(facts: ArrayFacts, one: number, next: number): boolean {
  const coordinates = [...coordinatesAt(facts, one)];
  if (facts.axis < 0) return false;
  coordinates[facts.axis] = (coordinates[facts.axis] ?? 0) + 1;
  return slotOf(facts, ordinalOf(facts.grid, coordinates) ?? -1) === next;
}

const MAX_PLACES = 100;

/** A finding about several chunks: the first is the place, with its file where that is meant. */
export function withChunks(found: Finding, facts: ArrayFacts, slots: readonly number[]): Finding {
  const chunks = slots.slice(0, MAX_PLACES).map((slot) => placeAt(facts, slot));
  const [from, to] = [facts.grid.map(() => Infinity), facts.grid.map(() => 0)];
  for (const slot of slots) {
    for (const [axis, at] of coordinatesAt(facts, slot).entries()) {
      from[axis] = Math.min(from[axis] ?? at, at);
      to[axis] = Math.max(to[axis] ?? at, at);
    }
  }
  const box = { array: facts.node.path, chunks: slots.length, from, to };
  // A target's place has its first chunk with it.
  const others = found.place.kind === "target" ? chunks.slice(1) : chunks;
  const places: readonly Place[] = found.place.kind === "chunk" ? chunks : [found.place, ...others];
  return { ...found, count: slots.length, places, extent: { arrays: [box], moreArrays: 0 } };
}

export const targetPlace = (target: string, facts: ArrayFacts, slot: number): Place => ({
  kind: "target",
  target,
  chunk: placeAt(facts, slot),
});

export function median(numbers: readonly number[]): number {
  const sorted = numbers.filter((one) => !Number.isNaN(one)).toSorted((a, b) => a - b);
  if (sorted.length === 0) return NaN;
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}
